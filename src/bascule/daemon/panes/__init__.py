"""Panes: terminals that the daemon owns, and what each surface is sent of them."""
