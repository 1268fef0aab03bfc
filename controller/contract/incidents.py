"""The incident table: what can go wrong at the table, what is said, and the ways out.

One row an incident. The controller halts by a row, the screen shows its words,
the simulated dealer follows its exits. To add an incident add a row; the tests
hold every row against the screen, the languages and the machine.
Which exits of a row are open in a given halt (is a round in play? did cards
come meanwhile?) is decided in `controller.table.halts`.
"""

from enum import StrEnum
from typing import Final, NamedTuple

from controller.contract.commands import Exit, Role


class Incident(StrEnum):
    """Why the table is halted."""

    EARLY_CARD = "early_card"
    EXTRA_CARD = "extra_card"
    AFTER_END = "after_end"
    STRAY_CARD = "stray_card"
    UNREAD_CARD = "unread_card"
    FOREIGN_CARD = "foreign_card"
    REPEATED_CARD = "repeated_card"
    OUT_OF_GAME = "out_of_game"
    STALE_CARD = "stale_card"
    CARDS_MISSING = "cards_missing"
    LINE_REOPENED = "line_reopened"
    DEVICE_RESTARTED = "device_restarted"
    READER_RESTARTED = "reader_restarted"
    READER_LOST = "reader_lost"
    READER_FAULT = "reader_fault"
    SERVER_SILENT = "server_silent"
    RESTARTED = "restarted"
    TORN_TAIL = "torn_tail"


class Say(NamedTuple):
    """A title for half a second and a sentence of what to do, in both languages."""

    it: tuple[str, str]
    en: tuple[str, str]


class Row(NamedTuple):
    """One incident. `recount`: felt and deck must be counted; `locks`: a void ends the deck."""

    say: Say
    exits: tuple[Exit, ...]
    recount: bool = False
    locks: bool = False


ROLE_OF: Final[dict[Exit, Role]] = {
    Exit.GO_ON: Role.DEALER,
    Exit.SCAN_AGAIN: Role.DEALER,
    Exit.SET_ASIDE: Role.DEALER,
    Exit.PLAY_HELD: Role.DEALER,
    Exit.NAME_IT: Role.SUPERVISOR,
    Exit.SAME_CARD: Role.SUPERVISOR,
    Exit.VOID: Role.SUPERVISOR,
    Exit.ANSWERED: Role.SERVER,
}
"""The least role an exit needs; a supervisor may take a dealer's exits too."""

_COUNT_FELT = (
    "Non estrarre. Contare le carte sul tavolo e quelle uscite dal sabot.",
    "Do not draw. Count the cards on the felt and those out of the shoe.",
)


def _counted(it: str, en: str) -> Row:
    say = Say((it, _COUNT_FELT[0]), (en, _COUNT_FELT[1]))
    exits = (Exit.GO_ON, Exit.SET_ASIDE, Exit.PLAY_HELD, Exit.VOID)
    return Row(say, exits, recount=True, locks=True)


def _surplus(it: tuple[str, str], en: tuple[str, str]) -> Row:
    return Row(Say(it, en), (Exit.SET_ASIDE, Exit.SAME_CARD, Exit.VOID))


INCIDENTS: Final[dict[Incident, Row]] = {
    Incident.EARLY_CARD: _surplus(
        ("CARTA TROPPO PRESTO", "Le puntate non sono chiuse. Mettere da parte la carta."),
        ("CARD TOO EARLY", "Betting is not closed. Set the card aside."),
    ),
    Incident.EXTRA_CARD: _surplus(
        ("CARTA IN PIÙ", "Nessuna carta era dovuta. Mettere da parte la carta."),
        ("EXTRA CARD", "No card was due. Set the card aside."),
    ),
    Incident.AFTER_END: _surplus(
        ("CARTA DOPO LA FINE", "Il giro è finito. Mettere da parte la carta."),
        ("CARD AFTER THE END", "The round is over. Set the card aside."),
    ),
    Incident.STRAY_CARD: _surplus(
        ("CARTA SENZA GIRO", "Nessun giro è aperto. Mettere da parte la carta."),
        ("CARD WITHOUT A ROUND", "No round is open. Set the card aside."),
    ),
    Incident.UNREAD_CARD: Row(
        Say(
            (
                "CARTA NON LETTA",
                "Premere «Ripassare la carta», poi ripassarla; o metterla da parte.",
            ),
            ("CARD NOT READ", "Press “Pass it again”, then pass the card again; or set it aside."),
        ),
        (Exit.SCAN_AGAIN, Exit.SET_ASIDE, Exit.NAME_IT, Exit.VOID),
    ),
    Incident.FOREIGN_CARD: Row(
        Say(
            ("CARTA ESTRANEA", "Non è una delle quaranta. Chiamare il supervisore."),
            ("FOREIGN CARD", "Not one of the forty. Call the supervisor."),
        ),
        (Exit.NAME_IT, Exit.VOID),
        locks=True,
    ),
    Incident.REPEATED_CARD: Row(
        Say(
            ("CARTA RIPETUTA", "Già uscita in questo mazzo. Chiamare il supervisore."),
            ("REPEATED CARD", "Already out in this deck. Call the supervisor."),
        ),
        (Exit.SAME_CARD, Exit.NAME_IT, Exit.VOID),
        locks=True,
    ),
    Incident.OUT_OF_GAME: _surplus(
        ("CARTA A SABOT BLOCCATO", "Estratta fuori gioco. Mettere da parte la carta."),
        ("CARD FROM A LOCKED SHOE", "Drawn outside the game. Set the card aside."),
    ),
    Incident.STALE_CARD: _counted("LETTURA VECCHIA", "OLD READING"),
    Incident.CARDS_MISSING: _counted("LETTURE PERSE", "READINGS LOST"),
    Incident.LINE_REOPENED: _counted("LETTORE RICOLLEGATO", "READER CAME BACK"),
    Incident.DEVICE_RESTARTED: _counted("SABOT RIAVVIATO", "SHOE RESTARTED"),
    Incident.READER_RESTARTED: _counted("PROGRAMMA LETTORE RIAVVIATO", "READER PROGRAM RESTARTED"),
    Incident.READER_LOST: _counted("LETTORE SCOLLEGATO", "READER DISCONNECTED"),
    Incident.READER_FAULT: _counted("GUASTO DEL SABOT", "SHOE FAULT"),
    Incident.SERVER_SILENT: Row(
        Say(
            ("SERVER MUTO", "Attendere: il server di gioco non risponde. Non estrarre."),
            ("SERVER SILENT", "Wait: the game server does not answer. Do not draw."),
        ),
        (Exit.ANSWERED, Exit.GO_ON, Exit.SET_ASIDE, Exit.VOID),
    ),
    Incident.RESTARTED: _counted("SISTEMA RIAVVIATO", "SYSTEM RESTARTED"),
    Incident.TORN_TAIL: _counted("REGISTRO INCOMPLETO", "JOURNAL WAS CUT SHORT"),
}
