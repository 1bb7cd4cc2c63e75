"""The operators of the language: name, signature and meaning of each, once."""
