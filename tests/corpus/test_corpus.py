"""Releases that leak are stopped, honest ones are not: every case judged by the whole gate, attacks among it."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import corpus_tables as tables
import numpy as np
import pytest

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation, evaluate

ROLES = {"q": "quasi-identifier", "c": "confidential", "o": "other"}
NOISE = {"method": "two-phase-noise"}


@dataclass(frozen=True)
class Case:
    """One release and what is expected of it.

    ``columns`` gives each column the first letter of its role, or a whole section of the recipe; ``red`` names
    the checks of which at least one has to be red (nothing: no check may be).
    """

    name: str
    table: tables.Columns
    columns: Mapping[str, Any]
    steps: tuple[Mapping[str, Any], ...]
    type: str
    red: frozenset[str] = field(default_factory=frozenset)


def numeric(role: str = "c", **more: Any) -> dict[str, Any]:
    return {"role": ROLES[role], "kind": "numeric", **more}


def step(method: str, columns: tuple[str, ...] | None = None, **parameters: Any) -> dict[str, Any]:
    found: dict[str, Any] = {"method": method, "parameters": parameters}
    return found if columns is None else {**found, "columns": list(columns)}


QUASI = {"age": "q", "zip": "q", "sex": "q"}
NEAR = {"region": "q", "sex": "q", "diagnosis": "c"}
LEAKING = (
    Case(
        "idle averages on a ward",
        tables.ward(),
        {"age": "q", "sex": "q", "ward": "q", "cost": numeric()},
        (step("microaggregation", ("cost",), group=3),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "averages of equal answers",
        tables.yes_no(),
        {**QUASI, "hiv": numeric()},
        (step("microaggregation", ("hiv",), group=5),),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "noise below half a step, bounds declared",
        tables.yes_no(),
        {**QUASI, "hiv": numeric(bounds=[0, 1])},
        (step("two-phase-noise", ("hiv",)),),
        "public",
        frozenset({"certain-disclosure", "rare-secret"}),
    ),
    Case(
        "noise below half a step, bounds from data",
        tables.yes_no(),
        {**QUASI, "hiv": numeric()},
        (step("two-phase-noise", ("hiv",)),),
        "public",
        frozenset({"certain-disclosure", "rare-secret"}),
    ),
    *(
        Case(
            f"{name} as other",
            {key: values for key, values in tables.patients().items() if key in (*NEAR, name)},
            {**NEAR, name: "o"},
            (step("random-swap", ("diagnosis",)),),
            "public",
            frozenset({"near-identifiers"}),
        )
        for name in ("patient_no", "lat", "dob", "hash")
    ),
    Case(
        "hours times rate give the pay",
        tables.pay(),
        {"age": "q", "hours": numeric("o"), "rate": numeric("o"), "pay": numeric()},
        (step("two-phase-noise", ("pay",)),),
        "research",
        frozenset({"reversal"}),
    ),
    Case(
        "eleven alike, one secret",
        tables.classes_of_one_secret(),
        {"place": "q", "sex": "q", "diagnosis": "c"},
        (),
        "public",
        frozenset({"certain-disclosure"}),
    ),
    Case(
        "digits shifted",
        tables.measured("normal"),
        {"age": "q", "sex": "q", "value": numeric()},
        (step("bit-plus-plus", ("value",)),),
        "public",
        frozenset({"certain-disclosure", "certain-by-all", "reversible-method"}),
    ),
)
HONEST = (
    *(
        Case(
            f"default noise on {law} values",
            tables.measured(law),
            {"age": "q", "sex": "q", "value": numeric()},
            (step("two-phase-noise", ("value",)),),
            "public",
        )
        for law in ("normal", "lognormal")
    ),
    Case(
        "Mondrian, eleven alike, three secrets in each",
        tables.diagnoses(),
        {"age": numeric("q", bounds=[0, 120]), "zip": numeric("q", bounds=[100, 200]), "sex": "q", "diagnosis": "c"},
        (step("mondrian", k=11, l=3),),
        "public",
    ),
    Case(
        "random swap of five even categories",
        tables.diagnoses(),
        {**QUASI, "diagnosis": "c"},
        (step("random-swap", ("diagnosis",), proportion=0.75),),
        "research",
    ),
    Case(
        "groups of eleven by averages of what others know",
        tables.diagnoses(),
        {"age": numeric("q"), "zip": numeric("q"), "sex": numeric("q"), "diagnosis": "c"},
        (step("microaggregation", ("age", "zip", "sex"), group=11),),
        "public",
    ),
)


def judged(case: Case, folder: Path, seed: bytes = b"\x07\x51\xa3") -> Evaluation:
    """Write the table, release it under a key of the system's kind, and judge it whole."""
    path = folder / "people.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(case.table)
        writer.writerows(zip(*case.table.values(), strict=True))
    sections = {
        name: {"role": ROLES[given], "kind": "nominal"} if isinstance(given, str) else given
        for name, given in case.columns.items()
    }
    document = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": sections,
        "steps": [dict(each) for each in case.steps],
        "release": {"type": case.type},
    }
    key = Key(np.random.default_rng(list(seed)).bytes(32), "system")
    prepared = prepare(path, parse_recipe(document), silent(), need_type=True)
    return evaluate(run_candidate(prepared, key, silent()), progress=silent())


def red(evaluation: Evaluation) -> set[str]:
    return {check.id for check in evaluation.checks if check.status == "red"}


@pytest.mark.parametrize("case", LEAKING, ids=lambda case: case.name)
def test_what_leaks_is_stopped(case: Case, tmp_path: Path) -> None:
    found = judged(case, tmp_path)
    assert red(found) & case.red, {check.id: check.status for check in found.checks}
    assert not found.decision.released


@pytest.mark.parametrize("case", HONEST, ids=lambda case: case.name)
def test_what_is_honest_passes_with_reasons(case: Case, tmp_path: Path) -> None:
    assert red(judged(case, tmp_path)) == set()
