"""What has to be there."""

from __future__ import annotations

from typing import TypeVar

T = TypeVar("T")


def existing(thing: T | None) -> T:
    """Return what may be absent elsewhere, such as a figure's value; its absence fails the test."""
    assert thing is not None
    return thing
