"""Headers of tables: names cut with dots and never by the edge, names that stand, and row numbers in a fixed width."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFontMetrics, QPainter
from PySide6.QtWidgets import QHeaderView, QStyleOptionHeader, QWidget

from ppdm_desktop.ui.look.theme import theme

_AROUND = 18  # px at 100 %: the style sheet's room at both sides of a name
_HIGHEST, _ABOVE = 130, 12  # px at 100 %: the longest name that stands, and the room at both its ends


class NamesHeader(QHeaderView):
    """Names above columns; Qt itself cuts them as if the style sheet gave them no room at their sides."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setSectionsClickable(True)
        # A header begins without dots, and long names often differ at their ends only.
        self.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self._folded: dict[int, str] = {}

    def fold(self, names: dict[int, str]) -> None:
        """Write some names on two lines: their texts with the line break, by column."""
        if names != self._folded:
            self._folded = names
            # Qt would measure two lines as one and cut them; the other names are cut here.
            self.setTextElideMode(Qt.TextElideMode.ElideNone if names else Qt.TextElideMode.ElideMiddle)
            self.updateGeometry()

    def sizeHint(self) -> QSize:
        """Return the size, with another line where names stand on two."""
        size = super().sizeHint()
        return size + QSize(0, QFontMetrics(theme().font(semibold=True)).lineSpacing() if self._folded else 0)

    def initStyleOptionForIndex(self, option: QStyleOptionHeader, logicalIndex: int) -> None:  # noqa: N803 - Qt's own name
        """Cut the name."""
        super().initStyleOptionForIndex(option, logicalIndex)
        if logicalIndex in self._folded:
            option.text = self._folded[logicalIndex]
            return
        metrics = QFontMetrics(theme().font(semibold=True))
        # One more, because the widths that tables give their names are rounded.
        room = self.sectionSize(logicalIndex) - theme().px(_AROUND) + 1
        option.text = metrics.elidedText(option.text, Qt.TextElideMode.ElideMiddle, max(room, 0))


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
        if name is None:
            return
        t = theme()
        painter.save()
        painter.setFont(t.font(semibold=True))
        painter.setPen(t.colour("text2"))
        painter.translate(rect.left(), rect.bottom() + 1)
        painter.rotate(-90)
        lying = QRect(t.px(_ABOVE) // 2, 0, rect.height() - t.px(_ABOVE) // 2, rect.width())
        painter.drawText(lying, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, name)
        painter.restore()


class NumbersHeader(QHeaderView):
    """Row numbers in the width that was set: the usual header asks two hundred rows for theirs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)
        self.setSectionsClickable(True)

    def sizeHint(self) -> QSize:
        """Return the width that was set."""
        return QSize(self.minimumWidth(), 0)
