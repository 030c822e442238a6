"""The board: every session on this machine, ours and others', live."""
