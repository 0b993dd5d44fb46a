"""Doors for clients that were written for other services."""
