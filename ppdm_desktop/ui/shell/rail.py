"""The list of pages ("steps") at the left: current page, state of each page, and the score card."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role, as_ornament
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.state.session import STEPS, State
from ppdm_desktop.ui.state.step_texts import step_sentence
from ppdm_desktop.ui.widgets.basic import Card, IconLabel, Text
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    FitsOnResize,
    add_parts,
    align_top,
    hbox,
    stretch_part,
    vbox,
    widget_of,
)

_WIDE, _NARROW = 214, 56
_GAP = 8  # px at 100 % between the words and the figure of the score


class _Glyph(QWidget):
    """The symbol for the state of a page in the list: dashed ring, ring, filled disc, check or two arrows."""

    accessible_info = as_ornament

    def __init__(self, number: int) -> None:
        super().__init__()
        self._number = number
        self._state = State.NOT_YET
        self._current = False

    def set(self, state: State, current: bool) -> None:
        """Show the state of a page in the list, and whether it is the current page."""
        self._state, self._current = state, current
        side = theme().px(24)
        self.setFixedSize(side, side)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the symbol of the page's state.

        It is a filled disc with the page's number if the page is open, a check if it is done, arrows if it is out of
        date, else a ring with the number. The ring is dashed while the page cannot be opened.
        """
        t = theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        side = float(self.width())
        box = QRectF(1.5, 1.5, side - 3, side - 3)
        painter.setFont(t.font(0.95, semibold=True))
        if self._state is State.STALE and not self._current:
            painter.drawPixmap(box.toRect(), t.pixmap("stale", "amber", 24))
            return
        is_done, waits = self._state is State.DONE and not self._current, self._state is State.NOT_YET
        style = Qt.PenStyle.DashLine if waits else Qt.PenStyle.SolidLine
        painter.setPen(QPen(t.colour("text3" if waits else "text2"), 1.4, style))
        if self._current or is_done:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(t.colour("accent" if self._current else "passed"))
        painter.drawEllipse(box)
        if is_done:
            painter.setPen(QPen(t.colour("surface"), side * 0.1, c=Qt.PenCapStyle.RoundCap))
            painter.drawPolyline([QPointF(side * x, side * y) for x, y in ((0.3, 0.52), (0.45, 0.66), (0.7, 0.36))])
        else:
            painter.setPen(t.colour("on_accent" if self._current else "text3" if waits else "text2"))
            painter.drawText(self.rect(), Qt.AlignmentFlag.AlignCenter, str(self._number))


class RailItem(QFrame):
    """One page in the list of pages.

    It takes the focus even while the page cannot be opened, so that a screen reader can say why.
    """

    chosen = Signal(str)

    def __init__(self, step: str, number: int, text: str) -> None:
        super().__init__()
        self.step, self._number, self._step_title = step, number, text
        self._state = State.NOT_YET
        self.setObjectName(f"step_{step}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self._glyph = _Glyph(number)
        self._title = Text(text)
        self._second = Text("", factor=0.9, tone="text2")
        self._texts = widget_of(vbox(self._title, self._second, gap=0))
        hbox(align_top(self._glyph), stretch_part(self._texts), on=self, margins=(14, 7, 8, 7), gap=10)
        self._current = False

    def set(self, state: State, second: str, *, current: bool, narrow: bool) -> None:
        """Show the state of the page and the second line of its entry; if ``narrow``, only the symbol.

        A narrow entry has the texts as tooltip. ``current`` says whether this page is open.
        """
        self._state, self._current = state, current
        self._glyph.set(state, current)
        self._second.setText(second)
        self._second.set_tone("amber" if state is State.STALE else "text2")
        self._title.set_tone("text2" if state is State.NOT_YET else "text")
        self._texts.setVisible(not narrow)
        sentence = step_sentence(state, current=current)
        self.setAccessibleName(
            sentence.format(n=self._number, title=Term(self._step_title), second=Term(second.rstrip(".")))
        )
        self.setToolTip(plain_tip(f"{self._step_title}: {second}") if narrow else "")
        self.update()

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a tab, whether its page is open, and whether it can be opened."""
        return AccessibleInfo(
            Role.PageTab, selected=self._current, disabled=self._state is State.NOT_YET, press=self._emit_step
        )

    def _emit_step(self) -> None:
        """Send ``chosen`` with the name of this page, also if the page cannot be opened."""
        self.chosen.emit(self.step)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take the focus and ask the window to open this page."""
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        self._emit_step()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send ``chosen`` with Enter or Space, also if the page cannot be opened; the arrow keys move the focus.

        Down goes to the next entry, Up to the previous one; at the ends of the list they leave it as Tab does. Qt
        handles all other keys.
        """
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self._emit_step()
        elif event.key() == Qt.Key.Key_Down:
            self.focusNextChild()
        elif event.key() == Qt.Key.Key_Up:
            self.focusPreviousChild()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a bar at the left and another background if the page is open, and a ring if the entry has the focus."""
        painter = QPainter(self)
        if self._current:
            painter.fillRect(self.rect(), theme().colour("surface"))
            painter.fillRect(0, 0, theme().px(3), self.height(), theme().colour("accent"))
        if self.hasFocus():
            pen = QPen(theme().colour("accent"), 2)
            painter.setPen(pen)
            painter.drawRect(self.rect().adjusted(1, 1, -1, -1))


class ScoreCard(FitsOnResize, Card):
    """Key figures of the risk report, below the list of pages."""

    def __init__(self, title: str) -> None:
        super().__init__(title, name="card_score")
        self._lines: list[tuple[Text, Text]] = []

    def set_lines(self, lines: list[tuple[str, str]]) -> None:
        """Show these (label, figure) pairs, one on each line, in place of the former ones."""
        while len(self._lines) < len(lines):
            text = Text("", factor=0.92, tone="text2")
            text.setAlignment(Qt.AlignmentFlag.AlignTop)
            figure = Text("", factor=0.92, semibold=True)
            figure.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
            self.body.addLayout(hbox(stretch_part(text), stretch_part(figure), gap=_GAP))
            self._lines.append((text, figure))
        for i, (text, figure) in enumerate(self._lines):
            visible = i < len(lines)
            text.setVisible(visible)
            figure.setVisible(visible)
            if visible:
                text.setText(lines[i][0])
                figure.setText(lines[i][1])
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Wrap label and figure of a line if they do not fit side by side on one line each."""
        around = self.body.contentsMargins()
        available = self.width() - 2 * self.frameWidth() - around.left() - around.right() - theme().px(_GAP)
        for caption, figure in self._lines:
            fits = sum(label.fontMetrics().horizontalAdvance(label.text()) for label in (caption, figure)) <= available
            caption.setWordWrap(not fits)
            figure.setWordWrap(not fits)


class Rail(FitsOnResize, QFrame):
    """List of all pages, score card, and the note that nothing leaves this computer."""

    chosen = Signal(str)

    def __init__(self, titles: dict[str, str], score_title: str, offline: str) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAccessibleName(_("Steps"))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.narrow = self._low = False
        column = vbox(on=self, margins=(0, 14, 0, 12), gap=0)
        self._name = Text("", semibold=True, wrap=False)
        self._saved = Text("", factor=0.9, tone="text2", wrap=False)
        self._names = widget_of(vbox(self._name, self._saved, margins=(4, 0, 0, 0), gap=0))
        column.addLayout(hbox(IconLabel("app", "accent", 26), stretch_part(self._names), margins=(14, 0, 8, 10), gap=4))
        self.items: dict[str, RailItem] = {}
        for number, step in enumerate(STEPS, start=1):
            item = RailItem(step, number, titles[step])
            item.chosen.connect(self.chosen)
            self.items[step] = item
            column.addWidget(item)
        self.score = ScoreCard(score_title)
        holder = vbox(self.score, margins=(12, 0, 12, 8))
        add_parts(column, STRETCH, holder)
        self._holder = holder
        self._offline = Text(offline, factor=0.9, tone="text3")
        column.addLayout(
            hbox(
                align_top(IconLabel("offline", "text3", 16)), stretch_part(self._offline), margins=(14, 0, 8, 0), gap=8
            )
        )
        theme().changed.connect(self._set_rail_width)
        self._set_rail_width()

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a list of tabs."""
        return AccessibleInfo(Role.PageTabList)

    def _set_rail_width(self) -> None:
        """Set the width of the list for the text size, narrow or wide."""
        self.setFixedWidth(theme().px(_NARROW if self.narrow else _WIDE))

    def set_narrow(self, narrow: bool, *, low: bool = False) -> None:
        """Make the list narrow, without name, score card and note, or wide again; ``low`` hides only the score card.

        The entries of the pages do not change here, but in ``RailItem.set``.
        """
        self.narrow, self._low = narrow, low
        for part in (self._names, self._offline):
            part.setVisible(not narrow)
        self._set_rail_width()
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Show the score card only if all pages in the list keep their full height and the window is large enough."""
        column = self.layout()
        assert column is not None
        width, needed = self.width(), 0
        for index in range(column.count()):
            item = column.itemAt(index)
            if item is not None and item.layout() is not self._holder:
                needed += item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()
        inner = self._holder.contentsMargins()
        available = width - inner.left() - inner.right()
        score_height = (
            self.score.heightForWidth(available) if self.score.hasHeightForWidth() else self.score.sizeHint().height()
        )
        fits = needed + score_height + inner.top() + inner.bottom() <= self.height()
        self.score.setVisible(not self.narrow and not self._low and fits)

    def set_names(self, name: str, saved: str) -> None:
        """Show the name of the open file (or of the program), and below it whether the project is saved.

        A name that is too long is cut in its middle, and is then the tooltip.
        """
        metrics = self._name.fontMetrics()
        available = theme().px(_WIDE - 56)
        elided = metrics.elidedText(name, Qt.TextElideMode.ElideMiddle, available)
        self._name.setText(elided)
        self._name.setToolTip(plain_tip(name) if elided != name else "")
        self._saved.setText(saved)
