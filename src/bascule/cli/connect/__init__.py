"""How a command reaches a daemon: the running one, or its own."""
