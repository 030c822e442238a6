"""Connected surfaces, and what each of them is sent."""
