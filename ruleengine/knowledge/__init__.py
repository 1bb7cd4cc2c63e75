"""Who knows what: what events do to it, the view and the log of a seat, worlds it can imagine."""
