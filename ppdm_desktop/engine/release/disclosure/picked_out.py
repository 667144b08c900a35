"""People who can be picked out of a release: nobody else in the source shows the same released values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.utility.cells import merged_categories


@dataclass(frozen=True)
class PickedOut:
    """How many people are unique in the columns that are released truly or broader.

    Attributes
    ----------
    people
        Of how many.
    by_others
        By the details others may know.
    by_all_but_secret
        By every released column that is not confidential.
    by_all_but_one
        By every released column but one confidential one, the worst choice; as before where there is one only.
    by_all
        By every released column.
    columns
        Those of ``by_all_but_secret``.
    """

    people: int
    by_others: int
    by_all_but_secret: int
    by_all_but_one: int
    by_all: int
    columns: tuple[str, ...]


def telling_columns(released: Released) -> list[Column]:
    """Return the columns as written whose values are true or broader, so that a person can be looked for by them.

    Numbers and names that a step replaced by others tell nobody apart for certain. Rows made from groups tell
    nobody either; rows that are copies of somebody's record do, in the words of the source.
    """
    if not released.rows_correspond:
        source = released.candidate.prepared.table
        return (
            []
            if _from_groups(released)
            else [
                column
                for column in released.table.columns
                if set(column.categories) <= set(source.column(column.name).categories)
            ]
        )
    found = []
    for column in released.table.columns:
        steps = released.changing_steps(column.name)
        if all(step.method.treatment.startswith(("generalisation", "suppression")) for step in steps) or bool(
            (released.shown_is_true(column.name) | column.missing).all()
        ):
            found.append(column)
    return found


def picked_out(released: Released, progress: Progress) -> PickedOut:
    """Count the people who are unique among the source people, by what others know up to by everything."""
    columns = telling_columns(released)
    others = [column for column in columns if column.role == "quasi-identifier"]
    plain = [column for column in columns if column.role != "confidential"]
    secret = [column for column in columns if column.role == "confidential"]

    def count(chosen: Sequence[Column]) -> int:
        progress.check()
        return int(_alone(released, chosen).sum()) if chosen else 0

    by_plain = count(plain)
    if not released.rows_correspond:
        # Names that others may know change places among copies; what is left as it was may tell more without them.
        by_plain = max(by_plain, count([each for each in plain if each.role != "quasi-identifier"]))
    all_but_one = by_plain
    if len(released.confidential) > 1:
        for left in secret:
            all_but_one = max(all_but_one, count([each for each in columns if each.name != left.name]))
    return PickedOut(
        released.table.rows,
        count(others),
        by_plain,
        all_but_one,
        count(columns),
        tuple(column.name for column in plain),
    )


def _alone(released: Released, columns: Sequence[Column]) -> Bools:
    """Say which rows show values that belong to one source person."""
    rows = released.table.rows
    if released.rows_correspond:
        return np.asarray(classes_of_codes([each.category_codes for each in columns], rows).size_of_record == 1)
    # Copies: a pattern of the release that exactly one person of the source has is that person.
    pairs: list[Ints] = []
    for column in columns:
        first, second, _ = merged_categories(released.candidate.prepared.table.column(column.name), column)
        pairs.append(np.concatenate([first, second]))
    people = released.candidate.prepared.table.rows
    ids = classes_of_codes(pairs, people + rows).ids
    holders = np.bincount(ids[:people], minlength=int(ids.max(initial=-1)) + 1)[ids[people:]]
    first_of = np.zeros(rows, dtype=np.bool_)
    first_of[np.unique(ids[people:], return_index=True)[1]] = True
    return np.asarray((holders == 1) & first_of)


def _from_groups(released: Released) -> bool:
    """Say whether rows were made from groups of people, so that none is anybody's."""
    return any(step.result.row_groups is not None for step in released.candidate.steps)
