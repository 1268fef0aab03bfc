"""Where profiles are made that drivers only read.

What lives here: the lens, the position regions of the felt, the forty
reference faces, and a shoe's codes learned by one pass of the deck. Nothing of
it is needed to deal a round; the shipped reader profiles are in `drivers`.
"""
