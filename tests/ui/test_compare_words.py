"""Sentences of the Compare page: one is one, what is nothing is nothing, and nothing is said that is not so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtGui import QFontMetrics
from verdict_cases import check_entry, made_verdict

from ppdm_desktop.engine.report.curves import curves_scene
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.wording.texts import all_texts
from ppdm_desktop.ui.charts.plot import PlotView
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.cards import StepCard
from ppdm_desktop.ui.pages.compare.charts.logic import summary_words
from ppdm_desktop.ui.pages.compare.groups import SizeBand, size_title
from ppdm_desktop.ui.pages.compare.steps import StepWordsOf, _step
from ppdm_desktop.ui.pages.compare.verdicts import _alone_words, level_sentence


def judged(drawn: int, same: int) -> Any:
    columns = [SimpleNamespace(name=f"c{n}", total_variation=SimpleNamespace(value=0.0)) for n in range(drawn + same)]
    marginals = [SimpleNamespace(name=f"c{n}") for n in range(drawn)]
    return SimpleNamespace(
        measures=SimpleNamespace(marginals=marginals), report=SimpleNamespace(utility=SimpleNamespace(columns=columns))
    )


@pytest.mark.parametrize(
    ("drawn", "same", "words"),
    [
        (0, 3, "All released columns are unchanged, so there is nothing to show here."),
        (1, 11, "11 of 12 released columns are unchanged. Shown here: 1 column, largest change first."),
        (3, 1, "1 of 4 released columns is unchanged. Shown here: 3 columns, largest change first."),
        (2, 0, "0 of 2 released columns are unchanged. Shown here: 2 columns, largest change first."),
    ],
)
def test_the_first_line_counts_columns(drawn: int, same: int, words: str) -> None:
    assert summary_words(judged(drawn, same), drawn) == words


def alone(people: int, **more: Any) -> Verdict:
    found = made_verdict(**more)
    assert found.singled is not None
    return found.model_copy(update={"singled": found.singled.model_copy(update={"by_others": people})})


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (1, 1, "Still unique: 1 of 100 (1%)."),
        (7, 7, "Still unique: 7 of 100 (7%)."),
        (7, 1, "Unique: 1 of 100 (1%). Before: 7."),
        (7, 0, "Nobody is unique any more. Before: 7 of 100 (7%)."),
        (0, 0, "Nobody is unique, as before."),
    ],
)
def test_who_is_unique_is_counted_in_words_that_fit(before: int, after: int, words: str) -> None:
    assert _alone_words(alone(after), alone(before)) == words
    # The words hold for people and for rows: where nobody confirmed one row per person they are the same.
    assert _alone_words(alone(after, people_known_by="assumed"), alone(before)) == words
    nobodys = made_verdict(singled=None)
    assert _alone_words(nobodys, alone(before)) == ""


@pytest.mark.parametrize(
    ("short", "words"),
    [
        (0, "Everyone has at least their protection level, including the Basic level."),
        (3, "97 of 100 (97%) have at least their protection level, including the Basic level."),
    ],
)
def test_one_sentence_says_how_many_of_all_people_have_their_level(short: int, words: str) -> None:
    assert level_sentence(made_verdict(short=short)) == words
    assert level_sentence(made_verdict(checks=[check_entry("levels-met", "not-run")])) == ""


@pytest.mark.parametrize(
    ("least", "levels", "words"),
    [
        (1, ("basic",), "The smallest group has 1 record. Required by protection level: at least 5"),
        (5, ("basic", "strict"), "The smallest group has 5 records. Required by protection level: at least 5"),
        (5, (), "The smallest group has 5 records"),
    ],
)
def test_a_level_asks_and_levels_ask(least: int, levels: tuple[str, ...], words: str) -> None:
    bands = [SizeBand(5, None, 1, least, levels)]
    assert size_title({"sizes": [{"size": least}]}, bands) == words


def test_a_remark_made_twice_is_said_once() -> None:
    id = next(each for each, text in all_texts().items() if each.startswith("note.") and "{" not in text.sentence)
    note = SimpleNamespace(id=id, arguments={})
    guarantee = SimpleNamespace(kind="file", holds=True, checked=1)
    step = SimpleNamespace(
        index=1,
        method="none",
        parameters={},
        guarantee=guarantee,
        columns=("a",),
        promise="",
        detail={},
        notes=[note] * 2,
    )
    found = _step(step, [], {})  # type: ignore[arg-type]
    assert len(found.notes) == 1
    assert found.guarantee == (
        "Counted again on 1 record: the promise holds. Anyone can check this from the released file."
    )


def test_a_range_below_zero_has_a_real_minus_sign() -> None:
    scene = curves_scene("", "", "", "weight", [-14.5, -11.5], 1_000, [("original", "original", [1.0])])
    assert scene.rows[0].cells == ("−14.5 to −11.5", "100%")


@pytest.mark.parametrize("room", [120, 240, 900])
def test_an_axis_has_as_many_numbers_as_stand_beside_each_other(qtbot: Any, room: int) -> None:
    metrics, plot = QFontMetrics(theme().font(0.85)), PlotView(name="p", words="w")
    qtbot.addWidget(plot)
    plot.resize(room, 200)
    plot.set_scene(curves_scene("", "", "", "age", [17.0, 90.0], 1_000, [("original", "o", [1.0])]))
    plot.show()
    words = [said for _, said in plot._ticks["bottom"]]
    assert sum(metrics.horizontalAdvance(each) for each in words) <= plot.plot_rect().width()
    assert len(words) >= {120: 2, 240: 4, 900: 8}[room]


def test_the_words_of_a_steps_figures_keep_their_room_at_large_text(qtbot: Any) -> None:
    card = StepCard(StepWordsOf(1, "Step", "", True, "", (("Records that stand alone", "3"),), (), ()))
    qtbot.addWidget(card)
    card.resize(2_000, 400)
    card.show()
    before = theme().scale
    small = card._grid.columnMinimumWidth(0)
    try:
        theme().set_scale(2.0)
        assert card._grid.columnMinimumWidth(0) > 1.8 * small
        card.resize(700, 400)
        assert card._grid.columnMinimumWidth(0) <= 350, "the page is not made wider for them"
    finally:
        theme().set_scale(before)
