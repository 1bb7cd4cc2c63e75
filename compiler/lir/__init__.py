"""The low-level form: what a graph does to bytes, before a printer writes it for one machine."""
