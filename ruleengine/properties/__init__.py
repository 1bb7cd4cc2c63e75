"""What must hold in every game: laws of every spec, invariants and claims of one.

`laws` lists them, `looking` and `promises` look at the tables of a game, `sweep` goes through every
situation of a small one, `trial` plays others; `agreement` has what is true of texts and machines.
"""
