"""web.discover: search that is routed around a failing vendor."""
