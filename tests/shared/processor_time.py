"""Time that says how much was done, however busy the machine is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager


def processor_seconds() -> float:
    """Return the processor time used so far by this process and by those it started and waited for."""
    return sum(os.times()[:4])


_NOISE = 3


@contextmanager
def within_processor_seconds(limit: float) -> Iterator[None]:
    """Fail when the block uses more: five times what it takes, unless a reason for another limit is given."""
    begun = processor_seconds()
    yield
    spent = processor_seconds() - begun
    # Busy neighbours slow a processor down as well; what grows with the square is far beyond this.
    assert spent <= _NOISE * limit, f"took {spent:.2f} s of the processor, the limit is {_NOISE} times {limit:.2f} s"
