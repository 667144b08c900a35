"""The gate's counts against slow, plain counting; the worked consequences of the contract."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from gate_cases import check, evidence_of, grouped, make_candidate, randomised, with_step
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from optional import existing

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation
from ppdm_desktop.engine.release.writing.export import evaluate

RECORD = st.tuples(
    st.sampled_from("pqrs"), st.sampled_from(["x", "y", "z", ""]), st.sampled_from("xyz"), st.sampled_from([-1, 0, 1])
)


def certain_in_groups(records: Sequence[tuple[str, str, str, int]]) -> int:
    """Count who is certain where a shown value stands for the true values of all who show it.

    In so small a table nobody is near-certain without being proved: everybody in the class tells the same.
    """
    told: dict[str, set[str]] = defaultdict(set)
    classes: dict[str, set[str]] = defaultdict(set)
    for _, true, shown, _ in records:
        told[shown].add(true)
    for quasi, _, shown, _ in records:
        classes[quasi] |= told[shown]
    return sum(classes[quasi] == {true} and true != "" for quasi, true, _, _ in records)


def certain_after_swap(records: Sequence[tuple[str, str, int]]) -> int:
    """Count who is certain where everybody is unique and the few records are one pool.

    A shown value is possible while any shown value of the pool is true, and the others while any is not.
    """
    known = [(true, shown) for true, shown, _ in records if true]
    values = {true for true, _ in known}
    some_true, some_false = (any((true == shown) is way for true, shown in known) for way in (True, False))

    def possible(shown: str) -> set[str]:
        others = values - {shown}
        return ({shown} if some_true or not others else set()) | (others if some_false else set())

    return sum(possible(shown) == {true} for true, shown in known)


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(RECORD, min_size=1, max_size=14))
def test_certain_records_by_hand(tmp_path: Path, records: Any) -> None:
    records = [(q, true, "" if true == "" else shown, t) for q, true, shown, t in records]
    columns = {"Q": [r[0] for r in records], "C": [r[1] for r in records], "O": ["o"] * len(records)}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "C": {"role": "c", "kind": "nominal"}, "O": "o"})
    evidence = evidence_of(with_step(candidate, {"C": [r[2] for r in records]}, [grouped("C", len(records))]))
    assert existing(check(evidence, "certain-disclosure").figure).value == certain_in_groups(records)
    sizes = [sum(other[0] == r[0] for other in records) for r in records]
    assert existing(check(evidence, "class-size").figure).value == min(sizes)
    assert check(evidence, "written-back").status == "green"


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.lists(
        st.tuples(*(st.sampled_from(each) for each in (["x", "y", "z", ""], "xyz", [-1, 0, 1]))),
        min_size=1,
        max_size=14,
    )
)
def test_certain_records_after_a_swap_by_hand(tmp_path: Path, records: Any) -> None:
    records = [(true, "" if true == "" else shown, t) for true, shown, t in records]
    columns = {"Q": [f"q{i}" for i in range(len(records))], "C": [r[0] for r in records]}
    candidate = make_candidate(
        tmp_path, columns, {"Q": {"role": "q", "kind": "nominal"}, "C": {"role": "c", "kind": "nominal"}}
    )
    changed = with_step(candidate, {"C": [r[1] for r in records]}, [randomised("C", [r[2] for r in records])])
    # What was declared of each record changes nothing.
    assert existing(check(changed, "certain-disclosure").figure).value == certain_after_swap(records)


# --- worked consequences (contract, section 4) ---------------------------------------------------

QUASI = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")


def adult(folder: Path, steps: Sequence[str], type: str) -> Candidate:
    path = folder / "adult_train.csv"
    columns = {name: {"role": "quasi-identifier"} for name in QUASI}
    columns |= {name: {"role": "left-out"} for name in ("fnlwgt", "relationship", "education-num")}
    columns |= {"class": {"role": "confidential"}, "*": {"role": "other"}}
    document = {
        "recipe": 1,
        "input": {"missing": ["", "?"]},
        "columns": columns,
        "steps": [{"method": step} for step in steps],
        "release": {"type": type},
    }
    prepared = prepare(path, parse_recipe(document), need_type=True)
    return run_candidate(prepared, Key(bytes(range(32)), "system"))


def judged_adult(folder: Path, steps: Sequence[str], type: str) -> tuple[Candidate, Evaluation]:
    """Judge with every attack; what analyses keep is not asked here."""
    candidate = adult(folder, steps, type)
    return candidate, evaluate(candidate)


def by_status(judged: Evaluation, status: str) -> set[str]:
    return {result.id for result in judged.checks if result.status == status}


@pytest.mark.data
def test_adult_without_a_step(data_folder: Path) -> None:
    _, judged = judged_adult(data_folder, [], "research")
    # Most people are alone by what others know, nearly all by everything released, and their class stands beside it.
    assert by_status(judged, "red") == {"certain-disclosure", "certain-by-all", "singling-out"}
    # Without a step a public release is the same table, so the attacks found the same.
    in_public = evaluate(adult(data_folder, [], "public"), attacks=tuple(existing(judged.report.verdict.attacks)))
    assert {"certain-disclosure", "certain-by-all", "class-size", "singling-out"} <= by_status(in_public, "red")


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    rows=st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=30),
    type=st.sampled_from(["public", "public-high-harm", "research", "internal"]),
)
def test_a_copy_of_the_source_is_never_green(tmp_path: Path, rows: Any, type: str) -> None:
    columns = {"Q": [q for q, _ in rows], "C": [c for _, c in rows]}
    judged = evaluate(make_candidate(tmp_path, columns, {"Q": "q", "C": "c"}, type))
    assert not judged.decision.released
    assert by_status(judged, "amber") | by_status(judged, "red")
