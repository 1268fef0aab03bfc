"""The games as a person asks about them: `mazziere rtp`, `settle` and `rules`.

Commands and their words; every number and every step comes from `controller.rules`.
"""
