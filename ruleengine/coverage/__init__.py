"""Which rules games came to: steps, tests both ways, options, guards, cases of defines, clauses."""
