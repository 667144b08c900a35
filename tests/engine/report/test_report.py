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
from xml.etree import ElementTree

import pytest
from cases import case_rows
from gate_cases import make_candidate, randomised, with_step

from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation
from ppdm_desktop.engine.release.writing.export import evaluate
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.charts import Marginal
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.html import Drawn, render_report
from ppdm_desktop.engine.report.model import Utility
from ppdm_desktop.engine.report.public import columns as public
from ppdm_desktop.engine.report.template_source import template_source
from ppdm_desktop.engine.wording.catalogue import speak_language, untranslated
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import as_data

CONTRACT = {
    "": "format created program operator input recipe_sha256 release columns privacy steps verdict original "
    "risk utility rules files earlier_releases log safe_harbor",
    "program": "version rules python libraries platform_class self_test plugins",
    "operator": "name note approver review_date expires dataset controller purpose legal_basis recipient dpo "
    "categories_of_persons retention measures incident special_categories",
    "input": "name sha256 bytes format sheet encoding delimiter decimal rows_read rows_unread columns_read "
    "missing_marks hidden header_row names_given rows_left_out repairs person_column persons people reduce "
    "missing_in_columns",
    "input.hidden": "rows columns sheets",
    "release": "type k_min threshold_source format rows columns shuffled data_sha256 key draws_of_this_recipe "
    "teaching_copy four_eyes",
    "columns.0": "name role kind treatment step missing distinct_before distinct_after changed released within_person",
    "columns.0.changed": "value low high n unit method note",
    "privacy": "default sources levels",
    "privacy.sources": "default column rules rows",
    "privacy.levels.0": "name demand records",
    "privacy.levels.0.demand": "group intervals noise swap selection_noise doubt",
    "steps.0": "index method mode columns parameters correspondence protects promise guarantee notes seconds detail "
    "written used idle",
    "steps.0.guarantee": "kind holds checked worst",
    "risk": "before after",
    "risk.before": "scope applies",
    "risk.before.scope": "quasi_identifiers released",
    "risk.after.scope.released": "columns records equivalence_classes k class_sizes unique identifiable prosecutor_max "
    "prosecutor_mean share_over_threshold journalist_max journalist_mean marketer l_distinct l_entropy t_closeness "
    "unique_sets rows one_row all_rows households",
    "risk.after.scope.released.class_sizes.0": "size classes records",
    "risk.after.scope.released.identifiable.Illness": "uniquely collectively groups unidentifiable no_value",
    "utility": " ".join(("columns pairs", *measures_of(Utility), "models conclusions clusters rows_suppressed")),
    "utility.pairs": "i_divergence correlation_max_change correlation_mean_change",
    "verdict": "subject input_sha256 recipe_sha256 data_sha256 type k_min people rows rows_released people_known_by "
    "certain_by_others certain_by_all beliefs singled near depends classes outside attacks levels checks try_first "
    "usefulness draws decision",
    "verdict.beliefs.0": "column family people by_others by_all exposed rare left ratio prior by_level",
    "verdict.beliefs.0.by_all": "certain proved wrong",
    "verdict.beliefs.0.exposed": "people right control",
    "verdict.beliefs.0.by_level.0": "level people certain_by_others certain_by_all",
    "verdict.singled": "people by_others by_all_but_secret by_all_but_one by_all columns sets",
    "verdict.classes": "k below of why judged one_row all_rows",
    "verdict.checks.0": "id cause status figure limit direction hits of sentence fix_on",
    "verdict.checks.0.sentence": "id arguments",
    "verdict.usefulness": "columns pairs believable useful lost learners analyses",
    "verdict.draws": "number tried since better_than_earlier key",
    "verdict.decision": "status released blocked_by accepted reasons",
    "original.decision": "status released blocked_by accepted reasons",
}

ROWS = 24
COLUMNS = {
    "City": ["Delft", "Bonn"] * 12,
    "Age": [str(20 + i % 8) for i in range(ROWS)],
    "Illness": ["flu", "cold", "flu", "flu"] * 6,
    "Name": [f"n{i}" for i in range(ROWS)],
}
ROLES = {"City": "q", "Age": {"role": "q", "kind": "numeric"}, "Illness": "c", "Name": "i"}


@pytest.fixture
def judged(tmp_path: Path) -> Evaluation:
    candidate = make_candidate(tmp_path, COLUMNS, ROLES)
    values = list(COLUMNS["Illness"])
    values[0], values[1] = values[1], values[0]
    stepped = with_step(
        candidate,
        {"Illness": values},
        [randomised("Illness", [0] * ROWS)],
        detail={"objective": 1.5, "infinite": float("inf"), "sizes": (1, 2)},
    )
    return evaluate(stepped)


def at(document: Any, path: str) -> Any:
    for part in path.split(".") if path else []:
        document = document[int(part)] if isinstance(document, list) else document[part]
    return document


@pytest.mark.parametrize("path", CONTRACT)
def test_keys_are_those_of_the_contract_in_order(judged: Evaluation, path: str) -> None:
    assert list(at(judged.report.document(), path)) == CONTRACT[path].split()


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


def test_a_figure_without_value_needs_a_note() -> None:
    with pytest.raises(ValueError, match="note"):
        Figure(None)
    with pytest.raises(ValueError, match="finite"):
        Figure(float("nan"))
    assert Figure.absent(untranslated("why")).document()["note"] == as_data(untranslated("why"))


@pytest.mark.parametrize(
    ("change", "words"),
    case_rows("report-bands"),
)
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


def counted(share: float, of: int | None) -> str:
    """Write a share as a chart has to: of fewer than 100 records the count."""
    hits = share * (of or 0)
    whole = abs(hits - round(hits)) < 1e-9 * (of or 1)
    return f"{round(hits)} of {of}" if of and of < 100 and whole else percent(share)


def test_figures_in_charts_equal_the_json(judged: Evaluation) -> None:
    text = render_report(judged.report, Drawn(judged.measures.marginals), in_full=True).decode()
    said: dict[str, list[str]] = {}
    for part in text.split("<figure>")[1:]:
        root = ElementTree.fromstring(part.split("</svg>")[0] + "</svg>")
        said.setdefault(root.findtext("title", ""), []).append(root.findtext("desc", ""))
    document = judged.report.document()
    for scope, place in (("quasi_identifiers", 0), ("released", 1)):
        before, after = (document["risk"][side]["scope"][scope] for side in ("before", "after"))
        risk = said["What each kind of intruder achieves, before and after"][place]
        for key in ("prosecutor_max", "prosecutor_mean", "marketer"):
            assert f"before {percent(before[key])}, after {percent(after[key])}" in risk
        ends = [counted(side["share_over_threshold"], side["records"]) for side in (before, after)]
        assert f"before {ends[0]}, after {ends[1]}" in risk
        assert f"limit {percent(1 / document['release']['k_min'])}" in risk
        sizes = next(found for title, found in said.items() if title.startswith("Size of groups of records"))
        alone = [sum(each["records"] for each in side["class_sizes"] if each["size"] == 1) for side in (before, after)]
        shares = ", ".join(
            f"{word} {counted(count / side['records'], side['records'])}"
            for word, count, side in zip(("before", "after"), alone, (before, after), strict=True)
        )
        assert sizes[0].startswith(f"1: {shares}")
        identifiable = said["Identifiable records before and after"][place]
        for name, found in after["identifiable"].items():
            share = (found["uniquely"] + found["collectively"]) / after["records"]
            assert f"{name}: before" in identifiable
            assert f"after {counted(share, after['records'])}" in identifiable
    attacks = [each for each in document["verdict"]["attacks"] if each["success"]["unit"] == "share"]
    assert attacks
    for each in attacks:
        for key, words in (("success", "the attack"), ("control", "by the comparison")):
            if each[key]["value"] is not None:
                share = counted(each[key]["value"], each[key]["n"])
                assert f"{words} {share}" in said["How often each attack is right"][0]
    marginal = judged.measures.marginals[0]
    shown = said[f"Values of “{marginal.name}” before and after"][0]
    for label, one, other in zip(marginal.labels, marginal.before, marginal.after, strict=True):
        ends = [counted(share, of) for share, of in zip((one, other), marginal.records, strict=True)]
        assert f"{label}: before {ends[0]}, after {ends[1]}" in shown


def test_days_between_dates_are_a_column_of_the_same_name_in_every_language(tmp_path: Path) -> None:
    """It is also not taken for a column of the source that has this name."""
    columns = {
        "first": [f"2010-01-{day:02}" for day in range(1, 21)],
        "last": [f"2011-{month:02}-{day:02}" for month in (3, 4) for day in range(1, 20, 2)],
        "days between the dates": ["a", "b"] * 10,
    }
    date = {"role": "q", "kind": "date"}
    roles = {"first": date, "last": date, "days between the dates": "c"}
    one_row = {"one_row_per_person": True}
    candidate = make_candidate(tmp_path, columns, roles, input=one_row, steps=[{"method": "date-shift"}])
    reports = []
    for language in ("en", "de"):
        with speak_language(language):
            reports.append(evaluate(candidate, attacks=()).report)
    assert reports[0].verdict.model_dump_json() == reports[1].verdict.model_dump_json()
    singled = reports[0].verdict.singled
    assert singled is not None
    assert any("(days between the dates)" in entry.columns for entry in singled.sets)
