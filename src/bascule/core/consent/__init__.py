"""Who may do what, how an Ask is shown and answered, and how the record is chained."""
