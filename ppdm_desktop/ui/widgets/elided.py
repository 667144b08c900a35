"""A line of text that ends in dots where there is no room for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent

from ppdm_desktop.ui.look.spoken import Role, Spoken
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.widgets.basic import Text


class Elided(Text):
    """One line; the whole text is in the tooltip where it is cut off, and always for a screen reader.

    A path is cut in its middle: how it begins says less than how it ends.
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

    def shown(self) -> str:
        """Return what of the text has room."""
        return self.fontMetrics().elidedText(self.text(), self._mode, self.width())

    def minimumSizeHint(self) -> QSize:
        """Ask for no width."""
        return QSize(0, super().minimumSizeHint().height())

    def setText(self, text: str) -> None:
        """Show another text."""
        super().setText(text)
        self._tell_whole()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Say the whole text in the tooltip where it does not fit."""
        super().resizeEvent(event)
        self._tell_whole()

    def _tell_whole(self) -> None:
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.width()
        self.setToolTip(plain_tip(self.text()) if cut else "")

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what fits."""
        painter = QPainter(self)
        painter.setPen(self.palette().color(self.foregroundRole()))
        painter.drawText(self.contentsRect(), Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.shown())


class ElidedHeading(Elided):
    """The title of a page where others share its line."""

    def spoken(self) -> Spoken:
        """Speak as a heading, whole."""
        return Spoken(Role.Heading, name=self.text())
