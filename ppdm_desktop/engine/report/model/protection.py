"""What the records asked for, what the steps did, and the proof by level."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.report.model.base import Part, Sentence


class LevelDemand(Part):
    """What a level asks of the methods."""

    group: int
    intervals: int
    noise: float
    swap: float
    selection_noise: float | str
    doubt: float = 20.0


class LevelEntry(Part):
    """A level in use and how many records have it."""

    name: str
    demand: LevelDemand
    records: int


class LevelSources(Part):
    """How many records each source of levels decided."""

    default: int
    column: int
    rules: int
    rows: int


class Privacy(Part):
    """The privacy that records asked for."""

    default: str | int
    sources: LevelSources
    levels: list[LevelEntry]


class GuaranteeEntry(Part):
    """What a step promised, recounted."""

    kind: str
    holds: bool
    checked: int
    worst: float | None


class StepEntry(Part):
    """One step as it ran."""

    index: int
    method: str
    mode: str
    columns: list[str]
    parameters: dict[str, Any]
    correspondence: str
    protects: str
    promise: str | None
    guarantee: GuaranteeEntry
    notes: list[Sentence]
    seconds: float
    detail: dict[str, Any]


class LevelProofEntry(Part):
    """How one level's records were served by a step, counted from the file.

    ``demanded`` is what the step had to give, ``asked`` what the level map and the recipe ask for; ``short`` counts
    the people who lack what was promised, ``changed`` those whose value is another than before.
    """

    step: int
    column: str
    level: str
    records: int
    covered: int
    not_covered: int
    demanded: float | None
    least_achieved: float | None
    worst_row: int | None
    met: bool
    privacy_loss: float | None
    asked: float | None = None
    changed: int | None = None
    short: int = 0
