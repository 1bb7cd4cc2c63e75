"""Reads a rulebook's own sentences: where it contradicts itself, repeats itself, leaves a gap."""
