"""Long-term memory for AI agents: evidence in, a small citable block out, every recall on record."""
