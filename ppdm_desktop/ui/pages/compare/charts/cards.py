"""Before and after: the card of one column, and the card of one step."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QGridLayout

from ppdm_desktop.engine.report.bars import Bar, bars_scene
from ppdm_desktop.engine.report.scene.shares import share_words
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.numbers import change_header, change_words
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.logic import Before
from ppdm_desktop.ui.pages.compare.groups import GroupSizesCard
from ppdm_desktop.ui.pages.compare.steps import StepWordsOf, proof_headers
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.layout import fill
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import KeptTable, NamedRows


class MarginalCard(ChartCard):
    """One column: its shares before and after, or how wide its ranges are."""

    def __init__(self, shown: Before, name: str) -> None:
        if shown.spans:
            of = shown.records[1]
            spans = [
                PartsRow(words, (share,), (share_words(share, of),), alarming=False) for words, share in shown.spans
            ]
            scene = parts_scene(shown.title, shown.small, spans)
            model = NamedRows([_("A released range covers"), _("People")], right=(1,))
        else:
            before, after = (
                [Bar(share, of=of) for share in shares]
                for shares, of in zip((shown.before, shown.after), shown.records, strict=True)
            )
            scene = bars_scene(
                shown.title, shown.small, shown.labels, [("original", _("original"), before), ("released", name, after)]
            )
            model = NamedRows([shown.name, _("Original"), name, change_header(*shown.records)], right=(1, 2, 3))
        chart = DrawnView(name=f"chart_marginal_{shown.name}", words=shown.title)
        super().__init__(f"marginal_{shown.name}", chart, model, words=shown.title)
        chart.set_scene(scene)
        self.setProperty("topic", "figure.totals")
        self.set_title(shown.title)
        self.body.insertWidget(0, Severity(shown.severity, shown.word))
        if shown.spans:
            model.set_rows([row.cells for row in scene.rows])
        else:
            changes = (
                change_words(before, after, *shown.records)
                for before, after in zip(shown.before, shown.after, strict=True)
            )
            model.set_rows([(*row.cells, change) for row, change in zip(scene.rows, changes, strict=True)])
        self.set_print(shown.small)
        if shown.remedy:
            self.body.addWidget(Text(shown.remedy, tone="text2", factor=0.9))


class StepCard(Card):
    """What one step did: promise, recount, own figures, proof for each level."""

    def __init__(self, step_words_of: StepWordsOf) -> None:
        super().__init__(
            _("Step {n}: {title}", n=step_words_of.index, title=Term(step_words_of.title)), step_words_of.what
        )
        self.setObjectName(f"card_step_{step_words_of.index}")
        self.setProperty("topic", "figure.levels")
        word = _("Promise kept") if step_words_of.holds else _("Promise not kept")
        fill(self.body, Severity("passed" if step_words_of.holds else "blocks", word), Text(step_words_of.guarantee))
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        if step_words_of.detail:
            for row, (text, figure) in enumerate(step_words_of.detail):
                self._grid.addWidget(Text(text, tone="text2"), row, 0)
                self._grid.addWidget(Text(figure), row, 1)
            self._fit()
            theme().changed.connect(self._fit)
            self.body.addLayout(self._grid)
        for note in step_words_of.notes:
            self.body.addWidget(Text(f"•  {note}", tone="text2", factor=0.95))
        if step_words_of.sizes is not None:
            self.body.addWidget(GroupSizesCard(step_words_of.index, *step_words_of.sizes))
        if step_words_of.proof:
            model = NamedRows(proof_headers(), right=(2, 3, 4), parent=self, names=2)
            model.set_rows(step_words_of.proof)
            text = _("Evidence for step {n}", n=step_words_of.index)
            table = KeptTable(model, name=f"table_proof_{step_words_of.index}", words=text, stretch=1)
            table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
            fill(self.body, Text(_("Evidence for each protection level"), semibold=True), table)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the new width."""
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Give the words one line each while there is room, never more than half of the card."""
        theme().gaps(self._grid, 14, 2)
        self._grid.setColumnMinimumWidth(0, min(theme().px(285), self.width() // 2))
