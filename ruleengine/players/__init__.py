"""Who decides: policies that pick one of the answers a seat is offered."""
