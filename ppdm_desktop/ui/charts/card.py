"""The card of a chart: title sentence, drawing, small print, table of the figures, and a menu to save the picture."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.locales import NO_BREAK
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.save_chart import Picture, SaveChartButton
from ppdm_desktop.ui.charts.turning import Turning, is_turning
from ppdm_desktop.ui.look.accessibility import join_sentences
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import Placed, add_parts, hbox, stretch_part
from ppdm_desktop.ui.widgets.tables.form_table import FormTable


@runtime_checkable
class ShowsScenes(Protocol):
    """A widget that draws scenes (descriptions of single charts)."""

    @property
    def scenes(self) -> tuple[Scene, ...]:
        """The scenes (descriptions of charts) that are drawn, from left to right."""


class ChartCard(Card):
    """A card with a chart that can be switched to a table.

    Parameters
    ----------
    id
        The chart's short name; its buttons are ``button_as_table_<id>`` and ``button_keep_<id>``, its
        table ``table_<id>_figures``.
    chart
        The drawing; it takes keys, and ``T`` anywhere in the card switches to the table.
    model
        The figures of the drawing.
    """

    def __init__(
        self, id: str, chart: QWidget, model: RowsModel, *, label: str, name: str = "", topic: str | None = None
    ) -> None:
        super().__init__(name=name, topic=topic)
        self.chart, self.model = chart, model
        text = _("Show as table")
        self.button = Button(text, name=f"button_as_table_{id}", link=True, checkable=True, clicked=self._on_clicked)
        self.table = FormTable(model, name=f"table_{id}_figures", label=label, most_rows=12)
        self.table.hide()
        self._turning = Turning(self.button, chart, self.table)
        self.scale_line = Text("", tone="text2")
        self.scale_line.hide()
        self.print_line = Text("", tone="text3", factor=0.85)
        self.print_line.hide()
        self.small = ""
        self.legend = hbox()
        foot = hbox(stretch_part(self.print_line), Placed())
        self.keep = SaveChartButton(id, self.picture)
        self.outcome = Strip("passed", "", name=f"strip_kept_{id}")
        self.keep.reported.connect(self.outcome.set)
        foot.addWidget(self.keep, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        foot.addWidget(self.button, 0, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop)
        add_parts(self.body, self.legend, chart, self.table, self.scale_line, foot, self.outcome)

    def show_scene(self, scene: Scene, rows: Sequence[tuple[str, ...]] | None = None) -> None:
        """Draw a scene (the description of a chart), with its title above and its source below.

        The table gets ``rows``, or for None the cells of the scene's own rows.
        """
        assert isinstance(self.chart, DrawnView)
        self.set_title(scene.title)
        self.chart.set_scene(scene)
        self.model.set_rows([row.cells for row in scene.rows] if rows is None else rows)
        self.set_print(scene.source)

    def set_print(self, text: str, hint: str = "") -> None:
        """Show unit, source and number of records in small print, and on a line below it a hint on what a click does.

        Saved pictures omit the hint. "n = 5" is kept on one line. Nothing is shown if both texts are empty.
        """
        # "n =" at the end of a line says nothing.
        self.small = text = text.replace(" = ", f"{NO_BREAK}={NO_BREAK}")
        self.print_line.show_text("\n".join(line for line in (text, hint) if line))

    def set_scale(self, text: str) -> None:
        """Show a warning below the chart, for example that the scale does not start at 0; "" removes the warning."""
        self.scale_line.setText(text)
        self._show_scale()

    def _show_scale(self) -> None:
        """Show the warning about the scale below the chart, and hide it below the table."""
        self.scale_line.setVisible(bool(self.scale_line.text()) and not self.button.isChecked())

    def picture(self) -> Picture:
        """Return the chart as a picture to save, with its title above, and the line on its scale and small print below.

        It is the chart even while the table is shown.
        """
        assert isinstance(self.chart, ShowsScenes)
        below = join_sentences([self.scale_line.text(), self.small])
        return Picture(self.title.text(), self.chart.scenes, below)

    def show_chart(self) -> None:
        """Show the chart instead of the table, and remove the message about a saved picture."""
        if self.button.isChecked():
            self.button.click()
        self.outcome.set("passed", "")

    def _on_clicked(self) -> None:
        """Show the chart or the table as the button says, and label the button with the other view."""
        as_table = self.button.isChecked()
        self._turning.turn(self.chart, as_table=as_table)
        self._show_scale()
        self.button.setText(_("Show as chart") if as_table else _("Show as table"))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Switch between chart and table for T without a modifier key; Qt handles all other keys."""
        if is_turning(event):
            self.button.click()
        else:
            super().keyPressEvent(event)


def scene_card(
    id: str,
    scene: Scene,
    headers: Sequence[str],
    *,
    right: Sequence[int],
    rows: Sequence[tuple[str, ...]] | None = None,
    topic: str | None = None,
) -> ChartCard:
    """Return a new card named ``card_<id>`` that shows a scene (the description of a chart).

    Parameters
    ----------
    headers, right
        Headings of the table, and indices of its columns that are aligned right.
    rows
        Rows of the table; None for those of the scene.
    topic
        Help topic of the card.
    """
    chart = DrawnView(name=f"chart_{id}", label=scene.title)
    card = ChartCard(id, chart, RowsModel(headers, right=right), label=scene.title, name=f"card_{id}", topic=topic)
    card.show_scene(scene, rows)
    return card
