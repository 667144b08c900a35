"""Where candidates stand: every figure is one of the verdict's, and the order follows what was decided."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from optional import existing

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import Family
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate
from ppdm_desktop.engine.release.evaluate.scorecard import (
    Scorecard,
    family_of,
    find_best_candidate,
    sort_best_first,
)
from ppdm_desktop.engine.release.verdict.usefulness import usefulness_of
from ppdm_desktop.engine.report.model import UsefulnessEntry, Verdict

COLUMNS = {
    "age": {"role": "quasi-identifier", "kind": "numeric"},
    "city": {"role": "quasi-identifier", "kind": "nominal"},
    "income": {"role": "confidential", "kind": "numeric"},
    "illness": {"role": "confidential", "kind": "nominal"},
}


def judged(folder: Path, *steps: str, **parameters: Any) -> tuple[Evaluation, Any]:
    draw = np.random.default_rng(2)
    rows = zip(
        draw.integers(20, 60, 240),
        draw.choice(["Delft", "Ghent", "Bonn"], 240),
        draw.integers(1_000, 5_000, 240),
        draw.choice(["flu", "cold", "ulcer"], 240),
        strict=True,
    )
    path = folder / "people.csv"
    path.write_text("\n".join([",".join(COLUMNS), *(",".join(map(str, row)) for row in rows)]) + "\n")
    document = {
        "recipe": 1,
        "columns": COLUMNS,
        "steps": [{"method": step, "parameters": parameters} for step in steps],
        "release": {"type": "research"},
    }
    candidate = run_candidate(prepare(path, parse_recipe(document)), Key.from_seed(1))
    return evaluate(candidate), candidate


def test_a_risk_with_an_interval_is_judged_by_its_upper_end_for_both_tables_alike(tmp_path: Path) -> None:
    found, _ = judged(tmp_path, "microaggregation")
    for verdict in (found.report.verdict, existing(found.report.original)):
        for criterion in ("match", "guess", "reversal"):
            figure = Scorecard(verdict).judged(criterion).figure
            if figure is not None and figure.high is not None:
                assert Scorecard(verdict).upper(criterion) == max(figure.high, 0.0)
    figure = existing(Scorecard(found.report.verdict).judged("reversal").figure)
    assert existing(figure.high) > existing(figure.value)
    card, singled = Scorecard(found.report.verdict), existing(found.report.verdict.singled).by_all_but_secret
    assert (card.people, card.limit, card.singled_out, card.upper("alone")) == (240, 0.2, singled, singled / 240)


def test_attacks_that_were_not_made_leave_open_what_they_would_say(tmp_path: Path) -> None:
    _, candidate = judged(tmp_path, "microaggregation")
    card = Scorecard(evaluate(candidate, attacks=()).report.verdict)
    assert all(math.isnan(card.upper(name)) for name in ("guess", "reversal"))
    # Others' knowledge is as it was: the sizes of classes say how many are found, attacked or not.
    assert 0 < card.upper("match") < 1


# --- what is best -----------------------------------------------------------------------


def made(
    verdict: Verdict, useful: float, *, match: float = 0.1, red: int = 0, amber: int = 0, kind: str = ""
) -> Scorecard:
    """A card of so many red and amber checks, of a share of people found and of how useful it is."""
    green = [check.model_copy(update={"status": "green"}) for check in verdict.checks]
    colours = ["red"] * red + ["amber"] * amber
    checks = [
        check.model_copy(update={"status": colour}) for check, colour in zip(green, colours, strict=False)
    ] + green[len(colours) :]
    found = Figure(match / 2, high=match, unit="share")
    checks = [each.model_copy(update={"figure": found}) if each.id == "linkage" else each for each in checks]
    figure = Figure(useful, unit="share")
    lost = {"marked_lost": int("m" in kind), "lost_detail": int("w" in kind), "secrets_gone": int("s" in kind)}
    usefulness = verdict.usefulness.model_copy(update={"columns": figure, "useful": figure, **lost})
    return Scorecard(verdict.model_copy(update={"checks": checks, "usefulness": usefulness}))


@pytest.fixture(scope="module")
def verdict(tmp_path_factory: pytest.TempPathFactory) -> Verdict:
    return judged(tmp_path_factory.mktemp("card"), "bayes-swap")[0].report.verdict


FAMILIES = {"t": Family.TRUE_VALUES, "g": Family.GROUPS, "a": Family.ARTIFICIAL}


@pytest.mark.parametrize(
    ("cards", "order"), case_rows("scorecard-fewest-reasons-come-first-then-the-most-useful", lists=True)
)
def test_fewest_reasons_come_first_then_the_most_useful(
    verdict: Verdict, cards: list[tuple[float, int, str]], order: list[int]
) -> None:
    made_cards = [
        replace(made(verdict, useful, amber=reasons, red="r" in kind, kind=kind), family=FAMILIES.get(kind[:1]))
        for useful, reasons, kind in cards
    ]
    assert sort_best_first(made_cards) == order
    assert find_best_candidate(made_cards) == (order[0] if order else None)


def test_the_most_changed_values_say_what_a_chain_of_steps_leaves() -> None:
    assert family_of(["generalize", "local-suppression"]) is Family.TRUE_VALUES
    assert family_of(["generalize", "bayes-swap"]) is Family.EXCHANGED
    assert family_of(["generalize", "a-plugin-that-is-gone"]) is None


def test_where_none_may_go_it_is_the_one_that_fewest_checks_block_then_the_fewest_are_found(verdict: Verdict) -> None:
    assert find_best_candidate([made(verdict, 0.9, red=2), made(verdict, 0.1, match=0.9, red=1)]) == 1
    assert find_best_candidate([made(verdict, 0.9, match=0.4, red=1), made(verdict, 0.1, match=0.3, red=1)]) == 1
    assert not made(verdict, 0.9, red=1).is_within
    assert made(verdict, 0.9, amber=2).is_within


# --- what is lost is said in the columns' own words, and usefulness orders versions by it (example of broken pairs) ---


PASSENGERS = 891


def measured(
    folder: Path, columns: Mapping[str, Mapping[str, Any]], rows: list[tuple[Any, ...]], *steps: Any
) -> UsefulnessEntry:
    path = folder / "table.csv"
    path.write_text("\n".join([",".join(columns), *(",".join(map(str, row)) for row in rows)]) + "\n")
    document = {"recipe": 1, "columns": columns, "steps": steps, "release": {"type": "research"}}
    candidate = run_candidate(prepare(path, parse_recipe(document)), Key.from_seed(1))
    return usefulness_of(candidate)


def titanic(folder: Path, *steps: Any) -> UsefulnessEntry:
    """Measure invented passengers: fare goes by class, survival by sex and class."""
    draw = np.random.default_rng(4)
    place = draw.choice([1, 2, 3], PASSENGERS, p=[0.24, 0.21, 0.55])
    sex = draw.choice(["male", "female"], PASSENGERS, p=[0.65, 0.35])
    fare = np.round(draw.lognormal(4.6 - 0.75 * place, 0.35), 2)
    survived = draw.random(PASSENGERS) < np.where(sex == "female", 1.05 - 0.2 * place, 0.45 - 0.12 * place)
    age = np.clip(np.round(draw.normal(38 - 5 * place, 12)), 1, 80).astype(int)
    port = draw.choice(["S", "C", "Q"], PASSENGERS, p=[0.7, 0.2, 0.1])
    columns = {
        "class": {"role": "quasi-identifier", "kind": "ordinal"},
        "sex": {"role": "quasi-identifier", "kind": "nominal"},
        "age": {"role": "quasi-identifier", "kind": "numeric"},
        "port": {"role": "quasi-identifier", "kind": "nominal"},
        "fare": {"role": "confidential", "kind": "numeric"},
        "survived": {"role": "confidential", "kind": "nominal"},
    }
    rows = list(zip(place, sex, age, port, fare, np.where(survived, "yes", "no"), strict=True))
    return measured(folder, columns, rows, *steps)


def test_a_version_of_true_values_is_more_useful_than_one_with_broken_pairs(tmp_path: Path) -> None:
    true = titanic(tmp_path, {"method": "generalize", "columns": ["age"], "parameters": {"width": 10}})
    for step in ({"method": "condensation"}, {"method": "random-swap"}, {"method": "two-phase-noise"}):
        broken = titanic(tmp_path, step)
        assert existing(broken.useful.value) < existing(true.useful.value), step
        assert true.believable.value == 1.0
        assert step["method"] != "two-phase-noise" or existing(broken.believable.value) < 1.0
        if step["method"] == "random-swap":  # by single columns alone it would come first
            assert existing(broken.columns.value) > existing(true.columns.value)
