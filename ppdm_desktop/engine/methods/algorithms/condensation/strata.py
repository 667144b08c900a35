"""Which records may share a group: all of them, or those of one class.

A class with fewer records than one of them asks for cannot stand alone. Such classes are
pooled, with the smallest other class if need be, and their labels exchanged by chance inside
the pool; nobody's level is lowered.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.table.column import Column


@dataclass(frozen=True, eq=False)
class Stratum:
    """Records that are grouped among themselves.

    Attributes
    ----------
    labels
        The classes in it; empty where no class divides the table.
    rows
        int64: its records, rising.
    """

    labels: tuple[str, ...]
    rows: Ints

    @property
    def is_pool(self) -> bool:
        """Whether classes were put together."""
        return len(self.labels) > 1


def whole(rows: int) -> tuple[Stratum, ...]:
    """Return one stratum of all records."""
    return (Stratum((), np.arange(rows, dtype=np.int64)),)


def by_class(column: Column, needs: Ints) -> tuple[Stratum, ...]:
    """Divide records by class; classes too small for a member are pooled. Missing is a class.

    Parameters
    ----------
    column
        The class.
    needs
        The group each record asks for; the largest is not above the number of records.
    """
    codes = column.category_codes.astype(np.int64) + 1
    names = ("", *column.categories)
    counts = np.bincount(codes, minlength=len(names))
    asked = np.zeros(len(names), dtype=np.int64)
    np.maximum.at(asked, codes, needs)
    present = [int(code) for code in np.flatnonzero(counts)]
    pool = [code for code in present if counts[code] < asked[code]]
    others = sorted((code for code in present if code not in pool), key=lambda code: (int(counts[code]), code))
    while pool and int(counts[pool].sum()) < int(asked[pool].max()):
        pool.append(others.pop(0))
    sets = [[code] for code in present if code not in pool]
    if pool:
        sets.append(sorted(pool))
    return tuple(
        Stratum(tuple(names[code] for code in codes_in), np.flatnonzero(np.isin(codes, codes_in)).astype(np.int64))
        for codes_in in sets
    )
