"""The releases of the corpus: their recipes and what is expected of them, read from TOML files.

In the second round an entry's name begins with its kind. In the first one ``table`` names a function of ``tables.py``,
``with`` holds its arguments, and ``planted`` names what a faulty step would have written.

``columns`` gives each column the first letter of its role, a capital one where it holds numbers; it is a list where
names have several words. "N" is a confidential number between 0 and 9,000 to which the default noise is added, and "*"
stands for every column that is not named. ``column`` holds further keys of single columns, and every other key is one
of the recipe or of the case.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from tests.corpus import tables
from tests.corpus.case import Case
from tests.corpus.tables import Columns

RECIPES = {
    corpus: entries
    for name in ("first_round.toml", "second_round.toml", "fresh.toml")
    for corpus, entries in tomllib.loads(Path(__file__).with_name(name).read_text("utf-8")).items()
}
NOISE_BOUNDS = [0, 9_000]
OF_CASE = ("seed", "data", "slow", "lesson", "written", "kind")


def cases_of(corpus: str, tables: Mapping[str, Callable[..., Columns]]) -> dict[str, Case]:
    """Return the cases of a corpus by name.

    Raises
    ------
    KeyError
        When a table has no recipe, or a recipe no table.
    """
    entries = RECIPES[corpus]
    if without := entries.keys() ^ tables.keys():
        raise KeyError(*sorted(without))
    return {name: _case(name, tables[name], {"kind": name.split()[0], **entry}) for name, entry in entries.items()}


def first_round(
    corpus: str,
    files: Mapping[str, Mapping[str, str]],
    planted: Mapping[str, Callable[..., Any]] = MappingProxyType({}),
) -> tuple[Case, ...]:
    """Return the cases of a corpus of the first round.

    Parameters
    ----------
    corpus
        Name of the corpus in ``first_round.toml``.
    files
        Files beside a recipe, by their names, by the beginning of a case's name.
    planted
        What a faulty step would have written, by the name that entries give it; it is called with the further
        arguments of the entry and the candidate.
    """
    cases = {}
    for name, entry in RECIPES[corpus].items():
        sections = dict(entry)
        table = partial(getattr(tables, sections.pop("table")), **sections.pop("with", {}))
        function, *arguments = sections.pop("planted", [None])
        case = _case(name, table, sections)
        cases[name] = case if function is None else replace(case, planted=partial(planted[function], *arguments))
    return tuple(with_changes(cases, "more", {name: {"files": texts} for name, texts in files.items()}).values())


def with_changes(cases: Mapping[str, Case], key: str, changes: Mapping[str, Any]) -> dict[str, Case]:
    """Return the cases, some of them with another value of one key, by the beginning of their names."""
    changed = dict(cases)
    for start, value in changes.items():
        (name,) = (name for name in cases if name.startswith(start))
        changed[name] = replace(cases[name], **{key: value})
    return changed


def _case(name: str, table: Callable[..., Columns], entry: dict[str, Any]) -> Case:
    columns: dict[str, dict[str, Any]] = {}
    steps = entry.pop("steps", [])
    pairs = entry.pop("columns")
    for pair in pairs.split() if isinstance(pairs, str) else pairs:
        column, letter = pair.rsplit(":", 1)
        columns[column] = {"role": "c" if letter == "N" else letter.lower()}
        if letter == "N":
            columns[column]["bounds"] = NOISE_BOUNDS
            steps = [{"method": "two-phase-noise", "columns": [column]}, *steps]
        if letter.isupper():
            columns[column]["kind"] = "numeric"
    for column, keys in entry.pop("column", {}).items():
        columns[column] |= keys
    return Case(
        name,
        table,
        columns,
        tuple(steps),
        entry.pop("type", "public"),
        frozenset(entry.pop("blocked_by", ())),
        ambers=frozenset(entry.pop("ambers", ())),
        may=frozenset(entry.pop("may", ())),
        **{key: entry.pop(key) for key in OF_CASE if key in entry},
        more=entry,
    )
