"""Check that the release does not reveal which privacy level a person asked for.

A decision tree guesses each record's level from the released columns and, for comparison, from the same columns before
the steps. If the released rows correspond to source rows, each row's own level is guessed, by someone who knows the
order of the rows. Synthetic rows have no level of their own: those made from a group are compared one by one with the
levels of the group's members.
"""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import RED, WHAT_IS_LEARNT, CheckResult, Colours, Remedy, VerdictText
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.values import LimitOf, Names, Versus

MOST_RISE = 0.02
MOST_RECORDS, FOLDS, LEAF = 2_000, 5, 10
LEAST_RECORDS = 50
SAME_AS_LEVEL = 0.99


@register
class LevelReadback(Check):
    """The release does not reveal which privacy level a person asked for."""

    id = "level-readback"
    title = "Who asked for more protection"
    order = 140
    cause = WHAT_IS_LEARNT
    fix_on = "levels"
    on_protection = True
    figure_unit = "share"
    by_chance = True
    usual = Colours.of("gate.level-readback.green", "gate.level-readback.amber", "gate.level-readback.red")
    not_applicable = VerdictText.not_applicable("gate.level-readback.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the rise in the share of levels guessed right: green up to 0.02; never red."""
        return Limits(MOST_RISE)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for how much better privacy levels are guessed from the release than from the source.

        The first that applies:

        - Red, without a figure, if a released column states the level.
        - Not applicable without levels, if all people have the same one, without steps, or for fewer than 50 rows.
        - Amber if the share guessed right rises by more than 0.02 and the 95 % interval of the rise lies above 0.
        - Else green. The figure is the rise, measured on at most 2,000 rows.
        """
        revealing_columns = _level_columns(evidence)
        if revealing_columns:
            return self.verdict(self.usual.red, None, MOST_RISE, columns=Names.of(revealing_columns))
        levels = evidence.candidate.final.levels
        rows = evidence.judged.rows
        several = levels is not None and int(np.count_nonzero(levels.counts)) > 1
        if levels is None or not several or not evidence.candidate.steps or rows < LEAST_RECORDS:
            return self.verdict(self.not_applicable)
        chosen = np.sort(np.random.default_rng(0).permutation(rows)[:MOST_RECORDS])
        before, after = _build_feature_matrices(evidence, chosen)
        target = levels.codes[chosen]
        gain = _is_guessed_right(after, target).astype(np.float64) - _is_guessed_right(before, target)
        rise = float(gain.mean())
        half = 1.96 * float(gain.std(ddof=1)) / float(np.sqrt(len(gain)))
        figure = Figure(
            rise,
            low=rise - half,
            high=rise + half,
            n=len(gain),
            unit="share",
            method=untranslated("rise in accuracy of guessing the level, decision tree, {n}-fold", n=FOLDS),
        )
        text = self.usual.amber if rise > MOST_RISE and rise - half > 0 else self.usual.green
        more, allowed = Versus(rise, MOST_RISE, "points"), LimitOf(rise, MOST_RISE, "points")
        return self.verdict(text, figure, MOST_RISE, more=more, allowed=allowed)

    def remedy(self, result: CheckResult, evidence: Evidence) -> tuple[Remedy, ...]:
        """Return the ways to correct a finding; for a red one they are on the page for columns."""
        remedies = super().remedy(result, evidence)
        return tuple(Remedy(remedy.text, "columns") for remedy in remedies) if result.status == RED else remedies


def _level_columns(evidence: Evidence) -> list[str]:
    """Return the names of the released columns that state the privacy level; empty if none does.

    First those with the role of levels, then categorical columns that equal the source's level column in at least 99 %
    of the rows. Of synthetic rows, the column before the steps is compared instead of the released one. A level column
    with a single category is not compared.
    """
    names = [column.name for column in evidence.exported.columns if column.role == "privacy-level"]
    for asked in evidence.candidate.prepared.original.with_role("privacy-level"):
        if len(asked.categories) < 2:
            continue
        truth = asked.take(evidence.source_rows) if evidence.rows_correspond else asked
        for column in evidence.judged.columns:
            seen = column if evidence.rows_correspond else evidence.truth(column.name)
            if column.name not in names and column.kind in ("nominal", "ordinal") and _is_nearly_equal(seen, truth):
                names.append(column.name)
    return names


def _is_nearly_equal(column: Column, level_column: Column) -> bool:
    """Return whether two columns agree in at least 99 % of the rows; two missing values agree.

    False for different lengths or without rows.
    """
    if len(column) != len(level_column) or not len(column):
        return False
    first, second, _ = merged_categories(column, level_column)
    return float(np.mean(first == second)) >= SAME_AS_LEVEL


def _build_feature_matrices(evidence: Evidence, chosen: Ints) -> tuple[Floats, Floats]:
    """Return the columns before the steps and as released, as two float64 matrices of shape (chosen, columns).

    Columns are those of the file, in its order. Categories become codes, equal in both; missing categories become -1,
    and missing numbers one less than the column's lowest in both. ``chosen`` are indices of rows of ``final``; if rows
    are synthetic, the first matrix has the source rows with these indices.
    """
    before, after = [], []
    for column in evidence.judged.columns:
        true = evidence.truth(column.name)
        if column.kind == "numeric" and true.kind == "numeric":
            sides = [true.numbers[chosen], column.numbers[chosen]]
            matrix = np.concatenate(sides)
            low = float(np.nanmin(matrix)) - 1.0 if not np.isnan(matrix).all() else 0.0
            sides = [np.nan_to_num(side, nan=low) for side in sides]
        else:
            first, second, _ = merged_categories(true, column)
            sides = [first[chosen].astype(np.float64), second[chosen].astype(np.float64)]
        before.append(sides[0])
        after.append(sides[1])
    return np.column_stack(before), np.column_stack(after)


def _is_guessed_right(features: Floats, target: AnyInts) -> Bools:
    """Return for each record whether a five-fold cross-validated decision tree guesses its privacy level right.

    The result is bool, shape (records,), and the same at each call. ``features`` has shape (records, columns),
    ``target`` holds the code of each record's level.
    """
    from sklearn.tree import DecisionTreeClassifier  # late: needed for a release with several levels only

    fold = np.random.default_rng(1).permutation(len(target)) % FOLDS
    right = np.zeros(len(target), dtype=np.bool_)
    for fold_number in range(FOLDS):
        is_held_out = fold == fold_number
        tree = DecisionTreeClassifier(min_samples_leaf=LEAF, random_state=0)
        tree.fit(features[~is_held_out], target[~is_held_out])
        right[is_held_out] = tree.predict(features[is_held_out]) == target[is_held_out]
    return right
