"""Text as values: terms, names, spans, budgets, entailment, and the guard at the door. Pure functions, no I/O."""
