"""Check of whether the release gives away who asked for how much privacy.

A learner guesses each record's level from the columns as released and, for comparison, from the
same columns before the steps. In a release row by row the level is the row's own, which is what
somebody knows who has the order of the rows. Where records were made anew by groups, a row
stands for its group: the levels of a group's members are set against the group's new rows, one
each, and no row's own level exists.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, RED, CheckResult, Remedy
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.texts import listed
from ppdm_desktop.engine.utility.cells import merged_categories

MOST_RISE = 0.02
MOST_RECORDS, FOLDS, LEAF = 2_000, 5, 10
LEAST_RECORDS = 50
SAME_AS_LEVEL = 0.99


@register
class LevelReadback(Check):
    """The release does not give away who asked for how much privacy."""

    id = "level-readback"
    title = "Who asked for how much privacy"
    order = 140
    source = "own rule: a level says something of the person who asked for it"
    fix_on = "levels"
    direction = "at-most"
    figure_unit = "share"
    by_chance = True
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours."""
        return Limits(MOST_RISE)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Measure how much better levels can be guessed from the release than from the source."""
        given_away = _level_columns(evidence)
        if given_away:
            return self.verdict(RED, None, MOST_RISE, columns=listed(given_away))
        levels = evidence.candidate.final.levels
        rows = evidence.judged.rows
        several = levels is not None and int(np.count_nonzero(levels.counts)) > 1
        if levels is None or not several or not evidence.candidate.steps or rows < LEAST_RECORDS:
            return self.verdict(NOT_APPLICABLE)
        chosen = np.sort(np.random.default_rng(0).permutation(rows)[:MOST_RECORDS])
        before, after = _features(evidence, chosen)
        target = levels.codes[chosen]
        gain = _right(after, target).astype(np.float64) - _right(before, target)
        rise = float(gain.mean())
        half = 1.96 * float(gain.std(ddof=1)) / float(np.sqrt(len(gain)))
        figure = Figure(
            rise,
            low=rise - half,
            high=rise + half,
            n=len(gain),
            unit="share",
            method=f"rise in accuracy of guessing the level, decision tree, {FOLDS}-fold",
        )
        status = AMBER if rise > MOST_RISE and rise - half > 0 else GREEN
        return self.verdict(status, figure, MOST_RISE, percent=f"{100 * max(rise, 0.0):.1f}")

    def remedy(self, result: CheckResult, evidence: Evidence) -> tuple[Remedy, ...]:
        """Return what corrects it; a column that says the level is left out, which is decided elsewhere."""
        found = super().remedy(result, evidence)
        return tuple(Remedy(each.text, "columns") for each in found) if result.status == RED else found


def _level_columns(evidence: Evidence) -> list[str]:
    """Return released columns that say the level: the level column itself, or its copies."""
    found = [column.name for column in evidence.exported.columns if column.role == "privacy-level"]
    for asked in evidence.candidate.prepared.original.with_role("privacy-level"):
        if len(asked.categories) < 2:
            continue
        own = asked.take(evidence.source_rows) if evidence.rows_correspond else asked
        for column in evidence.judged.columns:
            shown = column if evidence.rows_correspond else evidence.truth(column.name)
            if column.name not in found and column.kind in ("nominal", "ordinal") and _same(shown, own):
                found.append(column.name)
    return found


def _same(one: Column, other: Column) -> bool:
    if len(one) != len(other) or not len(one):
        return False
    first, second, _ = merged_categories(one, other)
    return float(np.mean(first == second)) >= SAME_AS_LEVEL


def _features(evidence: Evidence, chosen: Ints) -> tuple[Floats, Floats]:
    """Return the columns before the steps and as released, as numbers, missing below all."""
    before, after = [], []
    for shown in evidence.judged.columns:
        true = evidence.truth(shown.name)
        if shown.kind == "numeric" and true.kind == "numeric":
            sides = [true.numbers[chosen], shown.numbers[chosen]]
            known = np.concatenate(sides)
            low = float(np.nanmin(known)) - 1.0 if not np.isnan(known).all() else 0.0
            sides = [np.nan_to_num(side, nan=low) for side in sides]
        else:
            first, second, _ = merged_categories(true, shown)
            sides = [first[chosen].astype(np.float64), second[chosen].astype(np.float64)]
        before.append(sides[0])
        after.append(sides[1])
    return np.column_stack(before), np.column_stack(after)


def _right(features: Floats, target: AnyInts) -> Bools:
    """Say for each record whether its level is guessed by a tree that did not see it."""
    from sklearn.tree import DecisionTreeClassifier  # late: needed for a release with several levels only

    fold = np.random.default_rng(1).permutation(len(target)) % FOLDS
    right = np.zeros(len(target), dtype=np.bool_)
    for place in range(FOLDS):
        held = fold == place
        tree = DecisionTreeClassifier(min_samples_leaf=LEAF, random_state=0)
        tree.fit(features[~held], target[~held])
        right[held] = tree.predict(features[held]) == target[held]
    return right
