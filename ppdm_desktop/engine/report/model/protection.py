"""What the records asked for, what the steps did, and the proof for each level."""

from __future__ import annotations

from typing import Any

from pydantic import SerializerFunctionWrapHandler, model_serializer

from ppdm_desktop.engine.report.model.base import Part, Sentence


class LevelDemand(Part):
    """The demands that a level makes on the methods."""

    group: int
    intervals: int
    noise: float
    swap: float
    selection_noise: float | str
    doubt: float = 20.0


class LevelEntry(Part):
    """A level in use: how many records have it, and the words in the file that mean it."""

    name: str
    demand: LevelDemand
    records: int
    words: list[str] = []

    @model_serializer(mode="wrap")
    def _drop_empty_words(self, whole: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """Return the entry as data, without the words if there are none."""
        fields: dict[str, Any] = whole(self)
        return fields if self.words else {key: value for key, value in fields.items() if key != "words"}


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

    @property
    def said(self) -> dict[str, list[str]]:
        """Return the file's words for each level, by the level's name."""
        return {level.name: level.words for level in self.levels}


class GuaranteeEntry(Part):
    """What a step promised, recounted."""

    kind: str
    holds: bool
    checked: int
    worst: float | None


class UsedEntry(Part):
    """A value used for a parameter, for which level and column (None: all), and what decided it."""

    parameter: str
    value: Any
    why: str
    level: str | None = None
    column: str | None = None
    asked: Any = None


class StepEntry(Part):
    """One step as it ran.

    ``parameters`` holds every parameter, defaults filled in, and ``written`` those that the recipe wrote; ``used`` what
    stood for them where levels, columns or the program decided, and ``idle`` those that changed nothing. Reports made
    before these were kept have neither.
    """

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
    written: list[str] = []
    used: list[UsedEntry] = []
    idle: list[str] = []


class LevelProofEntry(Part):
    """How the records of one level were protected by a step, counted from the file.

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
