"""What the risk-utility map is given: marks, and what its axes say."""

from __future__ import annotations

from dataclasses import dataclass

RELEASED, REASONS, BLOCKED, ORIGINAL = "released", "released-with-reasons", "blocked", "original"
KINDS = (RELEASED, REASONS, BLOCKED, ORIGINAL)
"""What a mark can say: the decision as a verdict calls it, or that it is the original."""


@dataclass(frozen=True)
class MapPoint:
    """One mark.

    Attributes
    ----------
    key
        Name of the candidate; empty for the original, which cannot be opened.
    label
        What stands beside the mark.
    risk, use
        Its place, of 100.
    kind
        ``released``, ``released-with-reasons``, ``blocked`` or ``original``.
    words
        What it is and its figures, for the line above the drawing and for screen readers.
    frontier
        Whether nothing beats it.
    """

    key: str
    label: str
    risk: float
    use: float
    kind: str
    words: str
    frontier: bool = False


@dataclass(frozen=True)
class MapAxes:
    """What the axes say, and the limit on the risk with its words (None where there is none)."""

    risk: str
    use: str
    limit: float | None = None
    limit_words: str = ""
