"""The database, the record, the lock and the log in the data folder."""
