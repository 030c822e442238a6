"""The messages between the daemon and every surface, one struct each; the reference is made from them."""
