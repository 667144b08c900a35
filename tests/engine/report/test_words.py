"""Small words of the report: names that are cut, settings, counts with their words."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from report_cases import judged_candidate, worst_report

from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.html import (
    render_report,
    shown_figure,
)
from ppdm_desktop.engine.report.model import ModelEntry, Report, Utility
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated


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
