"""Looks for leaks: what a seat is offered, shown or told that depends on what it cannot know."""
