"""The released rows nearest to people by some columns, for releases of synthetic records."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Ints, content_order, every_row
from ppdm_desktop.engine.attacks import gower
from ppdm_desktop.engine.release.attack_audit.base import find_row_owners, pair_released_columns, paired_values
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.utility.models.crossval import sample_rows

NEIGHBOURS = (1, 5, 25)
"""Numbers of nearest rows that an intruder may look at; the one that predicts the release best is used."""
_WIDEST = max(NEIGHBOURS)
_TRIED = 500


@dataclass(frozen=True, eq=False)
class Around:
    """The rows nearest to some people, nearest first; ties are in the order of the rows' content.

    Attributes
    ----------
    near
        int64, shape (people, rows looked at): the nearest rows; padded with -1 if a person has fewer.
    without
        int64, shape (people, rows looked at): the nearest rows that were not made from the person.
    exact
        bool, shape (people,): whether a released row equals the person's, if rows are copies; then only such rows are
        looked at.
    """

    near: Ints
    without: Ints
    exact: Bools


class NearestRows:
    """Search for the released rows nearest to people by some columns.

    Parameters
    ----------
    candidate
        The candidate release.
    names
        The columns.
    """

    def __init__(self, candidate: Candidate, names: tuple[str, ...]) -> None:
        """Prepare the search: scale numbers by their range, and order the released rows by content.

        The order of rows in the file therefore has no influence. Nothing is known if none of the columns is released.
        """
        before, after = pair_released_columns(candidate, names)
        self._before, final = paired_values(before, after)
        self._scale = gower.range_scale(final.numbers)
        names_compared = candidate.released_names if len(final) else ()
        released = (candidate.final.column(name).category_codes for name in names_compared)
        # Equally near rows are taken as they stand here: the order in which they were made may follow the source.
        self._row_at = content_order(released, len(final))
        self._row_index = np.empty(len(final), dtype=np.int64)
        self._row_index[self._row_at] = every_row(len(final))
        self._rows = gower.Different(final, self._row_at, self._scale)
        self._widest = min(_WIDEST, len(final))
        self._owner = find_row_owners(candidate)
        self._cache: dict[bytes, Around] = {}
        self._others: tuple[Ints, Ints] | None = None
        self.knows_nothing = not before

    @property
    def are_copies(self) -> bool:
        """Whether it is unknown from which people a row was made; then a row equal to a person's counts as its copy."""
        return self._owner is None

    def of_rows(self) -> tuple[Ints, Ints]:
        """Return a fixed sample of the released rows, and the nearest other rows of each, shape (rows, 25 or all).

        The sample has at most 500 rows. Rows are indices in ``final``, nearest first. If there are at most 25 rows, the
        row itself comes last. The result is computed once.
        """
        if self._others is None:
            tried = sample_rows(len(self._rows), _TRIED)
            values = self._rows.values.take(tried)
            screen = gower.Screen(gower.Values(values.numbers * self._scale, values.codes), self._rows)
            neighbours, itself = [np.zeros((0, self._widest), np.int64)], every_row(len(self._rows))
            for block in screen.blocks():
                progress.check()
                neighbours.append(self._find_nearest_rows(screen.look(block), itself, tried[block], 1)[1])
            self._others = tried, np.concatenate(neighbours)
        return self._others

    def of_people(self, people: Ints, most: int) -> Around:
        """Return the ``most`` rows nearest to each person, among all rows and among those made of others.

        Only for rows of which it is known from whom they were made (AssertionError otherwise). At most 25 are returned,
        and no more than there are rows, nearest first; ``exact`` is False for everybody. What is found is kept for the
        next call with the same people.

        Parameters
        ----------
        people
            Indices of the people's rows in ``final``, shape (people,).
        most
            Number of nearest rows.
        """
        key = people.tobytes()
        if key not in self._cache:
            assert self._owner is not None
            near, without, owner = [], [], self._owner[people]
            most_made = int(np.bincount(self._owner)[owner].max(initial=0))
            for here, look in self._yield_distance_blocks(people):
                around = self._find_nearest_rows(look, self._owner, owner[here], most_made)
                near.append(around[0])
                without.append(around[1])
            none_exact = np.zeros(len(people), dtype=np.bool_)
            self._cache[key] = Around(np.concatenate(near), np.concatenate(without), none_exact)
        nearest = self._cache[key]
        return Around(nearest.near[:, :most], nearest.without[:, :most], nearest.exact)

    def _find_nearest_rows(self, look: gower.Look, owner: Ints, owners: Ints, most: int) -> tuple[Ints, Ints]:
        """Return the rows nearest to each target, and the nearest rows made from other people than the target.

        Both have shape (targets, 25 or all), nearest first. If fewer rows were made from others, the target's own fill
        up the second.

        Parameters
        ----------
        look
            The distances from the targets to the released rows.
        owner, owners
            The person behind each released row, and the person of each target.
        most
            Nobody has more than this number of rows.
        """
        nearest = look.least(min(self._widest + most, len(self._rows)))
        is_theirs = owner[self._row_at[nearest]] == owners[:, None]
        turns = np.where(is_theirs, len(self._rows) + nearest, np.arange(nearest.shape[1]))
        nearest_others = np.take_along_axis(nearest, np.argsort(turns, axis=1)[:, : self._widest], axis=1)
        return self._row_at[nearest[:, : self._widest]], self._row_at[nearest_others]

    def of_copied(self, people: Ints, most: int, released_codes: Ints, true: Ints) -> Around:
        """Return the rows nearest to people, nearest first, if rows are copies of people's records.

        If released rows equal the person in all columns, only these are returned, 25 at most; else the ``most``
        nearest. The rest of the array, of 25 columns or as many as there are rows, is -1. Also returned are the
        ``most`` nearest rows that were not made from the person, and who has an equal row.

        Parameters
        ----------
        people, most
            Indices of the people's rows in ``final``, shape (people,); and how many rows to return.
        released_codes
            Each released row's value of the column that is guessed, any codes.
        true
            Each person's true value in the same codes, shape (people,). A row equal to the person's in all columns and
            in this value counts as made from the person.
        """
        most, widest = min(most, len(self._rows)), self._widest
        near, without = np.empty((len(people), widest), np.int64), np.empty((len(people), most), np.int64)
        exact = np.zeros(len(people), dtype=np.bool_)
        for here, look in self._yield_distance_blocks(people):
            target_index, neighbour = look.within(GRID)
            same = self._row_at[neighbour]
            count = np.bincount(target_index, minlength=len(here))
            exact[here] = count > 0
            looked_at = np.where(count > 0, count, most)
            near[here] = np.where(np.arange(widest) < looked_at[:, None], self._row_at[look.least(widest)], -1)
            is_own = released_codes[same] == true[here][target_index]
            for target in np.unique(target_index[is_own]).tolist():
                look.leave_out(target, self._row_index[same[is_own & (target_index == target)]])
            without[here] = self._row_at[look.least(most)]
        return Around(near, without, exact)

    def _yield_distance_blocks(self, people: Ints) -> Iterator[tuple[Ints, gower.Look]]:
        """Yield blocks of people (indices into ``people``) with the distances to the released rows around them."""
        targets = gower.Values(self._before.numbers[people] * self._scale, self._before.codes[people])
        screen = gower.Screen(targets, self._rows)
        for here in screen.blocks():
            progress.report(int(here[0]) / len(people), "doing.gate")
            yield here, screen.look(here)
