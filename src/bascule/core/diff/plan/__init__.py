"""EditPlans: a diff checked against the files, whole or in parts."""
