"""Thin layers over the operations."""
