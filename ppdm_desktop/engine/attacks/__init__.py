"""Attacks on a release, as functions of arrays that return figures; no method is known here."""
