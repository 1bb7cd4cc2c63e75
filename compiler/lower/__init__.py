"""Checked syntax to the graph, one case for each form; all sugar ends here."""
