"""Verbs as tools of a model: what is offered, how a call of one is read, and answers cut to what a model takes."""
