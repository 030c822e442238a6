"""The files of workspaces and of the data folder."""
