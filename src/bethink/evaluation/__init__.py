"""Measuring: benchmark, cases, metrics."""
