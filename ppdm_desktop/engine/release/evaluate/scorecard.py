"""Where candidates stand: risk, usefulness and limits of each, from its report, to be set side by side.

Nothing is measured here; a figure that nobody measured is absent and says why.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Floats
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.inference import Inference
from ppdm_desktop.engine.release.attack_audit.linkage import Linkage
from ppdm_desktop.engine.release.attack_audit.registry import find_attack, own_entries_for
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation
from ppdm_desktop.engine.release.gate.checks.levels_met import LevelsMet
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.report.model import AttackEntry, Report, RiskSide
from ppdm_desktop.engine.utility.models.suite import ModelResult

Short = Literal["not-measured", "match", "levels", "blocked"]

RISKS = ("match", "alone", "certain", "guess", "reversal")
USES = ("detail", "relations", "tree", "naive-bayes")
WEIGHED = ("match", "certain", "reversal", "detail", "relations", "analyses")
"""Criteria that people can weigh; analyses are the tree and naive Bayes as a share of what the original gives."""
_LEARNERS = {"tree": "decision-tree", "naive-bayes": "naive-bayes"}
_NO_ATTACKS = "attacks were not made yet"
_NO_ANALYSES = "analyses were not tried out yet"
_REMADE = "released rows are nobody's, so that no row is the right one"
_SLACK = 1 + 1e-9


@dataclass(frozen=True)
class Scorecard:
    """One table, original or candidate.

    Attributes
    ----------
    figures
        By criterion (``RISKS`` and ``USES``), as shares: 0 no risk or nothing kept, 1 all.
    records
        People in the table.
    alone, certain
        How many of them nobody looks like, and whose confidential value can be read off; None
        where that is not counted.
    limit
        The right match that the release type allows at most.
    levels_short
        People whose level is not met; None for the original.
    blocked, reasons
        Checks of the gate that block, and that need a written reason.
    """

    figures: Mapping[str, Figure]
    records: int
    alone: int | None
    certain: int | None
    limit: float
    levels_short: int | None = None
    blocked: int = 0
    reasons: int = 0

    def upper(self, criterion: str) -> float:
        """Return a risk as it is judged, the upper end of its interval; NaN where it was not measured."""
        figure = self.figures[criterion]
        if figure.value is None:
            return math.nan
        return float(figure.value if figure.high is None else figure.high)

    def value(self, criterion: str) -> float:
        """Return a figure; NaN where it was not measured."""
        found = self.figures[criterion].value
        return math.nan if found is None else float(found)

    @property
    def levels_met(self) -> bool:
        """Whether everybody has the level they asked for."""
        return self.levels_short == 0

    @property
    def short_of(self) -> tuple[Short, ...]:
        """What keeps it from being within every limit; empty when it is."""
        match = self.upper("match")
        found: list[Short] = []
        if math.isnan(match):
            found.append("not-measured")
        elif match > self.limit * _SLACK:
            found.append("match")
        if not self.levels_met:
            found.append("levels")
        if self.blocked:
            found.append("blocked")
        return tuple(found)

    @property
    def goodness(self) -> tuple[float, ...]:
        """Return each criterion of ``WEIGHED``, 1 best and 0 worst, NaN where it was not measured."""
        return (
            1.0 - self.upper("match"),
            1.0 - self.upper("certain"),
            1.0 - self.upper("reversal"),
            self.value("detail"),
            self.value("relations"),
            self.value("analyses"),
        )


def scorecard_of(evaluation: Evaluation, analyses: Analyses | None) -> Scorecard:
    """Return where a judged candidate stands; ``analyses`` are its own, None before they were tried out."""
    report = evaluation.report
    side = report.risk.after
    levels = next((check for check in report.gate if check.id == LevelsMet.id), None)
    short = None if levels is None or levels.figure is None else levels.figure.value
    block = side.scope.quasi_identifiers
    return Scorecard(
        figures={
            "match": _match(side, report.attacks),
            "alone": _alone(side),
            "certain": _certain(side, report.release.rows),
            "guess": _inference(report.attacks),
            "reversal": _reversal(report.attacks),
            "detail": _detail(evaluation),
            "relations": _relations(report),
            **_learned(analyses),
        },
        records=report.release.rows,
        alone=block.unique if block is not None and side.applies else None,
        certain=side.certain,
        limit=1.0 / report.release.k_min,
        levels_short=None if short is None else int(short),
        blocked=sum(check.status == "red" for check in report.gate),
        reasons=sum(check.status in ("amber", "not-run") for check in report.gate),
    )


def scorecard_of_original(evaluation: Evaluation, analyses: Analyses | None) -> Scorecard:
    """Return where the original stands, from the report and the analyses of any of its candidates."""
    report = evaluation.report
    side = report.risk.before
    block = side.scope.quasi_identifiers
    whole = Figure(1.0, unit="share", method="the original itself")
    absent = Figure.absent("attacks are made on candidates, not on the original", unit="share")
    rows = report.input.rows_read
    return Scorecard(
        figures={
            "match": _match(side, []),
            "alone": _alone(side),
            "certain": _certain(side, rows),
            "guess": absent,
            "reversal": absent,
            "detail": whole,
            "relations": whole,
            **_learned(analyses, original=True),
        },
        records=rows,
        alone=block.unique if block is not None else None,
        certain=side.certain,
        limit=1.0 / report.release.k_min,
    )


def nearest(scorecards: Sequence[Scorecard]) -> int | None:
    """Return the candidate that falls short of least: of fewest limits, then of the match by least."""
    if not scorecards:
        return None

    def far(place: int) -> tuple[float, ...]:
        each = scorecards[place]
        match = each.upper("match")
        return (len(each.short_of), each.blocked, math.inf if math.isnan(match) else match, place)

    return min(range(len(scorecards)), key=far)


def goodness_of(scorecards: Sequence[Scorecard]) -> Floats:
    """Return what ``weigh`` takes, shape (candidates, criteria of ``WEIGHED``)."""
    return np.array([each.goodness for each in scorecards], dtype=np.float64).reshape(len(scorecards), len(WEIGHED))


# --- risk -------------------------------------------------------------------------------


def _match(side: RiskSide, attacks: Sequence[AttackEntry] | None) -> Figure:
    """Return the larger of what class sizes say, where they speak, and what the linkage attack found."""
    block = side.scope.quasi_identifiers
    by_classes = None
    if block is not None and side.applies:
        by_classes = Figure(block.prosecutor_mean, n=block.records, unit="share", method="mean of 1 / class size")
    if attacks is None:
        return Figure.absent(_NO_ATTACKS, unit="share")
    linked = [each.success for each in own_entries_for(Linkage.judged_by, attacks)]
    found = [each for each in (by_classes, *linked) if each is not None and each.value is not None]
    if not found:
        return Figure.absent(_REMADE if block is not None else "no column counts as known to others", unit="share")
    return max(found, key=_upper)


def _alone(side: RiskSide) -> Figure:
    block = side.scope.quasi_identifiers
    if block is None:
        return Figure.absent("no column counts as known to others", unit="share")
    if not side.applies:
        return Figure.absent("the columns that others may know hold made-up or noisy values", unit="share")
    return Figure(block.unique / max(block.records, 1), n=block.records, unit="share", method="classes of one record")


def _certain(side: RiskSide, rows: int) -> Figure:
    if side.certain is None:
        return Figure.absent("no confidential column is released", unit="share")
    return Figure(side.certain / max(rows, 1), n=rows, unit="share", method="confidential value read off for certain")


def _inference(attacks: Sequence[AttackEntry] | None) -> Figure:
    if attacks is None:
        return Figure.absent(_NO_ATTACKS, unit="share")
    made = own_entries_for(Inference.judged_by, attacks)
    found = [each.advantage for each in made if each.advantage.value is not None]
    if not found:
        return Figure.absent("there was nothing to infer", unit="share")
    return _at_least_nothing(max(found, key=_upper))


def _reversal(attacks: Sequence[AttackEntry] | None) -> Figure:
    """Return what the strongest attack that undoes values gains over a guess without the release.

    Those that need several releases or a guessed key are not counted.
    """
    if attacks is None:
        return Figure.absent(_NO_ATTACKS, unit="share")
    undoing = [each for each in attacks if find_attack(each.id).undoes]
    made = [each.advantage if each.advantage.value is not None else each.success for each in undoing]
    found = [_at_least_nothing(figure) for figure in made if figure.value is not None]
    if not found:
        return Figure(0.0, unit="share", method="no attack that undoes values applies")
    return max(found, key=_upper)


def _upper(figure: Figure) -> float:
    return float(figure.high if figure.high is not None else figure.value or 0.0)


def _at_least_nothing(figure: Figure) -> Figure:
    """Return a figure whose value and interval do not go below zero: worse than a guess is no risk."""
    value, low, high = (None if each is None else max(float(each), 0.0) for each in _ends(figure))
    return Figure(value, low=low, high=high, n=figure.n, unit="share", method=figure.method, note=figure.note)


def _ends(figure: Figure) -> tuple[float | None, float | None, float | None]:
    return figure.value, figure.low, figure.high


# --- usefulness -------------------------------------------------------------------------


def _detail(evaluation: Evaluation) -> Figure:
    """Return the mean over released columns of what each keeps.

    A column that steps made coarser keeps its granularity (Iyengar 2002), which counts removed
    records as lost: ranges are other words than numbers, and total variation would call them all
    changed. Every other column keeps 1 - total variation of the records that are left.
    """
    report = evaluation.report
    rows = max(report.input.rows_read, 1)
    kept_rows = 1.0 - report.utility.rows_suppressed / rows
    fine: Mapping[str, float] = {}
    if evaluation.measures.coarseness is not None:
        fine = evaluation.measures.coarseness.generalisation.by_column
    found = [
        fine[each.name] if each.name in fine else (1.0 - float(each.total_variation.value)) * kept_rows
        for each in report.utility.columns
        if each.total_variation.value is not None
    ]
    if not found:
        return Figure.absent("no released column can be compared", unit="share")
    return Figure(
        float(np.mean(found)),
        n=len(found),
        unit="share",
        method="mean over released columns of granularity, or of 1 - total variation",
    )


def _relations(report: Report) -> Figure:
    change = report.utility.pairs.correlation_mean_change
    if change.value is None:
        return Figure.absent(change.note or "no pair of columns can be compared", unit="share")
    return Figure(
        max(1.0 - abs(float(change.value)), 0.0),
        n=change.n,
        unit="share",
        method="1 - mean change of the correlation of two columns",
    )


def _learned(analyses: Analyses | None, *, original: bool = False) -> dict[str, Figure]:
    """Return how often the learners are right, in the mean over the targets, and that as a share of the original's."""
    if analyses is None:
        return {name: Figure.absent(_NO_ANALYSES, unit="share") for name in (*_LEARNERS, "analyses")}
    found: dict[str, Figure] = {}
    shares: list[float] = []
    for name, learner in _LEARNERS.items():
        results = [each for each in analyses.models if each.learner == learner]
        pairs = [pair for pair in map(_pair, results) if pair is not None]
        if not pairs:
            note = next((each.scores.released_true_labels.note for each in results), None)
            found[name] = Figure.absent(note or "there was nothing to learn", unit="share")
            continue
        before, after = np.array(pairs, dtype=np.float64).T
        right = before if original else after
        found[name] = Figure(float(right.mean()), n=len(pairs), unit="share", method=f"cross-validated, {learner}")
        shares += (np.minimum(right, before) / np.maximum(before, 1e-12)).tolist()
    found["analyses"] = (
        Figure(float(np.mean(shares)), n=len(shares), unit="share", method="as a share of what the original gives")
        if shares
        else Figure.absent("there was nothing to learn", unit="share")
    )
    return found


def _pair(result: ModelResult) -> tuple[float, float] | None:
    before, after = result.scores.original.value, result.scores.released_true_labels.value
    return None if before is None or after is None else (float(before), float(after))
