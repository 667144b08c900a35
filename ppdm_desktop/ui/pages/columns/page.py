"""Page "Columns": a confirmed role and kind for every column, and groups for numbers."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, Qt
from PySide6.QtGui import QAction, QFontMetrics
from PySide6.QtWidgets import QFrame, QMenu, QWidget

from ppdm_desktop.engine.recipe.models import ROLES, ColumnSection
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.columns.editors import GroupsEditor, OrderEditor
from ppdm_desktop.ui.pages.columns.hierarchy import HierarchyEditor
from ppdm_desktop.ui.pages.columns.panel import ColumnPanel, LettersCard
from ppdm_desktop.ui.pages.columns.rules import RulesCard
from ppdm_desktop.ui.pages.columns.table import (
    KIND,
    NAME,
    ColumnsTableModel,
    ColumnsView,
    column_lines,
    filter_column_lines,
)
from ppdm_desktop.ui.pages.columns.texts import TextsCard
from ppdm_desktop.ui.pages.columns.values_grid import ValuesGridCard
from ppdm_desktop.ui.state.column_decisions import (
    CodesQuestion,
    are_numbers,
    check_kinds,
    describe_codes,
    describe_waiting,
    find_likely_confidential,
    list_codes_questions,
    order_of,
    role_counts,
    sections_of,
    short_name,
    with_kind,
)
from ppdm_desktop.ui.state.hierarchy_edits import should_offer_hierarchy
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.state.texts_read import has_texts_to_read
from ppdm_desktop.ui.widgets.basic import Card, FailureStrip, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, line_edit
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    FitsOnResize,
    Flow,
    SideBySide,
    add_parts,
    hbox,
    stretch_part,
    vbox,
    widget_of,
)
from ppdm_desktop.ui.widgets.roles import UNDECIDED, RolePill, kind_choices, role_choices
from ppdm_desktop.ui.widgets.scrolling import Area, put_back
from ppdm_desktop.ui.work.tasks import TaskOutcome

_PANEL_WIDTH = 264
_LIKELIEST = 3


class ColumnsPage(FitsOnResize, Page):
    """Page on which the user confirms or changes the suggested role and kind of each column."""

    step = "columns"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._nothing_to_hide: Path | None = None
        self.outer.addWidget(self._build_head())
        self.failure = FailureStrip(name="strip_failure")
        self.outer.addWidget(self.failure)
        self.sides = SideBySide(below=900)
        self.sides.add(self._build_table(), 1)
        self.sides.add(self._build_column_area(), 0)
        self.rules = RulesCard(self.context)
        self.outer.addWidget(self.sides, 1)
        # Below the table, which stays where it is when a question opens or closes.
        add_parts(self.outer, self._build_question(), self._build_codes(), self.values, self.rules)
        theme().changed.connect(self._adapt_to_size)

    # --- building -----------------------------------------------------------------------

    def _build_head(self) -> QWidget:
        """Return the line above the table with the number of columns by role, and keep the numbers in ``_counts``."""
        head = Flow(gap=10)
        self._counts: dict[str, Text] = {}
        for role in ROLES:
            figure = Text("0", semibold=True, wrap=False, name=f"count_{role}")
            self._counts[role] = figure
            head.add(widget_of(hbox(RolePill(role), figure, gap=6)))
        return head

    def _build_question(self) -> Strip:
        """Return the strip that asks whether the file really has no confidential column; it is empty at first.

        It has buttons for the likeliest columns, and one for the answer "Nothing".
        """
        self._secrets = [
            Button("", name=f"button_secret_{index}", clicked=partial(self._on_secret, index))
            for index in range(_LIKELIEST)
        ]
        self.button_nothing = Button(_("Nothing"), name="button_nothing_confidential", clicked=self._on_nothing)
        self.question = Strip("amber", "", *self._secrets, self.button_nothing, name="question_confidential")
        return self.question

    def _build_codes(self) -> Strip:
        """Return the strip that asks whether columns with few different whole numbers hold numbers or codes.

        It has a button for each of the two answers, and one that answers all questions as suggested. It is empty at
        first.
        """
        self._questions: list[CodesQuestion] = []
        self.button_codes = Button(_("Codes"), name="button_codes", clicked=self._on_codes)
        self.button_numbers = Button(_("Numbers"), name="button_numbers", clicked=self._on_numbers)
        self.button_suggested = Button("", name="button_codes_suggested", link=True, clicked=self._on_suggested)
        # The one that goes stands first, so that the other two stay under the pointer.
        buttons = (self.button_suggested, self.button_codes, self.button_numbers)
        self.codes = Strip("note", "", *buttons, name="question_codes")
        return self.codes

    def _build_table(self) -> Card:
        """Return the card with the table of columns and, above it, the bar that filters and changes them."""
        card = Card(topic="page.columns")
        theme().space(card.body, 1, 1, 1, 1, 0)
        self.model = ColumnsTableModel(self)
        self.table = ColumnsView(self.model, _("Columns"))
        theme().bound(self.table, least_high=360)
        self.table.role_typed.connect(self._on_role_picked)
        self.table.confirm_wanted.connect(self._on_confirm_wanted)
        self.table.menu_wanted.connect(self._on_menu_wanted)
        self.table.selectionModel().selectionChanged.connect(self._show_selection)
        self.table.selectionModel().currentChanged.connect(self._on_current_changed)
        add_parts(card.body, self._build_bulk(), stretch_part(self.table))
        return card

    def _build_bulk(self) -> QFrame:
        """Return the bar with a search field, and with choices that set role or kind of the selected columns.

        It also has buttons that confirm them, leave them out, select all columns, clear the selection, or confirm
        all clear suggestions.
        """
        bar = QFrame()
        bar.setObjectName("bulk_bar")
        self.edit_filter = line_edit(
            name="edit_filter_columns",
            label=_("Columns"),
            hint=_("Find a column"),
            clear=True,
            changed=self.refresh,
        )
        theme().changed.connect(self._fit_filter)
        self._fit_filter()
        self._selected = Text("", semibold=True, wrap=False, name="label_selected")
        self.combo_role = Choice(name="combo_role", label=_("Role"), picked=self._on_role_picked)
        self.combo_role.setPlaceholderText(_("Set role"))
        self.combo_role.set_choices(role_choices())
        self.combo_kind = Choice(name="combo_kind", label=_("Kind"), picked=self._on_kind_picked)
        self.combo_kind.setPlaceholderText(_("Set kind"))
        self.combo_kind.set_choices(kind_choices())
        confirm, leave_out = partial(self._on_confirm_wanted, -1), partial(self._on_role_picked, "left-out")
        self.button_confirm = Button(_("Confirm"), name="button_confirm_selected", clicked=confirm)
        self.button_leave = Button(_("Leave out"), name="button_leave_out", clicked=leave_out)
        self.button_clear = Button(
            _("Clear selection"), name="button_clear_selection", link=True, clicked=self._on_clear
        )
        text, slot = _("Confirm clear suggestions"), self._on_confirm_clear
        self.button_confirm_clear = Button(text, name="button_confirm_clear", icon="check", clicked=slot)
        flow = Flow(
            self.edit_filter,
            self._selected,
            self.combo_role,
            self.combo_kind,
            self.button_confirm,
            self.button_leave,
            Button(_("Select all"), name="button_select_all", link=True, clicked=self._on_select_all),
            self.button_clear,
            self.button_confirm_clear,
        )
        vbox(flow, on=bar, margins=(10, 10, 10, 10), gap=0)
        return bar

    def _fit_filter(self) -> None:
        """Make the search field wide enough for its placeholder text and its clear button."""
        width = QFontMetrics(theme().font()).horizontalAdvance(self.edit_filter.placeholderText())
        self.edit_filter.setFixedWidth(max(width + theme().px(44), theme().px(150)))

    def _build_column_area(self) -> QWidget:
        """Return the panel beside the table: the current column, and editors for its texts, groups, order and list.

        The panel scrolls on its own if the page is wide enough for table and panel.
        """
        inner = QWidget()
        self.panel = ColumnPanel(self.context)
        self.texts = TextsCard(self.context)
        self.groups = GroupsEditor(self.context)
        self.order = OrderEditor(self.context)
        self.values = ValuesGridCard(self.context)
        self.hierarchy = HierarchyEditor(self.context, self.values)
        self.letters = LettersCard()
        self.panel.confirmed.connect(lambda: self._confirm_roles([self.current_column()]))
        self.panel.left_out.connect(lambda: self.session.set_column([self.current_column()], role="left-out"))
        parts = (self.panel, self.texts, self.groups, self.order, self.hierarchy, self.letters, STRETCH)
        vbox(*parts, on=inner, gap=12)
        inner.setProperty("topic", "page.columns")
        self._inner = inner
        inner.installEventFilter(self)
        self.column_area = Area(inner)
        self.column_area.setObjectName("area_column")
        self.column_area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        return self.column_area

    # --- the page -----------------------------------------------------------------------

    def title(self) -> str:
        """Return the title of the page."""
        return _("Columns")

    def purpose(self) -> str:
        """Return the sentence below the title that says what the page is for."""
        return _("Say what each column could reveal. The suggestions are based on column names and values.")

    def primary(self) -> Primary:
        """Return the page's main button, which leads to Protection levels, with a message on what is missing, if any.

        It is enabled if four conditions hold; else the message is on the first of them that does not:

        - the roles of all columns are confirmed;
        - at least one column is known to others;
        - a column is confidential, or the user said that none is;
        - no question about numbers or codes is open.
        """
        text = _("Protection levels")
        waiting = self.session.unconfirmed()
        if waiting:
            return Primary(text, False, describe_waiting(waiting), "amber")
        if not self.session.with_role("quasi-identifier"):
            message = _("No column is marked as known to others (Q) yet. Mark details such as age, place or job.")
            return Primary(text, False, message, "amber")
        if self._should_ask_confidential():
            message = _("No column is confidential yet. Mark what people would keep private, or choose “Nothing”.")
            return Primary(text, False, message, "amber")
        if questions := list_codes_questions(self.session):
            message = _("{n} {n:question is|questions are} open: numbers or codes", n=len(questions))
            return Primary(text, False, message, "note")
        return Primary(text, True, _("Every role is confirmed"), "passed")

    def on_primary(self) -> None:
        """Go to the page Protection levels."""
        self.go.emit("levels")

    def file_opened(self) -> None:
        """Forget the user's answer that nothing is confidential."""
        self._nothing_to_hide = None

    def reading_changed(self) -> None:
        """Empty the table after the file was read anew; the next ``refresh`` shows all columns with none selected.

        The search text, errors, found rules and unfinished edits are discarded, and the page scrolls back to its start.
        """
        self.failure.clear()
        for editor in (self.groups, self.order, self.hierarchy):
            editor.forget()
        self.edit_filter.clear()
        self.rules.forget()
        # Columns of the same names are other columns: a table that is filled again selects nothing.
        self.model.set_lines([])
        put_back(self)

    def refresh(self) -> None:
        """Show the columns that match the search, the counts of roles, open questions, the panel and the rules.

        Selection, current row and scroll position are kept, unless the search now shows other columns.
        """
        self.model.set_lines(filter_column_lines(column_lines(self.session), self.edit_filter.text()))
        for role, number in role_counts(self.session).items():
            self._counts[role].setText(format_rounded_count(number))
        # Never hidden: the table stays where it is.
        self.button_confirm_clear.setEnabled(bool(self.session.list_strong_suggestions()))
        self._show_question()
        self._show_codes_question()
        self._show_selection()
        self._show_panel()
        self.rules.refresh()

    def _should_ask_confidential(self) -> bool:
        """Return whether to ask for a confidential column: all roles are confirmed, and none is "confidential".

        False without a file, and once the user has answered "Nothing" for this file.
        """
        session = self.session
        if session.reading is None or session.unconfirmed() or session.with_role("confidential"):
            return False
        return self._nothing_to_hide != session.decisions.path

    def _show_question(self) -> None:
        """Ask for a confidential column, or hide the question.

        The question is shown if `_should_ask_confidential` returns True, with a button for each of at most
        ``_LIKELIEST`` columns that are most likely confidential.
        """
        if not self._should_ask_confidential():
            self.question.set("amber", "")
            return
        names = find_likely_confidential(self.session, _LIKELIEST)
        for index, button in enumerate(self._secrets):
            button.setVisible(index < len(names))
            if index < len(names):
                button.setText(short_name(names[index]))
                button.setProperty("column", names[index])
        text = _("Is there really nothing in this file that people would want to keep private?")
        self.question.set("amber", text)

    def _show_codes_question(self) -> None:
        """Ask the first open question whether numbers are codes; the suggested answer is the main button.

        The question waits until all roles are confirmed. It is hidden if all columns are answered. With several open
        questions it also names all suggestions, and has a button that takes them.
        """
        self._questions = [] if self.session.unconfirmed() else list_codes_questions(self.session)
        self.button_suggested.setText(_("All {n} as suggested", n=len(self._questions)))
        self.button_suggested.setVisible(len(self._questions) > 1)
        self.codes.set("note", "\n".join(describe_codes(self._questions)) if self._questions else "")
        if self._questions:
            suggested = self._questions[0].suggested
            self.button_codes.set_primary(suggested == "codes")
            self.button_numbers.set_primary(suggested == "numbers")

    def current_column(self) -> str:
        """Return the name of the column that the panel shows, "" if it shows none."""
        row = self.table.currentIndex().row()
        return self.model.lines[row].name if 0 <= row < self.model.rowCount() else ""

    def _list_selected_names(self) -> list[str]:
        """Return the names of the selected columns; without a selection that of the current column."""
        return [self.model.lines[row].name for row in self.table.selected_rows()]

    def _show_selection(self) -> None:
        """Show how many columns are selected and their common role and kind, and enable the controls for them.

        Role and kind are empty if the selected columns differ. A kind can be chosen once all of them have a role, and
        roles can be confirmed if one with a role is not confirmed. Without a selection all controls are disabled.
        """
        rows = {index.row() for index in self.table.selectionModel().selectedRows()}
        self._selected.setText(_("{n} selected", n=len(rows)))
        lines = [self.model.lines[row] for row in sorted(rows)]
        roles, kinds = {line.role for line in lines}, {line.kind for line in lines}
        self.combo_role.set_current(roles.pop() if len(roles) == 1 and UNDECIDED not in roles else None)
        self.combo_kind.set_current(kinds.pop() if len(kinds) == 1 else None)
        for widget in (self.combo_role, self.button_leave, self.button_clear):
            widget.setEnabled(bool(rows))
        # A kind is kept beside a role: it is chosen once the role is.
        self.combo_kind.setEnabled(bool(rows) and all(line.role != UNDECIDED for line in lines))
        self.button_confirm.setEnabled(any(not line.confirmed and line.role != UNDECIDED for line in lines))

    def _show_panel(self) -> None:
        """Fill the panel for the current column, and show those editors that its kind and role allow.

        These are: rare texts to be read; groups of numbers; order of values; list of broader values. All are for
        columns to be released only, the list for quasi-identifiers or where there is one already. Panel and editors are
        hidden if no column is current.
        """
        name = self.current_column()
        section = self.session.decisions.recipe.columns.get(name)
        kept = section is not None and section.role not in ("identifier", "left-out", "privacy-level")
        editors: tuple[tuple[ColumnPanel | TextsCard | GroupsEditor | OrderEditor | HierarchyEditor, bool], ...] = (
            (self.panel, bool(name)),
            (self.texts, bool(name) and has_texts_to_read(self.session, name)),
            (self.groups, kept and section is not None and section.kind == "numeric"),
            (self.order, kept and bool(order_of(self.session, name))),
            (self.hierarchy, bool(name) and should_offer_hierarchy(section)),
        )
        for editor, is_offered in editors:
            editor.setVisible(is_offered)
            if is_offered:
                editor.show_column(name)
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Give the panel a fixed width if it is beside the table, or its full height if it is below."""
        hint = max(self._inner.minimumSizeHint().width(), theme().px(_PANEL_WIDTH))
        bar = theme().px(14)
        if self.sides.one_column:
            self.column_area.setMinimumWidth(0)
            self.column_area.setMaximumWidth(16_777_215)
            width = max(self.sides.width(), 1)
            self.column_area.setMinimumHeight(self._inner.heightForWidth(width) + bar)
        else:
            self.column_area.setFixedWidth(hint + bar)
            self.column_area.setMinimumHeight(0)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the layout when a card of the panel changes its size; return whether Qt should drop the event."""
        if event.type() == QEvent.Type.LayoutRequest:
            self._adapt_to_size()
        return super().eventFilter(watched, event)

    # --- selecting ----------------------------------------------------------------------

    def _on_current_changed(self, current: QModelIndex, _before: QModelIndex) -> None:
        """Show the details of the column that the keyboard or mouse moved to; nothing for an invalid index."""
        if current.isValid():
            self._show_panel()
            self._show_selection()

    def _on_select_all(self) -> None:
        """Select all columns and put the focus on the table."""
        self.table.selectAll()
        self.table.setFocus()

    def _on_clear(self) -> None:
        """Clear the selection and put the focus on the table."""
        self.table.clearSelection()
        self.table.setFocus()

    # --- deciding -----------------------------------------------------------------------

    def _on_role_picked(self, role: str) -> None:
        """Give the selected columns a role and confirm it; without a selection the current column."""
        self.session.set_column(self._list_selected_names(), role=role)

    def _confirm_roles(self, names: list[str]) -> None:
        """Confirm the suggested roles of columns, as a single decision; columns without a role are skipped."""
        decisions = self.session.decisions
        with_role = frozenset(name for name in names if name in decisions.recipe.columns)
        self.session.decide(confirmed=decisions.confirmed | with_role)

    def _on_confirm_wanted(self, row: int) -> None:
        """Confirm the role of the column in a row; if the row is selected, the roles of all selected columns.

        Parameters
        ----------
        row
            Index of the row; -1 confirms the selected columns.
        """
        if row < 0:
            self._confirm_roles(self._list_selected_names())
            return
        name = self.model.lines[row].name
        chosen = self._list_selected_names()
        self._confirm_roles(chosen if name in chosen else [name])

    def _on_confirm_clear(self) -> None:
        """Confirm all clear suggestions, and make the first column current that is displayed and still unconfirmed.

        The table gets the focus then.
        """
        self._confirm_roles(self.session.list_strong_suggestions())
        left = set(self.session.unconfirmed())
        row = next((row for row, line in enumerate(self.model.lines) if line.name in left), None)
        if row is not None:
            self.table.setCurrentIndex(self.model.index(row, NAME))
            self.table.setFocus()

    def _on_secret(self, index: int) -> None:
        """Give the confirmed role "confidential" to the column on the button with this index of the question."""
        self.session.set_column([str(self._secrets[index].property("column"))], role="confidential")

    def _on_nothing(self) -> None:
        """Record for the open file that no column is confidential; before the release the user is asked for the reason.

        It is no decision of the recipe, so that it cannot be undone.
        """
        self._nothing_to_hide = self.session.decisions.path
        self.session.changed()

    def _on_codes(self) -> None:
        """Treat the columns in question as codes: make their kind nominal, as by ``_check_kind``."""
        self._check_kind(list(self._questions[0].columns), "nominal")

    def _on_numbers(self) -> None:
        """Decide that the columns in question hold numbers, not codes, as by ``are_numbers``."""
        are_numbers(self.session, self._questions[0].columns)

    def _on_suggested(self) -> None:
        """Answer all open questions on numbers or codes as suggested.

        Columns of numbers are settled at once; the kind of codes becomes nominal after their values were checked in the
        background.
        """
        names: dict[str, list[str]] = {"codes": [], "numbers": []}
        for question in self._questions:
            names[question.suggested] += question.columns
        if names["numbers"]:
            are_numbers(self.session, names["numbers"])
        self._check_kind(names["codes"], "nominal")

    # --- kinds --------------------------------------------------------------------------

    def _on_kind_picked(self, kind: str) -> None:
        """Check in the background whether the selected columns can be read as ``kind``, and change their kind if so.

        Without a selection that is the current column. If one column does not fit, none is changed.
        """
        self._check_kind(self._list_selected_names(), kind)

    def _check_kind(self, names: list[str], kind: str) -> None:
        """Check in the background whether the values of all columns fit ``kind``, and change their kind if so.

        If one column does not fit, none is changed. Nothing happens without a file or for an empty list.
        """
        reading = self.session.reading
        if reading is None or not names:
            return
        self.failure.clear()
        sections = sections_of(self.session, names)
        self.context.runner.start("kinds", partial(check_kinds, reading, sections, kind), self._on_kinds_checked)

    def _on_kinds_checked(self, outcome: TaskOutcome) -> None:
        """Change the kind of the checked columns, as a single decision, or show why one of them does not fit.

        If one does not fit, none is changed. Roles are not confirmed, and what was decided during the check stays.
        """
        if not outcome.ok:
            self.failure.set_outcome(outcome)
            self._show_selection()
            return
        sections: dict[str, ColumnSection] = outcome.result
        columns, reading = dict(self.session.decisions.recipe.columns), self.session.reading
        for name, section in sections.items():
            if name in columns and reading is not None:
                columns[name] = with_kind(columns[name], reading.table.column(name), str(section.kind))
        self.session.decide_recipe(columns=columns)

    # --- menus --------------------------------------------------------------------------

    def _on_menu_wanted(self, row: int, column: int) -> None:
        """Open the menu of kinds below a clicked cell with a kind, or the menu of roles below any other cell.

        The present role or kind is ticked. A column without a role has no menu of kinds.
        """
        line = self.model.lines[row]
        if column == KIND and line.role == UNDECIDED:
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        kinds = column == KIND
        menu.setObjectName("menu_kind" if kinds else "menu_role")
        for key, text in kind_choices() if kinds else role_choices():
            # A role's text begins with its letter, which then chooses it.
            action = QAction(text if kinds else f"&{text}", menu)
            action.setData(key)
            action.setCheckable(True)
            action.setChecked(key == (line.kind if kinds else line.role))
            if not kinds:
                action.setIcon(theme().icon(key, theme().tokens.roles[key], 16))
            menu.addAction(action)
        picked = self._on_kind_picked if kinds else self._on_role_picked
        menu.triggered.connect(lambda action: picked(action.data()))
        rect = self.table.visualRect(self.model.index(row, column if kinds else NAME + 1))
        menu.popup(self.table.viewport().mapToGlobal(rect.bottomLeft() + QPoint(0, 1)))
