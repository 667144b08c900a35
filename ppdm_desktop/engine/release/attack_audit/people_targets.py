"""Helpers for attacks where a person may have several rows: a person counts by their most successful row."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.identifiability.people import row_sets
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.utility.models.crossval import sample_rows


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
