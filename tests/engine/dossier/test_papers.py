"""Papers: forms are read strictly, figures are those of report.json, locked fields are compared, and nothing leaks."""

from __future__ import annotations

import getpass
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows, case_text
from findings import CREATED
from gate_cases import make_candidate
from papers_support import ANSWERS, at, folder_of, report_of, rewritten

from ppdm_desktop.engine import decision_log
from ppdm_desktop.engine.decision_log import Entry, extend_log, write_log
from ppdm_desktop.engine.dossier import PAPERS
from ppdm_desktop.engine.dossier.docx import read_controls, typed_answers
from ppdm_desktop.engine.dossier.dossier import DOSSIER, Dossier, build_dossier
from ppdm_desktop.engine.dossier.facts import FACTS
from ppdm_desktop.engine.dossier.forms import all_forms, form_versions, read_form
from ppdm_desktop.engine.dossier.papers import TEMPLATE, check_paper, chosen_forms, write_papers
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.report.html import page_of
from ppdm_desktop.engine.wording.catalogue import numbers_of, speak_language
from ppdm_desktop.engine.wording.texts import explain

FORMS = ("dpia", "eu", "hipaa", "intruder", "iso")
SIX = ("as it is", "everything", "levels", "coarser", "made up", "several rows")


# --- forms --------------------------------------------------------------------------------

FORM = case_text("papers-form.toml")


@pytest.mark.parametrize(("old", "new", "id", "says"), case_rows("papers-a-form-that-does-not-fit-is-refused"))
def test_a_form_that_does_not_fit_is_refused(old: str, new: str, id: str, says: str) -> None:
    read_form(FORM, Path("board.toml"))
    with pytest.raises(InputError) as refused:
        read_form(FORM.replace(old, new, 1), Path("board.toml"))
    assert refused.value.id == f"error.form.{id}"
    assert refused.value.exit_code == 2
    assert says in explain(refused.value)


def test_five_forms_and_the_agreement_come_along_in_english_and_german() -> None:
    assert sorted(all_forms()) == sorted([*FORMS, "agreement"])
    for form in form_versions():
        assert set(form.title) == {"en", "de"}
        assert all(field.question_de and len(field.options_de) == len(field.options) for field in form.fields)
    asked = {field.source for form in form_versions() for field in form.fields}
    assert {f"fact:{name}" for name in FACTS} <= asked


def test_an_organisation_has_forms_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "board.toml").write_text(FORM, encoding="utf-8")
    form = chosen_forms(["board"], tmp_path)[0]
    assert form.is_own
    paper = Dossier(folder_of("levels")).paper(form)
    assert [field.is_filled for field in paper.fields] == [True, False]
    assert "Own form of the organisation" in paper.lines
    (tmp_path / "board.toml").write_text(FORM.replace('"board"', '"eu"'), encoding="utf-8")
    with pytest.raises(InputError, match=r"error\.form\.bad-value"):
        all_forms(tmp_path)
    with pytest.raises(InputError, match="not-toml"):
        all_forms(tmp_path / "none")
    with pytest.raises(InputError, match="unknown-form"):
        chosen_forms(["nothing"])


# --- figures ------------------------------------------------------------------------------

_NUMBER = re.compile(r"[0-9]+(?:[.,\u202f\u00a0][0-9]+)*")
_STATED = {95.0, 256.0}
"""Numbers of sentences: the 95 % interval, and SHA-256."""


def leaves(value: Any) -> Iterator[Any]:
    """Yield every number and text inside plain data."""
    if isinstance(value, dict | list):
        yield from (leaf for item in (value.values() if isinstance(value, dict) else value) for leaf in leaves(item))
        if isinstance(value, list):
            yield len(value)
    else:
        yield value


def unexplained(text: str, values: list[Any], language: str) -> list[str]:
    """Return the numbers of a text that are none of the values, nor a share, percentage or count of them."""
    texts = sorted((value for value in values if isinstance(value, str)), key=len, reverse=True)
    for value in texts:
        text = text.replace(value, " ") if re.search("[A-Za-z]", value) or value == text else text
    numbers = [float(value) for value in values if isinstance(value, int | float)]
    shares = [a / b for a in numbers for b in numbers if b] + numbers
    known = {
        *_STATED,
        *numbers,
        *shares,
        *(100 * share for share in shares),
        *(a * b for a in numbers for b in numbers),
    }
    known |= {100 - number for number in known} | {number / 1000 for number in numbers}
    known |= {float(digits) for value in texts for digits in re.findall("[0-9]+", value)}
    locale = numbers_of(language).locale
    wrong = []
    for token in _NUMBER.findall(text):
        plain = token.replace(locale.group, "").replace(locale.decimal, ".").replace("\u00a0", "")
        decimals = len(plain.partition(".")[2])
        least = 10**-decimals  # measured numbers have three digits
        if not any(abs(float(plain) - abs(n)) <= max(least, 0.0 if n == int(n) else abs(n) / 200) for n in known):
            wrong.append(token)
    return wrong


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("name", SIX)
def test_every_number_of_every_form_stands_in_the_report(name: str, language: str) -> None:
    document = json.loads(report_of(name).to_json())
    dossier, seen = Dossier(folder_of(name, language)), 0
    for form in chosen_forms([]):
        for field in dossier.paper(form, internal=True).fields:
            for cell in (cell for block in field.blocks for row in block.rows for cell in row):
                values = [leaf for path in cell.paths for leaf in leaves(at(document, path))]
                if "/release/threshold_source" not in cell.paths:  # a source of the literature, with its years
                    assert not unexplained(cell.text, values, language), (field.tag, cell)
                seen += len(_NUMBER.findall(cell.text))
    assert seen > 100


def test_a_row_of_the_source_stands_in_the_internal_copy_alone(tmp_path: Path) -> None:
    folder = folder_of("as it is")
    rows = [str(person.row) for person in report_of("as it is").verdict.try_first or ()]
    assert rows
    written = write_papers(folder, chosen_forms(["intruder"]))
    copies = {path.parent.parent.name: read_controls(path)["intruder.try-first"] for path, _ in written}
    assert copies.pop("internal")[2::2] == rows
    assert list(copies.values()) == [["Listed in the internal copy."]]
    [(outside, _)] = write_papers(folder, chosen_forms(["intruder"]), tmp_path / "out")
    assert read_controls(outside)["intruder.try-first"] == ["Listed in the internal copy."]


# --- DOCX ---------------------------------------------------------------------------------


def test_a_changed_figure_is_caught_and_typed_answers_stay(tmp_path: Path) -> None:
    folder, form = folder_of("coarser"), chosen_forms(["eu"])
    [(docx, paper)] = write_papers(folder, form, tmp_path)
    copy = rewritten(docx, ">48 rows.", ">47 rows.")
    assert [field.field.id for field in check_paper(folder, copy)[1]] == ["people"]
    typed = rewritten(docx, "☐ not known", "☒ not known")
    typed.replace(docx)
    assert check_paper(folder, docx)[1] == []
    [(docx, _)] = write_papers(folder, form, tmp_path)
    with speak_language("en"):
        assert typed_answers(paper, read_controls(docx)) == {"eu.informed": "☐ yes\n☐ no\n☒ not known\nWhy:"}
    (tmp_path / "no.docx").write_bytes(b"PK")
    with pytest.raises(InputError, match="not-a-paper"):
        check_paper(folder, tmp_path / "no.docx")


def test_what_a_person_answered_and_approved_is_filled(tmp_path: Path) -> None:
    folder = tmp_path / "release"
    (folder / "internal").mkdir(parents=True)
    (folder / "internal" / DOSSIER).write_bytes((folder_of("coarser") / "internal" / DOSSIER).read_bytes())
    form = all_forms()["eu"]

    def text_of(field: str) -> list[str]:
        """Return the lines of one field."""
        paper = Dossier(folder).paper(form)
        return [
            line for entry in paper.fields if entry.field.id == field for block in entry.blocks for line in block.lines
        ]

    assert text_of("means") == [ANSWERS["eu"]["means"]]
    assert text_of("approved-by") == []
    file = folder / "internal" / decision_log.FILE
    entries = [Entry("approved"), Entry("looked-at")]
    log = extend_log((), entries, at="2026-11-30T08:00:00Z", who="A. Chair")
    write_log(file, log)
    assert text_of("approved-by") == ["A. Chair, 30 November 2026"]
    file.write_bytes(file.read_bytes().replace(b"A. Chair", b"B. Chair"))
    with pytest.raises(InputError, match=r"log\.broken"):
        text_of("approved-by")
    write_log(file, extend_log(log, [Entry("refused")], at="2026-12-01T08:00:00Z", who="A. Chair"))
    assert text_of("approved-by") == []
    (folder / "internal" / DOSSIER).write_bytes(b"{}")
    with pytest.raises(InputError, match="unreadable"):
        Dossier(folder)


# --- what must not leak, and the rows of the Safe Harbor ----------------------------------

COLUMNS: dict[str, Any] = {
    "Zip": [f"{12000 + n % 2}" for n in range(24)],
    "Age": [str(70 + n) for n in range(24)],
    "Admission": [f"20{10 + n % 3}-03-1{n % 5}" for n in range(24)],
    "Discharge year": ["2011", "2012"] * 12,
    "Fax": [f"IDMARK{n}" for n in range(24)],
    "Illness": ["flu"] * 11 + ["cold"] * 12 + ["RAREZZ"],
}
PATIENTS = {"Zip": "q", "Age": {"role": "q", "kind": "numeric"}, "Admission": "o", "Discharge year": "o", "Fax": "i",
            "Illness": "c"}  # fmt: skip


def test_no_paper_holds_a_value_of_the_source_the_user_or_a_path(tmp_path: Path) -> None:
    report = evaluate(make_candidate(tmp_path / "DIRMARK", COLUMNS, PATIENTS), created=CREATED).report
    folder = tmp_path / "out"
    (folder / "internal").mkdir(parents=True)
    (folder / "internal" / DOSSIER).write_bytes(build_dossier(report, {}))
    written = write_papers(folder, chosen_forms([]), renderer=str.encode)
    assert {path.parent for path, _ in written} == {folder / PAPERS, folder / "internal" / PAPERS}
    for path in (*folder.rglob("*.docx"), *folder.rglob("*.html"), folder / "internal" / DOSSIER):
        text = path.read_bytes()
        if path.suffix == ".docx":
            with zipfile.ZipFile(path) as package:
                assert not any("docProps" in name for name in package.namelist())
                text = b"".join(map(package.read, package.namelist()))
        for marker in ("IDMARK", "RAREZZ", "DIRMARK", str(tmp_path), f"/{getpass.getuser()}/"):
            assert marker.encode() not in text, (path, marker)


def test_rows_of_the_safe_harbor_by_hand(tmp_path: Path) -> None:
    report = evaluate(make_candidate(tmp_path / "in", COLUMNS, PATIENTS), created=CREATED).report
    entries = {(entry.row, entry.column): (entry.cells, entry.characters) for entry in report.safe_harbor}
    assert entries[("b2-b", "Zip")] == (24, 5)
    assert entries[("b2-c", "Age")] == (4, None)  # 90 to 93
    assert entries[("b2-c", "Admission")] == (24, None)
    assert entries[("b2-e", "Fax")] == (None, None)
    assert ("b2-c", "Illness") not in entries
    folder = tmp_path / "out"
    (folder / "internal").mkdir(parents=True)
    (folder / "internal" / DOSSIER).write_bytes(build_dossier(report, {"hipaa": {"b2-p": "none", "b2-q": "none"}}))
    paper = Dossier(folder).paper(all_forms()["hipaa"])
    fields = {field.field.id: [line for block in field.blocks for line in block.lines] for field in paper.fields}
    assert fields["b2-d"] == ["None found by column names and patterns of text."]
    assert fields["b2-e"][-1] == "Left out"
    assert fields["b2-p"] == ["none"]
    addressed = next(line for line in paper.lines if "rows addressed" in line)
    assert addressed in ("16 of 18 rows addressed", "15 of 18 rows addressed")
    with speak_language("en"):
        page = page_of(TEMPLATE, paper=paper).decode()
    assert 'class="amber"' in page
