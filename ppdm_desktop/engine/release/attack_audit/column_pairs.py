"""Pairs of columns for the attacks: each column before the steps and as released, with rows in the same order.

Helpers for attacks where a person may have several rows: a person counts by their most successful row.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints, every_row, narrowed, places_among
from ppdm_desktop.engine.attacks.gower import Values
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes, row_sets
from ppdm_desktop.engine.release.attack_audit.truth_in_release import in_released_words
from ppdm_desktop.engine.release.candidate.model import Candidate, Compared, PubliclyReversible, compared
from ppdm_desktop.engine.report.model import AttackTail
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.utility.cells import shared_cells
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.models.features import paired_columns, side_by_side
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Spoken

# --- people targets -----------------------------------------------------------------------


def one_each(candidate: Candidate, rows: Ints) -> Ints:
    """Return the first of these rows of each person, ascending."""
    return rows[candidate.persons.take(rows).first_rows]


def rows_of_people(candidate: Candidate, most: int) -> Ints:
    """Return all rows of a fixed sample of people, ascending."""
    people = candidate.persons
    chosen = np.zeros(people.count, dtype=np.bool_)
    chosen[sample_rows(people.count, most)] = True
    return np.flatnonzero(chosen[people.of_row])


def most_of_people(candidate: Candidate, rows: Ints, gains: Floats) -> Floats:
    """Return the largest gain of each person over the given rows; shape (people,).

    Parameters
    ----------
    rows, gains
        Rows of ``final`` that were attacked and the gain on each, both of shape (rows,).
    """
    return np.asarray(-candidate.persons.take(rows).least(-gains))


def fitting_people(candidate: Candidate, true: Sequence[AnyInts], seen: Sequence[AnyInts]) -> tuple[Ints, Bools]:
    """Return for each person how many released people have, in all rows together, the same known values.

    Parameters
    ----------
    candidate
        Whose people have several rows.
    true, seen
        Codes of the known columns, true and as released; equal codes are equal values; each of shape (rows,).

    Returns
    -------
    tuple of Ints and Bools
        The number of matching people, and whether the person themself is one of them; each of shape (people,).
    """
    people = candidate.persons
    rows = people.rows
    both = classes_of_codes([np.concatenate(pair) for pair in zip(true, seen, strict=True)], 2 * rows)
    twice = People(
        np.concatenate([people.of_row, people.of_row + people.count]), np.concatenate([people.lacking, people.lacking])
    )
    sets: Classes = row_sets(both, twice, ordered=candidate.keeps_order)
    known_sets, released = sets.ids[: people.count], sets.ids[people.count :]
    return np.bincount(released, minlength=sets.count)[known_sets], known_sets == released


# --- column pairs -------------------------------------------------------------------------

FEW_CELLS = 10
NO_CERTAINTY = lazy("this attack guesses numbers, without saying how sure it is")
"""Why an attack has no tail."""
BLIND = lazy("one released record taken at random")
LESS_CHANCE = lazy("right answers of the attack, minus those of a blind guess")


def sides(candidate: Candidate, names: Sequence[str]) -> tuple[list[Column], list[Column]]:
    """Return the released columns with their true and with their released values, as two lists with equal row order.

    Rows are those of ``final``; columns of free text are left out. Where released texts are broader than the values
    (a range, a region), the true values are mapped to them (`in_released_words`). Cancellation is checked between
    steps.
    """
    both = _with_names(compared(candidate), names)
    return _in_final_order(candidate, in_released_words(candidate, both))


def paired_values(before: Sequence[Column], after: Sequence[Column]) -> tuple[Values, Values]:
    """Return the columns before and after the steps as input of an attack, codes in the smallest integer type.

    Where no column was changed, both returned objects are the same one.
    """
    same = all(source is released for source, released in zip(before, after, strict=True))
    numbers: list[tuple[Floats, ...]] = []
    codes: list[tuple[AnyInts, ...]] = []
    for paired_column in paired_columns(before, after):
        versions = paired_column.sides[:1] if same else paired_column.sides
        if paired_column.names is None:
            numbers.append(versions)
        else:
            codes.append(tuple(map(narrowed, versions)))
    versions_read = []
    for side, columns in ((0, before),) if same else ((0, before), (1, after)):
        rows = len(columns[0]) if columns else 0
        kind = np.result_type(np.int8, *(codes_pair[side] for codes_pair in codes))
        versions_read.append(
            Values(
                side_by_side([number[side] for number in numbers], rows, np.float64),
                side_by_side([code[side] for code in codes], rows, kind),
            )
        )
    return versions_read[0], versions_read[-1]


def untouched(candidate: Candidate, names: Sequence[str]) -> bool:
    """Return whether every cell of these columns is released unchanged."""
    before, after = _in_final_order(candidate, _with_names(compared(candidate), names))
    for source, released in zip(before, after, strict=True):
        progress.check()
        if not is_untouched(source, released):
            return False
    return True


def _with_names(both: Compared, names: Sequence[str]) -> Compared:
    """Return the source and released columns with these names, without free text."""
    kept = [
        (source, released)
        for source, released in zip(both.before, both.after, strict=True)
        if source.name in names and source.kind != "text" and released.kind != "text"
    ]
    return replace(both, before=tuple(source for source, _ in kept), after=tuple(released for _, released in kept))


def _in_final_order(candidate: Candidate, both: Compared) -> tuple[list[Column], list[Column]]:
    """Return the source columns with their rows ordered as in ``final``, and the released columns."""
    rows = places_among(candidate.prepared.table.row_numbers, candidate.final.row_numbers)
    before = []
    for column in both.before:
        progress.check()
        before.append(column.take(rows))
    return before, list(both.after)


def released_with_role(candidate: Candidate, *roles: str) -> list[str]:
    """Return the names of released columns that have one of these roles."""
    released = set(candidate.described_names)
    return [column.name for column in candidate.final.with_role(*roles) if column.name in released]


def is_untouched(column: Column, released: Column) -> bool:
    """Return whether a column is released with all its values unchanged."""
    if column.codes is released.codes and column.texts == released.texts:
        return True
    code_of_text = {text: code for code, text in enumerate(column.texts)}
    into = np.array([code_of_text.get(text, -1) for text in released.texts], dtype=np.int64)
    return len(column) == len(released) and bool((into[released.codes] == column.codes).all())


def owners(candidate: Candidate) -> Ints | None:
    """Return the index of the person or group that each row of ``final`` was made from; None for synthetic rows."""
    people = candidate.several
    owner: Ints = every_row(candidate.final.rows) if people is None else people.of_row
    for step in candidate.steps:
        if step.method.correspondence == "none":
            return None
        groups = step.result.row_groups
        if groups is None or people is not None:
            continue
        progress.check()
        rows = step.result.table.row_numbers
        order = np.argsort(rows, kind="stable")
        owner = np.asarray(groups[order[np.searchsorted(rows[order], candidate.final.row_numbers)]], dtype=np.int64)
    return owner


def undone(candidate: Candidate, column: Column) -> Column:
    """Return a released column after every inverse that can be applied without a key."""
    for step in reversed(candidate.steps):
        if column.name in step.settings.columns and isinstance(step.method, PubliclyReversible):
            column = step.method.undo(column, step.settings) or column
    return column


def few_cells(before: Column, after: Column) -> tuple[Ints, Ints]:
    """Return the column before and after the steps as codes of the same few categories, -1 where missing."""
    cells = shared_cells(before, after, number_cells=FEW_CELLS, most_values=2 * FEW_CELLS)
    missing = cells.count - 1
    return tuple(np.where(codes == missing, -1, codes) for codes in (cells.before, cells.after))  # type: ignore[return-value]


def no_tail(why: Spoken = NO_CERTAINTY) -> AttackTail:
    """Return empty figures for the tail of an attack (its worst-case people), with the reason why there are none."""
    return AttackTail(share_sure_and_right=Figure.absent(why, unit="share"), control=Figure.absent(why, unit="share"))


def exact_share(value: float, count: int, method: Spoken) -> Figure:
    """Return a share counted over all people as a figure without a confidence interval."""
    return Figure(value, n=count, unit="share", method=method)
