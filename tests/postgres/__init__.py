"""A real PostgreSQL server for the tests, and what is true of PostgreSQL alone."""
