"""The error that stops a delivery, and messages on the way."""

from __future__ import annotations


class Stop(Exception):
    """Raised when the delivery cannot be made; the text says why and what would help."""


def say(what: str) -> None:
    """Print what is being done."""
    print(f"deliver: {what}", flush=True)
