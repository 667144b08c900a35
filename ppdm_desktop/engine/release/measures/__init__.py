"""Figures of what a candidate kept and what each step changed."""
