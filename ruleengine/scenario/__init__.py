"""Scenarios: a position, what happens, what must come of it."""
