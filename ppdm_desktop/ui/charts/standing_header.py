"""Names that stand upright above the columns of a table that is a chart."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from ppdm_desktop.ui.look.theme import theme

_HIGHEST, _ABOVE = 180, 12  # px at 100 %: the longest name that stands, and the room at both its ends


class StandingHeader(QHeaderView):
    """Names that stand upright above columns too narrow for them: one looks for a name, and half of it is none."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        self._standing: dict[int, str] = {}

    @property
    def standing(self) -> dict[int, str]:
        """Names that stand, by column; those beyond the highest header are cut in the middle."""
        return self._standing

    def stand(self, names: dict[int, str]) -> None:
        """Write these names upright, by column; all others lie as usual."""
        metrics, most = QFontMetrics(theme().font(semibold=True)), theme().px(_HIGHEST)
        cut = {place: metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, most) for place, name in names.items()}
        if cut != self._standing:
            self._standing = cut
            self.updateGeometry()
            self.viewport().update()

    def sizeHint(self) -> QSize:
        """Return the size, as high as the longest name that stands."""
        size, metrics = super().sizeHint(), QFontMetrics(theme().font(semibold=True))
        longest = max((metrics.horizontalAdvance(name) for name in self._standing.values()), default=0)
        return QSize(size.width(), max(size.height(), longest + theme().px(_ABOVE) if longest else 0))

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Leave the ground to the style, and words that lie."""
        super().initStyleOptionForIndex(option, logicalIndex)
        if logicalIndex in self._standing:
            option.text = ""
        elif self._standing:
            # All begin at the line below them.
            option.textAlignment = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignBottom

    def paintSection(self, painter: QPainter, rect: QRect, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Draw a section, and its name upwards from below."""
        painter.save()
        super().paintSection(painter, rect, logicalIndex)
        painter.restore()
        name = self._standing.get(logicalIndex)
        if name is not None:
            t, metrics = theme(), QFontMetrics(theme().font(semibold=True))
            painter.save()
            painter.setFont(t.font(semibold=True))
            painter.setPen(t.colour("text2"))
            painter.translate(rect.center().x() + 0.5, rect.bottom() - t.px(4))
            painter.rotate(-90)
            room = rect.height() - t.px(6)
            words = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, room)
            box = QRect(0, -metrics.height() // 2, room, metrics.height())
            painter.drawText(box, Qt.AlignmentFlag.AlignVCenter, words)
            painter.restore()
