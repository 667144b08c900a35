"""The report: keys complete and in order, pages that show the same figures."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from gate_cases import make_candidate
from report_cases import judged_candidate

from ppdm_desktop.engine.release.candidate.date_intervals import columns_moved_together
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation
from ppdm_desktop.engine.release.writing.export import evaluate
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.charts import Marginal
from ppdm_desktop.engine.report.html import Drawn, render_report
from ppdm_desktop.engine.report.public import columns as public
from ppdm_desktop.engine.report.template_source import template_source
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.engine.wording.texts import Note


@pytest.fixture
def judged(tmp_path: Path) -> Evaluation:
    return judged_candidate(tmp_path)


def at(document: Any, path: str) -> Any:
    for part in path.split(".") if path else []:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


def test_json_holds_the_document_and_no_infinity(judged: Evaluation) -> None:
    raw = judged.report.to_json()
    assert json.loads(raw) == judged.report.document()
    assert b"Infinity" not in raw
    assert b"NaN" not in raw
    assert judged.report.document()["steps"][0]["detail"] == {"objective": 1.5, "infinite": "infinite", "sizes": [1, 2]}


def test_figures_say_why_they_are_absent(judged: Evaluation) -> None:
    def walk(value: Any) -> Iterator[dict[str, Any]]:
        if isinstance(value, dict):
            if list(value) == ["value", "low", "high", "n", "unit", "method", "note"]:
                yield value
            for each in value.values():
                yield from walk(each)
        elif isinstance(value, list):
            for each in value:
                yield from walk(each)

    found = list(walk(judged.report.document()))
    assert len(found) > 20
    assert all(figure["note"] for figure in found if figure["value"] is None)


def test_what_changed_is_counted(judged: Evaluation) -> None:
    columns = {column["name"]: column for column in judged.report.document()["columns"]}
    assert columns["Illness"]["changed"]["value"] == 2
    assert columns["City"]["changed"]["value"] == 0
    assert columns["Name"]["released"] is False
    assert columns["Illness"]["treatment"] == "randomisation (permutation)"


class Page(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.data: list[tuple[str, str]] = []
        self.links: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: Any, attrs: Any) -> None:
        found = dict(attrs)
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("href", "src", "action", "xlink:href")]
        if tag == "data":
            self.data.append((found["data-key"], found["value"]))


def test_figures_in_the_page_equal_the_json(judged: Evaluation) -> None:
    page = Page()
    page.feed(render_report(judged.report, Drawn(judged.measures.marginals), in_full=True).decode())
    document = judged.report.document()
    assert len(page.data) > 60
    for key, shown in page.data:
        found = at(document, key)
        if isinstance(found, dict):
            found = found["value"]
        assert float(shown) == found, key


def test_the_page_refers_to_nothing_outside(judged: Evaluation) -> None:
    text = render_report(judged.report, Drawn(judged.measures.marginals), in_full=True).decode()
    page = Page()
    page.feed(text)
    assert page.links == []
    assert "script" not in page.tags
    assert "url(" not in text
    assert text.startswith("<!DOCTYPE html>")


def test_a_page_may_load_nothing_and_send_nothing(judged: Evaluation) -> None:
    for html in (render_report(judged.report, in_full=True).decode(), render_certificate(judged.report).decode()):
        (found,) = re.finditer(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', html)
        assert found.start() < html.index("<style"), "what comes before it is not held to it"
        allowed = dict(each.strip().split(" ", 1) for each in unescape(found[1]).split(";"))
        assert allowed.pop("default-src") == allowed.pop("base-uri") == allowed.pop("form-action") == "'none'"
        assert allowed == {"style-src": "'unsafe-inline'", "img-src": "data:"}
    for name in ("report.html", "certificate.html", "release-note.html"):
        assert "{{ content_policy }}" in template_source(name)


def test_hostile_texts_are_escaped(judged: Evaluation) -> None:
    entry = judged.report.columns[0].model_copy(update={"name": '<img src="x">&'})
    report = judged.report.model_copy(update={"columns": [entry, *judged.report.columns[1:]]})
    marginal = Marginal("<b>", ("<i>", 'a"b'), (0.5, 0.5), (1.0, 0.0), (400, 400))
    text = render_report(report, Drawn([marginal]), in_full=True).decode()
    assert "<img" not in text
    assert "<b>" not in text
    assert "<i>" not in text


def test_templates_use_no_safe_filter() -> None:
    for name in ("report.html", "release-note.html"):
        assert "|safe" not in template_source(name).replace(" ", "")


@pytest.mark.parametrize(("change", "words"), case_rows("report-bands"))
def test_bands(change: float | None, words: str) -> None:
    assert public.to_change_band(change) == words


def test_an_unknown_text_id_does_not_stop_a_report(judged: Evaluation) -> None:
    step = judged.report.steps[0]
    strange = [step.notes[0]] if step.notes else []
    from ppdm_desktop.engine.report.model import Sentence

    changed = step.model_copy(update={"notes": [*strange, Sentence.of("note.none.such")]})
    report = judged.report.model_copy(update={"steps": [changed]})
    assert b"note.none.such" in render_report(report, in_full=True)
    assert Note("x") == replace(Note("x"))


REMOVED = {"method": "leave-out-rows"}


def test_days_between_dates_are_a_column_of_the_same_name_in_every_language(tmp_path: Path) -> None:
    """It is also not taken for a column of the source that has this name, and steps that remove rows do not hide it."""
    columns = {
        "first": [f"2010-01-{day:02}" for day in range(1, 21)],
        "last": [f"2011-{month:02}-{day:02}" for month in (3, 4) for day in range(1, 20, 2)],
        "days between the dates": ["a", "b"] * 10,
    }
    date = {"role": "q", "kind": "date"}
    roles = {"first": date, "last": date, "days between the dates": "c"}
    one_row = {"one_row_per_person": True}
    candidate = make_candidate(tmp_path, columns, roles, input=one_row, steps=[{"method": "date-shift"}, REMOVED])
    assert columns_moved_together(candidate) == ("first", "last")
    reports = []
    for language in ("en", "de"):
        with speak_language(language):
            reports.append(evaluate(candidate, attacks=()).report)
    assert reports[0].verdict.model_dump_json() == reports[1].verdict.model_dump_json()
    singled = reports[0].verdict.singled
    assert singled is not None
    assert any("(days between the dates)" in entry.columns for entry in singled.sets)
