"""Background jobs, and work in small pieces, so that the window stays responsive."""
