"""The command line `verbena`: what is about verbs in it is generated from the catalog."""

from verbena.doors.cli.program import main

__all__ = ["main"]
