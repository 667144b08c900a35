"""The log of decisions, and the second person who approves a release."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows, case_text
from gate_cases import make_candidate
from support import AUDIT_CHECKS, DISCLOSURE_CHECKS, not_analysed, reasons_for

from ppdm_desktop.engine import decision_log
from ppdm_desktop.engine.decision_log import Entry, extend_log, find_last_hash, read_lines, read_log, write_log
from ppdm_desktop.engine.dossier.papers import chosen_forms, write_papers
from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.approval import approve, look_at_again
from ppdm_desktop.engine.release.storage.ledger import (
    due_releases,
    history_of,
    keeps_list,
    read_ledger,
    set_keeps_list,
)
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import Exported, export
from ppdm_desktop.engine.wording.texts import explain

COLUMNS: dict[str, Any] = {"Q": [str(i // 2) for i in range(40)], "C": ["x", "y", "x", "y", "z"] * 8}
ROLES: dict[str, Any] = {"Q": {"role": "q", "kind": "nominal"}, "C": "c"}
ACCEPTS = reasons_for((*DISCLOSURE_CHECKS, "people-counted", "rare-values", *AUDIT_CHECKS, "guessable-key"))
OPERATOR = {"name": "Ann  Ode", "dataset": "Wards 2026", "recipient": "A hospital", "review_date": "2027-03-01"}
CREATED = datetime(2026, 3, 1, tzinfo=UTC)
FORM = case_text("approval-form.toml")


def write(
    folder: Path, *, four_eyes: bool = True, keep_key: bool = True, **operator: str
) -> tuple[Exported, Path, Any]:
    """Return a release by one person, its ledger and its candidate."""
    candidate = make_candidate(
        folder / "in",
        COLUMNS,
        ROLES,
        "internal",
        release={"four_eyes": four_eyes},
        operator={**OPERATOR, **operator},
        steps=[{"method": "random-swap"}],
    )
    ledger = folder / "settings" / "ledger.json"
    done = export(
        candidate,
        folder / "out",
        accepts=ACCEPTS,
        ledger=ledger,
        keep_key=keep_key,
        created=CREATED,
        analyses=not_analysed(),
        attacks=(),
    )
    return done, ledger, candidate


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(id: str, *given: Any, **more: Any) -> None:
    with pytest.raises(PpdmError) as raised:
        approve(*given, **more)
    assert raised.value.id == id
    assert explain(raised.value)


def test_a_release_waits_until_another_person_approves_it(tmp_path: Path) -> None:
    done, ledger, _ = write(tmp_path)
    out, waiting = tmp_path / "out", tmp_path / "out (waiting)"
    assert (done.path, done.waits, out.exists()) == (waiting, True, False)
    (entry,) = read_ledger(ledger)
    assert (entry.status, entry.dataset, due_releases(ledger, "2030-01-01")) == ("prepared", "", ())
    for name in ("", "ann ode", " ANN\tODE ", "Ａnn Ode"):
        refused("error.approve.same-name", waiting, name, ledger=ledger)
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    refused("error.ledger.unreadable", waiting, "Bo Bell", ledger=broken)
    assert read_log(waiting / "internal/decisions.jsonl") == done.log
    before = contents(waiting / "release")
    (tmp_path / "forms").mkdir()
    (tmp_path / "forms/board.toml").write_text(FORM, encoding="utf-8")
    write_papers(waiting, chosen_forms(["eu", "board"], tmp_path / "forms"))
    paper = (waiting / "papers/eu.html").read_text("utf-8")
    assert "Bo Bell" not in paper
    assert "Only with the approval of a second person: Released with" in paper
    decided = approve(waiting, "Bo Bell", note="Looks\nright", ledger=ledger, forms=tmp_path / "forms")
    assert (contents(out / "release"), waiting.exists()) == (before, False)
    for name in ("eu", "board"):
        assert "Bo Bell" in (out / f"papers/{name}.html").read_text("utf-8")
    assert (decided.folder, len(decided.remarks)) == (out, 2)
    assert "was not run again" in str(decided.remarks[1])
    log = read_log(out / "internal/decisions.jsonl")
    assert log[: len(done.log)] == done.log
    assert [(line.event, line.who, line.about, line.value) for line in log[len(done.log) :]] == [
        ("approved", "Bo Bell", "re-run: none", "Looks right"),
        ("released", "Bo Bell", "internal", done.report["release"]["data_sha256"]),
    ]
    assert done.report["log"] == {"length": len(done.log), "head": find_last_hash(done.log)}
    assert read_ledger(ledger)[0].status == "released"
    refused("error.approve.not-waiting", out, "Bo Bell")


def fail(*_: object) -> None:
    raise PermissionError(13, "held")


def test_a_refused_release_stays_and_counts_as_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, ledger, candidate = write(tmp_path)
    other = make_candidate(
        tmp_path / "in", COLUMNS, ROLES, "internal", steps=[{"method": "random-swap"}], key=Key.from_seed(7)
    )
    assert len(history_of(other, ledger).others) == 1
    with monkeypatch.context() as patch:
        patch.setattr("ppdm_desktop.engine.release.storage.ledger.save_whole", fail)
        refused("error.ledger.not-writable", done.path, "Bo", refuse=True, ledger=ledger)
    assert approve(done.path, "Bo", refuse=True, ledger=ledger).folder == done.path
    assert (read_ledger(ledger)[0].status, history_of(other, ledger).others) == ("refused", ())
    assert verify(done.path, candidate.prepared.path).waits
    refused("error.approve.not-waiting", done.path, "Bo")


@pytest.mark.parametrize(
    ("is_there", "has_key", "rerun", "says"),
    [
        (True, True, "identical", "exactly the same data"),
        (True, False, "not possible", "the key was not kept, so the run cannot be repeated"),
        (False, False, "none", "was not run again, because the original was not at hand"),
    ],
)
def test_an_approval_says_whether_the_recipe_was_run_again(
    tmp_path: Path, is_there: bool, has_key: bool, rerun: str, says: str
) -> None:
    done, _, candidate = write(tmp_path, keep_key=has_key)
    decided = approve(done.path, "Bo", source=candidate.prepared.path if is_there else None)
    assert says in str(decided.remarks[-1])
    assert "All files are as they were written" in str(decided.remarks[0])
    assert read_log(tmp_path / "out/internal/decisions.jsonl")[-2].about == f"re-run: {rerun}"


def edited(name: str, sign: bytes) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        file = folder / name
        file.write_bytes(file.read_bytes().replace(sign, b"y", 1))

    return edit


def cut_log(folder: Path) -> None:
    file = folder / "internal/decisions.jsonl"
    write_log(file, read_log(file)[:-1])


def rewritten_log(folder: Path) -> None:
    write_log(
        folder / "internal/decisions.jsonl",
        extend_log((), [Entry("opened"), Entry("prepared")], at="2026-03-01T00:00:00Z", who="Ann"),
    )


def other_figure(folder: Path) -> None:
    """Change a figure of the report, and the manifest with it."""
    report, manifest = folder / "internal/report.json", folder / "internal/manifest.json"
    document, listed = json.loads(report.read_text("utf-8")), json.loads(manifest.read_text("utf-8"))
    document["columns"][1]["distinct_after"] += 1
    report.write_text(json.dumps(document), encoding="utf-8")
    listed["files"]["internal/report.json"] = hashlib.sha256(report.read_bytes()).hexdigest()
    manifest.write_text(json.dumps(listed), encoding="utf-8")


def test_a_figure_that_a_recount_does_not_find_is_not_approved(tmp_path: Path) -> None:
    done, _, _ = write(tmp_path)
    other_figure(done.path)
    refused("error.approve.different", done.path, "Bo")


@pytest.mark.parametrize(
    "change",
    [
        edited("release/data.csv", b"x"),
        edited("internal/report.json", b"x"),
        edited("internal/decisions.jsonl", b"a"),
        cut_log,
        rewritten_log,
        lambda folder: (folder / "internal/decisions.jsonl").unlink(),
        lambda folder: (folder / "release/more.txt").write_text("x"),
    ],
)
def test_what_was_changed_meanwhile_is_not_approved(tmp_path: Path, change: Callable[[Path], object]) -> None:
    done, _, candidate = write(tmp_path)
    change(done.path)
    refused("error.approve.different", done.path, "Bo")
    assert verify(done.path, candidate.prepared.path).result == "different"


def test_a_second_run_ends_an_approval_that_was_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done, _, _ = write(tmp_path)

    with monkeypatch.context() as patch:
        patch.setattr("ppdm_desktop.engine.release.approval.rename", fail)
        refused("error.export.not-writable", done.path, "Bo")
    lines = len(read_log(done.path / "internal/decisions.jsonl"))
    assert approve(done.path, "Bo").folder == tmp_path / "out"
    assert len(read_log(tmp_path / "out/internal/decisions.jsonl")) == lines


def test_four_eyes_need_a_name_and_a_free_folder(tmp_path: Path) -> None:
    for folder, name, id in (("a", " ", "error.approve.nobody"), ("b", "Ann", "error.export.exists")):
        (tmp_path / folder / "out").mkdir(parents=True)
        with pytest.raises(PpdmError) as raised:
            write(tmp_path / folder, name=name)
        assert raised.value.id == id


def test_a_release_is_looked_at_again_and_expires(tmp_path: Path) -> None:
    set_keeps_list(tmp_path / "settings" / "ledger.json", True)
    done, ledger, candidate = write(tmp_path, four_eyes=False, expires="2026-05-01")
    assert keeps_list(ledger)
    assert [line.event for line in done.log] == ["opened", *["reason"] * len(done.decision.reasons), "released"]
    (entry,) = read_ledger(ledger)
    assert (entry.dataset, entry.type, entry.log_head) == ("Wards 2026", "internal", find_last_hash(done.log))
    days = {"2026-05-01": (False, False), "2026-05-02": (True, True), "2027-03-01": (True, True)}
    assert {day: (bool(due_releases(ledger, day)), entry.is_expired(day)) for day in days} == days
    assert verify(done.path, candidate.prepared.path).expired == "2026-05-01"
    for sentence, day in (("", "2028-01-01"), ("Read", "soon"), ("Read", "20280101")):
        with pytest.raises(InputError, match="no-day"):
            look_at_again(done.path, sentence, day, by="Bo", ledger=ledger)
    for _ in range(2):  # the second completes what could not be entered in the ledger
        look_at_again(done.path, "Nothing new is known", "2028-01-01", by="Bo", ledger=ledger)
    *_, before, last = read_log(done.path / "internal/decisions.jsonl")
    assert (before.event, last.event) == ("released", "looked-at")
    assert (last.about, last.value) == ("2028-01-01", "Nothing new is known")
    assert read_ledger(ledger)[0].review == "2028-01-01"
    assert verify(done.path, candidate.prepared.path).result == "identical"
    set_keeps_list(ledger, False)
    assert (read_ledger(ledger)[0].dataset, read_ledger(ledger)[0].recipient) == ("", "")


LOG = extend_log((), [Entry("opened", "", "ab"), Entry("roles", "Age", "other"), Entry("released")], at="T", who="A")


@pytest.mark.parametrize(("line", "key", "value"), case_rows("approval-the-first-changed-line-of-a-log-is-named"))
def test_the_first_changed_line_of_a_log_is_named(tmp_path: Path, line: int, key: str, value: object) -> None:
    documents = [asdict(each) for each in LOG]
    assert read_lines(documents) == LOG
    documents[line - 1][key] = value
    with pytest.raises(InputError) as raised:
        read_lines(documents)
    assert raised.value.arguments["line"] == line
    (tmp_path / "log").write_text("\n".join(map(json.dumps, documents)), encoding="utf-8")
    with pytest.raises(InputError, match="broken"):
        read_log(tmp_path / "log")


def test_a_log_is_read_as_it_was_written(tmp_path: Path) -> None:
    odd = extend_log(LOG, [Entry("reason", "a\u2028b", "ü\n\x85c")], at="T", who="")
    write_log(tmp_path / "log", odd)
    assert read_log(tmp_path / "log") == odd
    texts = (tmp_path / "log").read_text("utf-8").splitlines()
    assert len(texts) == len(odd)
    for text, before in zip(texts, ("0" * 64, *(line.hash for line in odd)), strict=False):
        document = json.loads(text)
        found = document.pop("hash")
        content = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert found == hashlib.sha256((before + content).encode()).hexdigest()
    assert (read_log(tmp_path / "none"), decision_log.state_of(odd)) == ((), "released")
