"""Looks for what is in a rulebook to no purpose, and for sentences that do not go together."""
