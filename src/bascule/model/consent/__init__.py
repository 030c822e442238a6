"""Who asks and who may answer: origins, devices, orders, trusted folders, and the lines of the record."""
