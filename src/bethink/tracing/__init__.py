"""Reading traces back: verification, views, why."""
