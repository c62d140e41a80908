"""Text, once for every database and interface: terms, names, spans, budgets, screens. Pure functions."""
