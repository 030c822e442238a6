"""The database, the record and the log in the data folder."""
