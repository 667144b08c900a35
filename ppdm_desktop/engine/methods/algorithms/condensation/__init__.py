"""Condensation: groups by privacy level, their statistics, and the records generated from them."""
