"""Boxes to tick and the ring around a table in use: seen on every ground, measured in drawn pixels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from importlib import resources

import pytest
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QApplication,
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


def drawn(widget: QWidget) -> QImage:
    """Return a widget's picture in its own pixels."""
    return widget.grab().toImage().convertToFormat(QImage.Format.Format_RGB32)


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
