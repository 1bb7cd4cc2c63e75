"""Whether two graphs are the same game, although their steps are not written alike."""
