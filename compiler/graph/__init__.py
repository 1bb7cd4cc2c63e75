"""The game as steps and terms, its state as bytes, and both in words; knows no syntax."""
