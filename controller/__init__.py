"""The authority of one table: rules, state, journal, bus, screen. Imports nothing of ours from outside."""
