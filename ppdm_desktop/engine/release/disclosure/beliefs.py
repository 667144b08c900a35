"""What an intruder believes of each person's confidential value, worked out from the written table.

The declaration of a method says which formula may apply; what the file shows says whether it does. A column that
is as it was tells the truth whatever was declared, and so does one that anybody can turn back.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.attacks.class_belief import ClassBelief, Tellings, Values
from ppdm_desktop.engine.attacks.doubt import (
    Doubts,
    Exposed,
    RareSecret,
    most_exposed,
    worst_secret,
)
from ppdm_desktop.engine.attacks.noise_belief import (
    LevelNoise,
    NoiseBelief,
    NoisyColumn,
    beliefs_behind_noise,
    beliefs_beyond_prediction,
    left_of_noise,
    linear_left,
)
from ppdm_desktop.engine.attacks.rank import log_posteriors
from ppdm_desktop.engine.attacks.swap_belief import Swapped, swap_tellings
from ppdm_desktop.engine.identifiability.classes import Classes, equivalence_classes
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.recipe.models import ColumnSection
from ppdm_desktop.engine.release.candidate.model import StepRecord
from ppdm_desktop.engine.release.disclosure.made_up import made_up_belief
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.side_information import predicted_from_others
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.utility.cells import merged_categories

Family = Literal["true", "coarse", "grouped", "swapped", "noise", "made-up"]

_DOING = "doing.gate"


@dataclass(frozen=True, eq=False)
class ColumnBelief:
    """What is believed of one confidential column.

    Attributes
    ----------
    column, family
        Its name, and what the file shows was done to it.
    of
        int64: the people whose value is asked for, as rows of ``final``; all who have one, or a sample of them.
    people
        How many have a value.
    others
        Doubts of the intruder who knows what others know, one for each of ``of``.
    all
        The same who knows everything released but the confidential columns.
    exposed
        The people about whom least doubt is left.
    rare
        Each rare value or tail, as well as its holders are named.
    left, ratio
        For noise: root mean square error of the intruder's best guess in standard deviations of the noise, and the
        same over that of the linear guess from the column alone; None elsewhere.
    prior
        For noise: ``rebuilt``, ``informed`` or ``side-information``, whichever is worst.
    """

    column: str
    family: Family
    of: Ints
    people: int
    others: Doubts
    all: Doubts
    exposed: Exposed
    rare: tuple[RareSecret, ...] = ()
    left: float | None = None
    ratio: float | None = None
    prior: str | None = None

    @property
    def worst_rare(self) -> RareSecret | None:
        """The rare secret whose holders are named best."""
        return worst_secret(self.rare)


def belief_of(released: Released, name: str, progress: Progress) -> ColumnBelief:
    """Return what is believed of one confidential column.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    progress.report(0.0, _DOING)
    if not released.rows_correspond:
        found = made_up_belief(released, name, progress)
        return ColumnBelief(
            name, "made-up", found.of, found.people, found.doubts, found.doubts, found.exposed, found.rare
        )
    truth = released.truth(name)
    steps = released.changing_steps(name)
    if not steps or bool((released.shown_is_true(name) | truth.missing).all()):
        return _in_classes(released, name, "true", _true_tellings(released, name), progress)
    beliefs = [_after_step(released, name, step, step is steps[-1], progress) for step in steps]
    # A chain tells no more than any of its links: the one that leaves most doubt counts.
    return max(beliefs, key=lambda each: float(each.others.ratio.mean()) if len(each.of) else 1.0)


def _after_step(released: Released, name: str, step: StepRecord, is_last: bool, progress: Progress) -> ColumnBelief:
    """Return the belief of one step alone, the others taken as absent."""
    rows_before, rows_after = released.of_final(step.before), released.of_final(step.result.table)
    truth = step.before.column(name).take(rows_before)
    shown = released.table.column(name) if is_last else step.result.table.column(name).take(rows_after)
    laws = _noise_levels(step, name)
    manners = {each.manner for each in step.result.protections if each.column == name}
    if laws is not None and truth.kind == shown.kind == "numeric":
        levels = np.zeros(len(truth), dtype=np.int64)
        if step.before.levels is not None:
            levels = step.before.levels.codes[rows_before].astype(np.int64)
        return _behind_noise(released, name, truth, shown, laws, levels, progress)
    if step.method.treatment.startswith(("generalisation", "suppression")) and "grouped" not in manners:
        return _in_classes(released, name, "coarse", _coarse_tellings(released, truth, shown), progress)
    values = _values(released, name, truth)
    if "randomised" in manners and truth.kind != "numeric":
        return _after_swap(released, name, truth, shown, progress)
    _, codes, _ = merged_categories(truth, shown)
    return _in_classes(released, name, "grouped", Tellings.counted(codes, values.codes, values.count), progress, values)


def _values(released: Released, name: str, truth: Column) -> Values:
    return values_of(truth, _tolerance(released.candidate.prepared.complete.columns.get(name)))


def _tolerance(section: ColumnSection | None) -> float | None:
    return None if section is None else section.tolerance


def values_of(truth: Column, tolerance: float | None = None) -> Values:
    """Return a column's true values and how near a guess has to be."""
    if truth.kind == "numeric":
        step = float(truth.style.step) if truth.style is not None else 1.0
        return Values.of_numbers(truth.numbers, step, tolerance)
    return Values.of_categories(truth.category_codes.astype(np.int64), truth.categories)


def _true_tellings(released: Released, name: str) -> Tellings:
    truth = released.truth(name)
    values = _values(released, name, truth)
    return (
        _coarse_tellings(released, truth, released.undone(name))
        if len(truth)
        else Tellings.counted(values.codes, values.codes, values.count)
    )


def _coarse_tellings(released: Released, truth: Column, shown: Column) -> Tellings:
    """Return what words tell that hold the true value: the truths of all who show them in one class of details."""
    values = _values(released, truth.name, truth)
    first, second, names = merged_categories(truth, shown)
    hidden = second < 0
    own = np.where((first == second) & ~hidden, values.codes, -1)
    # A value shown as it is tells itself; a broader one, or none, what the class shows beside it.
    told = np.where(own >= 0, own, values.count + released.by_all.ids * (len(names) + 1) + second + 1)
    told = np.where((values.codes < 0) & hidden, -1, told)
    return Tellings.counted(told, values.codes, values.count)


def _in_classes(
    released: Released,
    name: str,
    family: Family,
    tellings: Tellings,
    progress: Progress,
    values: Values | None = None,
) -> ColumnBelief:
    """Return the belief of a column whose rows each tell something of the true value."""
    values = values or _values(released, name, released.truth(name))
    sides = []
    for classes in (released.by_others, released.by_all):
        progress.check()
        belief = ClassBelief(values, tellings, classes.ids, classes.count, released.k_min)
        sides.append((belief, *belief.doubts(progress)))
    (_, others, _), (belief, everything, control) = sides
    # Of a true value the row itself is the secret: the intruder who knows most is the one who knows all others,
    # and chooses whom and what to guess without knowing which row of a class is whose.
    if family in ("swapped", "grouped"):
        rows = np.arange(len(values.codes), dtype=np.int64)
        belief = ClassBelief(values, tellings, rows, len(rows), released.k_min)
        alone, control = belief.doubts(progress)
    else:
        alone, _ = belief.doubts(progress, own_row_known=False)
    of = np.flatnonzero(values.codes >= 0)
    exposed = most_exposed(_some(alone, of), control[of])
    return ColumnBelief(
        name, family, of, len(of), _some(others, of), _some(everything, of), exposed, tuple(belief.rare())
    )


def _after_swap(released: Released, name: str, truth: Column, shown: Column, progress: Progress) -> ColumnBelief:
    first, second, names = merged_categories(truth, shown)
    known = [
        column.category_codes.astype(np.int64)
        for column in released.table.with_role("quasi-identifier")
        if column.kind != "text"
    ]

    def score(rows: Ints) -> Floats:
        log = log_posteriors(known, second, len(names), rows, progress, smoothing=0.5, leave_out=True)
        chances = np.exp(log - log.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return np.asarray(chances[np.arange(len(rows)), second[rows]])

    classes = released.by_others
    tellings = swap_tellings(Swapped(first, second, len(names), classes.ids, classes.count, score))
    values = Values.of_categories(first, names)
    return _in_classes(released, name, "swapped", tellings, progress, values)


def _noise_levels(step: StepRecord, name: str) -> tuple[dict[str, Any], tuple[LevelNoise, ...]] | None:
    """Return the public parameters of a step's noise on a column, None where it declares none."""
    columns = step.result.detail.get("columns")
    own = columns.get(name) if isinstance(columns, dict) else None
    if not isinstance(own, dict) or not {"law", "levels", "step", "bounds"} <= own.keys():
        return None
    laws = tuple(
        LevelNoise(NoiseLaw(own["law"], float(each["sd"])), max(float(each["width"]), float(own["step"])))
        for each in own["levels"]
    )
    return own, laws


def _behind_noise(
    released: Released,
    name: str,
    truth: Column,
    shown: Column,
    noise: tuple[dict[str, Any], tuple[LevelNoise, ...]],
    levels: Ints,
    progress: Progress,
) -> ColumnBelief:
    own, laws = noise
    true, seen = truth.numbers, shown.numbers
    of = np.flatnonzero(~np.isnan(true) & ~np.isnan(seen))
    if len(of) < 2:
        nothing = _some(Doubts(np.ones(len(true)), np.zeros(len(true), bool), np.zeros(len(true), bool)), of)
        return ColumnBelief(name, "noise", of, len(of), nothing, nothing, Exposed(0, 0, 0, 0.0))
    low, high = (float(each) for each in own["bounds"])
    column = NoisyColumn(
        true[of],
        seen[of],
        levels[of] if len(laws) > 1 else np.zeros(len(of), dtype=np.int64),
        laws,
        float(own["step"]),
        min(low, float(true[of].min())),
        max(high, float(true[of].max())),
    )
    linear = linear_left(column)
    beliefs = beliefs_behind_noise(column, progress)
    found = [
        _with_prior(released, name, column, belief, prior, of, linear, progress) for prior, belief in beliefs.items()
    ]
    predicted = predicted_from_others(released, name, column.shown, of, progress)
    if predicted is not None:
        foretold = beliefs_beyond_prediction(column, predicted, beliefs["informed"], progress)
        left = left_of_noise(column, foretold.means)
        known = beliefs["informed"].control_right(column.truth)
        found.append(
            replace(
                found[-1],
                all=foretold.doubts,
                exposed=most_exposed(foretold.doubts, known),
                rare=(),
                left=left,
                ratio=left / linear if linear > 0 else 0.0,
                prior="side-information",
            )
        )
    return _worst(found)


def _with_prior(
    released: Released,
    name: str,
    column: NoisyColumn,
    belief: NoiseBelief,
    prior: str,
    of: Ints,
    linear: float,
    progress: Progress,
) -> ColumnBelief:
    alone = belief.doubts(column.truth)
    sides = []
    for classes in (released.by_others, released.by_all):
        if classes.count == len(classes.ids):
            sides.append(alone)
            continue
        ids = _ranked(classes, of)
        sides.append(belief.doubts_in_classes(column.truth, *ids, released.k_min, progress))
    left = left_of_noise(column, belief.means())
    return ColumnBelief(
        name,
        "noise",
        of,
        len(of),
        sides[0],
        sides[1],
        most_exposed(alone, belief.control_right(column.truth)),
        tuple(belief.rare(column.truth)),
        left,
        left / linear if linear > 0 else 0.0,
        prior,
    )


def _worst(found: list[ColumnBelief]) -> ColumnBelief:
    """Join what several priors find: of each figure the worst."""
    by_ratio = min(found, key=lambda each: each.ratio if each.ratio is not None else 1.0)
    exposed = max((each.exposed for each in found), key=lambda each: each.low - each.control / max(each.people, 1))
    return replace(
        by_ratio,
        others=max((each.others for each in found), key=lambda each: int(each.certain.sum())),
        all=max((each.all for each in found), key=lambda each: int(each.certain.sum())),
        exposed=exposed,
        rare=tuple(each for one in found for each in one.rare),
    )


def _ranked(classes: Classes, of: Ints) -> tuple[Ints, int]:
    names, ids = np.unique(classes.ids[of], return_inverse=True)
    return ids.reshape(-1).astype(np.int64), len(names)


def _some(doubts: Doubts, rows: Ints) -> Doubts:
    return Doubts(doubts.ratio[rows], doubts.right[rows], doubts.proved[rows])


def certain_in_original(
    table: Table, k_min: int, progress: Progress, sections: Mapping[str, ColumnSection] | None = None
) -> int:
    """Return how many people's value would be certain by what others know if a table were released as it is.

    Counted as for a release, so that before and after are the same measure; ``sections`` are the recipe's columns,
    which may say how near a guess has to be.
    """
    classes = equivalence_classes(table.with_role("quasi-identifier"), table.rows)
    found = np.zeros(table.rows, dtype=np.bool_)
    for column in table.with_role("confidential"):
        values = values_of(column, _tolerance((sections or {}).get(column.name)))
        tellings = Tellings.counted(values.codes, values.codes, values.count)
        doubts, _ = ClassBelief(values, tellings, classes.ids, classes.count, k_min).doubts(progress)
        found |= doubts.certain
    return int(found.sum())


Side = Callable[[ColumnBelief], Doubts]


def known_others(belief: ColumnBelief) -> Doubts:
    """Return the doubts of the intruder who knows what others know."""
    return belief.others


def known_all(belief: ColumnBelief) -> Doubts:
    """Return the doubts of the intruder who knows everything released but the confidential columns."""
    return belief.all


def certain_people(beliefs: Sequence[ColumnBelief], rows: int, side: Side) -> Bools:
    """Say which rows are certain in at least one column, shape (rows,)."""
    found = np.zeros(rows, dtype=np.bool_)
    for each in beliefs:
        found[each.of] |= side(each).certain
    return found
