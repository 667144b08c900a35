"""What the gate found and decided."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part, Sentence, Status


class AcceptedEntry(Part):
    """The written reason that lets an amber check pass."""

    reason: str
    at: str | None
    figure: float | int | str | None


class CheckEntry(Part):
    """One check of the gate; direction and on_certificate are for the documents, and no part of report.json."""

    id: str
    status: Status
    figure: Figure | None
    limit: float | int | str | None
    sentence: Sentence
    accepted: AcceptedEntry | None
    direction: Literal["at-most", "at-least"] = Field(exclude=True)
    on_certificate: bool = Field(exclude=True)


class DecisionEntry(Part):
    """What the gate decided."""

    released: bool
    blocked_by: list[str]
    accepted: list[str]
