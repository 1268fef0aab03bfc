"""The metal: everything that talks to a device at the table, and nothing that judges a card.

A driver turns bytes or pictures into readings (`controller.contract.readings`)
and hands them to the controller, numbered and kept until they are durable. What
a card means, whose it is and whether it was allowed is not known here.
"""
