"""The shoe: one codec per wire protocol, the profile that names its cards, the daemon's loop.

`codec` is the promise, `angel_eye`, `ssi` and `line` keep it, `profile` maps a
reader's code to a card, `assembler` turns reports into readings with times,
`daemon` owns the port, the spool and the bus.
"""
