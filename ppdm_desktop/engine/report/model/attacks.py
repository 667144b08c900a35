"""The results of attacks in the report."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part, Sentence

Outcome = Literal["withstood", "note", "works", "forecast"]


class AttackTail(Part):
    """People of whom the intruder is at least 95 % sure and right, as a share, and the same for the control."""

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


class AttackLabels(Part):
    """What an attack declares for the documents: its kind, and ids of texts.

    Attributes
    ----------
    kind
        What the intruder is after, such as ``picking-out``; empty where nobody declared it.
    title
        What it is called within a sentence; empty where nobody declared it.
    control, chance
        Names of the figures with which its success is compared.
    figures
        What its success is; empty where that is a share of people, or an error.
    further
        What each of its own figures is called.
    outcome
        How the attack ended by its own criterion; None where nobody declared it.
    judged_by
        The id of the check that judges it.
    """

    kind: str = ""
    title: str = ""
    control: str = "attack.control.one-guess"
    chance: str = "attack.chance.blind"
    figures: str = ""
    further: dict[str, str] = Field(default_factory=dict)
    outcome: Outcome | None = None
    judged_by: str = ""


class AttackEntry(Part):
    """One result of an attack made on the release: of one column, or of all at once.

    Attributes
    ----------
    id
        Id of the attack.
    column
        What was attacked; None where it is no single column.
    knows
        What the intruder holds, with the columns of this release.
    success
        What the attack reached: a share of people, an error left (``noise sd``) or a count.
    control
        The same attack on the same people without what is tested, such as their own records; absent, with
        the reason, where there is none.
    chance
        What someone reaches who knows nothing of the person.
    advantage
        Success less control, or less chance where there is no control. What is judged, but of an attack that
        names people, whose success is.
    tail
        People the intruder is nearly sure of, and right about.
    tolerance
        How far off a guess at a number still counts as right; 0 for the very value, None where no number is
        guessed.
    sampled
        People looked for; 0 where it is worked out without looking for anybody.
    severity
        How bad it is, against the limits of the check that judges it.
    sentence
        What was found.
    levels
        The same by privacy level, where levels have limits of their own; else empty.
    further
        Figures of this attack's own; ``ratio`` where that is what is judged.
    labels
        What the attack declares to be said of it; no part of report.json.
    """

    id: str
    column: str | None = None
    knows: Sentence
    success: Figure
    control: Figure
    chance: Figure
    advantage: Figure
    tail: AttackTail
    tolerance: float | None = None
    sampled: int
    severity: Literal["none", "some", "serious", "total"]
    sentence: Sentence
    levels: list[AttackLevel] = Field(default_factory=list)
    further: dict[str, Figure] = Field(default_factory=dict)
    labels: AttackLabels = Field(default_factory=AttackLabels, exclude=True)
