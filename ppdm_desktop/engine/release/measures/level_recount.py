"""A second count of what each step gave each privacy level, from the written file alone.

It reads the data file's columns as read back, the source, the recipe's demands and the correspondence of rows, and
nothing of how a method works. What a step owes a level follows from the privacy levels and the recipe; what it gave is
counted in the file. If a later step changed a column again, the table in memory after the earlier step is counted
instead. A person counts once, however many rows they have, and lacks what was promised if any row does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine.arrays import GRID, AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    count_class_people,
    equivalence_classes,
    find_anonymity_set_sizes,
    group_people_by_rows,
    pure_classes,
    quasi_identifier_classes,
)
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.day_numbers import NO_DAY, days_of
from ppdm_desktop.engine.table.levels import Level, RecordLevels
from ppdm_desktop.engine.utility.cells import merged_categories

Unit = Literal["share", "group", "spread"]

BY_CHANCE = 1e-6
"""Noise counts as less than promised if chance alone would make it so small with less than this probability."""
_QUANTILES, _VALUES_AT_ONCE = 401, 2_000
"""Number of quantiles of noise by which reflected noise is computed, and of true values computed together."""
_ON_GRID = 0.99
"""A column is on a grid if at least this share of its values are multiples of the grid's step."""
_ROUNDED_FROM = 20
_FINEST = 10**9
_LEAST_GROUP = 2
_ONE_MEMBER = "one-member"
_LARGEST = "largest-balanced"
_FAITHFUL = "faithful"


@dataclass(frozen=True)
class LevelCount:
    """What one step gave the people of one privacy level in one column.

    Attributes
    ----------
    step, column, level
        The step's number, the column (or the columns it treats together, in one name), and the level's name.
    people
        Number of people at the level.
    covered
        Number of these people whom the step's guarantee covers.
    unit
        Unit of ``demand`` and ``least``: ``share`` of the unique people that change, people in a ``group``, or
        ``spread`` of the noise in the column's unit.
    changed
        Number of people whose value changed; None if values belong to no single person.
    asked
        Demand of the privacy level and the recipe.
    demand
        Demand on the step: as asked, or at most the share at which a swap leaves all values undecided.
    least
        The smallest value reached, None if nobody is covered.
    short
        Number of people who lack what was promised.
    worst_row
        Source row (1-based) of the person with the least; None if there is no single one.
    """

    step: int
    column: str
    level: str
    people: int
    covered: int
    unit: Unit
    changed: int | None
    asked: float
    demand: float
    least: float | None
    short: int
    worst_row: int | None = None

    @property
    def met(self) -> bool:
        """Whether all people of the level got what it promises them."""
        return self.short == 0


def recount_levels(candidate: Candidate, written: Table) -> tuple[LevelCount, ...]:
    """Return for each step and privacy level whether its people got what the level promises, counted in the file.

    Parameters
    ----------
    candidate
        The candidate that was written.
    written
        The released columns as read back from the file, rows as in the candidate's ``final``; numbers drawn inside
        their bins are replaced by their bins.

    Returns
    -------
    One line for each step, column (or columns treated together) and level in use; none for a step that gives nothing by
    level, or whose records are known to its own run alone.
    """
    steps = (step for step in candidate.steps if not step.method.counted_by_run)
    return tuple(count for step in steps for count in _recount_step(candidate, step, written))


def _recount_step(candidate: Candidate, step: StepRecord, written: Table) -> Iterator[LevelCount]:
    """Yield the counts of one step in the written file, by privacy level.

    What is counted depends on the method: sizes of groups made, synthetic records, swaps, noise, or people with equal
    values. Nothing is yielded for other methods.
    """
    levels = step.before.levels or RecordLevels.same_for_all(step.before.rows)
    reads, method = step.method.reads_levels, step.method
    if method.correspondence == "group":
        yield from _recount_made_groups(step, levels)
        return
    written_table, rows = _find_written_result(candidate, step, written)
    if method.correspondence == "none":
        yield from _recount_synthetic_records(step, levels, written_table)
    elif "swap" in reads:
        joint = tuple(step.settings.values.get("together") or ())
        units = [(name,) for name in step.settings.columns if name not in joint] + ([joint] if joint else [])
        for names in units:
            yield from _recount_swaps(candidate, step, names, levels, written_table, rows)
    elif "noise" in reads:
        yield from _recount_noise(step, levels, written_table, rows)
    elif "group" in reads and method.protects == "identity":
        set_sizes = _find_anonymity_set_sizes(
            candidate, step, quasi_identifier_classes(written_table), rows, linked=candidate.links_rows
        )
        yield from _recount_sharing_people(step, ", ".join(step.settings.columns), levels, set_sizes, rows)
    elif "group" in reads:
        for name in step.settings.columns:
            classes = equivalence_classes([written_table.column(name)], written_table.rows)
            yield from _recount_sharing_people(
                step, name, levels, _find_anonymity_set_sizes(candidate, step, classes, rows, linked=False), rows
            )


def _recount_made_groups(step: StepRecord, levels: RecordLevels) -> Iterator[LevelCount]:
    """Yield by privacy level the sizes of the groups from which a step made its rows, as it reports them.

    Nothing if it reports none, or if its rows do not correspond to its input.
    """
    group = step.result.row_groups
    # Added to a release made earlier: whose rows those are only the run knows.
    if group is not None and np.array_equal(step.result.table.row_numbers, step.before.row_numbers):
        everybody = np.ones(step.before.rows, dtype=np.bool_)
        yield from _recount_group_sizes(
            step, ", ".join(step.settings.columns), levels, np.bincount(group)[group], everybody
        )


def _recount_synthetic_records(step: StepRecord, levels: RecordLevels, table: Table) -> Iterator[LevelCount]:
    """Yield for each privacy level the smallest group of synthetic records with equal quasi-identifiers.

    Its size is the same for every level, because synthetic records belong to nobody. People who ask for a larger group
    count as lacking it.
    """
    quasi = [name for name in step.settings.columns if step.before.column(name).role == "quasi-identifier"]
    smallest = equivalence_classes([table.column(name) for name in quasi], table.rows).smallest
    least = np.full(step.before.rows, smallest)
    for count in _recount_group_sizes(step, ", ".join(quasi), levels, least, np.ones(step.before.rows, dtype=np.bool_)):
        yield replace(count, worst_row=None)


def _find_written_result(candidate: Candidate, step: StepRecord, written: Table) -> tuple[Table, Ints]:
    """Return a step's result as the file shows it, and for each of its rows the index of its row in the step's input.

    Rows that a later step removed are left out. Columns that a later step changed are taken as this step left them. If
    a later step generated rows, or made groups where this one made some, all rows and columns are as this step left
    them. For a step that generates rows, the indices are those in its own result.
    """
    after = step.result.table
    if step.method.correspondence == "none" and after.rows == written.rows:
        positions = np.arange(after.rows)
    else:
        positions = (
            _find_rows(after, candidate.final.row_numbers) if candidate.rows_correspond else np.arange(after.rows)
        )
    later_steps = [later_step for later_step in candidate.steps if later_step.index > step.index]
    if any(_can_undo_step(later_step, step) for later_step in later_steps):
        return after, _find_input_rows(step)
    touched = {
        column.name
        for later_step in later_steps
        for column in later_step.result.table.columns
        if column is not later_step.before.column(column.name)
    }
    columns = [
        written.column(column.name) if column.name in written and column.name not in touched else column.take(positions)
        for column in after.columns
    ]
    table = Table(tuple(columns), after.row_numbers[positions], None)
    return table, positions if step.method.correspondence == "none" else _find_rows(step.before, table.row_numbers)


def _can_undo_step(later_step: StepRecord, step: StepRecord) -> bool:
    """Return whether a later step generates rows, or moves people between the groups that ``step`` made.

    A later step that makes groups has a promise of its own, which is counted in the file.
    """
    return later_step.method.correspondence != "record" or (_makes_groups(step) and _makes_groups(later_step))


def _makes_groups(step: StepRecord) -> bool:
    """Return whether a step promises people a group in which they cannot be told apart."""
    return step.method.protects == "identity" and "group" in step.method.reads_levels


def _find_rows(table: Table, numbers: Ints) -> Ints:
    """Return the 0-based index in a table of each source row number, in the order of ``numbers``.

    All of them must be in the table; if one is not, the result is wrong or an IndexError is raised.
    """
    if np.array_equal(table.row_numbers, numbers):
        return np.arange(table.rows)
    order = np.argsort(table.row_numbers, kind="stable")
    return np.asarray(order[np.searchsorted(table.row_numbers[order], numbers)] if len(order) else order)


def _find_input_rows(step: StepRecord) -> Ints:
    """Return for each row of a step's result the index of its row in the step's input."""
    return _find_rows(step.before, step.result.table.row_numbers)


# --- people ------------------------------------------------------------------------------------------


def _count_people(step: StepRecord, rows: Bools) -> int:
    """Return the number of people of the step's input who have at least one of the marked rows."""
    return step.before.persons.among(rows)


def _find_anonymity_set_sizes(
    candidate: Candidate, step: StepRecord, classes: Classes, rows: Ints, *, linked: bool
) -> Ints:
    """Return for each row how many people an intruder cannot tell apart, its person included, shape (rows shown,).

    If people are compared by single rows, the row of a person that the fewest people share counts for all their rows.

    Parameters
    ----------
    candidate, step
        The candidate, and the step whose input has the people.
    classes, rows
        Classes of the rows shown, and the index of each in the step's input.
    linked
        Whether people are compared by all their rows.
    """
    return find_anonymity_set_sizes(
        classes, step.before.persons.take(rows), linked=linked, ordered=candidate.keeps_order
    )


@dataclass(frozen=True, eq=False)
class _Identified:
    """The people whom a swap must treat, one entry for each person.

    Attributes
    ----------
    rows
        One row of each person.
    unique, collective
        Whether the value is revealed because the person is unique, and because all of their group have it.
    groups
        Group of each person.
    changed
        Whether the person's value changed.
    """

    rows: Ints
    unique: Bools
    collective: Bools
    groups: Classes
    changed: Bools


def _find_homogeneous_rows(classes: Classes, columns: list[AnyInts]) -> Bools:
    """Return for each record whether all records of its class share one value of some column; bool, shape (records,).

    Records in which any of the columns is missing count as missing in all, and a class with such a record shares no
    value.
    """
    is_present = np.logical_and.reduce([codes >= 0 for codes in columns])
    pure = [pure_classes(classes, np.where(is_present, codes, -1)) for codes in columns]
    return np.asarray(np.logical_or.reduce(pure)[classes.ids])


def _find_identified_people(
    candidate: Candidate, step: StepRecord, columns: list[AnyInts], changed: Bools
) -> _Identified:
    """Return the people whom a swap must treat, by the true values of the swapped column or columns.

    They are those unique by the quasi-identifiers, and members of larger groups with a single true value; both have a
    value in every swapped column. The result has one row of each person, whether they are unique, whether they are such
    members, the groups, and whether their value changed. ``columns`` has the codes of each column, -1 where missing;
    ``changed`` marks rows whose value changed.
    """
    classes, people = quasi_identifier_classes(step.before), step.before.persons
    is_present = np.logical_and.reduce([codes >= 0 for codes in columns])
    rows = people.first_rows
    if candidate.links_rows:
        # Of people with the same rows altogether the value stays with the person: their first row tells it.
        record_sets = group_people_by_rows(classes, people, ordered=candidate.keeps_order)
        is_unique, firsts = record_sets.size_of_record == 1, [codes[rows] for codes in columns]
        return _Identified(
            rows,
            is_unique & is_present[rows],
            _find_homogeneous_rows(record_sets, firsts) & ~is_unique,
            record_sets,
            people.with_any(changed),
        )
    set_sizes = count_class_people(classes, people)[classes.ids]
    unique = people.with_any((set_sizes == 1) & is_present)
    pure = _find_homogeneous_rows(classes, columns) & (set_sizes > 1)
    collective = people.with_any(pure) & ~unique
    # Who stands in several groups belongs to the one of fewest people.
    first = people.first_by(~pure, set_sizes)
    return _Identified(rows, unique, collective, Classes(classes.ids[first], classes.count), people.with_any(changed))


# --- what a level asks ------------------------------------------------------------------------------


def _to_fraction(value: float) -> Fraction:
    """Return the fraction that a decimal number stands for, 1/10 for 0.1, with a denominator of at most 10**9."""
    return Fraction(repr(float(value))).limit_denominator(_FINEST)


def _compute_demanded_sizes(step: StepRecord, levels: RecordLevels) -> Ints:
    """Return the group size that each record asks for, shape (records,).

    A size written in the recipe is the least for everybody. For a method that makes people equal it also replaces the
    size of the weakest named level; for other methods it replaces that of people whose privacy level nobody chose,
    raised to the release type's minimum. No size is below 2.
    """
    settings = step.settings
    written = next((settings.values[key] for key in ("group", "k") if key in settings.written), None)
    draw = levels.of("group").astype(np.int64)
    if isinstance(written, int | float):
        raised = np.maximum(draw, int(written))
        if step.method.protects == "identity":
            weakest = [level.is_weakest and not level.name.startswith("group ") for level in levels.levels]
            draw = np.where(np.array(weakest, dtype=np.bool_)[levels.codes], int(written), raised)
        else:
            draw = np.where(levels.is_default, max(int(written), levels.least_group), raised)
    return np.maximum(draw, _LEAST_GROUP)


def _compute_demanded_share(level: Level, cap: Fraction, proportion: Fraction | None) -> Fraction:
    """Return the share of a privacy level's unique people that must change.

    It is the level's own share, at most ``cap``. A ``proportion`` stated for the step replaces it for the weakest
    level, and is the least for others: if 0.2 is stated, a share of 0.3 becomes 0.2 at the weakest level and stays 0.3
    at another. ``proportion`` is None if none is stated.
    """
    swap_share = min(_to_fraction(level.demand.swap), cap)
    if proportion is None:
        return swap_share
    return proportion if level.is_weakest else max(swap_share, proportion)


def _compute_count_range(share: Fraction, people: int) -> tuple[int, int]:
    """Return the least and the largest count that a share of ``people`` allows.

    They differ only for fewer than 20 people, if the share is no whole count: half of 5 people is 2 or 3. For 20 or
    more people both are the rounded count, halves rounded up.
    """
    exact = share * people
    whole, rest = exact.numerator // exact.denominator, exact - exact.numerator // exact.denominator
    if people >= _ROUNDED_FROM:
        return whole + int(rest >= Fraction(1, 2)), whole + int(rest >= Fraction(1, 2))
    return whole, whole + int(rest > 0)


# --- swaps ------------------------------------------------------------------------------------------


def _count_combinations(columns: list[AnyInts]) -> int:
    """Return the number of different combinations of values in rows without a missing one."""
    lines = np.column_stack(columns)
    return len(np.unique(lines[(lines >= 0).all(axis=1)], axis=0))


def _recount_swaps(
    candidate: Candidate, step: StepRecord, names: tuple[str, ...], levels: RecordLevels, table: Table, rows: Ints
) -> Iterator[LevelCount]:
    """Yield by privacy level the counts of one swapped column, or of several that were swapped together.

    Counted are people who are unique, and members of groups with a single value, who should have changed and did not,
    or the reverse. Without the step's setting ``obey_groups`` such members count like people who are unique.

    Parameters
    ----------
    candidate, step, names
        The candidate, the step, and the columns swapped together.
    levels
        The privacy level of each row of the step's input.
    table, rows
        The step's result in the file, and the index of each of its rows in the step's input.
    """
    before = [step.before.column(name) for name in names]
    columns: list[AnyInts] = [column.category_codes for column in before]
    categories = len(before[0].categories) if len(names) == 1 else _count_combinations(columns)
    identified = _find_identified_people(candidate, step, columns, _find_changed_rows(step, before, table, rows))
    changed, levels = identified.changed, levels.take(identified.rows)
    detail, name = step.result.detail, ", ".join(sorted(names, key=step.before.names.index))
    values, stated = step.settings.values, detail["together"] if len(names) > 1 else detail["columns"][name]
    cap = Fraction(categories - 1, categories)
    written = values["proportion"] if "proportion" in step.settings.written else None
    chosen = _to_fraction(stated["proportion"]) if written == _LARGEST else None
    proportion = chosen if written in (None, _LARGEST) else _to_fraction(written)
    apart = bool(values.get("obey_groups", True))
    unique = identified.unique if apart else identified.unique | identified.collective
    short_groups, largest_off = np.zeros(len(levels.levels), dtype=np.int64), np.ones(len(levels.levels))
    if apart:
        shares = _group_shares(values["group_share"], levels, cap, proportion)
        short_groups, largest_off = _count_wrong_members(
            identified.collective, identified.groups, levels, changed, shares
        )
    for index, level in enumerate(levels.levels):
        at = levels.codes == index
        pool = unique & at
        people, count = int(pool.sum()), int(changed[pool].sum())
        asked = _compute_demanded_share(level, cap, proportion)
        is_chosen = chosen is not None and level.is_weakest
        least, most, used = _compute_demanded_range(asked, people, stated["levels"][index], is_chosen=is_chosen)
        off = max(least - count, count - most, 0)
        reached = count / people if people else None
        if short_groups[index] and not off:
            reached = float(largest_off[index])
        covered = int((at & (identified.unique | identified.collective)).sum())
        yield LevelCount(
            step.index, name, level.name, int(at.sum()), covered, "share", int(changed[at].sum()),
            float(asked), used, reached, off + int(short_groups[index]),
        )  # fmt: skip


def _find_changed_rows(step: StepRecord, before: Sequence[Column], table: Table, rows: Ints) -> Bools:
    """Return for each row of the step's input whether any of the columns ``before`` changed, bool.

    ``table`` is the step's result in the file, and ``rows`` the index of each of its rows in the step's input. Rows
    that a later step removed are compared with what this step made of them; rows that this step removed count as
    unchanged.
    """
    changed = np.zeros(step.before.rows, dtype=np.bool_)
    # The file has the last word; of rows that a later step took out only memory tells.
    for where, seen in ((_find_input_rows(step), step.result.table), (rows, table)):
        pairs = [merged_categories(source.take(where), seen.column(source.name)) for source in before]
        changed[where] = np.logical_or.reduce([true != now for true, now, _ in pairs])
    return changed


def _group_shares(stated: Any, levels: RecordLevels, cap: Fraction, proportion: Fraction | None) -> list[Fraction]:
    """Return the share of a group's members that must change, by the level of its strictest member, weakest first.

    It is the stated share; at levels above the weakest, the share that the level's unique people must change if that is
    larger. A share of 0 stands for one member.

    Parameters
    ----------
    stated
        The step's setting: a share, or "one-member" for one member of each group.
    levels
        The privacy levels.
    cap, proportion
        The largest share, and the share stated for the step or None.
    """
    group_share = Fraction(0) if stated == _ONE_MEMBER else _to_fraction(stated)
    return [
        group_share if level.is_weakest else max(group_share, min(_compute_demanded_share(level, cap, proportion), cap))
        for level in levels.levels
    ]


def _compute_demanded_range(
    asked: Fraction, people: int, level_detail: Mapping[str, Any], *, is_chosen: bool
) -> tuple[int, int, float]:
    """Return the fewest and the most unique people of a privacy level who are to change, and the share demanded.

    A share that the step chose itself (``is_chosen``), or could not reach, is taken from the step's own statement
    (``level_detail``); fewest and most are then the number that it states. ``asked`` is the share that the level asks
    for, ``people`` the number of the level's unique people.
    """
    demanded = float(level_detail["demanded"])
    if is_chosen or demanded < float(asked):
        return int(level_detail["m"]), int(level_detail["m"]), demanded
    return *_compute_count_range(asked, people), float(asked)


def _count_wrong_members(
    members: Bools, classes: Classes, levels: RecordLevels, changed: Bools, shares: list[Fraction]
) -> tuple[Ints, Floats]:
    """Return how many group members should have changed and did not, or the reverse, and the worst group's share.

    A group belongs to the privacy level of its strictest member. Right is the level's share of the group's members,
    rounded down or up, but at least one member.

    Parameters
    ----------
    members, classes
        Marks the people in groups with a single value; and the group of each person.
    levels, changed
        The privacy level of each person, and whether the value changed.
    shares
        The share that has to change, by level.

    Returns
    -------
    tuple of Ints and Floats
        Number of such members at each level, and the share changed in the group that deviates most at each level, 0 if
        none deviates.
    """
    rows = np.flatnonzero(members)
    names, group_index = np.unique(classes.ids[rows], return_inverse=True)
    group_index = group_index.reshape(-1)
    sizes, done = (
        np.bincount(group_index, minlength=len(names)),
        np.bincount(group_index, changed[rows], len(names)).astype(np.int64),
    )
    strictest = np.zeros(len(names), dtype=np.int64)
    np.maximum.at(strictest, group_index, levels.codes[rows].astype(np.int64))
    short, worst = np.zeros(len(shares), dtype=np.int64), np.zeros(len(shares))
    for index, share in enumerate(shares):
        here = np.flatnonzero(strictest == index)
        least = np.maximum(sizes[here] * share.numerator // share.denominator, 1)
        most = np.maximum(-(-sizes[here] * share.numerator // share.denominator), 1)
        off = np.maximum(np.maximum(least - done[here], done[here] - most), 0)
        short[index] = off.sum()
        if short[index]:
            group = here[int(off.argmax())]
            worst[index] = done[group] / sizes[group]
    return short, worst


# --- groups -----------------------------------------------------------------------------------------


def _recount_sharing_people(
    step: StepRecord, column: str, levels: RecordLevels, set_sizes: Ints, rows: Ints
) -> Iterator[LevelCount]:
    """Yield for each privacy level the fewest people who share a record's values, and how many people have too few.

    Only rows that the step protects are judged; removed rows count as protected.

    Parameters
    ----------
    step, column, levels
        The step, the names of its columns joined by ", ", and the privacy level of each row of its input.
    set_sizes, rows
        For each written row the number of people who share its values, and its index in the step's input.
    """
    sizes = np.full(step.before.rows, step.before.rows)
    sizes[rows] = set_sizes
    protected, after = np.zeros(step.before.rows, dtype=np.bool_), _find_input_rows(step)
    for protection in step.result.protections:
        if len(protection.protected) == len(after) and protection.column in column.split(", "):
            protected[after] |= protection.protected
    gone = np.ones(step.before.rows, dtype=np.bool_)
    gone[rows] = False
    yield from _recount_group_sizes(step, column, levels, sizes, protected | gone, ~gone)


def _recount_group_sizes(
    step: StepRecord,
    column: str,
    levels: RecordLevels,
    sizes: Ints,
    covered: Bools,
    present: Bools | None = None,
) -> Iterator[LevelCount]:
    """Yield by privacy level the number of people in groups smaller than they ask for, and the smallest group.

    If any group is too small, it is the smallest of these; None if nobody was judged.

    Parameters
    ----------
    step, column, levels
        The step, the names of its columns joined by ", ", and the privacy level of each row of its input.
    sizes
        Size of each row's group, shape (rows of the input,), like the next two.
    covered
        Whether the row is judged.
    present
        Whether the row is still in the file; None if all are.
    """
    numbers, groups_asked = step.before.row_numbers, _compute_demanded_sizes(step, levels)
    for index, level in enumerate(levels.levels):
        at = levels.codes == index
        asked = int(groups_asked[at].max(initial=_LEAST_GROUP))
        counted = np.flatnonzero(at & covered if present is None else at & covered & present)
        short = counted[sizes[counted] < groups_asked[counted]]
        # Who lacks something goes before who has least: not everybody at a level asks for as much.
        marked_rows = short if len(short) else counted
        worst = int(marked_rows[sizes[marked_rows].argmin()]) if len(marked_rows) else None
        yield LevelCount(
            step.index,
            column,
            level.name,
            _count_people(step, at),
            _count_people(step, at & covered),
            "group",
            None,
            float(asked),
            float(asked),
            None if worst is None else float(sizes[worst]),
            _count_people(step, _flag_rows(short, len(at))),
            None if worst is None else int(numbers[worst]),
        )


def _flag_rows(rows: Ints, of: int) -> Bools:
    """Return flags for ``of`` rows, bool of shape (of,), that are True at the indices ``rows`` and else False."""
    marked = np.zeros(of, dtype=np.bool_)
    marked[rows] = True
    return marked


# --- noise ------------------------------------------------------------------------------------------


def _recount_noise(step: StepRecord, levels: RecordLevels, written: Table, rows: Ints) -> Iterator[LevelCount]:
    """Yield by privacy level the strength of the noise of each of the step's columns as measured in the file.

    For a step that moves dates it is that of the shifts, which all columns share. ``written`` is the step's result in
    the file, and ``rows`` the index of each of its rows in the step's input.
    """
    if step.method.keeps_differences:
        yield from _recount_date_shifts(step, levels, written, rows)
        return
    for name in step.settings.columns:
        yield from _recount_column_noise(step, name, levels, written.column(name), rows)


def _recount_column_noise(
    step: StepRecord, name: str, levels: RecordLevels, seen: Column, rows: Ints
) -> Iterator[LevelCount]:
    """Yield for each privacy level the noise found in a column, as a standard deviation, and who got too little.

    The deviation is the root mean square of the changes in rows with a draw of their own (`_find_own_draws`); in rows
    that a later step removed, of those that this step made. Too little noise means people who had a number and have
    none in the file; if some have too little noise, also those with an unchanged value, and if all have, everybody.
    ``seen`` is the written column, ``rows`` the index of each of its rows in the step's input.
    """
    column, values = step.before.column(name), step.settings.values
    present = ~column.missing
    sd = _compute_demanded_spread(column.numbers[present], values, name)
    moved = np.full(len(column), np.nan)
    for where, after in ((_find_input_rows(step), step.result.table.column(name)), (rows, seen)):
        moved[where] = after.numbers - column.numbers[where] if after.kind == "numeric" else np.nan
    drawn = _find_own_draws(step, column)
    figures = step.result.detail["columns"][name]
    grid = _find_grid(column, figures.get("step"))
    mirrors = (figures["reflected_at"], figures.get("period")) if "reflected_at" in figures else None
    for index, level in enumerate(levels.levels):
        at = levels.codes == index
        drawn_rows = np.flatnonzero(at & present & drawn & ~np.isnan(moved))
        there = moved[drawn_rows]
        asked = sd * (1.0 if values["mode"] == _FAITHFUL else float(level.demand.noise))
        uncovered = at & present & np.isnan(moved)
        law = str(values["noise"])
        expected = _compute_reflected_noise(column.numbers[drawn_rows], asked, grid, law, *mirrors) if mirrors else None
        if too_little := _count_too_little_noise(there, asked, grid, law, expected):
            uncovered |= at & present & (moved == 0) if too_little < len(there) else at & present
        yield LevelCount(
            step.index,
            name,
            level.name,
            _count_people(step, at),
            _count_people(step, at & present),
            "spread",
            _count_people(step, at & present & (np.nan_to_num(moved) != 0)),
            asked,
            asked,
            float(np.sqrt(np.mean(there**2))) if len(there) else None,
            _count_people(step, uncovered),
        )


def _find_grid(column: Column, used: float | None) -> float:
    """Return the step of the grid on which a column's true values lie.

    It is ``used``, the one that the method used, if at least 99 % of the values are multiples of it. Otherwise, or if
    ``used`` is None or not larger, it is the unit of the last digit in which its numbers are written.
    """
    written = float(column.style.step) if column.style is not None else 1.0
    numbers = column.numbers[~column.missing]
    if used is None or used <= written:
        return written
    steps = numbers / used
    return used if np.mean(np.abs(steps - np.rint(steps)) < GRID) >= _ON_GRID else written


def _recount_date_shifts(step: StepRecord, levels: RecordLevels, written: Table, rows: Ints) -> Iterator[LevelCount]:
    """Yield by privacy level how far people's dates moved in the file, and the people whose dates moved wrongly.

    The distance is the root mean square, in days; wrongly means too little, too far, or not all of a person's dates
    equally. People who have no column with a date both before and in the file are not judged. ``written`` is the step's
    result in the file, and ``rows`` the index of each of its rows in the step's input.
    """
    values, people, names = step.settings.values, step.before.persons, ", ".join(step.settings.columns)
    lowest, highest = np.full(people.count, np.inf), np.full(people.count, -np.inf)
    for name in step.settings.columns:
        true, released = days_of(step.before.column(name))[rows], days_of(written.column(name))
        dated = np.flatnonzero((true != NO_DAY) & (released != NO_DAY))
        whose, days = people.of_row[rows[dated]], (released - true)[dated].astype(np.float64)
        np.minimum.at(lowest, whose, days)
        np.maximum.at(highest, whose, days)
    dated_people, is_split = highest > -np.inf, highest > lowest
    every = 7 if values["keep"] == "weekday" else 1
    for index, level in enumerate(levels.levels):
        at = levels.codes[people.first_rows] == index
        half = round(float(values["most"]) * float(level.demand.noise)) // every
        asked = every * (half * (half + 1) / 3) ** 0.5
        moved = highest[at & dated_people]
        uncovered = at & (is_split | (dated_people & (np.abs(highest) > half * every)))
        if half and (too_little := _count_too_little_noise(moved, asked, float(every), "uniform")):
            uncovered |= at & dated_people & ((highest == 0) if too_little < len(moved) else True)
        yield LevelCount(
            step.index,
            names,
            level.name,
            int(np.count_nonzero(at)),
            int(np.count_nonzero(at & dated_people)),
            "spread",
            int(np.count_nonzero(at & dated_people & (highest != 0))),
            asked,
            asked,
            float(np.sqrt(np.mean(moved**2))) if len(moved) else None,
            int(np.count_nonzero(uncovered)),
        )


def _find_own_draws(step: StepRecord, column: Column) -> Bools:
    """Return which rows have a noise draw of their own, bool, shape (rows,).

    If every person's value is constant, these are the first row with a value of each person and the rows without a
    value; otherwise every row.
    """
    people, is_first_draw = step.before.persons, np.ones(len(column), dtype=np.bool_)
    codes = column.category_codes
    present_rows = np.flatnonzero(codes >= 0)
    row_people = people.take(present_rows)
    first = present_rows[row_people.first_rows][row_people.of_row]
    if (codes[present_rows] == codes[first]).all():
        is_first_draw[present_rows] = False
        is_first_draw[first] = True
    return is_first_draw


def _compute_demanded_spread(numbers: Floats, values: Any, name: str) -> float:
    """Return the standard deviation of noise demanded: the setting ``sd``, else from the ratio of variances.

    ``sd`` is one number for all columns, or one for each by name. Without it the result is the standard deviation of
    ``numbers`` (with divisor n), divided by the square root of the setting ``snr``. ``values`` are the step's settings,
    ``name`` is the column.
    """
    written = values["sd"]
    if isinstance(written, Mapping):
        written = written.get(name)
    return float(written) if isinstance(written, int | float) else float(np.std(numbers)) / float(values["snr"]) ** 0.5


@dataclass(frozen=True)
class _Expected:
    """What noise of a demanded standard deviation does to some values.

    Attributes
    ----------
    squares, variance
        Mean and variance of the sum of the squared changes.
    still
        Mean probability that a value is not changed on its grid.
    """

    squares: float
    variance: float
    still: float


def _compute_reflected_noise(
    truth: Floats, sd: float, grid: float, law: str, mirror: float, period: float | None
) -> _Expected:
    """Return the expected effect of reflected noise on these values: how large the changes are and how many stay zero.

    The result holds mean and variance of the sum of the squared changes over all values, and the mean probability that
    a value stays the same on the grid. Noise is reflected at the mirror, and with a period also at half a period above
    it.

    Parameters
    ----------
    truth
        The true values.
    sd, law
        Standard deviation and shape of the noise, ``gaussian`` or uniform.
    grid
        Step of the values shown.
    mirror, period
        Where noise is reflected; only there if the period is None.
    """
    from scipy.stats import norm, uniform

    shape = norm(scale=sd) if law == "gaussian" else uniform(-(3**0.5) * sd, 2 * 3**0.5 * sd)
    draws = shape.ppf((np.arange(_QUANTILES) + 0.5) / _QUANTILES)
    squares = variance = still = 0.0
    values, counts = np.unique(truth - mirror, return_counts=True)
    for start in range(0, len(values), _VALUES_AT_ONCE):
        above, people = values[start : start + _VALUES_AT_ONCE, None], counts[start : start + _VALUES_AT_ONCE]
        released, images = np.abs(above + draws), np.hstack([above, -above])
        if period is not None:
            released = np.minimum(released % period, period - released % period)
            images = np.hstack([images - period, images, images + period])
        changed = np.square(released - above)
        squares += float(people @ changed.mean(axis=1))
        variance += float(people @ changed.var(axis=1))
        hit = shape.cdf(images - above + grid / 2) - shape.cdf(images - above - grid / 2)
        still += float(people @ hit.sum(axis=1))
    return _Expected(squares, variance, min(still / max(len(truth), 1), 1.0))


def _count_too_little_noise(moved: Floats, sd: float, grid: float, law: str, expected: _Expected | None = None) -> int:
    """Return how many people got less noise than demanded, beyond what chance explains.

    - Everybody if the sum of squares is below its lower limit (a gamma law of its mean and variance; chi-squared for
      normal noise, whose lower tail is heaviest, so that uniform noise is not rejected wrongly).
    - Else those with an unchanged value, if these are more than rounding of such noise explains (binomial). Else 0.

    Parameters
    ----------
    moved
        Change of each value, shape (people,).
    sd, grid, law
        The demanded standard deviation, the column's grid, and the shape of the noise.
    expected
        What the noise does to these values if it is reflected; None if it is not.
    """
    from scipy.stats import binom, gamma, norm

    people = len(moved)
    if not people:
        return 0
    if expected is None:
        half = grid / 2 / sd
        still = float(2 * norm.cdf(half) - 1) if law == "gaussian" else min(half / 3**0.5, 1.0)
        expected = _Expected(people * sd**2, 2 * people * sd**4, still)
    kept = int((moved == 0).sum())
    # Phase 2 draws from a cell: a value comes to stand where it was no more often than by the noise alone.
    few = kept if kept and float(binom.sf(kept - 1, people, expected.still)) < BY_CHANCE else 0
    # What was drawn may lie half a step further out than what is shown on the grid.
    most = float(((np.abs(moved) + grid / 2) ** 2).sum())
    scale = expected.variance / expected.squares
    return people if most < float(gamma.ppf(BY_CHANCE, expected.squares / scale, scale=scale)) else few
