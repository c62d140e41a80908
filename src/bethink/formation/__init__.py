"""From a proposal to a decision, and the one writer."""
