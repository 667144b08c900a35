"""Releases that lean on luck or on a key that is none: drawn until it passes, or drawn with what anybody may guess."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest
from generalising_support import recipe_for
from support import accept_arguments, reasons_for, write_columns

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.errors import GateBlocked
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe, write_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.writing.export import export

DRAWS = 20
NOMINAL = {"kind": "nominal"}
RECIPE = recipe_for(
    {"age": {"role": "q", **NOMINAL}, "sex": {"role": "q", **NOMINAL}, "diagnosis": {"role": "c", **NOMINAL}},
    [{"method": "random-swap", "columns": ["diagnosis"], "parameters": {"proportion": 0.65}}],
    "public",
)


def source(folder: Path) -> tuple[Path, Recipe]:
    """Write six hundred people in small classes: many swaps leave somebody's value certain, a lucky one does not."""
    rng = np.random.default_rng(8)
    table = {"age": rng.integers(0, 100, 600), "sex": rng.integers(0, 2, 600), "diagnosis": rng.integers(0, 4, 600)}
    path = folder / "people.csv"
    write_columns(path, table)
    return path, parse_recipe(RECIPE)


def key_of(number: int) -> Key:
    """A key of the system's kind, the same in each run."""
    return Key(hashlib.sha256(f"draw {number}".encode()).digest(), "system")


def test_twenty_draws_until_green_are_stopped(tmp_path: Path) -> None:
    path, recipe = source(tmp_path)
    ledger = tmp_path / "ledger.json"
    prepared = prepare(path, recipe, need_type=True)
    stopped = []
    for number in range(1, DRAWS + 1):
        candidate = run_candidate(prepared, key_of(number))
        judged = evaluate(candidate, ledger=ledger)
        assert (judged.report.verdict.draws.number, judged.report.verdict.draws.tried) == (number, number)
        red = {each.id for each in judged.checks if each.status == "red"}
        better = judged.report.verdict.draws.better_than_earlier
        if "certain-disclosure" in red:
            assert not any(each.check == "certain-disclosure" for each in better)
        elif number > 5:
            # Nothing but its luck is held against it, and no reason helps.
            assert red == {"redrawn"}
            assert {each.check for each in better} >= {"certain-disclosure"}
            with pytest.raises(GateBlocked):
                export(candidate, tmp_path / "out", accepts=reasons_for(all_checks()), ledger=ledger)
            stopped.append(number)
    assert stopped
    # Alone, as a first draw, the same candidate may be released.
    alone = evaluate(run_candidate(prepared, key_of(stopped[0])))
    assert {each.id for each in alone.checks if each.status == "red"} == set()


@pytest.mark.parametrize("digits", ["0" * 64, bytes(range(32)).hex()], ids=["64 zeros", "00 01 02"])
def test_a_key_that_is_none_makes_no_release(digits: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path, recipe = source(tmp_path)
    (tmp_path / "recipe.toml").write_text(write_recipe(recipe), encoding="utf-8")
    (tmp_path / "key").write_text(digits, encoding="ascii")
    given = ["--recipe", tmp_path / "recipe.toml", "--out", tmp_path / "out", "--key-file", tmp_path / "key"]
    words = [str(each) for each in ("release", path, *given)]
    assert run([*words, *accept_arguments(all_checks())]) == 2
    assert "pattern" in capsys.readouterr().err
    assert not (tmp_path / "out").exists()
