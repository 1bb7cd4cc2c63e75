"""Machines that run the low-level form: WebAssembly, generated Python, C."""
