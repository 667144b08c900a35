"""Sentences of the Compare page: one is one, what is nothing is nothing, and nothing is said that is not so."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from PySide6.QtGui import QFontMetrics
from verdict_cases import check_entry, made_verdict

from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.texts import all_texts
from ppdm_desktop.ui.charts.density import _ticks_across
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.cards import StepCard
from ppdm_desktop.ui.pages.compare.charts.logic import summary_words
from ppdm_desktop.ui.pages.compare.curves import span_words
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
        (0, 3, "Every released column has the values it had, so there is none to show here."),
        (1, 11, "11 of 12 released columns have the values they had; 1 is shown here."),
        (3, 1, "1 of 4 released columns has the values it had; 3 are shown here, largest shift first."),
        (2, 0, "None of the 2 released columns has all the values it had; 2 are shown here, largest shift first."),
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
        (1, 1, "1 person still stands alone with what others may know."),
        (7, 7, "7 people still stand alone with what others may know."),
        (7, 1, "1 person stands alone with what others may know (before: 7)."),
        (7, 0, "Nobody stands alone any more with what others may know (before: 7)."),
        (0, 0, "Nobody stands alone with what others may know, as before."),
    ],
)
def test_who_stands_alone_is_counted_in_words_that_fit(before: int, after: int, words: str) -> None:
    assert _alone_words(alone(after), alone(before)) == words
    # Where nobody said that each row is somebody else, rows are counted.
    if after == 7:
        assert _alone_words(alone(7, people_known_by="assumed"), alone(7)).startswith("7 rows still stand alone")
    nobodys = made_verdict(singled=None)
    assert _alone_words(nobodys, alone(before)) == ""


@pytest.mark.parametrize(
    ("short", "words"),
    [
        (0, "100 of 100 people have their level, the basic level included."),
        (3, "97 of 100 people have their level, the basic level included."),
    ],
)
def test_one_sentence_says_how_many_of_all_people_have_their_level(short: int, words: str) -> None:
    assert level_sentence(made_verdict(short=short)) == words
    assert level_sentence(made_verdict(checks=[check_entry("levels-met", "not-run")])) == ""


@pytest.mark.parametrize(
    ("least", "levels", "words"),
    [
        (1, ("basic",), "The smallest group has 1 record; the privacy level asks for 5"),
        (5, ("basic", "strict"), "The smallest group has 5 records; the privacy levels ask for 5"),
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
    assert found.guarantee == "Recounted on 1 record: it holds (anyone can recount it from the released file)."


def test_a_range_below_nought_has_a_real_minus_sign() -> None:
    assert span_words(-14.5, -11.5) == "−14.5 to −11.5"


def test_an_axis_has_as_many_numbers_as_stand_beside_each_other(qapp: Any) -> None:
    metrics = QFontMetrics(theme().font(0.85))
    for room in (60, 120, 240, 900):
        ticks = _ticks_across(17.0, 90.0, room, metrics)
        assert sum(metrics.horizontalAdvance(plain_number(tick)) for tick in ticks) <= room
    assert len(_ticks_across(17.0, 90.0, 120, metrics)) > 2


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
