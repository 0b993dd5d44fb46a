"""A verb that the tests add."""
