"""What a record prints is what an attacker finds who shares no code with the program."""

from __future__ import annotations

import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.evaluate.release_files import data_bytes
from ppdm_desktop.engine.report.model import Verdict
from tests.corpus.attackers import (
    certain_people,
    ends_held_by_one,
    guessed_by_group,
    noise_left,
    rare_values_kept,
)
from tests.corpus.case import Case, candidate_of, numeric, step
from tests.corpus.drawn import few, made, normal, scattered, where
from tests.corpus.honest_second_round import SECOND_ROUND_HONEST
from tests.corpus.tables import german_credit

SD = 1_500
AVERAGED = ("age", "months", "amount")
HONEST = {case.name: case for case in SECOND_ROUND_HONEST}
IN_ORDER = {"release": {"shuffle_rows": False}}


def attacked(case: Case, folder: Path) -> tuple[Any, Any, Verdict]:
    """Return the release's rows as written, the source's, and what the program says of them."""
    candidate = candidate_of(case, folder)
    released = pd.read_csv(io.BytesIO(data_bytes(candidate).data), dtype=str, keep_default_na=False)
    source = pd.read_csv(folder / "people.csv", dtype=str, keep_default_na=False)
    return released, source, evaluate(candidate).report.verdict


def printed(verdict: Verdict, attack: str, column: str) -> Any:
    """Return what an attack of the record found of a column."""
    (entry,) = (entry for entry in verdict.attacks or () if (entry.id, entry.column) == (attack, column))
    return entry


PILED_UP = Case(
    "noise on gains that most people do not have",
    made(scattered(1_200, age=10, sex=2), has=few(0.1), gain=where({"has": "yes"}, normal(5_000, 900), few(0, 1, 0))),
    {"age": "q", "sex": "q", "has": "x", "gain": numeric(bounds=[0, 10_000])},
    (step("two-phase-noise", ("gain",), sd=SD),),
    "public",
    more=IN_ORDER,
)
AVERAGES = Case(
    "borrowers by averages of what others know",
    german_credit,
    {**dict.fromkeys(AVERAGED, numeric("q")), **dict.fromkeys(("personal", "job", "housing"), "x"), "risk": "c"},
    (step("microaggregation", AVERAGED, group=5, mode="multivariate"),),
    "research",
    more=IN_ORDER,
)


@pytest.mark.thorough
def test_the_noise_filter_prints_what_the_best_attacker_leaves(tmp_path: Path) -> None:
    released, source, verdict = attacked(PILED_UP, tmp_path)
    best = noise_left(released, source, "gain", SD)
    assert best < 0.5
    assert printed(verdict, "noise-filter", "gain").success.value == pytest.approx(best, abs=0.03)


@pytest.mark.thorough
def test_inference_prints_what_the_majority_of_a_group_gives_away(tmp_path: Path) -> None:
    released, source, verdict = attacked(AVERAGES, tmp_path)
    guessed = guessed_by_group(released, source, AVERAGED, "risk")
    assert guessed.gain > 0.02
    entry = printed(verdict, "inference", "risk")
    # The attacker is told the person's group, and the attack finds the nearest one.
    assert entry.success.high >= guessed.success
    # What is held against it is stronger than the attacker's, who compares with the majority of all.
    assert entry.control.value >= guessed.marginal
    assert entry.advantage.low <= guessed.gain <= entry.advantage.high


def test_certainty_by_all_counts_whom_the_other_columns_reveal(tmp_path: Path) -> None:
    case = replace(HONEST["row seven clinical columns, agreement"], more=IN_ORDER)
    released, source, verdict = attacked(case, tmp_path)
    known = [name for name in released.columns if name != "class"]
    kept = source.loc[source.groupby(["age", "menopause"])["class"].transform("size") >= 5].reset_index(drop=True)
    (check,) = (check for check in verdict.checks if check.id == "certain-by-all")
    assert check.hits == certain_people(released, kept, known, "class", 5)


@pytest.mark.thorough
def test_ranges_end_in_nobodys_own_value(tmp_path: Path) -> None:
    released, source, _ = attacked(HONEST["12 ranges of house values in groups of eleven"], tmp_path)
    assert ends_held_by_one(released, source, "value") == 0


@pytest.mark.thorough
def test_artificial_rows_show_no_value_of_few(tmp_path: Path) -> None:
    name = "14 artificial rows of people one in eight of whom lives in a village of their own"
    released, source, _ = attacked(HONEST[name], tmp_path)
    assert rare_values_kept(released, source, "town", 20) == 0
