"""Choices side by side: at every width each has room for its words, and the row does not waver."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtWidgets import QApplication, QPushButton, QVBoxLayout, QWidget

from ppdm_desktop.ui.widgets.buttons import Segments

CHOICES = [(key, f"{key} and some words") for key in ("one", "two", "three", "four")]


@pytest.fixture
def beside(qapp: QApplication) -> Iterator[Callable[[int], Segments]]:
    holder = QWidget()
    column = QVBoxLayout(holder)
    column.setContentsMargins(0, 0, 0, 0)
    segments = Segments(CHOICES, name="segments")
    column.addWidget(segments)
    holder.show()

    def at(width: int) -> Segments:
        holder.resize(width, 300)
        qapp.processEvents()
        return segments

    yield at
    holder.close()
    holder.deleteLater()
    qapp.processEvents()


def test_no_choice_is_squeezed_around_the_width_that_a_row_needs(beside: Callable[[int], Segments]) -> None:
    wide = beside(2_000)
    assert not wide.one_column
    needed = sum(button.sizeHint().width() for button in wide.findChildren(QPushButton))
    for widths in (range(needed + 20, needed - 20, -1), range(needed - 20, needed + 20)):
        for width in widths:
            segments = beside(width)
            for button in segments.findChildren(QPushButton):
                assert button.width() >= button.minimumSizeHint().width(), f"{button.text()} at {width}"
    assert not segments.one_column
    assert beside(needed - 1).one_column


def test_a_width_is_judged_alike_when_asked_again(beside: Callable[[int], Segments]) -> None:
    needed = sum(button.sizeHint().width() for button in beside(2_000).findChildren(QPushButton))
    for width in range(needed - 10, needed + 20):
        segments = beside(width)
        stands = segments.one_column
        for _ in range(3):
            segments._fit()
            assert segments.one_column == stands
