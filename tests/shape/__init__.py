"""The shape of the source, tested over the source itself."""
