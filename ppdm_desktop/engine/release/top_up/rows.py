"""The rows of a top-up: rows of unchanged groups are repeated, rows of the others generated."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.change import Change
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage
from ppdm_desktop.engine.methods.algorithms.condensation.dates import DateGrid
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.add_records import WAITS, Added
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.resume import Continued, saved_style
from ppdm_desktop.engine.methods.algorithms.condensation.membership import Membership, marks_of
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments
from ppdm_desktop.engine.methods.algorithms.condensation.run import made_columns, within_all
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import (
    Condensed,
    Layout,
    Statistics,
    statistics_of,
    widened,
)
from ppdm_desktop.engine.methods.algorithms.condensation.values import stand_in
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.methods.condensation import needed
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.release.top_up.leaving import Remaining
from ppdm_desktop.engine.release.top_up.previous_release import EarlierRelease
from ppdm_desktop.engine.release.top_up.step import Merged
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.rules import written_rules
from ppdm_desktop.engine.table.rules.base import Survey


def released_rows(
    before: EarlierRelease,
    remaining: Remaining,
    table: Table,
    settings: Settings,
    held: Continued,
    added: Added,
    group_of_new: Ints,
    streams: StepStream,
) -> tuple[Merged, Table, Condensed]:
    """Return the new release: its merged groups, its table, and its statistics."""
    earlier = remaining.release
    stream, old = held.stream, earlier.statistics
    moments = stream.moments()
    condensed = widened(moments, stream.known[: stream.count], held.coverage)
    counts = stream.counts[: stream.count]
    changed = stream.changed[: stream.count]
    kept_rows = np.flatnonzero(~changed[old.layout.released])
    again = np.flatnonzero(changed)
    compact = np.repeat(np.arange(len(again)), moments.n[again])
    part = Condensed(_groups(moments, again, condensed), condensed.known[again], condensed.flat[again])
    released_columns = stand_in(held.coverage, held.blocks, counts[again], compact, held.ranks)
    made = _shown(released_columns)
    if len(again):
        rules = written_rules(old.rules, Survey.of(table)) if settings.values["common"] else None
        inside = within_all(condensed)
        made = made_columns(settings.values, released_columns, compact, part, inside, streams, rules)
    names = [column.name for column in table.columns if column.role in RELEASED_ROLES]
    group = np.concatenate([old.layout.released[kept_rows], again[compact]])
    repeated = {column.name: column.take(kept_rows) for column in earlier.rows}
    released, expected = _stacked_tables(repeated, made, _shown(released_columns), names, len(group))
    every = np.repeat(np.arange(stream.count), moments.n)
    needs = needed(table, settings)
    whole = stand_in(held.coverage, held.blocks, counts, every, held.ranks)
    statistics = statistics_of(
        whole,
        None,
        every,
        condensed,
        dict(old.parameters),
        Layout(old.layout.strata, added.stratum, np.zeros(0, dtype=np.int64)),
        _members(old, table, settings, needs, group_of_new, added),
        old.replaced,
        old.rules,
    )
    merged = Merged(
        _change(before, remaining, needs, group_of_new, added, group),
        _as_saved(old, statistics, changed),
        group,
        moments.n,
        moments.pmax,
        int(old.moments.n.sum()),
        len(kept_rows),
        expected,
        _levels(table, needs, group_of_new, moments.n),
        earlier.kept(),
    )
    return merged, released, condensed


def _stacked_tables(
    repeated: Mapping[str, Column], made: Sequence[Column], stand_ins: Sequence[Column], names: Sequence[str], rows: int
) -> tuple[Table, Table]:
    """Return two tables that begin with the repeated rows: one followed by generated rows, one by stand-ins."""
    numbers = np.arange(1, rows + 1, dtype=np.int64)
    made_by_name, stand_in_by_name = ({column.name: column for column in columns} for columns in (made, stand_ins))
    first = {name: dressed(repeated[name], made_by_name[name]) for name in names}
    released = Table(tuple(stacked(first[name], made_by_name[name]) for name in names), numbers)
    return released, Table(tuple(stacked(first[name], stand_in_by_name[name]) for name in names), numbers)


def _shown(coverage: Coverage) -> list[Column]:
    """Return the columns that are released together or permuted."""
    return [
        *(joint.column for joint in coverage.joint),
        *(column for columns in coverage.permuted for column in columns),
    ]


def _members(old: Statistics, table: Table, settings: Settings, needs: Ints, group: Ints, added: Added) -> Membership:
    """Return which people are counted in which groups, including those who joined."""
    members = old.members
    rows = np.flatnonzero(group != WAITS)
    families = int(members.family.max(initial=-1)) + 1
    draw = np.where(added.origin >= 0, members.family[added.origin], families + np.arange(len(added.origin)))
    family = np.unique(draw, return_inverse=True)
    number = np.full(families + len(added.origin), WAITS, dtype=np.int64)
    number[family[0]] = np.arange(len(family[0]))
    return Membership(
        members.salt,
        family[1].reshape(-1).astype(np.int64),
        members.marks + marks_of(table.take(rows), settings.columns, members.salt),
        np.concatenate([number[members.of], family[1].reshape(-1)[group[rows]]]),
        np.concatenate([members.needs, needs[rows]]),
    )


def _change(
    before: EarlierRelease, remaining: Remaining, needs: Ints, group: Ints, added: Added, after_group: Ints
) -> Change:
    """Return the people who joined or left, by the index of their group before and now."""
    entered = np.flatnonzero(group != WAITS)
    place_before = np.flatnonzero(remaining.new_index >= 0)
    origin = np.where(added.origin >= 0, place_before[added.origin], WAITS)
    kept = before.statistics
    return Change(
        before.rows,
        kept.layout.released,
        kept.members.family,
        origin,
        remaining.from_rows,
        after_group,
        group[entered],
        needs[entered],
        remaining.left,
        remaining.left_needs,
    )


def _as_saved(old: Statistics, new: Statistics, changed: Bools) -> Statistics:
    """Return the new statistics with those of unchanged groups exactly as before."""
    same = np.flatnonzero(~changed[: len(old.moments.n)])
    mean, covariance, psum = new.moments.mean.copy(), new.moments.covariance.copy(), new.moments.psum.copy()
    mean[same], covariance[same] = old.moments.mean[same], old.moments.covariance[same]
    psum[same] = old.moments.psum[same]
    return replace(new, moments=replace(new.moments, mean=mean, covariance=covariance, psum=psum))


def _groups(moments: GroupMoments, chosen: Ints, condensed: Condensed) -> GroupMoments:
    """Return the moments of some groups, with the covariance matrices that generated the rows."""
    return GroupMoments(
        moments.n[chosen],
        moments.mean[chosen],
        condensed.moments.covariance[chosen],
        moments.pmax[chosen],
        moments.psum[chosen],
    )


def _levels(
    table: Table, needs: Ints, group: Ints, sizes: Ints
) -> tuple[tuple[str, float, int, float | None, int | None], ...]:
    """Return for each level the number of new records added and the smallest group among theirs."""
    levels = levels_of(table)
    level_codes = []
    for index, level in enumerate(levels.levels):
        rows = np.flatnonzero((levels.codes == index) & (group != WAITS))
        asked = float(needs[rows].max() if len(rows) else max(level.demand.group, 2))
        worst = int(rows[sizes[group[rows]].argmin()]) if len(rows) else None
        least = None if worst is None else float(sizes[group[worst]])
        row = None if worst is None else int(table.row_numbers[worst])
        level_codes.append((level.name, asked, len(rows), least, row))
    return tuple(level_codes)


# --- columns one below the other -----------------------------------------------------------------


def stacked(first: Column, second: Column) -> Column:
    """Return one column followed by the other, with the metadata of the second; dates keep their order."""
    index = {text: code for code, text in enumerate(first.texts)}
    into = np.array([index.setdefault(text, len(index)) for text in second.texts] or [0], dtype=np.int32)
    codes = np.concatenate([first.codes, into[second.codes]]).astype(np.int32)
    merged = replace(second, codes=codes, texts=tuple(index))
    if second.kind == "date":
        grid = DateGrid.of(merged)
        known_texts = [text for text in index if text not in merged.missing_texts]
        merged = replace(merged, order=tuple(sorted(known_texts, key=lambda text: (grid.count(text), text))))
    return merged


def dressed(column: Column, like: Column) -> Column:
    """Return a column's values with the metadata of another column."""
    return replace(like, codes=column.codes, texts=column.texts)


def side_by_side(earlier: EarlierRelease, table: Table, entered: Ints) -> Table:
    """Return the rows of the earlier release followed by the new records that were added.

    Columns that the earlier release left out are empty in its rows.
    """
    earlier_columns = {column.name: column for column in earlier.rows}
    rows = len(earlier.statistics.layout.released)
    columns: list[Column] = []
    for column in table.columns:
        new = column.take(entered)
        if column.name in earlier_columns:
            columns.append(stacked(dressed(earlier_columns[column.name], new), _ordered(new, earlier)))
        else:
            empty = replace(column, codes=np.zeros(rows, dtype=np.int32), texts=("",))
            columns.append(stacked(empty, new))
    return Table(tuple(columns), np.arange(1, rows + len(entered) + 1, dtype=np.int64))


def _ordered(column: Column, earlier: EarlierRelease) -> Column:
    """Return a column with the order, or the number format, of the earlier release."""
    for described in earlier.statistics.columns:
        if described["name"] == column.name and described["sort"] == "rank":
            return replace(column, order=tuple(described["order"]))
        if described["name"] == column.name and described["sort"] == "number":
            return replace(column, style=saved_style(described))
    return column
