"""Form rows for settings about treated columns: one or several column names, or numbers for each column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtWidgets import QCheckBox, QGridLayout, QHBoxLayout, QLineEdit, QWidget

from ppdm_desktop.engine.methods.base.parameters import ColumnBoundsParameter, ColumnNumbersParameter
from ppdm_desktop.engine.report.setting_texts import format_value
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import restyle, theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.state.typed_numbers import explain_no_number, format_as_typed, parse_typed_number
from ppdm_desktop.ui.widgets.basic import Text, clear_layout
from ppdm_desktop.ui.widgets.form.row import ParameterRow
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.layout import add_parts, vbox


class ColumnNameRow(ParameterRow):
    """Row with a list from which one treated column, or "none", is chosen."""

    def build(self, line: QHBoxLayout) -> None:
        """Add the combo box of columns to the row."""
        self._columns: tuple[str, ...] = ()
        self._picker = Choice(picked=self.tell, letters=12)
        self.name_control(self._picker)
        line.addWidget(self._picker)
        self._offer_columns("")

    def set_columns(self, columns: Sequence[str]) -> None:
        """Offer these columns, which the method treats, in the combo box; the selected one stays, listed or not."""
        if tuple(columns) != self._columns:
            self._columns = tuple(columns)
            self._offer_columns(self._picker.current)

    def show_value(self, value: object) -> None:
        """Select a column by its name, "" for "none"; a column that the step does not treat is added to the list."""
        name = str(value)
        if name and name not in self._columns:
            self._offer_columns(name)
        self._picker.set_current(name)

    def _offer_columns(self, current: str) -> None:
        """Offer "none", the treated columns and ``current``, treated or not, and select ``current``."""
        names = [*self._columns, *([current] if current and current not in self._columns else [])]
        none = _("none")
        self._picker.set_choices([("", none), *((name, name) for name in names)], current)


class ColumnsRow(ParameterRow):
    """Row with a check box for each treated column; the ticked ones (at least two) are treated as one group."""

    def build(self, line: QHBoxLayout) -> None:
        """Add to the line the area for the check boxes, and the text that replaces it for fewer than two columns.

        Below the line comes the hint to tick a second column, hidden until exactly one is ticked. Check boxes are added
        by ``show_value``.
        """
        self._columns: tuple[str, ...] = ()
        self._ticked: tuple[str, ...] = ()
        self.boxes: dict[str, QCheckBox] = {}
        self._lines = QWidget()
        self.name_control(self._lines)
        self._column = vbox(on=self._lines, gap=4)
        self._few = Text(_("Tick at least two columns."), tone="text3", factor=0.9)
        self._few.setObjectName(f"few_{self.parameter.name}")
        self._too_few_note = Text(
            _("Tick at least two columns."), tone="blocks", factor=0.9, name=f"one_{self.parameter.name}"
        )
        # One of the two stands beside the name; an empty line would stay where neither did.
        for widget in (self._lines, self._few):
            line.addWidget(widget, 10)
        self.below.addWidget(self._too_few_note)
        self._too_few_note.hide()

    def set_columns(self, columns: Sequence[str]) -> None:
        """Remember the columns that the step treats; their check boxes appear with the next ``show_value``."""
        self._columns = tuple(columns)

    def show_value(self, value: object) -> None:
        """Tick the columns named in a list; any other value ticks none.

        Columns that the step does not treat are listed after the others. A single box that the user has just ticked
        stays ticked while no value is set, because one column is no value yet. If there are fewer than two columns, a
        text replaces the check boxes.
        """
        named = tuple(value) if isinstance(value, list | tuple) else ()
        if len(self._ticked) != 1 or self._ticked[0] not in self._columns or named:
            # One box alone is what a person is about to tick; it is not written yet.
            self._ticked = named
        names = (*self._columns, *(name for name in named if name not in self._columns))
        if names != tuple(self.boxes):
            self._show_check_boxes(names)
        for name, box in self.boxes.items():
            box.setChecked(name in self._ticked)
        self._lines.setVisible(len(names) > 1)
        self._few.setVisible(len(names) < 2)
        self._too_few_note.setVisible(len(self._ticked) == 1 and len(names) > 1)

    def _show_check_boxes(self, names: tuple[str, ...]) -> None:
        """Show a check box for each of these columns, in this order, and delete all others."""
        for name in set(self.boxes) - set(names):
            box = self.boxes.pop(name)
            box.hide()
            box.deleteLater()
        kept, self.boxes = self.boxes, {}
        for name in names:
            box = kept.get(name) or self._make_check_box(name)
            self._column.removeWidget(box)
            self._column.addWidget(box)
            self.boxes[name] = box

    def _make_check_box(self, name: str) -> QCheckBox:
        """Return a new check box for a column, not yet in the layout; a "&" in the name is shown as it is."""
        box = check_box(name.replace("&", "&&"), name=f"param_{self.parameter.name}_{name}", clicked=self._on_ticked)
        box.setParent(self._lines)
        box.setAccessibleName(f"{self.parameter.label_text}: {name}")
        box.setAccessibleDescription(str(self.parameter.help))
        return box

    def _on_ticked(self) -> None:
        """Send the ticked columns as the value if there are at least two.

        With fewer, ``cleared`` is sent if the recipe sets the setting, else nothing. With exactly one, a hint to tick
        two is shown.
        """
        self._ticked = tuple(name for name, box in self.boxes.items() if box.isChecked())
        self._too_few_note.setVisible(len(self._ticked) == 1)
        if len(self._ticked) > 1:
            self.tell(list(self._ticked))
        elif self.is_written:
            self.cleared.emit(self.parameter.name)


class NumberField(QLineEdit):
    """A short field for one number; empty means no number."""

    def __init__(self, name: str, text: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(text)
        self.setPlaceholderText("–")
        theme().bound(self, least_wide=60, most_wide=150)

    @property
    def number(self) -> float | int | None:
        """The number that is typed in the format of the language; None if the field is empty or holds no number."""
        return parse_typed_number(self.text().strip())

    def show_number(self, value: float | None) -> None:
        """Show a number; None empties the field.

        Nothing changes if the field has that number already, or if None is given while the user's text is marked as
        wrong.
        """
        if value is None and self.property("wrong"):
            return
        if value != self.number:
            self.setText("" if value is None else format_as_typed(float(value)))
            self.mark(False)

    def mark(self, wrong: bool) -> None:
        """Mark the field as wrong, or remove the mark.

        If the typed text of a wrong field is no number, the tooltip says why; otherwise there is no tooltip.
        """
        typed = self.text().strip()
        self.setToolTip(plain_tip(explain_no_number(typed)) if wrong and typed and self.number is None else "")
        restyle(self, "wrong", wrong)


class _ColumnRow(ParameterRow):
    """Base of form rows with one line of number fields for each treated column."""

    def ends(self) -> tuple[tuple[str, str], ...]:
        """Return (suffix of the object name, label) of each number field of a line; here one field, both are ""."""
        return (("", ""),)

    def build(self, line: QHBoxLayout) -> None:
        """Add the empty area for the lines; lines are made when the first value is shown."""
        self._names: tuple[str, ...] = ()
        self._treated: tuple[str, ...] = ()
        self.fields: dict[str, tuple[NumberField, ...]] = {}
        self._lines = QWidget()
        self._grid = QGridLayout(self._lines)
        self._grid.setContentsMargins(0, 0, 0, 0)
        theme().gap(self._grid, 6)
        self._grid.setColumnStretch(3, 1)
        self.below.addWidget(self._lines)

    def set_columns(self, columns: Sequence[str]) -> None:
        """Remember the columns that the step treats; their lines appear when the next value is shown."""
        self._treated = tuple(columns)

    def set_written(self, value: object | None, otherwise: object | None = None) -> None:
        """Show the value that the recipe sets or, for None, the default.

        If the value was just removed from the recipe, the fields are emptied first. ``otherwise`` is the value of the
        step's profile, None without one.
        """
        if value is None and self.is_written:
            for field in self._all_fields():
                field.clear()
                field.mark(False)
        super().set_written(value, otherwise)

    def _show_lines(self, value: object) -> None:
        """Show a line with its numbers for each treated column and for each other column that the value names.

        ``value`` has numbers by column; if it is no mapping, every line is empty. The fields are made anew only if the
        columns changed.
        """
        named = self.parameter.columns_in(value)
        names = (*self._treated, *(name for name in named if name not in self._treated))
        if names != self._names:
            self._names = names
            self._rebuild_lines()
        for name, fields in self.fields.items():
            self._show_column(fields, value.get(name) if isinstance(value, Mapping) else None)

    def _rebuild_lines(self) -> None:
        """Delete all lines, and make a label with empty number fields for each column in ``_names``."""
        clear_layout(self._grid)
        self.fields = {}
        for index, name in enumerate(self._names):
            label = Text(name, wrap=False)
            self._grid.addWidget(label, index, 0)
            made = []
            for at, (suffix, end) in enumerate(self.ends()):
                text = f"{self.parameter.label_text}: {name}" + (f", {end}" if end else "")
                field = NumberField(f"param_{self.parameter.name}_{name}{suffix}", text)
                field.setPlaceholderText(end or "–")
                field.editingFinished.connect(self._on_edited)
                self._grid.addWidget(field, index, 1 + at)
                made.append(field)
            label.setBuddy(made[0])
            self.fields[name] = tuple(made)

    def _all_fields(self) -> list[NumberField]:
        """Return the fields of all columns, line by line."""
        return [field for fields in self.fields.values() for field in fields]

    def _show_column(self, fields: tuple[NumberField, ...], value: object) -> None:
        """Show the value of one column in its fields; subclasses define it, and here NotImplementedError is raised."""
        raise NotImplementedError

    def _read_entered_value(self) -> object | None:
        """Return the value entered in the fields, None if all are empty; raise ValueError if a text is invalid.

        Subclasses define this; here NotImplementedError is raised.
        """
        raise NotImplementedError

    def _on_edited(self) -> None:
        """Send the entered value; if a text is no number or the numbers are not valid, mark fields and send nothing.

        If all fields are empty, ``cleared`` is sent if the recipe sets the setting, else nothing.
        """
        for field in self._all_fields():
            field.mark(bool(field.text().strip()) and field.number is None)
        try:
            value = self._read_entered_value()
        except ValueError:
            return
        if value is None:
            if self.is_written:
                self.cleared.emit(self.parameter.name)
        else:
            self.tell(value)


class ColumnNumbersRow(_ColumnRow):
    """Row for one number for all columns, or for different numbers for some columns."""

    def build(self, line: QHBoxLayout) -> None:
        """Add the field for all columns, with a default that is a word as a hint, and below it an area for the lines.

        The lines for single columns are made when the first value is shown.
        """
        super().build(line)
        self._all = NumberField("", "")
        self.name_control(self._all)
        default = self.parameter.default
        self._all.setPlaceholderText(format_value(self.parameter, default) if isinstance(default, str) else "–")
        self._all.editingFinished.connect(self._on_edited)
        add_parts(line, Text(_("All columns"), wrap=False), self._all)

    def show_value(self, value: object) -> None:
        """Show a number in the field for all columns, or a mapping (number by column) in the lines.

        The lines are visible if there are several columns or the value is a mapping. For a word that stands for a
        number, such as "automatic", the fields are empty and its meaning is added to the help.
        """
        assert isinstance(self.parameter, ColumnNumbersParameter)
        self._show_lines(value)
        # One column needs one field.
        self._lines.setVisible(len(self._names) > 1 or isinstance(value, Mapping))
        self._all.show_number(value if isinstance(value, int | float) else None)
        text = self.parameter.words.get(value, "") if isinstance(value, str) else ""
        self.what.setText(f"{self.parameter.help} {text}".strip())

    def _all_fields(self) -> list[NumberField]:
        """Return the field for all columns, then the fields of the single columns."""
        return [self._all, *super()._all_fields()]

    def _show_column(self, fields: tuple[NumberField, ...], value: object) -> None:
        """Show the number of one column; its field is empty for any other value."""
        fields[0].show_number(value if isinstance(value, int | float) else None)

    def _read_entered_value(self) -> object | None:
        """Return the number for all columns, or numbers by column; None if all fields are empty.

        If both kinds of fields are filled, treated columns without a number get the number for all columns: 5 for all
        and 2 for b gives {"a": 5, "b": 2}. Raise ValueError if a text is no number above 0; numbers that are too small
        are marked.
        """
        wrong = [field for field in self._all_fields() if field.number is not None and not field.number > 0]
        for field in wrong:
            field.mark(True)
        if wrong or any(field.text().strip() and field.number is None for field in self._all_fields()):
            raise ValueError("not a number above 0")
        entered = {name: field.number for name, (field,) in self.fields.items() if field.number is not None}
        whole = self._all.number
        if not entered:
            return whole
        return entered if whole is None else {**dict.fromkeys(self._treated, whole), **entered}


class ColumnBoundsRow(_ColumnRow):
    """Row for the lowest and the highest value of each column."""

    def ends(self) -> tuple[tuple[str, str], ...]:
        """Return (suffix of the object name, label) of the fields for lowest and highest value."""
        return (("_low", _("lowest value")), ("_high", _("highest value")))

    def build(self, line: QHBoxLayout) -> None:
        """Add the empty area for the lines of single columns, and make it the row's control."""
        super().build(line)
        self.name_control(self._lines)

    def show_value(self, value: object) -> None:
        """Show (lowest, highest) by column; columns that the value does not name have empty fields."""
        assert isinstance(self.parameter, ColumnBoundsParameter)
        self._show_lines(value)

    def _show_column(self, fields: tuple[NumberField, ...], value: object) -> None:
        """Show the lowest and the highest value of one column.

        Without a value the fields are emptied only if they hold a valid pair, so that a half-typed pair stays.
        """
        pair = value if isinstance(value, list | tuple) else (None, None)
        for field, end in zip(fields, pair, strict=True):
            # Half a pair that a person is typing is not written yet.
            if end is not None or self._is_whole(fields):
                field.show_number(end)

    @staticmethod
    def _is_whole(fields: tuple[NumberField, ...]) -> bool:
        """Return whether both fields hold numbers and the lowest value is smaller than the highest."""
        low, high = (field.number for field in fields)
        return low is not None and high is not None and low < high

    def _read_entered_value(self) -> object | None:
        """Return [lowest, highest] by column, without columns whose fields are empty; None if all are empty.

        Raise ValueError at the first pair that is not two rising numbers: [0, 10] is valid, [10, 10] is not. If both
        its fields have a text, both are marked.
        """
        entered = {}
        for name, fields in self.fields.items():
            if not any(field.text().strip() for field in fields):
                continue
            if not self._is_whole(fields):
                # The second end may still come; two ends that do not rise cannot be taken.
                for field in fields:
                    field.mark(bool(field.text().strip()) and all(end.text().strip() for end in fields))
                raise ValueError("not a pair that rises")
            entered[name] = [field.number for field in fields]
        return entered or None
