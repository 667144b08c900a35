"""Nothing of the computer, the source or the key gets into the release folder."""

from __future__ import annotations

import hashlib
import io
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from gate_cases import check, evidence_of, make_candidate, randomised, with_step
from optional import existing

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate import release_files
from ppdm_desktop.engine.release.evaluate.release_files import data_bytes
from ppdm_desktop.engine.release.gate.evidence import ReleaseTexts
from ppdm_desktop.engine.table.writing.base import Written

ROWS = 24
COLUMNS = {
    "Age band": ["20-39", "40-59"] * 12,
    "Illness": ["flu"] * 11 + ["cold"] * 12 + ["RAREZZ"],
    "Income": [str(1000 + 10 * (i % 6)) for i in range(23)] + ["987654"],
    "MARKCOL": [f"MARKVAL{i}" for i in range(ROWS)],
    "Ssn": [f"IDMARK{i}" for i in range(ROWS)],
}
ROLES = {
    "Age band": "q",
    "Illness": "c",
    "Income": {"role": "o", "kind": "numeric"},
    "MARKCOL": "l",
    "Ssn": "i",
}
MARKERS = ["MARKCOL", "MARKVAL", "IDMARK", "SRCMARK", "DIRMARK", "987654", "RAREZZ"]


def made(tmp_path: Path, type: str = "research", **more: Any) -> Candidate:
    return make_candidate(tmp_path / "DIRMARK", COLUMNS, ROLES, type, source="SRCMARK.csv", **more)


def swapped(candidate: Candidate) -> Candidate:
    values = list(COLUMNS["Illness"])
    values[0], values[11] = values[11], values[0]
    return with_step(candidate, {"Illness": values}, [randomised("Illness", [0] * ROWS)])


def test_note_and_dictionary_name_nothing_private(tmp_path: Path) -> None:
    evidence = evidence_of(swapped(made(tmp_path)))
    text = (evidence.texts.note + evidence.texts.dictionary).decode()
    for marker in [*MARKERS, evidence.candidate.key.hex(), evidence.candidate.prepared.account.sha256, str(tmp_path)]:
        assert marker not in text
    assert check(evidence, "release-text").status == "green"
    assert check(evidence, "metadata").status == "green"
    assert "flu" in text
    assert "fewer than 5" in text


@pytest.mark.parametrize("format", ["csv", "xlsx", "sav", "dta"])
def test_data_file_holds_only_released_cells(tmp_path: Path, format: str) -> None:
    evidence = evidence_of(made(tmp_path, release={"format": format}))
    data = existing(evidence.written).data
    if format == "xlsx":
        with zipfile.ZipFile(io.BytesIO(data)) as package:
            data = b"".join(package.read(name) + name.encode() for name in package.namelist())
    for marker in ["MARKCOL", "MARKVAL", "IDMARK", "SRCMARK", "DIRMARK"]:
        assert marker.encode() not in data


@pytest.mark.parametrize("planted", case_rows("leaks-whatever-is-planted-in-the-note-is-found"))
def test_whatever_is_planted_in_the_note_is_found(tmp_path: Path, planted: str) -> None:
    evidence = evidence_of(swapped(made(tmp_path)))
    note = evidence.texts.note.replace(b"</main>", planted.encode() + b"</main>")
    found = check(replace(evidence, texts=ReleaseTexts(note, evidence.texts.dictionary)), "release-text")
    assert found.status == "red"


@pytest.mark.parametrize("cell", ["RAREZZ", "987654", "IDMARK4", "12 records"])
def test_whatever_is_planted_in_the_dictionary_is_found(tmp_path: Path, cell: str) -> None:
    evidence = evidence_of(made(tmp_path))
    dictionary = evidence.texts.dictionary + f"{cell},,,,,,,,\r\n".encode()
    found = check(replace(evidence, texts=ReleaseTexts(evidence.texts.note, dictionary)), "release-text")
    assert found.status == "red"


def test_user_host_and_times_in_the_note_are_metadata(tmp_path: Path) -> None:
    evidence = evidence_of(made(tmp_path))
    for planted in (str(evidence.candidate.prepared.path), "2026-11-21 10:00"):
        note = evidence.texts.note.replace(b"</main>", planted.encode() + b"</main>")
        texts = ReleaseTexts(note, evidence.texts.dictionary)
        assert check(replace(evidence, texts=texts), "metadata").status == "red"


def test_a_workbook_with_times_or_names_is_metadata(tmp_path: Path) -> None:
    evidence = evidence_of(made(tmp_path, release={"format": "xlsx"}))
    assert check(evidence, "metadata").status == "green"
    source = io.BytesIO(existing(evidence.written).data)
    for old, new in (
        (b"2000-01-01T00:00:00Z", b"2026-01-01T00:00:00Z"),
        (b"<dc:creator></dc:creator>", b"SRCMARK.csv"),
    ):
        target = io.BytesIO()
        with zipfile.ZipFile(source) as package, zipfile.ZipFile(target, "w") as changed:
            for info in package.infolist():
                changed.writestr(info, package.read(info).replace(old, new))
        written = existing(evidence.written).holding(target.getvalue())
        assert check(replace(evidence, written=written), "metadata").status == "red", old


@pytest.mark.parametrize(
    ("name", "expected"), [("patients 2026", "green"), ("srcmark", "red"), ("my-SRCMARK-copy", "red")]
)
def test_a_typed_file_name_must_differ_from_the_source(tmp_path: Path, name: str, expected: str) -> None:
    evidence = evidence_of(made(tmp_path, release={"file_name": name}))
    assert evidence.data_name == f"{name}.csv"
    assert check(evidence, "release-text").status == expected


def test_a_column_that_shares_its_name_with_the_sheet_or_file_is_no_leak(tmp_path: Path) -> None:
    columns = {"Age": ["20", "30"] * 10, "Illness": ["flu", "cold"] * 10}
    candidate = make_candidate(tmp_path, columns, {"Age": "q", "Illness": "c"}, source="Age.csv")
    assert check(candidate, "release-text").status == "green"


def test_odd_headers_and_labels_do_not_break_the_note(tmp_path: Path) -> None:
    columns = {"<b>&x | 5": ["<i>a"] * 10 + ["=b | c"] * 10, "Illness": ["flu", "cold"] * 10}
    evidence = evidence_of(make_candidate(tmp_path, columns, {"<b>&x | 5": "q", "Illness": "c"}))
    assert check(evidence, "release-text").status == "green"
    assert b"&lt;b&gt;&amp;x" in evidence.texts.note
    assert b"<b>" not in evidence.texts.note


def test_declared_bounds_are_told_and_seen_extremes_are_not(tmp_path: Path) -> None:
    roles = {**ROLES, "Income": {"role": "o", "kind": "numeric", "bounds": [0, 1_000_000]}}
    candidate = make_candidate(tmp_path / "DIRMARK", COLUMNS, roles, source="SRCMARK.csv")
    evidence = evidence_of(candidate)
    assert b"[0, 1000000]" in evidence.texts.dictionary
    assert b"987654" not in evidence.texts.dictionary
    assert check(evidence, "release-text").status == "green"


@pytest.mark.parametrize("format", ["csv", "xlsx", "sav", "dta"])
def test_only_the_bytes_that_checks_look_into_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    """A text file may be as large as its table: its hash is kept, and its bytes are written again when asked for."""
    evidence = evidence_of(made(tmp_path, release={"format": format}))
    written = existing(evidence.written)
    again: list[Candidate] = []

    def counted(candidate: Candidate) -> Written:
        again.append(candidate)
        return data_bytes(candidate)

    monkeypatch.setattr(release_files, "data_bytes", counted)
    assert hashlib.sha256(written.data).hexdigest() == written.sha256
    assert len(again) == (format == "csv")
    assert written.holding(b"other").sha256 == hashlib.sha256(b"other").hexdigest() != written.sha256
