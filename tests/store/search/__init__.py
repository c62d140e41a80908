"""The search index, through the search port."""
