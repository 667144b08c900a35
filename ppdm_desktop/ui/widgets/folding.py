"""Wrap texts where Qt does not: in tables, headers and buttons."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QSize
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QCheckBox, QRadioButton, QSizePolicy

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import FitsOnResize

if TYPE_CHECKING:
    from PySide6.QtWidgets import QAbstractButton as _OfAButton
else:
    _OfAButton = object  # a widget has one class of Qt's only


def split_in_two_lines(text: str) -> tuple[str, str] | None:
    """Return a text as two lines, split at the blank nearest to its middle; None without a blank.

    "Write the release" gives ("Write the", "release").
    """
    blanks = [index for index, letter in enumerate(text) if letter == " "]
    if not blanks:
        return None
    middle = min(blanks, key=lambda index: abs(index - len(text) / 2))
    return text[:middle], text[middle + 1 :]


def wrap_to_width(text: str, metrics: QFontMetrics, width: int) -> list[str]:
    """Return the lines of a text wrapped at blanks so that each fits a width in pixels.

    A word wider than ``width`` is also broken after its hyphens; a piece that is still wider is a line alone.
    """
    lines: list[str] = []
    for word in text.split(" "):
        pieces = [word] if metrics.horizontalAdvance(word) <= width else word.replace("-", "-\n").split("\n")
        for index, piece in enumerate(piece for piece in pieces if piece or not word):
            joint = "" if index else " "
            longer = f"{lines[-1]}{joint}{piece}" if lines else piece
            if lines and metrics.horizontalAdvance(longer) <= width:
                lines[-1] = longer
            else:
                lines.append(piece)
    return lines


class _Folding(FitsOnResize, _OfAButton):
    """Base of buttons whose label is written on two lines if there is no room for one."""

    def __init__(self, text: str, **options: Any) -> None:
        super().__init__(text, **options)  # type: ignore[arg-type]
        self.set_label(text)
        # Qt's own policy takes the width of one line for the least.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme().changed.connect(self._adapt_to_size)

    def set_label(self, text: str) -> None:
        """Set label and accessible name; the label goes on two lines if there is no room for one."""
        self._label, self._lines = text, split_in_two_lines(text) or (text,)
        self.setAccessibleName(text)
        self.setText(text)
        self._adapt_to_size()

    def sizeHint(self) -> QSize:
        """Return the width for the label on one line, and the height of the label as it is now."""
        return QSize(self._compute_needed_width((self._label,)), super().sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        """Return the width for the label on two lines, and the height of the label as it is now."""
        return QSize(self._compute_needed_width(self._lines), super().sizeHint().height())

    def _compute_needed_width(self, lines: tuple[str, ...]) -> int:
        """Return the width in pixels that the whole button would need with its label on these lines."""
        measure = self.fontMetrics().horizontalAdvance
        margin = super().sizeHint().width() - max(map(measure, self.text().splitlines() or [""]))
        return margin + max(map(measure, lines))

    def _adapt_to_size(self) -> None:
        """Write the label on one line if it fits the button's width, else on two."""
        text = self._label if self._compute_needed_width((self._label,)) <= self.width() else "\n".join(self._lines)
        if text != self.text():
            self.setText(text)


class FoldingAnswer(_Folding, QRadioButton):
    """A radio button whose label may wrap."""


class FoldingCheckBox(_Folding, QCheckBox):
    """A check box whose label may wrap."""


class FoldingButton(_Folding, Button):
    """A push button whose label may wrap; it takes the options of ``Button``."""
