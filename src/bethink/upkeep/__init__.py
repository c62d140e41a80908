"""What keeps a store honest: expiry, erasure, re-embedding."""
