"""Where candidates stand, to be set side by side: the verdict's own figures, each as a share that can be compared.

Nothing is measured here; a figure that nobody measured is absent.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.methods.base.families import Family
from ppdm_desktop.engine.methods.base.registry import find_step_method
from ppdm_desktop.engine.release.gate.checks.certain_by_all import CertainByAll
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import CertainDisclosure
from ppdm_desktop.engine.release.gate.checks.inference import Inference
from ppdm_desktop.engine.release.gate.checks.levels_met import LevelsMet
from ppdm_desktop.engine.release.gate.checks.linkage import Linkage
from ppdm_desktop.engine.release.gate.checks.reversal import Reversal
from ppdm_desktop.engine.release.gate.checks.singling_out import SinglingOut
from ppdm_desktop.engine.report.figures_and_limits import found_words
from ppdm_desktop.engine.report.model import CheckEntry, Verdict
from ppdm_desktop.engine.report.report_words import picked_out_words
from ppdm_desktop.engine.tie_breaking import GRID, on_grid

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
WEIGHED = ("match", "certain", "reversal", "columns", "pairs", "analyses")
"""Criteria that people can weigh; analyses are the tree and naive Bayes as a share of what the original gives."""
TRUE_VALUES_FIRST = 0.8
"""Shares of the best version's usefulness: true values with as much stand first, a version with less stands last."""
_LEARNERS = {"tree": "decision-tree", "naive-bayes": "naive-bayes"}


@dataclass(frozen=True)
class Scorecard:
    """One table, original or candidate, by its verdict.

    Attributes
    ----------
    verdict
        What was found of it.
    is_true
        Whether all its values are true, if less exact.
    """

    verdict: Verdict
    is_true: bool = False

    def judged(self, criterion: str) -> CheckEntry:
        """Return the check that a risk is the figure of."""
        return self.verdict.check(RISKS[criterion])

    def upper(self, criterion: str) -> float:
        """Return a risk as it is judged, a share; NaN where it was not measured.

        Who is picked out is counted in one way for every table, whichever count its check was judged by.
        """
        if criterion == "alone":
            return math.nan if self.alone is None else self.alone / max(self.picked_of, 1)
        share = self.judged(criterion).share
        return math.nan if share is None else share

    def words(self, criterion: str) -> str:
        """Return a risk in words with how many it is counted of, as every table writes it."""
        return picked_out_words(self.verdict) if criterion == "alone" else found_words(self.judged(criterion))

    def value(self, criterion: str) -> float:
        """Return a figure of usefulness, a share; NaN where it was not measured."""
        usefulness = self.verdict.usefulness
        if criterion in _LEARNERS:
            figure = usefulness.learners.get(_LEARNERS[criterion])
        else:
            figure = getattr(usefulness, criterion)
        return math.nan if figure is None or figure.value is None else float(figure.value)

    @property
    def people(self) -> int:
        """People in the table."""
        return self.verdict.people

    @property
    def alone(self) -> int | None:
        """People whose released details nobody else has, confidential values aside; None where not counted."""
        return None if self.verdict.picked_out is None else self.verdict.picked_out[0]

    @property
    def picked_of(self) -> int:
        """Number of people that `alone` is counted among."""
        return 0 if self.verdict.picked_out is None else self.verdict.picked_out[1]

    @property
    def limit(self) -> float:
        """The share of people that may be found, at most."""
        return 1.0 / self.verdict.k_min

    @property
    def levels_short(self) -> int | None:
        """People whose level is not met; None where that is not counted."""
        return self.verdict.check(LevelsMet.id).hits

    @property
    def levels_met(self) -> bool:
        """Whether everybody has the level they asked for."""
        return self.levels_short == 0

    @property
    def blocked(self) -> int:
        """Checks that no reason lets pass."""
        return len(self.verdict.blocking)

    @property
    def reasons(self) -> int:
        """Written reasons that are needed: one for each cause."""
        return self.verdict.reasons_to_write

    @property
    def outcome(self) -> str:
        """The best decision there can be, as a decision calls it: with every reason written that is wanted."""
        if self.blocked:
            return "blocked"
        return "released-with-reasons" if self.reasons else "released"

    @property
    def is_within(self) -> bool:
        """Whether it may be released, with written reasons where some are needed."""
        return not self.blocked

    @property
    def goodness(self) -> tuple[float, ...]:
        """Return each criterion of ``WEIGHED``, 1 best and 0 worst, NaN where it was not measured."""
        return tuple(1.0 - self.upper(measure) if measure in RISKS else self.value(measure) for measure in WEIGHED)

    @property
    def standing(self) -> tuple[float, ...]:
        """What a candidate is put in order by: blocked ones last, then fewest reasons, then most useful.

        Blocked ones go by how many checks block them, then by the people who are found.
        """
        if self.blocked:
            match = self.upper("match")
            return (1, self.blocked, math.inf if math.isnan(match) else on_grid(match))
        useful = self.value("useful")
        return (0, self.reasons, 0.0 if math.isnan(useful) else -on_grid(useful))


def are_true_values(methods: Iterable[str]) -> bool:
    """Say whether steps of some methods leave values that are true, if less exact; an unknown method may not."""
    step_methods = (find_step_method(id) for id in methods)
    return all(method is not None and method.family is Family.TRUE_VALUES for method in step_methods)


def best_first(scorecards: Sequence[Scorecard]) -> list[int]:
    """Return the indices of candidates in their order: by ``Scorecard.standing``, with one exception.

    True values come before others that need as many reasons where they are nearly as useful as the best candidate that
    needs no more reasons.
    """
    useful = [0.0 if card.blocked else float(np.nan_to_num(card.value("useful"))) for card in scorecards]

    def key(index: int) -> tuple[float, ...]:
        card = scorecards[index]
        if card.blocked:
            return card.standing
        rivals = [value for rival, value in zip(scorecards, useful, strict=True) if rival.reasons <= card.reasons]
        is_first = card.is_true and useful[index] >= TRUE_VALUES_FIRST * max(rivals) - GRID
        return (0, card.reasons, not is_first, *card.standing)

    return sorted(range(len(scorecards)), key=key)


def best(scorecards: Sequence[Scorecard]) -> int | None:
    """Return the index of the candidate that ``best_first`` puts first; None without any."""
    return next(iter(best_first(scorecards)), None)


def goodness_of(scorecards: Sequence[Scorecard]) -> Floats:
    """Return what ``weigh`` takes, shape (candidates, criteria of ``WEIGHED``)."""
    return np.array([scorecard.goodness for scorecard in scorecards], dtype=np.float64).reshape(
        len(scorecards), len(WEIGHED)
    )
