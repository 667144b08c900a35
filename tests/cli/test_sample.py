"""``sample`` on the command line: sizes, functions and seeds, and refusals that leave nothing behind."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import case_rows
from support import Command

from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.samples import all_samples, sample_files


def test_size_function_and_seed(command: Command, tmp_path: Path) -> None:
    out = tmp_path / "people.csv"
    found = command("sample", "agrawal", "--out", out, "--rows", "300", "--function", "3", "--seed", "7")
    assert found.code == 0, found.err
    assert out.read_bytes() == sample_files("agrawal", rows=300, function=3, seed=7)[0]
    assert (tmp_path / "people.recipe.toml").read_text(encoding="utf-8") == sample_files("agrawal", rows=300)[1]
    assert out.read_bytes() != sample_files("agrawal", rows=300, function=3)[0]
    assert out.read_bytes() != sample_files("agrawal", rows=300, function=2, seed=7)[0]


@pytest.mark.parametrize(
    ("given", "said"),
    case_rows("sample-refusals-write-nothing", lists=True),
)
def test_refusals_write_nothing(command: Command, tmp_path: Path, given: list[str], said: str) -> None:
    found = command("sample", *given, "--out", tmp_path / "x.csv")
    assert found.code == 2
    assert said in found.err
    assert list(tmp_path.iterdir()) == []


def test_an_existing_recipe_is_kept_and_the_table_taken_back(command: Command, tmp_path: Path) -> None:
    recipe = tmp_path / "x.recipe.toml"
    recipe.write_text("mine", encoding="utf-8")
    assert command("sample", "employees", "--out", tmp_path / "x.csv").code == 2
    assert recipe.read_text(encoding="utf-8") == "mine"
    assert list(tmp_path.iterdir()) == [recipe]


@pytest.mark.parametrize("name", all_samples())
def test_a_sample_may_be_released_as_often_as_anybody_likes(tmp_path: Path, name: str) -> None:
    recipe = tmp_path / "recipe.toml"
    recipe.write_text(sample_files(name)[1], encoding="utf-8")
    assert {"earlier-release", "redrawn"} <= set(read_recipe(recipe).accept["keys-and-draws"].checks)
