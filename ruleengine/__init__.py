"""Runs what the compiler made: plays, explores, tests and measures games."""
