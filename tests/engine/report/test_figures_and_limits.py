"""What a check measured and its limit, in words: they compare as the numbers do, and few people are counts."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st
from report_cases import judged_candidate, worst_report

from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.figures_and_limits import describe_measured_figure, format_limit, judged_value
from ppdm_desktop.engine.report.html import render_report
from ppdm_desktop.engine.report.model import ModelEntry, Report, Sentence, Utility
from ppdm_desktop.engine.report.report_texts import figure_lines
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.utility.models.suite import Leaves
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.values import Name

SHARES = st.floats(0, 1)
beside = Numbers("en").versus
LIMITS = st.sampled_from([0.0, 0.01, 0.05, 1 / 20, 1 / 11, 0.2, 1 / 3, 0.5, 0.8, 0.95, 0.999])
NEAR = st.builds(lambda limit, by: (min(max(limit + by, 0.0), 1.0), limit), LIMITS, st.floats(-0.002, 0.002))


@dataclass(frozen=True)
class Made:
    """A check as it is written of."""

    figure: Figure | None
    limit: float | int | str | None
    hits: int | None = None
    of: int | None = None
    direction: str = "at-most"
    status: str = "green"
    is_gain: bool = False


def read_back(words: str) -> tuple[float, int]:
    """Return the number that a person reads, and on which side of it the words say it lies."""
    number = float(re.findall(r"[\d.]+", words.replace(",", ""))[-1])
    side = -1 if re.search("just below|less than", words) else 1 if re.search("just above|more than", words) else 0
    return number, side


def compared(one: float, other: float) -> int:
    return (one > other) - (one < other)


@given(st.one_of(NEAR, st.tuples(SHARES, LIMITS), st.tuples(SHARES, st.floats(0.001, 0.999))))
@example((0.09095, 1 / 11))
@example((0.2004, 0.2))
@example((0.00001, 0.0))
@example((0.99999, 1.0))
@example((0.0, 0.001))
def test_a_share_compares_with_its_limit_as_the_words_do(pair: tuple[float, float]) -> None:
    value, limit = pair
    assume(abs(value - limit) > 2e-9 or value == limit)
    (said, side), (edge, edge_side) = map(read_back, beside(value, limit))
    read = compared(said, edge) or compared(side, edge_side)
    assert read == compared(value, limit), (beside(value, limit), value, limit)


@given(st.integers(1, 300), st.data())
def test_people_keep_their_number_and_how_many_there_are(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, of))
    limit = data.draw(LIMITS)
    exact = Made(Figure(hits / of, unit="share"), limit, hits, of)
    words, edge = describe_measured_figure(exact), format_limit(exact)
    assert words.startswith(f"{hits:,} of {of:,}")
    if of < 100:
        assert words == f"{hits} of {of}"
        most = int(re.findall(r"\d+", edge)[0])
        # A count is within its limit exactly when the share is.
        assert (hits <= most) == (hits / of <= limit + 1e-9)
    else:
        (said, side), (shown, _) = read_back(words.split("(")[1]), read_back(edge)
        assert (compared(said, shown) or side) == compared(round(hits / of - limit, 9), 0)


@given(st.integers(1, 300), st.data())
def test_the_end_of_an_interval_is_what_is_held_against_the_limit(of: int, data: st.DataObject) -> None:
    hits = data.draw(st.integers(0, of))
    end = data.draw(SHARES)
    assume(abs(end - hits / of) > 1e-4)
    check = Made(Figure(hits / of, high=end, unit="share"), 0.2, hits, of)
    assert judged_value(check) == end
    words = describe_measured_figure(check)
    assert words == f"{hits} of {of} (up to {beside(end, 0.2, end='high')[0]})"
    assert format_limit(check) == f"at most {beside(end, 0.2)[1]}"


@pytest.mark.parametrize(
    ("check", "found", "limit"),
    [
        (Made(Figure(24, unit="records"), 0, 24, 1_440), "24 of 1,440 (2%)", "at most 0"),
        (
            Made(Figure(3, unit="records"), 5, 1_200, 10_000, "at-least"),
            "3 (affected: 1,200 of 10,000)",
            "at least 5",
        ),
        (Made(Figure(0.8996, unit="ratio"), 0.9, direction="at-least"), "just below 0.90", "at least 0.90"),
        (Made(Figure(0.396, unit="ratio"), 0.4, direction="at-least"), "0.396", "at least 0.40"),
        (Made(Figure(0.25, unit="ratio"), None), "0.25", "–"),
        (Made(Figure(1_048_577, unit="rows"), 1_048_576), "1,048,577 rows", "at most 1,048,576"),
        (Made(Figure(1, unit="columns"), 0), "1 column", "at most 0"),
        (Made(Figure(0, unit="releases"), 0), "0 releases", "at most 0"),
        (Made(None, None), "–", "–"),
        (Made(None, 0.2, status="not-run"), "not measured", "at most 0.20"),
        (Made(None, 0.2, status="not-applicable"), "does not apply", "–"),
        (Made(Figure.absent(untranslated("nobody")), "one per person", status="amber"), "–", "one per person"),
        # As few decimals as will do; 9.1% beside "at most 9.1%" would not show that it is beyond.
        (Made(Figure(0.123456, unit="share"), 0.2), "12%", "at most 20%"),
        (Made(Figure(0.2004, unit="share"), 0.2), "20.04%", "at most 20%"),
        (Made(Figure(0.20003, unit="share"), 0.2), "just above 20%", "at most 20%"),
        (Made(Figure(0.09095, unit="share"), 1 / 11), "just above 9.1%", "at most 9.1%"),
        # A limit that nothing can exceed is not printed.
        (Made(Figure(0.5, unit="share"), 1.0), "50%", "–"),
        (Made(Figure(5, unit="people"), 20, 5, 20), "5 of 20", "–"),
        (Made(Figure(5, unit="people"), 19, 5, 20), "5 of 20", "at most 19"),
        # 13 of 14 are within a limit of 80% when at least 70% are known to be right: the count alone would deny it.
        (Made(Figure(6 / 16, high=0.65, unit="share"), 0.2, 6, 16), "6 of 16 (up to 65%)", "at most 20%"),
        (Made(Figure(0.0013, high=0.0014, unit="share"), 0.2, 3, 2_000), "3 of 2,000 (up to 0.2%)", "at most 20%"),
        # Of nobody there is no share, and a count that is no part of its people has none.
        (Made(Figure(0.0, n=0, unit="share"), 0.8, 0, 0), "nobody", "at most 80%"),
        (Made(Figure(value=5, n=3, unit="records"), 0, 5, 3), "5 of 3", "at most 0"),
        (Made(Figure(value=-1, n=3, unit="records"), 0, -1, 3), "\u22121 of 3", "at most 0"),
        (
            Made(Figure(-1, n=6, unit="records"), 0, -1, 6, is_gain=True),
            "1 of 6 fewer than without their records",
            "at most 0",
        ),
        # A limit of nobody reads alike in every row.
        (Made(Figure(0.2, n=300, unit="share"), 0.0, 60, 300), "60 of 300 (20%)", "at most 0"),
        (Made(Figure(0.2, unit="share"), 0.0), "20%", "at most 0%"),
    ],
)
def test_other_figures(check: Made, found: str, limit: str) -> None:
    assert (describe_measured_figure(check), format_limit(check)) == (found, limit)


def test_a_figure_of_one_column_stands_beside_that_of_the_same_column_in_the_source(tmp_path: Path) -> None:
    verdict = judged_candidate(tmp_path).report.verdict
    exposed = verdict.check("most-exposed")
    arguments = {**exposed.sentence.note.arguments, "column": Name("Age")}
    other = exposed.model_copy(update={"sentence": Sentence.of(exposed.sentence.id, arguments)})
    for check, expected in ((exposed, True), (other, False)):
        original = verdict.model_copy(update={"checks": [check]})
        (line,) = [line for line in figure_lines(verdict, original) if line.check.id == exposed.id]
        assert bool(line.before) is expected
        assert "Illness" in line.after


def test_a_gain_and_its_limit_are_both_percentage_points() -> None:
    """A limit of "5%" beside percentage points would be a share of other people."""
    for gain in (0.12, 0.05, 0.004, -0.01):
        check = Made(Figure(gain, unit="share", low=gain - 0.02, high=gain), 0.05, is_gain=True)
        assert re.search("percentage points?$", describe_measured_figure(check)), gain
        assert format_limit(check) == "at most 5 percentage points"
    share = Made(Figure(0.12, unit="share"), 0.05)
    assert (describe_measured_figure(share), format_limit(share)) == ("12%", "at most 5%")


# --- small words of the report: names that are cut, settings, counts with their words -------------


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


def test_a_measure_that_a_stored_report_lacks_is_absent(tmp_path: Path) -> None:
    document = _analysed(judged_candidate(tmp_path).report).document()
    parts = {"columns": ColumnUtility, "models": ModelEntry, "clusters": ClusterAgreement}
    for key, owner in parts.items():
        del document["utility"][key][0][next(iter(measures_of(owner)))]
    utility = Report.model_validate(document).utility
    for key, owner in parts.items():
        first, *others = (getattr(getattr(utility, key)[0], name) for name in measures_of(owner))
        assert "not measured" in str(first.reason)
        assert all("not measured" not in str(figure.note) for figure in others)


@pytest.mark.parametrize("render", [render_report, partial(render_report, in_full=True), render_certificate])
def test_each_heading_stands_above_the_cells_of_its_column(render: Callable[[Report], bytes], tmp_path: Path) -> None:
    page = _Tables()
    page.feed(render(_analysed(worst_report(judged_candidate(tmp_path).report, many=3))).decode())
    assert len(page.tables) > 4
    for head, *rows in page.tables:
        for row in rows:
            assert row == head, (page.tables.index([head, *rows]), head, row)
