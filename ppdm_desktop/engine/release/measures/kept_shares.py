"""How much of each column a release keeps, and which columns it shows only roughly."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Ints, find_row_positions
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate, is_drawn
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.usefulness import TrueRows, measure_kept_shares

_LEAST_KEPT = 0.5
"""A column of which less than this share is kept is shown only roughly."""
_MOST_ROUGH = 3.0
"""So is a column that shows at most so many values, if the source has more than twice as many."""
_ROUGH: WeakKeyDictionary[Candidate, frozenset[str]] = WeakKeyDictionary()
"""The columns of each candidate that are shown only roughly, because both sentences and the verdict ask for them."""


def is_rough(kept: float, shown: Ints, source: Ints) -> bool:
    """Return whether a column is shown only roughly: less than half of it is kept, or it shows three values or fewer.

    Values count by the people who have them: four values that 85 %, 5 %, 5 % and 5 % have count as 1.4, the inverse of
    the sum of squared shares. A column whose source has at most twice as many is not rough because of that.

    Parameters
    ----------
    kept
        The share of the column that is kept, as usefulness counts it.
    shown, source
        How many people have each value in the release and in the source.
    """
    values, values_before = (float(counts.sum()) ** 2 / max(float(counts @ counts), 1.0) for counts in (shown, source))
    return kept < _LEAST_KEPT - GRID or (values <= _MOST_ROUGH + GRID and 2 * values < values_before)


def list_rough_columns(candidate: Candidate) -> frozenset[str]:
    """Return the names of the released columns about people that are shown only roughly (`is_rough`).

    Roughly means that less than half of a column is kept, or that it shows about three values or fewer and the source
    more than twice as many. A column without any information left counts, too. Empty for a file made elsewhere whose
    rows are not matched with source rows, unless a step makes groups or synthetic rows. They are found once for each
    candidate.
    """
    if candidate not in _ROUGH:
        is_made = any(step.method.correspondence != "record" for step in candidate.steps)
        is_known = candidate.rows_correspond or is_made
        _ROUGH[candidate] = frozenset(_find_rough_columns(candidate)) if is_known else frozenset()
    return _ROUGH[candidate]


def _find_rough_columns(candidate: Candidate) -> set[str]:
    """Return the names of the released columns about people that are shown only roughly, as `list_rough_columns`.

    They are found anew in each call, also where rows are not matched with source rows.
    """
    source, released = candidate.prepared.original.with_role(*ATTRIBUTE_ROLES), find_released_columns(candidate)
    shares = progress.make_silent_progress().run(
        measure_kept_shares, source, released, find_true_rows(candidate), candidate.prepared.of_source
    )
    return {
        column.name
        for column in source
        if column.name in released
        and is_rough(shares[column.name], released[column.name].category_counts, column.category_counts)
    }


def find_released_columns(candidate: Candidate) -> dict[str, Column]:
    """Return the released columns that describe people, by name: as in ``final``, so in source order if rows are kept.

    Columns of numbers drawn inside bins are those of ``released``, with rows in the order of the file, which may be
    random. A column that neither bins nor a step touched is the source's own object, if no row was removed, and so need
    not be compared.
    """
    return {
        name: (candidate.released if is_drawn(candidate, name) else candidate.final).column(name)
        for name in candidate.described_names
    }


def find_true_rows(candidate: Candidate) -> dict[str, TrueRows]:
    """Return each released column as it was after the last step that left its values true, with its source rows.

    For each row of the column these are the index of its row in the source. Steps before the first one that changes
    values of the column or makes new rows count; generalising and suppressing do not change values. A column that is no
    longer there by then is missing.
    """
    source, rows_of = candidate.prepared.original, dict[str, TrueRows]()
    for name in candidate.described_names:
        table = candidate.prepared.table
        for step in candidate.steps:
            is_changed = name in step.settings.columns and step.method.leaves_values == "changed"
            if step.method.correspondence != "record" or is_changed:
                break
            table = step.result.table
        if name in table:
            positions = find_row_positions(source.row_numbers, table.row_numbers)
            rows_of[name] = TrueRows(table.column(name), positions)
    return rows_of
