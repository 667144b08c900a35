"""The samples: their shape, their distributions, the same seed the same bytes, and that each can be released."""

from __future__ import annotations

import csv
import hashlib
import io
import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from support import not_analysed

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.engine.samples import Sample, all_samples, find_sample, sample_files
from ppdm_desktop.engine.samples.drawn import BLOCK

DRAWN = [sample for sample in all_samples().values() if sample.file() is None]


def columns(name: str, rows: int, **options: int) -> dict[str, list[str]]:
    """A sample as it is read back from its file."""
    return columns_of(sample_files(name, rows=rows, **options)[0])


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
    assert all(len(line) == len(head) for line in lines)
    return {key: list(values) for key, values in zip(head, zip(*lines))}
