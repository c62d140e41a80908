"""The store, through its ports."""
