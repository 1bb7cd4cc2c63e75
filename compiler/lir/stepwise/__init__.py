"""The plain lowering: a function for each node, on a table laid out in memory as it is thought of.

It takes every rulebook; what it lacks are the masks of the woven one, and so some of its speed.
"""
