"""The embedded stack behind `make run`: the deployed template on one machine, never deployed itself."""
