"""Earlier releases of the same source and repeated draws: remembered, reported, judged."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from gate_cases import attack_entry, check, evidence_of, make_candidate
from optional import existing
from support import not_analysed, reasons_for
from verdict_cases import text_of

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.attack_audit.base import audit
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation
from ppdm_desktop.engine.release.gate.base import all_checks, find_check
from ppdm_desktop.engine.release.gate.draws import collect_draws, find_improved_checks
from ppdm_desktop.engine.release.gate.results import KEYS_AND_DRAWS
from ppdm_desktop.engine.release.storage.ledger import (
    DrawEntry,
    History,
    draw_of,
    drawing_steps,
    history_of,
    read_draws,
    read_ledger,
    remember,
)
from ppdm_desktop.engine.release.top_up.previous_release import read_released
from ppdm_desktop.engine.release.writing.export import Exported, evaluate, export
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.wording.texts import render, render_stored
from ppdm_desktop.engine.wording.values import FilePath

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
    others = (id for id, check in all_checks().items() if check.cause is not KEYS_AND_DRAWS)
    reasons = reasons_for(others) | more.pop("accepts", {})
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
    assert text.remedy
    assert judged.report.earlier_releases == [{"date": "2026-03-01", "recipe_sha256": prepared.recipe_sha256}]
    release(second, tmp_path / "two", ledger, accepts=reasons_for(["earlier-release"]))
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


@pytest.mark.parametrize(
    ("exchanged", "type", "steps", "expected"),
    case_rows("earlier-releases-versions-of-a-source-are-known-again", lists=True),
)
def test_versions_of_a_source_are_known_again(
    tmp_path: Path, exchanged: int, type: str, steps: list[dict[str, Any]], expected: str
) -> None:
    columns = {
        "Q": [f"q{row % 15}" for row in range(600)],
        "N": [str(row) for row in range(600)],
        "C": ["x", "y"] * 300,
    }
    roles = {"Q": "q", "N": "l", "C": "c"}
    first = make_candidate(tmp_path / "first", columns, roles, type, key=Key(b"1" * 32, "system"), steps=steps)
    remember(first, tmp_path / "ledger.json", "2026-03-01")
    later_rows = [str(row if row >= exchanged else row + 1_000) for row in range(599, -1, -1)]
    later_table = {name: values[::-1] for name, values in columns.items()} | {"N": later_rows}
    again = make_candidate(tmp_path / "again", later_table, roles, type, key=Key(b"2" * 32, "system"), steps=steps)
    evidence = replace(evidence_of(again), history=history_of(again, tmp_path / "ledger.json"))
    found = check(evidence, "earlier-release")
    assert found.sentence.id == f"gate.earlier-release.{expected}"


def test_neither_drafts_nor_judgements_nor_refusals_are_releases_and_all_are_one_draw(tmp_path: Path) -> None:
    from ppdm_desktop.engine.errors import GateBlocked

    ledger, candidate = tmp_path / "ledger.json", candidate_of(tmp_path)
    evaluate(candidate, attacks=FOUND, ledger=ledger)
    release(candidate, tmp_path / "draft", ledger, draft=True)
    with pytest.raises(GateBlocked):
        export(candidate, tmp_path / "no", analyses=not_analysed(), attacks=FOUND, ledger=ledger)
    assert read_ledger(ledger) == ()
    assert [each.draw for each in read_draws(ledger)] == [draw_of(candidate)]


def test_a_ledger_that_cannot_be_read_needs_a_reason_and_is_kept(tmp_path: Path) -> None:
    ledger, candidate = tmp_path / "ledger.json", candidate_of(tmp_path)
    ledger.write_text("not a list of releases", encoding="utf-8")
    assert history_of(candidate, ledger) == History((), is_readable=False)
    judged = evaluate(candidate, attacks=FOUND, ledger=ledger)
    assert status(judged, "earlier-release") == "not-run"
    assert "earlier-release" in judged.decision.blocked_by
    assert judged.report.earlier_releases is None
    done = release(candidate, tmp_path / "out", ledger, accepts=reasons_for(["earlier-release"]))
    assert "note.ledger.not-entered" in [note.id for note in done.notes]
    assert ledger.read_text(encoding="utf-8") == "not a list of releases"


def test_a_ledger_that_cannot_be_written_undoes_no_release(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x", encoding="utf-8")
    ledger = tmp_path / "file" / "ledger.json"
    candidate = candidate_of(tmp_path)
    # A folder that is a file: nothing can be read there, and nothing written.
    done = release(candidate, tmp_path / "out", ledger, accepts=reasons_for(["earlier-release"]))
    (note,) = [each for each in done.notes if each.id == "note.ledger.not-entered"]
    # The argument keeps the whole path; the sentence keeps its end whatever its length.
    assert note.arguments == {"file": FilePath(str(ledger))}
    assert "ledger.json" in render(note.id, note.arguments).sentence
    assert (tmp_path / "out" / "release" / "data.csv").is_file()
    assert done.report["verdict"]["decision"]["released"] is True


def test_the_ledger_holds_hashes_names_and_days_only(tmp_path: Path) -> None:
    ledger, candidate = tmp_path / "ledger.json", candidate_of(tmp_path)
    release(candidate, tmp_path / "out", ledger)
    text = ledger.read_text(encoding="utf-8")
    assert candidate.key.hex() not in text
    assert "q14" not in text
    assert "people-list" not in text
    assert set(json.loads(text)["releases"][0]) == {
        "input_sha256",
        "recipe_sha256",
        "day",
        "columns",
        "draw",
        "drawn",
        "sketch",
        "type",
        "status",
        "review",
        "expires",
        "log_head",
        "dataset",
        "recipient",
    }


# --- averaging ----------------------------------------------------------------------------------------


def averaged(candidate: Candidate, earlier: int) -> AttackEntry:
    (entry,) = [each for each in audit(candidate, earlier=earlier) if each.id == "averaging"]
    render_stored(entry.sentence.id, entry.sentence.arguments)
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


def test_the_ledger_reaches_the_attack(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    release(candidate_of(tmp_path), tmp_path / "one", ledger)
    judged = evaluate(candidate_of(tmp_path, key=2), ledger=ledger)
    (entry,) = [each for each in existing(existing(judged.report).verdict.attacks) if each.id == "averaging"]
    assert entry.sentence.arguments["releases"] == 2


# --- draws --------------------------------------------------------------------------------------------


def drawn(place: int, candidate: Candidate, type: str = "research", **statuses: str) -> DrawEntry:
    """A draw made before by the same methods on the same columns."""
    found = {id.replace("_", "-"): status for id, status in statuses.items()}
    source = candidate.prepared.account.sha256
    return DrawEntry(source, drawing_steps(candidate), f"{place:064x}", "2026-01-01", type, found)


@pytest.mark.parametrize(
    ("type", "draws", "worse", "expected", "limit"), case_rows("earlier-releases-drawing-again-and-again")
)
def test_drawing_again_and_again(
    tmp_path: Path, type: str, draws: int, worse: int, expected: str, limit: int | None
) -> None:
    candidate = candidate_of(tmp_path, type=type)
    entries = [drawn(n, candidate, type, **({"class_size": "red"} if n == worse else {})) for n in range(1, draws)]
    evidence = replace(
        evidence_of(candidate),
        draws=collect_draws(candidate, entries, "2026-01-01"),
        results=(find_check("class-size").verdict(text_of("class-size", "amber")),),
    )
    found = check(evidence, "redrawn")
    assert (found.status, existing(found.figure).value, found.limit) == (expected, draws, limit)
    words = render(found.sentence.id, found.sentence.arguments).sentence
    assert (f"Run {worse} did worse" in words) == bool(worse)


def test_only_what_hangs_on_the_draw_and_on_this_type_is_compared(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    now = tuple(find_check(id).verdict(text_of(id, "green")) for id in ("class-size", "people-counted"))

    def better(**given: str) -> list[tuple[int, str, str]]:
        before = collect_draws(candidate, [drawn(1, candidate, **given)], None)
        by_chance = [id for id, each in all_checks().items() if each.by_chance]
        found = find_improved_checks(before, now, by_chance, "research")
        return [(each.draw, each.check, each.status) for each in found]

    assert better(class_size="amber") == [(1, "class-size", "amber")]
    assert better(class_size="red", people_counted="amber") == [(1, "class-size", "red")]
    assert better(people_counted="amber") == better(class_size="not-run") == []
    assert better(type="public", class_size="red") == []


def test_a_draw_is_counted_once_and_others_of_the_same_methods_and_columns_with_it(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    smaller = [{**SWAP[0], "parameters": {"proportion": 0.3}}]
    for count, (key, steps) in enumerate([(1, SWAP), (2, SWAP), (3, smaller)], 1):
        for _ in range(2):
            judged = evaluate(candidate_of(tmp_path, key=key, steps=steps), attacks=FOUND, ledger=ledger, created=MAY)
            assert judged.report.verdict.draws.tried == judged.report.release.draws_of_this_recipe == count
            assert judged.report.verdict.draws.number == count
    other = evaluate(candidate_of(tmp_path, steps=[{"method": "bayes-swap"}]), attacks=FOUND, ledger=ledger)
    assert other.report.verdict.draws.tried == 1
    assert len(read_draws(ledger)) == 4
    again = evaluate(candidate_of(tmp_path), attacks=FOUND, ledger=ledger)
    assert (again.report.verdict.draws.number, again.report.verdict.draws.tried, again.report.verdict.draws.since) == (
        1,
        3,
        "2026-05-02",
    )
    text = ledger.read_text(encoding="utf-8")
    assert all(Key(bytes([key] * 32), "system").hex() not in text for key in (1, 2, 3))


def test_what_is_not_drawn_is_not_counted(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    suppressed = candidate_of(tmp_path, steps=[{"method": "suppress", "parameters": {"k": 2}}])
    assert not any(step.drawn for step in suppressed.steps)
    judged = evaluate(suppressed, attacks=FOUND, ledger=ledger)
    assert status(judged, "redrawn") == "not-applicable"
    assert judged.draws == read_draws(ledger) == ()
    assert all(step.drawn for step in candidate_of(tmp_path).steps)


def test_draws_that_the_caller_knows_are_counted_and_entered(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    first = evaluate(candidate_of(tmp_path), attacks=FOUND)
    assert first.report.verdict.draws.since is None
    second = evaluate(candidate_of(tmp_path, key=2), attacks=FOUND, ledger=ledger, draws=first.draws)
    assert second.report.verdict.draws.tried == 2
    assert second.draws == read_draws(ledger) == (*first.draws, second.draws[-1])
    third = evaluate(candidate_of(tmp_path, key=3), attacks=FOUND, ledger=ledger, draws=second.draws)
    assert third.report.verdict.draws.tried == 3


def test_a_draw_that_cannot_be_entered_is_said_and_stops_nothing(tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.json"
    ledger.write_text("no ledger", encoding="utf-8")
    judged = evaluate(candidate_of(tmp_path), attacks=FOUND, ledger=ledger)
    assert [each.id for each in judged.notes] == ["note.ledger.not-entered"]
    assert judged.report.verdict.draws.since is None
    assert ledger.read_text(encoding="utf-8") == "no ledger"


def _pays(folder: Path, ages: list[int], pays: list[int], type: str) -> Candidate:
    columns = {"age": [str(age) for age in ages], "pay": [str(pay) for pay in pays]}
    roles = {"age": "q", "pay": {"role": "c", "kind": "numeric"}}
    steps = [{"method": "microaggregation", "parameters": {"group": 5}, "columns": ["pay"]}]
    return make_candidate(folder, columns, roles, type, steps=steps)


@pytest.mark.parametrize(
    ("left", "joined", "type", "expected"),
    case_rows("earlier-releases-averages-of-two-releases-give-away-who", lists=True),
)
def test_averages_of_two_releases_give_away_who_joined_or_left(
    tmp_path: Path, left: int, joined: list[int], type: str, expected: str
) -> None:
    """Of two who joined in one class, only their sum is told."""
    ages, pays = [20 + row % 4 for row in range(120)], [2_000 + 37 * row for row in range(120)]
    before = _pays(tmp_path / "before", ages, pays, type)
    after = _pays(tmp_path / "after", ages[left:] + [22] * len(joined), pays[left:] + joined, type)
    earlier = tuple(evidence_of(before).read_back or ())
    found = find_check("earlier-release").run(replace(evidence_of(after), earlier=earlier))
    assert found.status == expected


def test_the_columns_of_a_release_are_read_from_its_folder(tmp_path: Path) -> None:
    done = release(candidate_of(tmp_path), tmp_path / "out", tmp_path / "ledger.json")
    columns = read_released(done.path)
    assert [column.name for column in columns] == ["Q", "C"]
    assert len(columns[0]) == 30
    with pytest.raises(InputError) as raised:
        read_released(tmp_path)
    assert raised.value.id == "error.verify.not-a-release"
