"""Small words of the report: names that are cut, settings, counts with their words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
from gate_cases import attack_entry
from pydantic import TypeAdapter
from report_cases import judged_candidate, worst_report

from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.methods.base.registry import find_step_method, step_title
from ppdm_desktop.engine.release.attack_audit.base import Attack
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks
from ppdm_desktop.engine.release.top_up.step import EARLIER_LEVEL
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.drawing import cut_name
from ppdm_desktop.engine.report.html import (
    given_day,
    render_report,
    shown_day,
    shown_figure,
)
from ppdm_desktop.engine.report.model import AttackEntry, ModelEntry, Report, Sentence, Utility
from ppdm_desktop.engine.report.report_words import attack_figures, attack_titles
from ppdm_desktop.engine.report.written_figures import shown_number
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.wording.catalogue import joined, lazy, speaking, untranslated
from ppdm_desktop.engine.wording.level_titles import level_title
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Exact, Name, Names, Number, Ratio, Term, rounded


def test_long_names_that_begin_alike_can_be_told_apart() -> None:
    begin = "Self-reported property of the person asked, rounded: "
    shown = [cut_name(begin + end, 26) for end in ("age", "income")]
    assert shown[0].endswith("age")
    assert shown[1].endswith("income")
    assert all(len(each) <= 26 and "…" in each for each in shown)
    assert cut_name("income", 26) == "income"


def test_numbers_of_documents_are_those_of_the_one_writer() -> None:
    assert [shown_number(each) for each in (1_048_576, 24.0, 1 / 3, 3.0712e-05, "none", None)] == [
        "1,048,576", "24", "0.333", "less than 0.001", "none", "–",
    ]  # fmt: skip
    with speaking("de"):
        assert [shown_number(each) for each in (1_048_576, 1 / 3)] == ["1.048.576", "0,333"]
        assert shown_day("2026-11-21T10:58:03Z") == "21. November 2026"
    assert given_day("next year") == "next year"
    assert given_day("2027-02-30") == "2027-02-30"


@pytest.mark.parametrize(
    ("figure", "kind", "words"),
    [
        (Figure(0.5, 0.401, 0.609, unit="share"), "", "50% (40% to 61%)"),
        (Figure(-0.0312, unit="share"), "", "−3.1 percentage points"),
        (Figure(37_654), "count", "37,654"),
        (Figure(0.5, 0.4, 0.6, unit="noise sd"), "", "0.5 (0.4 to 0.6)"),
        (Figure.absent(untranslated("because")), "", "not measured"),
        (Figure(11 / 16, 0.4, 0.9, 16, "share"), "people", "11 of 16 (40% to 90%)"),
        (Figure(0.7, n=16, unit="share"), "people", "70%"),
        (Figure(0.5, n=200, unit="share"), "people", "50%"),
        (
            Figure(0.2, -0.1, 0.3, 200, "share"),
            "change",
            "+20 percentage points (−10 to +30 percentage points)",
        ),
        (0.0004, "percent", "less than 0.1%"),
    ],
)
def test_figures_are_written_by_what_they_are(figure: object, kind: str, words: str) -> None:
    assert re.sub("<[^>]*>", "", shown_figure(figure, "key", kind)) == words


def test_methods_have_titles_and_unknown_ones_their_id() -> None:
    assert step_title("bit-plus-plus") != "bit-plus-plus"
    assert step_title("of-another-version") == "of-another-version"


def test_a_step_that_added_records_is_the_method_s_that_made_the_earlier_release() -> None:
    assert step_title("top-up") == "Add new records to a condensed release"
    method = find_step_method("top-up")
    assert method is not None
    assert method.id == "condensation"


class _Tables(HTMLParser):
    """Whether each cell of each table is marked as a number, row by row; the head is the first row."""

    def __init__(self) -> None:
        super().__init__()
        self.tables: list[list[list[bool]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "table":
            self.tables.append([])
        elif tag == "tr":
            self.tables[-1].append([])
        elif tag in ("th", "td"):
            is_number = "number" in (given.get("class") or "").split()
            self.tables[-1][-1] += [is_number] * int(given.get("colspan") or 1)


def _analysed(report: Report) -> Report:
    """Return a report with every figure that analyses give."""
    share = Figure(0.5, n=400, unit="share")
    measured = dict.fromkeys(measures_of(ModelEntry), share)
    model = ModelEntry(
        task=lazy("its value"), learner="naive-bayes", text="learner.naive-bayes", target="Pay",
        folds=10, leaves=Leaves(share, share),
        **measured,
    )  # fmt: skip
    clusters = ClusterAgreement(2, **dict.fromkeys(measures_of(ClusterAgreement), share))
    table = dict.fromkeys(measures_of(Utility), share)
    utility = report.utility.model_copy(update={**table, "models": [model], "clusters": [clusters]})
    return report.model_copy(update={"utility": utility})


@pytest.mark.parametrize("render", [render_report, partial(render_report, in_full=True), render_certificate])
def test_each_heading_stands_above_the_cells_of_its_column(render: Callable[[Report], bytes], tmp_path: Path) -> None:
    page = _Tables()
    page.feed(render(_analysed(worst_report(judged_candidate(tmp_path).report, many=3))).decode())
    assert len(page.tables) > 4
    for head, *rows in page.tables:
        for row in rows:
            assert row == head, (page.tables.index([head, *rows]), head, row)


@pytest.mark.parametrize("owner", [ColumnUtility, ClusterAgreement, ModelEntry, Utility])
def test_a_measure_is_declared_at_the_field_of_report_json_that_it_names(owner: type) -> None:
    measures = measures_of(owner)
    assert measures
    fields = TypeAdapter(owner).json_schema(mode="serialization")["properties"]
    for key, measure in measures.items():
        assert "Figure" in str(fields[key]), key
        assert str(measure.heading)


def test_a_remark_on_a_figure_is_said_in_german_with_german_numbers() -> None:
    largest = lazy(
        "largest: {value}, between “{one}” and “{other}”",
        value=rounded(0.2042, 3),
        one=Term("Age and sex"),
        other=Term("Pay"),
    )
    remark = joined(largest, None, lazy("{n} further pairs not measured", n=3))
    assert str(remark) == "largest: 0.204, between “Age and sex” and “Pay”; 3 further pairs not measured"
    with speaking("de"):
        assert str(remark) == "am größten: 0,204, zwischen „Age and sex“ und „Pay“; 3 weitere Paare nicht gemessen"
        assert largest.said(value=rounded(2.5e-06, 3)).startswith("am größten: weniger als 0,001, ")


@pytest.mark.parametrize(("middle", "said"), [(39001.5, "39.001,5"), (-39001.0, "−39.001"), (1984.0, "1984")])
def test_a_median_of_five_digits_is_grouped_and_one_of_four_may_be_a_year(middle: float, said: str) -> None:
    with speaking("de"):
        words = str(lazy("whether it is above {middle}, the median of the original", middle=Exact(middle)))
    assert f" {said} " in words


@pytest.mark.parametrize("attack", all_attacks().values(), ids=lambda each: each.id)
def test_the_report_names_what_each_attack_is_compared_with(attack: Attack) -> None:
    measured = attack_entry(attack.id, success=Figure(0.5, unit="share"), control=Figure(0.4, unit="share"))
    assert attack_figures(measured)[1].label == render(attack.control).sentence
    absent = measured.model_copy(update={"control": Figure.absent(untranslated("none"), unit="share")})
    assert attack_figures(absent)[1].label == "Comparison"


def test_records_of_an_earlier_release_are_called_so_in_the_language_of_the_document() -> None:
    assert level_title(EARLIER_LEVEL) == "Earlier records"
    with speaking("de"):
        assert level_title(EARLIER_LEVEL) == "Frühere Datensätze"
        assert level_title("our own level") == "our own level"


def test_a_gain_of_nothing_is_a_figure() -> None:
    assert "0 percentage points" in shown_figure(Figure(0.0, unit="share"), kind="change")
    assert "+4.8 percentage points" in shown_figure(Figure(0.048, unit="share"), kind="change")


def test_attacks_made_more_than_once_bear_titles_of_their_own() -> None:
    def entry(id: str, title: str, *columns: str, column: str | None = None) -> AttackEntry:
        made = attack_entry(id, column=column)
        knows = Sentence.of("attack.knows.release-alone", {"columns": Names(columns)})
        return made.model_copy(
            update={
                "knows": knows,
                "sentence": Sentence.of(title, {**said, "columns": Names(columns), "column": Name(column or "")}),
            }
        )

    said = dict.fromkeys(("wrong", "success", "control", "share"), Ratio(0.5)) | {"most": Number(1), "limit": Number(1)}
    found = [
        entry("singling-out", "attack.singling-out.none", "A", "B"),
        entry("singling-out", "attack.singling-out.none", "A", "B", "C"),
        entry("digit-inverse", "attack.digit-inverse.total", "Pay", column="Pay"),
        entry("digit-inverse", "attack.digit-inverse.total", "Tax", column="Tax"),
        entry("inference", "attack.inference.none", "A", column="Pay"),
    ]
    titles = attack_titles(found)
    assert len(set(titles)) == len(titles)
    assert titles[:3] == [
        "Picking out one person by 2 columns",
        "Picking out one person by 3 columns",
        "Shifting the digits back: “Pay”",
    ]
    assert titles[4] == "Guessing “Pay”"
