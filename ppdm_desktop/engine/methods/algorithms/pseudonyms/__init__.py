"""Codes in place of identifiers."""
