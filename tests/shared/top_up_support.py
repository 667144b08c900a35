"""A condensed release to which records are added in the window."""

from __future__ import annotations

from pathlib import Path

from cases import case_text
from support import not_analysed, reasons_for

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.writing.export import export

RECIPE = case_text("top-up-support-recipe.toml")


def table(first: int, rows: int) -> str:
    """Return so many people as CSV, from a number on."""
    lines = [f"{20 + row * 7 % 50},{1500 + row * 37 % 900}" for row in range(first, first + rows)]
    return "\n".join(["Age,Pay", *lines]) + "\n"


def condensed_release(folder: Path, name: str) -> Path:
    """Write a release of 60 people below a folder and return where it lies; its original stays in the folder."""
    source, recipe, out = folder / "old.csv", folder / "recipe.toml", folder / name
    source.write_text(table(0, 60), encoding="utf-8")
    recipe.write_text(RECIPE, encoding="utf-8")
    prepared = prepare(source, read_recipe(recipe), need_type=True)
    candidate = run_candidate(prepared, Key.from_seed(1))
    export(candidate, out, accepts=reasons_for(all_checks()), analyses=not_analysed(), attacks=())
    return out
