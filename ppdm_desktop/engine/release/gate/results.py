"""What a check of the gate returns."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.texts import Note

GREEN, AMBER, RED = "green", "amber", "red"
NOT_APPLICABLE, NOT_RUN = "not-applicable", "not-run"


@dataclass(frozen=True)
class CheckResult:
    """One check's verdict.

    Attributes
    ----------
    id
        Name of the check.
    status
        ``green``, ``amber``, ``red``, ``not-applicable`` or ``not-run``.
    figure
        What was measured.
    limit
        What it was measured against.
    sentence
        Text id ``gate.<id>.<status>`` (with a further word where one status has two causes)
        and its arguments.
    """

    id: str
    status: str
    figure: Figure | None
    limit: float | int | str | None
    sentence: Note


@dataclass(frozen=True)
class Check:
    """A check of the gate.

    Attributes
    ----------
    id
        Name in the contract's table.
    judge
        Returns the verdict on the evidence.
    reads_file
        True when it needs the data file read back; without one it is ``not-run``.
    reports
        True when it may look at every value and takes a ``Progress`` beside the evidence.
    weight
        How long it takes, as a multiple of a check that does not look at every value.
    """

    id: str
    judge: Callable[..., CheckResult]
    reads_file: bool = True
    reports: bool = False
    weight: int = 1

    def run(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Return the verdict."""
        return self.judge(evidence, progress) if self.reports else self.judge(evidence)


def verdict(
    id: str,
    status: str,
    figure: Figure | None = None,
    limit: float | int | str | None = None,
    *,
    variant: str = "",
    **arguments: object,
) -> CheckResult:
    """Return a result whose sentence is ``gate.<id>.<status>``, or with ``-<variant>`` behind it."""
    text = f"gate.{id}.{status}" + (f"-{variant}" if variant else "")
    return CheckResult(id, status, figure, limit, Note(text, arguments))


def named(names: list[str], most: int = 12) -> str:
    """Return a list of names for a sentence, cut where it gets long."""
    shown = ", ".join(f'"{name}"' for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
