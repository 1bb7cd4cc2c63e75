"""Small faults put into a rulebook on purpose, to see whether its tests notice."""
