"""The tests: promises of the product, and the shape of its source."""
