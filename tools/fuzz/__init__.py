"""Made-up and damaged diffs, put to Bascule and to Git."""
