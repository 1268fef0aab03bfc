"""What the dealer's screen shows of a table with seats, and what a press on it may become."""

from msgspec.structs import replace

from controller.contract.commands import Choose, Role
from controller.contract.seats import Choice, Seated, SeatHand, SeatOutcome, SeatResult
from controller.contract.state import Move, Phase, Reason, TableView, What, Window
from controller.display.buttons import Act, Asked, Press, ask, buttons
from controller.display.view import Lengths, Tone, screen

LENGTHS = Lengths(betting=15, decision=8, grace=1, results=5)
SEATED = Seated(
    bank=1,
    hands=(
        SeatHand(seat=3, stake=1_250, down=1, cards=("5B",), half_points=10),
        SeatHand(seat=1, bank=True, down=1),
    ),
    turn=3,
    options=(Choice.HIT, Choice.STAND, Choice.BURN),
)
TURN = TableView(
    phase=Phase.DECISION,
    move=Move(What.WAIT_TURN, n=3),
    window=Window(41, 9, 10),
    seated=SEATED,
    round=2,
)
ID = "0123456789abcdef" * 2


def test_the_dealer_is_told_the_seat_and_whether_its_card_lies_face_down() -> None:
    for reason, down in ((Reason.SEAT_FIRST, True), (Reason.SEAT_HIT, False)):
        move = Move(What.DEAL_SEAT, reason, n=3, face_down=down)
        said = screen(replace(TURN, phase=Phase.DEAL, move=move), 0, LENGTHS).instruction
        assert (said.say, said.n, said.note) == ("deal_seat", 3, f"reason_{reason}")
        assert said.tone is Tone.ACT


def test_a_hand_that_is_partly_face_down_has_backs_and_no_points() -> None:
    bank, player = screen(TURN, 0, LENGTHS).seats
    assert (bank.seat, bank.bank, bank.down, bank.cards, bank.stake) == (1, True, 1, (), "")
    assert (player.down, player.cards, player.points, player.stake) == (1, ("5B",), "", "12.50")
    assert (bank.turn, player.turn) == (False, True)


def test_the_options_of_a_turn_are_buttons_of_that_turn_alone() -> None:
    offered = [button for button in buttons(TURN) if button.act is Act.CHOOSE]
    assert [button.choice for button in offered] == [Choice.HIT, Choice.STAND, Choice.BURN]
    press = Press(id=ID, button=offered[0].id, round=2)
    asked = Asked(Choose(seat=3, choice=Choice.HIT), Role.DEALER, 41)
    assert ask(press, TURN, "d") == asked
    later = replace(TURN, window=Window(44, 9, 10))
    assert ask(press, later, "d") is None, "a late tap cannot choose for the next turn"


def test_a_result_is_what_each_hand_and_the_bank_win_or_lose() -> None:
    result = SeatResult(
        seat=3, stake=1_250, half_points=0, outcome=SeatOutcome.BANK_BUST, net=1_250
    )
    ended = replace(SEATED, results=(result,), bank_net=-1_250, turn=0, options=())
    view = replace(TURN, phase=Phase.RESULT, move=Move(What.PAY), window=None, seated=ended)
    shown = screen(view, 0, LENGTHS)
    assert [(seat.net, seat.outcome) for seat in shown.seats] == [
        ("-12.50", None),
        ("12.50", SeatOutcome.BANK_BUST),
    ]
    assert shown.instruction.say == "pay"
    lost = replace(ended, results=(replace(result, net=-1_250),))
    assert screen(replace(view, seated=lost), 0, LENGTHS).instruction.say == "take_bets"
