"""What an intruder concludes about each person's confidential value, computed from the written table.

This is called a belief. A method declares which formula may apply; the written values decide whether it does. A column
that is released unchanged, or that can be changed back without a key, reveals the truth whatever was declared.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, every_row, on_grid
from ppdm_desktop.engine.attacks.class_belief import ClassBelief, Observations, Values
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise
from ppdm_desktop.engine.attacks.people_belief import (
    belief_in_classes,
    choose_least_uncertainty,
    combine_observations,
    estimate_class_shares,
    has_repeated_draws,
    is_constant_in_person,
    row_weights,
    weight_by_people,
)
from ppdm_desktop.engine.attacks.swap_belief import (
    Swapped,
    is_revealed_by_class,
    observe_neighbour_swaps,
    observe_swapped_rows,
)
from ppdm_desktop.engine.attacks.uncertainty import RARE_CATEGORY, Uncertainty, WorstCaseGroup
from ppdm_desktop.engine.identifiability.classes import Classes, count_class_people
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.recipe.models import COMMON, Role
from ppdm_desktop.engine.release.candidate.model import StepRecord
from ppdm_desktop.engine.release.disclosure.artificial_records import artificial_belief
from ppdm_desktop.engine.release.disclosure.column_belief import (
    ColumnBelief,
    Family,
    add_rare_by_all,
    combine_flags,
    find_worst_group,
    measure_worst_case_by_person,
    uncertainty_of_rows,
)
from ppdm_desktop.engine.release.disclosure.dependencies import Dependency
from ppdm_desktop.engine.release.disclosure.moved_dates import observe_moved_dates
from ppdm_desktop.engine.release.disclosure.noise_beliefs import belief_behind_noise, noise_levels
from ppdm_desktop.engine.release.disclosure.released import Released, cover_several_values, shows_generalised
from ppdm_desktop.engine.release.disclosure.value_groups import (
    SHORT_SCALE,
    ValueGroups,
    exceeds_chance,
    groups_of_classes,
    list_value_groups,
)
from ppdm_desktop.engine.retracing.trial import log_posteriors
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.dates import DateFormat
from ppdm_desktop.engine.utility.cells import merged_categories

_DOING = "doing.gate"
FEWEST_REPEATED = 20
"""People beyond the first of each pair of a true and a released value that it takes to see a recoding."""
NEAR_RANKS, NEAR_DAYS = 0.05, 0.02
"""How far a guess may lie from the truth: in shares of the ranks of ordered words, and of the range of dates."""


def belief_of(released: Released, name: str, dependencies: Sequence[Dependency] = ()) -> ColumnBelief:
    """Return what intruders conclude about one confidential column.

    For synthetic rows it is about a sample of the source's people. A value that at least nine in ten people have is no
    secret, unless the owner calls it one: ``common`` in the result marks the people who have it (None without such a
    value, and for synthetic rows). Outside public releases, ``one_secret`` (rows in classes that reveal one value) then
    leaves out classes in which most rows have it.

    Parameters
    ----------
    released, name
        The table as written, and the name of the column.
    dependencies
        Functional dependencies between columns; where this column follows from others, the intruder knows it.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    progress.report(0.0, _DOING)
    if released.rows_correspond:
        belief = _compute_belief_by_person(released, name, dependencies)
    else:
        belief = artificial_belief(released, name)
    common = _find_holders_of_common_value(released, name)
    if common is None:
        return belief
    if belief.one_secret is not None and not released.candidate.prepared.type.is_public:
        belief = replace(belief, one_secret=belief.one_secret & ~_mark_majority_classes(released.by_others, common))
    return replace(belief, common=common[belief.of])


def _mark_majority_classes(classes: Classes, rows: Bools) -> Bools:
    """Return for each row whether ``rows`` marks more than half of the rows of its class, bool, shape (rows,)."""
    return np.asarray((2 * np.bincount(classes.ids, rows, classes.count) > classes.sizes)[classes.ids])


def _find_holders_of_common_value(released: Released, name: str) -> Bools | None:
    """Return which rows belong to people all of whose rows have the column's common value, shape (rows,).

    A value is common if at least nine in ten people have it in all of their rows; only the true value of most rows is
    looked at. None if it is not common, if the owner calls it a secret, or if rows are synthetic.
    """
    truth, is_secret = released.truth(name), released.candidate.prepared.column_section(name).common_is_secret
    if not released.rows_correspond or is_secret or not len(truth):
        return None
    codes = truth.category_codes
    commonest = int(np.bincount(codes + 1)[1:].argmax()) if (codes >= 0).any() else -1
    holds, people = codes == commonest, released.people
    whole = ~people.with_any(~holds)
    return people.of_rows(whole) if commonest >= 0 and whole.mean() >= COMMON - GRID else None


def _compute_belief_by_person(released: Released, name: str, dependencies: Sequence[Dependency]) -> ColumnBelief:
    """Return what intruders conclude about one column, with one entry for each person who has a value.

    It is the smallest uncertainty among the person's rows. In a public release people with an empty cell may have an
    entry as well (`_include_empty_cells`). ``of`` holds the person's first row. Flags have shape (rows,):
    ``one_secret`` and ``nearly`` are False in repeated records of a person, which are judged once, and ``meant`` marks
    only the first row of a person.
    """
    rows = released.stated_once
    once = [
        replace(
            dependency,
            revealed=dependency.revealed[rows],
            guesses=None if dependency.guesses is None else dependency.guesses[rows],
        )
        for dependency in dependencies
    ]
    once_released = released.without_copies()
    column_belief = _include_empty_cells(once_released, _compute_belief_by_row(once_released, name, once))
    whose = released.people.take(rows[column_belief.of])
    first = released.people.first_rows[released.people.of_row[rows[column_belief.of[whose.first_rows]]]]
    one_secret, nearly, meant = (
        _flags_of_all_rows(among, rows, released.table.rows)
        for among in (column_belief.one_secret, column_belief.nearly, column_belief.meant)
    )
    if meant is not None:
        meant = _flags_of_all_rows(released.people.with_any(meant), released.people.first_rows, len(meant))
    uncertainty_by_others, everything = (
        choose_least_uncertainty(uncertainty, whose) for uncertainty in (column_belief.others, column_belief.all)
    )
    return replace(
        column_belief,
        of=first,
        people=len(first),
        others=uncertainty_by_others,
        all=everything,
        one_secret=one_secret,
        nearly=nearly,
        meant=meant,
    )


def _flags_of_all_rows(values: Bools | None, rows: Ints, count: int) -> Bools | None:
    """Return flags of the rows ``rows`` (indices) as flags of all ``count`` rows, False elsewhere; None for None."""
    if values is None:
        return None
    is_marked = np.zeros(count, dtype=np.bool_)
    is_marked[rows] = values
    return is_marked


def _compute_belief_by_row(released: Released, name: str, dependencies: Sequence[Dependency]) -> ColumnBelief:
    """Return what intruders conclude about one column, with one entry for each row with a value.

    It depends on the steps that changed the column. A column that shows the true values, or other words for each of
    them one to one, counts as unchanged. Of several steps of different kinds, the one that leaves the most uncertainty
    counts. Formulas and combinations of columns that reveal the value are added.
    """
    truth = released.truth(name)
    progress.check()
    steps = released.changing_steps(name)
    progress.check()
    if not steps or bool((released.is_true_value(name) | truth.missing).all()):
        observations = _observe_true_values(released, name)
        return _compute_belief_by_class(released, name, "true", observations)
    codes = _find_bijective_codes(truth, released.undone(name))
    if codes is not None:
        # Other words, one for each value: knowing one person's, an intruder knows those of all who show the same.
        values = _collect_true_values(released, name, truth)
        return _compute_belief_by_class(released, name, "true", _observe_codes(released, codes, values), values)
    dependencies = [
        dependency for dependency in dependencies if dependency.column == name and dependency.reveals_column
    ]
    whole = _compute_combined_belief(released, name, steps, dependencies) if len(steps) > 1 else None
    beliefs = [whole] if whole is not None else []
    if whole is None:
        beliefs = [_compute_step_belief(released, name, step, step is steps[-1], dependencies) for step in steps]
    # A chain tells no more than any of its links: the one that leaves most uncertainty counts.
    column_belief = max(
        beliefs, key=lambda belief: on_grid(float(belief.others.ratio.mean()) if len(belief.of) else 1.0)
    )
    for giver in dependencies:
        if giver.manner in ("formula", "columns"):
            column_belief = _add_dependency(released, column_belief, giver)
    return column_belief


def _add_dependency(released: Released, column_belief: ColumnBelief, dependency: Dependency) -> ColumnBelief:
    """Return the belief of an intruder who also knows the values that follow from a functional dependency.

    Rows whose value follows reveal the truth, as if the column were released unchanged; other rows keep their
    uncertainty. The people most at risk and flags are judged as if all values followed, if that is worse; rare values
    are those of both beliefs. The error that remains from noise shrinks with the share of rows whose value follows, and
    its ``prior``, if any, becomes "dependency".
    """
    name = column_belief.column
    values = _collect_true_values(released, name, released.truth(name))
    dependency_belief = _compute_belief_by_class(
        released, name, "true", _observe_codes(released, values.codes, values), values
    )
    positions = np.searchsorted(dependency_belief.of, column_belief.of)
    revealed = dependency.revealed[column_belief.of]

    def joined(side: Uncertainty, with_dependency: Uncertainty) -> Uncertainty:
        """Return the smaller uncertainty of both intruders for rows that the dependency reveals, else ``side``."""
        return _choose_uncertainty(revealed, side.least(uncertainty_of_rows(with_dependency, positions)), side)

    residual_error, ratio = column_belief.residual_error, column_belief.ratio
    if residual_error is not None and ratio is not None:
        # What is given is right within half a step, which is next to nothing of the noise.
        rest = math.sqrt(1 - float(revealed.mean()))
        residual_error, ratio = residual_error * rest, ratio * rest
    return replace(
        column_belief,
        others=joined(column_belief.others, dependency_belief.others),
        all=joined(column_belief.all, dependency_belief.all),
        worst_case=find_worst_group((column_belief.worst_case, dependency_belief.worst_case)),
        rare=(*column_belief.rare, *dependency_belief.rare),
        rare_by_all=(*column_belief.rare_by_all, *dependency_belief.rare_by_all),
        one_secret=combine_flags([column_belief.one_secret, dependency_belief.one_secret]),
        nearly=combine_flags([column_belief.nearly, dependency_belief.nearly]),
        residual_error=residual_error,
        ratio=ratio,
        prior=column_belief.prior and "dependency",
    )


def _list_uncertainty_arrays(uncertainty: Uncertainty) -> tuple[Floats, Bools, Bools]:
    """Return the arrays of an intruder's uncertainty, each of shape (people,).

    They are the remaining uncertainty as a share of the control's, whether the guess is right, and whether it is
    confirmed.
    """
    return uncertainty.ratio, uncertainty.right, uncertainty.confirmed


def _find_bijective_codes(truth: Column, column: Column) -> Ints | None:
    """Return the code of each row's released category if categories and true values correspond one to one, else None.

    The code is -1 where both are missing. Also None if there are fewer than two values, if only one of both is missing
    in a row, or if rows with values exceed the different pairs of values by fewer than 20: where all values differ,
    chance pairs each with one released value.
    """
    first, second, _ = merged_categories(truth, column)
    both_present = (first >= 0) & (second >= 0)
    pairs = len(np.unique(np.column_stack([first[both_present], second[both_present]]), axis=0))
    if pairs < 2 or int(both_present.sum()) - pairs < FEWEST_REPEATED or bool(((first >= 0) != (second >= 0)).any()):
        return None
    one_to_one = pairs == len(np.unique(first[both_present])) == len(np.unique(second[both_present]))
    return second if one_to_one else None


def _compute_combined_belief(
    released: Released, name: str, steps: Sequence[StepRecord], dependencies: Sequence[Dependency]
) -> ColumnBelief | None:
    """Return what intruders conclude after several steps, measured between truth and file; None for mixed steps.

    It is measured if the column was only rounded or limited, if all steps exchange values, or if all add noise with the
    same number of privacy levels. Measuring steps one by one could be wrong, because a later step may reverse an
    earlier.
    """
    truth, released_column = released.truth(name), released.table.column(name)
    if released.is_coarsened(name):
        observations = _observe_coarse_values(released, truth, released_column, is_number=True)
        return _compute_belief_by_class(released, name, "coarse", observations)
    if all(_list_protection_manners(step, name) == {"randomised"} for step in steps):
        return _compute_swap_belief(released, name, truth, released_column)
    noise_by_step = [noise_levels(step, name) for step in steps]
    noises = [noise for noise in noise_by_step if noise is not None]
    if truth.kind != "numeric" or len(noises) < len(steps) or len({len(laws) for _, laws in noises}) > 1:
        return None
    joined = tuple(_sum_of(levels) for levels in zip(*(laws for _, laws in noises), strict=True))
    levels = _find_row_levels(released, steps[0], len(truth))
    return belief_behind_noise(released, name, truth, released_column, (noises[0][0], joined), levels, dependencies)


def _sum_of(levels: Sequence[LevelNoise]) -> LevelNoise:
    """Return the sum of independent noises as one normal noise with the sum of their variances.

    Its period (of angles or times of day) is that of the last noise, and its cell the widest.
    """
    sd = float(np.sqrt(sum(level.law.sd**2 for level in levels)))
    return LevelNoise(NoiseLaw("gaussian", sd, levels[-1].law.period), max(level.cell for level in levels))


def _list_protection_manners(step: StepRecord, name: str) -> set[str]:
    """Return the ways in which a step protects a column, such as "noise" or "grouped", as its method declares."""
    return {protection.manner for protection in step.result.protections if protection.column == name}


def _find_row_levels(released: Released, step: StepRecord, people: int) -> Ints:
    """Return the index of each released row's privacy level before a step, int64; all 0 without levels.

    ``people`` is the number of released rows.
    """
    if step.before.levels is None:
        return np.zeros(people, dtype=np.int64)
    return step.before.levels.codes[released.candidate.rows_in(step.before)].astype(np.int64)


def _compute_step_belief(
    released: Released, name: str, step: StepRecord, is_last: bool, dependencies: Sequence[Dependency]
) -> ColumnBelief:
    """Return what intruders conclude about a column after one step, as if it were the only one.

    How it is computed depends on what the step did. The first that applies: noise with a stated distribution; dates
    moved (only with ``is_last``); numbers rounded or limited, or values generalised but neither grouped nor exchanged;
    values exchanged (of numbers, if they were not grouped as well); else groups of records. ``is_last`` says that the
    column is released as the step made it; ``dependencies`` are those that reveal the column.
    """
    rows_before, rows_after = released.candidate.rows_in(step.before), released.candidate.rows_in(step.result.table)
    truth = step.before.column(name).take(rows_before)
    released_column = released.table.column(name) if is_last else step.result.table.column(name).take(rows_after)
    laws = noise_levels(step, name)
    manners = _list_protection_manners(step, name)
    if laws is not None and truth.kind == released_column.kind == "numeric":
        levels = _find_row_levels(released, step, len(truth))
        return belief_behind_noise(released, name, truth, released_column, laws, levels, dependencies)
    if is_last and (moved := _compute_shift_belief(released, name, step, truth)) is not None:
        return moved
    grouped = "grouped" in manners and not _is_only_emptied(truth, released_column)
    values = _collect_true_values(released, name, truth)
    is_number = step.method.coarsens_numbers and truth.kind == released_column.kind
    if is_number or (shows_generalised(truth, released_column) and not grouped and "randomised" not in manners):
        observations = _observe_coarse_values(released, truth, released_column, is_number=is_number)
        return _compute_belief_by_class(released, name, "coarse", observations, values)
    if "randomised" in manners and (truth.kind != "numeric" or not grouped):
        return _compute_swap_belief(released, name, truth, released_column)
    _, codes, _ = merged_categories(truth, released_column)
    observations = _combine_person_rows(
        released, _observe_codes(released, codes, values), codes, truth, released_column, values
    )
    return _compute_belief_by_class(released, name, "grouped", observations, values)


def _compute_shift_belief(released: Released, name: str, step: StepRecord, truth: Column) -> ColumnBelief | None:
    """Return what intruders conclude about dates that a step moved by a number of days.

    None if the step does not keep differences of days, or if the column holds no dates before or after it. ``truth``
    has the true values.
    """
    released_column, days = released.table.column(name), _to_day_numbers(truth)
    if not step.method.keeps_differences or days is None or released_column.kind != "date":
        return None
    values, levels = _collect_true_values(released, name, truth), _find_row_levels(released, step, len(truth))
    observations = observe_moved_dates(released, step, name, values, np.sort(days), levels)
    codes = released_column.category_codes.astype(np.int64)
    return _compute_belief_by_class(
        released,
        name,
        "noise",
        _combine_person_rows(released, observations, codes, truth, released_column, values),
        values,
    )


def _is_only_emptied(truth: Column, column: Column) -> bool:
    """Return whether every cell of a released column shows the true value or is empty."""
    before, after, _ = merged_categories(truth, column)
    return not bool(((before != after) & (after >= 0)).any())


def _collect_true_values(released: Released, name: str, truth: Column) -> Values:
    """Return the true values of a column with their shares of people, and how near to each a guess counts as right.

    For numbers that is the column's tolerance in the recipe, in a public release only if it is not the smaller one;
    else it follows from the values (`values_of`).
    """
    prepared = released.candidate.prepared
    values = values_of(truth, prepared.column_section(name).tolerance, lower=not prepared.type.is_public)
    return weight_by_people(values, released.people)


def _observe_codes(released: Released, of: Ints, values: Values) -> Observations:
    """Return what an intruder observes if each released code stands for the true values of all rows that show it.

    ``of`` is each row's code, -1 for a row that is not observed; ``values`` are the true values.
    """
    return Observations.counted(of, values.codes, values.count, row_weights(of, released.people))


def _combine_person_rows(
    released: Released, observations: Observations, codes: Ints, truth: Column, column: Column, values: Values
) -> Observations:
    """Return observations with the rows of a person combined, if the true value is constant within the person.

    ``observations`` itself if no person has such a value in several rows.

    Parameters
    ----------
    observations
        What an intruder observes about each row.
    codes, truth, column
        Each row's released code, the true column, and the released column.
    values
        The true values.
    """
    people = released.people
    is_constant = is_constant_in_person(values.codes, people)
    if not is_constant.any():
        return observations
    first, second, _ = merged_categories(truth, column)
    repeated = has_repeated_draws(codes, first == second, people, is_constant)
    return combine_observations(observations, codes, people, is_constant, values.shares, repeated=repeated)


def values_of(truth: Column, tolerance: float | None = None, *, lower: bool = True) -> Values:
    """Return a column's true values, and how near to each a guess has to be to count as right.

    Numbers have a half width (`half_widths`, or ``tolerance``). In an ordered column it is 5 % of the ranks, in one of
    dates 2 % of their range and at least a day; only the exact value is right in columns in bins, for dates in an
    unknown format and for other categories.

    Parameters
    ----------
    truth
        The column before the first step.
    tolerance
        For numbers, the owner's largest distance of a right guess; None for one that follows from the values.
    lower
        Whether the owner's distance counts if it is smaller than the one that follows from the values.
    """
    if truth.kind == "numeric":
        step = float(truth.style.step) if truth.style is not None else 1.0
        # The categories of a number are its different values, rising.
        return Values.of_counted(
            truth.category_codes.astype(np.int64), *truth.counted_numbers(), step, tolerance, lower=lower
        )
    codes, names = truth.category_codes.astype(np.int64), truth.categories
    if truth.kind not in ("ordinal", "date") or truth.labels_ordered or not names:
        return Values.of_categories(codes, names)
    if truth.kind == "ordinal":
        rank = {text: index for index, text in enumerate(truth.order or names)}
        positions = np.array([rank.get(text, len(rank) + index) for index, text in enumerate(names)], dtype=np.float64)
        return Values.of_neighbours(codes, names, positions, NEAR_RANKS * len(rank))
    days = _to_day_numbers(truth)
    if days is None:
        return Values.of_categories(codes, names)
    order = np.argsort(days, kind="stable")
    rank_of = np.append(np.argsort(order), -1)
    sorted_names = tuple(names[index] for index in order.tolist())
    half = max(NEAR_DAYS * float(days.max() - days.min()), 1.0)
    return Values.of_neighbours(rank_of[codes], sorted_names, days[order], half)


def _to_day_numbers(column: Column) -> Floats | None:
    """Return the day number (from year 1) of each category of a date column; None if some are no dates.

    Also None for a column with values but without a date format.
    """
    form = DateFormat.parse(column.date_format) if column.date_format is not None else None
    read = [form.read(name) if form is not None else None for name in column.categories]
    days = [reading[0].toordinal() for reading in read if reading is not None]
    return np.array(days, dtype=np.float64) if len(days) == len(read) else None


def _observe_true_values(released: Released, name: str) -> Observations:
    """Return what an intruder observes of a column that reveals its true values, directly or after undoing a step.

    An empty cell, or a value that stands for several, is observed as the true values of those rows of its class that
    show the same; an empty cell without a true value is not observed.
    """
    truth = released.truth(name)
    values = _collect_true_values(released, name, truth)
    progress.check()
    return (
        _observe_coarse_values(released, truth, released.undone(name))
        if len(truth)
        else _observe_codes(released, values.codes, values)
    )


def _observe_coarse_values(
    released: Released, truth: Column, column: Column, *, is_number: bool = False
) -> Observations:
    """Return what an intruder observes of generalised values: the true values of rows of the class that show them.

    A class has equal values in all released columns but the confidential ones. A value that is released truly, and
    stands for no other, is observed itself. An empty cell without a true value is not observed. With ``is_number`` (a
    rounded or top-coded column) a value stands for the true values of all rows that show it, in whatever class, because
    one rule holds for all.
    """
    values = _collect_true_values(released, truth.name, truth)
    first, second, names = merged_categories(truth, column)
    hidden = second < 0
    draw = np.where((first == second) & ~hidden & ~cover_several_values(first, second, len(names)), values.codes, -1)
    # A value shown as it is tells itself; a broader one, or none, what the class shows beside it.
    group = 0 if is_number else released.by_all.ids
    revealed = np.where(draw >= 0, draw, values.count + group * (len(names) + 1) + second + 1)
    revealed = np.where((values.codes < 0) & hidden, -1, revealed)
    return _observe_codes(released, revealed, values)


def _compute_belief_by_class(
    released: Released, name: str, family: Family, observations: Observations, values: Values | None = None
) -> ColumnBelief:
    """Return what intruders conclude about a column from the observations of each row, by class of known values.

    There are two intruders, as in `_compute_intruder_beliefs`. Groups of values, such as words of one meaning, are
    guessed as well (`_yield_grouped_beliefs`). Uncertainty has one entry for each row with a true value; flags have
    shape (rows,).

    Parameters
    ----------
    released, name, family
        The table as written, the column's name, and the kind of change.
    observations
        What an intruder observes about each row.
    values
        The true values, and which guesses of them are right; None for those of `_collect_true_values`.
    """
    progress.check()
    truth = released.truth(name)
    values = values or _collect_true_values(released, name, truth)
    people = released.people
    of_others, of_all = _compute_intruder_beliefs(released, name, values, observations)
    (known_belief, uncertainty_by_others, _, control), (belief, everything, _, _) = of_others, of_all
    one_secret = known_belief.one_secret_rows() & (values.codes >= 0)
    nearly, meant = _find_nearly_certain_rows(released, known_belief), np.zeros(len(values.codes), dtype=np.bool_)
    meanings: set[str] = set()
    for grouped in _yield_grouped_beliefs(released, truth, values, observations):
        is_value = grouped.is_value
        new = grouped.others.certain & grouped.holds & ~uncertainty_by_others.certain & ~is_value
        meant |= new
        meanings.update(grouped.names[group] for group in np.unique(grouped.values.codes[new]).tolist())
        one_secret |= grouped.one_secret
        nearly |= grouped.nearly & is_value
        uncertainty_by_others, everything = (
            _choose_uncertainty(of_group.certain & is_value & ~of_values.certain, of_group, of_values)
            for of_group, of_values in ((grouped.others, uncertainty_by_others), (grouped.all, everything))
        )
    of = np.flatnonzero(values.codes >= 0)
    of = every_row(len(of)) if len(of) == released.table.rows else of
    # An intruder who chooses whom and what to guess does not know which row of a class is whose.
    worst_case, worst_case_by_all = (
        measure_worst_case_by_person(people, uncertainty_of_rows(uncertainty, of), without[of], of)
        for _, _, uncertainty, without in (of_others, of_all)
    )
    if nearly.any():
        right = values.right(np.maximum(known_belief.likeliest, 0), values.codes)
        whole = _count_worst_case(released, nearly & (values.codes >= 0), right, control)
        worst_case = worst_case if whole is None else find_worst_group((whole, worst_case))
    reached = ColumnBelief(
        name,
        family,
        of,
        len(of),
        uncertainty_of_rows(uncertainty_by_others, of),
        uncertainty_of_rows(everything, of),
        worst_case,
        tuple(known_belief.rare()),
        one_secret=one_secret,
        nearly=nearly,
        meant=meant,
        meanings=tuple(sorted(meanings)),
    )
    return add_rare_by_all(released, reached, (worst_case_by_all, tuple(belief.rare())))


def _compute_intruder_beliefs(
    released: Released, name: str, values: Values, observations: Observations
) -> list[tuple[ClassBelief, Uncertainty, Uncertainty, Bools]]:
    """Return what two intruders conclude: one knows quasi-identifiers, the other all but confidential columns.

    There are two tuples, for the first and the second intruder, with

    - the belief by class,
    - each row's uncertainty, as a share of that of a guess without the person's own row,
    - the same as a share of that of a guess without an average row of the class,
    - whether the guess without the person's own row is right, shape (rows,).

    Both are the same tuple if the quasi-identifiers distinguish as many people as all columns that are not
    confidential.
    """
    both_sides = []
    sides = (released.by_others,) if released.same_classes else (released.by_others, released.by_all)
    for classes in (released.by_value(side, name) for side in sides):
        progress.check()
        belief = belief_in_classes(values, observations, classes, released.k_min, released.people)
        both_sides.append((belief, *belief.uncertainty()))
    return [both_sides[0], both_sides[-1]]


def _find_nearly_certain_rows(released: Released, class_belief: ClassBelief) -> Bools:
    """Return flags of the rows in a class in which nearly everybody has one value (`ClassBelief.nearly_certain`).

    All are False unless the release is public.
    """
    if not released.candidate.prepared.type.is_public:
        return np.zeros(len(class_belief.ids), dtype=np.bool_)
    return class_belief.nearly_certain()


def _count_worst_case(released: Released, rows: Bools, right: Bools, control: Bools) -> WorstCaseGroup | None:
    """Return to how many people the marked rows belong, and how many of them the guess and the control get right.

    None if no row is marked. All arrays are bool, shape (rows,).
    """
    count, hits, before = (released.people.among(rows & which) for which in (True, right, control))
    return WorstCaseGroup(count, hits, before) if count else None


@dataclass(frozen=True, eq=False)
class _Meaning:
    """What intruders conclude about groups of values with one meaning, or about empty cells; arrays of shape (rows,).

    Attributes
    ----------
    values, names
        The groups, and their names.
    others, all
        Uncertainty about the group of each row of an intruder who knows quasi-identifiers, and of one who knows all
        else.
    holds
        Whether the row's group has more than one value and fewer than nine in ten people.
    is_value
        Whether that group also counts as one value: its texts say the same, or in a public release at most one in ten
        people have it.
    one_secret, nearly
        As in `ColumnBelief`, for these groups.
    belief
        The class belief of the intruder who knows all else that is released.
    """

    values: Values
    names: tuple[str, ...]
    others: Uncertainty
    all: Uncertainty
    holds: Bools
    is_value: Bools
    one_secret: Bools
    nearly: Bools
    belief: ClassBelief

    @classmethod
    def of(
        cls,
        released: Released,
        column: str,
        values: Values,
        observations: Observations,
        counted: Bools,
        value_up_to: float = 0.0,
    ) -> _Meaning:
        """Return what intruders conclude about groups of values.

        It has the uncertainty left to each of two intruders (a guess is right only if it is the person's group and the
        group matters), and for each row whether its group matters, counts as one value, and is certain or nearly
        certain in its class.

        Parameters
        ----------
        released, column
            The table as written, and the name of the column.
        values, observations
            The groups as values, and what an intruder observes of them.
        counted
            The groups that matter, bool, shape (groups,).
        value_up_to
            A group counts as one value if at most this share of the people has it.
        """
        (known_belief, uncertainty_by_others, *_), (belief, everything, *_) = _compute_intruder_beliefs(
            released, column, values, observations
        )
        counts = np.append(counted, False)
        holds, is_value = (counts & np.append(values.shares <= share + GRID, False) for share in (1.0, value_up_to))
        predicted = counts[known_belief.likeliest]
        right = known_belief.likeliest == values.codes
        return cls(
            values,
            tuple(map(str, values.names)),
            replace(uncertainty_by_others, right=uncertainty_by_others.right & holds[values.codes]),
            replace(everything, right=everything.right & holds[values.codes]),
            holds[values.codes],
            is_value[values.codes],
            known_belief.one_secret_rows() & predicted & right,
            _find_nearly_certain_rows(released, known_belief) & predicted,
            belief,
        )


def _yield_grouped_beliefs(
    released: Released, truth: Column, values: Values, observations: Observations
) -> Iterator[_Meaning]:
    """Yield what intruders conclude for each way to group values: by meaning, by what is shown, or by shared classes.

    Nothing is yielded without a value. A grouping is left out if each of its groups is a single value or held by at
    least nine in ten people.
    """
    from scipy.sparse import csr_array

    if not values.count:
        return
    is_public, classes = released.candidate.prepared.type.is_public, released.by_others
    phrases = [] if values.numeric else list_value_groups(truth, tuple(map(str, values.names)))
    phrases += _group_by_shown_value(released, truth, values)
    groupings = [(groups, 1.0 if groups.same_meaning else RARE_CATEGORY if is_public else 0.0) for groups in phrases]
    few_numbers = truth.kind == "numeric" and values.count <= SHORT_SCALE
    is_scale = truth.kind in ("numeric", "date") or bool(truth.order) or truth.labels_ordered
    for is_ordered in [True] * is_scale + [False] * (few_numbers or truth.kind in ("nominal", "ordinal", "text")):
        local = groups_of_classes(
            values.codes,
            values.names,
            classes.ids,
            classes.count,
            released.k_min,
            is_ordered=is_ordered,
            is_exclusive=not is_public,
        )
        groupings += [(groups, 1.0 if is_public else 0.0) for groups in local]
    for groups, value_up_to in groupings:
        into, count = np.append(groups.codes, len(groups.names)), len(groups.names)
        ones, rows = np.ones(len(into)), np.arange(len(into) + 1)
        of_groups = observations.mapped(csr_array((ones, into, rows), shape=(len(into), count + 1)))
        codes = np.where(values.codes >= 0, groups.codes[values.codes], -1)
        grouped = weight_by_people(Values.of_categories(codes, groups.names), released.people)
        counted = (groups.sizes > 1) & (grouped.shares < COMMON - GRID)
        if counted.any():
            yield _Meaning.of(released, truth.name, grouped, of_groups, counted, value_up_to)


def _group_by_shown_value(released: Released, truth: Column, values: Values) -> tuple[ValueGroups, ...]:
    """Return the grouping of true values that are shown as one broader value, such as 24 to 35 months as "2 years".

    The tuple has one grouping or none. It has none if the column is released unchanged, if one true value is shown in
    several ways, if a changed cell shows another true value (other than by rounding or limits), and if no two true
    values, or all of them, are shown as one. Of numbers shown as numbers only rounded and limited ones count.
    """
    released_column = released.table.column(truth.name)
    if not released.changing_steps(truth.name):
        return ()
    if not (released.is_coarsened(truth.name) or shows_generalised(truth, released_column)):
        return ()
    _, released_codes, names = merged_categories(truth, released_column)
    there = (values.codes >= 0) & (released_codes >= 0)
    pairs = np.unique(np.column_stack([values.codes[there], released_codes[there]]), axis=0)
    if len(np.unique(pairs[:, 0])) < len(pairs):
        return ()
    own_names = tuple(map(str, values.names))
    keys = list(own_names)
    for value, shown_code in pairs.tolist():
        keys[value] = names[shown_code]
    groups = ValueGroups.by_key(keys, own_names)
    return () if groups is None else (groups,)


def _include_empty_cells(released: Released, column_belief: ColumnBelief) -> ColumnBelief:
    """Return the belief with an empty cell counted as a value, where a person's class reveals whether it is empty.

    In a public release the people with an empty cell are judged as well: they are added to ``of``, with what remains
    uncertain about them (``others``, ``all``), and count for ``worst_case``, ``rare``, ``one_secret`` and ``nearly``.
    In any other release only ``one_secret``, ``meant`` and ``meanings`` change. The same belief is returned if no cell
    or at least half of the cells are empty, or if no class reveals it.
    """
    empty, classes, rows = released.truth(column_belief.column).missing, released.by_others, len(column_belief.of)
    if not 0 < 2 * int(np.count_nonzero(empty)) < len(empty):
        return column_belief
    empty_counts = np.bincount(classes.ids, empty, classes.count).astype(np.float64)
    sizes = classes.sizes.astype(np.float64)
    whole = (
        (empty_counts == sizes)
        & (sizes >= released.k_min)
        & (2 * (empty_counts.sum() - empty_counts) < len(empty) - sizes)
    )
    if not (whole | exceeds_chance(empty_counts, sizes)).any():
        return column_belief
    values = weight_by_people(Values.of_categories((~empty).astype(np.int64), ("", "*")), released.people)
    missing = released.table.column(column_belief.column).missing
    observations, counted = _observe_codes(released, missing.astype(np.int64), values), np.array([True, False])
    emptiness = _Meaning.of(released, column_belief.column, values, observations, counted)
    one_secret = combine_flags([column_belief.one_secret, emptiness.one_secret])
    if not released.candidate.prepared.type.is_public:
        meant = emptiness.others.certain
        return replace(
            column_belief,
            one_secret=one_secret,
            meant=combine_flags([column_belief.meant, meant]),
            meanings=(*column_belief.meanings, "") if meant.any() else column_belief.meanings,
        )
    of = np.sort(np.concatenate([column_belief.of, np.flatnonzero(empty)]))
    positions = np.searchsorted(of, column_belief.of)
    sides = [uncertainty_of_rows(uncertainty, of) for uncertainty in (emptiness.others, emptiness.all)]
    for side, uncertainty in zip(sides, (column_belief.others, column_belief.all), strict=True):
        side.ratio[positions], side.right[positions], side.confirmed[positions] = _list_uncertainty_arrays(uncertainty)
    whole_classes = _count_worst_case(released, emptiness.nearly, empty, np.zeros_like(empty))
    return replace(
        column_belief,
        of=of,
        people=column_belief.people - rows + len(of),
        others=sides[0],
        all=sides[1],
        worst_case=column_belief.worst_case
        if whole_classes is None
        else find_worst_group((whole_classes, column_belief.worst_case)),
        rare=(*column_belief.rare, *(secret for secret in emptiness.belief.rare() if secret.secret == "")),
        one_secret=one_secret,
        nearly=combine_flags([column_belief.nearly, emptiness.nearly]),
    )


def _choose_uncertainty(chosen: Bools, yes: Uncertainty, no: Uncertainty) -> Uncertainty:
    """Return the uncertainty ``yes`` where ``chosen`` is True, else the uncertainty ``no``; all have equal length."""
    return Uncertainty(
        *(
            np.where(chosen, yes_part, no_part)
            for yes_part, no_part in zip(_list_uncertainty_arrays(yes), _list_uncertainty_arrays(no), strict=True)
        )
    )


def _compute_swap_belief(released: Released, name: str, truth: Column, released_column: Column) -> ColumnBelief:
    """Return what intruders conclude about a column whose values were exchanged among people.

    It follows from the number of exchanges and naive Bayes on the quasi-identifiers; numbers are pooled with their
    neighbours instead. Shares of values in classes are estimated as well (`_observe_with_shares`), of numbers only if
    at most 12 differ.
    """
    first, second, names = merged_categories(truth, released_column)
    if truth.kind == released_column.kind == "numeric":
        values = _collect_true_values(released, name, truth)
        numbers = np.where(released_column.missing, np.nan, released_column.numbers)
        different = truth.counted_numbers()[0]
        codes = np.searchsorted(different, numbers)
        codes = np.where(np.append(different, np.nan)[codes] == numbers, codes, len(different))
        codes = np.where(np.isnan(numbers), -1, codes)

        def observe_numbers(shown: Ints) -> Observations:
            """Return what an intruder observes of the numbers; rows whose code in ``shown`` is -1 are not observed."""
            return observe_neighbour_swaps(values.codes, different, np.where(shown < 0, np.nan, numbers))

        is_short = len(different) <= SHORT_SCALE
        observations = (
            _observe_with_shares(released, name, observe_numbers, values, codes) if is_short else observe_numbers(codes)
        )
        observations = _combine_person_rows(released, observations, second, truth, released_column, values)
        return _compute_belief_by_class(released, name, "swapped", observations, values)
    known_codes = [
        column.category_codes.astype(np.int64)
        for column in released.table.with_role("quasi-identifier")
        if column.kind != "text"
    ]

    def score(rows: Ints) -> Floats:
        """Return each row's probability of its released value given its quasi-identifiers.

        It is computed by naive Bayes, with smoothed counts that leave out the row itself.
        """
        log = log_posteriors(known_codes, second, len(names), rows, smoothing=0.5, leave_out=True)
        chances = np.exp(log - log.max(axis=1, keepdims=True))
        chances /= chances.sum(axis=1, keepdims=True)
        return np.asarray(chances[np.arange(len(rows)), second[rows]])

    classes = released.by_others
    sizes = count_class_people(classes, released.people)
    swapped = Swapped(first, second, len(names), classes.ids, classes.count, score, sizes)
    values = weight_by_people(Values.of_categories(first, names), released.people)
    is_settled = is_revealed_by_class(swapped) & (sizes[classes.ids] > 1)
    observations = _observe_with_shares(
        released, name, lambda shown: observe_swapped_rows(replace(swapped, released=shown)), values, second, is_settled
    )
    observations = _combine_person_rows(released, observations, second, truth, released_column, values)
    return _compute_belief_by_class(released, name, "swapped", observations, values)


def _observe_with_shares(
    released: Released,
    name: str,
    observe: Callable[[Ints], Observations],
    values: Values,
    codes: Ints,
    is_settled: Bools | None = None,
) -> Observations:
    """Return the observations of an intruder who also estimates the true shares of values in known classes.

    No shares are estimated if the probability of a change depends on people's details, or if several independent draws
    of one value of a person are combined (``_combine_person_rows``), because the shares would count once for each.

    Parameters
    ----------
    released, name
        The table as written, and the name of the column.
    observe
        Returns the observations for given codes.
    values, codes
        The true values, and each row's released code, -1 where missing.
    is_settled
        Rows whose value is known already, bool, shape (rows,); None for no row.
    """
    people = released.people
    if any(step.method.chances_follow_details for step in released.changing_steps(name)):
        return observe(codes)
    if people.with_several:
        is_constant = is_constant_in_person(values.codes, people)
        if is_constant.any() and not has_repeated_draws(codes, values.codes == codes, people, is_constant):
            return observe(codes)
    public_roles: tuple[Role, ...] = ("other",) if released.candidate.prepared.type.is_public else ()
    known_columns = released.table.with_role("quasi-identifier", *public_roles)
    classes = [released.reachable.ids, *(column.category_codes.astype(np.int64) for column in known_columns)]
    return estimate_class_shares(observe, values, codes, classes, released.k_min, people, is_settled)
