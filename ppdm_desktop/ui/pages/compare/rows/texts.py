"""Sentences on what happened to a cell, a row or a group of rows; no widgets."""

from __future__ import annotations

import numpy as np

from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.state.diff import CHANGED, GENERALISED, HIDDEN, Diff
from ppdm_desktop.ui.state.level_texts import label_level

_LONGEST = 80


def describe_cell(diff: Diff, row: int, column: int) -> str:
    """Return a line on what happened to a cell: "Row 12 · High · age: 34 was replaced by 37".

    It begins with the number that a spreadsheet program shows for the row (the column names and unread rows count) and
    its protection level (if known). An equal cell is "unchanged", a row that is not released just "removed". If records
    were generated for groups of people, the line is about the row's group instead; otherwise it is "" if released rows
    do not correspond to original rows. ``row`` and ``column`` are indices into the comparison.
    """
    if diff.groups is not None:
        return _describe_group(diff, row)
    if not diff.rows_correspond:
        return ""
    parts = [_("Row {n:place}", n=int(diff.released.row_numbers[row]))]
    if diff.levels is not None:
        parts.append(label_level(diff.levels.levels[diff.levels.codes[row]].name, diff.level_labels))
    if diff.removed[row]:
        parts.append(_("▨ removed"))
        return "  ·  ".join(parts)
    before, after = diff.original.columns[column], diff.released.columns[column]
    first, second = before.text_at(row), after.text_at(row)
    pattern = {
        CHANGED: lazy("{before} was replaced by {after}"),
        HIDDEN: lazy("{before} is hidden"),
        GENERALISED: lazy("{before} is shown as {after}"),
    }.get(diff.state(row, column), lazy("{after}, unchanged"))
    missing = _("missing")
    what = pattern.format(before=Term(_shorten_text(first or missing)), after=Term(_shorten_text(second or missing)))
    parts.append(f"{after.name}: {what}")
    return "  ·  ".join(parts)


def _shorten_text(text: str) -> str:
    """Return a text of at most 80 letters; a longer one is cut and ends with "…"."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _describe_group(diff: Diff, row: int) -> str:
    """Return a line on the group of a row: "Group 2 of 9 · 4 people, replaced by 4 artificial records".

    The comparison must have groups (AssertionError). ``row`` is an index into it.
    """
    assert diff.groups is not None
    low, high = np.searchsorted(diff.groups, [diff.groups[row], diff.groups[row] + 1])
    groups = int(np.count_nonzero(np.diff(diff.groups))) + 1
    index = int(np.count_nonzero(np.diff(diff.groups[: row + 1])))
    people = int(high - low)
    return _(
        "Group {n} of {all}  ·  {people} {people:person|people}, replaced by {people} artificial "
        "{people:record|records}",
        n=index + 1,
        all=groups,
        people=people,
    )


def format_titles(diff: Diff, name: str) -> tuple[str, str]:
    """Return the headings above both tables, (original, release), with their numbers of rows.

    Rows that a step removed are not counted as released. ``name`` is the name of the candidate.
    """
    before, after = diff.original.rows, diff.released_rows
    return (
        _("Original  ·  {n} {n:row|rows}", n=before),
        _("Released, {name}  ·  {n} {n:row|rows}", name=Term(name), n=after),
    )


def describe_pairing(diff: Diff) -> str:
    """Return a note on how rows are paired if released rows do not correspond to original rows, otherwise ""."""
    if diff.rows_correspond:
        return ""
    if diff.groups is not None:
        return _(
            "The released rows are artificial. Each block shows the people of one group and, next to them, the "
            "artificial records made from it. No record belongs to a person."
        )
    return _("The released rows are new. They do not correspond to original rows, so no cell is marked.")


def describe_legend(diff: Diff | None) -> str:
    """Return the explanation of the signs in the tables, followed by a note that rows are shuffled when written.

    If released rows do not correspond to original rows, there are no signs and only the note is returned. For None (no
    comparison yet) both are returned.
    """
    order = _("The rows are shuffled when the file is written. The original stays on this computer.")
    if diff is not None and not diff.rows_correspond:
        return order
    signs = _("≠ another value    ▨ hidden or removed    ≈ broader, still true    ∅ missing in the original")
    return f"{signs}    {order}"


def count_changes_by_kind(diff: Diff) -> dict[str, int]:
    """Return the numbers of changed, hidden and generalised cells and of removed rows.

    The keys are ``changed``, ``hidden``, ``coarser`` and ``removed``.
    """
    cells = {"changed": CHANGED, "hidden": HIDDEN, "coarser": GENERALISED}
    return {**{key: diff.cells(state) for key, state in cells.items()}, "removed": int(diff.removed.sum())}
