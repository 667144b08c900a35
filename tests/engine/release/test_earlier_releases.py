"""Earlier releases of the same source and repeated draws: remembered, reported, judged."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from gate_cases import attack_entry, check, evidence_of, make_candidate
from optional import existing
from support import REASON, not_analysed

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit.registry import audit
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation
from ppdm_desktop.engine.release.gate import all_checks
from ppdm_desktop.engine.release.storage.ledger import (
    History,
    LedgerEntry,
    draw_of,
    history_of,
    read_ledger,
    remember_release,
)
from ppdm_desktop.engine.release.writing.export import Exported, evaluate, export
from ppdm_desktop.engine.report.model.attacks import AttackEntry
from ppdm_desktop.engine.texts import render

COLUMNS = {"Q": [f"q{i % 15}" for i in range(30)], "C": ["x", "y", "z"] * 10}
ROLES = {"Q": "q", "C": "c"}
SWAP = [{"method": "random-swap"}]
MARCH, MAY = datetime(2026, 3, 1, 23, tzinfo=UTC), datetime(2026, 5, 2, tzinfo=UTC)
FOUND = (attack_entry("singling-out"),)


def candidate_of(folder: Path, key: int = 1, **more: Any) -> Candidate:
    return make_candidate(
        folder / "in", COLUMNS, ROLES, key=Key(bytes([key] * 32), "system"), **{"steps": SWAP, **more}
    )


def release(candidate: Candidate, out: Path, ledger: Path, **more: Any) -> Exported:
    reasons = {id: REASON for id in all_checks() if id != "earlier-release"} | more.pop("accepts", {})
    return export(
        candidate,
        out,
        accepts=reasons,
        analyses=not_analysed(),
        attacks=FOUND,
        ledger=ledger,
        **{"created": MAY, **more},
    )


def status(done_or_judged: Evaluation | Exported, id: str) -> str:
    return {each.id: each.status for each in done_or_judged.checks}[id]


def test_a_release_is_remembered_and_the_next_one_is_told(tmp_path: Path) -> None:
    ledger = tmp_path / "settings" / "ledger.json"
    first = candidate_of(tmp_path)
    done = release(first, tmp_path / "one", ledger, created=MARCH)
    assert status(done, "earlier-release") == "green"
    assert done.report["earlier_releases"] == []
    (entry,) = read_ledger(ledger)
    prepared = first.prepared
    assert (entry.input_sha256, entry.recipe_sha256) == (prepared.account.sha256, prepared.recipe_sha256)
    assert (entry.day, entry.columns) == ("2026-03-01", ("Q", "C"))
    second = candidate_of(tmp_path, key=2)
    judged = evaluate(second, attacks=FOUND, ledger=ledger)
    (found,) = [each for each in judged.checks if each.id == "earlier-release"]
    assert (found.status, existing(found.figure).value, found.limit) == ("amber", 1, 0)
    text = render(found.sentence.id, found.sentence.arguments)
    assert "2026-03-01" in text.sentence
    assert text.remedy
    assert judged.report.earlier_releases == [{"date": "2026-03-01", "recipe_sha256": prepared.recipe_sha256}]
    release(second, tmp_path / "two", ledger, accepts={"earlier-release": REASON})
    assert [each.day for each in read_ledger(ledger)] == ["2026-03-01", "2026-05-02"]


def test_the_same_draws_once_more_are_no_other_release(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    release(candidate_of(tmp_path), tmp_path / "one", ledger)
    workbook = candidate_of(tmp_path, release={"format": "xlsx"})
    assert draw_of(workbook) == draw_of(candidate_of(tmp_path))
    assert status(release(workbook, tmp_path / "two", ledger), "earlier-release") == "green"
    assert len(read_ledger(ledger)) == 1
    other = candidate_of(tmp_path, steps=[{"method": "random-swap", "parameters": {"proportion": 0.4}}])
    assert draw_of(other) != draw_of(workbook)
    assert status(evaluate(other, attacks=FOUND, ledger=ledger), "earlier-release") == "amber"


def test_a_release_of_another_source_is_none_of_this_one(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    release(candidate_of(tmp_path), tmp_path / "one", ledger)
    other = make_candidate(tmp_path / "other", {**COLUMNS, "C": ["x", "z", "y"] * 10}, ROLES, steps=SWAP)
    judged = evaluate(other, attacks=FOUND, ledger=ledger)
    assert status(judged, "earlier-release") == "green"
    assert judged.report.earlier_releases == []


def test_neither_drafts_nor_judgements_nor_refusals_are_remembered(tmp_path: Path) -> None:
    from ppdm_desktop.engine.errors import GateBlocked

    ledger, candidate = tmp_path / "ledger.json", candidate_of(tmp_path)
    evaluate(candidate, attacks=FOUND, ledger=ledger)
    release(candidate, tmp_path / "draft", ledger, draft=True)
    with pytest.raises(GateBlocked):
        export(candidate, tmp_path / "no", analyses=not_analysed(), attacks=FOUND, ledger=ledger)
    assert not ledger.exists()


def test_without_a_ledger_nothing_is_known(tmp_path: Path) -> None:
    judged = evaluate(candidate_of(tmp_path), attacks=FOUND)
    assert status(judged, "earlier-release") == "not-applicable"
    assert judged.report.earlier_releases is None


def test_a_ledger_that_cannot_be_read_needs_a_reason_and_is_kept(tmp_path: Path) -> None:
    ledger, candidate = tmp_path / "ledger.json", candidate_of(tmp_path)
    ledger.write_text("not a list of releases", encoding="utf-8")
    assert history_of(candidate, ledger) == History((), is_readable=False)
    judged = evaluate(candidate, attacks=FOUND, ledger=ledger)
    assert status(judged, "earlier-release") == "not-run"
    assert "earlier-release" in judged.decision.blocked_by
    assert judged.report.earlier_releases is None
    done = release(candidate, tmp_path / "out", ledger, accepts={"earlier-release": REASON})
    assert "note.ledger.not-entered" in [note.id for note in done.notes]
    assert ledger.read_text(encoding="utf-8") == "not a list of releases"


def test_a_ledger_that_cannot_be_written_undoes_no_release(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    ledger = tmp_path / "file" / "ledger.json"
    candidate = candidate_of(tmp_path)
    # A folder that is a file: nothing can be read there, and nothing written.
    done = release(candidate, tmp_path / "out", ledger, accepts={"earlier-release": REASON})
    (note,) = [each for each in done.notes if each.id == "note.ledger.not-entered"]
    assert str(ledger) in render(note.id, note.arguments).sentence
    assert (tmp_path / "out" / "release" / "data.csv").is_file()
    assert done.report["decision"]["released"] is True


def test_the_ledger_holds_hashes_names_and_days_only(tmp_path: Path) -> None:
    ledger, candidate = tmp_path / "ledger.json", candidate_of(tmp_path)
    release(candidate, tmp_path / "out", ledger)
    text = ledger.read_text(encoding="utf-8")
    assert candidate.key.hex() not in text
    assert "q14" not in text
    assert "people-list" not in text
    assert set(json.loads(text)["releases"][0]) == {"input_sha256", "recipe_sha256", "day", "columns", "draw"}


# --- averaging ----------------------------------------------------------------------------------------


def averaged(candidate: Candidate, earlier: int) -> AttackEntry:
    (entry,) = [each for each in audit(candidate, silent(), earlier=earlier) if each.id == "averaging"]
    render(entry.sentence.id, entry.sentence.arguments)
    return entry


def test_known_releases_are_what_averaging_speaks_of(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    forecast, known = averaged(candidate, 0), averaged(candidate, 2)
    assert forecast.sentence.id == "attack.averaging.none-swap"
    assert (forecast.severity, forecast.sentence.arguments["releases"]) == ("none", 5)
    assert known.sentence.id == "attack.averaging.some-swap"
    assert (known.severity, known.sentence.arguments["releases"]) == ("some", 3)
    assert known.knows.arguments == {"releases": 3}
    assert existing(known.control.value) <= existing(known.success.value) <= existing(forecast.success.value)
    assert existing(averaged(candidate, 500).success.value) >= existing(forecast.success.value)


def test_noise_averages_out_over_known_releases(tmp_path: Path) -> None:
    columns = {"Q": COLUMNS["Q"], "C": [str(value) for value in range(30)]}
    roles = {"Q": "q", "C": {"role": "c", "kind": "numeric", "bounds": [0, 100]}}
    candidate = make_candidate(tmp_path, columns, roles, steps=[{"method": "two-phase-noise"}])
    entry = averaged(candidate, 3)
    assert entry.sentence.id == "attack.averaging.some-noise"
    assert existing(entry.success.value) < existing(entry.control.value)


def test_the_ledger_reaches_the_attack(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    release(candidate_of(tmp_path), tmp_path / "one", ledger)
    judged = evaluate(candidate_of(tmp_path, key=2), ledger=ledger)
    (entry,) = [each for each in existing(existing(judged.report).attacks) if each.id == "averaging"]
    assert entry.sentence.arguments["releases"] == 2


# --- draws --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("draws", "expected"), [(1, "green"), (5, "green"), (6, "amber"), (60, "amber")])
def test_drawing_again_and_again(tmp_path: Path, draws: int, expected: str) -> None:
    evidence = replace(evidence_of(candidate_of(tmp_path)), draws=draws)
    found = check(evidence, "redrawn")
    assert (found.status, existing(found.figure).value, found.limit) == (expected, draws, 5)
    judged = evaluate(candidate_of(tmp_path), attacks=FOUND, draws=draws)
    assert judged.report.release.draws_of_this_recipe == draws
    assert status(judged, "redrawn") == expected


def test_releases_of_the_same_recipe_count_as_draws(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    prepared = candidate.prepared
    others = tuple(
        LedgerEntry(prepared.account.sha256, prepared.recipe_sha256, "2026-01-01", ("Q",), f"{i:064x}")
        for i in range(6)
    )
    other = replace(others[0], recipe_sha256="0" * 64, draw="f" * 64)
    history = History((*others, other))
    assert history.drawn_alike(prepared.recipe_sha256) == 6
    ledger = tmp_path / "ledger.json"
    for entry in history.others:
        remember_release(ledger, entry)
    judged = evaluate(candidate, attacks=FOUND, ledger=ledger, draws=2)
    assert judged.report.release.draws_of_this_recipe == 7
    assert status(judged, "redrawn") == "amber"


def test_without_a_step_nothing_is_drawn(tmp_path: Path) -> None:
    assert check(evidence_of(candidate_of(tmp_path, steps=[])), "redrawn").status == "not-applicable"
