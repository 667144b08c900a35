"""Condensation: groups by privacy level, their statistics, and the records made anew from them."""
