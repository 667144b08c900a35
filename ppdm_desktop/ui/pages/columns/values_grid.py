"""Grid of a column's values and their groups, in which a list of broader values is made by hand."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QTableView

from ppdm_desktop.engine.table.hierarchies import HierarchyDraft
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term, Value
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.hierarchy_grid import GridStart, replace_levels_by_proposed
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, add_caption, line_edit
from ppdm_desktop.ui.widgets.layout import Flow, add_parts
from ppdm_desktop.ui.widgets.scrolling import bring_in
from ppdm_desktop.ui.widgets.tables.headers import prepare_table

Index = QModelIndex | QPersistentModelIndex
_NONE = QModelIndex()
_LEAST_HIGH = 300
_KEYS: dict[int, str] = {
    Qt.Key.Key_G: "group",
    Qt.Key.Key_U: "ungroup",
    Qt.Key.Key_L: "add",
    Qt.Key.Key_Delete: "remove",
}


class GridModel(QAbstractTableModel):
    """Table model of a list of broader values: the values, then a column for each step of broader groups.

    Each cell has a number of people. With ``base`` above 0, the first column shows the groups of that step instead of
    the values, one row each, for example the first digits of codes.
    """

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._draft, self._k_min, self.base = HierarchyDraft((), ((),)), 0, 0
        self._people: list[dict[str, int]] = [{}, {}]
        self._values: list[int] = []

    def show_draft(self, draft: HierarchyDraft, start: GridStart, base: int = 0) -> None:
        """Show a list of broader values as edited so far (a draft), with the number of people in each group.

        Parameters
        ----------
        draft
            A group for each value at each level; level 0 is the values themselves.
        start
            Numbers of people and the least group size, as computed when the grid was opened.
        base
            Level that the rows stand for: one row for each group of this level, the groups with most people first.
        """
        self.beginResetModel()
        self._draft, self._k_min, self.base = draft, start.k_min, base
        self._people = [start.people.in_groups(draft.at(level)) for level in range(draft.height + 1)]
        first_values = {text: value for value, text in reversed(list(enumerate(draft.at(base))))}
        self._values = [
            first_values[text]
            for text in sorted(dict.fromkeys(draft.at(base)), key=lambda text: -self._people[base][text])
        ]
        self.endResetModel()

    def rowCount(self, parent: Index = _NONE) -> int:
        """Return the number of rows, one for each value or group of level ``base``; 0 for the children of a cell."""
        return 0 if parent.isValid() else len(self._values)

    def columnCount(self, parent: Index = _NONE) -> int:
        """Return the number of levels shown, from ``base`` to the last level, in which all values are one group.

        It is 0 for the children of a cell.
        """
        return 0 if parent.isValid() else self._draft.height + 1 - self.base

    def text_at(self, index: Index) -> str:
        """Return the text of a cell, without its number of people."""
        return self._draft.at(self.base + index.column())[self._values[index.row()]]

    def value_at(self, row: int) -> int:
        """Return the index, in the edited list, of the first value in the group of a row."""
        return self._values[row]

    def people_at(self, index: Index) -> int:
        """Return the number of people in the group of a cell."""
        return self._people[self.base + index.column()][self.text_at(index)]

    def is_small(self, index: Index) -> bool:
        """Return whether the group of a cell has fewer people than the release type allows; False for single values."""
        return self.base + index.column() > 0 and self.people_at(index) < self._k_min

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return a cell's text "value (people)", its screen reader text, its colour or its sign, depending on ``role``.

        The tooltip is the screen reader text. A group with fewer people than the least group size is red and has a
        warning sign; for all other groups colour and sign are None. None for other roles.
        """
        if role == Qt.ItemDataRole.DisplayRole:
            return f"{self.text_at(index)}  ({format_rounded_count(self.people_at(index))})"
        if role == Qt.ItemDataRole.AccessibleTextRole:
            arguments: dict[str, Value] = {"group": Term(self.text_at(index)), "n": self.people_at(index)}
            if self.is_small(index):
                return _("{group}: {n} {n:person|people}, fewer than {least}", least=self._k_min, **arguments)
            return _("{group}: {n} {n:person|people}", **arguments)
        if role == Qt.ItemDataRole.ForegroundRole:
            return theme().colour("blocks") if self.is_small(index) else None
        if role == Qt.ItemDataRole.DecorationRole:
            return theme().pixmap("warning", "blocks", 13) if self.is_small(index) else None
        if role == Qt.ItemDataRole.ToolTipRole:
            return self.data(index, Qt.ItemDataRole.AccessibleTextRole)
        return None

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the heading of the level in column ``section``: "Value" for level 0, "Level 1" for level 1, and so on.

        The first column shows the level that the rows stand for (``base``). None for row headings and other roles.
        """
        if orientation != Qt.Orientation.Horizontal or role != Qt.ItemDataRole.DisplayRole:
            return None
        level = self.base + section
        return _("Level {n:place}", n=level) if level else _("Value")


class GridView(QTableView):
    """The view of the grid with its keys.

    Signals
    -------
    wanted
        A key asks for an edit: one of ``group``, ``ungroup``, ``add``, ``remove``, ``undo``, ``redo``.
    """

    wanted = Signal(str)

    def __init__(self, model: GridModel) -> None:
        super().__init__()
        prepare_table(self, model, name="table_values", label=_("Values and their groups"))
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.verticalHeader().hide()
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        theme().bound(self, least_high=_LEAST_HIGH)
        theme().changed.connect(self.fit)
        self.fit()

    def fit(self) -> None:
        """Set the row height by the font, and the column widths by heading and first 200 rows.

        A column is at most 280 px wide at 100 % text size.
        """
        metrics, model = QFontMetrics(theme().font()), self.model()
        self.verticalHeader().setDefaultSectionSize(round(metrics.height() * 1.6))
        for column in range(model.columnCount()):
            texts = [str(model.index(row, column).data()) for row in range(min(model.rowCount(), 200))]
            heading = str(model.headerData(column, Qt.Orientation.Horizontal))
            widest = max(metrics.horizontalAdvance(text) for text in [heading, *texts])
            self.setColumnWidth(column, min(widest + theme().px(44), theme().px(280)))

    def selected_rows(self) -> list[int]:
        """Return the ascending indices of the rows with a selected cell; [] without any."""
        return sorted({index.row() for index in self.selectionModel().selectedIndexes()})

    def event(self, event: QEvent) -> bool:
        """Use the keys for undo and redo in the grid instead of the window; return whether the event was used."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._undo_of(event):
            event.accept()
            return True
        return super().event(event)

    def _undo_of(self, event: QKeyEvent) -> str:
        """Return "undo" or "redo" if the key event is the system's key for that, otherwise ""."""
        if event.matches(QKeySequence.StandardKey.Undo):
            return "undo"
        return "redo" if event.matches(QKeySequence.StandardKey.Redo) else ""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send ``wanted`` with a key's edit: G group, U ungroup, L add a level, Delete remove it, undo, redo.

        Qt handles all other keys, and these letters with a modifier key.
        """
        edit = self._undo_of(event) or (_KEYS.get(event.key(), "") if not event.modifiers() else "")
        if edit:
            self.wanted.emit(edit)
        else:
            super().keyPressEvent(event)


class ValuesGridCard(Card):
    """Card in which the user groups values into broader values by hand, level by level.

    Signals
    -------
    used
        The finished list is to be used: a `HierarchyDraft`.
    """

    used = Signal(object)

    def __init__(self, context: Context) -> None:
        super().__init__(name="card_values", topic="page.columns")
        self._context = context
        self._start: GridStart | None = None
        self._undone: list[HierarchyDraft] = []
        self._done: list[HierarchyDraft] = []
        self.draft = HierarchyDraft((), ((),))
        self.model = GridModel(self)
        self.table = GridView(self.model)
        self.table.wanted.connect(self._on_wanted)
        self.table.selectionModel().selectionChanged.connect(self._on_selected)
        self.state_text = Text("", tone="text2", name="label_values")
        self.name = line_edit(name="edit_group", label=_("Name of the group"), hint=_("Name of the group"))
        self.name.returnPressed.connect(self._on_group)
        self.rows = Choice(name="choice_rows", label=_("A row for each"), letters=32, picked=self._on_rows)
        rows = add_caption(_("A row for each"), self.rows)
        add_parts(self.body, self.state_text, Flow(rows), self._build_edits(), self.table, self._build_end())
        self.setVisible(False)

    def _build_edits(self) -> Flow:
        """Return the name field and the buttons that group values, change or propose levels, and undo edits."""
        self.button_group = Button(_("Group (G)"), name="button_group_values", clicked=self._on_group)
        self.button_ungroup = Button(_("Ungroup (U)"), name="button_ungroup_values", clicked=self._on_ungroup)
        self.button_add = Button(_("Add a level (L)"), name="button_add_level", clicked=self._on_add)
        self.button_remove = Button(_("Remove the level (Del)"), name="button_remove_level", clicked=self._on_remove)
        self.button_propose = Button(_("Propose levels"), name="button_propose_levels", clicked=self._on_propose)
        self.button_undo = Button(_("Undo"), name="button_undo_values", clicked=self._on_undo)
        return Flow(
            self.name,
            self.button_group,
            self.button_ungroup,
            self.button_add,
            self.button_remove,
            self.button_propose,
            self.button_undo,
        )

    def _build_end(self) -> Flow:
        """Return the buttons that use the list, or close the grid without using it."""
        self.button_use = Button(_("Use this list"), name="button_use_values", primary=True, clicked=self._on_use)
        self.button_close = Button(_("Cancel"), name="button_close_values", clicked=self.close_grid)
        return Flow(self.button_use, self.button_close)

    # --- showing ------------------------------------------------------------------------

    def open_grid(self, column: str, start: GridStart) -> None:
        """Show a column's values and their groups (``start``) in the grid, and scroll the page to it.

        Edits made in the grid before are discarded and cannot be undone or redone. The button that proposes levels is
        hidden if the program has none to propose.
        """
        self.set_title(
            join_label(_("Broader values"), column),
            _("Select values, enter a name and press Enter. Each level holds broader values than the one before."),
        )
        self._start, self._done, self._undone, self.model.base = start, [], [], 0
        self.button_propose.setVisible(bool(start.proposed))
        self._show_draft(start.draft)
        self.setVisible(True)
        self.table.setCurrentIndex(self.model.index(0, 0))
        self.table.setFocus()
        bring_in(self)

    def close_grid(self) -> None:
        """Hide the grid and discard edits that were not used."""
        self._start = None
        self.setVisible(False)

    def _show_draft(self, draft: HierarchyDraft) -> None:
        """Show a list of broader values as edited so far (a draft), in the grid and in the controls around it.

        The level that rows stand for is lowered if the draft has too few levels for it; it can be any level but the
        last. The cursor stays in its cell, or moves to the nearest cell if that no longer exists. Undo is enabled if an
        edit was made.
        """
        assert self._start is not None
        current = self.table.currentIndex()
        row, column = current.row(), current.column()
        self.draft = draft
        self.model.show_draft(draft, self._start, min(self.model.base, draft.height - 1))
        self._show_rows()
        self.table.fit()
        last_row, last_column = self.model.rowCount() - 1, self.model.columnCount() - 1
        self.table.setCurrentIndex(self.model.index(min(max(row, 0), last_row), min(max(column, 0), last_column)))
        self.button_undo.setEnabled(bool(self._done))
        self.state_text.setText(self._describe_state())

    def _show_rows(self) -> None:
        """Offer what a row of the grid can stand for: a value, or a group of any level but the last, with an example.

        The choice is disabled if there are only values.
        """
        choices = [("0", _("value"))]
        for level in range(1, self.draft.height):
            example = Term(self.draft.at(level)[0])
            choices.append((str(level), _("group of level {n:place}, such as {example}", n=level, example=example)))
        self.rows.set_choices(choices, str(self.model.base))
        self.rows.setEnabled(len(choices) > 1)

    def _on_rows(self, level: str) -> None:
        """Show one row for each group of a level, whose number is given as text; "0" means the values."""
        self.model.base = int(level)
        self._show_draft(self.draft)

    def _describe_state(self) -> str:
        """Return the line below the grid: the numbers of values and levels, and which groups are red.

        Red are groups of fewer people than the smallest group that the type of release allows, such as 5. A further
        sentence says how many values of the column the hierarchy file did not have, if any; they are in the group "*".
        """
        assert self._start is not None
        text = _(
            "{values} {values:value|values}, {levels} {levels:level|levels}. Groups in red have fewer than "
            "{least} people.",
            values=len(self.draft.values),
            levels=self.draft.height,
            least=self._start.k_min,
        )
        unlisted = self._start.unlisted
        if not unlisted:
            return text
        more = _(
            "{n} {n:value was|values were} not in the list and {n:is|are} under {top}.", n=len(unlisted), top=Term("*")
        )
        return f"{text} {more}"

    def _on_selected(self) -> None:
        """Copy the name of the current group into the name field, unless the field has the keyboard focus.

        Nothing is copied for a cell of the first column shown, or of the last, in which all values are one group.
        """
        index = self.table.currentIndex()
        grouped = index.isValid() and 0 < index.column() < self.model.columnCount() - 1
        if grouped and not self.name.hasFocus():
            self.name.setText(self.model.text_at(index))

    # --- editing ------------------------------------------------------------------------

    def _on_wanted(self, edit: str) -> None:
        """Make the edit that a key asks for (see ``GridView.wanted``); "group" puts the focus on the name field."""
        if edit == "group":
            self.name.setFocus()
            self.name.selectAll()
            return
        edits = {"ungroup": self._on_ungroup, "add": self._on_add, "remove": self._on_remove, "undo": self._on_undo}
        edits.get(edit, self._on_redo)()

    def _change_draft(self, draft: HierarchyDraft) -> None:
        """Show an edited list, and allow to undo the edit; nothing happens if it equals the list shown."""
        if draft != self.draft:
            self._done.append(self.draft)
            self._undone = []
            self._show_draft(draft)

    def _current_level(self) -> int:
        """Return the level of the current cell (0 for values); without a current cell, the first level shown."""
        return self.model.base + max(self.table.currentIndex().column(), 0)

    def _selected_values(self) -> list[int]:
        """Return, for each selected row, the index in the edited list of the row's first value."""
        return [self.model.value_at(row) for row in self.table.selected_rows()]

    def _on_group(self) -> None:
        """Put the values of the selected rows into a group with the typed name, on the level of the current cell.

        In the first column shown, it is the level above it, in the last a new level below it. Without a name or
        selected rows the name field gets the focus instead; a name that would be read as an empty cell is refused with
        a sentence.
        """
        name, rows = self.name.text().strip(), self.table.selected_rows()
        if self._start is None or not name or not rows:
            self.name.setFocus()
            return
        if name in self._start.missing_texts:
            self.state_text.setText(_("This text means an empty cell. Choose another name."))
            return
        index, base = self.table.currentIndex(), self.model.base
        self._change_draft(self.draft.grouped(base + max(index.column(), 1), self._selected_values(), name))
        # The next edit is meant for the level that now has the group.
        self.table.setCurrentIndex(
            self.model.index(index.row(), min(max(index.column(), 1), self.draft.height - 1 - base))
        )
        self.name.clear()
        self.table.setFocus()

    def _on_ungroup(self) -> None:
        """Split the groups of the selected rows, on the level of the current cell, into those of the level below.

        Nothing happens on the level of values and on the last level.
        """
        self._change_draft(self.draft.ungrouped(self._current_level(), self._selected_values()))

    def _on_add(self) -> None:
        """Add a level that starts as a copy of the current cell's level, right after it, but before the last level."""
        self._change_draft(self.draft.with_level(self._current_level()))

    def _on_remove(self) -> None:
        """Remove the level of the current cell; nothing happens for the values and the last level."""
        self._change_draft(self.draft.without_level(self._current_level()))

    def _on_propose(self) -> None:
        """Replace all levels by those that the program proposes; the user can undo this."""
        assert self._start is not None
        self._change_draft(replace_levels_by_proposed(self._start, self.draft))

    def _on_undo(self) -> None:
        """Show the list before the last edit; nothing if there was no edit."""
        if self._done:
            self._undone.append(self.draft)
            self._show_draft(self._done.pop())

    def _on_redo(self) -> None:
        """Make the edit again that was undone last; nothing if none was undone."""
        if self._undone:
            self._done.append(self.draft)
            self._show_draft(self._undone.pop())

    def _on_use(self) -> None:
        """Send ``used`` with the edited list; the grid stays open."""
        self.used.emit(self.draft)
