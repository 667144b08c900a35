"""A larger text, and back: every part stands where it stood, whatever page was in front meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QWidget
from ui_support import FakeDialogs, Person, go_through, let_work

from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.ui.look.theme import theme

ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}
SHOWN = ("welcome", "open", "columns", "levels")
"""Pages with every kind of control, which need no run."""
SETTLED = 60
NEAR = 5
"""Pixels that a part may differ by: widths that are shared among several are rounded by what was before."""


def places(window: Any) -> Iterator[tuple[str, QRect]]:
    """Yield the name and the place of every part that is seen."""
    for part in window.findChildren(QWidget):
        if part.isVisible() and part.objectName() and not part.objectName().startswith("qt_"):
            yield part.objectName(), QRect(part.mapTo(window, QPoint(0, 0)), part.size())


def all_places(person: Person) -> dict[str, dict[str, QRect]]:
    found = {}
    for page in SHOWN:
        person.window.show_page(page)
        person.settle()
        let_work(SETTLED)
        found[page] = dict(places(person.window))
    return found


def moved(before: QRect, after: QRect) -> bool:
    pairs = zip(before.getRect(), after.getRect(), strict=True)  # type: ignore[call-overload]  # four numbers
    return any(abs(one - other) > NEAR for one, other in pairs)


@pytest.mark.thorough
def test_a_larger_text_and_back_leaves_every_part_where_it_was(
    make_window: Callable[..., Any], dialogs: FakeDialogs, tmp_path: Path
) -> None:
    path = tmp_path / "life-insurance.csv"
    path.write_bytes(sample_files("life-insurance")[0])
    person = Person(make_window(1280, 800), dialogs)
    go_through(person, path, ROLES, until="levels")
    before = all_places(person)
    theme().set_scale(2.0)
    all_places(person)
    theme().set_scale(1.0)
    person.window.resize(1280, 800)
    after = all_places(person)
    found = [
        f"{page}: {name} at {after[page].get(name)} and not at {place}"
        for page, parts in before.items()
        for name, place in parts.items()
        if name not in after[page] or moved(place, after[page][name])
    ]
    assert not found, "\n".join(found)
