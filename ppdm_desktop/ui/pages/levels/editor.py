"""Editor of a rule that gives a protection level: a line for each condition, and how many people the rule matches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QListWidget, QListWidgetItem, QWidget

from ppdm_desktop.engine.recipe.models import Condition, Rule, Scalar
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Name, Names, Quoted
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.typed_numbers import explain_no_number, format_as_typed, parse_typed_number
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button, IconButton
from ppdm_desktop.ui.widgets.inputs import Choice, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, SideBySide, add_parts, hbox, vbox
from ppdm_desktop.ui.widgets.level_choice import LevelChoice
from ppdm_desktop.ui.work.chunked_work import make_timer

STATUS = "\0status"


def tests_for(column: Column | None) -> list[tuple[str, str]]:
    """Return the comparisons offered for a column as (key, label), such as ("at_least", "is at least").

    None stands for the risk of a person, with "are unique" (``unique``) and "are in a group with the same confidential
    value" (``collective``). The keys for a column are ``at_least``, ``at_most`` and ``between`` (only for numbers,
    dates and ordinal values whose order is known), then ``equals``, ``in`` and ``missing``.
    """
    if column is None:
        return [
            ("unique", _("are unique")),
            ("collective", _("are in a group with the same confidential value")),
        ]
    same = [("equals", _("is")), ("in", _("is one of"))]
    order = [
        ("at_least", _("is at least")),
        ("at_most", _("is at most")),
        ("between", _("is between")),
    ]
    missing = [("missing", _("is missing"))]
    if column.kind in ("numeric", "date") or (column.kind == "ordinal" and column.order is not None):
        return [*order, *same, *missing]
    return [*same, *missing]


def condition_test(condition: Condition) -> str:
    """Return the key of the comparison that a condition makes, one of the keys of ``tests_for``."""
    if condition.status is not None:
        return condition.status
    keys = ("equals", "in_", "at_least", "at_most", "between")
    key = next((key for key in keys if getattr(condition, key) is not None), "missing")
    return key.removesuffix("_")


def condition_values(condition: Condition) -> tuple[Scalar, ...]:
    """Return the values that a condition compares with: two for "between", several for "in", one or none otherwise."""
    for value in (condition.equals, condition.at_least, condition.at_most):
        if value is not None:
            return (value,)
    return tuple(condition.in_ or condition.between or ())


def build_condition(column: Column | None, test: str, values: Sequence[str]) -> Condition | str:
    """Return the condition that was entered, or a sentence (text) on what is missing or wrong.

    Wrong is a value that does not fit the column, or for "between" a first value above the second.

    Parameters
    ----------
    column
        Column that is compared; None for the risk of a person, which needs no value.
    test
        Key of the comparison (see ``tests_for``).
    values
        Typed values: two for "between", several for "in", else one; not used for the risk of a person and for "is
        missing".
    """
    if column is None:
        return Condition.model_validate({"status": test})
    if test == "missing":
        return Condition(column=column.name, missing=True)
    if not values or not all(values):
        return _("Write at least one value.")
    read: list[Scalar] = []
    for text in values:
        value = _read_value(column, text, test)
        if value is None:
            return _explain_unfit_text(column, text)
        read.append(value)
    if test == "between" and not _is_rising(column, read[0], read[1]):
        return _("Type the lowest value first.")
    compared = tuple(read) if test in ("between", "in") else read[0]
    return Condition.model_validate({"column": column.name, test: compared})


def _read_value(column: Column, text: str, test: str) -> Scalar | None:
    """Return a typed value as the value that is compared with a column, None if it does not fit the column.

    Numbers are read in the format of the window's language or of the file. To compare by size (all tests but "equals"
    and "in"), a date must be an ISO date, and an ordinal value must be in the column's order. All other values stay
    texts.
    """
    if column.kind == "numeric":
        return parse_typed_number(text, column.style.decimal if column.style else ".")
    if column.kind == "date" and test not in ("equals", "in"):
        try:
            return date.fromisoformat(text).isoformat()
        except ValueError:
            return None
    if column.kind == "ordinal" and test not in ("equals", "in") and text not in (column.order or ()):
        return None
    return text


def _explain_unfit_text(column: Column, text: str) -> str:
    """Return a sentence on why a typed text does not fit a column, by the column's kind.

    For numbers it says why the text is no number, for dates in which form to write them, for all other columns that the
    text is no value of the column.
    """
    if column.kind == "numeric":
        return explain_no_number(text)
    if column.kind == "date":
        return _("Write the day as year-month-day, for example 2001-12-31.")
    return _("{text} is not a value of {column}.", text=Quoted(text), column=Name(column.name))


def _is_rising(column: Column, low: Scalar, high: Scalar) -> bool:
    """Return whether the first of two values of a column is not above the second.

    Ordinal values are compared by the column's order, numbers by size, all others, such as ISO dates, as texts.
    """
    if column.kind == "ordinal" and column.order is not None:
        return column.order.index(str(low)) <= column.order.index(str(high))
    if isinstance(low, int | float) and isinstance(high, int | float):
        return low <= high
    return str(low) <= str(high)


MOST_LISTED = 300
_AFTER_MS = 300


class ConditionRow(QWidget):
    """Controls for one condition of a rule: column, comparison and values."""

    changed = Signal()

    def __init__(self, number: int) -> None:
        super().__init__()
        self._table: Table | None = None
        self._missing_name = ""
        whole = vbox(on=self)
        line = SideBySide(below=520)
        self.column = Choice(name=f"rule_column_{number}", label=_("Column"), letters=8, picked=self._on_column)
        self.test = Choice(name=f"rule_test_{number}", label=_("Comparison"), letters=8, picked=self._on_test)
        self.choice = Choice(name=f"rule_choice_{number}", label=_("Value"), letters=8, picked=self.changed)
        self.low = line_edit(name=f"rule_value_{number}", label=_("Value"))
        self.high = line_edit(name=f"rule_high_{number}", label=_("highest"))
        self.remove = IconButton("close", _("Remove"), name=f"rule_remove_{number}")
        for widget in (self.column, self.test, self.choice, self.low, self.high):
            line.add(widget)
        line.add(self.remove, 0)
        self.many = QListWidget()
        self.many.setObjectName(f"rule_values_{number}")
        self.many.setAccessibleName(_("Value"))
        self.others = Button(_("Tick all others instead"), name=f"rule_others_{number}", link=True)
        add_parts(whole, line, self.many, self.others)
        for signal in (self.low.textEdited, self.high.textEdited, self.many.itemChanged):
            signal.connect(self.changed)
        self.others.clicked.connect(self._on_others)

    # --- filling ------------------------------------------------------------------------

    def fill(self, table: Table, condition: Condition | None) -> None:
        """Offer the table's columns and the risk of a person, and show a condition; None shows an empty one.

        An empty one starts with the first column. If a condition's column is not in the table, no column is selected,
        and the line then stands for the risk of a person, at first "are unique".
        """
        self._table = table
        names = [(column.name, column.name) for column in table.columns]
        self.column.set_choices([*names, (STATUS, _("How identifiable they are"))])
        first = table.columns[0].name if table.columns else STATUS
        chosen = first if condition is None else (condition.column or STATUS)
        self.column.set_current(chosen)
        self._missing_name = "" if self.column.current else chosen
        self._offer_tests(condition_test(condition) if condition is not None else None)
        if condition is not None:
            self._show_values(condition_values(condition))

    def _find_column(self) -> Column | None:
        """Return the column of the condition; None for the risk of a person or an unknown column."""
        if self._table is None or self.column.current == STATUS or self.column.current not in self._table:
            return None
        return self._table.column(self.column.current)

    def _offer_tests(self, current: str | None = None) -> None:
        """Offer the comparisons and values of the chosen column, and discard the entered values.

        Afterwards text fields are empty, nothing is ticked, and the list for "is" has its first value selected.
        ``current`` is the key of the comparison to select; if it is not offered, the first one is selected. Values of a
        number column, or of a column with more than ``MOST_LISTED`` values, have to be typed.
        """
        column = self._find_column()
        tests = tests_for(column)
        keys = [key for key, _ in tests]
        self.test.set_choices(tests, current if current in keys else keys[0])
        categories: Sequence[str] = column.categories if column is not None and column.kind != "numeric" else ()
        listed = categories if len(categories) <= MOST_LISTED else ()
        self.choice.set_choices([(text, text) for text in listed], listed[0] if listed else None)
        with QSignalBlocker(self.many):
            self.many.clear()
            for text in listed:
                item = QListWidgetItem(text)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsUserCheckable)
                item.setCheckState(Qt.CheckState.Unchecked)
                self.many.addItem(item)
        self.low.clear()
        self.high.clear()
        self._show_controls()

    def _show_controls(self) -> None:
        """Show the controls for the chosen comparison: a list or check boxes if values are listed, else text fields.

        The list is for "is", the check boxes are for "is one of"; comparisons by size always have text fields.
        Nothing is shown for "is missing" and for the risk of a person, which have no value.
        """
        test, listed = self.test.current, self.many.count() > 0
        column = self._find_column()
        self.choice.setVisible(test == "equals" and listed)
        self.many.setVisible(test == "in" and listed)
        self.others.setVisible(test == "in" and listed)
        typed = test in ("at_least", "at_most", "between") or (test in ("equals", "in") and not listed)
        self.low.setVisible(typed)
        self.high.setVisible(test == "between")
        date = column is not None and column.kind == "date"
        hint = "2001-12-31" if date else _("values, separated by ;") if test == "in" else ""
        self.low.setPlaceholderText(_("lowest") if test == "between" and not date else hint)
        self.high.setPlaceholderText(hint if date else _("highest"))
        self.many.setFixedHeight(round(theme().h * 1.6 * min(max(self.many.count(), 3), 7)))

    def _show_values(self, values: tuple[Scalar, ...]) -> None:
        """Show the values of a condition in the visible controls; an empty tuple changes nothing."""
        test = self.test.current
        texts = [format_as_typed(value) for value in values]
        if test == "equals" and self.choice.count():
            self.choice.set_current(str(values[0]))
        elif test == "in" and self.many.count():
            self._tick_values(set(map(str, values)))
        elif test == "in":
            self.low.setText("; ".join(texts))
        elif texts:
            self.low.setText(texts[0])
            self.high.setText(texts[-1] if test == "between" else "")

    def _tick_values(self, texts: set[str]) -> None:
        """Tick the listed values that are in ``texts`` and untick all others, without a signal."""
        with QSignalBlocker(self.many):
            for index in range(self.many.count()):
                item = self.many.item(index)
                item.setCheckState(Qt.CheckState.Checked if item.text() in texts else Qt.CheckState.Unchecked)

    # --- reading ------------------------------------------------------------------------

    def ticked(self) -> list[str]:
        """Return the values that are ticked in the list."""
        items = [self.many.item(index) for index in range(self.many.count())]
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    def condition(self) -> Condition | str:
        """Return the condition that is entered, or a sentence on what is missing or wrong."""
        if not self.column.current:
            names = Names.of([self._missing_name])
            return _("Columns of the recipe that are not in this file: {names}.", names=names)
        test = self.test.current
        if test == "in" and self.many.count():
            values: Sequence[str] = self.ticked()
        elif test == "in":
            values = [part.strip() for part in self.low.text().split(";") if part.strip()]
        elif test == "equals" and self.choice.count():
            values = [self.choice.current]
        elif test == "between":
            values = [self.low.text().strip(), self.high.text().strip()]
        else:
            values = [self.low.text().strip()]
        return build_condition(self._find_column(), test, values)

    # --- slots --------------------------------------------------------------------------

    def _on_column(self, _key: str) -> None:
        """Offer the comparisons that fit the chosen column, and send ``changed``."""
        self._offer_tests(self.test.current)
        self.changed.emit()

    def _on_test(self, _key: str) -> None:
        """Show the controls for the chosen comparison, and send ``changed``."""
        self._show_controls()
        self.changed.emit()

    def _on_others(self) -> None:
        """Tick the values that were not ticked, untick those that were, and send ``changed`` once."""
        ticked = set(self.ticked())
        self._tick_values({self.many.item(index).text() for index in range(self.many.count())} - ticked)
        self.changed.emit()


class RuleEditor(Card):
    """Editor of one rule; the recipe changes only when the rule is saved."""

    saved = Signal(object)
    cancelled = Signal()
    draft_changed = Signal()

    def __init__(self) -> None:
        super().__init__(_("Who does this rule apply to?"), name="editor_rule")
        self._table: Table | None = None
        self._rows: list[ConditionRow] = []
        self._number = 0
        self._conditions = vbox()
        self._also = Button(_("Add a condition…"), name="button_add_condition", icon="plus", link=True)
        label = Text(_("Gets level"), wrap=False)
        self.level = LevelChoice(name="rule_level", label=_("Gets level"))
        self.finds = Text("", semibold=True, name="label_rule_finds")
        add_parts(self.body, self._conditions, self._also, hbox(label, self.level, STRETCH), self.finds)
        self.save = Button(_("Use this rule"), name="button_save_rule", clicked=self._on_save)
        self.cancel = Button(_("Cancel"), name="button_cancel_rule", clicked=self.cancelled)
        self.body.addLayout(hbox(self.save, self.cancel, STRETCH))
        self._timer = make_timer(self, _AFTER_MS, self.draft_changed)
        self._also.clicked.connect(self._on_also)

    def open(self, table: Table, levels: Sequence[tuple[str, str, int]], rule: Rule | None) -> None:
        """Show a rule in the editor, with the focus on its first condition, and have its people counted.

        What was entered before is discarded. ``draft_changed`` is sent after a short pause.

        Parameters
        ----------
        table
            Table whose columns can be used.
        levels
            Levels to choose from: (key, label, number of filled bars); a new rule starts with the second, or with the
            only one.
        rule
            Rule to edit; None for a new rule with an empty condition.
        """
        self._table = table
        for row in self._rows:
            self._remove_condition_row(row)
        self._rows = []
        for condition in rule.where if rule is not None else (None,):
            self._add_condition_row(condition)
        fallback = levels[min(1, len(levels) - 1)][0] if levels else None
        self.level.set_levels(levels, str(rule.level) if rule is not None else fallback)
        self.show()
        self._rows[0].column.setFocus(Qt.FocusReason.OtherFocusReason)
        self._on_changed()

    def draft(self) -> tuple[Condition, ...] | str:
        """Return the entered conditions, which all have to hold, or a sentence on the first incomplete or wrong one."""
        conditions = []
        for row in self._rows:
            condition = row.condition()
            if isinstance(condition, str):
                return condition
            conditions.append(condition)
        return tuple(conditions)

    def show_finds(self, text: str, tone: str) -> None:
        """Show how many people the edited rule matches (``text``), in the colour of the theme named ``tone``."""
        self.finds.set_tone(tone)
        self.finds.setText(text)

    def _add_condition_row(self, condition: Condition | None) -> None:
        """Add a line for a condition at the end; None adds an empty line.

        The editor must have been opened with a table (AssertionError). From two lines on, each can be removed.
        """
        assert self._table is not None
        self._number += 1
        row = ConditionRow(self._number)
        row.fill(self._table, condition)
        row.changed.connect(self._on_changed)
        row.remove.clicked.connect(partial(self._on_removed, row))
        self._rows.append(row)
        self._conditions.addWidget(row)
        self._show_remove_buttons()

    def _remove_condition_row(self, row: ConditionRow) -> None:
        """Remove the line of a condition from the layout and delete it; it stays in the editor's list of lines."""
        self._conditions.removeWidget(row)
        row.hide()
        row.deleteLater()

    def _show_remove_buttons(self) -> None:
        """Show the buttons that remove a condition only if the rule has more than one."""
        for row in self._rows:
            row.remove.setVisible(len(self._rows) > 1)

    def _on_also(self) -> None:
        """Add an empty condition to the rule."""
        self._add_condition_row(None)
        self._on_changed()

    def _on_removed(self, row: ConditionRow) -> None:
        """Remove one of several conditions, and check and count the rule again."""
        self._rows.remove(row)
        self._remove_condition_row(row)
        self._show_remove_buttons()
        self._on_changed()

    def _on_changed(self) -> None:
        """Enable saving if the rule is complete, else disable it, and send ``draft_changed`` after a short pause.

        Until the people are counted the editor shows "Counting…"; for an incomplete rule it shows what is missing. The
        signal is sent in both cases, 0.3 seconds after the last change.
        """
        draft = self.draft()
        self.save.setEnabled(not isinstance(draft, str))
        self.show_finds(draft if isinstance(draft, str) else _("Counting…"), "text2")
        self._timer.start()

    def _on_save(self) -> None:
        """Send ``saved`` with the finished ``Rule``; nothing while the rule is incomplete.

        A ``draft_changed`` that waits is no longer sent. The editor stays open.
        """
        draft = self.draft()
        if not isinstance(draft, str):
            self._timer.stop()
            self.saved.emit(Rule(where=draft, level=self.level.current))
