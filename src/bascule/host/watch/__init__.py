"""Files and sockets of agents that others started: found, followed and only ever read."""
