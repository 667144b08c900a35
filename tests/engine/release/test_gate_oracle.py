"""The gate's counts against slow, plain counting; the worked consequences of the contract."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from gate_cases import check, evidence_of, make_candidate, randomised, with_step
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from optional import existing
from support import not_analysed

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import evaluate, export

RECORD = st.tuples(
    st.sampled_from("pqrs"), st.sampled_from(["x", "y", "z", ""]), st.sampled_from("xyz"), st.sampled_from([-1, 0, 1])
)


def certain_by_hand(records: Sequence[tuple[str, str, str, int]]) -> int:
    classes, cells = defaultdict(list), defaultdict(list)
    for quasi, true, shown, treatment in records:
        classes[quasi].append(shown)
        cells[treatment, shown].append(true == shown)
    found = 0
    for quasi, true, shown, treatment in records:
        one_value = len(set(classes[quasi])) == 1 and shown != ""
        share = sum(cells[treatment, shown]) / len(cells[treatment, shown])
        random = treatment >= 0 and 0.01 <= share <= 0.99
        found += one_value and true == shown and not random
    return found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(RECORD, min_size=1, max_size=14))
def test_certain_records_by_hand(tmp_path: Path, records: Any) -> None:
    records = [(q, true, "" if true == "" else shown, t) for q, true, shown, t in records]
    columns = {"Q": [r[0] for r in records], "C": [r[1] for r in records], "O": ["o"] * len(records)}
    candidate = make_candidate(tmp_path, columns, {"Q": "q", "C": "c", "O": "o"})
    changed = with_step(candidate, {"C": [r[2] for r in records]}, [randomised("C", [r[3] for r in records])])
    evidence = evidence_of(changed)
    assert existing(check(evidence, "certain-disclosure").figure).value == certain_by_hand(records)
    sizes = [sum(other[0] == r[0] for other in records) for r in records]
    assert existing(check(evidence, "class-size").figure).value == min(sizes)
    assert check(evidence, "written-back").status == "green"


# --- worked consequences (contract, section 4) ---------------------------------------------------

QUASI = ("age", "education", "marital-status", "occupation", "race", "sex", "native-country")
AMBER = {"class-size", "one-row-per-person", "marginal-shift", "rare-values"}


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
    prepared = prepare(path, parse_recipe(document), silent(), need_type=True)
    return run_candidate(prepared, Key(bytes(range(32)), "system"), silent())


def judged_adult(folder: Path, steps: Sequence[str], type: str) -> tuple[Candidate, Evaluation]:
    """Judge with every attack; what analyses keep is not asked here."""
    candidate = adult(folder, steps, type)
    return candidate, evaluate(candidate)


def by_status(judged: Evaluation, status: str) -> set[str]:
    return {result.id for result in judged.checks if result.status == status}


@pytest.mark.data
def test_adult_with_bayes_swap_is_green_but_for_four(data_folder: Path, tmp_path: Path) -> None:
    candidate, judged = judged_adult(data_folder, ["bayes-swap"], "research")
    assert by_status(judged, "amber") == AMBER
    assert by_status(judged, "red") == by_status(judged, "not-run") == set()
    assert {"inference", "reversal", "dependencies", "redrawn", "audit-complete"} <= by_status(judged, "green")
    assert "linkage" in by_status(judged, "not-applicable")
    reasons = dict.fromkeys(AMBER, "as the contract's worked consequence says")
    attacks = tuple(existing(judged.report.attacks))
    export(candidate, tmp_path / "out", accepts=reasons, attacks=attacks, analyses=not_analysed())
    assert verify(tmp_path / "out", candidate.prepared.path, silent()).result == "identical"


@pytest.mark.data
def test_adult_without_a_step(data_folder: Path) -> None:
    _, judged = judged_adult(data_folder, [], "research")
    assert "certain-disclosure" in by_status(judged, "amber")
    assert by_status(judged, "red") == set()
    # Without a step a public release is the same table, so the attacks found the same.
    in_public = evaluate(adult(data_folder, [], "public"), attacks=tuple(existing(judged.report.attacks)))
    assert {"certain-disclosure", "class-size"} <= by_status(in_public, "red")


PAY = {"Area": ["a", "b"] * 30, "Pay": [str(1000 + 37 * i) for i in range(60)]}


@pytest.mark.parametrize("type", ["public", "public-high-harm", "research", "internal"])
def test_digits_moved_alone_are_red_but_for_internal(tmp_path: Path, type: str) -> None:
    roles = {"Area": "q", "Pay": {"role": "c", "kind": "numeric"}}
    steps = [{"method": "bit-plus-plus", "columns": ["Pay"]}]
    judged = evaluate(make_candidate(tmp_path, PAY, roles, type, steps=steps))
    alone = {"reversible-method", "reversal"}
    assert alone <= by_status(judged, "amber" if type == "internal" else "red")
    if type == "internal":
        assert by_status(judged, "red") == set()


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
