"""The figures: how fast and how small, each beside something to hold it against."""
