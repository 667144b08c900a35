"""The line of values revealed for certain: no attack of the audit, but what the gate counts, and a disclosure as well.

No widget here.
"""

from __future__ import annotations

from ppdm_desktop.engine.release.attack_audit.base import Fact, Kind, LargeFigure
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import CertainDisclosure
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Share

CERTAIN = "certain"
"""Its name among the lines."""
CERTAIN_KIND: Kind = "guessing"
"""The attacks it stands with."""
CERTAIN_CHECK = CertainDisclosure.id
CERTAIN_TERM = Note("attack.certain.term")
CERTAIN_REMEDY = Note("attack.certain.remedy")


def is_counted(report: Report) -> bool:
    """Say whether the gate counts people whose confidential value is revealed for certain."""
    secret = any(column.released and column.role == "confidential" for column in report.columns)
    return report.verdict.certain_by_others is not None and bool(report.release.rows) and secret


def people_certain(report: Report) -> int:
    """Return of how many people the release reveals a confidential value for certain."""
    return report.verdict.certain_by_others or 0


def _certain_before(report: Report) -> int | None:
    return None if report.original is None else report.original.certain_by_others


def certain_notes(report: Report) -> tuple[Note, ...]:
    """Return how many they are, and how many in the original; the headline is the title of the first."""
    after, before = people_certain(report), _certain_before(report)
    note = Note("attack.certain.found", {"found": _share(after, report.release.rows)})
    notes = [note if after else Note("attack.certain.nobody")]
    if before is not None and report.input.records:
        notes.append(Note("attack.certain.original", {"before": _share(before, report.input.records)}))
    return tuple(notes)


def _share(people: int, of: int) -> Share:
    return Share(min(people, of), of)


def certain_figure(report: Report) -> LargeFigure:
    """Return the share of people it is, beside that of the original."""
    before, read = _certain_before(report), report.input.records
    note = None
    if before is not None and read:
        note = Note("attack.beside.before", {"figure": _share(before, read)})
    return LargeFigure(_share(people_certain(report), report.release.rows), beside=note)


def certain_facts(report: Report) -> list[Fact]:
    """Return what there is to say of it beside its two lines."""
    return [
        Fact(Note("attack.fact.knows"), Note("attack.certain.knows")),
        Fact(Note("attack.fact.sampled"), Note("attack.sampled.all", {"people": report.release.rows})),
        Fact(Note("attack.fact.rule"), Note("attack.certain.rule")),
    ]
