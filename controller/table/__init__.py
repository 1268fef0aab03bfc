"""The table, pure: what is decided, and what a fact changes.

`machine.decide(state, input)` gives the facts an input leads to, `apply.apply`
gives the state after a fact. A restart only applies; an audit decides again and
must come to the same facts. Nothing here does I/O, reads a clock or logs.

| file         | what lives there                                               |
|--------------|----------------------------------------------------------------|
| machine.py   | the grid state × event → handler, and `decide`                 |
| draft.py     | facts being decided, and the state they lead to                |
| cards.py     | handlers of readings                                           |
| windows.py   | betting, decisions, their deadlines and counts                 |
| rounds.py    | from one step of the game to the next, from round to round     |
| halts.py     | halting, the exits, what a halt freezes                        |
| resolving.py | a person takes an exit, or voids the round                     |
| orders.py    | commands before and after the grid: one id, one answer         |
| desk.py      | opening and closing of table and deck, starts, readers, disk   |
| apply.py     | what each fact changes; the table, its readers, its commands   |
| apply_deck.py, apply_round.py, apply_halt.py | likewise the deck, a round, a halt |
| state.py     | the private state around the published view                    |
"""
