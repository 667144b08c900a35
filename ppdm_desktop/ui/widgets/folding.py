"""Words on several lines, for what does not wrap its words by itself: tables and their heads, buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics, QResizeEvent
from PySide6.QtWidgets import QRadioButton, QSizePolicy

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import Slot

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractButton as _OfAButton
else:
    _OfAButton = object  # a widget has one class of Qt's only


def in_two(words: str) -> tuple[str, str] | None:
    """Return words on two lines, broken at the blank nearest to their middle; None where there is none."""
    blanks = [place for place, letter in enumerate(words) if letter == " "]
    if not blanks:
        return None
    middle = min(blanks, key=lambda place: abs(place - len(words) / 2))
    return words[:middle], words[middle + 1 :]


def in_lines(words: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Return words on as many lines as they need.

    A word that is wider than its line goes on after a hyphen; without one it is wider than the line.
    """
    lines: list[str] = []
    for word in words.split(" "):
        pieces = [word] if metrics.horizontalAdvance(word) <= width else word.replace("-", "-\n").split("\n")
        for place, piece in enumerate(each for each in pieces if each or not word):
            joint = "" if place else " "
            longer = f"{lines[-1]}{joint}{piece}" if lines else piece
            if lines and metrics.horizontalAdvance(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(piece)
    return lines


class _Folding(_OfAButton):
    """Puts the words of a button on two lines where one finds no room."""

    def _begin(self, words: str) -> None:
        self.set_words(words)
        # Qt's own policy takes the width of one line for the least.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._fold)

    def set_words(self, words: str) -> None:
        """Say something else."""
        self._words, self._lines = words, in_two(words) or (words,)
        self.setAccessibleName(words)
        self.setText(words)
        self._fold()

    def sizeHint(self) -> QSize:
        """Wish for one line."""
        return QSize(self._needed((self._words,)), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Ask for the width of the wider of two lines only."""
        return QSize(self._needed(self._lines), super().sizeHint().height())

    def _needed(self, lines: tuple[str, ...]) -> int:
        measure = self.fontMetrics().horizontalAdvance
        beside = super().sizeHint().width() - max(map(measure, self.text().splitlines() or [""]))
        return beside + max(map(measure, lines))

    def _fold(self) -> None:
        words = self._words if self._needed((self._words,)) <= self.width() else "\n".join(self._lines)
        if words != self.text():
            self.setText(words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Take as many lines as the new width asks for."""
        super().resizeEvent(event)
        self._fold()


class FoldingAnswer(_Folding, QRadioButton):
    """One of several answers."""

    def __init__(self, words: str) -> None:
        super().__init__(words)
        self._begin(words)


class FoldingButton(_Folding, Button):
    """A push button."""

    def __init__(
        self,
        words: str,
        *,
        name: str,
        icon: str | None = None,
        primary: bool = False,
        link: bool = False,
        clicked: Slot | None = None,
    ) -> None:
        super().__init__(words, name=name, icon=icon, primary=primary, link=link, clicked=clicked)
        self._begin(words)
