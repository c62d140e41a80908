"""Values and rules of memory, without any input or output."""
