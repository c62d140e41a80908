"""Deliberate breaks of the read path, each of which has to turn a test red: ``make mutants``."""
