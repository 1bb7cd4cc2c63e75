"""Lays variants over a rulebook: edits of its tree, each of which must meet something once."""
