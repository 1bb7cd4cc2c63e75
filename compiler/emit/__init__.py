"""Printers of the low-level form: one for each machine, none of them knows a game."""
