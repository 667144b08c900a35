"""Dates that move by days."""
