"""Sans-io: pure functions, or an object with feed()."""
