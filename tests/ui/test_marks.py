"""Boxes to tick and the ring around a table in use: seen on every ground, measured in drawn pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QStyle,
    QStyleOptionButton,
    QVBoxLayout,
    QWidget,
)
from pytestqt.qtbot import QtBot

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tokens import DARK, LIGHT, Tokens, contrast

LEAST = 3.0
LOOKS = [(appearance, scale) for appearance in ("light", "dark") for scale in (1.0, 2.0)]


@pytest.fixture(params=LOOKS, ids=[f"{appearance}-{scale:.0%}" for appearance, scale in LOOKS])
def look(qtbot: QtBot, request: pytest.FixtureRequest) -> Iterator[Tokens]:
    """The window in each appearance and at each text size."""
    appearance, scale = request.param
    theme().set_appearance(appearance)
    theme().set_scale(scale)
    yield theme().tokens
    theme().set_appearance("light")
    theme().set_scale(1.0)


def shown(qtbot: QtBot, *widgets: QWidget) -> QWidget:
    """Put widgets on the window's ground and show it."""
    ground = QWidget()
    ground.setObjectName("pages")
    ground.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
    column = QVBoxLayout(ground)
    for widget in widgets:
        column.addWidget(widget)
    qtbot.addWidget(ground)
    ground.show()
    qtbot.waitExposed(ground)
    return ground


def drawn(widget: QWidget) -> QImage:
    """Return a widget's picture in its own pixels."""
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


def across(image: QImage, place: QRect) -> list[str]:
    """Return the colours on a level line through the middle of a place, and three pixels on each side."""
    return [image.pixelColor(x, place.center().y()).name().upper() for x in range(place.left() - 3, place.right() + 4)]


def of_the_box(box: QCheckBox) -> QRect:
    option = QStyleOptionButton()
    box.initStyleOption(option)
    return box.style().subElementRect(QStyle.SubElement.SE_CheckBoxIndicator, option, box)


@pytest.mark.parametrize("ticked", [False, True])
def test_a_box_stands_out_from_its_ground_and_says_whether_it_is_ticked(
    qtbot: QtBot, look: Tokens, ticked: bool
) -> None:
    box = QCheckBox("x")
    box.setChecked(ticked)
    ground = shown(qtbot, box)
    image, place = drawn(ground), of_the_box(box)
    place.translate(box.mapTo(ground, QPoint()))
    line = across(image, place)
    assert line[0] == look.window
    assert max(contrast(colour, look.window) for colour in line[2:6]) >= LEAST, "its outline"
    inside = {image.pixelColor(x, y).name().upper() for x in range(place.left() + 3, place.right() - 2)
              for y in range(place.top() + 3, place.bottom() - 2)}  # fmt: skip
    if ticked:
        assert max(contrast(colour, look.accent) for colour in inside) >= LEAST, "the tick on it"
    else:
        assert inside == {look.surface}


@pytest.mark.parametrize(("tokens", "icon"), [(LIGHT, "tick-white"), (DARK, "tick-ink")])
def test_the_tick_has_the_colour_of_what_stands_on_the_accent(tokens: Tokens, icon: str) -> None:
    drawing = (resources.files("ppdm_desktop.resources") / "icons" / f"{icon}.svg").read_text("utf-8")
    assert re.findall(r'stroke="(#\w+)"', drawing) == [tokens.on_accent]
    assert contrast(tokens.on_accent, tokens.accent) >= LEAST


@pytest.mark.parametrize(("tokens", "icon"), [(LIGHT, "down-ink"), (DARK, "down-pale")])
def test_lists_of_the_system_dialogs_have_an_arrow_of_the_colour_of_ours(
    qapp: QApplication, tokens: Tokens, icon: str
) -> None:
    drawing = (resources.files("ppdm_desktop.resources") / "icons" / f"{icon}.svg").read_text("utf-8")
    assert re.findall(r'stroke="(#\w+)"', drawing) == [tokens.text2]
    theme().set_appearance("dark" if tokens is DARK else "light")
    assert f"/{icon}.svg" in qapp.styleSheet()


@pytest.mark.parametrize("tokens", [LIGHT, DARK])
def test_the_outline_of_a_box_is_seen_on_every_ground(tokens: Tokens) -> None:
    grounds = (tokens.window, tokens.surface, tokens.sunken, tokens.selection)
    assert min(contrast(tokens.text3, ground) for ground in grounds) >= LEAST
    assert min(contrast(tokens.accent, ground) for ground in grounds) >= LEAST
