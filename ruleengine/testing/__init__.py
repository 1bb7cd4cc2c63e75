"""All tests of a spec: scenarios, laws of every game, invariants and claims of this one.

`plan` says what a test is and how much is done; `suite` runs them; `story` tells how something
breaks; `kept` keeps the plays in which something broke, to be tried first the next time.
"""
