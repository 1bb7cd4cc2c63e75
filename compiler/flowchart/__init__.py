"""A graph as a chart: boxes and arrows, their words, and how they are drawn and written."""
