"""Row for one possible change of a column: box, degree of generalisation, and the effect."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QSizePolicy, QWidget

from ppdm_desktop.engine.identifiability.what_if import LEFT_OUT, Change, Effect
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.numbers import MINUS
from ppdm_desktop.engine.wording.values import Name, Term
from ppdm_desktop.ui.look.accessibility import as_ornament, join_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.pages.risk.texts import make_number_writer
from ppdm_desktop.ui.pages.risk.what_if.logic import (
    compute_decrease,
    describe_change,
    format_compared_figure,
    format_decrease,
    pick_compared_figure,
)
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.inputs import Slider
from ppdm_desktop.ui.widgets.layout import FitsOnResize, hbox, retain_space, stretch_part

_INDICATOR = 30  # px at 100 %: the box and the gap behind it


def elide_to_two_lines(sentence: str, metrics: QFontMetrics, available: int) -> str:
    """Return a sentence broken into two lines, each shortened in its middle if wider than ``available`` pixels.

    A sentence that fits into one line is returned unchanged. As many words as fit stand in the first line, all others
    in the second. A single word that is too wide stays on one line, shortened.
    """
    if metrics.horizontalAdvance(sentence) <= available:
        return sentence
    first, *rest = sentence.split(" ")
    while rest and metrics.horizontalAdvance(f"{first} {rest[0]}") <= available:
        first = f"{first} {rest.pop(0)}"
    lines = [first, " ".join(rest)] if rest else [first]
    return "\n".join(
        # A line just as wide as the room would be cut, as parts of a pixel count there.
        line
        if metrics.horizontalAdvance(line) <= available
        else metrics.elidedText(line, Qt.TextElideMode.ElideMiddle, available)
        for line in lines
    )


class _SentenceBox(FitsOnResize, QCheckBox):
    """Check box with a sentence of at most two lines; a tooltip shows a shortened sentence in full."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self._sentence = self._whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        theme().bound(self, least_wide=110)
        theme().changed.connect(self._adapt_to_size)

    def set_sentence(self, sentence: str, whole: str) -> None:
        """Set the sentence; ``whole`` is the same sentence with column names in full."""
        self._sentence, self._whole = sentence, whole
        self.setAccessibleName(whole)
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Fit the sentence into two lines of the present width; a tooltip shows it in full if it was shortened."""
        available = self.width() - theme().px(_INDICATOR)
        elided = elide_to_two_lines(self._sentence, QFontMetrics(theme().font()), max(available, theme().px(40)))
        # An ampersand would underline the next letter.
        shown_here = elided.replace("&", "&&")
        if shown_here != self.text():
            self.setText(shown_here)
        self.setToolTip(plain_tip(self._whole) if elided.replace("\n", " ") != self._whole else "")


class _Rest(QWidget):
    """Bar that shows which share of people (or risk) would be left after a change."""

    accessible_info = as_ornament

    def __init__(self) -> None:
        super().__init__()
        self._share = 0.0
        theme().changed.connect(self._on_theme_changed)
        self._on_theme_changed()

    def _on_theme_changed(self) -> None:
        """Set the size of the bar for the present text size."""
        self.setFixedSize(QSize(theme().px(38), theme().px(10)))
        self.update()

    def set_share(self, share: float) -> None:
        """Set the share that would be left, 0 to 1."""
        self._share = min(max(share, 0.0), 1.0)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the empty bar, and over it the share that would be left."""
        t = theme()
        painter = QPainter(self)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(t.colour("line" if t.is_dark else "sunken"))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
        if self._share:
            painter.setBrush(t.colour("plain_bar"))
            painter.drawRoundedRect(QRectF(0, 0, max(self.width() * self._share, 2.0), self.height()), 2, 2)
        painter.end()


class ChangeRow(QWidget):
    """Row of one column: tick the change, choose how coarse it is, and see what would be left.

    Signals
    -------
    changed
        The tick or the degree of generalisation changed.
    """

    changed = Signal()

    def __init__(
        self, index: int, changes: Sequence[tuple[Change, Effect]], before: Effect, *, by_unique: bool, name: str = ""
    ) -> None:
        super().__init__()
        self._name = name
        # The slider goes from fine to coarse; leaving out is the coarsest.
        self._changes = [*(change for change in changes if change[0].way != LEFT_OUT), *changes[:1]]
        self._before, self._by_unique = before, by_unique
        self.box = _SentenceBox(f"check_what_if_{index}")
        row = hbox(stretch_part(self.box), on=self, gap=7)
        text, last = _("How broad: {name}", name=Name(self._changes[0][0].column)), len(self._changes) - 1
        self.slider = Slider(name=f"slider_what_if_{index}", label=text, bounds=(0, last))
        self.slider.setValue(last)
        retain_space(self.slider)
        # Into the row first: a widget without a parent that is made visible is a window of its own.
        row.addWidget(self.slider)
        self.slider.setVisible(len(self._changes) > 1)
        self._rest = _Rest()
        row.addWidget(self._rest)
        self.figure = Text("", wrap=False)
        self.percent = Text("", semibold=True, wrap=False)
        for label in (self.figure, self.percent):
            label.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
            row.addWidget(label)
        effects = [before, *(effect for _, effect in self._changes)]
        self.figures = [format_compared_figure(effect, by_unique=by_unique) for effect in effects]
        now, *later = (pick_compared_figure(effect, by_unique=by_unique) for effect in effects)
        self.percents = [format_decrease(compute_decrease(now, figure)) for figure in later]
        self._widest = (self.figures, self.percents)
        theme().changed.connect(self._set_part_widths)
        self._set_part_widths()
        self._show_change()
        self.slider.valueChanged.connect(self._on_moved)
        self.box.toggled.connect(self._on_toggled)

    @property
    def change(self) -> Change:
        """The change at the present position of the slider."""
        return self._changes[self.slider.value()][0]

    def line_up(self, figures: Sequence[str], percents: Sequence[str]) -> None:
        """Make the labels of figures and per cents as wide as the widest of these texts, which aligns the rows."""
        self._widest = (list(figures), list(percents))
        self._set_part_widths()

    def _set_part_widths(self) -> None:
        """Set the widths of slider and figures for the text size, so that all rows are aligned."""
        metrics, bold = QFontMetrics(theme().font()), QFontMetrics(theme().font(semibold=True))
        self.slider.setFixedWidth(theme().px(46))
        figures, percents = self._widest
        self.figure.setMinimumWidth(max(metrics.horizontalAdvance(text) for text in figures))
        self.percent.setMinimumWidth(
            max(bold.horizontalAdvance(text) for text in (f"{MINUS}{make_number_writer().percent(1)}", *percents))
        )

    def _show_change(self) -> None:
        """Show the change at the present position of the slider and its effect, also for screen readers.

        The effect is the figure after the change, its decrease in per cent, and a bar for the share of the present
        figure that remains.
        """
        change, effect = self._changes[self.slider.value()]
        before, after = (pick_compared_figure(state, by_unique=self._by_unique) for state in (self._before, effect))
        whole, brief = describe_change(change), describe_change(change, self._name)
        self.box.set_sentence(brief, whole)
        self.figure.setText(format_compared_figure(effect, by_unique=self._by_unique))
        self.percent.setText(format_decrease(compute_decrease(before, after)))
        self._rest.set_share(after / before if before else 0.0)
        sentence = lazy("unique then: {figure} ({change})")
        if not self._by_unique:
            sentence = lazy("found then: {figure} ({change})")
        description = sentence.format(figure=Term(self.figure.text()), change=Term(self.percent.text()))
        self.box.setAccessibleDescription(description)
        self.slider.setAccessibleDescription(join_sentences([whole, description]))

    def _on_moved(self, _value: int) -> None:
        """Show the change at the slider's new position, and send ``changed`` if the row is ticked."""
        self._show_change()
        if self.box.isChecked():
            self.changed.emit()

    def _on_toggled(self, _on: bool) -> None:
        """Send ``changed`` after the change was ticked or unticked."""
        self.changed.emit()
