"""Process plumbing: what every daemon needs and no game knows.

Clock, exit codes, configuration, log, the life of a daemon (signals, systemd),
the options commands share, and the bus. Nothing here knows a card or a rule.
"""
