"""Tab "Rows": original and release side by side, scrolling together, with buttons from change to change."""

from __future__ import annotations

from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, QSize, Signal
from PySide6.QtGui import QFontMetrics, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QBoxLayout, QHeaderView, QVBoxLayout

from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.diff_model import CellDelegate, DiffDelegate, DiffModel
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.compare.rows.texts import (
    count_changes_by_kind,
    describe_cell,
    describe_legend,
    describe_pairing,
    format_titles,
)
from ppdm_desktop.ui.state.diff import (
    EVERYTHING,
    KINDS,
    Diff,
    compute_change_density,
    filter_diff_rows,
    find_change_stops,
    make_diff,
    next_change,
)
from ppdm_desktop.ui.state.level_texts import label_level, level_bars
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Card, FailureStrip, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button, Segments
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import FitsOnResize, Flow, Panel, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.level_choice import level_icon
from ppdm_desktop.ui.widgets.tables.data_table import DataTable
from ppdm_desktop.ui.widgets.tables.minimap import Minimap
from ppdm_desktop.ui.work.tasks import TaskOutcome

_MARKS_BELOW = 560
_WHERE_FOUND = ("coarser", "removed")  # offered only where there are some


class ChangeFilters(Flow):
    """Filters for the kind of change, column and protection level, with buttons to the next and previous change.

    Signals
    -------
    changed
        Another choice was made.
    """

    changed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.kinds = Segments(
            [(kind, kind) for kind in (EVERYTHING, *KINDS)],  # what they are called, `fit` says
            name="filter_changes",
            chosen=self.changed,
        )
        self._change_counts: dict[str, int] = {}
        self.columns = self._make_filter_choice("filter_column", _("Changes in column"), 14)
        self.levels = self._make_filter_choice("filter_level", _("Protection level"), 12)
        self.button_previous = Button(_("Previous change  Shift+F8"), name="button_previous_change", icon="up")
        self.button_next = Button(_("Next change  F8"), name="button_next_change", icon="down")
        for widget in (self.kinds, self.columns, self.levels, self.button_previous, self.button_next):
            self.add(widget)
        self.forget()

    def _make_filter_choice(self, name: str, text: str, letters: int) -> Choice:
        """Return a new drop-down list for one of the filters.

        Parameters
        ----------
        name
            Object name.
        text
            Label.
        letters
            Width in letters.
        """
        return Choice(name=name, label=text, picked=self.changed, letters=letters)

    @property
    def kind(self) -> str:
        """The chosen kind of change, a key of ``KINDS``, or ``EVERYTHING`` for all rows."""
        return self.kinds.current

    @property
    def column(self) -> int | None:
        """Index of the column in which changes are looked for, None for all columns."""
        return int(self.columns.current) if self.columns.current else None

    @property
    def level(self) -> int | None:
        """Code of the protection level whose people are shown, None for all levels."""
        return int(self.levels.current) if self.levels.current else None

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Reset the filters to all rows, offer no columns and levels, and disable the buttons to the next change."""
        self._change_counts = {}
        self.kinds.set_current(EVERYTHING)
        self.columns.set_choices([("", _("All columns"))], "")
        self.levels.set_choices([("", _("Every level"))], "")
        self.levels.hide()
        self.set_jumps(False)
        self.fit(self.width())

    def set_diff(self, diff: Diff) -> None:
        """Offer the kinds of change, released columns and levels of a comparison of original and release (``diff``).

        Kinds in ``_WHERE_FOUND`` are offered only if they occur, levels if there are several. Each present choice is
        kept if it is still offered, else set to all. If released rows do not correspond to original rows, kinds and
        columns are disabled and levels hidden. ``changed`` is not sent.
        """
        self._change_counts = count_changes_by_kind(diff)
        if not self._change_counts.get(self.kinds.current, 1) and self.kinds.current in _WHERE_FOUND:
            self.kinds.set_current(EVERYTHING)
        self.fit(self.width())
        self.kinds.setEnabled(diff.rows_correspond)
        keep, names = self.columns.currentText() if self.columns.current else "", list(diff.released.names)
        columns = [("", _("All columns")), *((str(n), name) for n, name in enumerate(names))]
        self.columns.set_choices(columns, str(names.index(keep)) if keep in names else "")
        self.columns.setEnabled(diff.rows_correspond)
        levels = diff.levels.levels if diff.levels is not None else ()
        kept = self.levels.current
        choices = [
            ("", _("Every level")),
            *((str(n), label_level(level.name, diff.level_labels)) for n, level in enumerate(levels)),
        ]
        self.levels.set_choices(choices, kept if kept and int(kept) < len(levels) else "")
        self.levels.setVisible(len(levels) > 1 and diff.rows_correspond)

    def set_jumps(self, there: bool) -> None:
        """Enable the buttons to the next and previous change, or disable them (``there`` is False)."""
        for button in (self.button_next, self.button_previous):
            button.setEnabled(there)

    def fit(self, width: int) -> None:
        """Label the kinds of change with their counts, or only by their signs if ``width`` (pixels) is too small.

        Screen readers get the counts in any case. Too small is below 560 px at 100 % text size, or less than the labels
        need. Kinds in ``_WHERE_FOUND`` are hidden if no cell or row has them.
        """
        counts = self._change_counts
        long = {
            EVERYTHING: _("All rows"),
            "any": _("Any change"),
            "changed": _("Another value: {n}", n=counts.get("changed", 0)),
            "hidden": _("Hidden: {n}", n=counts.get("hidden", 0)),
            "coarser": f"{_('Broader')}: {format_rounded_count(counts.get('coarser', 0))}",
            "removed": _("Removed: {n}", n=counts.get("removed", 0)),
        }
        signs = {"changed": "≠", "hidden": "▨", "coarser": "≈", "removed": "×"}
        brief = {EVERYTHING: _("All"), "any": _("Any"), **signs}
        for key in _WHERE_FOUND:
            self.kinds.set_visible(key, bool(counts.get(key, 0)))
        for key, text in long.items():
            self.kinds.set_label(key, text)
        # A million rows have counts of many digits: what they need is measured.
        short = width < theme().px(_MARKS_BELOW) or width < self.kinds.sizeHint().width()
        for key, text in long.items():
            self.kinds.set_label(key, brief[key] if short else text)
            self.kinds.set_name(key, text)

    def minimumSizeHint(self) -> QSize:
        """Return a minimum size as wide as the widest control, without the kinds of change.

        The kinds do not count because their labels can shrink to signs.
        """
        neighbours = (self.columns, self.levels, self.button_previous, self.button_next)
        wide = max(widget.minimumSizeHint().width() for widget in neighbours if not widget.isHidden())
        return QSize(wide, super().minimumSizeHint().height())


_JOB = "diff"
_STACKED_BELOW = 620


class RowsTab(FitsOnResize, Panel):
    """Two tables, original and release, that share scrolling, current cell and filter."""

    def __init__(self, context: Context) -> None:
        super().__init__(name="tab_rows")
        self._context = context
        self._entry: CandidateEntry | None = None
        self._wanted: CandidateEntry | None = None
        self._compared = 0
        self.diff: Diff | None = None
        self._jumps = np.empty(0, dtype=np.int64)
        self._locked = False
        column = vbox(on=self, margins=(0, 10, 0, 0), gap=8)
        self.failure = FailureStrip(name="strip_diff_failed")
        self.failure.clear()
        self.filters = ChangeFilters()
        self.filters.changed.connect(self._apply_filter)
        self.filters.button_next.clicked.connect(self.go_next)
        self.filters.button_previous.clicked.connect(self.go_previous)
        self.note = Strip("note", "")
        add_parts(column, self.failure, self.filters, self.note, stretch_part(self._build_tables()), self._build_foot())
        for keys, slot in (("F8", self.go_next), ("Shift+F8", self.go_previous)):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)
        theme().changed.connect(self._on_theme)
        self._adapt_to_size()

    # --- building -----------------------------------------------------------------------

    def _build_tables(self) -> QBoxLayout:
        """Return the area with both tables (original and release), which scroll together, and the strip beside them."""
        hidden = _("▨ hidden")
        self._models = (
            DiffModel(marks=False, hidden_text=hidden, parent=self),
            DiffModel(marks=True, hidden_text=hidden, removed_text=_("▨ removed"), parent=self),
        )
        self.setProperty("topic", "page.compare")
        self.original = DataTable(self._models[0], name="table_diff_original", label=_("Original"), copy=False)
        self.released = DataTable(self._models[1], name="table_diff_released", label=_("Released"), copy=True)
        self._sides = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        theme().gap(self._sides, 8)
        self._titles: list[Text] = []
        for view, model, title in (
            (self.original, self._models[0], _("Original")),
            (self.released, self._models[1], _("Released")),
        ):
            card = Card()
            theme().space(card.body, 1, 8, 1, 1, 8)
            head = Text(title, semibold=True, sides=10)
            self._titles.append(head)
            theme().bound(view, least_wide=160)
            view.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
            view.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
            view.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
            view.setItemDelegate(DiffDelegate(view, model) if view is self.released else CellDelegate(view))
            add_parts(card.body, head, stretch_part(view))
            self._sides.addWidget(card, 1)
        self.minimap = Minimap(
            _("Overview of all rows: hidden left, broader in the middle, another value right. Click to jump.")
        )
        self.minimap.jumped.connect(self._on_jumped)
        whole = hbox(stretch_part(self._sides), self.minimap, gap=8)
        self._synchronise_tables()
        return whole

    def _build_foot(self) -> QVBoxLayout:
        """Return the lines below the tables: what happened to the present cell, and the legend."""
        self.label_cell = Text("", semibold=True, name="label_cell")
        self.legend = Text(describe_legend(None), tone="text2", factor=0.9)
        return vbox(self.label_cell, self.legend, gap=2)

    def _synchronise_tables(self) -> None:
        """Connect both tables, so that from now on they share scrolling, column widths and the current cell.

        The current cell is shared only if rows correspond or are in groups. The strip that gives an overview of all
        rows follows the scrolling of the released table.
        """
        for view, partner in ((self.original, self.released), (self.released, self.original)):
            for bar, tied in (
                (view.verticalScrollBar(), partner.verticalScrollBar()),
                (view.horizontalScrollBar(), partner.horizontalScrollBar()),
            ):
                bar.valueChanged.connect(tied.setValue)
            view.horizontalHeader().sectionResized.connect(self._on_resized)
            view.selectionModel().currentChanged.connect(self._on_current)
        self.released.verticalScrollBar().valueChanged.connect(self._mark_visible_rows)
        self.released.verticalScrollBar().rangeChanged.connect(self._mark_visible_rows)

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Remove all rows and the comparison, reset the filters, and empty the lines of text."""
        self.failure.clear()
        self._entry, self._wanted, self._compared, self.diff = None, None, 0, None
        self._jumps = np.empty(0, dtype=np.int64)
        for title, text in zip(self._titles, (_("Original"), _("Released")), strict=True):
            title.setText(text)
        self.filters.forget()
        self.note.set("note", "")
        for model in self._models:
            model.set_diff(None, None)
        self.label_cell.setText("")
        self.legend.setText(describe_legend(None))
        self.minimap.set_shares((), (), ())

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Compute a candidate's comparison with the original in the background, and show its rows afterwards.

        Nothing happens if it is the candidate of the last call. None, or an unfinished candidate, leaves the displayed
        rows as they are.
        """
        serial = entry.serial if entry is not None else 0
        if entry is self._wanted and serial == self._compared:
            return
        self._wanted, self._compared = entry, serial
        if entry is None or entry.candidate is None:
            return
        self._context.runner.start(_JOB, partial(make_diff, entry.candidate), self._on_diff)

    def _on_diff(self, outcome: TaskOutcome) -> None:
        """Show the comparison that was computed, or why that failed; nothing if its candidate was deleted meanwhile.

        After a failure the former rows stay, and the next ``show_entry`` tries again.
        """
        if self._wanted is None:
            return
        if not outcome.ok:
            self.failure.set_outcome(outcome)
            self._wanted = self._entry
            return
        self.failure.clear()
        self._entry = self._wanted
        self.set_diff(outcome.result)

    def set_diff(self, diff: Diff) -> None:
        """Show a comparison in both tables, with headings, note and filters.

        The present filters stay if they are still possible, and only rows that pass them are shown.
        """
        self.diff = diff
        name = self._entry.display_name if self._entry is not None else ""
        for title, title_word in zip(self._titles, format_titles(diff, name), strict=True):
            title.setText(title_word)
        self.filters.set_diff(diff)
        self.note.set("note", describe_pairing(diff))
        for view, model in zip((self.original, self.released), self._models, strict=True):
            view.setUpdatesEnabled(False)
            model.set_diff(diff, None)
            view.setUpdatesEnabled(True)
        self._fit_columns()
        self._apply_filter()

    def _apply_filter(self) -> None:
        """Show only the rows that pass the filters, and make the first change among them the current cell.

        If all rows are to be shown, or no change passes the filters, the first cell becomes the current one; if no row
        passes, a text says so. The buttons to the next change and the overview strip follow the rows shown. Rows are
        not filtered if released ones do not correspond to original ones. Nothing happens without a comparison.
        """
        diff = self.diff
        if diff is None:
            return
        rows = filter_diff_rows(diff, self.filters.kind, self.filters.column, self.filters.level)
        self._locked = True
        if diff.rows_correspond:
            for model in self._models:
                model.set_rows(rows)
        self._locked = False
        visible_rows = self._models[1].rows
        self._jumps = find_change_stops(diff, visible_rows, self.filters.column)
        self.filters.set_jumps(len(self._jumps) > 0)
        if len(visible_rows):
            first = next_change(diff, visible_rows, self._jumps, (0, -1), self.filters.column)
            wanted = first if first is not None and self.filters.kind != EVERYTHING else (0, 0)
            self._set_current_cell(self._models[1].index(*wanted))
        else:
            self.label_cell.setText(_("No row matches this filter."))
        self._show_map()
        self._mark_visible_rows()

    def _set_current_cell(self, index: QModelIndex) -> None:
        """Make a cell of the released table current, scroll to it and describe it, even if it already was current.

        The same cell of the original becomes current as by ``_on_current``.
        """
        self.released.setCurrentIndex(index)
        self.released.scrollTo(index)
        self._on_current(index, index)

    def _show_map(self) -> None:
        """Fill the strip beside the tables with the shares of rows hidden, generalised and changed, and the legend.

        Nothing happens without a comparison.
        """
        if self.diff is not None:
            self.minimap.set_shares(*compute_change_density(self.diff, self._models[1].rows, self.minimap.buckets))
            self.legend.setText(describe_legend(self.diff))

    def _mark_visible_rows(self) -> None:
        """Frame, in the overview strip, the part of the released table that is on the screen.

        Its edges are shares of all displayed rows: rows 1 to 50 of 200 give 0 to 0.25.
        """
        rows = max(self._models[1].rowCount(), 1)
        top = max(self.released.rowAt(0), 0)
        last = self.released.rowAt(self.released.viewport().height() - 1)
        self.minimap.set_view(top / rows, (last + 1 if last >= 0 else rows) / rows)

    def _fit_columns(self) -> None:
        """Mark original rows with their protection levels, and give equal columns of both tables the same width.

        Marks are as by ``mark_levels``, widths as by ``share_widths``; both tables get the same least height. Without a
        comparison only the widths are set.
        """
        self._locked = True
        if self.diff is not None:
            mark_levels(self.original, self._models[0], self.diff)
            # Of all rows, so that a filter does not move the page.
            share_heights(self.original, self.released, max(self.diff.original.rows, self.diff.released_rows))
        share_widths(self.original, self.released)
        self._locked = False

    def _on_theme(self) -> None:
        """Adapt layout, filters and column widths to the new text size of the theme; keep the current cell visible."""
        self._adapt_to_size()
        self._fit_columns()
        if self.released.currentIndex().isValid():
            self.released.scrollTo(self.released.currentIndex())

    # --- moving -------------------------------------------------------------------------

    def go_next(self) -> None:
        """Go to the next change in the columns that the filter allows; after the last change to the first."""
        self._go_to_change(back=False)

    def go_previous(self) -> None:
        """Go to the previous change in the columns that the filter allows; before the first change to the last."""
        self._go_to_change(back=True)

    def _go_to_change(self, *, back: bool) -> None:
        """Make the next change, or the previous one (``back``), the current cell; nothing if there is no change.

        After the last change the first one follows, and backwards before the first the last. Changes are cells changed
        or hidden and rows removed, generalised cells only if there is nothing else, or the first rows of groups; of
        these only those that the filters allow (see ``find_change_stops``).
        """
        if self.diff is None:
            return
        current = self.released.currentIndex()
        at = (current.row(), current.column()) if current.isValid() else (0, -1)
        cell = next_change(self.diff, self._models[1].rows, self._jumps, at, self.filters.column, back=back)
        if cell is not None:
            self._set_current_cell(self._models[1].index(*cell))

    def _on_jumped(self, share: float) -> None:
        """Move to the row at a clicked height of the strip; nothing happens without rows.

        ``share`` is the height from 0 (top) to 1.
        """
        rows = self._models[1].rowCount()
        if rows:
            row = min(int(share * rows), rows - 1)
            column = max(self.released.currentIndex().column(), 0)
            self.released.setCurrentIndex(self._models[1].index(row, column))

    def _on_resized(self, column: int, _old: int, new: int) -> None:
        """Give a column that was resized in one table the same width in the other.

        Nothing happens while the program itself sets the widths.
        """
        if not self._locked:
            self._locked = True
            for view in (self.original, self.released):
                view.setColumnWidth(column, new)
            self._locked = False

    def _on_current(self, current: QModelIndex, _previous: QModelIndex) -> None:
        """Describe the cell that became current, and make the same cell current in the other table.

        The other table keeps its cell if its rows do not correspond and are not in groups. Nothing happens for an
        invalid cell, without a comparison, and while the program itself changes the tables.
        """
        if self._locked or self.diff is None or not current.isValid():
            return
        self._locked = True
        together = self.diff.rows_correspond or self.diff.groups is not None
        for view in (self.original, self.released):
            model = view.columns_model()
            at = view.currentIndex()
            elsewhere = (at.row(), at.column()) != (current.row(), current.column())
            if together and elsewhere and current.row() < model.rowCount():
                view.setCurrentIndex(model.index(current.row(), current.column()))
            view.viewport().update()
        self._locked = False
        self._show_cell_change(current)

    def _show_cell_change(self, current: QModelIndex) -> None:
        """Show in words what happened to the current cell; empty without a comparison or beyond its rows."""
        inside = self.diff is not None and current.row() < len(self._models[1].rows)
        text = ""
        if inside and self.diff is not None:
            text = describe_cell(self.diff, self._models[1].row_at(current.row()), current.column())
        self.label_cell.setText(text)

    # --- size ---------------------------------------------------------------------------

    def _adapt_to_size(self) -> None:
        """Put the tables below each other if the tab is narrow, else side by side, and fit the labels of the filters.

        Narrow is below 620 px at 100 % text size.
        """
        stacked = self.width() < theme().px(_STACKED_BELOW)
        self._sides.setDirection(QBoxLayout.Direction.TopToBottom if stacked else QBoxLayout.Direction.LeftToRight)
        self.filters.fit(self.width())


_WIDEST = 180
_AROUND_HEAD, _BAR = 12, 12
_LEAST_ROWS = 3
"""Least number of visible rows; with more, two tables below each other would not fit at 200 % text size."""


def mark_levels(view: DataTable, model: DiffModel, diff: Diff) -> None:
    """Mark each row of a table with its protection level, or remove the marks, and fit the table's widths.

    Marks are removed if all rows have one level or none is known, or if released rows do not correspond to original
    rows.
    """
    levels = diff.levels
    if levels is None or not diff.rows_correspond or len(np.unique(levels.codes)) < 2:
        model.set_level_marks([])
        view.fit()
        return
    level_map = LevelMap()
    model.set_level_marks(
        [
            (level_icon(level_bars(level, level_map)), label_level(level.name, diff.level_labels))
            for level in levels.levels
        ]
    )
    view.fit()
    view.verticalHeader().setFixedWidth(view.verticalHeader().width() + theme().px(26))


def share_widths(first: DataTable, second: DataTable) -> None:
    """Give each column in both tables the larger of its two widths, at most 180 px at 100 % text size."""
    for column in range(second.columns_model().columnCount()):
        width = min(max(first.columnWidth(column), second.columnWidth(column)), theme().px(_WIDEST))
        first.setColumnWidth(column, width)
        second.setColumnWidth(column, width)


def share_heights(first: DataTable, second: DataTable, rows: int) -> None:
    """Make both tables at least high enough for headings and three rows, or ``rows`` rows (at least one) if fewer."""
    visible_rows = max(min(rows, _LEAST_ROWS), 1)
    # Counted as the style sheet will have it: just after a change of size headers and bars still have their old one.
    head = QFontMetrics(theme().font(semibold=True)).height() + theme().px(_AROUND_HEAD)
    for view in (first, second):
        rest = head + theme().px(_BAR) + 2 * view.frameWidth() + theme().px(2)
        view.setMinimumHeight(rest + visible_rows * view.verticalHeader().defaultSectionSize())
