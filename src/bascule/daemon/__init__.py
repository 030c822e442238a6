"""The application: who is running, who is watching, who may."""
