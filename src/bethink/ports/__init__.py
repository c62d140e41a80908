"""What the core needs from outside, by noun."""
