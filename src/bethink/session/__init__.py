"""Sessions and their moments."""
