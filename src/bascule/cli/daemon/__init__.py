"""Commands about the daemon: start, stop, check and set it up."""
