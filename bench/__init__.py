"""Measurements, each against the least that could do the same; `python -m bench` prints them as Markdown tables."""
