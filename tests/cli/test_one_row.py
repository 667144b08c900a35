"""Several rows a person on the command line: one row for each, in assess, release and verify."""

from __future__ import annotations

from pathlib import Path

import pytest
from cases import case_text
from gate_cases import csv_of
from support import Command, accepting

RECIPE = case_text("one-row-recipe.toml")


@pytest.fixture
def small(tmp_path: Path) -> tuple[Path, Path]:
    columns = {
        "p": [f"P{place // 2}" for place in range(80)],
        "q": ["1"] * 80,
        "c": ["x", "x", "y", "y", "x", "z", "y", "x"] * 10,
    }
    source, recipe = tmp_path / "rows.csv", tmp_path / "rows.toml"
    source.write_text(csv_of(columns), encoding="utf-8")
    recipe.write_text(RECIPE, encoding="utf-8")
    return source, recipe


def test_on_the_command_line(tmp_path: Path, command: Command, small: tuple[Path, Path]) -> None:
    source, recipe = small
    found = command("assess", source, "--recipe", recipe)
    assert found.code == 0, found.err
    # The rule's only rows are second ones: it is not idle, for the level goes along.
    assert "rule" not in found.err
    out = tmp_path / "out"
    found = command("release", source, "--recipe", recipe, "--out", out, *accepting("class-size"))
    assert found.code == 0, found.err
    assert command("verify", out, "--input", source).code == 0
    assert command("verify", out, "--input", source, "--figure", "people-counted").code == 0
