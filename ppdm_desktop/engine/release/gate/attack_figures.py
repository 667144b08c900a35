"""What the checks of attacks ask of an attack's figures."""

from __future__ import annotations

import math

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.column_pairs import of_hundred

ROUNDING = 1e-9
"""A figure that lies beyond its limit by no more is at the limit."""


def beside_limit(share: float, *limits: float) -> str:
    """Return a share as ``of_hundred`` does; finer and rounded up where it is above a limit and would read like it."""
    words = of_hundred(share)
    if any(share > limit + ROUNDING and words == of_hundred(limit) for limit in limits):
        return f"{math.ceil(1_000 * share - ROUNDING):,} of 1,000"
    return words


def upper_end(figure: Figure) -> float:
    """Return the upper end of the interval, or the value where it is exact."""
    return float(figure.value or 0.0) if figure.high is None else figure.high
