"""Laws that the verdict keeps, whatever the method and whatever a column holds (verdict page, 2.6).

Attacks are left out: what is judged here is measured from the written file and the source.
"""

from __future__ import annotations

import tempfile
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cases import case_rows
from few_trees import grow_few_trees
from gate_cases import evidence_of
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from law_support import (
    Said,
    changed_columns,
    put_back,
    rearranged,
    release_by,
    renamed,
    row_text,
    with_idle_step,
)
from support import write_columns
from thoroughness import every_third

from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.singled_out import count_singled_out

METHODS = list(all_methods().values())
TYPES = st.sampled_from(["public", "research", "internal"])
SEEDS = st.integers(0, 10_000)
every_method = pytest.mark.parametrize("method", METHODS, ids=lambda method: method.id)
few = settings(
    max_examples=2,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
OF_THE_TABLE_OTHERS_KNOW = frozenset({"most-exposed", "rare-secret"})
"""A true value is looked at by who else has the same details, a changed one by its own row: not one scale."""
OF_THE_RUN = frozenset({"levels-met"})
"""Counted again by the method from what its run kept, which stands in the order of the source."""


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is learnt from other columns is learnt by few trees: no law depends on how well."""
    grow_few_trees(monkeypatch)


def released(method: Method, seed: int, type: str) -> Candidate:
    with tempfile.TemporaryDirectory() as folder:
        return release_by(method, Path(folder), seed, type)


def differences(one: Said, other: Said, left_out: frozenset[str] = frozenset()) -> dict[str, Any]:
    """Return the checks that say something else, by status or by figure."""
    return {
        id: (one.status[id], other.status[id], one.figure[id], other.figure[id])
        for id in one.status
        if id not in left_out
        and (
            one.status[id] != other.status[id]
            or not np.isclose(one.figure[id], other.figure[id], rtol=0.02, atol=0.005, equal_nan=True)
        )
    }


@pytest.mark.thorough
@every_method
@few
@given(seed=SEEDS, type=TYPES, name=st.sampled_from(["pay", "ill", "age", "car"]), in_front=st.booleans())
def test_a_step_that_changes_no_cell_changes_nothing(
    method: Method, seed: int, type: str, name: str, in_front: bool
) -> None:
    """Law L1: it stands in front or behind, names a column, and says that it protects it."""
    candidate = released(method, seed, type)
    said, idle = row_text(candidate), row_text(with_idle_step(candidate, name, in_front=in_front))
    assert differences(said, idle) == {}


@pytest.mark.thorough
@every_method
@few
@given(seed=SEEDS, type=TYPES, share=st.sampled_from([0.01, 0.1, 0.5, 1.0]))
def test_putting_the_truth_back_improves_no_status(method: Method, seed: int, type: str, share: float) -> None:
    """Law L2. In a swapped pool of which next to nobody is shown true, falsehood is the leak: such none is drawn here.

    Where all of a column is the truth again, it is judged by who shares a person's details, as any true column:
    how exposed whoever knows the very row makes people is no figure of it.
    """
    candidate = released(method, seed, type)
    if not candidate.rows_correspond:
        return
    said, rng = row_text(candidate), np.random.default_rng(seed)
    for name in changed_columns(candidate):
        better = row_text(put_back(candidate, name, share, rng)).better_than(said)
        left_out = OF_THE_TABLE_OTHERS_KNOW if share == 1.0 else frozenset()
        assert {id: each for id, each in better.items() if id not in left_out} == {}, name


FIELDS: dict[str, tuple[Any, ...]] = {
    "protects": ("identity", "attribute", "both"),
    "treatment": tuple(sorted({method.treatment for method in METHODS}, key=str)),
    "attacks": ((),),
    "public_parameters": (frozenset(),),
    "kinds": (frozenset({"text"}),),
    "reads_levels": ((), ("group",)),
    "promises": (("nobody is ever found",),),
    "limits": ((),),
}
"""What a method may say of itself. `correspondence` is none of it: it says how the rows of a step are to be read."""


@pytest.mark.parametrize("method", every_third(METHODS), ids=lambda method: method.id)
@few
@given(seed=SEEDS, type=TYPES)
def test_no_declaration_turns_a_status_towards_green(method: Method, seed: int, type: str) -> None:
    """Law L3: the file is judged, not what the method says of itself.

    Of each field one value is tried, and another one with the next example and method.
    """
    candidate = released(method, seed, type)
    said, place = row_text(candidate), seed + METHODS.index(method)
    for field, values in FIELDS.items():
        value = values[place % len(values)]
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(type_of(method), field, value)
            assert row_text(candidate).better_than(said) == {}, (field, value)


def type_of(method: Method) -> type[Method]:
    return type(method)


@pytest.mark.thorough
@every_method
@few
@given(seed=SEEDS, type=TYPES)
def test_order_means_nothing(method: Method, seed: int, type: str) -> None:
    """Law L4: rows and columns of the source in another order, the same people in the file.

    Of rows that were made anew, which of two equally near ones is looked at first is a matter of order: the people
    most at risk among them are no fixed number.
    """
    candidate = released(method, seed, type)
    other = rearranged(candidate, np.random.default_rng(seed))
    left_out = OF_THE_RUN if candidate.rows_correspond else OF_THE_RUN | {"most-exposed"}
    assert differences(row_text(candidate), row_text(other), left_out) == {}


@pytest.mark.thorough
@every_method
@few
@given(seed=SEEDS, type=TYPES)
def test_names_of_categories_mean_nothing(method: Method, seed: int, type: str) -> None:
    """Law L4: every category is called something else, in the source and in the file."""
    candidate = released(method, seed, type)
    other = renamed(candidate, lambda text: f"n{text[::-1]}" if text else text)
    assert differences(row_text(candidate), row_text(other), OF_THE_RUN) == {}


@few
@given(seed=SEEDS)
def test_copies_of_a_person_are_one_person(seed: int) -> None:
    """Law L5, as far as rows tell whose they are: people are counted who were copied, not their copies.

    Where a row is a person, two equal rows are two people; that they are one only a person column could tell.
    """
    candidate = released(all_methods()["data-reconstruction"], seed, "research")
    chosen = candidate.steps[0].result.detail["chosen"]
    sides = Released(candidate, candidate.final, candidate.prepared.table.column)
    picked = count_singled_out(sides)
    assert picked.people == chosen < candidate.final.rows
    assert max(picked.by_others, picked.by_all_but_secret, picked.by_all_but_one, picked.by_all) <= chosen


# --- more protection is never worse -----------------------------------------------------------


def found_with(folder: Path, step: dict[str, Any], name: str) -> tuple[int, int]:
    """Return how many people are certain by what others know and by everything, after one step on 600 people."""
    rng, rows = np.random.default_rng(40), 600
    columns = {
        "age": rng.integers(20, 50, rows),
        "city": rng.integers(0, 6, rows),
        "pay": np.round(1_000 * rng.lognormal(0, 0.8, rows)).astype(int),
        "ill": rng.integers(0, 4, rows),
    }
    path = folder / "people.csv"
    write_columns(path, columns)
    sections = {
        "age": {"role": "quasi-identifier", "kind": "numeric", "bounds": [0, 100]},
        "city": {"role": "quasi-identifier", "kind": "nominal"},
        "pay": {"role": "confidential", "kind": "numeric", "bounds": [0, 50_000]},
        "ill": {"role": "confidential", "kind": "nominal"},
    }
    document = {"recipe": 1, "columns": sections, "steps": [step], "release": {"type": "internal"}}
    made = run_candidate(prepare(path, parse_recipe(document), need_type=True), Key.from_seed(8))
    (belief,) = [each for each in evidence_of(made).beliefs if each.column == name]
    return int(belief.others.certain.sum()), int(belief.all.certain.sum())


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("method", "column", "parameter", "values"),
    case_rows("verdict-laws-larger-groups-and-more-noise-never-make-more"),
)
def test_larger_groups_and_more_noise_never_make_more_people_certain(
    tmp_path: Path, method: str, column: str, parameter: str, values: tuple[float, ...]
) -> None:
    found = []
    for value in values:
        step: dict[str, Any] = {"method": method, "parameters": {parameter: value}}
        if method == "mondrian":
            step["parameters"]["l"] = 1
        else:
            step["columns"] = [column]
        found.append(found_with(tmp_path, step, column))
    # Who is drawn is chance: one in fifty people more is no more.
    for less, more in pairwise(found):
        assert max(np.subtract(more, less)) <= 12
    assert found[0] > found[-1]
