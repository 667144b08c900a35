"""A kit by an option of ``release``, and models on reconstructed distributions by an option of ``compare``."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from cases import case_text
from support import Command, accept_arguments

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


@pytest.mark.thorough
def test_the_options_of_release_and_compare(folder: Path, command: Command) -> None:
    given = [folder / "people.csv", "--recipe", folder / "recipe.toml"]
    draft = command("release", *given, "--out", folder / "draft", "--draft", "--seed", 3, "--json", "--analysis-kit")
    assert draft.code == 0, draft.err
    accepts = accept_arguments(draft.document["verdict"]["decision"]["blocked_by"])
    made = command("release", *given, "--out", folder / "out", "--seed", 3, "--json", "--analysis-kit", *accepts)
    assert made.code == 0, made.err
    assert (folder / "out/release/analysis-kit/noise_kit.py").is_file()
    assert "analysis_kit = true" in (folder / "out/internal/recipe.toml").read_text(encoding="utf-8")
    verified = command("verify", folder / "out", "--input", folder / "people.csv")
    assert verified.code == 0, verified.err
    released = folder / "out/release/data.csv"
    found = command("compare", *given[:1], released, *given[1:], "--learn-from", "by-class", "--json")
    assert found.code == 0, found.err
    models = {each["learner"]: each for each in found.document["utility"]["models"]}
    plain = {each["learner"]: each for each in made.document["utility"]["models"]}
    assert {each for each in models if each.endswith("-by-class")} == set(models) - set(plain)
    assert models["decision-tree-by-class"]["released_true_labels"]["value"] is not None
    assert models["decision-tree"] == plain["decision-tree"]


def test_a_kit_for_a_workbook_is_refused_in_words(folder: Path, command: Command) -> None:
    given = [folder / "people.csv", "--recipe", folder / "recipe.toml", "--out", folder / "out"]
    found = command("release", *given, "--draft", "--seed", 3, "--format", "xlsx", "--analysis-kit")
    assert found.code != 0
    assert "CSV" in found.err
    assert not (folder / "out").exists()
