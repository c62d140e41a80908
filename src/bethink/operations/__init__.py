"""Every request and result, stated once and read by each interface."""
