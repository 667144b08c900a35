"""One shift of dates for each person: how it is drawn, and which shifts a reader of the release cannot exclude."""

from __future__ import annotations

import hashlib
import hmac
import itertools
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.algorithms.pseudonyms.codes import JOINED_BY, message
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.day_numbers import NO_DAY, days_of
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.person_ids import PERSON

_MOST_DRAWS = 21
"""How often a shift is drawn, at most, until enough shifts are possible."""
_DOING = "doing.candidate"


@dataclass(frozen=True, eq=False)
class DateShifts:
    """The people whose dates move, and the shifts that they may have.

    Attributes
    ----------
    columns
        Names of the treated columns.
    bounds
        First and last possible day of each of these columns.
    people
        The person of each row.
    most
        int64, shape (people,): the largest shift of each person in days, either way.
    by_level
        The same for each level in use.
    every
        Shifts are multiples of so many days.
    demands
        int64, shape (people,): how many shifts must be possible for each person.
    """

    columns: tuple[str, ...]
    bounds: tuple[tuple[int, int], ...]
    people: People
    most: Ints
    by_level: tuple[int, ...]
    every: int
    demands: Ints

    @classmethod
    def of(
        cls, table: Table, columns: tuple[str, ...], bounds: tuple[tuple[int, int], ...], most: int, every: int
    ) -> DateShifts:
        """Return the people of a table with the shifts that their levels ask for; of a person's levels the strictest.

        Parameters
        ----------
        table
            The step's input.
        columns, bounds, every
            As the fields.
        most
            The largest shift in days where a level multiplies noise by one.
        """
        people, levels = People.identity(table.rows) if table.people is None else table.people, levels_of(table)
        by_level = np.array([round(most * level.demand.noise) // every * every for level in levels.levels], np.int64)
        largest, demands = np.zeros(people.count, dtype=np.int64), np.zeros(people.count, dtype=np.int64)
        np.maximum.at(largest, people.of_row, by_level[levels.codes])
        np.maximum.at(demands, people.of_row, levels.of("group").astype(np.int64))
        return cls(columns, bounds, people, largest, tuple(by_level.tolist()), every, demands)

    @property
    def largest(self) -> int:
        """Largest shift of anybody in days."""
        return int(self.most.max(initial=0))

    def possible(self, released: Table) -> tuple[Ints, Ints]:
        """Return the smallest and the largest shift of each person that leave all true dates inside the bounds.

        Parameters
        ----------
        released
            The table with moved dates.
        """
        low, high = -self.most, self.most.copy()
        for name, (first, last) in zip(self.columns, self.bounds, strict=True):
            days = days_of(released.column(name))
            rows = np.flatnonzero(days != NO_DAY)
            np.maximum.at(low, self.people.of_row[rows], days[rows] - last)
            np.minimum.at(high, self.people.of_row[rows], days[rows] - first)
        return low, high

    def count_possible(self, ends: tuple[Ints, Ints]) -> Ints:
        """Return how many shifts lie between two ends (see ``possible``) for each person, shape (people,)."""
        low, high = ends
        return np.asarray(np.maximum(high // self.every + -low // self.every + 1, 0))

    def drawn(self, table: Table, streams: StepStream) -> Ints:
        """Return a uniform shift in days for each person, drawn again while too few shifts would be possible."""
        ends = self._ends_before(table)
        shifts = np.zeros(self.people.count, dtype=np.int64)
        open_people = self._in_order_of_ids(table)
        for turn in range(_MOST_DRAWS):
            progress.report(0.5 * turn / _MOST_DRAWS, _DOING)
            for most in np.unique(self.most[open_people]).tolist():
                chosen = open_people[self.most[open_people] == most]
                half = most // self.every
                draws = streams.stream(f"shift-{most}-{turn}").integers(2 * half + 1, len(chosen))
                shifts[chosen] = self.every * (draws - half)
            open_people = open_people[self._left(ends, shifts)[open_people] < self.demands[open_people]]
            if not len(open_people):
                break
        return shifts

    def drawn_by_secret(self, table: Table, secret: bytes) -> Ints:
        """Return the shift in days of each person that a recipient's secret gives in every file of this recipient."""
        halves = (self.most // self.every).tolist()
        identities = _identities(table, self.people)
        shifts = [_shift_of(secret, *pair) for pair in progress.each(list(zip(identities, halves, strict=True)))]
        return self.every * np.array(shifts, dtype=np.int64)

    def _ends_before(self, table: Table) -> tuple[Ints, Ints]:
        """Return how far each person's first and last date lie from the bounds, in days before and days after."""
        far = np.iinfo(np.int64).max // 4
        before, after = np.full(self.people.count, far), np.full(self.people.count, far)
        for name, (first, last) in zip(self.columns, self.bounds, strict=True):
            days = days_of(table.column(name))
            rows = np.flatnonzero(days != NO_DAY)
            np.minimum.at(before, self.people.of_row[rows], days[rows] - first)
            np.minimum.at(after, self.people.of_row[rows], last - days[rows])
        return before, after

    def _left(self, ends: tuple[Ints, Ints], shifts: Ints) -> Ints:
        """Return how many shifts would be possible for each person who is moved by ``shifts``."""
        before, after = ends
        return self.count_possible((np.maximum(-self.most, shifts - after), np.minimum(self.most, shifts + before)))

    def _in_order_of_ids(self, table: Table) -> Ints:
        """Return the people sorted by their ids, so that draws do not depend on the order of rows."""
        if not any(column.identifies == PERSON for column in table.columns):
            return np.arange(self.people.count)
        # Sorted by texts alone: pairs with a flag would take several times as long.
        order = np.array(sorted(range(self.people.count), key=_identities(table, self.people).__getitem__), np.int64)
        is_lacking = self.people.lacking[self.people.first_rows][order]
        return np.concatenate([order[~is_lacking], order[is_lacking]])


def _identities(table: Table, people: People) -> list[str]:
    """Return the id of each person as one text; the row number for who has none."""
    columns = [column for column in table.columns if column.identifies == PERSON]
    rows = people.first_rows
    parts = [[column.texts[code] for code in column.codes_at(rows).tolist()] for column in columns]
    texts = [JOINED_BY.join(part) for part in zip(*parts, strict=True)] if columns else [""] * len(rows)
    for person in np.flatnonzero(people.lacking[people.first_rows]).tolist():
        texts[person] = f"{JOINED_BY}{int(table.row_numbers[rows[person]])}"
    return texts


def _shift_of(secret: bytes, identity: str, half: int) -> int:
    """Return a whole number from -half to half that a secret gives an id, each equally likely (by rejection)."""
    choices = 2 * half + 1
    for turn in itertools.count():
        digest = hmac.new(secret, message(f"shift-{turn}", identity), hashlib.sha256).digest()
        word = int.from_bytes(digest[:8], "big")
        if word < 2**64 // choices * choices:
            return word % choices - half
    raise AssertionError
