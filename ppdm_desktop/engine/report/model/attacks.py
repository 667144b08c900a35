"""What an intruder could still do."""

from __future__ import annotations

from typing import Literal

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part, Sentence


class AttackTail(Part):
    """Share of people the intruder is at least 95 % sure of and right about, and the same of the control."""

    share_sure_and_right: Figure
    control: Figure


class AttackLevel(Part):
    """An attack on the records of one privacy level.

    ``limit`` is what the figure is held against, and ``met`` whether the upper end of its
    interval keeps to it.
    """

    level: str
    records: int
    success: Figure
    limit: float
    met: bool


class AttackEntry(Part):
    """One attack made on the release.

    ``sampled`` is the number of people looked for; ``further`` holds figures of this attack's own.
    """

    id: str
    column: str | None
    knows: Sentence
    success: Figure
    control: Figure
    chance: Figure
    advantage: Figure
    tail: AttackTail
    tolerance: float | None
    sampled: int
    severity: Literal["none", "some", "serious", "total"]
    sentence: Sentence
    levels: list[AttackLevel]
    further: dict[str, Figure]
