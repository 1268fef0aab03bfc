"""The games, pure: what is the next step, and what is the result.

One file a game, written to be held beside its rules page. Nothing here knows of
readers, windows, time or the bus; the table asks `next_step` after everything
that happens and does what it says.
"""
