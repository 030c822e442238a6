"""Commands about who may do what: trust, devices, remote orders and the record."""
