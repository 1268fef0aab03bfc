"""The product's own Neapolitan deck, drawn by code: forty faces and a back.

`deck.face` and `deck.back` give pictures; `pen` draws, `pips` are the suits'
signs, `courts` the figures, `aces` the four aces and the other pictures that
only one card has. `strangers` are cards that are not of this deck. The suits,
layouts and figures are those of every Neapolitan deck; the drawing is ours and
no maker's.
"""
