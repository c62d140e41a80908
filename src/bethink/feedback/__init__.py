"""Feedback: which recalled records were of use."""
