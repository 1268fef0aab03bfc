"""What stands on the other side of the wire: shoe, dealer, game server, faults, a whole table.

Nothing here is in the wheel, so a table PC cannot deal a simulated card. The
programs under test are the real ones: a simulator is chosen by an address in
table.toml, never by an `if` in them. Start with `python -m simulators --help`.
"""
