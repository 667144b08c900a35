"""Papers changed after they were written: each change is caught, and no honest paper is reported."""

from __future__ import annotations

import importlib
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from papers_support import at, edited, folder_of, restate_report

from ppdm_desktop.engine import decision_log
from ppdm_desktop.engine.decision_log import Entry, extend_log, write_log
from ppdm_desktop.engine.dossier.dossier import DOSSIER, Paper
from ppdm_desktop.engine.dossier.papers import check_paper, chosen_forms, write_papers
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.wording.catalogue import speak_language

RELEASES = ("everything", "levels", "coarser", "several rows")
LANGUAGES = ("en", "de")
CONTROL = re.compile(r"<w:sdt>(?:(?!</w:sdt>).)*?sdtContentLocked.*?</w:sdt>")
Change = Callable[[Path, Path, Paper], None]
verifier = importlib.import_module("ppdm_desktop.resources.verifier.check_release")


def other_digit(text: str) -> str:
    """Return a text in which the last digit is another."""
    return re.sub(r"\d(?=\D*$)", lambda digit: str((int(digit.group()) + 1) % 10), text, count=1)


def in_control(pattern: str, new: Callable[[re.Match[str]], str]) -> Change:
    """Return a change of the first locked control of a DOCX file whose text fits a pattern."""

    def change_text(text: str) -> str:
        """Return the document with the changed control."""
        fitting = (control for control in CONTROL.findall(text) if re.search(f"<w:t [^>]*>{pattern}</w:t>", control))
        control = next(fitting)
        return text.replace(control, re.sub(f'(?<=preserve">){pattern}(?=</w:t>)', new, control), 1)

    return lambda _folder, docx, _paper: edited(docx, change_text)


def lose_a_field(_folder: Path, docx: Path, paper: Paper) -> None:
    """Remove all controls of a field."""
    tag = next(field.tag for field in paper.fields[::-1] if field.is_filled and field.field.source != "log:approved")
    edited(docx, lambda text: re.sub(f'<w:sdt><w:sdtPr><w:alias w:val="{tag}"/>.*?</w:sdt>', "", text))


def exchange_two_fields(_folder: Path, docx: Path, paper: Paper) -> None:
    """Give two fields each other's tags."""
    first, second = [field.tag for field in paper.fields if field.is_filled][:2]
    names = {f'"{first}"': f'"{second}"', f'"{second}"': f'"{first}"'}
    edited(docx, lambda text: re.sub("|".join(names), lambda found: names[found.group()], text))


def asked_facts(paper: Paper) -> list[str]:
    """Return the keys in dossier.json of the facts that a form asks for."""
    keys = {field.field.value_key(paper.form.id) for field in paper.fields if field.is_filled}
    return [key for key in sorted(keys) if key.startswith("fact:") and key != "fact:try-first"]


def change_dossier(folder: Path, _docx: Path, paper: Paper) -> None:
    """Change a figure that dossier.json holds for a form."""
    file = folder / "internal" / DOSSIER
    document = json.loads(file.read_text("utf-8"))
    cells = (cell for key in asked_facts(paper) for block in document["values"][key] for row in block["rows"]
             for cell in row)  # fmt: skip
    cell = next(cell for cell in cells if re.search(r"\d", cell["text"]))
    cell["text"] = other_digit(cell["text"])
    file.write_text(json.dumps(document), "utf-8")


def change_report(folder: Path, _docx: Path, paper: Paper) -> None:
    """Raise a whole number of report.json that a form prints."""
    document = json.loads((folder / "internal" / DOSSIER).read_text("utf-8"))
    report: Any = json.loads((folder / "internal/report.json").read_text("utf-8"))
    cells = [cell for key in asked_facts(paper) for block in document["values"][key] for row in block["rows"]
             for cell in row]  # fmt: skip
    for cell in cells:
        value = at(report, cell["paths"][0]) if len(cell["paths"]) == 1 else None
        if type(value) is int and value >= 10 and cell["text"] == str(value):
            *parents, last = cell["paths"][0].split("/")
            section = at(report, "/".join(parents))
            section[int(last) if isinstance(section, list) else last] += 7
            (folder / "internal/report.json").write_text(json.dumps(report), "utf-8")
            restate_report(folder)
            return
    change_dossier(folder, _docx, paper)  # this form prints no whole number that stands alone


def change_log(folder: Path, _docx: Path, _paper: Paper) -> None:
    """Write another name into the log of decisions."""
    file = folder / "internal" / decision_log.FILE
    file.write_bytes(file.read_bytes().replace(b"A. Chair", b"B. Chair"))


CHANGES: dict[str, Change] = {
    "figure": in_control(r"[^<]*\d[^<]*", lambda text: other_digit(text.group())),
    "last figure": in_control(r"[^<]*\d+ %?[^<]*", lambda text: text.group() + "1"),
    "answer": in_control(r"[^<\d]+", lambda text: text.group().swapcase()),
    "empty": in_control("[^<]+", lambda _text: ""),
    "lost": lose_a_field,
    "exchanged": exchange_two_fields,
    "dossier": change_dossier,
    "report": change_report,
    "log": change_log,
}


def is_caught(folder: Path, docx: Path) -> list[bool]:
    """Return whether the program, and whether the verifier, reports a paper or the files that it was made from."""
    results = verifier.Results()
    try:
        report = verifier.read_json(folder / "internal/report.json")
        verifier.check_log(folder, report["log"], results)
        verifier.check_pages(folder, report, results)
        verifier.check_paper(docx, verifier.read_json(folder / "internal" / DOSSIER), results)
        by_verifier = any(line[-1] == verifier.DIFFERENT for line in results.lines)
    except Exception:
        by_verifier = True
    try:
        by_program = bool(check_paper(folder, docx)[1])
    except InputError:
        by_program = True
    return [by_program, by_verifier]


def approved(name: str, language: str, folder: Path) -> Path:
    """Return a copy of a small release whose log says that it was approved."""
    shutil.copytree(folder_of(name, language), folder)
    log = extend_log((), [Entry("approved")], at="2026-11-30T08:00:00Z", who="A. Chair")
    write_log(folder / "internal" / decision_log.FILE, log)
    file = folder / "internal/report.json"
    report = json.loads(file.read_text("utf-8"))
    report["log"] = {"length": len(log), "head": log[-1].hash}
    file.write_text(json.dumps(report), "utf-8")
    restate_report(folder)
    return folder


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", RELEASES)
def test_each_change_of_a_paper_is_caught_and_no_honest_one(name: str, language: str, tmp_path: Path) -> None:
    """Forty-eight honest papers, and each with every change."""
    folder = approved(name, language, tmp_path / "release")
    outcomes = {}
    for docx, paper in write_papers(folder, chosen_forms([]), tmp_path / "papers"):
        outcomes[paper.form.id, "honest"] = any(is_caught(folder, docx))
        for kind, change in CHANGES.items():
            copy = tmp_path / f"{paper.form.id} {kind}"
            shutil.copytree(folder, copy)
            changed = Path(shutil.copy(docx, copy))
            with speak_language(language):
                change(copy, changed, paper)
            caught = is_caught(copy, changed)
            # What is changed in the paper itself, both see; behind it at least the verifier, which has every file.
            outcomes[paper.form.id, kind] = any(caught) if kind in ("dossier", "report", "log") else all(caught)
    assert len(outcomes) == 6 * (1 + len(CHANGES))
    wrong = [case for case, caught in outcomes.items() if caught == (case[1] == "honest")]
    assert wrong == []
