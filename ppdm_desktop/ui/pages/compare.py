"""Compare: the finished candidates side by side, and what each did to the rows and the columns."""

from __future__ import annotations

from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QHeaderView, QScrollArea, QTabWidget, QVBoxLayout, QWidget

from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.compare_analyses import AnalysesTab
from ppdm_desktop.ui.pages.compare_audit import AuditTab
from ppdm_desktop.ui.pages.compare_charts import ChartsTab
from ppdm_desktop.ui.pages.compare_logic import finished, label, table_headers, table_rows, verdict
from ppdm_desktop.ui.pages.compare_rows import RowsTab
from ppdm_desktop.ui.session import CandidateEntry
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.basic import Card, Severity, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form_table import FormTable
from ppdm_desktop.ui.widgets.inputs import Choice

_WORDS_FROM = 900


class _CandidatesTable(FormTable):
    """The first column takes the spare width, but never less than a name needs."""

    def __init__(self, model: RowsModel, words: str) -> None:
        super().__init__(model, name="table_candidates", words=words, most_rows=10)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Scroll sideways rather than squeeze the names."""
        super().resizeEvent(event)
        header = self.horizontalHeader()
        others = sum(header.sectionSize(place) for place in range(1, header.count()))
        squeezed = others + theme().px(170) > self.viewport().width()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.Fixed if squeezed else QHeaderView.ResizeMode.Stretch)
        if squeezed:
            self.setColumnWidth(0, theme().px(170))


class CandidatesTab(QWidget):
    """The table of candidates, and the one shown in one paragraph."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tab_candidates")
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme().px(10), 0, 0)
        column.setSpacing(theme().px(12))
        card = Card(
            self.tr("Candidates"), self.tr("Risk at the left, usefulness in the middle, the checks at the right.")
        )
        self.model = RowsModel(table_headers(), right=(1, 2, 3, 5, 6, 7, 8), parent=self)
        self.table = _CandidatesTable(self.model, self.tr("Candidates with their figures"))
        card.body.addWidget(self.table)
        card.body.addWidget(
            Text(
                self.tr(
                    "Alone: people nobody else looks like (uniquely identifiable). Right match: how often a snooper "
                    "who knows the describing columns picks the right row. Certain: people whose confidential value "
                    "can be read off. Largest shift: total variation of the column that moved most. Relations: largest "
                    "change of a correlation between two columns."
                ),
                tone="text3",
                factor=0.85,
            )
        )
        column.addWidget(card)
        self.verdict = Card()
        self.verdict.setObjectName("card_verdict")
        self.severity = Severity("note", "")
        self.verdict.body.addWidget(self.severity)
        self.words = Text("")
        self.words.setObjectName("label_verdict")
        self.verdict.body.addWidget(self.words)
        row = QHBoxLayout()
        self.button_choose = Button("", name="button_choose_candidate", primary=True, icon="check")
        row.addWidget(self.button_choose)
        row.addStretch(1)
        self.verdict.body.addLayout(row)
        column.addWidget(self.verdict)
        column.addStretch(1)


def _scrolled(widget: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setWidget(widget)
    return area


class ComparePage(Page):
    """Tabs over one chosen candidate."""

    step = "compare"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._shown: str | None = None
        self.stale = Strip("amber", "")
        self.outer.addWidget(self.stale)
        self.tabs = QTabWidget()
        self.tabs.setObjectName("tabs_compare")
        self.tabs.setAccessibleName(self.tr("What to compare"))
        self.tabs.tabBar().setAccessibleName(self.tr("What to compare"))
        self.tabs.setDocumentMode(True)
        self.tabs.tabBar().setDrawBase(False)
        corner = QWidget()
        row = QHBoxLayout(corner)
        row.setContentsMargins(0, 0, 0, theme().px(4))
        self._word = word = Text(self.tr("Candidate"), tone="text2", wrap=False)
        self.combo = Choice(name="combo_candidate", words=self.tr("Candidate"))
        self.combo.setMinimumContentsLength(18)
        self.combo.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        word.setBuddy(self.combo)
        self.combo.picked.connect(self._on_picked)
        row.addWidget(word)
        row.addWidget(self.combo, 1)
        self.tabs.setCornerWidget(corner, Qt.Corner.TopRightCorner)
        self.candidates = CandidatesTab()
        self.rows = RowsTab(context)
        self.charts = ChartsTab(context)
        # Scrolled on their own, so that a long one does not stretch the tables of the other.
        self.tabs.addTab(_scrolled(self.candidates), self.tr("Candidates"))
        self.tabs.addTab(self.rows, self.tr("Rows side by side"))
        self._charts_area = _scrolled(self.charts)
        self.tabs.addTab(self._charts_area, self.tr("Before and after"))
        self.analyses = AnalysesTab(context)
        self._analyses_area = _scrolled(self.analyses)
        self.tabs.addTab(self._analyses_area, self.tr("What analyses keep"))
        self.audit = AuditTab(context)
        self._audit_area = _scrolled(self.audit)
        self.tabs.addTab(self._audit_area, self.tr("Attack audit"))
        self.tabs.currentChanged.connect(self._on_tab)
        self.outer.addWidget(self.tabs, 1)
        theme().changed.connect(self._fit)
        self.candidates.button_choose.clicked.connect(self._on_choose)
        self.candidates.table.selectionModel().currentRowChanged.connect(self._on_row)

    def title(self) -> str:
        """Return the page's title."""
        return self.tr("Compare")

    def purpose(self) -> str:
        """Return what the page is for."""
        return self.tr("Which candidate protects enough, and what does it cost?")

    def primary(self) -> Primary:
        """Lead to the release once a candidate is chosen."""
        chosen = self.session.chosen
        words = self.tr("Release")
        if chosen is None:
            return Primary(words, False, self.tr("Choose a candidate to go on"), "amber")
        return Primary(words, True, self.tr("{name} is chosen").format(name=chosen.name), "passed")

    def on_primary(self) -> None:
        """Go to the release."""
        self.go.emit("release")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Give the tabs the room where the page is narrow."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        wide = self.width() >= theme().px(_WORDS_FROM)
        self._word.setVisible(wide)
        self.combo.setMinimumContentsLength(18 if wide else 4)
        long = (
            self.tr("Candidates"),
            self.tr("Rows side by side"),
            self.tr("Before and after"),
            self.tr("What analyses keep"),
            self.tr("Attack audit"),
        )
        brief = (self.tr("All"), self.tr("Rows"), self.tr("Change"), self.tr("Analyses"), self.tr("Attacks"))
        for place, words in enumerate(long if wide else brief):
            if self.tabs.tabText(place) != words:
                self.tabs.setTabText(place, words)
                self.tabs.tabBar().setAccessibleTabName(place, long[place])
                self.audit.mark_tab(self.tabs, self.tabs.indexOf(self._audit_area), self.shown)

    # --- showing ------------------------------------------------------------------------

    @property
    def shown(self) -> CandidateEntry | None:
        """The candidate looked at."""
        return next((entry for entry in finished(self.session) if entry.name == self._shown), None)

    def refresh(self) -> None:
        """Show the finished candidates."""
        entries = finished(self.session)
        names = [entry.name for entry in entries]
        if self._shown not in names:
            chosen = self.session.chosen
            self._shown = chosen.name if chosen is not None else (names[-1] if names else None)
        self.combo.set_choices([(entry.name, label(entry)) for entry in entries], self._shown)
        tab = self.candidates
        tab.model.set_rows(table_rows(self.session))
        if self._shown is not None:
            place = names.index(self._shown) + 1
            if tab.table.current_row() != place:
                tab.table.blockSignals(True)
                tab.table.select_row(place)
                tab.table.blockSignals(False)
        self._show_entry()

    def _show_entry(self) -> None:
        entry = self.shown
        self.candidates.verdict.setVisible(entry is not None)
        self.audit.mark_tab(self.tabs, self.tabs.indexOf(self._audit_area), entry)
        if entry is None:
            self.stale.set("amber", "")
            return
        stale = self.session.is_stale(entry.basis)
        self.stale.set(
            "amber",
            self.tr(
                "{name} is from before the last change of columns, levels or recipient. Run it again on Protect."
            ).format(name=entry.name)
            if stale
            else "",
        )
        found = verdict(entry)
        self.candidates.verdict.set_title(self.tr("{name} in one paragraph").format(name=entry.name))
        self.candidates.severity.set(found.severity, found.word)
        self.candidates.words.setText(found.text)
        is_chosen = self.session.decisions.chosen == entry.name
        button = self.candidates.button_choose
        button.setText(
            self.tr("{name} is chosen").format(name=entry.name)
            if is_chosen
            else self.tr("Choose {name}").format(name=entry.name)
        )
        button.setEnabled(not is_chosen)
        self._fill_tab()

    def _fill_tab(self) -> None:
        """Fill the tab in front; the others wait until they are looked at."""
        front = self.tabs.currentWidget()
        if front is self.rows:
            self.rows.show_entry(self.shown)
        elif front is self._charts_area:
            self.charts.show_entry(self.shown)
        elif front is self._analyses_area:
            self.analyses.show_entry(self.shown)
        elif front is self._audit_area:
            self.audit.show_entry(self.shown)

    # --- deciding -----------------------------------------------------------------------

    def _show(self, name: str) -> None:
        if name != self._shown:
            self._shown = name
            self.refresh()

    def _on_picked(self, name: str) -> None:
        self._show(name)

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        entries = finished(self.session)
        if 1 <= current.row() <= len(entries):
            self._show(entries[current.row() - 1].name)

    def _on_tab(self, _place: int) -> None:
        self._fill_tab()

    def _on_choose(self) -> None:
        entry = self.shown
        if entry is not None:
            self.session.decide(self.tr("Choose {name}").format(name=entry.name), chosen=entry.name)
