"""What stops a delivery, and what is said on the way."""

from __future__ import annotations


class Stop(Exception):
    """The delivery cannot be made; the text says why and what would help."""


def say(what: str) -> None:
    """Tell what is being done."""
    print(f"deliver: {what}", flush=True)
