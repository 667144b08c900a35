"""Honest releases: none is stopped, and the checks that want a reason are exactly those that are named.

To add one is to add an entry of ``first_round.toml``. Where a release that somebody might think honest is stopped, its
entry names the check and says in its lesson what to do in its place.
"""

from __future__ import annotations

import csv
import io
import tomllib
from functools import partial
from typing import Any

from ppdm_desktop.engine.samples.registry import find_sample
from tests.corpus import tables
from tests.corpus.case import Case
from tests.corpus.honest_second_round import SECOND_ROUND_HONEST
from tests.corpus.recipes import first_round


def _sample_table(id: str) -> tables.Columns:
    lines = list(csv.reader(io.StringIO(find_sample(id).make({}).decode("utf-8"))))
    return {name: [line[place] for line in lines[1:]] for place, name in enumerate(lines[0])}


def _regions(first: int, end: int) -> str:
    """Return a hierarchy that puts twenty postcodes into each region."""
    return "".join(f"{postcode};region {postcode // 20};*\n" for postcode in range(first, end))


def _sample(number: str, id: str, ambers: frozenset[str]) -> Case:
    recipe: dict[str, Any] = tomllib.loads(find_sample(id).recipe())
    return Case(
        f"{number} the sample {id}",
        partial(_sample_table, id),
        recipe["columns"],
        tuple(recipe["steps"]),
        recipe["release"]["type"],
        ambers=ambers,
    )


_FILES = {
    "6 hierarchies": {"zip.csv": _regions(100, 180)},
    "7c the best levels": {"zip.csv": _regions(100, 180), "sex.csv": "0;*\n1;*\n"},
    "22 a rare yes": {"zip.csv": _regions(1_000, 1_060)},
}
_SAMPLES = (
    _sample(
        "11",
        "life-insurance",
        frozenset({"class-size", "most-exposed", "singling-out", "inference", "reversal", "rare-values"}),
    ),
    _sample("12", "salary-offers", frozenset({"class-size", "singling-out"})),
)
HONEST = (*first_round("first_honest", _FILES), *_SAMPLES, *SECOND_ROUND_HONEST)
