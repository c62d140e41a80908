"""Forming a query: small pure steps, a rule each, and none of them calls a model."""
