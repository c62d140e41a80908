"""What keeps a store: expiry, erasure, re-embedding, work that waits, and what only its keeper may change."""
