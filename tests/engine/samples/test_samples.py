"""The samples: their shape, their distributions, the same seed the same bytes, and that each can be released."""

from __future__ import annotations

import csv
import hashlib
import io
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import not_analysed

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.samples import Sample, all_samples, find_sample, sample_files
from ppdm_desktop.engine.samples.agrawal import in_group_a
from ppdm_desktop.engine.samples.drawn import BLOCK

DRAWN = [sample for sample in all_samples().values() if sample.file() is None]
SHARES = {1: 2 / 3, 2: 0.38462, 3: 0.30769, 4: 0.5902, 5: 0.6867}


def columns(name: str, rows: int, **options: int) -> dict[str, list[str]]:
    """A sample as it is read back from its file."""
    text = sample_files(name, rows=rows, **options)[0].decode("utf-8")
    head, *lines = list(csv.reader(io.StringIO(text)))
    assert all(len(line) == len(head) for line in lines)
    return {key: list(values) for key, values in zip(head, zip(*lines))}


def numbers(found: dict[str, list[str]]) -> dict[str, np.ndarray]:
    """The columns that are whole numbers."""
    return {
        key: np.array(values, dtype=np.int64)
        for key, values in found.items()
        if all(value.lstrip("-").isdigit() for value in values)
    }


def refused(name: str, **options: int) -> str:
    """The text id a wish is refused with."""
    with pytest.raises(InputError) as caught:
        sample_files(name, **options)
    return caught.value.id


# --- any sample -----------------------------------------------------------------------------


def test_the_names() -> None:
    assert tuple(all_samples()) == ("life-insurance", "employees", "agrawal", "salary-offers")
    with pytest.raises(InputError) as caught:
        find_sample("nothing")
    assert caught.value.id == "error.sample.unknown"


@pytest.mark.parametrize("sample", DRAWN, ids=lambda sample: sample.id)
def test_a_seed_settles_every_byte_and_more_rows_begin_with_the_same_ones(sample: Sample) -> None:
    first = sample_files(sample.id)[0]
    assert sample_files(sample.id)[0] == first
    assert first.count(b"\n") == sample.default_rows + 1
    assert sample_files(sample.id, rows=sample.default_rows + 7)[0].startswith(first)
    other = sample_files(sample.id, seed=2)[0]
    assert other != first
    assert other.split(b"\n")[0] == first.split(b"\n")[0]


def test_the_bytes_are_those_of_every_machine() -> None:
    found = {name: hashlib.sha256(sample_files(name, rows=1_000)[0]).hexdigest()[:16] for name in FIRST_BYTES}
    assert found == FIRST_BYTES


FIRST_BYTES = {"employees": "ce953663eeaf32bc", "agrawal": "36919ac9cb7747e7", "salary-offers": "76588fdc244c7d38"}


def test_blocks_are_drawn_one_after_another() -> None:
    parts = list(find_sample("salary-offers").pieces({"rows": BLOCK + 100}))
    assert [part.count(b"\n") for part in parts] == [BLOCK + 1, 100]
    assert parts[1].count(b"Year") == 0
    assert parts[0].split(b"\n")[1:101] != parts[1].split(b"\n")[:100]


def test_what_does_not_go_with_a_sample_is_refused() -> None:
    assert refused("life-insurance", rows=16) == "error.sample.no-option"
    assert refused("life-insurance", seed=3) == "error.sample.no-option"
    assert refused("life-insurance", function=3, seed=3) == "error.sample.no-option"
    assert refused("life-insurance", function=3) == "error.sample.no-option"
    assert refused("employees", colour=1) == "error.sample.no-option"
    assert refused("employees", rows=99) == "error.sample.option"
    assert refused("employees", function=1) == "error.sample.no-option"
    assert refused("agrawal", function=6) == "error.sample.option"
    assert refused("agrawal", function=0) == "error.sample.option"
    assert refused("agrawal", rows=0) == "error.sample.option"
    assert refused("salary-offers", seed=-1) == "error.sample.option"


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.thorough] * (name == "agrawal")) for name in all_samples()]
)
def test_the_recipe_beside_it_releases_it(name: str, tmp_path: Path) -> None:
    data, text = sample_files(name)
    source = tmp_path / "sample.csv"
    source.write_bytes(data)
    recipe = parse_recipe(tomllib.loads(text))
    # Averages of five tell nearly what each member earns: for colleagues only.
    assert recipe.release.type == ("internal" if name == "employees" else "research")
    candidate = run_candidate(prepare(source, recipe, need_type=True), Key.fresh())
    # Its checks and its attacks decide; what analyses find of it is no part of the decision.
    made: Any = {"created": datetime(2026, 1, 2, tzinfo=UTC), "analyses": not_analysed()}
    export(candidate, tmp_path / "out", **made)
    with (tmp_path / "out" / "release" / "data.csv").open(encoding="utf-8", newline="") as file:
        released = list(csv.DictReader(file))
    assert len(released) == find_sample(name).default_rows
    kept = {key for key, section in recipe.columns.items() if section.role not in ("identifier", "left-out")}
    assert set(released[0]) == kept
    treated = recipe.steps[0].columns or ()
    assert treated
    before = {key: sorted(values) for key, values in columns_of(data).items()}
    for column in treated:
        after = sorted(row[column] for row in released)
        if recipe.steps[0].method == "bayes-swap":  # exchanged, so the counts stay
            assert after == before[column]
        else:
            assert after != before[column]


def columns_of(data: bytes) -> dict[str, list[str]]:
    """Columns of a CSV file."""
    head, *lines = list(csv.reader(io.StringIO(data.decode("utf-8"))))
    return {key: list(values) for key, values in zip(head, zip(*lines))}


# --- Agrawal & Srikant ----------------------------------------------------------------------


def _group_by_hand(person: dict[str, int], function: int) -> bool:
    """Table C.1 term by term, for one person."""
    age, salary, level = person["Age"], person["Salary"], person["Elevel"]
    decade = 0 if age < 40 else 1 if age < 60 else 2
    if function == 1:
        return decade != 1
    if function == 2:
        low = (50_000, 75_000, 25_000)[decade]
        return low <= salary <= low + 50_000
    if function == 3:
        start = {
            0: {0: 25_000, 1: 25_000, 2: 50_000, 3: 50_000},
            1: {1: 50_000, 2: 50_000, 3: 50_000, 4: 75_000},
            2: {1: 25_000, 2: 50_000, 3: 50_000, 4: 50_000},
        }[decade].get(level)
        return start is not None and start <= salary <= start + 50_000
    left = 67 * (salary + person["Commission"]) - 20 * person["Loan"] - 1_000_000
    if function == 5:
        left += 2 * person["Hvalue"] * max(person["Hyears"] - 20, 0)
    return left > 0


@pytest.mark.parametrize("function", SHARES)
def test_groups_person_by_person(function: int) -> None:
    found = columns("agrawal", 3_000, function=function)
    people = numbers(found)
    edges = {key: np.concatenate([values, values]) for key, values in people.items()}
    edges["Salary"][:3_000] = np.resize([25_000, 50_000, 75_000, 100_000, 125_000, 24_999, 125_001], 3_000)
    edges["Age"][:3_000:3] = 40
    edges["Age"][1:3_000:3] = 60
    said = in_group_a(edges, function)
    for row in range(0, 6_000, 7):
        person = {key: int(values[row]) for key, values in edges.items()}
        assert said[row] == _group_by_hand(person, function), person
    assert found["Group"] == np.where(said[3_000:], "A", "B").tolist()


# --- employees and offers -------------------------------------------------------------------


def test_income_tax_by_hand() -> None:
    from ppdm_desktop.engine.samples.employees import MARITAL, income_tax

    single, married = MARITAL.index("single"), MARITAL.index("married")
    salary = np.array([6_000, 16_000, 61_000, 106_000, 30_000])
    marital = np.array([single, single, single, single, married])
    deduction = np.array([0, 0, 0, 0, 1_000])
    # Nothing; 10 % of 10,000; then 1,500 + 6,000 + 30 % of 10,000; 1,500 + 6,000 + 13,500 + 40 % of
    # 10,000; and for the married one 1,500 + 20 % of 5,000.
    assert income_tax(salary, marital, deduction).tolist() == [0, 1_000, 10_500, 25_000, 2_500]
