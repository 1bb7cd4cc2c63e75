"""Games solved exactly: how they go at random, and when everybody plays best.

Nothing here knows a game; a spec's situations or histories are all that is read.
"""
