"""The only modules that touch the machine, one resource each."""
