"""The attack audit of candidates: what it finds, where it stands in the report, what the gate says of it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gate_cases import attacked, check, make_candidate
from optional import existing
from support import not_analysed, reasons_for

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.attack_audit.base import all_attacks, audit, list_standard_attacks
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.writing.export import evaluate, export
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.texts import render_stored
from ppdm_desktop.engine.wording.values import Names, Terms

RNG = np.random.default_rng(0)

ROWS = 120

COLUMNS = {
    "Age": [str(value) for value in RNG.integers(20, 90, ROWS)],
    "Weight": [f"{value:.1f}" for value in RNG.normal(70, 10, ROWS)],
    "City": [str(name) for name in RNG.choice(["Delft", "Bonn", "Ghent"], ROWS)],
    "Pay": [str(value) for value in RNG.integers(1000, 9000, ROWS)],
    "Wish": ["cautious"] * 30 + [""] * 90,
}

ROLES = {
    "Age": {"role": "q", "kind": "numeric"},
    "Weight": {"role": "q", "kind": "numeric"},
    "City": "q",
    "Pay": {"role": "c", "kind": "numeric"},
    "Wish": {"role": "p"},
}


def candidate_of(
    folder: Path,
    *steps: Any,
    columns: dict[str, list[str]] = COLUMNS,
    roles: dict[str, Any] = ROLES,
    type: str = "research",
) -> Candidate:
    return make_candidate(folder, columns, roles, type, steps=list(steps))


CONDENSED = {"method": "condensation"}


def nearest(candidate: Candidate) -> tuple[AttackEntry, ...]:
    """What the nearest-record attack found."""
    return tuple(entry for entry in audit(candidate) if entry.id == "nearest-record")


def test_condensed_records_keep_below_their_levels(tmp_path: Path) -> None:
    (entry,) = nearest(candidate_of(tmp_path, CONDENSED))
    assert (entry.id, entry.column, entry.tolerance, entry.sampled) == ("nearest-record", None, None, ROWS)
    assert entry.chance.value == 1 / ROWS
    assert 0 < existing(entry.success.value) < existing(entry.success.high) <= 1 / 5
    assert entry.advantage.value == pytest.approx(existing(entry.success.value) - 1 / ROWS)
    assert existing(entry.success.value) < existing(entry.further["own_group"].value) <= 1
    assert entry.tail.share_sure_and_right.value == 0
    assert [(level.level, level.records, level.met) for level in entry.levels] == [
        ("normal", 90, True),
        ("cautious", 30, True),
    ]
    assert [level.limit for level in entry.levels] == [0.2, 0.1]
    assert entry.severity in ("none", "some")
    text = render_stored(entry.sentence.id, entry.sentence.arguments)
    assert text.title


def test_the_row_order_of_the_release_tells_nothing_new(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path, CONDENSED)
    order = np.arange(ROWS)
    plain = replace(candidate, row_order=order, released=candidate.released.take(np.argsort(candidate.row_order)))
    assert audit(plain) == audit(candidate)


def test_a_wrong_grouping_is_seen(tmp_path: Path) -> None:
    # The steps of a run whose groups are one person each: everybody who is found is named.
    candidate = candidate_of(tmp_path, CONDENSED)
    step = candidate.steps[0]
    alone = replace(step, result=replace(step.result, row_groups=np.arange(ROWS)))
    copy = candidate.prepared.table.take(np.arange(ROWS))
    released = copy.take(candidate.row_order)
    released = replace(released, columns=tuple(each for each in released.columns if each.name in candidate.released))
    given_away = replace(candidate, steps=(alone,), final=copy, released=released)
    (entry,) = nearest(given_away)
    assert entry.success.value == 1
    assert entry.severity == "total"
    assert entry.tail.share_sure_and_right.value == 1
    assert not any(level.met for level in entry.levels)
    assert render_stored(entry.sentence.id, entry.sentence.arguments).remedy


def test_averages_together_hide_and_one_by_one_do_not(tmp_path: Path) -> None:
    both = {"method": "microaggregation", "columns": ["Age", "Weight"]}
    entries = {
        mode: nearest(candidate_of(tmp_path, {**both, "parameters": {"mode": mode}}))[0]
        for mode in ("multivariate", "univariate")
    }
    together, singly = entries["multivariate"], entries["univariate"]
    assert existing(together.success.high) <= 0.2
    assert all(level.met for level in together.levels)
    assert existing(singly.success.value) > 0.2
    assert singly.severity == "serious"
    assert not any(level.met for level in singly.levels)


def test_records_made_anew_later_leave_nothing_of_averages(tmp_path: Path) -> None:
    averages = {"method": "microaggregation", "columns": ["Age", "Weight"]}
    (entry,) = nearest(candidate_of(tmp_path, averages, CONDENSED))
    assert len(entry.further) == 1
    columns = entry.knows.note.arguments["columns"]
    assert isinstance(columns, Names)
    assert "City" in columns.texts


def test_missing_values_and_constant_columns(tmp_path: Path) -> None:
    columns = {**COLUMNS, "Age": [""] * 20 + COLUMNS["Age"][20:], "City": ["Delft"] * ROWS}
    (entry,) = nearest(candidate_of(tmp_path, CONDENSED, columns=columns))
    assert 0 < existing(entry.success.value) <= existing(entry.success.high) <= 0.2


def test_what_no_attack_applies_to(tmp_path: Path) -> None:
    swapped = candidate_of(
        tmp_path, {"method": "random-swap"}, columns={**COLUMNS, "Pay": ["a", "b"] * 60}, roles={**ROLES, "Pay": "c"}
    )
    assert nearest(swapped) == ()
    # Without a step there is nothing to undo, but people can be picked out and guessed at.
    made = {entry.id for entry in audit(candidate_of(tmp_path))}
    assert {"singling-out", "inference"} <= made <= set(list_standard_attacks()) - {"linkage"}


def test_the_gate_names_attacks_that_do_not_exist(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evidence = attacked(candidate_of(tmp_path, CONDENSED))
    assert check(evidence, "audit-complete").status == "green"
    built = {"nearest-record": all_attacks()["nearest-record"]}
    monkeypatch.setattr("ppdm_desktop.engine.release.gate.checks.audit_complete.all_attacks", lambda: built)
    found = check(evidence, "audit-complete")
    assert found.status == "amber"
    lacking = sorted(list_standard_attacks())
    assert found.sentence.arguments["attacks"] == Terms(tuple(lacking))
    assert found.figure is not None
    assert (found.figure.value, found.figure.n) == (len(lacking), len(lacking) + 1)


def test_every_attack_is_made_on_any_release_or_called_for_by_a_method() -> None:
    called = {attack for method in all_methods().values() for attack in method.attacks}
    assert {id for id, attack in all_attacks().items() if not attack.always} <= called


def test_attacks_made_before_are_taken_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from ppdm_desktop.engine.release.evaluate import evaluate as module

    candidate = candidate_of(tmp_path, CONDENSED)
    known = audit(candidate)
    audited: list[Any] = []

    def audit_and_note(attacked: Any) -> Any:
        audited.append(attacked)
        return audit(attacked)

    monkeypatch.setattr(module, "audit", audit_and_note)
    assert evaluate(candidate, attacks=known).report.verdict.attacks == list(known)
    assert not any(attacked is candidate for attacked in audited)
    reasons = reasons_for(each.id for each in evaluate(candidate, attacks=()).report.verdict.to_answer)
    made = export(candidate, tmp_path / "out", accepts=reasons, analyses=not_analysed(), attacks=())
    assert made.report["verdict"]["attacks"] == []
