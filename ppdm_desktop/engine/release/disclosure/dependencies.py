"""Functional dependencies: columns released truly that reveal other columns which a method hides."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, on_grid
from ppdm_desktop.engine.attacks.dependence import (
    DETERMINED,
    FEWEST_SHARED,
    CountedSets,
    DeterminingFormula,
    FixedBySet,
    find_computed_numbers,
    find_determining_formula,
    find_determining_sets,
    fit_formula,
)
from ppdm_desktop.engine.attacks.uncertainty import half_widths
from ppdm_desktop.engine.identifiability.classes import classes_of_codes, count_class_people
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.disclosure.released import Released, shows_generalised
from ppdm_desktop.engine.release.disclosure.side_information import DRAFT, WHOLE, Effort, predict_from_columns
from ppdm_desktop.engine.release.disclosure.singled_out import list_unreplaced_columns
from ppdm_desktop.engine.result_cache import RESULTS, hash_arrays
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.generalised_texts import OR_MISSING, list_set_members
from ppdm_desktop.engine.table.rules.base import Survey
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.wording.values import Names, Term

Prediction = tuple[float, Floats]
"""R² and the predicted numbers."""
Manner = Literal["formula", "columns", "learned", "twice"]
_MANNERS: tuple[Manner, ...] = get_args(Manner)

MOST_RECORDS, _DRAFT_RECORDS = 10_000, 3_000
"""Number of people among whom sets and formulas are searched, and the same for planning; all are counted afterwards."""
_FIRST_RECORDS = 2_000
_FIRST_EXPLAINED, _DRAFT_EXPLAINED = 0.80, 0.90
"""If the R² on the first 2,000 people is lower, the learner is not run on all of them; the second is for planning.

Nor is it run for a rounded or coded column that is shown unchanged to so many that it cannot be revealed.
"""
_DRAFT_TOLERANCE = 0.03
"""In planning, the release's own learner is run, too, if the quick one's R² is at most this much below the limit."""
_ROUGH_RECORDS, _ROUGHLY_EXPLAINED = 1_000, 0.50
"""With this many people or more, the quick learner of planning is run first.

If its R² is below the second figure, that is the result; else the better learner is run.
"""
_WEAKER = 0.05


@dataclass(frozen=True, eq=False)
class Dependency:
    """How much other columns reveal of a column that a method hides.

    Attributes
    ----------
    column
        The hidden column.
    manner
        ``columns``: combinations of values determine it; ``formula``: it is computed from them; ``learned``: a learner
        predicts it; ``twice``: another hidden column has the same content with independent noise, so that both together
        reveal more than either alone.
    givers
        Names of the columns that reveal it.
    words
        The formula, or the columns as a list.
    share
        Share of people whose value is revealed, minus chance; R² if it is learned.
    right, people
        Number of people whose value is revealed, and number of people with any prediction: for combinations those who
        share theirs with others, and where ``of_all`` is given those with a hidden value.
    revealed
        Whether the row's value is revealed, bool of shape (rows,).
    guesses
        For numbers the prediction, shape (rows,), NaN without one; None for categories.
    of_all
        Share of all people, if ``share`` counts only those whose cells hide a value; None if it is the same.
    """

    column: str
    manner: Manner
    givers: tuple[str, ...]
    words: str
    share: float
    right: int
    people: int
    revealed: Bools
    guesses: Floats | None
    of_all: float | None = None

    @property
    def reveals_column(self) -> bool:
        """Whether at least 95 % are revealed, by ``of_all`` if it is given and else by ``share``."""
        return (self.share if self.of_all is None else self.of_all) >= DETERMINED - GRID


def hidden_columns(released: Released) -> tuple[str, ...]:
    """Return the names of the released columns in which some value is not the true one, in the table's order.

    Columns in bins (ranges) are always among them.
    """
    return tuple(column.name for column in released.table.columns if not _shows_only_true_values(released, column))


def _shows_only_true_values(released: Released, column: Column) -> bool:
    """Return whether a column has no bins and shows the true value in every cell; an emptied cell makes it False.

    Cells whose true value is missing do not matter; what counts as true is decided by `_find_hidden_rows`.
    """
    bins = released.candidate.prepared.column_section(column.name).bins
    return bins is None and not _find_hidden_rows(released, column).any()


def _find_hidden_rows(released: Released, column: Column) -> Bools:
    """Return which rows have a value that is not released truly, bool of shape (rows,).

    A value that follows from the written one by undoing a step without a key counts as released, a rounded number that
    stands for several values does not. A text such as ``a (?)``, which means "a or no value", counts as true for
    everybody who has the value a. A missing true value is not hidden.
    """
    truth = released.truth(column.name)
    is_hidden = ~(released.is_true_value(column.name) | truth.missing)
    marked = [code for code, text in enumerate(column.texts) if text.endswith(OR_MISSING)]
    rows = np.flatnonzero(is_hidden & np.isin(column.codes, marked))
    is_hidden[rows] = [
        column.texts[released_code].removesuffix(OR_MISSING) != truth.texts[true]
        for released_code, true in zip(column.codes[rows].tolist(), truth.codes[rows].tolist(), strict=True)
    ]
    return is_hidden


def list_dependencies(released: Released, asked: Sequence[str] | None = None) -> tuple[Dependency, ...]:
    """Return the dependencies that reveal hidden columns, the strongest first; empty unless rows are source rows.

    A column may have several. Also returned are dependencies that are too weak to reveal the column (``reveals_column``
    is False). Free text is neither predicted nor used to predict.

    Parameters
    ----------
    released
        The table as written.
    asked
        Names of the hidden columns to look at; None for all.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    if not released.rows_correspond or not released.table.rows:
        return ()
    names = [
        name
        for name in hidden_columns(released)
        if released.table.column(name).kind != "text" and (asked is None or name in asked)
    ]
    givers = [column for column in list_unreplaced_columns(released) if column.kind != "text"]
    dependencies = _find_on_released(released, names, givers)
    revealed = {column.name for column in givers}
    drawn = [name for name in names if name not in revealed]
    for name in drawn:
        progress.check()
        twice = _find_noisy_duplicate(released, name, [column_name for column_name in drawn if column_name != name])
        dependencies += [twice] if twice is not None else []
    dependencies = [_restrict_to_hidden(released, dependency) for dependency in dependencies]
    return tuple(
        sorted(dependencies, key=lambda dependency: (-on_grid(dependency.share), _MANNERS.index(dependency.manner)))
    )


def _find_on_released(released: Released, names: Sequence[str], givers: Sequence[Column]) -> list[Dependency]:
    """Return the dependencies of the hidden columns ``names`` on the columns ``givers``, strong or weak, in no order.

    A column that was only rounded or limited, and by that in less than 95 % of the people, is looked at only if its
    dependency could be the strongest of all, and never in planning.
    """
    well_hidden = [name for name in names if _can_be_revealed(released, name)]
    dependencies = progress.part(0.0, 0.8).run(_find_dependencies, released, well_hidden, givers)
    if released.draft:
        return dependencies
    strongest = max((_leave_out_shown_values(released, dependency).share for dependency in dependencies), default=0.0)
    others = [name for name in names if name not in well_hidden and _compute_changed_share(released, name) > strongest]
    return [*dependencies, *progress.part(0.8, 0.95).run(_find_dependencies, released, others, givers)]


def _find_dependencies(released: Released, names: Sequence[str], givers: Sequence[Column]) -> list[Dependency]:
    """Return the dependencies of the hidden columns ``names`` on the columns ``givers``; empty if either is empty.

    Combinations of columns come first, then for each numeric column a formula, a learner's prediction, both or neither.
    """
    if not names or not givers:
        return []
    hidden = [find_source_column(released, name) for name in names]
    dependencies: list[Dependency] = progress.part(0.0, 0.5).run(_find_determining_sets, released, hidden, givers)
    for index, column in enumerate(hidden):
        with progress.part(0.5 + 0.5 * index / len(hidden), 0.5 + 0.5 * (index + 1) / len(hidden)):
            progress.report(0.0, "doing.gate")
            dependencies += _find_number_dependencies(released, column, givers, dependencies)
    return dependencies


def _find_number_dependencies(
    released: Released, column: Column, givers: Sequence[Column], dependencies: Sequence[Dependency]
) -> list[Dependency]:
    """Return the best formula for a hidden numeric column, strong or weak, and a learner's prediction: two at most.

    The learner is run only if neither the formula nor a known dependency reveals the column; its prediction is left out
    if the column's own rounded numbers predict at least as well. Empty for a column that is not numeric.
    ``dependencies`` are those known already, of any column.
    """
    other_givers = [giver for giver in givers if giver.name != column.name]
    if column.kind != "numeric" or not other_givers:
        return []
    formula = _find_formula(released, column, other_givers)
    of_column = [formula] if formula is not None else []
    if not any(
        dependency.reveals_column for dependency in (*of_column, *dependencies) if dependency.column == column.name
    ):
        learned = _predict_by_learner(released, column, other_givers)
        shown = released.table.column(column.name).numbers if released.is_coarsened(column.name) else None
        # A rounded or limited number may itself show more than a learner predicts.
        if learned is not None and (
            shown is None or _compute_r_squared(column.numbers, shown, ~column.missing) < learned.share
        ):
            of_column.append(learned)
    return of_column


def _restrict_to_hidden(released: Released, dependency: Dependency) -> Dependency:
    """Return a dependency that counts only cells without their true value, if recipients see which these are.

    They see it if hidden cells show a generalised value or nothing. Then ``share``, which never grows, is that of the
    hidden cells, and ``of_all`` states that of all; both are 0 if the column's own sets are guessed right as often
    (``{f, x}`` where nearly all are f). For a column that is only rounded or limited, the result is that of
    `_leave_out_shown_values`. Any other dependency is returned unchanged; so is one on a noisy duplicate of the column
    (``twice``).
    """
    if released.is_coarsened(dependency.column):
        return _leave_out_shown_values(released, dependency)
    column = released.table.column(dependency.column)
    is_hidden = _find_hidden_rows(released, column)
    is_visible = is_hidden.any() and shows_generalised(released.truth(column.name), column)
    if dependency.manner == "twice" or not is_visible:
        return dependency
    revealed = dependency.revealed & is_hidden
    right, people = released.people.among(revealed), released.people.among(is_hidden)
    if dependency.manner == "columns" and right <= released.people.among(_guess_by_text(released, column, is_hidden)):
        return replace(dependency, share=0.0, revealed=revealed & False, right=0, people=people)
    share = right / max(people, 1)
    if dependency.manner == "learned" and dependency.guesses is not None:
        share = _compute_r_squared(find_source_column(released, column.name).numbers, dependency.guesses, is_hidden)
    share = max(min(dependency.share, share), 0.0)
    return replace(dependency, share=share, revealed=revealed, right=right, people=people, of_all=dependency.share)


def _guess_by_text(released: Released, column: Column, is_hidden: Bools) -> Bools:
    """Return which hidden rows show a set of values of which the true one is the commonest in the source; (rows,)."""
    truth = released.truth(column.name)
    counts = dict(zip(truth.categories, truth.category_counts.tolist(), strict=True))
    members = [list_set_members(text, counts) for text in column.texts]
    guesses = np.array([max(values, key=counts.__getitem__, default="") for values in members], dtype=object)
    return np.asarray(is_hidden & (guesses[column.codes] == np.array(truth.texts, dtype=object)[truth.codes]))


def _compute_r_squared(truth: Floats, guesses: Floats, is_asked: Bools) -> float:
    """Return the R² of guesses for the rows marked in ``is_asked``; 0 if none has a guess or there is no variance.

    The variance is that of all rows with a true number and a guess, so the R² is negative if guesses are worse than
    their mean. Arrays have shape (rows,).
    """
    is_guessed = ~np.isnan(truth) & ~np.isnan(guesses)
    asked = is_guessed & is_asked
    variance = float(truth[is_guessed].var()) if asked.any() else 0.0
    return 1.0 - float(np.mean(np.square(truth[asked] - guesses[asked]))) / variance if variance > 0 else 0.0


def _leave_out_shown_values(released: Released, dependency: Dependency) -> Dependency:
    """Return a dependency without the values that a rounded or top-coded column shows unchanged.

    They are no secret. The share is multiplied by the share of people whose value is changed.
    """
    revealed = dependency.revealed & ~released.is_true_value(dependency.column)
    share = dependency.share * _compute_changed_share(released, dependency.column)
    return replace(dependency, share=share, revealed=revealed, right=released.people.among(revealed))


def _can_be_revealed(released: Released, name: str) -> bool:
    """Return whether so many values of a column are hidden that a dependency matters.

    Always, unless steps only rounded or limited it: then if the values of at least 95 % of the people were changed.
    """
    return not released.is_coarsened(name) or _compute_changed_share(released, name) >= DETERMINED - GRID


def _compute_changed_share(released: Released, name: str) -> float:
    """Return the share of people with a row that does not show the true value: the most a dependency can reveal.

    A row without a value counts as one.
    """
    return released.people.among(~released.is_true_value(name)) / max(released.people_count, 1)


def find_source_column(released: Released, name: str) -> Column:
    """Return a column as in the source, before bins, with the rows of ``final`` (released rows before shuffling)."""
    return released.candidate.prepared.original.column(name).take(released.candidate.source_rows)


def _choose_sample_rows(released: Released) -> Ints:
    """Return the rows among which combinations and formulas are searched: the first row of each person.

    If there are more than 10,000 people (3,000 in planning), a sample of them, always the same.
    """
    people, most = released.people, _DRAFT_RECORDS if released.draft else MOST_RECORDS
    return people.first_rows[sample_rows(people.count, most)]


def _to_category_codes(column: Column) -> Ints:
    """Return the category codes of a column as int64, -1 where missing."""
    return column.category_codes.astype(np.int64)


def _find_last_digit_unit(column: Column) -> float:
    """Return the unit of the last digit written in a numeric column, such as 0.1; 1 without a number format."""
    return float(column.style.step) if column.style is not None else 1.0


def _find_formula(released: Released, hidden: Column, givers: Sequence[Column]) -> Dependency | None:
    """Return the formula by which other numeric columns reveal a hidden one; None without one.

    In a large table it is searched on a sample and then fitted to everybody; its ``share`` remains that of the sample.
    None also if it cannot be fitted to everybody. The result counts the people whose value is revealed, of those for
    whom the formula has a result.
    """
    numeric = [column for column in givers if column.kind == "numeric"]
    if not numeric:
        return None
    rows = _choose_sample_rows(released)
    numbers = np.column_stack([column.numbers for column in numeric])
    truth, giver_values = hidden.numbers[rows], numbers[rows]

    def find() -> tuple[DeterminingFormula | None, int]:
        """Return the formula that reveals the column in the sample (None without one), and its size in bytes."""
        formula = find_determining_formula(truth, _find_last_digit_unit(hidden), giver_values)
        return formula, 0 if formula is None else formula.guesses.nbytes + formula.revealed.nbytes

    fitted = RESULTS.sized(("formula", _find_last_digit_unit(hidden), hash_arrays(truth, giver_values)), find)
    if fitted is None:
        return None
    whole: DeterminingFormula | None = fitted
    if len(rows) < len(hidden):
        whole = fit_formula(fitted.form, hidden.numbers, _find_last_digit_unit(hidden), numbers)
    if whole is None:
        return None
    names = [column.name for column in numeric]
    return Dependency(
        hidden.name,
        "formula",
        tuple(names[index] for index in fitted.form.columns),
        fitted.form.format(names),
        fitted.share,
        released.people.among(whole.revealed),
        released.people.among(~np.isnan(whole.guesses)),
        whole.revealed,
        whole.guesses,
    )


def compute_from_others(
    survey: Survey, hidden: Column, rows: Ints, is_shown: Callable[[str], Bools]
) -> tuple[tuple[str, ...], Bools]:
    """Return the columns from which a hidden number is computed, and the rows in which the result is nearly right.

    Numbers and days are added or multiplied with weights, only where all of them are shown truly. Nearly right is a
    result within the half width of `half_widths`. No columns, and no rows, if nothing reveals the number.

    Parameters
    ----------
    survey
        The released columns.
    hidden
        The true values of a numeric column.
    rows
        Indices of rows of different people, among whom weights are searched.
    is_shown
        Function that returns for a column which rows show the true value.

    Returns
    -------
    tuple of tuple of str, and Bools
        Names of the columns; the rows have shape (rows,).
    """
    givers = [column for kind in ("numeric", "date") for column in survey.measured(kind) if column.name != hidden.name]
    numbers = [np.where(is_shown(column.name), survey.numbers(column), np.nan) for column in givers]
    sample, step = rows[sample_rows(len(rows), _ROUGH_RECORDS)], _find_last_digit_unit(hidden)
    columns, is_near = find_computed_numbers(hidden.numbers, hidden.counted_numbers(), step, numbers, sample)
    return tuple(givers[column].name for column in columns), is_near


def _find_determining_sets(released: Released, hidden: Sequence[Column], givers: Sequence[Column]) -> list[Dependency]:
    """Return for each hidden column the best combination of one to three columns that determines it.

    Columns without such a combination are left out. A hidden column that is among ``givers`` is not used for itself.
    The search and the share are on a sample of people, the counts are of everybody.
    """
    names = [column.name for column in givers]
    codes, wanted = [_to_category_codes(column) for column in givers], [_to_category_codes(column) for column in hidden]
    rows = _choose_sample_rows(released)
    itself = [names.index(column.name) if column.name in names else None for column in hidden]
    giver_codes, asked = [code[rows] for code in codes], [code[rows] for code in wanted]

    def find() -> tuple[list[FixedBySet | None], int]:
        """Return for each hidden column the set that determines it in the sample, or None, and the size in bytes."""
        counted = released.candidate.prepared.of_source.setdefault(CountedSets, CountedSets())
        fixed = find_determining_sets(giver_codes, asked, itself=itself, counted=counted)
        return fixed, sum(0 if by_set is None else by_set.revealed.nbytes for by_set in fixed)

    sets = RESULTS.sized(("sets", tuple(itself), hash_arrays(*giver_codes), hash_arrays(*asked)), find)
    dependencies = []
    for column, wanted_codes, revealing_set in zip(hidden, wanted, sets, strict=True):
        if revealing_set is None:
            continue
        revealed, shared = revealing_set.revealed, revealing_set.shared
        if len(rows) < len(column):
            revealed, shared = _find_revealed_rows(released, revealing_set, codes, wanted_codes)
        guesses = np.where(revealed, column.numbers, np.nan) if column.kind == "numeric" else None
        chosen = tuple(names[index] for index in revealing_set.columns)
        right = released.people.among(revealed)
        listed_names = _quote_names(list(chosen))
        dependencies.append(
            Dependency(
                column.name, "columns", chosen, listed_names, revealing_set.share, right, shared, revealed, guesses
            )
        )
    return dependencies


def _find_revealed_rows(
    released: Released, fixed_by_set: FixedBySet, codes: Sequence[Ints], wanted: Ints
) -> tuple[Bools, int]:
    """Return which rows' values a set of columns reveals, and how many people share their combination with others.

    A value is revealed if several people have the combination and all of them have the value. Rows in which the hidden
    column is missing are left out of both.

    Parameters
    ----------
    released, fixed_by_set
        The table as written, and the set of columns.
    codes, wanted
        Codes of all columns from which the set was chosen, and those of the hidden column, -1 where missing.
    """
    present_rows = np.flatnonzero(wanted >= 0)
    classes = classes_of_codes([codes[column][present_rows] for column in fixed_by_set.columns], len(present_rows))
    lowest = np.full(classes.count, np.iinfo(np.int64).max)
    highest = np.full(classes.count, -1, dtype=np.int64)
    np.minimum.at(lowest, classes.ids, wanted[present_rows])
    np.maximum.at(highest, classes.ids, wanted[present_rows])
    many = count_class_people(classes, released.people.take(present_rows)) > 1
    revealed, shared = np.zeros((2, len(wanted)), dtype=np.bool_)
    revealed[present_rows] = (many & (lowest == highest))[classes.ids]
    shared[present_rows] = many[classes.ids]
    return revealed, released.people.among(shared)


def _may_be_predicted(released: Released, name: str) -> bool:
    """Return whether a sample of the source predicts a numeric column from its other columns with R² of at least 0.80.

    Only then may released columns reveal it. Used in planning only; the answer is computed once for a source.
    """
    prepared = released.candidate.prepared
    is_predicted = prepared.of_source.setdefault(_may_be_predicted, {})
    if name not in is_predicted:
        of = np.flatnonzero(~prepared.original.column(name).missing)
        source = prepared.original.take(of[sample_rows(len(of), _FIRST_RECORDS)])
        givers = [column for column in source.with_role(*ATTRIBUTE_ROLES) if column.name != name]
        persons = source.persons.of_row if source.persons.with_several else None
        numbers, rows = source.column(name).numbers, np.arange(source.rows)
        prediction = predict_from_columns(givers, numbers, rows, persons=persons, effort=DRAFT)
        is_predicted[name] = prediction is not None and prediction[0] >= _FIRST_EXPLAINED - GRID
    return bool(is_predicted[name])


def _predict_by_learner(released: Released, hidden: Column, givers: Sequence[Column]) -> Dependency | None:
    """Return what a learner predicts of a hidden number from the columns ``givers``; None if its R² is not above 0.

    Predictions are for a sample of rows (``guesses`` is NaN elsewhere), unless the R² in the sample is high enough to
    predict all. Also None if nothing can be learned, and in planning if the source's own columns predict too little.
    """
    if released.draft and not _may_be_predicted(released, hidden.name):
        return None
    people, effort = released.people, DRAFT if released.draft else WHOLE
    of = np.flatnonzero(~hidden.missing)
    truth = hidden.numbers[of]
    first = sample_rows(len(of), _FIRST_RECORDS)

    def predict(rows: Ints, effort: Effort) -> Prediction | None:
        """Return R² and the predictions for these rows of those with a value; None if nothing can be learned."""
        persons = people.of_row[of[rows]] if people.with_several else None
        return predict_from_columns(givers, truth[rows], of[rows], persons=persons, effort=effort)

    can_reveal = _can_be_revealed(released, hidden.name)
    enough = (_DRAFT_EXPLAINED if released.draft else _FIRST_EXPLAINED) if len(first) < len(of) else np.inf
    prediction = predict(first, effort if len(first) < _ROUGH_RECORDS else DRAFT)
    if prediction is not None and can_reveal and _ROUGHLY_EXPLAINED <= prediction[0] < enough:
        prediction = predict(first, effort)
    if prediction is None or prediction[0] <= 0:
        return None
    if can_reveal and prediction[0] >= enough:
        first = np.arange(len(of))
        prediction = _predict_everybody(lambda learner: predict(first, learner), is_draft=released.draft)
    return _build_learned_dependency(released, hidden, [column.name for column in givers], *prediction, of[first])


def _predict_everybody(predict: Callable[[Effort], Prediction | None], *, is_draft: bool) -> Prediction:
    """Return R² and the predictions for everybody, by the release's learner, or in planning by a quick one.

    In planning the release's learner decides instead if the quick one's R² is at most 0.03 below the limit of 0.95.
    ``predict`` must return a prediction; that of a sample of the same people existed.
    """
    prediction = predict(DRAFT if is_draft else WHOLE)
    if is_draft and prediction is not None and DETERMINED - _DRAFT_TOLERANCE <= prediction[0] < DETERMINED:
        prediction = predict(WHOLE)
    assert prediction is not None
    return prediction


def _build_learned_dependency(
    released: Released, hidden: Column, givers: Sequence[str], explained: float, guesses: Floats, rows: Ints
) -> Dependency:
    """Return the dependency of a hidden number on the columns that predict it.

    A row is revealed if its number lies near enough to its guess to count as right.

    Parameters
    ----------
    released, hidden, givers
        The table as written, the hidden column, and the names of the columns that predict it.
    explained
        R² of the predictions.
    guesses, rows
        The predictions, and the indices of their rows.
    """
    truth = hidden.numbers[rows]
    values, times = np.unique(truth, return_counts=True)
    half = half_widths(guesses, values, times / times.sum(), _find_last_digit_unit(hidden))
    revealed = np.zeros(len(hidden), dtype=np.bool_)
    revealed[rows] = np.abs(truth - guesses) <= half
    whole = np.full(len(hidden), np.nan)
    whole[rows] = guesses
    right, asked = released.people.among(revealed), released.people.among(~np.isnan(whole))
    return Dependency(
        hidden.name, "learned", tuple(givers), _quote_names(givers, 6), explained, right, asked, revealed, whole
    )


def _count_people(released: Released, rows: Ints) -> int:
    """Return the number of people who have at least one of these rows (indices)."""
    there = np.zeros(released.table.rows, dtype=np.bool_)
    there[rows] = True
    return released.people.among(there)


def _find_noisy_duplicate(released: Released, name: str, other_names: Sequence[str]) -> Dependency | None:
    """Return the dependency on a second hidden column with the same content but independent noise; None without one.

    The other's true values predict this column's with a share or R² of at least 0.95, and the released ones do so by
    more than 0.05 less or not at all. Columns that were changed together reveal no more than the release shows anyway.
    The strongest is returned; its ``guesses`` are None.
    """
    truth, released_column = find_source_column(released, name), released.table.column(name)
    best: Dependency | None = None
    for other_name in other_names:
        other_truth, other_released = find_source_column(released, other_name), released.table.column(other_name)
        revealed = _predict_by_column(released, truth, other_truth)
        if (
            revealed is None
            or revealed[0] < DETERMINED - GRID
            or (best is not None and revealed[0] <= best.share + GRID)
        ):
            continue
        kept = _predict_by_column(released, released_column, other_released)
        if kept is not None and kept[0] >= revealed[0] - _WEAKER - GRID:
            continue
        share, right, people = revealed
        revealed_to = right & ~truth.missing
        right_people = released.people.among(revealed_to)
        best = Dependency(name, "twice", (other_name,), other_name, share, right_people, people, revealed_to, None)
    return best


def _predict_by_column(released: Released, hidden: Column, giver: Column) -> tuple[float, Bools, int] | None:
    """Return how well one column predicts another by values, a line or a curve; None if none of these applies.

    The best way counts: its share (or R²), the rows whose value it predicts right, bool of shape (rows,), and the
    number of people for whom it predicts anything.
    """
    rows = _choose_sample_rows(released)
    revealers: list[tuple[float, Bools, int]] = []
    if hidden.kind == giver.kind == "numeric":
        both_present = np.flatnonzero(~np.isnan(hidden.numbers) & ~np.isnan(giver.numbers))
        x, y = giver.numbers[both_present], hidden.numbers[both_present]
        if len(both_present) >= FEWEST_SHARED and np.ptp(x) > 0 and np.ptp(y) > 0:
            formula = find_determining_formula(
                hidden.numbers[rows], _find_last_digit_unit(hidden), giver.numbers[rows][:, None]
            )
            if formula is not None and len(rows) == len(hidden):
                revealers.append((formula.share, formula.revealed, formula.people))
            scaled = (x - x.mean()) / x.std()
            # Through two points goes a line and no one curve.
            curve = np.polyval(np.polyfit(scaled, y, 2 if len(np.unique(x)) > 2 else 1), scaled)
            values, times = np.unique(y, return_counts=True)
            right = np.zeros(len(hidden), dtype=np.bool_)
            right[both_present] = np.abs(y - curve) <= half_widths(
                curve, values, times / times.sum(), _find_last_digit_unit(hidden)
            )
            revealers.append(
                (
                    1 - float(np.mean(np.square(y - curve))) / float(y.var()),
                    right,
                    _count_people(released, both_present),
                )
            )
    codes, wanted = _to_category_codes(giver), _to_category_codes(hidden)
    (by_values,) = find_determining_sets([codes[rows]], [wanted[rows]])
    if by_values is not None:
        whole = (
            (by_values.revealed, by_values.shared)
            if len(rows) == len(hidden)
            else _find_revealed_rows(released, by_values, [codes], wanted)
        )
        revealers.append((by_values.share, *whole))
    return max(revealers, key=lambda way: on_grid(way[0]), default=None)


def _quote_names(names: Sequence[str], most: int = 12) -> str:
    """Return names in quotation marks, joined by commas, for report.json.

    If there are more than ``most``, the rest is counted: '"a", "b" and 3 more'.
    """
    listed = ", ".join(f'"{name}"' for name in names[:most])
    return listed + (f" and {len(names) - most} more" if len(names) > most else "")


def name_givers(dependency: Dependency) -> Names | Term:
    """Return what reveals a hidden column, for a sentence: the formula as text, else the names of the columns."""
    return Term(dependency.words) if dependency.manner == "formula" else Names.of(dependency.givers)
