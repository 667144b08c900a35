"""Small words of the report: names that are cut, settings, counts with their words."""

from __future__ import annotations

from collections.abc import Callable
from html.parser import HTMLParser
from pathlib import Path

import pytest
from report_cases import judged_candidate, worst_report

from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.drawing import cut_name
from ppdm_desktop.engine.report.html import counted, method_title, render_report, shown_limit
from ppdm_desktop.engine.report.model import Report


def test_long_names_that_begin_alike_can_be_told_apart() -> None:
    begin = "Self-reported property of the person asked, rounded: "
    shown = [cut_name(begin + end, 26) for end in ("age", "income")]
    assert shown[0].endswith("age")
    assert shown[1].endswith("income")
    assert all(len(each) <= 26 and "…" in each for each in shown)
    assert cut_name("income", 26) == "income"


@pytest.mark.parametrize(("number", "words"), [(1, "1 record"), (0, "0 records"), (12080, "12,080 records")])
def test_counts_have_the_right_word_and_their_thousands(number: int, words: str) -> None:
    assert counted(number, "record", "records") == words


def test_limits_are_numbers_or_words() -> None:
    assert shown_limit(1_048_576) == "1,048,576"
    assert shown_limit(1 / 3) == "0.33333"
    assert shown_limit("none") == "none"


def test_methods_have_titles_and_unknown_ones_their_id() -> None:
    assert method_title("bit-plus-plus") != "bit-plus-plus"
    assert method_title("of-another-version") == "of-another-version"


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
