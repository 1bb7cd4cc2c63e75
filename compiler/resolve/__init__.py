"""Binds each name to one declaration or operator."""
