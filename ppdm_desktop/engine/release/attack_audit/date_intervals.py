"""The attack that finds people by the days between their dates, where all dates of a person moved together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.attacks.singling_out import has_unique_date_pair, has_unique_dates
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import (
    BLIND,
    LESS_CHANCE,
    Attack,
    AttackEvidence,
    make_empty_tail,
    register,
)
from ppdm_desktop.engine.release.attack_audit.singling_out import severity_of_share
from ppdm_desktop.engine.release.candidate.date_intervals import (
    columns_moved_together,
    days_between,
    units_of_dates,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names, Share

_HOW = lazy("only the person’s own released dates lie as far apart as the true ones")
_NO_CONTROL = lazy("a single person shows these days between dates, or nobody does")
_TWO, _ALL = "attack.knows.two-dates", "attack.knows.all-dates"


@register
class DateIntervals(Attack):
    """Counts the people whose days between their dates nobody else shows.

    If all dates of a person are moved by the same number of days, the days between them stay true.
    """

    id = "date-intervals"
    title = "attack.name.date-intervals"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.date-intervals.none",
        "some": "attack.date-intervals.some",
        "serious": "attack.date-intervals.serious",
        "total": "attack.date-intervals.total",
    }
    order = 15
    kind = "picking-out"
    term = "attack.date-intervals.term"
    source = "attack.date-intervals.source"
    knows = _ALL
    control = "attack.singling-out.control"
    judged_by = "singling-out"
    also_seen_by = ("near-identifiers",)
    own_check = True
    unit = "share"

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if somebody has two dates that moved together, else the id of the text that says why not."""
        return "attack.why-not.no-dates" if days_between(candidate, candidate.final) is None else None

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return the share of people whose days between two of their dates are unique, and the same for all dates.

        The second result is left out where nobody has more than two dates. There is no result where nobody has two
        dates that moved together, a step made groups or synthetic rows, or no row is released.
        """
        candidate = evidence.candidate
        released = days_between(candidate, candidate.final)
        true = days_between(candidate, candidate.prepared.table.take(candidate.source_rows))
        if released is None or true is None:
            return ()
        width = min(true.shape[1], released.shape[1])
        person = np.zeros(len(true), dtype=np.int64)
        person[units_of_dates(candidate)] = candidate.persons.of_row
        progress.report(0.2, "doing.audit")
        results = [
            _build_entry(candidate, has_unique_date_pair(true[:, :width], released[:, :width], person), person, _TWO)
        ]
        progress.report(0.8, "doing.audit")
        if width > 2:
            is_unique = has_unique_dates(true[:, :width], released[:, :width], person)
            results.append(_build_entry(candidate, is_unique, person, _ALL))
        return tuple(results)


def _build_entry(candidate: Candidate, is_unique: Bools, person: np.ndarray, knows: str) -> AttackEntry:
    """Return the audit's entry: the number and share of people who are singled out by the days between their dates.

    Parameters
    ----------
    candidate
        The candidate release.
    is_unique, person
        For each set of dates that moved together: whether it is unique in the release, and the index of its person. A
        person is singled out by any of their sets.
    knows
        Id of the sentence that says what the intruder knows.
    """
    people = candidate.persons.count
    count = len(np.unique(person[is_unique]))
    share, names = count / people, Names.of(columns_moved_together(candidate))
    severity = severity_of_share(share)
    return AttackEntry(
        id=DateIntervals.id,
        knows=Sentence.of(knows, {"columns": names}),
        success=Figure(share, n=people, unit="share", method=_HOW),
        control=Figure.absent(_NO_CONTROL, unit="share"),
        chance=Figure(1.0 / people, n=people, unit="share", method=BLIND),
        advantage=Figure(share - 1.0 / people, n=people, unit="share", method=LESS_CHANCE),
        tail=make_empty_tail(_NO_CONTROL),
        sampled=people,
        severity=severity,
        sentence=Sentence.of(DateIntervals.sentences[severity], {"columns": names, "found": Share(count, people)}),
    )
