"""Calls that come as messages, for those whom IAM lets in."""
