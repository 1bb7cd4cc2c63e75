"""Refuses what has no meaning: who may not know what an answer of his depends on."""
