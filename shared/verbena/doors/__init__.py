"""Doors translate between a transport and the call path; what is about verbs is generated from the catalog."""
