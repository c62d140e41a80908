"""Embedders behind the port: the built-in encoder, the hash test double, the query cache, the canary."""
