"""A game between people and bots as text: lines in, pages out; knows no terminal and no files.

What is shown to a seat is made from its view, from what it observed and from its own options, and
from nothing else.
"""
