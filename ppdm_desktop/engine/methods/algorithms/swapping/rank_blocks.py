"""Blocks of neighbouring ranks, within which the values of a column are exchanged."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints, Words
from ppdm_desktop.engine.randomness import RandomStream


@dataclass(frozen=True, eq=False)
class RankBlocks:
    """The blocks of some units (people or rows), and a random exchange within each.

    Attributes
    ----------
    order
        int64, shape (units,): units by rank of their value; equal values in random order.
    starts
        int64, shape (blocks,): the rank at which each block begins.
    people
        int64, shape (blocks,): number of people in each block.
    drawn
        int64, shape (units,): for each rank, the rank in the same block whose value it gets.
    """

    order: Ints
    starts: Ints
    people: Ints
    drawn: Ints

    @classmethod
    def draw(cls, values: Ints, people: Ints, demands: Ints, window: float, stream: RandomStream) -> RankBlocks:
        """Return blocks of neighbouring ranks with enough people each, and a random exchange within each block.

        A unit is a person or a row with a value. Enough are as many people as each member demands, but at least the
        share ``window`` of all people, and two. If all people together are not enough, there is one block; without
        units there is none. If the same number is enough for all units, the first cut is drawn at random.

        Parameters
        ----------
        values, people, demands
            For each unit its value, its person, and how many people it demands; shape (units,).
        window
            Smallest share of all people in a block.
        stream
            Draws the order of equal values, the first cut and the exchange in each block.
        """
        by_word = np.argsort(stream.words(len(values)))
        order = by_word[np.argsort(values[by_word], kind="stable")].astype(np.int64)
        ranked_people, ranked_demands = people[order], demands[order]
        of_person = np.bincount(people)
        is_one_each, everybody = of_person.max(initial=0) < 2, int(np.count_nonzero(of_person))
        asked = np.maximum(ranked_demands, max(math.ceil(window * everybody - 1e-9), 2))
        first = 0
        if len(asked) and (asked == asked[0]).all():
            # With the first cut at random, no fixed rank is always the edge of a block.
            first = 1 + int(stream.integers(int(asked[0]), 1)[0])
        starts = np.array(cls._find_block_starts(ranked_people, asked, first, is_one_each=is_one_each), dtype=np.int64)
        ends = np.append(starts[1:], len(order)) if len(starts) else starts
        sizes = [
            int(end - start) if is_one_each else len(np.unique(ranked_people[start:end]))
            for start, end in zip(starts.tolist(), ends.tolist(), strict=True)
        ]
        drawn = _shuffle_in_blocks(starts, ends, stream.words(len(order)))
        return cls(order, starts, np.array(sizes, dtype=np.int64), drawn)

    @staticmethod
    def _find_block_starts(people: Ints, asked: Ints, first: int, *, is_one_each: bool) -> list[int]:
        """Return the rank at which each block begins, rising from 0; empty without ranks.

        A first or last block with too few people joins its neighbour. If all people together are too few, there is one
        block.

        Parameters
        ----------
        people, asked
            For each rank, the person, and how many people it demands in its block.
        first
            Rank at which the second block begins, if the first block is then large enough; 0 for no such cut.
        is_one_each
            Whether each rank is a different person's.
        """
        count, cuts = len(people), [0]

        def count_shortfall(start: int, end: int) -> int:
            """Return how many people the block from one rank to another (exclusive) lacks.

            0 or less if it has enough.
            """
            members = end - start if is_one_each else len(np.unique(people[start:end]))
            return int(asked[start:end].max()) - members

        def end_of(start: int) -> int:
            """Return the rank (exclusive) at which a block beginning at ``start`` has as many people as demanded.

            It is the number of ranks if even all following ranks are too few.
            """
            end = min(start + 1, count)
            while end < count and (more := count_shortfall(start, end)) > 0:
                end = min(end + more, count)
            return end

        if not count:
            return []
        end = end_of(first)
        if first and first >= end_of(0):
            cuts.append(first)
        while end < count:
            cuts.append(end)
            end = end_of(end)
        while len(cuts) > 1 and count_shortfall(cuts[-1], count) > 0:
            cuts.pop()
        return cuts

    @property
    def of_unit(self) -> Ints:
        """Index of each unit's block, shape (units,); a unit is a person or a row with a value."""
        lengths = np.diff(self.starts, append=len(self.order))
        of_unit = np.empty(len(self.order), dtype=np.int64)
        of_unit[self.order] = np.repeat(np.arange(len(self.starts)), lengths)
        return of_unit

    def permuted(self, values: Ints) -> Ints:
        """Return the values after the exchange, one for each unit, in the order of the units.

        Each unit gets the value of a unit of its block, possibly its own, and every value is used once.
        """
        exchanged = np.empty_like(values)
        exchanged[self.order] = values[self.order][self.drawn]
        return exchanged


def _shuffle_in_blocks(starts: Ints, ends: Ints, random_words: Words) -> Ints:
    """Return a random permutation of the ranks that stays within each block, int64, shape (ranks,).

    ``starts`` and ``ends`` (exclusive) are those of the blocks; ``random_words`` has one random number for each rank,
    by which the ranks of a block are sorted.
    """
    blocks = zip(starts.tolist(), ends.tolist(), strict=True)
    parts = [start + np.argsort(random_words[start:end]) for start, end in blocks]
    return np.concatenate(parts).astype(np.int64) if parts else np.zeros(0, dtype=np.int64)
