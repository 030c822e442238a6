"""Attacks on a running daemon, for `bascule selftest security`."""
