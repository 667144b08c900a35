"""The gate's checks and decision in the report."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model.base import Part, Residual, Sentence, Status


class ReasonEntry(Part):
    """The written reason that lets the amber checks of one cause pass.

    Attributes
    ----------
    cause, title
        Id of the cause, and the text id of what it is called.
    reason, at
        Its text, and when it was recorded.
    checks
        The checks that it answers, each with the worst figure that it accepts.
    """

    cause: str
    title: str
    reason: str
    at: str | None
    checks: dict[str, float | int | str | None]


class CheckEntry(Part):
    """One check of the gate.

    Attributes
    ----------
    cause
        The cause that it belongs to; one written reason answers all checks of a cause.
    figure, limit, direction
        What was measured, what it was held against, and from which side.
    hits, of
        The people it speaks of, and of how many; None where it counts nobody.
    on_certificate
        Whether every page names its figure, whatever was found; declared by the check, and no part of report.json.
    residual
        Which half of the sentence on the residual risk its figure is, declared by the check; no part of it either.
    figure_title
        Text id of what its figure is called, declared by the check; empty where that is the check's title. No part of
        report.json.
    counts_singled
        Whether pages give who is picked out as its figure, counted in one way, whatever count it judged; declared by
        the check, and no part of report.json.
    is_gain
        Whether its figure is a share less another, and no share of people; stands in report.json only where it is so.
    is_agreed
        Whether only the agreement with the recipients lets it pass; no part of report.json.
    fix_on
        The page where it is corrected.
    """

    id: str
    cause: str
    status: Status
    figure: Figure | None
    limit: float | int | str | None
    direction: Literal["at-most", "at-least"]
    hits: int | None
    of: int | None
    sentence: Sentence
    fix_on: str
    on_certificate: bool = Field(default=False, exclude=True)
    residual: Residual = Field(default="", exclude=True)
    figure_title: str = Field(default="", exclude=True)
    counts_singled: bool = Field(default=False, exclude=True)
    is_agreed: bool = Field(default=False, exclude=True)
    is_gain: bool = Field(default=False, exclude_if=lambda gain: not gain)

    @property
    def judged_value(self) -> float | None:
        """The interval's end that is compared with the limit; the figure itself where it is exact, None without one.

        The end is the upper one where the figure must not exceed the limit, the lower one where it must reach it.
        """
        if self.figure is None or self.figure.value is None:
            return None
        end = self.figure.high if self.direction == "at-most" else self.figure.low
        return float(self.figure.value if end is None else end)

    @property
    def share(self) -> float | None:
        """Return the figure as a share from 0 (no risk) to 1; None where it was not measured or is no share.

        It is the end of the interval that is judged. A ratio counts as 1 minus its value, a count as hits of all.
        """
        value = self.judged_value
        if value is None or self.figure is None:
            return None
        if self.figure.unit == "ratio":
            # What is left of the protection is measured, what can be taken off is the risk.
            return min(max(1.0 - value, 0.0), 1.0)
        if self.figure.unit != "share":
            # Fewer may be found with a record than without it: nothing is gained then.
            return max(self.hits / self.of, 0.0) if self.hits is not None and self.of else None
        return min(max(value, 0.0), 1.0)


class DecisionEntry(Part):
    """What the gate decided.

    Attributes
    ----------
    status
        ``released``, ``released-with-reasons``, ``blocked``, or ``not-judged`` where a gate does not apply.
    released
        Whether data may leave, and do: not of a draft.
    blocked_by, accepted
        Checks that stand against it, and those that a written reason lets pass.
    reasons
        The written reasons that count, in the order of their causes.
    """

    status: Literal["released", "released-with-reasons", "blocked", "not-judged"]
    released: bool
    blocked_by: list[str]
    accepted: list[str]
    reasons: list[ReasonEntry] = []

    def reason_for(self, check: str) -> ReasonEntry | None:
        """Return the written reason that lets a check pass; None where there is none."""
        return next((entry for entry in self.reasons if check in entry.checks), None)


class BetterEntry(Part):
    """An earlier draw that failed a check in which the released draw is better."""

    draw: int
    check: str
    status: Status


class DrawsEntry(Part):
    """How often the same methods were run on the same columns of the source; ``since`` is the first known day."""

    number: int
    tried: int
    since: str | None
    better_than_earlier: list[BetterEntry]
    key: Literal["os", "file", "seed"]
