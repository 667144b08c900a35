"""What intruders believe of one confidential column, and how beliefs of several steps or priors are joined."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints, is_every_row
from ppdm_desktop.engine.attacks.doubt import Doubts, Exposed, RareSecret, most_exposed, worst_secret
from ppdm_desktop.engine.attacks.people_belief import least_doubted
from ppdm_desktop.engine.identifiability.classes import Classes
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.tie_breaking import on_grid

Family = Literal["true", "coarse", "grouped", "swapped", "noise", "made-up"]

Reached = tuple[Exposed, tuple[RareSecret, ...]]


@dataclass(frozen=True, eq=False)
class ColumnBelief:
    """What intruders believe of one confidential column, measured against the truth.

    The first intruder knows of a person what others know (the quasi-identifiers); the second knows everything
    released but the confidential columns.

    Attributes
    ----------
    column, family
        The column's name, and what was done to it, as the file shows.
    of
        int64: the people with a value, or a sample of them, as rows of ``final``; of each person the first row.
    people
        Number of people with a value.
    others, all
        Doubts of the first and of the second intruder about each of ``of``.
    exposed
        The people about whom least doubt is left to someone who can reach their rows.
    rare, rare_by_all
        How well the first and the second intruder name the holders of each rare value or tail.
    common
        Who holds a value that at least nine in ten people hold, bool of the shape of ``of``: in a column of words or
        flags that is no secret. None where there is no such value, or where the owner calls it a secret.
    left, ratio
        Of noise only: the root mean square error of the best guess in standard deviations of the noise, and its
        ratio to the error of the linear guess from the column alone.
    prior
        Of noise only: the knowledge that leads to the best guess: ``rebuilt``, ``informed``, ``side-information`` or
        ``dependency``.
    one_secret
        Rows in whose class the first intruder is certain of one value, bool of shape (rows,), whatever values the
        class shows. The common value counts for the public only. None where rows are synthetic.
    nearly
        For the public: rows in a class of ``k_min`` people or more, nine in ten of whom hold one value that at most
        half of all others hold, bool of shape (rows,).
    meant, meanings
        Rows of whom the first intruder is certain only that they have one of a group of values, or none, bool of
        shape (rows,), and the names of these groups. For the public a group that at most one in ten people hold
        counts as a value.
    """

    column: str
    family: Family
    of: Ints
    people: int
    others: Doubts
    all: Doubts
    exposed: Exposed
    rare: tuple[RareSecret, ...] = ()
    left: float | None = None
    ratio: float | None = None
    prior: str | None = None
    one_secret: Bools | None = None
    nearly: Bools | None = None
    meant: Bools | None = None
    meanings: tuple[str, ...] = ()
    rare_by_all: tuple[RareSecret, ...] = ()
    common: Bools | None = None

    def certain(self, doubts: Doubts) -> Bools:
        """Say who is certain to hold a secret, of ``others`` or ``all``; a common value is none."""
        return doubts.certain if self.common is None else doubts.certain & ~self.common

    def proved(self, doubts: Doubts) -> bool:
        """Say whether anybody is proved to hold a secret, as `certain` counts them."""
        return bool((self.certain(doubts) & doubts.proved).any())

    @property
    def worst_rare(self) -> RareSecret | None:
        """The rare secret whose holders are named best."""
        return worst_secret(self.rare)


Side = Callable[[ColumnBelief], Doubts]


def known_others(belief: ColumnBelief) -> Doubts:
    """Return the doubts of the intruder who knows what others know."""
    return belief.others


def known_all(belief: ColumnBelief) -> Doubts:
    """Return the doubts of the intruder who knows everything released but the confidential columns."""
    return belief.all


def certain_people(beliefs: Sequence[ColumnBelief], rows: int, side: Side) -> Bools:
    """Say which rows are certain in at least one column, shape (rows,)."""
    is_certain = np.zeros(rows, dtype=np.bool_)
    for belief in beliefs:
        is_certain[belief.of] |= belief.certain(side(belief))
    return is_certain


def exposed_people(people: People | None, doubts: Doubts, control: Bools, of: Ints) -> Exposed:
    """Return the people about whom least doubt is left; ``doubts`` and ``control`` are those of the rows ``of``."""
    if people is None:
        return most_exposed(doubts, control)
    rows = least_doubted(doubts, people.take(of))
    return most_exposed(doubts_of_rows(doubts, rows), control[rows])


def most_exposed_group(groups: Sequence[Exposed]) -> Exposed:
    """Return the group guessed right most often beyond its control, the first among equal ones."""
    return max(groups, key=lambda group: on_grid(group.gain))


def with_reached(released: Released, belief: ColumnBelief, by_all: Reached) -> ColumnBelief:
    """Return a belief with what someone who knows everything reaches; for the public this counts in every figure."""
    exposed, rare = by_all
    if released.candidate.prepared.type.is_public and rare is not belief.rare:
        worst = most_exposed_group((belief.exposed, exposed))
        belief = replace(belief, exposed=worst, rare=(*belief.rare, *rare))
    return replace(belief, rare_by_all=rare)


def any_of(sides: Sequence[Bools | None]) -> Bools | None:
    """Return where any of several flags of equal shape is set, None where all are None."""
    there = [side for side in sides if side is not None]
    return np.logical_or.reduce(there) if there else None


def classes_among(classes: Classes, of: Ints) -> tuple[Ints, int]:
    """Return the class of each row of ``of``, numbered again from 0, and how many classes these are."""
    if is_every_row(of, len(classes.ids)):
        return classes.ids, classes.count
    names, ids = np.unique(classes.ids[of], return_inverse=True)
    return ids.reshape(-1).astype(np.int64), len(names)


def doubts_of_rows(doubts: Doubts, rows: Ints) -> Doubts:
    """Return the doubts about some rows."""
    if is_every_row(rows, len(doubts.ratio)):
        return doubts
    return Doubts(doubts.ratio[rows], doubts.right[rows], doubts.proved[rows])
