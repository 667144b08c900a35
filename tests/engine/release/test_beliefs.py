"""Belief about released values, on candidates of real methods: golden figures of Adult, and laws that hold."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows

from ppdm_desktop.engine.attacks.noise_belief import beliefs_behind_noise
from ppdm_desktop.engine.attacks.noisy_column import LevelNoise, NoisyColumn
from ppdm_desktop.engine.noise.kernels import NoiseLaw
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.disclosure.beliefs import belief_of
from ppdm_desktop.engine.release.disclosure.column_belief import ColumnBelief
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.singled_out import count_singled_out
from ppdm_desktop.engine.table.column import Column, Table

QUASI = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
OTHER = ("workclass", "capital-gain", "capital-loss", "hours-per-week")


def adult(folder: Path, data: Path, step: Mapping[str, Any] | None) -> Candidate:
    """Release 8,000 people of Adult by seven quasi-identifiers, with four other columns and the class."""
    pandas = pytest.importorskip("pandas")
    path = folder / "adult.csv"
    table = pandas.read_csv(data / "adult_train.csv").sample(8_000, random_state=1)
    table[[*QUASI, *OTHER, "class"]].to_csv(path, index=False)
    sections = {
        **{name: {"role": "quasi-identifier", "kind": "nominal"} for name in QUASI},
        **{name: {"role": "other", "kind": "nominal"} for name in OTHER},
        "class": {"role": "confidential", "kind": "nominal"},
    }
    document = {
        "recipe": 1,
        "input": {"one_row_per_person": True},
        "columns": sections,
        "steps": [step] if step is not None else [],
        "release": {"type": "research"},
    }
    return run_candidate(prepare(path, parse_recipe(document), need_type=True), Key.from_seed(1))


def released(candidate: Candidate) -> Released:
    """Return the two sides of a candidate whose file holds what was previewed."""
    rows = np.searchsorted(candidate.prepared.table.row_numbers, candidate.final.row_numbers)
    shown = [candidate.final.column(name) for name in candidate.released_names]

    def truth(name: str) -> Column:
        return candidate.prepared.table.column(name).take(rows)

    return Released(candidate, Table(tuple(shown), candidate.final.row_numbers, candidate.final.levels), truth)


def figures(candidate: Candidate, name: str) -> tuple[ColumnBelief, int, int]:
    found = belief_of(released(candidate), name)
    return found, int(found.others.certain.sum()), int(found.all.certain.sum())


def bayes(**parameters: Any) -> dict[str, Any]:
    return {"method": "bayes-swap", "columns": ["class"], "parameters": parameters}


@pytest.mark.parametrize(
    ("step", "others", "everything"),
    case_rows("beliefs-adult-class", lists=True),
    ids=["no step", "random", "safe", "largest balanced", "half", "0.186", "0.15", "paper"],
)
def test_adult_class(
    tmp_path: Path, data_folder: Path, step: Mapping[str, Any] | None, others: int, everything: int
) -> None:
    """Verdict page, 2.7 and section 5: certain by seven quasi-identifiers, and by all released columns."""
    candidate = adult(tmp_path, data_folder, step)
    found, by_others, by_all = figures(candidate, "class")
    assert [by_others, by_all] == pytest.approx([others, everything], abs=3)
    assert found.family == ("true" if step is None else "swapped")
    picked = count_singled_out(released(candidate))
    assert (picked.by_others, picked.by_all_but_secret) == (4_549, 7_140)


def small(
    folder: Path, step: Mapping[str, Any], rows: int = 400, *, before: Sequence[Any] = (), **columns: Mapping[str, Any]
) -> Candidate:
    rng = np.random.default_rng(5)
    values = {
        "age": rng.integers(20, 40, rows),
        "city": rng.integers(0, 4, rows),
        "pay": rng.integers(1_000, 9_000, rows),
        "ill": rng.integers(0, 3, rows),
    }
    path = folder / "people.csv"
    lines = [",".join(values), *(",".join(map(str, row)) for row in zip(*values.values(), strict=True))]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sections = {
        "age": {"role": "quasi-identifier", "kind": "numeric"},
        "city": {"role": "quasi-identifier", "kind": "nominal"},
        "pay": {"role": "confidential", "kind": "numeric", "bounds": [0, 10_000]},
        "ill": {"role": "confidential", "kind": "nominal"},
        **columns,
    }
    document = {"recipe": 1, "columns": sections, "steps": [*before, step], "release": {"type": "research"}}
    return run_candidate(prepare(path, parse_recipe(document), need_type=True), Key.from_seed(3))


NOISE = {"method": "two-phase-noise", "columns": ["pay"]}
SWAP = {"method": "random-swap", "columns": ["ill"]}
GROUPS = {"method": "microaggregation", "columns": ["pay"], "parameters": {"group": 5}}


@pytest.mark.parametrize(("step", "name"), [(NOISE, "pay"), (GROUPS, "pay"), (SWAP, "ill")])
def test_the_more_of_the_truth_is_put_back_the_more_is_certain(
    tmp_path: Path, step: Mapping[str, Any], name: str
) -> None:
    """Law L2: true values among the changed ones never make a release safer; all of them make it the original."""
    candidate = small(tmp_path, step)
    sides = released(candidate)
    truth, shown = sides.truth(name).values(), sides.table.column(name).values()
    counts = []
    for share in (0.0, 0.5, 1.0):
        many = int(share * len(truth))
        mixed = [*truth[:many], *shown[many:]]
        column = sides.table.column(name)
        put_back = column.with_values(np.arange(len(mixed), dtype=np.int64), mixed)
        found = belief_of(replace(sides, table=sides.table.replacing(put_back)), name)
        counts.append((int(found.others.certain.sum()), int(found.all.certain.sum())))
    assert counts == sorted(counts)
    before = belief_of(released(small(tmp_path, {**step, "enabled": False})), name)
    assert counts[-1] == (int(before.others.certain.sum()), int(before.all.certain.sum()))


@pytest.mark.parametrize(("step", "name"), [(NOISE, "pay"), (GROUPS, "pay"), (SWAP, "ill")])
def test_no_declaration_of_a_method_makes_an_idle_step_safe(
    tmp_path: Path, step: Mapping[str, Any], name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Law L3: a step that changes nothing protects nobody, whatever it says of itself."""
    candidate = small(tmp_path, step)
    sides = released(candidate)
    idle = replace(sides, table=sides.table.replacing(sides.truth(name)))
    wanted = belief_of(idle, name)
    assert wanted.family == "true"
    method = type(candidate.steps[0].method)
    for key, value in (("protects", "both"), ("treatment", "synthetic data"), ("treatment", "generalisation")):
        monkeypatch.setattr(method, key, value)
        found = belief_of(idle, name)
        assert (found.others.certain == wanted.others.certain).all()
        assert (found.all.certain == wanted.all.certain).all()


def test_all_people_are_looked_for_in_artificial_records_where_an_earlier_step_left_rows_out(tmp_path: Path) -> None:
    suppress = {"method": "suppress", "columns": ["age", "city"], "parameters": {"k": 3, "most": 0.5}}
    candidate = small(tmp_path, {"method": "condensation"}, before=[suppress])
    assert candidate.final.rows < 400
    found, _, _ = figures(candidate, "pay")
    assert (found.of == np.arange(candidate.final.rows)).all()


def test_an_own_tolerance_makes_a_guess_right_sooner(tmp_path: Path) -> None:
    wide = {"role": "confidential", "kind": "numeric", "bounds": [0, 10_000], "tolerance": 9_000}
    narrow = small(tmp_path, GROUPS)
    own = small(tmp_path, GROUPS, pay=wide)
    assert figures(own, "pay")[1] == 400
    assert figures(narrow, "pay")[1] < 400
    # What only judges moves no random draw.
    assert own.prepared.recipe_sha256 == narrow.prepared.recipe_sha256


def test_a_class_of_noisy_values_gives_one_away_where_noise_is_nothing() -> None:
    """Two people of ten are told another value than the others: one secret of nine in ten is none of eight."""
    values = np.repeat([10.0, 60.0], [28, 2])
    column = NoisyColumn(
        values, values, np.zeros(30, np.int64), (LevelNoise(NoiseLaw("gaussian", 0.05), 1.0),), 1.0, 0.0, 100.0
    )
    belief = beliefs_behind_noise(column)["informed"]
    ids = np.array([0] * 10 + [1] * 10 + [2] * 10)
    assert belief.one_secret(ids, 3, np.ones(30)).tolist() == [True, True, False]
    assert belief.one_secret(np.r_[[2] * 10, [1] * 10, [2] * 10], 3, np.ones(30)).tolist() == [False, True, True]
