"""Removing people from an earlier condensed release: as many of its rows are dropped as people leave.

A condensed release has synthetic rows, generated from the statistics (mean, covariance) of groups of people. A person
cannot be subtracted from a group's statistics without being revealed: the difference of the statistics
before and after is that person. Instead, the statistics of the group are computed again from its released rows, which
everybody may have anyway, without one row, drawn at random, for each person who leaves. Both files together reveal
only that someone of the group left. A group that has become too small is dissolved: its rows are counted in the
nearest group, whose rows are then generated again.

A family is a group together with all groups that were split from it; of a person only the family is known. A mark is
a keyed hash of a person's values, by which the release recognises its people.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.resume import released_table, saved_columns
from ppdm_desktop.engine.methods.algorithms.condensation.membership import Membership, marks_of
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import (
    Layout,
    Statistics,
    ValueCounts,
    condense,
    count_values,
)
from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.release.top_up.previous_release import EarlierRelease
from ppdm_desktop.engine.table.column import Column, Table

GONE = -1


@dataclass(frozen=True, eq=False)
class Remaining:
    """An earlier release after people were removed.

    Attributes
    ----------
    release
        Its rows and statistics. The last ``moved`` rows are those of dissolved groups: they are assigned to the groups
        that take them, but the statistics of these groups do not count them yet.
    moved
        Number of rows of dissolved groups.
    moved_needs
        int64, shape (moved,): the smallest group size that is allowed for each of these rows.
    new_index
        int64, shape (groups before,): each group's index among the remaining groups, -1 where it was dissolved.
    from_rows
        bool, shape (groups before,): whether the group's statistics were computed again from released rows.
    left, left_needs
        int64, shape (people who left,): the family of each person who left, and the group size they asked for.
    dissolved
        Number of dissolved groups.
    """

    release: EarlierRelease
    moved: int
    moved_needs: Ints
    new_index: Ints
    from_rows: Bools
    left: Ints
    left_needs: Ints
    dissolved: int


def keep_everybody(earlier: EarlierRelease) -> Remaining:
    """Return the earlier release unchanged, in the form that `take_out` returns: nobody left, no group was changed."""
    groups = len(earlier.statistics.moments.n)
    none = np.zeros(0, dtype=np.int64)
    everything = np.arange(groups, dtype=np.int64)
    return Remaining(earlier, 0, none, everything, np.zeros(groups, dtype=np.bool_), none, none, 0)


def read_leaving_marks(earlier: EarlierRelease, table: Table, names: Sequence[str], path: Path) -> tuple[str, ...]:
    """Return the mark of each person (row) of a file, in its order, after checking that each is in the earlier release.

    A mark is a keyed hash of a person's values in the columns ``names``; ``path`` is the file, for errors. Rows with
    equal values have equal marks; each needs a person of its own in the release.

    Raises
    ------
    InputError
        When a row of the file belongs to nobody in the release; it names the first one.
    """
    members = earlier.statistics.members
    marks = marks_of(table, names, members.salt)
    unknown = [row for row, position in enumerate(members.places(marks)) if position is None]
    if unknown:
        row = int(table.row_numbers[unknown[0]])
        raise InputError("error.top-up.not-in", row=row, file=str(path), args={"records": len(unknown)})
    return marks


def take_out(earlier: EarlierRelease, marks: Sequence[str], like: Table, draws: RandomStream) -> Remaining:
    """Return an earlier release with people removed; unchanged if ``marks`` is empty.

    For each person who leaves, one released row of the group they were in (or of a group split from it) is dropped at
    random, if one is left. The statistics of that group and of all groups split from it are computed again from their
    remaining rows, also of those that lost no row; those of them that are too small then are dissolved into the nearest
    groups. What changed comes back with the release; ``earlier`` itself stays as it was.

    Parameters
    ----------
    earlier
        The release.
    marks
        Marks (keyed hashes) of the people who leave.
    like
        A table whose columns have the kinds and roles of the released ones.
    draws
        Random stream that draws the rows to drop.

    Raises
    ------
    InputError
        When marks are not those of the release, or no other group can take the rows of a group that is too small.
    """
    saved = earlier.statistics
    members = saved.members
    if not marks:
        return keep_everybody(earlier)
    positions = members.places(marks)
    if None in positions:
        raise InputError("error.top-up.unreadable", file=str(earlier.folder))
    leaving = np.array(positions, dtype=np.int64)
    left = members.of[leaving]
    stays = _draw_remaining_rows(saved, members, left, draws)
    touched = np.isin(members.family, left)
    statistics = _recompute_from_rows(earlier, stays, touched, like, members, leaving)
    targets = _find_dissolved_groups(statistics, touched, earlier.folder)
    return _remove_dropped_rows(earlier, statistics, stays, targets, members, leaving, touched)


def _draw_remaining_rows(saved: Statistics, members: Membership, left: Ints, draws: RandomStream) -> Bools:
    """Return which released rows remain, bool, shape (rows of the release,).

    If three people leave a family (a group with all groups split from it), three rows of that family are dropped, drawn
    at random, or all if it has fewer. ``left`` is the family of each person who leaves.
    """
    stays = np.ones(len(saved.layout.released), dtype=np.bool_)
    family = members.family[saved.layout.released]
    for group, count in sorted(Counter(left.tolist()).items()):
        rows = np.flatnonzero(family == group)
        stays[rows[draws.permutation(len(rows))[:count]]] = False
    return stays


def _recompute_from_rows(
    earlier: EarlierRelease, stays: Bools, touched: Bools, like: Table, members: Membership, leaving: Ints
) -> Statistics:
    """Return statistics in which those of each family that loses people are computed from the remaining rows alone.

    A family is a group with all groups split from it; groups of it that lose no row are computed anew as well. Groups
    keep their indices; those without a row have size 0 and the means of before. Each remaining row of these families is
    taken to ask for the largest group size of its group. The people who leave are removed from the members; the layout
    still has the dropped rows.

    Parameters
    ----------
    earlier
        The earlier release.
    stays, touched
        Flags of the released rows that remain, and of the groups whose family loses people.
    like
        A table whose columns have the kinds and roles of the released ones.
    members, leaving
        The people of the release, and the positions of those who leave among them.
    """
    saved = earlier.statistics
    rows = np.flatnonzero(stays & touched[saved.layout.released])
    columns = {column.name: column.take(rows) for column in earlier.rows}
    table = released_table(columns, like)
    coverage = _find_coverage(saved, columns, table)
    groups, compact = np.unique(saved.layout.released[rows], return_inverse=True)
    moments = saved.moments
    n, psum = moments.n.copy(), moments.psum.copy()
    mean, covariance = moments.mean.copy(), moments.covariance.copy()
    is_known, small = saved.known.copy(), saved.too_small.copy()
    n[touched] = 0
    if len(groups):
        condensed = condense(coverage, compact.reshape(-1).astype(np.int64), moments.pmax[groups][compact.reshape(-1)])
        scale = np.array([joint.scale for joint in coverage.joint])
        centre = np.array([joint.centre for joint in coverage.joint])
        n[groups] = condensed.moments.n
        mean[groups] = centre + scale * condensed.moments.mean
        covariance[groups] = condensed.moments.covariance * np.outer(scale, scale)
        is_known[groups], small[groups] = condensed.known, condensed.flat
    # What each asks for is known of families only: the strictest of them stands for all.
    psum[touched] = n[touched] * moments.pmax[touched]
    by_columns = {count.columns: count for count in saved.counts}
    of = groups[compact.reshape(-1)] if len(groups) else np.zeros(0, dtype=np.int64)
    counts = tuple(
        _replace_counts(by_column, count_values([table.column(name) for name in names], of), touched)
        for names, by_column in by_columns.items()
    )
    gaps = count_values([joint.column for joint in coverage.joint], of, [joint.known for joint in coverage.joint])
    staying = np.ones(len(members.marks), dtype=np.bool_)
    staying[leaving] = False
    marks = tuple(mark for mark, stay in zip(members.marks, staying.tolist(), strict=True) if stay)
    return replace(
        saved,
        moments=GroupMoments(n, mean, covariance, moments.pmax, psum),
        known=is_known,
        too_small=small,
        counts=counts,
        gaps=_replace_counts(saved.gaps, gaps, touched),
        members=replace(members, marks=marks, of=members.of[staying], needs=members.needs[staying]),
    )


def _find_coverage(saved: Statistics, columns: Mapping[str, Column], table: Table) -> Coverage:
    """Return the columns that the statistics cover: those generated together, and the sets permuted within groups.

    Columns whose values are counted, without an order, are permuted; an ordinal column is generated with the numbers,
    as its ranks are numbers.
    """
    ordinal = [(str(described["name"]),) for described in saved.columns if described["sort"] == "rank"]
    sets = [counts.columns for counts in saved.counts if counts.columns not in ordinal]
    permuted = tuple(tuple(table.column(name) for name in names) for names in sets)
    return Coverage(saved_columns(saved, columns, table), permuted)


def _replace_counts(old: ValueCounts, new: ValueCounts, touched: Bools) -> ValueCounts:
    """Return counts by group and value: those of ``touched`` groups are taken from ``new``, others from ``old``.

    ``touched`` has a flag for each group; ``new`` must have no others. Values that only ``new`` has are appended to the
    values of ``old``, which all stay listed.
    """
    index = {value: at for at, value in enumerate(old.values)}
    into = np.array([index.setdefault(value, len(index)) for value in new.values] or [0], dtype=np.int64)
    same = ~touched[old.group]
    return ValueCounts(
        old.columns,
        tuple(index),
        np.concatenate([old.group[same], new.group]),
        np.concatenate([old.value[same], into[new.value]]),
        np.concatenate([old.count[same], new.count]),
    )


def _find_dissolved_groups(statistics: Statistics, touched: Bools, path: Path) -> dict[int, int]:
    """Return for each group that has become too small the group that takes its rows, both as indices.

    A group is too small if it has fewer rows than the largest size that its people ask for; only groups flagged in
    ``touched`` are looked at. A group's rows go to the group of the same stratum with the nearest standardised means
    (of equally near ones the first) that is not too small and reaches with them the size that these rows ask for. This
    is decided for one group after the other, by index; rows taken before count for the size, not for the means. Groups
    without a row are left out; the result is empty where no group is too small.

    Raises
    ------
    InputError
        When no group can take the rows; ``path`` is the folder of the release.
    """
    moments, stratum = statistics.moments, statistics.layout.stratum
    short = touched & (moments.n < moments.pmax) & (moments.n > 0)
    scale = np.array([float(column["scale"]) for column in statistics.columns])
    centres = moments.mean / (scale if len(scale) else 1.0)
    size = moments.n.copy()
    target_of_group: dict[int, int] = {}
    for group in np.flatnonzero(short).tolist():
        fits = ~short & (moments.n > 0) & (stratum == stratum[group]) & (size + size[group] >= moments.pmax[group])
        if not fits.any():
            raise InputError("error.top-up.cannot-leave", file=str(path))
        apart = ((centres - centres[group]) ** 2).sum(axis=1)
        target = int(np.argmin(np.where(fits, apart, np.inf)))
        target_of_group[group] = target
        size[target] += size[group]
    return target_of_group


def _remove_dropped_rows(
    earlier: EarlierRelease,
    statistics: Statistics,
    stays: Bools,
    targets: Mapping[int, int],
    members: Membership,
    leaving: Ints,
    touched: Bools,
) -> Remaining:
    """Return the release without dropped rows and dissolved groups; rows of dissolved groups come last.

    With it come the number of these rows and the group sizes they ask for, each earlier group's new index (-1 if it
    disappeared), and the families and demands of those who leave. The rows of dissolved groups are assigned to the
    groups that take them, whose statistics do not count them yet. ``stays`` flags the released rows that remain.
    ``targets`` names for each dissolved group the group that takes its rows; groups without a row disappear as well.
    ``touched`` flags groups with statistics computed again from rows, ``leaving`` are the positions among ``members``
    of the people who leave.
    """
    old = statistics.layout
    gone = (statistics.moments.n == 0) | np.isin(np.arange(len(touched)), list(targets))
    draw = np.where(gone, GONE, np.cumsum(~gone) - 1)
    moved_from = np.isin(old.released, list(targets)) & stays
    order = np.concatenate([np.flatnonzero(stays & ~moved_from), np.flatnonzero(moved_from)])
    into = np.arange(len(touched))
    into[list(targets)] = list(targets.values())
    stay = np.flatnonzero(~gone)
    made = _restrict_to_groups(statistics, stay, draw)
    release = replace(
        earlier,
        statistics=replace(
            made,
            layout=Layout(old.strata, old.stratum[stay], draw[into[old.released[order]]]),
            members=_join_families(made.members, members.family, stay, targets),
        ),
        rows=tuple(column.take(order) for column in earlier.rows),
    )
    moved = np.flatnonzero(moved_from)
    return Remaining(
        release,
        len(moved),
        statistics.moments.pmax[old.released[moved]],
        draw,
        touched,
        members.of[leaving],
        members.needs[leaving],
        len(targets),
    )


def _restrict_to_groups(statistics: Statistics, stay: Ints, new: Ints) -> Statistics:
    """Return the statistics of the groups ``stay`` only, numbered anew from 0.

    ``new`` has the new number of every group, GONE (-1) for those that do not stay. Layout and members are unchanged
    and still speak of all groups; the caller replaces them.
    """
    moments = statistics.moments

    def of(counts: ValueCounts) -> ValueCounts:
        """Return the value counts of the groups that stay, with their new numbers."""
        there = new[counts.group] != GONE
        return replace(counts, group=new[counts.group[there]], value=counts.value[there], count=counts.count[there])

    return replace(
        statistics,
        moments=GroupMoments(
            moments.n[stay], moments.mean[stay], moments.covariance[stay], moments.pmax[stay], moments.psum[stay]
        ),
        known=statistics.known[stay],
        too_small=statistics.too_small[stay],
        counts=tuple(of(count) for count in statistics.counts),
        gaps=of(statistics.gaps),
    )


def _join_families(members: Membership, family: Ints, stay: Ints, targets: Mapping[int, int]) -> Membership:
    """Return the people with their families, after dissolved groups joined the families that take their rows.

    A family is a group with all groups split from it. If one group of family 3 is dissolved into a group of family 1,
    all groups and people of family 3 belong to family 1 from then on; families are not numbered anew. The result has
    the family of each group that stays.

    Parameters
    ----------
    members
        The remaining people.
    family
        The family of each group before.
    stay
        Indices of the groups that stay.
    targets
        For each dissolved group the group that takes its rows.
    """
    now = np.arange(int(family.max()) + 1)
    for group, target in targets.items():
        now[now == now[family[group]]] = now[family[target]]
    return replace(members, family=now[family[stay]], of=now[members.of])
