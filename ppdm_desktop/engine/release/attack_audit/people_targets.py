"""Whom an attack looks for where a person may have several rows: people, by whichever of their rows serves best."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.identifiability.people import row_sets
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.utility.models.crossval import sample_rows


def several_rows(candidate: Candidate) -> People | None:
    """Return whose row each of ``final`` is, where anyone has several; None where a row is a person."""
    people = candidate.final.people
    return people if people is not None and people.with_several and candidate.rows_correspond else None


def people_released(candidate: Candidate) -> int:
    """Return of how many people there is a row; the rows where a row is a person, or nobody's."""
    people = several_rows(candidate)
    return candidate.final.rows if people is None else people.count


def one_each(candidate: Candidate, rows: Ints) -> Ints:
    """Return of some rows, rising, the first of each person."""
    people = several_rows(candidate)
    return rows if people is None else rows[people.take(rows).first_rows]


def rows_of_people(candidate: Candidate, most: int) -> Ints:
    """Return the rows of a fixed sample of people, all that they have, rising."""
    people = several_rows(candidate)
    if people is None:
        return sample_rows(candidate.final.rows, most)
    chosen = np.zeros(people.count, dtype=np.bool_)
    chosen[sample_rows(people.count, most)] = True
    return np.flatnonzero(chosen[people.of_row])


def most_of_people(candidate: Candidate, rows: Ints, gains: Floats) -> Floats:
    """Return what is gained on each person: the most over their rows.

    Parameters
    ----------
    rows, gains
        Rows of ``final`` that were looked for, and what was gained on each, of the same shape.
    """
    people = several_rows(candidate)
    return gains if people is None else np.asarray(-people.take(rows).least(-gains))


def fitting_people(candidate: Candidate, true: Sequence[AnyInts], shown: Sequence[AnyInts]) -> tuple[Ints, Bools]:
    """Count for each person the people released whose rows are, all together, what is known of theirs.

    Parameters
    ----------
    candidate
        Whose people have several rows.
    true, shown
        Codes of the known columns, as they are and as they were released; equal codes are equal values, shape (rows,).

    Returns
    -------
    tuple of Ints and Bools
        How many fit, and whether the person's own released rows are among them; shape (people,) each.
    """
    people = several_rows(candidate)
    assert people is not None
    rows = people.rows
    both = classes_of_codes([np.concatenate(pair) for pair in zip(true, shown, strict=True)], 2 * rows)
    twice = People(
        np.concatenate([people.of_row, people.of_row + people.count]), np.concatenate([people.lacking, people.lacking])
    )
    sets: Classes = row_sets(both, twice, ordered=candidate.keeps_order)
    known, released = sets.ids[: people.count], sets.ids[people.count :]
    return np.bincount(released, minlength=sets.count)[known], known == released
