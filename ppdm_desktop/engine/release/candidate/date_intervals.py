"""The days between the dates of a person, which stay true if all of a person's dates are moved together."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.arrays import Ints, every_row
from ppdm_desktop.engine.attacks.singling_out import days_after_first
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.day_numbers import NO_DAY, days_of, days_of_texts
from ppdm_desktop.engine.wording.catalogue import lazy


def columns_moved_together(candidate: Candidate) -> tuple[str, ...]:
    """Return the names of released date columns whose last step moved all dates of a person by the same days.

    Later steps that only removed records or values do not count: the dates that are left are still those moved.
    """
    last = _find_last_steps(candidate)
    dates = [column.name for column in candidate.final.with_role(*RELEASED_ROLES) if column.kind == "date"]
    return tuple(name for name in dates if name in last and last[name].method.keeps_differences)


def _find_last_steps(candidate: Candidate) -> dict[str, StepRecord]:
    """Return by column the last step that names it and does more than remove records or values."""
    steps = [step for step in candidate.steps if step.method.leaves_values != "unchanged"]
    return {name: step for step in steps for name in step.settings.columns}


def dates_in_blocks(candidate: Candidate, column: Column) -> Column:
    """Return a date column, whose last step moved each person's dates together, as numbers of blocks of days.

    Any other column is returned unchanged. Later steps that only remove rows or cells do not count. A block is as long
    as the smallest, over privacy levels, of the largest shifts; at least one day. With blocks of 30 days, the first 30
    days from the first true date are block 0 and the next 30 block 1; a shorter block at the end belongs to the one
    before it. Dates beyond the true ones count to the first or last block, and texts that are no dates to the first;
    empty cells stay empty. The new column is nominal, without a role.
    """
    if column.name not in columns_moved_together(candidate):
        return column
    step = _find_last_steps(candidate)[column.name]
    width = max(min(step.result.detail["columns"][column.name]["shifts"]), 1)
    true = days_of_texts(step.before.column(column.name))
    first, last = int(true[true != NO_DAY].min(initial=10**9)), int(true.max(initial=0))
    days = np.clip(days_of_texts(column), first, None)
    # Who stands beyond the first or last true date belongs to it, and a block cut short to the one before it.
    blocks = np.minimum((days - first) // width, max((last - first + 1) // width - 1, 0))
    texts = ["" if text in column.missing_texts else str(block) for text, block in zip(column.texts, blocks.tolist())]
    return Column.from_texts(column.name, texts).take(column.codes.astype(np.int64))


def units_of_dates(candidate: Candidate) -> Ints:
    """Return whose dates an intruder can combine, shape (rows,).

    It is the person of each row if rows are linked, else the row.
    """
    return candidate.persons.of_row if candidate.links_rows else every_row(candidate.final.rows)


def days_between(candidate: Candidate, table: Table) -> Ints | None:
    """Return the days from the first date to each date of a person or row, shape (units, most dates), rising.

    The units are those of ``units_of_dates`` (persons if their rows are linked, else rows). The first is 0; -1 fills up
    after a unit's last date, and at most the 20 earliest dates are used. None if no unit has two dates that were moved
    together, if a step made groups or synthetic rows, or if no row is released.

    Parameters
    ----------
    candidate
        The release, whose rows are those of its source.
    table
        The dates, rows in the order of ``final``.
    """
    names = columns_moved_together(candidate)
    if not names or not candidate.rows_correspond or not candidate.final.rows:
        return None
    unit = units_of_dates(candidate)
    columns = [days_of(table.column(name)) for name in names]
    rows = [np.flatnonzero(days != NO_DAY) for days in columns]
    dates = np.concatenate([days[dated] for days, dated in zip(columns, rows, strict=True)])
    between = days_after_first(np.concatenate([unit[dated] for dated in rows]), dates, int(unit.max()) + 1)
    return between if between.shape[1] > 1 else None


def column_of_intervals(candidate: Candidate, table: Table) -> Column | None:
    """Return the days from a person's first date to each later one as a column, as recipients can compute it.

    Where they cannot link a person's rows, it is about the dates of each row. The column is numeric if nobody has more
    than two dates, else a text such as "3, 40"; it is empty for people with at most one date. It has the rows of
    ``table``, and is confidential if all date columns are, else has role ``other``. Of more than 20 dates only the
    earliest 20 count. None if nobody has two dates that were moved together, if a step made groups or synthetic rows,
    or if no row is released.

    Parameters
    ----------
    candidate, table
        The release, whose rows are those of its source, and the dates, rows in the order of ``final``.
    """
    between = days_between(candidate, table)
    if between is None:
        return None
    values, code_of_unit = np.unique(between[:, 1:], axis=0, return_inverse=True)
    texts = tuple(", ".join(str(day) for day in value if day >= 0) for value in values.tolist())
    roles = {table.column(name).role for name in columns_moved_together(candidate)}
    is_number = between.shape[1] == 2
    name = lazy("days between the dates").english  # the same in a report of any language
    while name in candidate.prepared.original:
        name = f"({name})"
    return Column(
        name,
        name,
        code_of_unit.reshape(-1)[units_of_dates(candidate)].astype(np.int32),
        texts,
        role="confidential" if roles == {"confidential"} else "other",
        kind="numeric" if is_number else "nominal",
        style=NumberStyle.seen_in([text for text in texts if text]) if is_number else None,
    )
