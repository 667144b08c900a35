"""Risk: who stands out in the original, and by which values."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.ui.charts.bars import Bar, Bars
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.gauge import Gauge
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.levels_give import Whom
from ppdm_desktop.ui.pages.risk_give import GivenStrip, MoreButton, whom_of_headline
from ppdm_desktop.ui.pages.risk_heat import AlikeCard, HeatCard
from ppdm_desktop.ui.pages.risk_logic import ClassBand, HeatFound, class_bands, heat, measure
from ppdm_desktop.ui.pages.risk_words import (
    band_words,
    classes_title,
    confidential_sentences,
    face_alone,
    face_collective,
    face_match,
    headline,
)
from ppdm_desktop.ui.session import Assessment
from ppdm_desktop.ui.tasks import TaskOutcome
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.basic import SEVERITY_ICONS, SEVERITY_TOKENS, Card, IconLabel, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.side_by_side import SideBySide
from ppdm_desktop.ui.words import count

JOB, HEAT_JOB = "risk", "heat"


class RiskPage(Page):
    """The headline, three gauges, the record heatmap and the group sizes."""

    step = "risk"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._heat: HeatFound | None = None
        self._heat_for: Assessment | None = None
        self._problem = ""
        self._stopped = False
        self._bands: list[ClassBand] = []
        self._measured_reading: object = None
        self.strip_stale = Strip("amber")
        self.strip_stale.setObjectName("strip_stale")
        self.button_again = Button(self.tr("Measure again"), name="button_measure_again", icon="stale")
        self.strip_stale.add_button(self.button_again)
        self.strip_stale.hide()
        self.outer.addWidget(self.strip_stale)
        self.strip_failed = Strip("blocks")
        self.strip_failed.setObjectName("strip_failed")
        self.button_retry = Button(self.tr("Try again"), name="button_retry_risk")
        self.button_columns = Button(self.tr("Go to Columns"), name="button_to_columns")
        self.strip_failed.add_button(self.button_retry)
        self.strip_failed.add_button(self.button_columns)
        self.strip_failed.hide()
        self.outer.addWidget(self.strip_failed)
        self.given = GivenStrip(self.session)
        self.outer.addWidget(self.given)
        self._empty = Text(self.tr("The people who stand out will be shown here. Nothing leaves this computer."))
        self._empty.setObjectName("label_risk_empty")
        self.outer.addWidget(self._empty)
        self._body = QWidget()
        self._build_body()
        self.outer.addWidget(self._body, 1)
        self.outer.addStretch(0)
        self.button_again.clicked.connect(self.measure)
        self.button_retry.clicked.connect(self.measure)
        self.button_columns.clicked.connect(self._on_columns)
        self.heat.people_wanted.connect(self._on_people)
        self.chart.chosen.connect(self._on_band)
        for button in (self.more, self.heat.more, self.people.more):
            button.wanted.connect(self._on_more)
        self.given.show_there.clicked.connect(self._on_show_given)

    def _build_body(self) -> None:
        whole = QVBoxLayout(self._body)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(theme().px(12))
        top = SideBySide(below=760)
        said = QWidget()
        head = QHBoxLayout(said)
        head.setContentsMargins(0, 0, 0, 0)
        head.setSpacing(theme().px(12))
        self._icon = IconLabel("blocks", "blocks", 24)
        words = QVBoxLayout()
        words.setSpacing(theme().px(2))
        self.headline = Text("", factor=1.15, semibold=True)
        self.headline.setObjectName("label_headline")
        self.judged = Text("", tone="text2", factor=0.9)
        self.judged.setObjectName("label_judged")
        words.addWidget(self.headline)
        words.addWidget(self.judged)
        head.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignVCenter)
        head.addLayout(words, 1)
        top.add(said, 1)
        self.more = MoreButton(name="button_more_headline")
        at_left = QWidget()
        line = QHBoxLayout(at_left)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.more)
        line.addStretch(1)
        top.add(at_left, 0, top=True)
        whole.addWidget(top)
        gauges = SideBySide(below=720)
        self.gauges = [Gauge(name=name) for name in ("gauge_alone", "gauge_collective", "gauge_match")]
        for gauge in self.gauges:
            gauges.add(gauge)
        whole.addWidget(gauges)
        sides = SideBySide()
        self.heat = HeatCard(self.session)
        sides.add(self.heat, 62)
        right = QWidget()
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme().px(12))
        model = RowsModel([self.tr("People who look alike"), self.tr("Groups"), self.tr("People")], right=(1, 2))
        self.chart = Bars(name="chart_classes", words=self.tr("People by the size of their group"))
        self.chart.set_clickable(self.tr("Shows these people in the map"))
        self.classes = ChartCard("classes", self.chart, model, words=self.tr("People by the size of their group"))
        column.addWidget(self.classes)
        self.confidential = Card(self.tr("What a match would give away"))
        self.confidential.setObjectName("card_confidential")
        self._secrets = Text("")
        self._secrets.setObjectName("label_confidential")
        self.confidential.body.addWidget(self._secrets)
        column.addWidget(self.confidential)
        column.addStretch(1)
        sides.add(right, 38)
        whole.addWidget(sides, 1)
        self.people = AlikeCard(self.session)
        whole.addWidget(self.people)

    # --- page ---------------------------------------------------------------------------

    def title(self) -> str:
        """Return the title."""
        return self.tr("Risk")

    def purpose(self) -> str:
        """Return what the page is for."""
        return self.tr("Who stands out in the original, and by which values.")

    def primary(self) -> Primary:
        """Lead on to protection once the risk is measured."""
        words, found = self.tr("Protect"), self.session.assessment
        if found is None:
            message = self.tr("Measuring") if self.context.runner.is_running(JOB) else self.tr("Not measured yet")
            return Primary(words, False, message, "note")
        if self.session.is_stale(found.basis):
            return Primary(words, True, self.tr("Measured before the last change"), "amber")
        total = count(found.risk.records)
        return Primary(words, True, self.tr("Measured on all {n} people").format(n=total), "passed")

    def on_primary(self) -> None:
        """Go on to the methods."""
        self.go.emit("protect")

    def entered(self) -> None:
        """Measure when there is nothing yet, or only something out of date."""
        found = self.session.assessment
        if found is None or self.session.is_stale(found.basis):
            self.measure()
        else:
            self._start_heat()

    def refresh(self) -> None:
        """Show the assessment, and whether it is out of date."""
        found = self.session.assessment
        self.given.refresh()
        self._body.setVisible(found is not None)
        self._empty.setVisible(found is None and not self._problem)
        self._show_strips()
        if found is None:
            self.people.hide()
            self.heat.show_heat(None, None)
            return
        if self._heat is not None and self._heat.assessment is not found:
            self._heat = None
            self.people.hide()
        self._show_figures(found)
        self.heat.show_heat(found, self._heat)
        self._start_heat()

    # --- measuring ----------------------------------------------------------------------

    def measure(self) -> None:
        """Assess the file under the decisions as they are now."""
        session = self.session
        path, reading, recipe = session.decisions.path, session.reading, session.decisions.recipe
        if path is None or reading is None:
            return
        basis = session.basis()
        self._problem, self._stopped = "", False
        self._measured_reading = reading

        def work(progress: Progress) -> Assessment:
            return measure(path, reading, recipe, basis, progress)

        self.context.runner.start(JOB, work, self._on_measured)
        self._show_strips()
        self.primary_changed.emit()

    def _on_measured(self, outcome: TaskOutcome) -> None:
        if self._measured_reading is not self.session.reading:
            return
        if outcome.ok:
            self.session.assessment = outcome.result
            self.session.changed()
            return
        self._stopped = outcome.cancelled
        self._problem = "" if outcome.cancelled else outcome.words
        self._empty.setVisible(self.session.assessment is None and not self._problem)
        self._show_strips()
        self.primary_changed.emit()

    def _start_heat(self) -> None:
        found = self.session.assessment
        if found is None or found is self._heat_for or not self.isVisible():
            return
        self._heat_for = found

        def work(progress: Progress) -> HeatFound:
            return heat(found, progress)

        self.context.runner.start(HEAT_JOB, work, self._on_heat)

    def _on_heat(self, outcome: TaskOutcome) -> None:
        if outcome.ok:
            self._heat = outcome.result
            self.heat.show_heat(self.session.assessment, self._heat)
        else:
            self._heat_for = None
            if not outcome.cancelled:
                self._problem = outcome.words
                self._show_strips()

    # --- showing ------------------------------------------------------------------------

    def _show_strips(self) -> None:
        found = self.session.assessment
        running = self.context.runner.is_running(JOB)
        if found is not None and self.session.is_stale(found.basis):
            again = self.tr("From before the change. Measuring again…")
            self.strip_stale.set("amber", again if running else self.tr("From before the change."))
        elif self._stopped and not running:
            self.strip_stale.set("note", self.tr("Stopped; nothing is kept of this run."))
        else:
            self.strip_stale.set("amber", "")
        self.button_again.setVisible(not running)
        problem = ""
        if self._problem:
            problem = self.tr("{what} · On disk: nothing was written, the original is untouched.").format(
                what=self._problem
            )
        self.strip_failed.set("blocks", problem)

    def _show_figures(self, found: Assessment) -> None:
        sentence, judged, severity = headline(found)
        icon = SEVERITY_ICONS[severity]
        self._icon.set_icon(icon, SEVERITY_TOKENS[icon])
        self.headline.setText(sentence)
        self.judged.setText(judged)
        self.more.offer(self.session, whom_of_headline(found))
        for gauge, face in zip(
            self.gauges, (face_alone(found), face_collective(found), face_match(found)), strict=True
        ):
            gauge.show_face(face)
        self._show_classes(found)
        sentences = confidential_sentences(found)
        nothing = self.tr("No column is marked confidential. Only standing out is measured.")
        self._secrets.setText("\n".join(sentences) if sentences else nothing)

    def _show_classes(self, found: Assessment) -> None:
        self._bands = class_bands(found)
        least, title = found.prepared.type.k_min, classes_title(found)
        bars = [
            Bar(band_words(band), (band.people,), (count(band.people),), alarming=band.low < least)
            for band in self._bands
        ]
        below = sum(band.low < least for band in self._bands)
        limit = (below, self.tr("limit {k}").format(k=least)) if below < len(self._bands) else None
        self.classes.set_title(title)
        self.classes.model.set_rows(
            [(band_words(band), count(band.classes), count(band.people)) for band in self._bands]
        )
        self.chart.set_bars(bars, title, limit=limit)
        small = self.tr(
            "people by how many look like them · {groups} groups, {n} people · a click shows them in the map"
        )
        self.classes.set_print(small.format(groups=count(found.risk.classes.count), n=count(found.risk.records)))

    # --- slots --------------------------------------------------------------------------

    def _on_people(self, record: int, name: str) -> None:
        if self._heat is not None:
            self.people.show_people(self._heat.assessment, record, name)
            self.people.table.setFocus(Qt.FocusReason.OtherFocusReason)
            self._scroll_to(self.people)

    def _scroll_to(self, widget: QWidget) -> None:
        """Bring a part of the page into view, its new size included."""
        parent = self.parentWidget()
        while parent is not None and not isinstance(parent, QScrollArea):
            parent = parent.parentWidget()
        if isinstance(parent, QScrollArea):
            for each in (self._body.layout(), self.layout()):
                if each is not None:
                    each.activate()
            self.adjustSize()
            parent.ensureWidgetVisible(widget, 0, theme().px(16))

    def _on_band(self, place: int) -> None:
        band = self._bands[place]
        self.heat.show_filter("alone" if band.low == 1 else band.key)

    def _on_more(self, whom: Whom, level: str) -> None:
        """Decide, then measure again: the figures stay, the levels in the map do not."""
        if self.given.give(whom, level):
            self.measure()
        self._scroll_to(self.given)

    def _on_show_given(self) -> None:
        self.go.emit("levels")

    def _on_columns(self) -> None:
        self.go.emit("columns")
