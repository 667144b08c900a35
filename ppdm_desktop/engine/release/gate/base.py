"""What every check declares of itself, once.

The gate, the decision on written reasons, the rows of the Release page, the report and the
certificate read it from the check or from what it returns; there is no second list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES, ReleaseType
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import (
    GREEN,
    NOT_APPLICABLE,
    NOT_RUN,
    CheckResult,
    Direction,
    Remedy,
)
from ppdm_desktop.engine.texts import Note

LOOKS_AT_EVERY_VALUE = 20
"""Weight of a check that looks at every value: so many times as long does it take."""


@dataclass(frozen=True)
class Limits:
    """Edges of the colours.

    Attributes
    ----------
    green
        A figure up to here (or from here on, as the check's direction says) needs no reason.
    red
        A figure beyond it is red; None where no figure alone makes it red.
    """

    green: float | int
    red: float | int | None = None


class Check(ABC):
    """One rule that a release keeps: one subclass in one file, registered by decorator.

    Attributes
    ----------
    id
        Name in recipes, on the command line and in the report; its texts are ``gate.<id>.<status>``.
    title
        What it is called, as its texts have it.
    order
        Place among the others, lowest first.
    source
        Where the rule comes from.
    fix_on
        Id of the page where it is usually corrected.
    direction
        Whether its limit is the most that is allowed, or the least that is wanted.
    figure_unit
        Unit of what it measures, ``... or ...`` where it measures one of two things; empty
        where it measures nothing.
    reads_file
        Whether it needs the data file as read back; without one it is ``not-run``.
    weight
        How long it takes, as a multiple of a check that does not look at every value.
    on_certificate
        Whether the certificate names it even where nothing was found.
    needs
        Ids of the checks that have to pass first: they say why this one could not run.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int]
    source: ClassVar[str]
    fix_on: ClassVar[str]
    direction: ClassVar[Direction]
    figure_unit: ClassVar[str]
    reads_file: ClassVar[bool] = True
    weight: ClassVar[int] = 1
    on_certificate: ClassVar[bool] = False
    needs: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Return the verdict on the evidence, which stays as it is; the same evidence gets the same verdict."""

    def run(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Return the verdict with what corrects it; ``not-run`` where the file it reads cannot be read."""
        unread = self.reads_file and not evidence.fits
        result = self.verdict(NOT_RUN) if unread else self.judge(evidence, progress)
        return replace(result, remedies=self.remedy(result, evidence))

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours for a type of release; a check that says nothing else allows nothing."""
        return Limits(0)

    def limits_of(self, evidence: Evidence) -> Limits:
        """Return the limits that hold for the release in hand."""
        type = evidence.candidate.prepared.type
        return self.limits(type, type.k_min)

    def direction_of(self, figure: Figure | None) -> Direction:
        """Return the direction of the limit that a figure was held against."""
        return self.direction

    def remedy(self, result: CheckResult, evidence: Evidence) -> tuple[Remedy, ...]:
        """Return what corrects a finding, the best first; nothing where nothing is to be corrected."""
        if result.status in (GREEN, NOT_APPLICABLE):
            return ()
        return (Remedy(result.sentence, self.fix_on),)

    def verdict(
        self,
        status: str,
        figure: Figure | None = None,
        limit: float | int | str | None = None,
        *,
        variant: str = "",
        **arguments: object,
    ) -> CheckResult:
        """Return a result whose sentence is ``gate.<id>.<status>``, or with ``-<variant>`` behind it."""
        text = f"gate.{self.id}.{status}" + (f"-{variant}" if variant else "")
        return CheckResult(
            self.id,
            status,
            figure,
            limit,
            Note(text, arguments),
            direction=self.direction_of(figure),
            on_certificate=self.on_certificate,
        )

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        types = RELEASE_TYPES.values() if self.figure_unit else ()
        limits = {type.id: self.limits(type, type.k_min) for type in types}
        return {
            "id": self.id,
            "title": self.title,
            "order": self.order,
            "source": self.source,
            "fix_on": self.fix_on,
            "direction": self.direction,
            "figure_unit": self.figure_unit,
            "reads_file": self.reads_file,
            "weight": self.weight,
            "on_certificate": self.on_certificate,
            "needs": list(self.needs),
            "limits": {id: {"green": each.green, "red": each.red} for id, each in limits.items()},
        }


CHECKS: Registry[Check] = Registry("ppdm_desktop.engine.release.gate.checks")
register = CHECKS.register
