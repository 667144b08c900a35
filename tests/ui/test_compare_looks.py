"""What pictures of the Compare page showed to be wrong: units, ends of lines, words without room."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QImage, QPainter
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.bars import Bar, Series, bars_scene
from ppdm_desktop.engine.report.level_proofs import proof_cells
from ppdm_desktop.engine.report.model import AttackEntry, AttackTail, LevelProofEntry, Sentence
from ppdm_desktop.engine.report.scene.model import Role
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.legend import paint_point
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.details import detail_lines
from ppdm_desktop.ui.pages.compare.side.tab import _attack_words, _gained
from ppdm_desktop.ui.widgets.buttons import Segments


def test_shares_before_and_after_say_their_unit(qtbot: Any) -> None:
    chart = DrawnView(name="chart", words="Incomes")
    qtbot.addWidget(chart)
    before, after = [Bar(1 / 3), Bar(2 / 3), Bar(0.0004)], [Bar(0.0), Bar(1.0), Bar(0.0)]
    series: list[Series] = [("original", "original", before), ("released", "C1", after)]
    chart.set_scene(bars_scene("Incomes shifted", "", ["high", "low", "few"], series))
    assert "few: original less than 0.1%, C1 0%" in chart.accessibleDescription()
    assert "high: original 33%, C1 0%" in chart.accessibleDescription()
    assert "%%" not in chart.accessibleDescription()


def test_each_decision_and_the_original_have_a_mark_of_their_own(qapp: Any) -> None:
    colours = {}
    roles: tuple[Role, ...] = ("allowed", "reasons", "stopped", "original")
    for role in roles:
        picture = QImage(60, 60, QImage.Format.Format_RGB32)
        picture.fill(theme().colour("surface"))
        painter = QPainter(picture)
        paint_point(painter, role, QPointF(30, 30), 16.5)
        painter.end()
        drawn = Counter(picture.pixel(x, y) for x in range(60) for y in range(60))
        del drawn[theme().colour("surface").rgb()]
        colours[role] = drawn.most_common(1)[0][0]
    assert len(set(colours.values())) == 4


def attack(id: str, value: float, unit: str) -> AttackEntry:
    figure = Figure(value, n=2_000, unit=unit)
    return AttackEntry(
        id=id,
        column="age",
        knows=Sentence.of("attack.knows.columns", {"columns": Term("x")}),
        success=figure,
        control=figure,
        chance=figure,
        advantage=figure,
        tail=AttackTail(share_sure_and_right=figure, control=figure),
        tolerance=None,
        sampled=2_000,
        severity="none",
        sentence=Sentence.of("attack.none"),
        levels=[],
        further={},
    )


@pytest.mark.parametrize(
    ("value", "unit", "words", "rank"),
    [
        (0.64, "noise sd", ", 0.64 × noise", -0.64),
        (0.64, "share", ", 64%", 0.64),
        (0.00045, "share", ", less than 0.1%", 0.00045),
    ],
)
def test_attacks_side_by_side_say_their_unit(qapp: Any, value: float, unit: str, words: str, rank: float) -> None:
    shown = attack("noise-filter" if unit != "share" else "linkage", value, unit)
    assert _attack_words(shown).endswith(words)
    # Less is better for a share of people found; what the noise still hides counts the other way.
    assert _gained(shown) == rank


def test_the_last_choice_that_is_offered_has_the_line_at_its_end(qtbot: Any) -> None:
    choice = Segments([("all", "All"), ("some", "Some"), ("few", "Few")], name="choice")
    qtbot.addWidget(choice)
    ends = [button.property("segment") for button in choice._buttons.values()]
    assert ends == ["joined", "joined", "last"]
    choice.set_visible("few", False)
    assert [choice._buttons[key].property("segment") for key in ("all", "some")] == ["joined", "last"]
    choice.set_visible("few", True)
    assert [button.property("segment") for button in choice._buttons.values()] == ends


def test_choices_stand_below_each_other_where_a_row_has_no_room(qtbot: Any) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    choice = Segments(
        [("all", "Everything there is"), ("some", "Some of it"), ("few", "Few")], name="choice", parent=holder
    )
    holder.show()
    wide, high = choice.sizeHint().width(), choice.sizeHint().height()
    choice.resize(wide, high)
    folded = [choice.one_column]
    choice.resize(wide - 1, high)
    folded.append(choice.one_column)
    assert folded == [False, True]
    assert choice.minimumSizeHint().width() < wide
    # Below each other each choice has a border of its own at its right.
    asked = choice.sizeHint().width()
    assert wide <= asked <= wide + len(choice._buttons)
    assert choice.sizeHint().height() > 2 * high
    assert {button.property("segment") for button in choice._buttons.values()} == {"last"}
    choice.resize(asked, high)
    assert not choice.one_column
    assert [button.property("segment") for button in choice._buttons.values()] == ["joined", "joined", "last"]


@pytest.mark.parametrize(
    ("status", "words"), [("proven", "found and proven"), ("random", "random choice"), ("nothing", "nothing to swap")]
)
def test_what_is_known_of_the_best_swap_is_said_in_words(qapp: Any, status: str, words: str) -> None:
    lines = dict(detail_lines("bayes-swap", {"columns": {"class": {"status": status}}}))
    assert words in lines["Best possible swap"]
    assert "Search" not in lines


@pytest.mark.parametrize(
    ("demanded", "achieved", "met", "told"),
    [(0.5, 1 / 3, True, True), (0.5, 0.5, True, False), (0.5, 1 / 3, False, False), (5.0, 5.0, True, False)],
)
def test_a_share_that_whole_records_cannot_meet_is_explained(
    demanded: float, achieved: float, met: bool, told: bool
) -> None:
    proof = LevelProofEntry(
        step=1,
        column="class",
        level="basic",
        records=3,
        covered=3,
        not_covered=0,
        demanded=demanded,
        least_achieved=achieved,
        worst_row=None,
        met=met,
        privacy_loss=None,
    )
    assert ("rounded" in proof_cells(proof, "swap")[3] or "less than" in proof_cells(proof, "swap")[3]) == told
