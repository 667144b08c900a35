"""Small words of the report: names that are cut, settings, counts with their words."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from gate_cases import attack_entry
from report_cases import judged_candidate, worst_report

import ppdm_desktop.engine
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.registry import step_title
from ppdm_desktop.engine.release.attack_audit.base import Attack
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks
from ppdm_desktop.engine.release.top_up.step import EARLIER_LEVEL
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.drawing import cut_name
from ppdm_desktop.engine.report.figure_words import REASONS, TASKS, in_words
from ppdm_desktop.engine.report.html import (
    attack_titles,
    given_day,
    render_report,
    shown_day,
    shown_figure,
    shown_number,
)
from ppdm_desktop.engine.report.model import AttackEntry, LevelSources, Report, Sentence
from ppdm_desktop.engine.report.report_words import control_words, sources_words
from ppdm_desktop.engine.wording.catalogue import later, speaking
from ppdm_desktop.engine.wording.level_titles import level_title
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Names, Number, Ratio

ENGINE = Path(ppdm_desktop.engine.__file__).parent


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
        (Figure.absent("because"), "", "not measured"),
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


def test_words_of_report_json_are_said_in_the_language_of_the_page() -> None:
    for each in (*TASKS, *REASONS):
        held = each.english.replace("{", "").replace("}", "")
        with speaking("qps"):
            assert in_words(held).startswith("["), held
        assert in_words(held) == held
    assert in_words("whether it is above 45.5, the median of the original").endswith("45.5, the median of the original")
    # A median of five digits is a number; one of four may be a year.
    for middle, shown in (("39001", "39,001"), ("-39001.5", "-39,001.5"), ("1984", "1984")):
        said = in_words(f"whether it is above {middle}, the median of the original")
        assert said == f"whether it is above {shown}, the median of the original"
    with speaking("de"):
        assert "39.001,5" in in_words("whether it is above 39001.5, the median of the original")
        assert in_words("a fixed sample of 20,000 rows") == "eine feste Stichprobe von 20.000 Zeilen"
    assert in_words("words that nobody knows") == "words that nobody knows"
    assert in_words(None) == ""


def test_the_words_that_are_looked_up_are_those_that_the_engine_writes() -> None:
    texts = "".join(
        node.value
        for path in ENGINE.rglob("*.py")
        if path.name != "figure_words.py"
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    for each in (*TASKS, *REASONS):
        assert max(re.split(r"\{[^}]*\}", each.english), key=len) in texts, each.english


def test_methods_have_titles_and_unknown_ones_their_id() -> None:
    assert step_title("bit-plus-plus") != "bit-plus-plus"
    assert step_title("of-another-version") == "of-another-version"


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
        elif tag in ("th", "td") and "colspan" not in given:
            self.tables[-1][-1].append("number" in (given.get("class") or "").split())


@pytest.mark.parametrize("render", [render_report, render_certificate])
def test_heads_stand_where_their_numbers_stand(render: Callable[[Report], bytes], tmp_path: Path) -> None:
    page = _Tables()
    page.feed(render(worst_report(judged_candidate(tmp_path).report, many=3)).decode())
    headed = [table for table in page.tables if len(table) > 1 and len({len(row) for row in table if row}) == 1]
    assert len(headed) > 3
    for head, *rows in headed:
        for place, is_number in enumerate(head):
            assert all(row[place] == is_number for row in rows if row), (head, rows, place)


def test_what_stands_beside_a_figure_is_said_in_german_with_german_numbers() -> None:
    english = "two samples of the same people would give about 0.049; a model that is always right would give 0.25"
    assert in_words(english) == english
    with speaking("de"):
        said = in_words(english)
        assert "0,049" in said
        assert said.endswith("ergäbe 0,25")
        assert in_words("largest: Age with Pay, 0.2042") == "am größten: Age mit Pay, 0,2042"
        assert in_words("largest: 0.204, between “Age and sex” and “Pay”; 3 further pairs not measured") == (
            "am größten: 0,204, zwischen „Age and sex“ und „Pay“; 3 weitere Paare nicht gemessen"
        )
        assert in_words("largest: 2.5e-06, between “Age” and “Pay”") == (
            "am größten: weniger als 0,001, zwischen „Age“ und „Pay“"
        )
        assert in_words("between “Age” and “Pay”") == "zwischen „Age“ und „Pay“"
        assert in_words("in the columns' own units it is 0.98; all values are the same") == (
            "in den eigenen Einheiten der Spalten ist sie 0,98; alle Werte sind gleich"
        )


@pytest.mark.parametrize("attack", all_attacks().values(), ids=lambda each: each.id)
def test_the_report_names_what_each_attack_is_compared_with(attack: Attack) -> None:
    measured = attack_entry(attack.id, success=Figure(0.5, unit="share"), control=Figure(0.4, unit="share"))
    assert control_words(measured, later("report", "Comparison")) == render(attack.control).sentence
    absent = measured.model_copy(update={"control": Figure.absent("none", unit="share")})
    assert control_words(absent, later("report", "Comparison")) == "Comparison"


def test_records_of_an_earlier_release_are_called_so_in_the_language_of_the_document() -> None:
    assert level_title(EARLIER_LEVEL) == "Earlier records"
    with speaking("de"):
        assert level_title(EARLIER_LEVEL) == "Frühere Datensätze"
        assert level_title("our own level") == "our own level"


def test_only_sources_that_decided_a_level_are_named() -> None:
    sources = LevelSources(default=75, column=1, rules=0, rows=0)
    assert sources_words(sources, people=True) == (
        "Of the people: 75 have the default level and 1 gets its level from a column."
    )
    assert sources_words(LevelSources(default=0, column=0, rules=2, rows=3), people=False) == (
        "Of the records: 2 get their level from a rule and 3 were given a level row by row."
    )
    assert sources_words(LevelSources(default=0, column=0, rules=0, rows=0), people=False) == ""


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
    assert len({title.partition(" ")[2] for title in titles}) == len(titles)
    assert titles[:3] == [
        "1. Picking out one person by 2 columns",
        "2. Picking out one person by 3 columns",
        "3. Shifting the digits back: “Pay”",
    ]
    assert titles[4] == "5. Guessing “Pay”"
