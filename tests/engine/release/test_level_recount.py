"""The promise to each level, counted by the program and by a second counter, on fuzzed and on planted releases."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.measures.level_recount import (
    _compute_reflected_noise,
    _count_too_little_noise,
    recount_levels,
)
from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.values import format_sentence_value

pd = pytest.importorskip("pandas")

from gate_cases import check, evidence_of, make_candidate, recipe_of  # noqa: E402
from recount import Line, Recount  # noqa: E402
from thoroughness import draws  # noqa: E402

LEVELS = ("normal", "cautious", "extra-cautious", "paranoid")
ROLES: dict[str, Any] = {
    "Q": {"role": "q", "kind": "nominal"},
    "A": {"role": "q", "kind": "numeric", "bounds": [10, 99]},
    "C": {"role": "c", "kind": "nominal"},
    "N": {"role": "c", "kind": "numeric", "bounds": [-200, 400]},
    "L": "p",
}
METHODS: list[tuple[str, list[str] | None, list[Mapping[str, Any]]]] = case_rows("level-recount-methods", lists=True)


def people(rng: np.random.Generator) -> dict[str, list[str]]:
    """A table of any size up to 90, with groups of look-alikes, gaps, and levels shared out anyhow."""
    rows, categories = int(rng.integers(12, 90)), int(rng.integers(2, 5))
    most = int(rng.integers(1, 5))
    shares = rng.dirichlet(np.ones(most))
    names = rng.integers(0, max(3, int(rows * rng.random() ** 3)), size=rows)
    texts = ["", *"wxyz"][0 if rng.random() < 0.5 else 1 :]
    return {
        "Q": [f"p{name:03}" for name in names],
        "A": [str(20 + 10 * int(name % 7)) for name in names],
        "C": [texts[code] for code in rng.integers(0, min(categories, len(texts)), size=rows)],
        "N": [f"{value:.0f}" for value in rng.normal(100, 15, size=rows)],
        "L": [LEVELS[code] for code in rng.choice(most, size=rows, p=shares)],
    }


def stays(rng: np.random.Generator) -> dict[str, list[str]]:
    """The same with one to three rows of each person, in any order; what is confidential stays with the person."""
    table = people(rng)
    times = rng.choice(3, size=len(table["Q"]), p=[0.6, 0.25, 0.15]) + 1
    order = rng.permutation(np.repeat(np.arange(len(times)), times))
    moved = rng.random(len(order)) < 0.2
    found = {name: [values[person] for person in order] for name, values in table.items()}
    found["A"] = [
        table["A"][int(rng.integers(len(times)))] if away else own for own, away in zip(found["A"], moved, strict=True)
    ]
    return {"W": [f"w{person}" for person in order], **found}


def by_pandas(candidate: Candidate, columns: Mapping[str, Sequence[str]], data: bytes, recipe: Any) -> list[Line]:
    """Count with pandas what the bytes of a data file show."""
    source = pd.DataFrame({name: list(values) for name, values in columns.items()})
    released = pd.read_csv(io.BytesIO(data), dtype=str, keep_default_na=False)
    groups = [step.result.row_groups for step in candidate.steps if step.result.row_groups is not None]
    used = {
        (name, own["level"]): (own["demanded"], own["m"])
        for step in candidate.steps
        for name, detail in (
            *step.result.detail.get("columns", {}).items(),
            *((", ".join(own["together"]), own) for own in [step.result.detail.get("together")] if own),
        )
        for own in (detail["levels"] if "unique" in detail else ())
        if own["demanded"] < own["asked"]
    }
    own = candidate.final.row_numbers[candidate.row_order]
    rows = np.searchsorted(candidate.prepared.table.row_numbers, own)
    person, linked = ("W" if "W" in columns else None), candidate.links_rows
    of_rows = groups[0].tolist() if groups else None
    return Recount(source, released, recipe, rows.tolist(), of_rows, used, person, linked).lines()


def by_program(evidence: Evidence) -> list[Line]:
    lines = [
        (each.step, each.column, each.level, each.people, each.demand, each.least, each.short)
        for each in recount_levels(evidence.candidate, evidence.judged)
    ]
    return sorted(lines, key=lambda line: line[:3])


def assert_alike(one: Sequence[Line], other: Sequence[Line]) -> None:
    assert [line[:4] for line in one] == [line[:4] for line in other]
    for mine, yours in zip(one, other, strict=True):
        assert mine[4] == pytest.approx(yours[4], rel=1e-9), (mine, yours)
        assert mine[5] == (None if yours[5] is None else pytest.approx(yours[5], rel=1e-9)), (mine, yours)
        assert mine[6] == yours[6], (mine, yours)


def fuzz(
    folder: Path,
    method: str,
    columns: list[str] | None,
    ways: Sequence[Mapping[str, Any]],
    runs: int,
    *,
    several: bool = False,
) -> None:
    made = 0
    roles = {"W": "i", **ROLES} if several else dict(ROLES)
    if columns is not None and "D" in columns:
        roles["D"] = {"role": "c", "kind": "nominal"}
    for seed in range(4 * runs):
        rng = np.random.default_rng([seed, len(method)])
        table = stays(rng) if several else people(rng)
        if columns is not None and "D" in columns:
            # It stays with the person, as the details that others may know do.
            table["D"] = [f"d{sum(map(ord, quasi)) // 3 % 2}" if quasi != "p0" else "" for quasi in table["Q"]]
        step: dict[str, Any] = {"method": method, "parameters": dict(ways[int(rng.integers(len(ways)))])}
        steps = [step if columns is None else {**step, "columns": columns}]
        given = {"person": "W"} if several else {"one_row_per_person": True}
        in_order = several and seed % 3 == 0
        more: dict[str, Any] = {"steps": steps, "input": given, "release": {"shuffle_rows": not in_order}}
        try:
            candidate = make_candidate(folder, table, roles, ["research", "internal"][seed % 2], **more)
        except PpdmError:
            continue  # too small a table, or one value: the method says no
        evidence = evidence_of(candidate)
        assert evidence.written is not None
        recipe = recipe_of(roles, ["research", "internal"][seed % 2], **more)
        mine, yours = by_program(evidence), by_pandas(candidate, table, evidence.written.data, recipe)
        assert_alike(mine, yours)
        assert not any(line[-1] for line in mine), (seed, mine)
        made += 1
        if made == runs:
            return
    raise AssertionError(f"only {made} tables fit {method}")


IDS = ["-".join([each[0], *(each[1] or ())[1:2]]) for each in METHODS]


@pytest.mark.thorough
@pytest.mark.parametrize(("method", "columns", "ways"), METHODS, ids=IDS)
def test_both_counters_agree(
    tmp_path: Path, method: str, columns: list[str] | None, ways: Sequence[Mapping[str, Any]]
) -> None:
    """A hundred runs, or a thousand where ``thorough`` was asked for."""
    fuzz(tmp_path, method, columns, ways, draws(8, 84))


TAKE_SEVERAL = [each for each in METHODS if find_method(each[0]).several_rows == "people"]
SEVERAL_IDS = [name for name, each in zip(IDS, METHODS, strict=True) if each in TAKE_SEVERAL]


@pytest.mark.parametrize(("method", "columns", "ways"), TAKE_SEVERAL, ids=SEVERAL_IDS)
def test_both_counters_count_people(
    tmp_path: Path, method: str, columns: list[str] | None, ways: Sequence[Mapping[str, Any]]
) -> None:
    fuzz(tmp_path, method, columns, ways, draws(4, 20), several=True)


def test_who_is_regrouped_is_counted_by_the_last_groups_alone(tmp_path: Path) -> None:
    """Emptied cells split a first class; a part of it is then left out, and all others still share with five."""
    rng = np.random.default_rng(10)
    names = {
        name: [f"{name}{value}" for value in rng.geometric(p, 500)] for name, p in (("Q", 0.35), ("A", 0.4), ("B", 0.5))
    }
    table = {**names, "C": [f"c{value}" for value in rng.integers(0, 2, 500)]}
    roles = {name: {"role": "c" if name == "C" else "q", "kind": "nominal"} for name in table}
    steps = [
        {"method": "generalize", "columns": ["Q"], "parameters": {"rare": {"Q": 0.02}}},
        {"method": "local-suppression", "parameters": {"most": 1}},
        {"method": "leave-out-rows", "columns": ["Q", "A", "B"], "parameters": {"most": 0.9}},
    ]
    candidate = make_candidate(tmp_path, table, roles, steps=steps, input={"one_row_per_person": True})
    assert candidate.final.rows == 488
    assert all(count.met for count in recount_levels(candidate, candidate.released))


# --- one level's cells put back ---------------------------------------------------------------------


def planted(evidence: Evidence, column: str, rows: np.ndarray) -> Evidence:
    """Write the truth into the file for some people (as rows of ``final``)."""
    candidate = evidence.candidate
    assert evidence.as_written is not None
    assert evidence.written is not None
    true = candidate.prepared.table.column(column).values()
    place = np.empty(len(candidate.row_order), dtype=np.int64)
    place[candidate.row_order] = np.arange(len(place))
    table = list(csv.reader(io.StringIO(evidence.written.data.decode())))
    at = table[0].index(column)
    for row in rows.tolist():
        table[1 + int(place[row])][at] = true[row]
    stream = io.StringIO()
    csv.writer(stream, lineterminator="\n").writerows(table)
    columns = tuple(
        each.with_values(place[rows], [true[row] for row in rows.tolist()]) if each.name == column else each
        for each in evidence.as_written
    )
    return replace(evidence, written=evidence.written.holding(stream.getvalue().encode()), as_written=columns)


@pytest.mark.parametrize(
    ("method", "column", "parameters", "short"),
    [("random-swap", "C", {}, 2), ("bayes-swap", "C", {"proportion": 0.5}, 2), ("two-phase-noise", "N", {}, 5)],
)
def test_one_level_put_back_is_seen_by_both(
    tmp_path: Path, method: str, column: str, parameters: Mapping[str, Any], short: int
) -> None:
    # 5 of 300 ask for most; with two values all levels ask for one half, and in one pool nobody would miss them.
    rng = np.random.default_rng(8)
    table = {
        "Q": [f"p{n}" for n in range(300)],
        "A": ["30"] * 300,
        "C": ["wx"[code] for code in rng.integers(0, 2, size=300)],
        "N": [f"{value:.0f}" for value in rng.normal(100, 15, size=300)],
        "L": ["paranoid"] * 5 + [LEVELS[code] for code in rng.integers(0, 3, size=295)],
    }
    more: dict[str, Any] = {"steps": [{"method": method, "columns": [column], "parameters": dict(parameters)}]}
    roles = {**ROLES, "N" if column == "C" else "C": "l"}
    candidate = make_candidate(tmp_path, table, roles, **more)
    whole = evidence_of(candidate)
    assert whole.written is not None
    broken = planted(whole, column, np.arange(5))
    assert broken.written is not None
    recipe = recipe_of(roles, **more)
    for evidence, lacking in ((whole, 0), (broken, short)):
        assert evidence.written is not None
        mine = by_program(evidence)
        assert_alike(mine, by_pandas(candidate, table, evidence.written.data, recipe))
        assert {line[2]: line[-1] for line in mine if line[-1]} == ({"paranoid": lacking} if lacking else {})
    found = check(broken, "levels-met")
    assert found.status == "red"
    assert format_sentence_value(found.sentence.arguments["levels"], Numbers("en")) == f"{short} of 5 at Very high"
    assert found.figure is not None
    assert found.figure.value == short
    assert check(whole, "levels-met").status != "red"


# --- reflected noise ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("period", "grid", "strength", "is_seen"), case_rows("level-recount-too-little-reflected-noise-is-seen-and")
)
@pytest.mark.parametrize("law", ["gaussian", "uniform"])
def test_too_little_reflected_noise_is_seen_and_enough_is_not(
    law: str, period: float | None, grid: float, strength: float, is_seen: bool
) -> None:
    rng, low, sd = np.random.default_rng(3), 100.0, 2_500.0
    truth = np.rint(rng.gamma(2.0, 1_500.0, 3_000).clip(0, 10_000) / grid) * grid + low
    noise = rng.normal(0, sd, 3_000) if law == "gaussian" else rng.uniform(-sd * 3**0.5, sd * 3**0.5, 3_000)
    shown = np.abs(truth - low + strength * noise)
    if period is not None:
        shown = np.minimum(shown % period, period - shown % period)
    moved = np.rint((shown + low - truth) / grid) * grid
    expected = _compute_reflected_noise(truth, sd, grid, law, low, period)
    assert bool(_count_too_little_noise(moved, sd, grid, law, expected)) == is_seen
