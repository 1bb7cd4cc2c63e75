"""The form of the language: grammar, tree, reading, and what is said of texts that do not fit."""
