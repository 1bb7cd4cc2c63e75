"""Questions about a graph: what can never happen, what is never read, what is live where."""
