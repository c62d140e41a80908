"""Promises, tested through the public surface."""
