"""The rows nearest to people where no row is anybody's, beside every distance measured one by one."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import write_lines

from ppdm_desktop.engine.arrays import Floats, Ints
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.attack_audit.base import find_row_owners
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.disclosure.nearest_rows import NearestRows

ROWS = 90
NAMES = ("Age", "Town", "Work")
NUMBERS, WORDS = [str(each) for each in range(20, 80)], ["young", "old"]
CONDENSED = {"method": "condensation"}
REBUILT = {"method": "data-reconstruction", "parameters": {"generations": 2, "population": 4}}


def made(folder: Path, step: Mapping[str, Any], ages: Sequence[str]) -> Candidate:
    """Release ninety people, some of them alike, by a method after which no row is anybody's."""
    draws, path = random.Random(4), folder / "people.csv"
    answers = (ages, "abc", ["baker", "smith"], ["yes", "no"])
    write_lines(path, [*NAMES, "Ill"], ([draws.choice(each) for each in answers] for _ in range(ROWS)))
    sections = {
        "Age": {"role": "quasi-identifier", "kind": "numeric" if ages[0].isdigit() else "nominal"},
        "Town": {"role": "quasi-identifier"},
        "Work": {"role": "other"},
        "Ill": {"role": "confidential", "kind": "nominal"},
    }
    document = {"recipe": 1, "columns": sections, "steps": [step], "input": {"one_row_per_person": True}}
    recipe = parse_recipe({**document, "release": {"type": "research"}})
    return run_candidate(prepare(path, recipe, need_type=True), Key.from_seed(1))


def distance_table(candidate: Candidate) -> Floats:
    """Return the distance of every person to every released row, shape (people, rows), by the definition."""
    sides = [(candidate.prepared.table.column(name), candidate.final.column(name)) for name in NAMES]
    found = np.zeros((candidate.prepared.table.rows, candidate.final.rows))
    for before, after in sides:
        for person in range(len(before)):
            for row in range(len(after)):
                if after.kind == "numeric":
                    reach = float(after.numbers.max() - after.numbers.min())
                    found[person, row] += abs(float(before.numbers[person] - after.numbers[row])) / reach
                else:
                    true, shown = int(before.category_codes[person]), int(after.category_codes[row])
                    found[person, row] += before.categories[true] != after.categories[shown]
    return found


def least(apart: Floats, wanted: int) -> list[float]:
    return [round(each, 7) for each in sorted(apart.tolist())[:wanted]]


@pytest.mark.parametrize("most", [1, 5, 25])
def test_rows_from_groups_are_the_nearest_and_the_nearest_of_other_groups(tmp_path: Path, most: int) -> None:
    candidate = made(tmp_path, CONDENSED, NUMBERS)
    apart, group = distance_table(candidate), find_row_owners(candidate)
    assert group is not None
    assert len(np.unique(group)) > 2
    rows = NearestRows(candidate, NAMES)
    assert not rows.are_copies
    people = np.arange(0, ROWS, 2)
    around = rows.of_people(people, most)
    for place, person in enumerate(people.tolist()):
        assert least(apart[person, around.near[place]], most) == least(apart[person], most)
        others = group != group[person]
        assert others[around.without[place]].all()
        assert least(apart[person, around.without[place]], most) == least(apart[person, others], most)
    assert not around.exact.any()
    # Asked again, for another column that looks at more or fewer rows, the same are found.
    assert rows.of_people(people, 1).near[:, 0].tolist() == around.near[:, 0].tolist()


def test_each_sampled_row_is_put_beside_the_others_and_not_beside_itself(tmp_path: Path) -> None:
    candidate = made(tmp_path, CONDENSED, NUMBERS)
    tried, order = NearestRows(candidate, NAMES).of_rows()
    assert order.shape == (ROWS, 25)
    assert not (order == tried[:, None]).any()
    assert all(len(set(each)) == 25 for each in order.tolist())


def test_copies_of_a_person_are_rows_that_differ_in_nothing_and_show_their_value(tmp_path: Path) -> None:
    candidate = made(tmp_path, REBUILT, WORDS)
    rows, apart = NearestRows(candidate, NAMES), distance_table(candidate)
    assert rows.are_copies
    people: Ints = np.arange(ROWS)
    shown = np.arange(candidate.final.rows) % 2
    true = people % 3
    around = rows.of_copied(people, 5, shown, true)
    same = apart <= 1e-9
    assert same.any()
    assert not same.any(axis=1).all()
    assert around.exact.tolist() == same.any(axis=1).tolist()
    for person in range(ROWS):
        count = int(same[person].sum())
        near = around.near[person]
        assert int((near >= 0).sum()) == min(count or 5, 25)
        assert least(apart[person, near[near >= 0]], 25) == least(apart[person], min(count or 5, 25))
        mine = same[person] & (shown == true[person])
        assert not mine[around.without[person]].any()
        assert least(apart[person, around.without[person]], 5) == least(apart[person, ~mine], 5)
