"""A line of text that is cut with "…" if there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent

from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.layout import FitsOnResize


class Elided(FitsOnResize, Text):
    """One line of text, cut with "…" if there is no room; the full text is then the tooltip.

    Screen readers always read the full text. A path is cut in its middle, because its end matters most.
    """

    def __init__(
        self,
        text: str = "",
        *,
        tone: str = "text",
        factor: float = 1.0,
        semibold: bool = False,
        is_path: bool = False,
    ) -> None:
        super().__init__(text, factor=factor, semibold=semibold, tone=tone, wrap=False)
        self._mode = Qt.TextElideMode.ElideMiddle if is_path else Qt.TextElideMode.ElideRight

    def visible_text(self) -> str:
        """Return the text as it is displayed at the present width, with "…" for what is left out."""
        return self.fontMetrics().elidedText(self.text(), self._mode, self.width())

    def minimumSizeHint(self) -> QSize:
        """Return the height of a line and width 0, because the text can be elided to nothing."""
        return QSize(0, super().minimumSizeHint().height())

    def setText(self, text: str) -> None:
        """Set the full text, and the tooltip if it does not fit."""
        super().setText(text)
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Set the full text as the tooltip if it does not fit, else remove the tooltip."""
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
        self.setToolTip(plain_tip(self.text()) if cut else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the text on one line, left and vertically centred, elided if it does not fit."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(
            self.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.visible_text()
        )


class ElidedHeading(Elided):
    """The title of a page, cut with "…" where other widgets share its line."""

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a heading with the full text."""
        return AccessibleInfo(Role.Heading, name=self.text())
