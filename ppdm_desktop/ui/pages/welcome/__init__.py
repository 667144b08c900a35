"""Page Welcome: open, samples, top-up."""
