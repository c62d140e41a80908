"""SQLite, PostgreSQL and a plain model, asked the same."""
