"""Card of the heatmap: filter, legend, map, a sentence on the current cell, and the people behind the cell."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtGui import QKeyEvent

from ppdm_desktop.engine.arrays import Ints, Rows
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.legend import BandLegend
from ppdm_desktop.ui.charts.record_heatmap import COUNT_ROLE, EDGES, FEW_ROWS, HeatModel, HeatView, band_labels
from ppdm_desktop.ui.charts.turning import Turning, is_turning
from ppdm_desktop.ui.look.accessibility import join_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.risk.give_level_card import MoreButton, find_filter_people
from ppdm_desktop.ui.pages.risk.logic import (
    BEYOND,
    Heatmap,
    choose_column_to_omit,
    class_bands,
    first_filter,
    flag_filter_records,
)
from ppdm_desktop.ui.pages.risk.texts import describe_cell, describe_omission, label_band, make_number_writer
from ppdm_desktop.ui.state.level_texts import label_level, level_bars, read_level_labels
from ppdm_desktop.ui.state.number_texts import format_rounded_count, shorten_common_prefix
from ppdm_desktop.ui.state.session import Assessment, Session
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.batch_visibility import lay_out_once
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import STRETCH, Placed, SideBySide, add_parts, hbox, stretch_part, vbox, widget_of
from ppdm_desktop.ui.widgets.tables.form_table import FormTable

_MOST_IN_TABLE = 500
_BANDS = 308
"""Least width of the legend in pixels at 100 % text size, with all its bands on one line."""


def _label_count(label: str, count: int) -> str:
    """Return a label with a number of people behind it, such as "Unique: 12"."""
    return f"{label}: {format_rounded_count(int(count))}"


class HeatCard(Card):
    """Heatmap of records and columns that shows which values single a person out."""

    people_wanted = Signal(int, str)

    def __init__(self, session: Session) -> None:
        super().__init__(_("Which value makes this person recognisable?"), topic="figure.unique")
        self._session = session
        self._heatmap: Heatmap | None = None
        self._cell: tuple[int, str] | None = None
        self._decided = True
        self._wanted = ""
        self._tenths: Ints | None = None
        head = SideBySide(below=420)
        legend_text = _("People with the same details if this one value were hidden:")
        bands = BandLegend(legend_text, EDGES, "risk", band_labels(), spread=False, has_visible_label=False)
        theme().bound(bands, least_wide=_BANDS)
        head.add(widget_of(vbox(Text(legend_text, tone="text2", factor=0.9), bands, gap=4)), 1)
        self.filter = Choice(name="filter_heat_records", label=_("People shown"), picked=self._on_filter)
        self.filter.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToContents)
        head.add(self.filter, 0, top=True)
        self._model = HeatModel(_("Level"))
        self.view = HeatView(self._model, name="heat_records", label=self.title.text())
        self._rows = RowsModel([])
        self.table = FormTable(
            self._rows, name="table_heat_figures", label=self.title.text(), stretch=-1, most_rows=12, grows=True
        )
        self.table.hide()
        self._wait = Text(_("These figures are being worked out."), tone="text2", name="label_heat_wait")
        self._show_them = Button(_("Show them"), name="button_show_alike", link=True, clicked=self._on_show)
        self.strip = Strip("note", "", self._show_them, name="strip_heat")
        add_parts(self.body, head, stretch_part(self.view), stretch_part(self.table), self._wait, self.strip)
        self.more = MoreButton(name="button_more_heat")
        self._small = Text("", tone="text3", factor=0.85)
        self._as_table = Button(_("Show as table"), name="button_as_table_heat", link=True, checkable=True)
        self._turning = Turning(self._as_table, self.view, self.table)
        add_parts(self.body, hbox(self.more, STRETCH), hbox(stretch_part(self._small), self._as_table), Placed())
        self._model.modelReset.connect(self._on_rows)
        self.view.cell_chosen.connect(self._on_cell)
        self._as_table.clicked.connect(self._on_as_table)
        self.show_heat(None)

    def _on_rows(self) -> None:
        """Give unused height to the end of the card if the map has at most ``FEW_ROWS`` rows, else to the map."""
        self.body.setStretch(self.body.count() - 1, 1 if self._model.rowCount() <= FEW_ROWS else 0)

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Show the map instead of the table, remove its rows, and forget the chosen filter and the clicked cell."""
        self._wanted, self._cell = "", None
        if self._as_table.isChecked():
            self._as_table.setChecked(False)
            self._on_as_table()
        self.show_heat(None)

    @lay_out_once
    def show_heat(self, heatmap: Heatmap | None, *, decided: bool = True) -> None:
        """Show the heatmap of a risk assessment with its filters, or the table while its button is pressed.

        The chosen filter stays unless it would show nobody; then the first filter that shows anybody is chosen. Without
        a map, a placeholder is shown. Nothing is drawn again for the same map; another map removes the tenths of
        ``show_tenths`` and selects the first record's strongest cell as an example.

        Parameters
        ----------
        heatmap
            The counted map; None while it is being counted.
        decided
            False for a previewed change. Then people cannot be given a level, because levels depend on the original.
        """
        is_new = heatmap is not self._heatmap
        self._decided, self._heatmap = decided, heatmap
        ready = heatmap is not None
        self._wait.setVisible(not ready)
        self.view.setVisible(ready and not self._as_table.isChecked())
        self.table.setVisible(ready and self._as_table.isChecked())
        self._as_table.setVisible(ready)
        self.filter.setEnabled(ready)
        self._offer_more()
        if not is_new:
            return
        self._cell = self._tenths = None
        self.strip.set("note", "")
        if heatmap is None:
            self._model.clear()
            self.set_title(self.title.text(), "")
            self._small.setText("")
            return
        assessment = heatmap.assessment
        key = self._choose_filter(assessment)
        self._offer_more()
        table, levels = assessment.prepared.table, assessment.prepared.level_map
        marks = []
        if table.levels is not None:
            level_labels = read_level_labels(assessment.prepared.recipe)
            marks = [
                (level_bars(level, levels), label_level(level.name, level_labels)) for level in table.levels.levels
            ]
        self._model.set_table(table, heatmap.contributions, self._sort_filtered_rows(key), marks)
        self._show_explanation(heatmap)
        self.view.choose_strongest()

    def _offer_more(self) -> None:
        """Offer a higher protection level for the people whom the filter shows.

        The offer is hidden for a previewed change, before the map is counted, and if the filter shows nobody.
        """
        whom = None
        if self._decided and self._heatmap is not None and self.filter.current:
            whom = find_filter_people(self._heatmap.assessment, self.filter.current)
        self.more.offer(self._session, whom)

    def show_tenths(self, tenths: Ints | None) -> None:
        """Show how much each unique person also stands out among people outside the file, and offer to sort by it.

        ``tenths`` has shape (rows,): 1 for the tenth of unique people who stand out most, up to 10, and 0 for other
        rows; None removes it. Nothing happens before the map is counted, or for the same array as before. The text
        below the map then explains the tenths, and the records of the chosen filter are shown anew.
        """
        if tenths is self._tenths or self._heatmap is None:
            return
        self._tenths = tenths
        self._model.set_tenths(tenths)
        text = _("Of the unique people, tenth 1 stands out most beyond this file. This is an order, not a chance.")
        self._show_explanation(self._heatmap)
        if tenths is not None:
            self._small.setText(f"{self._small.text()} {text}")
        self._on_filter(self._choose_filter(self._heatmap.assessment))

    def _show_explanation(self, heatmap: Heatmap) -> None:
        """Show above the map the column without which fewest people are unique, and below it how to read the map.

        The text above is empty if removing one column never helps. Screen readers get title, text and the first cells
        of the first row as a description of the map.
        """
        best, unique_people = choose_column_to_omit(heatmap.contributions), heatmap.assessment.risk.unique_people
        caption = ""
        if unique_people and best is not None and best[1] < unique_people:
            caption = describe_omission(best[0], best[1], unique_people)
        self.set_title(_("Which value makes this person recognisable?"), caption)
        self._small.setText(_("One line per row, the highest risk first. Each cell shows the value."))
        strongest = [
            str(self._model.index(0, column).data(0x0B) or "") for column in range(1, min(self._model.columnCount(), 4))
        ]
        self.view.setAccessibleDescription(join_sentences([self.title.text(), caption, *strongest]))

    def _choose_filter(self, assessment: Assessment) -> str:
        """Offer the filters, choose one and return its key, such as "alone".

        It is the one that the user chose last or, if that is not offered or would show nobody, the first that shows
        anybody.
        """
        keys = self._offer_filters(assessment)
        is_wanted = self._wanted in keys and flag_filter_records(assessment, self._wanted).any()
        key = self._wanted if is_wanted else first_filter(assessment)
        self.filter.set_current(key)
        return key

    def _offer_filters(self, assessment: Assessment) -> list[str]:
        """Offer the filters of the map with the number of people in each, and return their keys in order.

        All but the bands are offered even if they show nobody. They are:

        - unique people;
        - unique people sorted by how much they stand out beyond the file, if this was computed (without a number);
        - people in groups below the limit;
        - people in groups with a single confidential value, if this was judged;
        - everyone;
        - each band of group sizes, from 2 people, that has anybody.
        """
        risk, least = assessment.risk, assessment.prepared.type.k_min
        choices = [("alone", _label_count(_("Unique"), risk.unique_people))]
        below = risk.judged.below(least)
        choices.append(("below", _label_count(_("In groups smaller than {k}", k=least), below)))
        if risk.judged.overall is not None:
            people = int(risk.judged.collective.sum())
            choices.append(("collective", _label_count(_("In a group with the same value"), people)))
        choices.append(("all", _label_count(_("All"), risk.records)))
        bands = (band for band in class_bands(assessment) if band.low > 1 and band.people)
        choices += [(band.key, _label_count(label_band(band), band.people)) for band in bands]
        if self._tenths is not None:
            choices.insert(1, (BEYOND, _("Stands out beyond this file")))
        self.filter.set_choices(choices)
        return [key for key, _ in choices]

    def _sort_filtered_rows(self, key: str) -> Rows:
        """Return the indices of the rows that a filter (``key``) shows, shape (shown,), in the order of the map.

        First come rows that match most people when one column is ignored. The filter ``beyond`` sorts unique people
        by how much they stand out beyond the file instead, tenth 1 first.
        """
        assert self._heatmap is not None
        selected = flag_filter_records(self._heatmap.assessment, key)
        rows = self._heatmap.order[selected[self._heatmap.order]]
        if key == BEYOND and self._tenths is not None:
            return rows[np.argsort(self._tenths[rows], kind="stable")]
        return rows

    def show_filter(self, key: str) -> None:
        """Choose the filter with this key and show its records.

        Nothing happens if it is not offered or the map is not counted.
        """
        if self._heatmap is not None and self.filter.findData(key) >= 0:
            self.filter.set_current(key)
            self._on_filter(key)

    # --- slots --------------------------------------------------------------------------

    def _on_filter(self, key: str) -> None:
        """Show the records of the chosen filter, and the first one's strongest cell as an example.

        The strongest cell is that of the column without which most people would match. The filter is remembered for
        later maps. Nothing happens before the map is counted.
        """
        if self._heatmap is not None:
            self._wanted, self._cell = key, None
            self.strip.set("note", "")
            self._model.set_rows(self._sort_filtered_rows(key))
            self._offer_more()
            self.view.choose_strongest()
            if self._as_table.isChecked():
                self._fill_table()

    def _on_cell(self, row: int, column: int) -> None:
        """Show how many people would share a record's details if the value of the clicked cell were not known.

        The record's own person is counted; a button offers to list them if they are more than one. Nothing happens in
        the columns for the level and for the order.
        """
        name = self._model.name_at(column)
        if name is None:
            return
        index = self._model.index(row, column)
        self._cell = (self._model.record_at(row), name)
        text = describe_cell(self._model.number_at(row), name, str(index.data()), int(index.data(COUNT_ROLE)))
        self.strip.set("note", text)
        self._show_them.setVisible(int(index.data(COUNT_ROLE)) > 1)

    def _on_show(self) -> None:
        """Send ``people_wanted`` with the record's index and the column of the clicked cell, if there is one."""
        if self._cell is not None:
            self.people_wanted.emit(*self._cell)

    def _on_as_table(self) -> None:
        """Show the table while its button is pressed, else the map; the button's label says what a click does."""
        as_table = self._as_table.isChecked()
        self._as_table.setText(_("Show as chart") if as_table else _("Show as table"))
        if as_table:
            self._fill_table()
        self._turning.turn(as_table=as_table)

    def _fill_table(self) -> None:
        """Fill the table with the first 500 records of the filter; nothing before the map is counted.

        A row has the row number and, for each quasi-identifier, how many people would match the record if that one were
        not known.
        """
        heat = self._heatmap
        if heat is None:
            return
        records = self._sort_filtered_rows(self.filter.current)[:_MOST_IN_TABLE]
        numbers = heat.assessment.prepared.table.row_numbers[records]
        rows = [
            (make_number_writer().place(int(row)), *(format_rounded_count(int(people)) for people in counts))
            for row, counts in zip(numbers, heat.contributions.of_records(records), strict=True)
        ]
        model = RowsModel(
            [_("Row"), *shorten_common_prefix(heat.contributions.scope)],
            right=range(len(heat.contributions.scope) + 1),
            parent=self,
        )
        model.set_rows(rows)
        old, self._rows = self._rows, model
        self.table.show_model(model)
        old.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Switch between map and table for T without a modifier key, if there is a map; Qt handles all other keys."""
        if is_turning(event) and self._as_table.isVisible():
            self._as_table.click()
        else:
            super().keyPressEvent(event)
