"""Shipped for hosts and third parties: fakes and the store conformance suite."""
