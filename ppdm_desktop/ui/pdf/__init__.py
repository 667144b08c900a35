"""Documents written as PDF by Qt."""
