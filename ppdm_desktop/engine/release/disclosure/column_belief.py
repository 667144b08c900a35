"""What intruders conclude about one confidential column, and how conclusions of several steps are combined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints, is_every_row, on_grid
from ppdm_desktop.engine.attacks.people_belief import find_least_uncertain_rows
from ppdm_desktop.engine.attacks.uncertainty import (
    RareSecret,
    Uncertainty,
    WorstCaseGroup,
    measure_worst_case,
)
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.table.people import People

Family = Literal["true", "coarse", "grouped", "swapped", "noise", "made-up"]

Reached = tuple[WorstCaseGroup, tuple[RareSecret, ...]]


@dataclass(frozen=True, eq=False)
class ColumnBelief:
    """What two intruders conclude about one confidential column, compared with the truth.

    The first intruder knows the quasi-identifiers of a person; the second knows every released column but the
    confidential ones.

    Attributes
    ----------
    column, family
        The column's name, and the kind of change that the file shows.
    of
        int64: the people with a value, or a sample of them, as rows of ``final``; the first row of each person.
    people
        Number of people with a value.
    others, all
        Uncertainty of the first and of the second intruder about each person in ``of``.
    worst_case
        How often guesses about the people with the least uncertainty are right, for an intruder who can find their
        rows; in a public release for the worse of both intruders.
    rare, rare_by_all
        How well the first and the second intruder name the holders of each rare value or tail; in a public release
        ``rare`` has the results of both. If rows are synthetic, ``worst_case`` and ``rare`` are those of the second
        intruder, and ``rare_by_all`` is empty.
    common
        Who has a value that at least nine in ten people have, bool of the shape of ``of``: it is no secret, be it a
        category or a number. None if there is no such value, or if the owner calls it a secret.
    residual_error, ratio
        For noise only: root mean square error of the best guess in standard deviations of the noise, and its ratio to
        the error of the linear guess from the column alone.
    prior
        For noise only: the prior that leads to the best guess: ``rebuilt``, ``informed``, ``side-information`` or
        ``dependency``.
    one_secret
        Rows in whose class the first intruder is certain of one value, bool of shape (rows,), whatever values the class
        shows. The common value counts only in a public release. None if rows are synthetic.
    nearly
        In a public release: rows in a class of at least ``k_min`` people, nine in ten of whom have one value that at
        most half of all others have, bool of shape (rows,).
    meant, meanings
        Rows about which the first intruder is certain only that they have one of a group of values, or none, bool of
        shape (rows,), and the names of these groups. In a public release a group that at most one in ten people have
        counts as a value.
    """

    column: str
    family: Family
    of: Ints
    people: int
    others: Uncertainty
    all: Uncertainty
    worst_case: WorstCaseGroup
    rare: tuple[RareSecret, ...] = ()
    residual_error: float | None = None
    ratio: float | None = None
    prior: str | None = None
    one_secret: Bools | None = None
    nearly: Bools | None = None
    meant: Bools | None = None
    meanings: tuple[str, ...] = ()
    rare_by_all: tuple[RareSecret, ...] = ()
    common: Bools | None = None

    def certain(self, uncertainty: Uncertainty) -> Bools:
        """Return whose confidential value an intruder is certain of, bool of the shape of ``of``.

        ``uncertainty`` is that of one of the intruders, ``others`` or ``all``. People with the common value do not
        count.
        """
        return uncertainty.certain if self.common is None else uncertainty.certain & ~self.common

    def confirmed(self, uncertainty: Uncertainty) -> bool:
        """Return whether the intruder with this uncertainty confirms any value; the common value does not count."""
        return bool((self.certain(uncertainty) & uncertainty.confirmed).any())


Side = Callable[[ColumnBelief], Uncertainty]


def take_uncertainty_by_quasi(belief: ColumnBelief) -> Uncertainty:
    """Return the uncertainty of the first intruder, who knows the quasi-identifiers."""
    return belief.others


def take_uncertainty_by_all(belief: ColumnBelief) -> Uncertainty:
    """Return the uncertainty of the second intruder, who knows every released column but the confidential ones."""
    return belief.all


def find_certain_rows(beliefs: Sequence[ColumnBelief], rows: int, side: Side) -> Bools:
    """Return the rows of which an intruder knows some column's value for certain, bool, shape (rows,).

    ``beliefs`` are what intruders conclude, one for each column; ``side`` takes from a belief the uncertainty of one of
    the two intruders. Only the first row of a person is marked, and nobody for a column's common value.
    """
    is_certain = np.zeros(rows, dtype=np.bool_)
    for belief in beliefs:
        is_certain[belief.of] |= belief.certain(side(belief))
    return is_certain


def measure_worst_case_by_person(people: People, uncertainty: Uncertainty, control: Bools, of: Ints) -> WorstCaseGroup:
    """Return how often guesses about the people with the least uncertainty are right, each person judged at one row.

    ``uncertainty`` and ``control`` (whether a guess without the release is right) have one entry for each row in
    ``of``.
    """
    rows = find_least_uncertain_rows(uncertainty, people.take(of))
    return measure_worst_case(uncertainty_of_rows(uncertainty, rows), control[rows])


def find_worst_group(groups: Sequence[WorstCaseGroup]) -> WorstCaseGroup:
    """Return the group of people that is guessed right most often beyond its control, the first of equal ones.

    ``groups`` must not be empty.
    """
    return max(groups, key=lambda group: on_grid(group.gain))


def add_rare_by_all(released: Released, belief: ColumnBelief, by_all: Reached) -> ColumnBelief:
    """Return a belief with the second intruder's rare values as ``rare_by_all``.

    In a public release they are added to ``rare``, too (unless they are the same tuple), and ``worst_case`` becomes the
    worse of both intruders. A belief is what two intruders conclude about a column; the second knows all columns but
    the confidential ones.
    ``by_all`` is how often the second intruder's guesses about the least uncertain people are right, and how well that
    intruder names the holders of rare values.
    """
    worst_case, rare = by_all
    if released.candidate.prepared.type.is_public and rare is not belief.rare:
        worst = find_worst_group((belief.worst_case, worst_case))
        belief = replace(belief, worst_case=worst, rare=(*belief.rare, *rare))
    return replace(belief, rare_by_all=rare)


def combine_flags(sides: Sequence[Bools | None]) -> Bools | None:
    """Return the element-wise "or" of several flag arrays of one shape, leaving out those that are None.

    None if all are.
    """
    there = [side for side in sides if side is not None]
    return np.logical_or.reduce(there) if there else None


def renumber_classes(classes: Classes, of: Ints) -> tuple[Ints, int]:
    """Return the class of each row in ``of`` (indices), renumbered from 0, and the number of these classes."""
    if is_every_row(of, len(classes.ids)):
        return classes.ids, classes.count
    names, ids = np.unique(classes.ids[of], return_inverse=True)
    return ids.reshape(-1).astype(np.int64), len(names)


def uncertainty_of_rows(uncertainty: Uncertainty, rows: Ints) -> Uncertainty:
    """Return the uncertainty at these indices, in their order."""
    if is_every_row(rows, len(uncertainty.ratio)):
        return uncertainty
    return Uncertainty(uncertainty.ratio[rows], uncertainty.right[rows], uncertainty.confirmed[rows])
