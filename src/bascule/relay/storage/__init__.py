"""What the relay keeps: commands, machines, messages seen, and a chained audit trail."""
