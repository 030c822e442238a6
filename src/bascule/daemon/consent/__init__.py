"""Consent: every question to a person, its one answer, and the record of both."""
