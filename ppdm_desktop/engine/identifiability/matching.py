"""Records that match when a missing value may stand for anything (``matches-anything``)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import AnyInts, Ints
from ppdm_desktop.engine.identifiability.classes import classes_of_codes

_LARGEST = np.iinfo(np.int64).max


@dataclass(frozen=True, eq=False)
class Matches:
    """For each record, the records it cannot be told from.

    Attributes
    ----------
    counts
        int64, shape (records,): matching records, itself included.
    lowest, highest
        int64, shape (confidential columns, records): least and greatest confidential code
        among the matching records; -1 is missing.
    """

    counts: Ints
    lowest: Ints
    highest: Ints


def wildcard_matches(quasi: Sequence[AnyInts], confidential: Sequence[AnyInts], rows: int) -> Matches:
    """Match records on the quasi-identifiers both have.

    Parameters
    ----------
    quasi
        Codes of each quasi-identifier, shape (rows,), -1 where missing.
    confidential
        Codes of each confidential column, shape (rows,), -1 where missing.
    rows
        Number of records.

    Notes
    -----
    Records with the same set of missing columns form a block; each pair of blocks is joined
    on the columns neither lacks, so the cost is (number of blocks)^2 passes, not rows^2.
    """
    lacking = [codes < 0 for codes in quasi]
    blocks = classes_of_codes([flags.astype(np.int8) for flags in lacking], rows)
    members = np.split(np.argsort(blocks.ids, kind="stable"), np.cumsum(blocks.sizes)[:-1])
    counts = np.zeros(rows, dtype=np.int64)
    lowest = np.full((len(confidential), rows), _LARGEST, dtype=np.int64)
    highest = np.full((len(confidential), rows), -2, dtype=np.int64)
    for asking in members:
        for asked in members:
            shared = [
                codes for codes, flags in zip(quasi, lacking, strict=True) if not (flags[asking[0]] or flags[asked[0]])
            ]
            both = np.concatenate([asking, asked])
            joined = classes_of_codes([codes[both] for codes in shared], len(both))
            of_asking, of_asked = joined.ids[: len(asking)], joined.ids[len(asking) :]
            counts[asking] += np.bincount(of_asked, minlength=joined.count)[of_asking]
            for place, codes in enumerate(confidential):
                low = np.full(joined.count, _LARGEST)
                high = np.full(joined.count, -2)
                # Codes of another width would be converted one by one, which takes thirty times as long.
                theirs = codes[asked].astype(np.int64)
                np.minimum.at(low, of_asked, theirs)
                np.maximum.at(high, of_asked, theirs)
                lowest[place, asking] = np.minimum(lowest[place, asking], low[of_asking])
                highest[place, asking] = np.maximum(highest[place, asking], high[of_asking])
    return Matches(counts, lowest, highest)
