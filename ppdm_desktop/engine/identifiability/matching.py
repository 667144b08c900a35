"""Records that match when a missing value may match anything (rule ``matches-anything``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Bools, Ints
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes
from ppdm_desktop.engine.table.people import People

# People met in one go where they have to be distinguished one by one.
_AT_ONCE = 4_000_000
_LARGEST = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Matches:
    """For each record, the records it cannot be distinguished from.

    Attributes
    ----------
    counts
        int64, shape (records,): matching records, itself included.
    people
        int64, shape (records,): different people among the matching records, its own included.
    own_rows
        int64, shape (records,): matching records of its own person, itself included.
    lowest, highest
        int64, shape (confidential columns, records): least and greatest confidential code
        among the matching records; -1 is missing.
    """

    counts: Ints
    people: Ints
    own_rows: Ints
    lowest: Ints
    highest: Ints


def wildcard_matches(quasi: Sequence[AnyInts], confidential: Sequence[AnyInts], people: People) -> Matches:
    """Return the matches of each record: records with equal quasi-identifiers wherever both have a value.

    Parameters
    ----------
    quasi
        Codes of each quasi-identifier, shape (rows,), -1 where missing.
    confidential
        Codes of each confidential column, shape (rows,), -1 where missing.
    people
        Whose record each is.

    Notes
    -----
    Records with the same set of missing columns form a block; each pair of blocks is joined
    on the columns neither lacks, so the cost is (number of blocks)^2 passes, not rows^2. Only people with rows in
    several blocks have to be distinguished across the blocks.
    """
    rows = people.rows
    lacking = [codes < 0 for codes in quasi]
    blocks = classes_of_codes([flags.astype(np.int8) for flags in lacking], rows)
    members = np.split(np.argsort(blocks.ids, kind="stable"), np.cumsum(blocks.sizes)[:-1]) if rows else []
    counts = np.zeros(rows, dtype=np.int64)
    lowest = np.full((len(confidential), rows), _LARGEST, dtype=np.int64)
    highest = np.full((len(confidential), rows), -2, dtype=np.int64)
    crowd = _Crowd(people, blocks.ids) if people.with_several else None
    for asking in members:
        if crowd is not None:
            crowd.ask(asking, classes_of_codes([codes[asking] for codes in quasi], len(asking)).ids)
        for asked in members:
            joined = _join(quasi, lacking, asking, asked)
            of_asking, of_asked = joined.ids[: len(asking)], joined.ids[len(asking) :]
            counts[asking] += np.bincount(of_asked, minlength=joined.count)[of_asking]
            if crowd is not None:
                crowd.meet(asked, of_asking, of_asked, joined.count)
            for index, codes in enumerate(confidential):
                low = np.full(joined.count, _LARGEST)
                high = np.full(joined.count, -2)
                # Codes of another width would be converted one by one, which takes thirty times as long.
                theirs = codes[asked].astype(np.int64)
                np.minimum.at(low, of_asked, theirs)
                np.maximum.at(high, of_asked, theirs)
                lowest[index, asking] = np.minimum(lowest[index, asking], low[of_asking])
                highest[index, asking] = np.maximum(highest[index, asking], high[of_asking])
        if crowd is not None:
            crowd.answer()
    if crowd is None:
        return Matches(counts, counts, np.ones(rows, dtype=np.int64), lowest, highest)
    return Matches(counts, crowd.people, crowd.own_rows, lowest, highest)


def _join(quasi: Sequence[AnyInts], lacking: Sequence[Bools], asking: Ints, asked: Ints) -> Classes:
    """Return the classes of the records of two blocks, ``asking`` first, by the columns that both have."""
    both = np.concatenate([asking, asked])
    flags_of_blocks = zip(quasi, ((flags[asking[0]] or flags[asked[0]]) for flags in lacking), strict=True)
    return classes_of_codes([codes[both] for codes, is_lacking in flags_of_blocks if not is_lacking], len(both))


class _Crowd:
    """Counts the people whom the records of a block match: ``ask`` a block, ``meet`` all blocks, ``answer``."""

    def __init__(self, people: People, block: Ints) -> None:
        self._of_row = people.of_row
        self._width = max(people.count, 1)
        lowest = np.full(people.count, _LARGEST)
        highest = np.full(people.count, -1)
        np.minimum.at(lowest, people.of_row, block)
        np.maximum.at(highest, people.of_row, block)
        self._scattered: Bools = np.asarray(lowest != highest)
        self.people = np.zeros(people.rows, dtype=np.int64)
        self.own_rows = np.zeros(people.rows, dtype=np.int64)

    def ask(self, asking: Ints, patterns: Ints) -> None:
        """Begin with the records of one block; records with equal patterns have the same matches."""
        self._asking, self._patterns = asking, patterns
        self._first = np.unique(patterns, return_index=True)[1]
        # Of each asked block: scattered people by class, where each pattern's class begins, and how many it has.
        self._met: list[tuple[Ints, Ints, Ints]] = []

    def meet(self, asked: Ints, of_asking: Ints, of_asked: Ints, count: int) -> None:
        """Count the people that the asking records match in the block ``asked``, by the joined classes of both."""
        keys, times = np.unique(of_asked * self._width + self._of_row[asked], return_counts=True)
        of, person = keys // self._width, keys % self._width
        scattered = self._scattered[person]
        self.people[self._asking] += np.bincount(of[~scattered], minlength=count)[of_asking]
        mine = of_asking * self._width + self._of_row[self._asking]
        position = np.minimum(np.searchsorted(keys, mine), len(keys) - 1)
        self.own_rows[self._asking] += np.where(keys[position] == mine, times[position], 0)
        several = np.bincount(of[scattered], minlength=count).astype(np.int64)
        begins = np.cumsum(several) - several
        classes = of_asking[self._first]
        self._met.append((person[scattered], begins[classes], several[classes]))

    def answer(self) -> None:
        """Add the people who have records in several blocks, counting each of them once."""
        total = np.sum([several for _, _, several in self._met], axis=0)
        people_counts = np.zeros(len(total), dtype=np.int64)
        portion = np.cumsum(total) // _AT_ONCE
        for portion_number in np.unique(portion[total > 0]).tolist():
            at = np.flatnonzero((portion == portion_number) & (total > 0))
            keys = []
            for person, begins, several in self._met:
                length = several[at]
                # 0, 1, 2, ... within each pattern's class
                step = np.arange(int(length.sum())) - np.repeat(np.cumsum(length) - length, length)
                whom = person[np.repeat(begins[at], length) + step]
                keys.append(np.repeat(at, length) * self._width + whom)
            people_counts += np.bincount(np.unique(np.concatenate(keys)) // self._width, minlength=len(total))
        self.people[self._asking] += people_counts[self._patterns]
