"""The head of the page Risk: headline with its limit, where limits come from, and the gauges."""

from __future__ import annotations

import math

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.report.model import OutsideEntry
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Chance, Term
from ppdm_desktop.ui.charts.gauge import Gauge
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.risk.counts import Counted
from ppdm_desktop.ui.pages.risk.give_level_card import MoreButton, whom_of_headline
from ppdm_desktop.ui.pages.risk.risk_groups import faces
from ppdm_desktop.ui.pages.risk.words import beside, headline
from ppdm_desktop.ui.state.session import Assessment, Session
from ppdm_desktop.ui.widgets.basic import SEVERITY_ICONS, SEVERITY_TOKENS, Card, IconLabel, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, at_top, fill, hbox, stretched, vbox, widget_of
from ppdm_desktop.ui.widgets.release_type_card import type_words
from ppdm_desktop.ui.widgets.side_by_side import SideBySide

_TOPICS = {
    "alone": "figure.unique",
    "collective": "figure.same-value",
    "match": "figure.found",
    "marketer": "figure.linked-list",
    "journalist": "figure.not-known",
}
GAUGES = tuple(_TOPICS)
_GAUGE = 180  # least width at 100 %


class HeadPart(QWidget):
    """Headline, gauges, and the source of the limits."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        top = SideBySide(below=760)
        top.add(self._build_headline(), 1)
        self.more = MoreButton(name="button_more_headline")
        top.add(widget_of(hbox(self.more, STRETCH)), 0, top=True)
        self.limits = LimitsCard()
        whole = vbox(top, self.limits, on=self, gap=12)
        self.source.clicked.connect(self._on_source)
        self.gauges = [Gauge(name=f"gauge_{name}") for name in GAUGES]
        for gauge, topic in zip(self.gauges, _TOPICS.values(), strict=True):
            gauge.setProperty("topic", topic)
        self._row = GaugeRow(self.gauges)
        whole.addWidget(self._row)

    def _build_headline(self) -> QWidget:
        """Return the head: icon, headline, how the people were judged, and the button for the source of the limit."""
        self._icon = IconLabel("blocks", "blocks", 24)
        self.headline = Text("", factor=1.15, semibold=True, name="label_headline")
        self.judged = Text("", tone="text2", factor=0.9, name="label_judged")
        self.beside = Text("", tone="text2", factor=0.9, name="label_beside")
        self.beside.hide()
        self.source = Button(_("Where does this limit come from?"), name="button_limit_source", link=True)
        self.source.setCheckable(True)
        column = vbox(self.headline, self.judged, self.beside, hbox(self.source, STRETCH), gap=2)
        return widget_of(hbox(at_top(self._icon), stretched(column), gap=12))

    def forget(self) -> None:
        """Hide the source of the limits."""
        self.source.setChecked(False)
        self.limits.hide()

    def show_figures(self, counted: Counted, original: Counted, outside: OutsideEntry | None) -> None:
        """Show headline and gauges of the original, or of the previewed change."""
        assessment, is_original = counted.assessment, counted is original
        sentence, judged, severity = headline(assessment, original.changes if is_original else None)
        if not is_original:
            sentence = _("With these changes: {sentence}", sentence=Term(sentence))
        icon = SEVERITY_ICONS[severity]
        self._icon.set_icon(icon, SEVERITY_TOKENS[icon])
        self.headline.setText(sentence)
        self.judged.setText(judged)
        note = beside(assessment)
        self.beside.setText(note)
        self.beside.setVisible(bool(note))
        self.more.offer(self._session, whom_of_headline(assessment) if is_original else None)
        now = None if is_original else original.assessment
        for gauge, face in zip(self.gauges, faces(assessment, now, outside if is_original else None), strict=True):
            gauge.show_face(face)
        self.limits.show_type(assessment)

    def _on_source(self) -> None:
        """Show or hide where the limits come from."""
        self.limits.setVisible(self.source.isChecked())


class LimitsCard(Card):
    """The limits of every release type with their sources."""

    def __init__(self) -> None:
        super().__init__(
            _("How many people must have the same details"),
            _("No law prescribes a number. These are common limits, by recipient."),
            name="card_limits_of_types",
        )
        self._limits: dict[str, Text] = {}
        for id, kind in RELEASE_TYPES.items():
            limit = Text("", semibold=True, name=f"limit_{id}")
            self._limits[id] = limit
            fill(self.body, limit, Text(render(kind.threshold_source).sentence, tone="text2", factor=0.9))
        self.hide()

    def show_type(self, assessment: Assessment) -> None:
        """Mark the release type in use."""
        for id, label in self._limits.items():
            kind = RELEASE_TYPES[id]
            sentence = lazy("{who}: groups of at least {k}, chance of being found at most {limit:chance}")
            if id == assessment.prepared.type.id:
                sentence = lazy(
                    "{who} (this release): groups of at least {k}, chance of being found at most {limit:chance}"
                )
            label.setText(sentence.said(who=Term(type_words(id)[0]), k=kind.k_min, limit=Chance(1 / kind.k_min)))
            label.set_tone("accent" if id == assessment.prepared.type.id else "text")


class GaugeRow(QWidget):
    """Gauges in as few lines as their width allows; their bars are aligned within a line."""

    def __init__(self, gauges: list[Gauge]) -> None:
        super().__init__()
        self._gauges = gauges
        self._across = 0
        for gauge in gauges:
            # Else the longest sentence of a line gets more of the width than the others.
            policy = gauge.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            gauge.setSizePolicy(policy)
        self._grid = QGridLayout(self)
        theme().space(self._grid, 0, 0, 0, 0, 12)
        theme().changed.connect(self._arrange)
        self._arrange()

    def _arrange(self) -> None:
        """Arrange the gauges in as few lines as fit, and make the last line as wide as the others."""
        gap = theme().px(12)
        least = max(theme().px(_GAUGE), *(gauge.minimumSizeHint().width() for gauge in self._gauges))
        fitting = max((self.width() + gap) // (least + gap), 1)
        lines = -(-len(self._gauges) // min(fitting, len(self._gauges)))
        across = -(-len(self._gauges) // lines)
        if across != self._across:
            self._across = across
            rest = len(self._gauges) % across or across
            # Narrow columns that both a full line and the last one divide evenly.
            narrow = math.lcm(across, rest)
            for index in range(max(self._grid.columnCount(), narrow)):
                self._grid.setColumnStretch(index, int(index < narrow))
            for line in self._lines():
                span = narrow // len(line)
                for index, gauge in enumerate(line):
                    row = self._gauges.index(gauge) // across
                    self._grid.addWidget(gauge, row, index * span, 1, span)
            self.updateGeometry()
        self.line_up()

    def _lines(self) -> list[list[Gauge]]:
        """Return the gauges of each line."""
        return [self._gauges[first : first + self._across] for first in range(0, len(self._gauges), self._across)]

    def line_up(self) -> None:
        """Align the parts of all gauges in a line vertically."""
        for line in self._lines():
            wide = (self.width() - self._grid.spacing() * (len(line) - 1)) // len(line)
            high = max(gauge.head_height(wide) for gauge in line)
            word_beside_bar = all(gauge.has_room_beside(wide) for gauge in line)
            for gauge in line:
                gauge.line_up(high, word_beside_bar=word_beside_bar)

    def minimumSizeHint(self) -> QSize:
        """Return the width of one gauge, because gauges can stand below one another."""
        least = max(gauge.minimumSizeHint().width() for gauge in self._gauges)
        return QSize(least, super().minimumSizeHint().height())

    def event(self, event: QEvent) -> bool:
        """Arrange the gauges again when one needs another size, as after a change of text or font."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._arrange()
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the gauges for the new width."""
        super().resizeEvent(event)
        self._arrange()
