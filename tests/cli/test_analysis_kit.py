"""A kit by an option of ``release``, and models on reconstructed distributions by an option of ``compare``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cases import case_text
from support import Command

RECIPE = case_text("analysis-kit-recipe.toml")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(5)
    ill = rng.integers(2, size=400)
    wage = np.clip(np.rint(40 + 20 * ill + 8 * rng.normal(size=400)), 1, 99).astype(int)
    lines = ["wage,illness", *(f"{one},{'yes' if other else 'no'}" for one, other in zip(wage, ill))]
    (tmp_path / "people.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "recipe.toml").write_text(RECIPE, encoding="utf-8")
    return tmp_path


def test_a_kit_for_a_workbook_is_refused_in_words(folder: Path, command: Command) -> None:
    given = [folder / "people.csv", "--recipe", folder / "recipe.toml", "--out", folder / "out"]
    found = command("release", *given, "--draft", "--seed", 3, "--format", "xlsx", "--analysis-kit")
    assert found.code != 0
    assert "CSV" in found.err
    assert not (folder / "out").exists()
