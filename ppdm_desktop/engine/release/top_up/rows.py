"""The rows of a top-up: rows of unchanged groups are repeated, rows of the others generated again.

It also has the method that a top-up is the single step of, with its guarantee and how the guarantee is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.change import Change, Renewed
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage, DateGrid
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.add_records import WAITS, Added
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.resume import Continued, saved_style
from ppdm_desktop.engine.methods.algorithms.condensation.membership import Membership, marks_of
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments
from ppdm_desktop.engine.methods.algorithms.condensation.recount import count_misplaced_values
from ppdm_desktop.engine.methods.algorithms.condensation.run import draw_columns, pool_covariances
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import (
    FILE_NAME,
    Condensed,
    Layout,
    Statistics,
    add_known_variances,
    statistics_of,
)
from ppdm_desktop.engine.methods.algorithms.condensation.values import make_stand_in_columns
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.methods.base.step import Guarantee, LevelProof, Recount, Settings, StepResult
from ppdm_desktop.engine.methods.condensation import TOP_UP, Condensation, find_needed_sizes
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.release.attack_audit.inference import Inference
from ppdm_desktop.engine.release.attack_audit.linkage import Linkage
from ppdm_desktop.engine.release.attack_audit.nearest_record import NearestRecord
from ppdm_desktop.engine.release.top_up.leaving import Remaining
from ppdm_desktop.engine.release.top_up.previous_release import EarlierRelease
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.rules import read_declared_rules
from ppdm_desktop.engine.table.rules.base import Survey
from ppdm_desktop.engine.table.writing import count_differing_cells
from ppdm_desktop.engine.wording.catalogue import lazy

# --- step ---------------------------------------------------------------------------------

EARLIER_LEVEL, ON_NEW_RECORDS = "earlier records", "inference-of-new-records"


@dataclass(frozen=True, eq=False)
class Merged(Renewed):
    """The result of a top-up, in memory.

    Attributes
    ----------
    statistics
        Statistics of all groups, old and new; they do not say yet which released row belongs to which group.
    group
        int64, shape (rows of the new release,): the group of each row.
    sizes, pmax
        Shape (groups,): number of records, and the largest group size that one of these records asks for.
    old
        Number of records in those groups of the earlier release that remain.
    untouched
        Number of rows repeated from the earlier release, which come first.
    expected
        The repeated rows, followed by rows with the values that each changed group has.
    levels
        For each privacy level of the new records: its name, the group size it asks for, the number of its records that
        were added, the size of the smallest group with one of them, and the source row of that record.
    files
        Files of the earlier release to store, bytes by name.
    """

    statistics: Statistics
    group: Ints
    sizes: Ints
    pmax: Ints
    old: int
    untouched: int
    expected: Table
    levels: tuple[tuple[str, float, int, float | None, int | None], ...]
    files: Mapping[str, bytes]


class TopUp(Condensation):
    """The method of a top-up: adds new records to a condensed release; recipes cannot name it."""

    id, title = TOP_UP
    summary = lazy(
        "New records join the groups of an earlier release, of which only statistics are left. "
        "A group is generated again only when enough new records have joined it."
    )
    # Guessing a person's value with and without their group says nothing of the artificial rows that
    # stand for earlier persons; this attack on the new records alone is not built.
    attacks = (NearestRecord.id, Linkage.id, ON_NEW_RECORDS)
    missing_attacks: ClassVar[Mapping[str, str]] = {ON_NEW_RECORDS: "attack.name.inference-of-new-records"}
    unfit_attacks = (Inference.id,)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return an empty recount of the guarantee, because only the run itself knows the groups of earlier records."""
        return Recount(Guarantee("run", False, before.rows, None), ())

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return the recount of a top-up's guarantee in the table ``after``, from the groups that the run kept.

        The guarantee holds if no group is smaller than its members ask for and no value is wrong. Counted are the
        records in groups that are too small, changed cells of repeated rows, and values that do not belong to their
        group. Without the groups of a run, or if ``after`` has another number of rows, the recount is empty and the
        guarantee does not hold.
        """
        merged = result.in_memory
        if not isinstance(merged, Merged) or after.rows != len(merged.group):
            return self.recount(before, after, settings, result.detail)
        short = merged.sizes < merged.pmax
        off = int(merged.sizes[short].sum())
        first = np.arange(merged.untouched)
        for name in settings.columns:
            wanted, released_column = merged.expected.column(name), after.column(name)
            off += count_misplaced_values(wanted, released_column, merged.group)
            off += count_differing_cells([wanted.take(first)], [released_column.take(first)])
        least = float(merged.sizes.min(initial=after.rows))
        return Recount(
            Guarantee("run", off == 0, after.rows, least), _build_proofs(merged, settings, bool(short.any()))
        )

    def internal_files(
        self, before: Table, settings: Settings, result: StepResult, row_order: Ints | None = None
    ) -> Mapping[str, bytes]:
        """Return the new statistics and the files needed to repeat the top-up, bytes by name.

        The statistics say which released row belongs to which group; without ``row_order``, which has for each released
        row the row of the result, they do not. Empty if the result has no groups of a run in memory.
        """
        merged = result.in_memory
        if not isinstance(merged, Merged):
            return {}
        statistics = merged.statistics
        released = merged.group[row_order] if row_order is not None else np.zeros(0, dtype=np.int64)
        layout = Layout(statistics.layout.strata, statistics.layout.stratum, released)
        return {FILE_NAME: replace(statistics, layout=layout).to_json(), **merged.files}


def _build_proofs(merged: Merged, settings: Settings, any_short: bool) -> tuple[LevelProof, ...]:
    """Return the guarantee for each privacy level of the new records, and a last one for the earlier records.

    The last one states the group whose size exceeds the size asked for by least, or falls short of it by most; it is
    met unless ``any_short``, which says that some group is too small.
    """
    columns = ", ".join(settings.columns)
    level_proofs = [
        LevelProof(name, columns, records, records, 0, asked, least, row, least is None or least >= asked)
        for name, asked, records, least, row in merged.levels
    ]
    tightest = int(np.argmin(merged.sizes - merged.pmax))
    asked, least = float(merged.pmax[tightest]), float(merged.sizes[tightest])
    level_proofs.append(
        LevelProof(EARLIER_LEVEL, columns, merged.old, merged.old, 0, asked, least, None, not any_short)
    )
    return tuple(level_proofs)


# --- rows ---------------------------------------------------------------------------------


def build_new_release(
    before: EarlierRelease,
    remaining: Remaining,
    table: Table,
    settings: Settings,
    continued: Continued,
    added: Added,
    group_of_new: Ints,
    streams: StepStream,
) -> tuple[Merged, Table, Condensed]:
    """Return the new release: its merged groups, its table, and the moments of its groups with known variances added.

    Rows of unchanged groups are repeated as they were; those of changed groups are generated anew and follow them,
    group by group. Rows are numbered from 1 and not shuffled yet; the columns are the released ones in the order of
    ``table``.

    Parameters
    ----------
    before, remaining
        The earlier release, and the same after people were removed.
    table, settings
        The new records, and the settings of the step.
    continued, added
        The groups with the new records added, and the result of adding them.
    group_of_new
        Group of each new record, -1 for a record that waits.
    streams
        Random streams of the step.
    """
    earlier = remaining.release
    stream, old = continued.stream, earlier.statistics
    moments = stream.moments()
    condensed = add_known_variances(moments, stream.known[: stream.count], continued.coverage)
    counts = stream.counts[: stream.count]
    changed = stream.changed[: stream.count]
    kept_rows = np.flatnonzero(~changed[old.layout.released])
    again = np.flatnonzero(changed)
    compact = np.repeat(np.arange(len(again)), moments.n[again])
    part = Condensed(_select_moments(moments, again, condensed), condensed.known[again], condensed.flat[again])
    released_columns = make_stand_in_columns(
        continued.coverage, continued.blocks, counts[again], compact, continued.ranks
    )
    made = _list_released_columns(released_columns)
    if len(again):
        rules = read_declared_rules(old.rules, Survey.of(table)) if settings.values["common"] else None
        inside = pool_covariances(condensed)
        made = draw_columns(settings.values, released_columns, compact, part, inside, streams, rules)
    names = [column.name for column in table.columns if column.role in RELEASED_ROLES]
    group = np.concatenate([old.layout.released[kept_rows], again[compact]])
    repeated = {column.name: column.take(kept_rows) for column in earlier.rows}
    released, expected = _stacked_tables(repeated, made, _list_released_columns(released_columns), names, len(group))
    every = np.repeat(np.arange(stream.count), moments.n)
    needs = find_needed_sizes(table, settings)
    whole = make_stand_in_columns(continued.coverage, continued.blocks, counts, every, continued.ranks)
    statistics = statistics_of(
        whole,
        None,
        every,
        condensed,
        dict(old.parameters),
        Layout(old.layout.strata, added.stratum, np.zeros(0, dtype=np.int64)),
        _build_membership(old, table, settings, needs, group_of_new, added),
        old.replaced,
        old.rules,
    )
    merged = Merged(
        _build_change(before, remaining, needs, group_of_new, added, group),
        _keep_unchanged_groups(old, statistics, changed),
        group,
        moments.n,
        moments.pmax,
        int(old.moments.n.sum()),
        len(kept_rows),
        expected,
        _summarise_levels(table, needs, group_of_new, moments.n),
        earlier.files_to_store(),
    )
    return merged, released, condensed


def _stacked_tables(
    repeated: Mapping[str, Column], made: Sequence[Column], stand_ins: Sequence[Column], names: Sequence[str], rows: int
) -> tuple[Table, Table]:
    """Return two tables that begin with the same repeated rows: the first goes on with generated rows (``made``).

    The second goes on with stand-ins, rows with the values that the members of each changed group have. Both tables
    have ``rows`` rows, numbered from 1, and columns in the order of ``names``.
    """
    numbers = np.arange(1, rows + 1, dtype=np.int64)
    made_by_name, stand_in_by_name = ({column.name: column for column in columns} for columns in (made, stand_ins))
    first = {name: copy_metadata(repeated[name], made_by_name[name]) for name in names}
    released = Table(tuple(stack_columns(first[name], made_by_name[name]) for name in names), numbers)
    return released, Table(tuple(stack_columns(first[name], stand_in_by_name[name]) for name in names), numbers)


def _list_released_columns(coverage: Coverage) -> list[Column]:
    """Return the released columns: those generated together, then those with values permuted within groups."""
    return [
        *(joint.column for joint in coverage.joint),
        *(column for columns in coverage.permuted for column in columns),
    ]


def _build_membership(
    old: Statistics, table: Table, settings: Settings, needs: Ints, group: Ints, added: Added
) -> Membership:
    """Return which people are counted in which family: those of the earlier release first, then those who joined.

    A family is a group with all groups split from it: new groups split from an old one belong to its family, and a
    group founded by new records alone is a new family. Families are numbered anew from 0, in their earlier order, new
    ones last. ``group`` is the group of each new record, -1 (WAITS) for a record that is not added; ``needs`` is the
    group size that each asks for.
    """
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


def _build_change(
    before: EarlierRelease, remaining: Remaining, needs: Ints, group: Ints, added: Added, after_group: Ints
) -> Change:
    """Return how groups and people changed: the groups before and after, and who joined or left.

    It has the earlier rows with their groups and families, the earlier group from which each group comes (-1 for a new
    one), which earlier groups were computed again from rows, and the group of each row of the new release. For each
    person who joined it has the group, for each who left the family of groups, both with the group size asked for.

    Parameters
    ----------
    before, remaining
        The earlier release, and the same after people were removed.
    needs, group
        For each new record the group size it asks for, and its group, -1 (WAITS) for a record that is not added.
    added
        The result of adding the new records.
    after_group
        The group of each row of the new release.
    """
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


def _keep_unchanged_groups(old: Statistics, new: Statistics, changed: Bools) -> Statistics:
    """Return the new statistics, in which unchanged groups have exactly their old means, covariances and demands.

    ``changed`` has a flag for each group; computing anew would change last digits. Demands are the sums of the group
    sizes that people ask for.
    """
    same = np.flatnonzero(~changed[: len(old.moments.n)])
    mean, covariance, psum = new.moments.mean.copy(), new.moments.covariance.copy(), new.moments.psum.copy()
    mean[same], covariance[same] = old.moments.mean[same], old.moments.covariance[same]
    psum[same] = old.moments.psum[same]
    return replace(new, moments=replace(new.moments, mean=mean, covariance=covariance, psum=psum))


def _select_moments(moments: GroupMoments, chosen: Ints, condensed: Condensed) -> GroupMoments:
    """Return the moments of the groups ``chosen`` (indices or flags), with the covariances of ``condensed``.

    These covariances, with known variances added, generated the rows; sizes, means and demands are those of
    ``moments``.
    """
    return GroupMoments(
        moments.n[chosen],
        moments.mean[chosen],
        condensed.moments.covariance[chosen],
        moments.pmax[chosen],
        moments.psum[chosen],
    )


def _summarise_levels(
    table: Table, needs: Ints, group: Ints, sizes: Ints
) -> tuple[tuple[str, float, int, float | None, int | None], ...]:
    """Return for each privacy level its name, group size asked for, records added, smallest group and a source row.

    The size asked for is the largest need of the added records. The smallest group is the size of the smallest group
    with one of them, and the row, numbered from 1 in the file of new records, is the first of them in a group of that
    size. Without an added record these two are None and the size asked for is the level's own, at least 2.

    Parameters
    ----------
    table
        The new records.
    needs
        Group size that each new record asks for.
    group
        Group of each new record, -1 (WAITS) for a record that is not added.
    sizes
        Number of records in each group.
    """
    levels = levels_of(table)
    summaries = []
    for index, level in enumerate(levels.levels):
        rows = np.flatnonzero((levels.codes == index) & (group != WAITS))
        asked = float(needs[rows].max() if len(rows) else max(level.demand.group, 2))
        worst = int(rows[sizes[group[rows]].argmin()]) if len(rows) else None
        least = None if worst is None else float(sizes[group[worst]])
        row = None if worst is None else int(table.row_numbers[worst])
        summaries.append((level.name, asked, len(rows), least, row))
    return tuple(summaries)


# --- columns one below the other -----------------------------------------------------------------


def stack_columns(first: Column, second: Column) -> Column:
    """Return the cells of one column followed by those of another, with the metadata of the second.

    Equal texts share a code. In a date column the values are put in order of time, those of equal time by text.
    """
    index = {text: code for code, text in enumerate(first.texts)}
    into = np.array([index.setdefault(text, len(index)) for text in second.texts] or [0], dtype=np.int32)
    codes = np.concatenate([first.codes, into[second.codes]]).astype(np.int32)
    merged = replace(second, codes=codes, texts=tuple(index))
    if second.kind == "date":
        grid = DateGrid.of(merged)
        known_texts = [text for text in index if text not in merged.missing_texts]
        merged = replace(merged, order=tuple(sorted(known_texts, key=lambda text: (grid.count(text), text))))
    return merged


def copy_metadata(column: Column, like: Column) -> Column:
    """Return the cells of ``column`` with name, kind, role and all other metadata of the column ``like``."""
    return replace(like, codes=column.codes, texts=column.texts)


def stack_tables(earlier: EarlierRelease, table: Table, entered: Ints) -> Table:
    """Return the rows of the earlier release followed by the new records that were added.

    ``entered`` are the row indices of the added records in ``table``. The columns are those of ``table``; what the
    earlier release left out is empty in its rows. The order of categories and the number format are those of the
    earlier release where it has them. Rows are numbered from 1.
    """
    earlier_columns = {column.name: column for column in earlier.rows}
    rows = len(earlier.statistics.layout.released)
    columns: list[Column] = []
    for column in table.columns:
        new = column.take(entered)
        if column.name in earlier_columns:
            columns.append(
                stack_columns(copy_metadata(earlier_columns[column.name], new), _order_like_release(new, earlier))
            )
        else:
            empty = replace(column, codes=np.zeros(rows, dtype=np.int32), texts=("",))
            columns.append(stack_columns(empty, new))
    return Table(tuple(columns), np.arange(1, rows + len(entered) + 1, dtype=np.int64))


def _order_like_release(column: Column, earlier: EarlierRelease) -> Column:
    """Return a column with the order of categories or the number format that the earlier release has for it.

    A column for which the earlier release has neither comes back as it is.
    """
    for described in earlier.statistics.columns:
        if described["name"] == column.name and described["sort"] == "rank":
            return replace(column, order=tuple(described["order"]))
        if described["name"] == column.name and described["sort"] == "number":
            return replace(column, style=saved_style(described))
    return column
