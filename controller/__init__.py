"""The authority of one table: rules, state, journal, bus, screen. Imports nothing from above."""
