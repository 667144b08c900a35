"""Tab "Map": risk against usefulness with the efficient frontier, the table, the verdict and the weights."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render_kept
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.spoken import in_sentences
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.rows_model import Index, RowsModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.all_analyses import AllAnalyses, AllAnalysesPart
from ppdm_desktop.ui.pages.compare.criteria import printed, risk_choices, use_choices
from ppdm_desktop.ui.pages.compare.map.logic import (
    axes_of,
    beyond_words,
    figure_headers,
    figure_rows,
    map_of,
    map_scene,
    most_of,
    title_of,
)
from ppdm_desktop.ui.pages.compare.scorecards import Placed, Scorecards, shortfall, table_headers, table_rows
from ppdm_desktop.ui.pages.compare.side.tab import SideCard
from ppdm_desktop.ui.pages.compare.verdict import VerdictCard
from ppdm_desktop.ui.pages.compare.weights import WeightsCard, outcome_of
from ppdm_desktop.ui.state.session import CandidateEntry, version_name
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.inputs import Choice, captioned
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, Panel, SideBySide, fill, vbox, widget_of
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows
from ppdm_desktop.ui.work.chunked_work import ChunkedWork


class MapCard(ChartCard):
    """The chart with the choice of its axes."""

    def __init__(self) -> None:
        text = _("Versions by risk and usefulness")
        self.map = DrawnView(name="chart_map", label=text, high=280)
        super().__init__("map", self.map, NamedRows(figure_headers("match", "useful"), right=(1, 2)), label=text)
        self.setObjectName("card_map")
        self.setProperty("topic", "figure.decision")
        self.risk = Choice(name="combo_map_risk", label=_("Risk (left to right)"))
        self.risk.set_choices(risk_choices(), "match")
        self.use = Choice(name="combo_map_usefulness", label=_("Usefulness (bottom to top)"))
        self.use.set_choices(use_choices(), "useful")
        choices = Flow()
        for caption, choice in ((_("Risk"), self.risk), (_("Usefulness"), self.use)):
            choices.add(captioned(caption, choice))
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
    """The map, the table of candidates, the verdict on one, and the weights.

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
        side_by_side = SideBySide(below=900)
        self.map = MapCard()
        self.weights = WeightsCard()
        side_by_side.add(widget_of(vbox(self.map, self.weights, STRETCH, gap=12)), 10, top=True)
        side_by_side.add(self._build_right(context), 10, top=True)
        self.side = SideCard(MOST_TICKED)
        vbox(side_by_side, self.side, STRETCH, on=self, margins=(0, 10, 0, 0), gap=12)
        self.map.risk.picked.connect(self._show_map)
        self.map.use.picked.connect(self._show_map)
        self.map.map.opened.connect(self.opened)
        self.model.ticked.connect(self._on_ticked)
        self.model.refused.connect(self._on_refused)
        self.weights.changed.connect(self._on_weights)
        self.weights.settled.connect(self._on_weights_settled)
        self.weights.button.clicked.connect(self._on_best)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)

    def _build_right(self, context: Context) -> QWidget:
        """Return the right side: table of versions, analyses and verdict."""
        card = Card()
        self.model = CandidatesModel(self)
        self.table = CandidatesTable(self.model, _("Versions with their figures"))
        self.table.setProperty("topic", "figure.decision")
        self._note = Text("", tone="text3", factor=0.85)
        self._refused = Strip("note", "", name="strip_most_ticked")
        self.all_analyses = AllAnalyses(context, self)
        self.all_analyses.found.connect(self._on_analysed)
        self.analyses_part = AllAnalysesPart(self.all_analyses)
        fill(card.body, self.table, self._note, self._refused, self.analyses_part)
        self.verdict = VerdictCard()
        return widget_of(vbox(card, self.verdict, STRETCH, gap=12))

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Remove every candidate and reset the axes."""
        self._chunks.stop()
        self._scorecards.forget()
        self.all_analyses.forget()
        self.map.risk.set_current("match")
        self.map.use.set_current("useful")
        self._refused.set("note", "")
        self.show_entry(None)

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show all finished candidates, with this one selected."""
        self._current = entry
        self.weights.show_weights(self._session.decisions.weights)
        self._placed = self._scorecards.all(self._session)
        self._chunks.start(
            [
                self._weigh,
                self._show_table,
                self._show_map,
                self._show_verdict,
                self._on_ticked,
                self.analyses_part.refresh,
            ]
        )

    def _weigh(self) -> None:
        """Weigh the candidates and show which one wins."""
        outcome = outcome_of(self._placed, self.weights.weights)
        self.best = outcome.best
        self.weights.setVisible(len(self._placed) > 1)
        self.weights.show_outcome(outcome)

    def _show_table(self) -> None:
        """Fill the table of versions without moving the selection, and explain its columns."""
        original = self._scorecards.original(self._session)
        rows = table_rows(self._session, self._placed, original, self.best)
        with QSignalBlocker(self.table):
            self.model.show_candidates([candidate.entry for candidate in self._placed], rows)
            if self._current is not None:
                names = self.model.names
                index = names.index(self._current.name) + (len(rows) - len(names))
                if self.table.current_row() != index:
                    selection = self.table.selectionModel()
                    with QSignalBlocker(selection):
                        self.table.select_row(index)
                    self.table.viewport().update()
                    self.table.scrollTo(self.model.index(index, 0))
        people = original.people if original is not None else 0
        text = _(
            (
                "Picked out: number of people, of {n}. Found: share of the people, at most. Predictions: still "
                "correct with a decision tree. Levels: whether everyone has at least their protection level."
            ),
            n=people,
        )
        if self.best:
            usual = not self.weights.decided
            text += " " + (
                _("★: fewest reasons to write, then most useful.") if usual else _("★: best with your weights.")
            )
        if len(self._placed) > 1:
            most = min(MOST_TICKED, len(self._placed))
            text += " " + _("Tick up to {most} versions to compare them.", most=most)
        self._note.setText(text)

    def _show_map(self) -> None:
        """Draw risk against usefulness of all versions for the chosen axes, with table and description."""
        risk, use = self.map.risk.current, self.map.use.current
        original = self._scorecards.original(self._session)
        trade_offs = map_of(self._placed, original, risk, use, self.best)
        title, most = title_of(self._placed), most_of(self._placed, use)
        self.map.set_title(title, most)
        current = self._current.name if self._current is not None else ""
        small = _(
            "{risk} {use} n = {n}.",
            risk=Term(printed(risk)),
            use=Term(printed(use)),
            n=original.people if original is not None else 0,
        )
        scene = map_scene(
            trade_offs.points,
            axes_of(risk, use, original),
            in_sentences([title, most]),
            cells=figure_rows(trade_offs, self._placed, original),
            names=self.map.names,
            small=small,
            current=current,
        )
        self.map.map.set_scene(scene, current)
        self.map.model.set_headers(figure_headers(risk, use))
        self.map.model.set_rows([row.cells for row in scene.rows])
        self.map.set_scale("" if scene.y.low == 0.0 else _("The vertical scale does not start at 0."))
        self.map.set_print(small)
        said = (self._missing_words(trade_offs.missing, risk, use), beyond_words(self._placed, risk))
        self.map.missing.set("note", " ".join(filter(None, said)))

    def _missing_words(self, names: list[str], risk: str, use: str) -> str:
        """Return why candidates are not on the map, empty without any."""
        if not names:
            return ""
        terms = Terms(tuple(map(version_name, names)))
        if use in ("tree", "naive-bayes") and len(names) > 1:
            return _("Not on the map, because not measured yet: {names}. Try the analyses first.", names=terms)
        scorecard = next(candidate.scorecard for candidate in self._placed if candidate.entry.name == names[0])
        note = _why_missing(scorecard, risk, use)
        return _("Not on the map: {names}.", names=terms) + f" {note}".rstrip()

    def _show_verdict(self) -> None:
        """Show the verdict on the current version, and why it falls short of the best."""
        entry = self._current
        is_chosen = entry is not None and self._session.decisions.chosen == entry.name
        text = shortfall(self._scorecards.of(entry)) if entry is not None else ""
        is_best = entry is not None and self.best in ("", entry.name)
        self.verdict.show_entry(entry, is_chosen=is_chosen, is_best=is_best, shortfall=text)

    # --- what a person does -------------------------------------------------------------

    def _on_row(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Report the version in the row that the cursor moved to; the row of the original is none."""
        names = self.model.names
        index = current.row() - (len(self.model.rows) - len(names))
        if 0 <= index < len(names):
            self.opened.emit(names[index])

    def _on_weights(self) -> None:
        """Weigh the figures again; nothing is measured again."""
        self._weigh()
        self._show_table()
        self._show_map()

    def _on_weights_settled(self) -> None:
        """Write the weights into the decisions, so that they are saved and can be undone."""
        self._session.decide(_("Set what matters to you"), weights=self.weights.decided)

    def _on_best(self) -> None:
        """Report the best version as the one to open."""
        if self.best:
            self.opened.emit(self.best)

    def _on_ticked(self) -> None:
        """Show the ticked versions side by side."""
        ticked = self.model.chosen
        if len(ticked) < MOST_TICKED:
            self._refused.set("note", "")
        self.side.show_placed(
            [candidate for candidate in self._placed if candidate.entry.name in ticked], len(self._placed)
        )

    def _on_refused(self) -> None:
        """Say that no more versions can be ticked."""
        self._refused.set("note", _("{n} versions are already ticked. Untick one first.", n=MOST_TICKED))

    def _on_analysed(self) -> None:
        """Show the new analyses, if the page is visible."""
        if self.isVisible():
            self.show_entry(self._current)


def _why_missing(scorecard: Scorecard, risk: str, use: str) -> str:
    """Return why a candidate is not on an axis, in the words of the check concerned."""
    if math.isnan(scorecard.upper(risk)):
        sentence = scorecard.judged(risk).sentence
        return render_kept(sentence.id, sentence.arguments).sentence
    usefulness = scorecard.verdict.usefulness
    return str(getattr(usefulness, use, usefulness.analyses).reason)


MOST_TICKED = 4
_TICK = Qt.ItemDataRole.CheckStateRole


class CandidatesModel(RowsModel):
    """Rows of candidates, the original first; every row except the original can be ticked.

    Signals
    -------
    ticked
        The ticked candidates changed.
    refused
        The user tried to tick more than ``MOST_TICKED``.
    """

    ticked = Signal()
    refused = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(table_headers(), right=(2, 3, 4, 5, 6), parent=parent)
        self._shown: dict[str, int] = {}
        self._ticked: list[int] = []

    def show_candidates(self, entries: Sequence[CandidateEntry], rows: list[tuple[str, ...]]) -> None:
        """Show candidates in rows (one more for the original); ticks of removed candidates are dropped."""
        self._shown = {entry.name: entry.serial for entry in entries}
        kept = [serial for serial in self._ticked if serial in self._shown.values()]
        gone, self._ticked = kept != self._ticked, kept
        self.set_rows(rows)
        if gone:
            self.ticked.emit()

    @property
    def names(self) -> list[str]:
        """Names of the candidates in the order of their rows."""
        return list(self._shown)

    @property
    def chosen(self) -> list[str]:
        """Names of the ticked candidates in the order of their rows."""
        return [name for name, serial in self._shown.items() if serial in self._ticked]

    def _name(self, index: Index) -> str:
        """Return the name of the version in a row, empty in the row of the original."""
        position = index.row() - (len(self.rows) - len(self._shown))
        return self.names[position] if 0 <= position < len(self._shown) else ""

    def flags(self, index: Index) -> Qt.ItemFlag:
        """Return the flags of a cell; the first cell of a candidate can be ticked."""
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsUserCheckable if index.column() == 0 and self._name(index) else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the data of a cell, including the tick and the full name of a candidate."""
        if role == _TICK and index.column() == 0 and self._name(index):
            ticked = self._shown[self._name(index)] in self._ticked
            return Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked
        if role == Qt.ItemDataRole.ToolTipRole and index.column() == 0:
            return plain_tip(str(self.rows[index.row()][0]))
        return super().data(index, role)

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Tick or untick a candidate; return whether it changed. At most ``MOST_TICKED`` can be ticked."""
        serial = self._shown.get(self._name(index))
        if role != _TICK or serial is None:
            return False
        if serial in self._ticked:
            self._ticked.remove(serial)
        elif len(self._ticked) >= MOST_TICKED:
            self.refused.emit()
            return False
        else:
            self._ticked.append(serial)
        self.dataChanged.emit(index, index, [role])
        self.ticked.emit()
        return True


class CandidatesTable(FormTable):
    """Table whose first column gets the spare width, but at least the width of a name; longer names wrap."""

    def __init__(self, model: CandidatesModel, text: str) -> None:
        super().__init__(model, name="table_candidates", label=text, most_rows=14, least=170)
        self.setWordWrap(True)
        self.fit()
