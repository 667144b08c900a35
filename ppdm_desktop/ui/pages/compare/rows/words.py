"""What became of one cell, one row or one group, in a sentence. No widgets here."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.texts import plural
from ppdm_desktop.ui.state.diff import CHANGED, GENERALISED, HIDDEN, Diff
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.number_words import count

_LONGEST = 80


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def cell_words(diff: Diff, row: int, column: int) -> str:
    """Say what became of a cell; of its group where new records were made; nothing where rows are apart."""
    if diff.groups is not None:
        return _group_words(diff, row)
    if not diff.rows_correspond:
        return ""
    parts = [_tr("Row {n}").format(n=count(float(diff.released.row_numbers[row])))]
    if diff.levels is not None:
        parts.append(level_words(diff.levels.levels[diff.levels.codes[row]].name, diff.said))
    if diff.removed[row]:
        parts.append(_tr("removed: this person is not in the release"))
        return "  ·  ".join(parts)
    before, after = diff.original.columns[column], diff.released.columns[column]
    first, second = before.texts[before.codes[row]], after.texts[after.codes[row]]
    pattern = {
        CHANGED: _tr("{before} became {after}"),
        HIDDEN: _tr("{before} is hidden"),
        GENERALISED: _tr("{before} is released as {after}"),
    }.get(diff.state(row, column), _tr("{after}, unchanged"))
    missing = _tr("missing")
    what = pattern.format(before=_brief(first or missing), after=_brief(second or missing))
    parts.append(f"{after.name}: {what}")
    return "  ·  ".join(parts)


def _brief(words: str) -> str:
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


def _group_words(diff: Diff, row: int) -> str:
    assert diff.groups is not None
    low, high = np.searchsorted(diff.groups, [diff.groups[row], diff.groups[row] + 1])
    groups = int(np.count_nonzero(np.diff(diff.groups))) + 1
    place = int(np.count_nonzero(np.diff(diff.groups[: row + 1])))
    people = int(high - low)
    made = _tr("{n} people, {n} made-up records instead").format(n=count(people))
    made = plural(people, _tr("1 person, 1 made-up record instead"), made)
    return _tr("Group {n} of {all}  ·  {made}").format(n=count(place + 1), all=count(groups), made=made)


def title_words(diff: Diff, name: str) -> tuple[str, str]:
    """Return what stands above both tables."""
    before, after = diff.original.rows, diff.released_rows
    return (
        plural(before, _tr("Original  ·  1 row"), _tr("Original  ·  {n} rows")).format(n=count(before)),
        plural(after, _tr("Released, {name}  ·  1 row"), _tr("Released, {name}  ·  {n} rows")).format(
            name=name, n=count(after)
        ),
    )


def note_words(diff: Diff) -> str:
    """Say what the rows are where they do not stand beside each other; nothing where they do."""
    if diff.rows_correspond:
        return ""
    if diff.groups is not None:
        return _tr(
            "The released rows are made up, group by group. Between two lines stand the people of one group and, "
            "beside them, the records made from that group; no record is anybody's own."
        )
    return _tr("The released rows are new rows, so none stands beside its original and no cell is marked.")


def legend_words(diff: Diff | None) -> str:
    """Explain the marks."""
    order = _tr("Shown in the original order; the rows are shuffled on export. The original stays here.")
    if diff is not None and not diff.rows_correspond:
        return _tr("The rows are shuffled on export. The original stays here.")
    signs = _tr("≠ another value    ▨ hidden    ≈ coarser, still true    ∅ missing in the original")
    if diff is not None and diff.removed.any():
        signs = _tr("≠ another value    ▨ hidden or removed    ≈ coarser, still true    ∅ missing in the original")
    return f"{signs}    {order}"


def strip_words(diff: Diff, lanes: Sequence[Sequence[float]]) -> str:
    """Explain the strip beside the tables, by the lanes it shows: hidden, coarser, another value."""
    if not diff.rows_correspond:
        return _tr("The frame in the strip at the side is what you see of all rows; a click jumps.")
    if not any(share > 0 for lane in lanes for share in lane):
        return _tr("The strip at the side is empty but for what you see, because nothing differs in these rows.")
    return _tr(
        "The strip at the side is all these rows: the longer a bar, the more rows with that sign; the frame is what "
        "you see, and a click jumps."
    )


def states_in(diff: Diff) -> dict[str, int]:
    """Return how many cells are changed, hidden and coarser, and how many rows are removed."""
    cells = {"changed": CHANGED, "hidden": HIDDEN, "coarser": GENERALISED}
    return {**{key: diff.cells(state) for key, state in cells.items()}, "removed": int(diff.removed.sum())}
