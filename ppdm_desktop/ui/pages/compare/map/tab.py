"""Tab "Map": risk against usefulness with the efficient frontier, the table and the verdict."""

from __future__ import annotations

import itertools
import math
from typing import Any

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render_stored
from ppdm_desktop.engine.wording.values import Terms
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.accessibility import join_sentences
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.models.table_model import Index
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.criteria import risk_choices, use_choices
from ppdm_desktop.ui.pages.compare.map.logic import (
    axes_of,
    describe_beyond_limit,
    describe_most_useful,
    figure_headers,
    figure_rows,
    map_of,
    map_scene,
    title_of,
)
from ppdm_desktop.ui.pages.compare.scorecards import (
    Placed,
    Scorecards,
    choose_best_candidate,
    explain_blocked_release,
    table_headers,
    table_rows,
)
from ppdm_desktop.ui.pages.compare.verdict import VerdictCard
from ppdm_desktop.ui.state.finished_candidates import explain_star
from ppdm_desktop.ui.state.session import CandidateEntry, version_name
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.inputs import Choice, add_caption
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, Panel, SideBySide, add_parts, vbox
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.chunked_work import ChunkedWork

_TIPS = (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleDescriptionRole)


class MapCard(ChartCard):
    """Card with the map and the choice of what its two axes show."""

    def __init__(self) -> None:
        text = _("Versions by risk and usefulness")
        self.map = DrawnView(name="chart_map", label=text, high=280)
        model = RowsModel(figure_headers("match", "useful"), right=(1, 2))
        super().__init__("map", self.map, model, label=text, name="card_map", topic="figure.decision")
        self.risk = Choice(name="combo_map_risk", label=_("Risk (left to right)"))
        self.risk.set_choices(risk_choices(), "match")
        self.use = Choice(name="combo_map_usefulness", label=_("Usefulness (bottom to top)"))
        self.use.set_choices(use_choices(), "useful")
        choices = Flow(add_caption(_("Risk"), self.risk), add_caption(_("Usefulness"), self.use))
        self.body.insertWidget(2, choices)
        self.names = (
            _("may be released"),
            _("may be released with written reasons"),
            _("stopped by a check"),
            _("original"),
            _("best trade-offs: no other version is better in both"),
        )
        self.missing = Strip("note", "", name="strip_not_on_map")
        self.body.insertWidget(self.body.indexOf(self.map) + 1, self.missing)
        # The choices stand above the drawing, but came into the card after it.
        order: list[QWidget] = [self.risk, self.use, self.map, self.table, self.keep, self.button]
        for before, after in itertools.pairwise(order):
            QWidget.setTabOrder(before, after)


class MapTab(Panel):
    """The map, the table of candidates and the verdict on one.

    Signals
    -------
    opened
        Name of a candidate to select.
    """

    opened = Signal(str)

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_map")
        self._session = context.session
        self._scorecards = Scorecards()
        self._placed: list[Placed] = []
        self._current: CandidateEntry | None = None
        self.best = ""
        self._chunks = ChunkedWork(self)
        side_by_side = SideBySide(below=1000)
        self.map = MapCard()
        self.verdict = VerdictCard()
        # Beside the map: however many versions there are, the button that chooses one is in sight.
        side_by_side.add(self.map, 10, top=True)
        side_by_side.add(self.verdict, 10, top=True)
        vbox(side_by_side, self._build_table(), STRETCH, on=self, margins=(0, 10, 0, 0), gap=12)
        self.map.risk.picked.connect(self._show_map)
        self.map.use.picked.connect(self._show_map)
        self.map.map.opened.connect(self.opened)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)

    def _build_table(self) -> Card:
        """Return the card with the table of candidates and the note below it, over the whole width of the page."""
        card = Card()
        self.model = VersionsModel(table_headers(), right=(2, 3, 4, 5, 6), parent=self)
        self.table = CandidatesTable(self.model, _("Versions with their figures"))
        self.table.setProperty("topic", "figure.decision")
        self._note = Text("", tone="text3", factor=0.85)
        add_parts(card.body, self.table, self._note)
        return card

    @property
    def _names(self) -> list[str]:
        """Names of the finished candidates in the order of their table rows, which follow the row of the original."""
        return [candidate.entry.name for candidate in self._placed]

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Select no candidate, set the axes back to ``match`` and ``useful``, and show the candidates of the session.

        Their stored reports are dropped and computed again.
        """
        self._chunks.stop()
        self._scorecards.forget()
        self.map.risk.set_current("match")
        self.map.use.set_current("useful")
        self.show_entry(None)

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show all finished candidates in table and map, and select ``entry`` (None: none), piece by piece.

        ``entry`` must be finished. The best candidate that may be released gets a star; its name is in ``best``, "" if
        none may be released.
        """
        self._current = entry
        self._placed = self._scorecards.all(self._session)
        may_be_released = [candidate for candidate in self._placed if candidate.scorecard.is_within]
        self.best = choose_best_candidate(may_be_released).entry.name if may_be_released else ""
        self._chunks.start(
            [
                self._show_table,
                self._show_map,
                self._show_verdict,
            ]
        )

    def _show_table(self) -> None:
        """Fill the table with the original, if it was judged, and all finished candidates; set the note below.

        The row of the present candidate is selected, without a signal. The note explains the figures.
        """
        original = self._scorecards.original(self._session)
        rows = table_rows(self._session, self._placed, original, self.best)
        with QSignalBlocker(self.table):
            self.model.set_rows(rows)
            if self._current is not None:
                index = self._names.index(self._current.name) + (len(rows) - len(self._names))
                if self.table.current_row() != index:
                    selection = self.table.selectionModel()
                    with QSignalBlocker(selection):
                        self.table.select_row(index)
                    self.table.viewport().update()
                    self.table.scrollTo(self.model.index(index, 0))
        people = original.people if original is not None else 0
        text = _(
            "Picked out: number of people, of {n}. Found: share of the people, at most. Predictions: still "
            "correct with a decision tree. Levels: whether everyone has at least their protection level.",
            n=people,
        )
        self.model.tip = explain_star() if self.best else ""
        self._note.setText(" ".join(filter(None, (text, self.model.tip))))

    def _show_map(self) -> None:
        """Draw all candidates on the chosen axes, and fill the map's table, title and small print.

        Notes name candidates that are not on the map, and candidates beyond the limit to which it does not apply.
        """
        risk, use = self.map.risk.current, self.map.use.current
        original = self._scorecards.original(self._session)
        trade_offs = map_of(self._placed, original, risk, use, self.best, self.model.tip)
        title, most = title_of(self._placed), describe_most_useful(self._placed, use)
        self.map.set_title(title, most)
        current = self._current.name if self._current is not None else ""
        small = _("n = {n}.", n=original.people if original is not None else 0)
        scene = map_scene(
            trade_offs.points,
            axes_of(risk, use, original),
            join_sentences([title, most]),
            cells=figure_rows(trade_offs, self._placed, original, risk),
            names=self.map.names,
            small=small,
            current=current,
        )
        self.map.map.set_scene(scene, current)
        self.map.model.set_headers(figure_headers(risk, use))
        self.map.model.set_rows([row.cells for row in scene.rows])
        self.map.set_scale("" if scene.y.low == 0.0 else _("The scale does not start at 0."))
        self.map.set_print(small)
        sentences = (self._explain_missing(trade_offs.missing, risk, use), describe_beyond_limit(self._placed, risk))
        self.map.missing.set("note", " ".join(filter(None, sentences)))

    def _explain_missing(self, names: list[str], risk: str, use: str) -> str:
        """Return which candidates are not on the map and why the first of them is not; "" without any."""
        if not names:
            return ""
        terms = Terms(tuple(map(version_name, names)))
        scorecard = next(candidate.scorecard for candidate in self._placed if candidate.entry.name == names[0])
        note = _find_missing_reason(scorecard, risk, use)
        return _("Not on the map: {names}.", names=terms) + f" {note}".rstrip()

    def _show_verdict(self) -> None:
        """Show the verdict on the selected candidate, and what prevents its release; without a candidate it is hidden.

        Choosing it is the main button if it is the best candidate or none may be released.
        """
        entry = self._current
        is_chosen = entry is not None and self._session.decisions.chosen == entry.name
        text = explain_blocked_release(self._scorecards.of(entry)) if entry is not None else ""
        is_best = entry is not None and self.best in ("", entry.name)
        self.verdict.show_entry(entry, is_chosen=is_chosen, is_best=is_best, shortfall=text)

    # --- what a person does -------------------------------------------------------------

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Send ``opened`` with the candidate whose row became current; nothing for the row of the original."""
        names = self._names
        index = current.row() - (len(self.model.rows) - len(names))
        if 0 <= index < len(names):
            self.opened.emit(names[index])


def _find_missing_reason(scorecard: Scorecard, risk: str, use: str) -> str:
    """Return a sentence on why a candidate is not on the map: why its risk was not measured, or else its usefulness."""
    if math.isnan(scorecard.upper(risk)):
        sentence = scorecard.judged(risk).sentence
        return render_stored(sentence.id, sentence.arguments).sentence
    usefulness = scorecard.verdict.usefulness
    return str(getattr(usefulness, use, usefulness.analyses).reason)


class VersionsModel(RowsModel):
    """Table model of the candidates, with a tooltip (``tip``) on the name that has a star."""

    tip = ""

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the explanation of the star for the starred name, as its tooltip and description for screen readers.

        For everything else the result is that of ``RowsModel``.
        """
        if role in _TIPS and not index.column() and self.row_name(index.row()).startswith("★"):
            return plain_tip(self.tip) if role == Qt.ItemDataRole.ToolTipRole else self.tip
        return super().data(index, role)


class CandidatesTable(FormTable):
    """Table whose first column gets the spare width, but at least the width of a name; longer names wrap."""

    def __init__(self, model: RowsModel, text: str) -> None:
        super().__init__(model, name="table_candidates", label=text, most_rows=14, least=170)
        self.setWordWrap(True)
        self.fit()
