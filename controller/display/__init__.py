"""The dealer's screen: what to show (pure), the words, and the server that pushes it to the page.

It shows what the controller says and never judges: no rule of the game is here.
"""
