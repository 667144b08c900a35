"""Scorecards that compare candidates by the figures of their verdicts, each as a share.

Nothing is measured here; a figure that was not measured is absent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import GRID, on_grid
from ppdm_desktop.engine.methods.base.declaration import Family, find_step_method
from ppdm_desktop.engine.release.gate.checks.certain_by_all import CertainByAll
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import CertainDisclosure
from ppdm_desktop.engine.release.gate.checks.inference import Inference
from ppdm_desktop.engine.release.gate.checks.levels_met import LevelsMet
from ppdm_desktop.engine.release.gate.checks.linkage import Linkage
from ppdm_desktop.engine.release.gate.checks.reversal import Reversal
from ppdm_desktop.engine.release.gate.checks.singling_out import SinglingOut
from ppdm_desktop.engine.report.model import CheckEntry, Verdict

RISKS = {
    "match": Linkage.id,
    "alone": SinglingOut.id,
    "certain": CertainDisclosure.id,
    "told": CertainByAll.id,
    "guess": Inference.id,
    "reversal": Reversal.id,
}
"""What can be read off the map's lower axis, and the check whose figure it is."""
USES = ("useful", "columns", "pairs", "believable", "tree", "naive-bayes")
TRUE_STATEMENTS_FIRST, SECRETS_FIRST, TRUE_VALUES_FIRST, REAL_PEOPLE_FIRST = 0.85, 0.85, 0.8, 0.7
"""Shares of a rival's usefulness with which candidates come first.

Those whose values are true, if less detailed, before changed ones; among these one rule for all records before ranges
of each group, of which no table can be made, and those with more confidential columns before those with fewer; and
records of real people before artificial ones.
"""
AS_USEFUL = 0.02
"""Candidates whose usefulness is at most this far below the best of their kind count as equally useful."""
_TRUE_STATEMENTS = frozenset({Family.TRUE_VALUES, Family.GROUPS})
_LEARNERS = {"tree": "decision-tree", "naive-bayes": "naive-bayes"}


@dataclass(frozen=True)
class Scorecard:
    """The figures of one table, original or candidate, taken from its verdict.

    Attributes
    ----------
    verdict
        The verdict on the table.
    family
        The kind of released values that the steps leave; None for the original and where it is not known.
    """

    verdict: Verdict
    family: Family | None = None

    def judged(self, criterion: str) -> CheckEntry:
        """Return the check's entry in the verdict that measures a risk, such as ``match`` (a key of ``RISKS``)."""
        return self.verdict.check(RISKS[criterion])

    def upper(self, criterion: str) -> float:
        """Return a risk as a share, the end of its interval that the check judges; NaN where it was not measured.

        ``criterion`` is a key of ``RISKS``. A ratio r of protection left counts as 1 - r. For "alone" it is the share
        of unique people without an interval, counted in the same way for every table, whatever count the check used.
        """
        if criterion == "alone":
            return math.nan if self.singled_out is None else self.singled_out / max(self.singled_out_of, 1)
        share = self.judged(criterion).share
        return math.nan if share is None else share

    def value(self, criterion: str) -> float:
        """Return a figure of usefulness as a share; NaN where it was not measured.

        ``criterion`` is a learner (``tree`` or ``naive-bayes``) or a field of the verdict's usefulness, such as
        ``pairs``.
        """
        usefulness = self.verdict.usefulness
        if criterion in _LEARNERS:
            figure = usefulness.learners.get(_LEARNERS[criterion])
        else:
            figure = getattr(usefulness, criterion)
        return math.nan if figure is None or figure.value is None else float(figure.value)

    @property
    def people(self) -> int:
        """Number of people in the table."""
        return self.verdict.people

    @property
    def singled_out(self) -> int | None:
        """Number of people unique by the released columns except the confidential ones; None where not counted."""
        return None if self.verdict.singled_out is None else self.verdict.singled_out[0]

    @property
    def singled_out_of(self) -> int:
        """Number of people that `singled_out` is counted among; 0 where it was not counted."""
        return 0 if self.verdict.singled_out is None else self.verdict.singled_out[1]

    @property
    def limit(self) -> float:
        """Largest share of people that attacks may identify: 1 divided by the release type's smallest group size."""
        return 1.0 / self.verdict.k_min

    @property
    def levels_short(self) -> int | None:
        """Number of people whose privacy level (the group size chosen for them) is not met; None where not counted."""
        return self.verdict.check(LevelsMet.id).hits

    @property
    def blocked(self) -> int:
        """Number of checks that block the release even if every reason asked for is written."""
        return len(self.verdict.blocking)

    @property
    def reasons(self) -> int:
        """Number of written reasons that a person has to give, one for each cause."""
        return self.verdict.reasons_to_write

    @property
    def outcome(self) -> str:
        """The best decision possible once all reasons are written.

        It is ``released``, ``released-with-reasons`` or ``blocked``.
        """
        if self.blocked:
            return "blocked"
        return "released-with-reasons" if self.reasons else "released"

    @property
    def is_within(self) -> bool:
        """Whether the table may be released, with written reasons where some are needed."""
        return not self.blocked

    @property
    def sort_key(self) -> tuple[float, ...]:
        """The sort key of a candidate, best lowest: not blocked first, then fewest reasons, then most useful.

        Blocked candidates are sorted by the number of blocking checks, then by the share of people linked. A figure
        that was not measured counts as the worst.
        """
        if self.blocked:
            match = self.upper("match")
            return (1, self.blocked, math.inf if math.isnan(match) else on_grid(match))
        useful = self.value("useful")
        return (0, self.reasons, 0.0 if math.isnan(useful) else -on_grid(useful))


def family_of(methods: Iterable[str]) -> Family | None:
    """Return the kind of released values that these methods leave together; None without methods or if one is unknown.

    ``methods`` are ids. The kind furthest from true values counts: generalised values that are then exchanged are
    exchanged values.
    """
    families = [None if (method := find_step_method(id)) is None else method.family for id in methods]
    known = [family for family in families if family is not None]
    return max(known, key=list(Family).index) if known and len(known) == len(families) else None


def sort_best_first(scorecards: Sequence[Scorecard]) -> list[int]:
    """Return the indices of candidates sorted best first by ``Scorecard.sort_key``, with six exceptions.

    Among candidates that need the same number of written reasons, an earlier exception before a later one:

    - those come first in which fewest of the columns marked to stay detailed are gone or shown only roughly;
    - synthetic records come last if a candidate of another kind that needs no more reasons is at least 0.7 times as
      useful;
    - true values and groups come before changed values if they are at least 0.85 times as useful;
    - true values come before groups if they are at least 0.8 times as useful, or without a confidential column that
      others have, as useful;
    - true values come before those with fewer confidential columns if they are at least 0.85 times as useful;
    - of candidates that are about equally useful (at most 0.02 below the best of those ranked alike), those come first
      in which fewest of all columns are gone, shown only roughly or with changed values.

    Blocked candidates come last.
    """
    useful = [0.0 if card.blocked else float(np.nan_to_num(card.value("useful"))) for card in scorecards]

    def rank(index: int) -> tuple[float, ...]:
        """Return the first part of a candidate's sort key: what comes before its usefulness; the lowest comes first.

        Blocked candidates come last. The exceptions compare its usefulness with that of the candidates that need no
        more reasons and lose no more marked columns.
        """
        card = scorecards[index]
        if card.blocked:
            return card.sort_key
        marked_lost = card.verdict.usefulness.marked_lost
        rivals = [
            (rival, value)
            for rival, value in zip(scorecards, useful, strict=True)
            if rival.reasons <= card.reasons and rival.verdict.usefulness.marked_lost <= marked_lost
        ]
        of_people = max((value for rival, value in rivals if rival.family is not Family.ARTIFICIAL), default=0.0)
        most_true = max((value for rival, value in rivals if rival.family in _TRUE_STATEMENTS), default=0.0)
        most_artificial = max((value for rival, value in rivals if rival.family is Family.ARTIFICIAL), default=0.0)
        changed = [value for rival, value in rivals if rival.family not in {*_TRUE_STATEMENTS, Family.ARTIFICIAL}]
        changed += [most_artificial] if of_people < REAL_PEOPLE_FIRST * most_artificial else []
        is_last = card.family is Family.ARTIFICIAL and of_people >= REAL_PEOPLE_FIRST * useful[index]
        is_statement = card.family in _TRUE_STATEMENTS
        is_true = is_statement and useful[index] >= TRUE_STATEMENTS_FIRST * max(changed, default=0.0) - GRID
        is_first, is_thinner = _place_true_values(card, useful[index], most_true, rivals)
        return (0, card.reasons, marked_lost, is_last, not is_true, not (is_true and is_first), is_thinner)

    ranks = [rank(index) for index in range(len(scorecards))]

    def key(index: int) -> tuple[object, ...]:
        """Return the sort key of the candidate with this index."""
        best = max(value for value, rank in zip(useful, ranks, strict=True) if rank == ranks[index])
        is_close = useful[index] >= best - AS_USEFUL - GRID
        lost_detail = scorecards[index].verdict.usefulness.lost_detail if is_close else 0
        return (ranks[index], not is_close, lost_detail, scorecards[index].sort_key)

    return sorted(range(len(scorecards)), key=key)


def _place_true_values(
    card: Scorecard, useful: float, most_true: float, rivals: Sequence[tuple[Scorecard, float]]
) -> tuple[bool, bool]:
    """Return whether a candidate's true values come before groups, and whether after fuller true values.

    Fuller are those that keep more confidential columns. The first is True if the candidate is at least 0.8 times as
    useful as ``most_true``, or as useful where a rival with true values or groups is fuller. The second is
    True if fuller true values are at least 0.85 times as useful as the candidate. Both are False for candidates of
    another family.

    Parameters
    ----------
    card, useful
        The candidate, and how useful it is, from 0 to 1.
    most_true
        The largest usefulness among true values and groups that need no more reasons.
    rivals
        The candidates that need no more reasons and lose no more marked columns, each with its usefulness.
    """
    if card.family is not Family.TRUE_VALUES:
        return False, False
    fuller = [
        (rival.family, value)
        for rival, value in rivals
        if rival.family in _TRUE_STATEMENTS
        and rival.verdict.usefulness.secrets_gone < card.verdict.usefulness.secrets_gone
    ]
    least = most_true if fuller else TRUE_VALUES_FIRST * most_true
    full_values = max((value for family, value in fuller if family is Family.TRUE_VALUES), default=0.0)
    return useful >= least - GRID, full_values >= SECRETS_FIRST * useful - GRID


def find_best_candidate(scorecards: Sequence[Scorecard]) -> int | None:
    """Return the index of the best candidate in the order of ``sort_best_first``; None without candidates."""
    return next(iter(sort_best_first(scorecards)), None)
