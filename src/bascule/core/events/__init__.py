"""Sessions as events, for a surface that does not fold: what happened in each run, once and in order."""
