"""The vocabulary that everyone at the table shares: pure, frozen values and nothing else.

Drivers, controller, display, servers and simulators speak in these words.
Nothing here does I/O, reads a clock or draws a random number.
"""
