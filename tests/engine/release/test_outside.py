"""The people outside the file: which releases say something of them, what is printed, and the table of a population."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from gate_cases import csv_of

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.measures.outside import NONE_UNIQUE, assess_outside
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.report.outside_texts import describe_for_record, describe_population_risk, expert_rows

WHO = "all patients of the two clinics"
RANDOM = {"who": WHO, "drawn": "random", "size": 3000}
NOT_RANDOM = {"who": WHO, "drawn": "not-random", "size": 3000}
EVERYBODY = {"who": WHO, "drawn": "everybody"}


def people(rows: int) -> dict[str, list[str]]:
    """Return a table of people with three details, of whom some are unique."""
    draws = np.random.default_rng(3)
    columns = {
        "age": [str(age) for age in draws.integers(20, 60, rows)],
        "sex": [str(sex) for sex in draws.choice(["f", "m"], rows)],
        "town": [str(town) for town in draws.choice(["Aa", "Bb", "Cc", "Dd"], rows, p=[0.6, 0.3, 0.08, 0.02])],
        "pay": [str(pay) for pay in draws.integers(1, 9, rows)],
        "weight": ["10"] * rows,
    }
    # Two people who differ by what nobody else has.
    for column, values in (("age", ["30", "30"]), ("sex", ["f", "f"]), ("town", ["Yy", "Zz"])):
        columns[column][-2:] = values
    return columns


def recipe_of(population: dict[str, Any] | None, *steps: dict[str, Any]) -> Recipe:
    """Return a recipe with three quasi-identifiers, a population and these steps."""
    columns = {name: {"role": "quasi-identifier"} for name in ("age", "sex", "town")}
    columns["age"]["kind"] = "numeric"
    columns["pay"] = {"role": "confidential", "kind": "numeric"}
    document = {"recipe": 1, "columns": columns, "steps": list(steps), "release": {"type": "internal"}}
    document["input"] = {"one_row_per_person": True}
    return parse_recipe(document if population is None else {**document, "population": population})


def outside(folder: Path, population: dict[str, Any], *steps: dict[str, Any], rows: int = 300) -> model.OutsideEntry:
    """Return what a release of invented people says of a population."""
    source = folder / "source.csv"
    source.write_text(csv_of(people(rows)), "utf-8")
    prepared = prepare(source, recipe_of(population, *steps))
    candidate: Candidate = run_candidate(prepared, Key.from_seed(1))
    entry = assess_outside(prepared, candidate, candidate.final)
    assert entry is not None
    return entry


WIDER = {"method": "generalize", "columns": ["age"], "parameters": {"width": 5}}
EMPTIED = {"method": "local-suppression", "parameters": {"k": 2, "most": 0.5}}


@pytest.mark.parametrize(
    ("population", "steps", "said", "on_record"), case_rows("outside-what-may-be-printed", lists=True)
)
def test_what_may_be_printed(
    tmp_path: Path, population: dict[str, Any], steps: tuple[dict[str, Any], ...], said: str, on_record: bool
) -> None:
    entry = outside(tmp_path, population, *steps)
    words = " ".join(describe_population_risk(entry))
    assert said in words
    assert bool(describe_for_record(entry)) == on_record
    if population in (EVERYBODY, NOT_RANDOM):
        assert "of 100 cases" not in words
        assert (entry.f, expert_rows(entry)) == ([], [])
    else:
        assert WHO in words
    if on_record:
        assert describe_for_record(entry).startswith("If the intruder does not know who is in the file: ")
        assert WHO in describe_for_record(entry)


@pytest.mark.parametrize(
    ("changes", "on_record"),
    [
        ({}, True),
        ({"f": [19, 4, 1]}, False),
        ({"left_out": 281}, False),
        ({"theta": Figure(0.3, low=0.17, high=0.43)}, False),
        ({"theta": Figure(0.3, low=0.18, high=0.43)}, True),
        ({"drawn": "not-random"}, False),
        ({"drawn": "not-random", "by_table": True}, True),
        ({"theta": Figure.absent(NONE_UNIQUE)}, False),
    ],
)
def test_release_record_says_only_what_is_near(changes: dict[str, Any], on_record: bool) -> None:
    entry = model.OutsideEntry(
        who=WHO,
        size=3000,
        drawn="random",
        by_table=False,
        theta=Figure(0.3, low=0.25, high=0.35),
        f=[300, 40, 9],
        left_out=0,
        kmap=None,
        expert=None,
    )
    assert bool(describe_for_record(entry.model_copy(update=changes))) == on_record


@pytest.mark.parametrize(
    ("step", "reason"), case_rows("outside-values-changed-at-random-say-nothing-of-others", lists=True)
)
def test_values_changed_at_random_say_nothing_of_others(tmp_path: Path, step: dict[str, Any], reason: str) -> None:
    entry = outside(tmp_path, RANDOM, step)
    assert entry.theta.value is None
    assert reason in str(entry.theta.note)


def test_emptied_cells_and_rows_left_out_do_not_make_the_chance_smaller(tmp_path: Path) -> None:
    whole = outside(tmp_path, RANDOM)
    some = {"method": "suppress", "parameters": {"k": 2, "most": 1.0}}
    left = outside(tmp_path, RANDOM, some)
    assert left.f == whole.f
    assert left.left_out == whole.f[0]
    assert whole.left_out == 0


def test_weights_say_the_same_as_the_size_they_sum_to(tmp_path: Path) -> None:
    weighted = outside(tmp_path, {"who": WHO, "drawn": "random", "weight": "weight"})
    assert weighted == outside(tmp_path, RANDOM)
    prepared = prepare(tmp_path / "source.csv", recipe_of({"who": WHO, "drawn": "random", "weight": "weight"}))
    assert prepared.original.column("weight").role == "left-out"


def test_judging_changes_no_draw(tmp_path: Path) -> None:
    (tmp_path / "source.csv").write_text(csv_of(people(30)), "utf-8")
    plain, judged = (prepare(tmp_path / "source.csv", recipe_of(population)) for population in (None, RANDOM))
    assert plain.effective == judged.effective
    assert assess_outside(plain) is None


# --- a table of all people --------------------------------------------------------------------


def with_table(folder: Path, extra: str = "", **population: Any) -> dict[str, Any]:
    """Return a population whose table holds the people of the file ten times, and more rows."""
    columns = people(300)
    table = csv_of({name: columns[name] * 10 for name in ("age", "sex", "town")})
    (folder / "all.csv").write_text(table + extra, "utf-8")
    return {"who": WHO, "table": "all.csv", **population}


def test_risk_by_a_table(tmp_path: Path) -> None:
    entry = outside(tmp_path, with_table(tmp_path))
    assert entry.kmap is not None
    assert (entry.size, entry.theta.value, entry.kmap.presence) == (3000, 0.1, 0.1)
    assert entry.kmap.journalist_max == 0.1
    assert "10% of the cases" in describe_for_record(entry)
    wider = outside(tmp_path, with_table(tmp_path, "21,f,Aa\n"), WIDER)
    assert wider.kmap is not None
    assert wider.kmap.presence == 0.1
    assert wider.kmap.journalist_mean < entry.kmap.journalist_mean
    # A blank fits everybody with the cells that are left.
    emptied = outside(tmp_path, with_table(tmp_path), EMPTIED)
    assert emptied.kmap is not None
    assert emptied.kmap.journalist_max <= 0.05
    assert emptied.left_out == entry.f[0]


@pytest.mark.parametrize(
    ("population", "steps", "error"), case_rows("outside-what-does-not-fit-is-refused", lists=True)
)
def test_what_does_not_fit_is_refused(
    tmp_path: Path, population: dict[str, Any], steps: tuple[dict[str, Any], ...], error: str
) -> None:
    columns = people(300)
    (tmp_path / "few.csv").write_text(
        csv_of({name: [*columns[name][:299], columns[name][0]] for name in ("age", "sex", "town")}), "utf-8"
    )
    with_table(tmp_path, "21,f,Qq\n")
    (tmp_path / "all.csv").rename(tmp_path / "odd.csv")
    with pytest.raises(PpdmError) as raised:
        outside(tmp_path, population, *steps)
    assert raised.value.id == error


@pytest.mark.parametrize(
    ("population", "refused"),
    [
        ({"who": "all patients"}, "who"),
        ({"who": WHO, "drawn": "random"}, "population"),
        ({"who": WHO, "weight": "weight"}, "population"),
        ({"who": WHO, "drawn": "some"}, "drawn"),
    ],
)
def test_recipe_refuses_an_answer_that_says_too_little(population: dict[str, Any], refused: str) -> None:
    with pytest.raises(PpdmError) as raised:
        recipe_of(population)
    assert refused in str(raised.value.arguments["key"])


def test_older_key_for_a_table_is_read() -> None:
    recipe = parse_recipe({"recipe": 1, "risk": {"population": "all.csv"}})
    assert recipe.population is not None
    assert recipe.population.table == "all.csv"
    assert recipe.risk.population is None
