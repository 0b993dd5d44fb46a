"""Verbena: typed verbs that acquire data from the web and return it."""
