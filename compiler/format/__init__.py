"""One layout for every spec: the same words, with their indentation, spaces and columns settled.

Works on tokens and what lies between them, never on the tree, so that nothing can get lost: a text
keeps its words, its comments, its line breaks and the order of all of them.
"""
