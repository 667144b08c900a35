"""What the tests of methods on people with several rows share: `visits`, random tables, counts in plain Python.

The counts share nothing with the program: they read texts and ids, and count people in dictionaries.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.table.column import Column, NumberStyle, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, RecordLevels
from ppdm_desktop.engine.table.people import People, renumber_by_appearance
from ppdm_desktop.engine.table.person_ids import identify_people, with_ids_marked
from tests.golden.people import VISIT_HEAD, visits

GROUPS = (5, 10)

VISIT_ROLES: dict[str, Any] = {
    "visit_id": "l",
    "person_nbr": "i",
    "region": "q",
    "sex": "q",
    "age": "q",
    "days": {"role": "c", "kind": "numeric"},
    "unit": "l",
    "outcome": "c",
}


@cache
def _visit_cells() -> dict[str, tuple[str, ...]]:
    rows = visits()
    named = zip(VISIT_HEAD, zip(*rows, strict=True), strict=True)
    return {name: tuple(map(str, cells)) for name, cells in named}


def column(name: str, cells: Sequence[str], role: str, kind: str = "nominal") -> Column:
    """A column of texts; a numeric one with the style of its numbers and bounds around them."""
    made = replace(Column.from_texts(name, cells), role=role, kind=kind)
    if kind == "numeric":
        numbers = [float(cell) for cell in cells if cell]
        made = replace(made, style=NumberStyle.seen_in(made.texts), bounds=(min(numbers) - 1, max(numbers) + 1))
    return replace(made, order=tuple(sorted(set(cells)))) if kind == "ordinal" else made


def at_levels(of_row: Sequence[int], groups: Sequence[int] = GROUPS) -> RecordLevels:
    """Levels that ask for groups of these sizes, weakest first; of each row which."""
    levels = tuple(
        replace(level, demand=replace(level.demand, group=size)) for level, size in zip(DEFAULT_LEVELS, groups)
    )
    return RecordLevels(levels, np.array(of_row, dtype=np.int32), {"default": len(of_row)}, DEFAULT_LEVELS)


def visits_table(
    quasi: Sequence[str] = ("region", "sex", "age"),
    *,
    linked: bool = False,
    ordered: bool = False,
    strict: bool = False,
    constant: bool = False,
) -> Table:
    """`visits` with roles, its people, and columns that do not change within a person.

    Parameters
    ----------
    quasi
        Quasi-identifiers; the others but the ids are confidential.
    linked, ordered
        What a recipient will know of whose row is whose.
    strict
        Every seventh person asks for groups of ten, the others for five; else all for five.
    constant
        Region and age of all rows are those of the person's first.
    """
    cells = _visit_cells()
    ids = cells["person_nbr"]
    place = {each: at for at, each in enumerate(dict.fromkeys(ids))}
    whose = [place[each] for each in ids]
    first = list(dict.fromkeys(whose))
    at_first = [whose.index(person) for person in first]

    def of_person(made: Sequence[str]) -> list[str]:
        return [made[person] for person in whose]

    columns = []
    for name in ("region", "sex", "age", "days", "unit", "outcome"):
        told = cells[name]
        if constant and name in ("region", "age"):
            told = tuple(of_person([told[row] for row in at_first]))
        role = "quasi-identifier" if name in quasi else "confidential"
        columns.append(column(name, told, role, "numeric" if name == "days" else "nominal"))
    blood = [("A", "B", "0", "0")[person * 7 % 4] for person in range(len(first))]
    year = [str(1930 + person * 37 % 70) for person in range(len(first))]
    columns.append(column("blood", of_person(blood), "confidential"))
    columns.append(column("born", of_person(year), "confidential", "numeric"))
    table = Table((*columns, column("person_nbr", ids, "identifier")), np.arange(2, len(ids) + 2))
    table = with_ids_marked(table, ["person_nbr"])
    people = replace(identify_people(table, ["person_nbr"]), linked=linked, in_order=ordered)
    demanded = [int(strict and person % 7 == 0) for person in range(len(first))]
    levels = at_levels([demanded[person] for person in whose], GROUPS if strict else GROUPS[:1])
    return table.with_people(people).with_levels(levels)


def people_of(ids: Sequence[int], *, linked: bool = False, ordered: bool = False) -> People:
    """People by their numbers, one a row."""
    found = People(renumber_by_appearance(np.array(ids, dtype=np.int64)), np.zeros(len(ids), dtype=np.bool_))
    return replace(found, linked=linked, in_order=ordered)


def least_alike(shown: Sequence[Hashable], people: People) -> dict[int, int]:
    """Of each person with rows: how many people they cannot be told from, counted in dictionaries.

    Not linked: the least number of different people in a class of theirs; linked: people with as many rows of each
    class, in the same order where that is known.
    """
    whose = people.of_row.tolist()
    if people.linked:
        rows: dict[int, list[Hashable]] = defaultdict(list)
        for person, value in zip(whose, shown, strict=True):
            rows[person].append(value)
        keys = {
            person: tuple(of) if people.in_order else tuple(sorted(Counter(of).items(), key=repr))
            for person, of in rows.items()
        }
        counts = Counter(keys.values())
        return {person: counts[key] for person, key in keys.items()}
    inside: dict[Hashable, set[int]] = defaultdict(set)
    for person, value in zip(whose, shown, strict=True):
        inside[value].add(person)
    least: dict[int, int] = {}
    for person, value in zip(whose, shown, strict=True):
        least[person] = min(least.get(person, len(whose)), len(inside[value]))
    return least


def checked_with(table: Table, role: str = "quasi-identifier") -> list[tuple[str | None, ...]]:
    """What each row shows in the columns of a role; missing is one value."""
    columns = [
        [None if cell in each.missing_texts else cell for cell in each.values()] for each in table.with_role(role)
    ]
    return list(zip(*columns, strict=True))


def texts(table: Table) -> Mapping[str, list[str]]:
    """All cells by column."""
    return {each.name: each.values() for each in table.columns}


def squares_about_means(values: Floats, starts: Ints) -> float:
    """Return the sum of squares about the means of runs that start at these places."""
    sizes = np.diff(np.append(starts, len(values)))
    centred = values - values.mean()
    means = np.add.reduceat(centred, starts) / sizes
    return float(((centred - np.repeat(means, sizes)) ** 2).sum())
