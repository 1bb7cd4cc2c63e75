"""Tries a rulebook's tests on faults put into it on purpose: who notices which."""
