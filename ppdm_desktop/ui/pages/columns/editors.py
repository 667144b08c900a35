"""Editors for one column: groups of numbers, and the order of ordinal values."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QFormLayout, QLabel, QListWidget, QWidget

from ppdm_desktop.engine.recipe.models import BinsSection, ColumnSection
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.column_decisions import (
    Grouping,
    class_columns,
    grouped_section,
    order_of,
    preview_groups,
    swap_order_values,
)
from ppdm_desktop.ui.state.typed_numbers import (
    explain_no_number,
    format_as_typed,
    parse_typed_number,
    parse_typed_numbers,
)
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import Choice, WholeNumber, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, widget_of
from ppdm_desktop.ui.widgets.value_bars import ValueBars
from ppdm_desktop.ui.work.chunked_work import make_timer
from ppdm_desktop.ui.work.tasks import TaskOutcome

_AFTER_MS = 300
NONE = "none"


class GroupsEditor(Card):
    """Editor that cuts a number column into groups, with a preview of the result."""

    def __init__(self, context: Context) -> None:
        super().__init__(
            _("Groups of numbers"),
            _("The release and its checks use the groups instead of the numbers."),
            name="editor_groups",
        )
        self.context, self.session = context, context.session
        self._loaded: tuple[str, ColumnSection | None] = ("", None)
        self._preview_timer = make_timer(self, _AFTER_MS, self._update_preview)
        self._build_editor()

    def _build_editor(self) -> None:
        """Create the fields for all ways of grouping, the preview with its message, and the button that uses them.

        The fields are connected so that a change leads to a new preview; the button is disabled at first.
        """
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapAllRows)
        theme().gaps(form, 6, 3)
        self.method = Choice(name="combo_groups_method", picked=self._on_changed)
        self.method.set_choices(
            [
                (NONE, _("Keep the numbers")),
                ("equal-frequency", _("Same number of rows")),
                ("equal-width", _("Same width")),
                ("cuts", _("Own limits")),
                ("mdl", _("So that they predict a column (MDL)")),
            ],
            NONE,
        )
        self.method.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.count = WholeNumber(name="spin_groups_count", bounds=(2, 100), value=4)
        self.cuts = line_edit(name="edit_cuts", hint=_("for example 18; 30; 45; 65"))
        self.against = Choice(name="combo_against", picked=self._on_changed)
        self.against.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.low = line_edit(name="edit_low", label=_("Lowest possible value"), hint="–")
        self.high = line_edit(name="edit_high", label=_("Highest possible value"), hint="–")
        for edit in (self.low, self.high):
            theme().bound(edit, least_wide=40)
        ends = widget_of(hbox(self.low, Text(_("to"), wrap=False), self.high))
        self._add_rows(form, ends)
        self.count.lineEdit().setAccessibleName(_("Groups"))
        self.message = Text("", factor=0.92, tone="text2", name="label_groups")
        self.bars = ValueBars(name="bars_groups", label=_("Groups"))
        self.use = Button(_("Use these groups"), name="button_use_groups", clicked=self._on_use)
        self.use.setEnabled(False)
        add_parts(self.body, form, self.message, self.bars, hbox(self.use, STRETCH))
        self.count.valueChanged.connect(self._on_changed)
        for edit in (self.cuts, self.low, self.high):
            edit.textEdited.connect(self._on_changed)

    def _add_rows(self, form: QFormLayout, ends: QWidget) -> None:
        """Add each field of the editor with its label as a row of ``form``, and keep both in ``_labels``.

        Parameters
        ----------
        form
            The form that the rows are added to.
        ends
            Widget with the fields of the lowest and the highest possible value.
        """
        self._labels: dict[str, tuple[QLabel, QWidget]] = {}
        for key, text, field in (
            ("method", _("Form groups by"), self.method),
            ("count", _("Groups"), self.count),
            ("cuts", _("Limits of the groups"), self.cuts),
            ("against", _("Column"), self.against),
            ("bounds", _("Lowest and highest possible value"), ends),
        ):
            label = QLabel(text)
            label.setBuddy(self.low if key == "bounds" else field)
            form.addRow(label, field)
            self._labels[key] = (label, field)
            field.setAccessibleName(text)

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Discard unsaved groups and cancel their preview."""
        self._preview_timer.stop()
        self.context.runner.cancel("groups")
        self._loaded = ("", None)

    def show_column(self, name: str) -> None:
        """Fill the fields with the groups (bins of its numbers) that the recipe has for a column, and preview them.

        Without groups the choice is to keep the numbers, and the number of groups is set to 4. Nothing happens if the
        column is shown already and its decisions in the recipe have not changed.
        """
        section = self.session.decisions.recipe.columns.get(name)
        if (name, section) == self._loaded:
            return
        self._loaded = (name, section)
        bins = section.bins if section is not None else None
        self.method.set_current(bins.method if bins is not None else NONE)
        with QSignalBlocker(self.count):
            self.count.setValue(bins.count if bins is not None and bins.count is not None else 4)
        self.cuts.setText("; ".join(format_as_typed(cut) for cut in bins.at) if bins is not None and bins.at else "")
        self.against.set_choices([(class_column, class_column) for class_column in class_columns(self.session, name)])
        if bins is not None and bins.against is not None:
            self.against.set_current(bins.against)
        bounds = section.bounds if section is not None else None
        self.low.setText(format_as_typed(bounds[0]) if bounds is not None else "")
        self.high.setText(format_as_typed(bounds[1]) if bounds is not None else "")
        self._show_fields()
        self._update_preview()

    def _show_fields(self) -> None:
        """Show only the fields that the chosen way of grouping needs, with their labels.

        If the numbers are kept, only the choice of the way remains.
        """
        method = self.method.current
        visible = {
            "count": method in ("equal-frequency", "equal-width"),
            "cuts": method == "cuts",
            "against": method == "mdl",
            "bounds": method != NONE,
        }
        for key, wanted in visible.items():
            for widget in self._labels[key]:
                widget.setVisible(wanted)

    def _on_changed(self) -> None:
        """Show the fields that the chosen way of grouping needs, and preview the groups after a pause of 300 ms.

        The button that uses the groups is disabled until then.
        """
        self._show_fields()
        self.use.setEnabled(False)
        self._preview_timer.start()

    def grouping(self) -> Grouping | str | None:
        """Return the grouping that was typed, None to keep the numbers, or a sentence (text) on the first mistake.

        Mistakes are looked for in the lowest and highest possible value first; then, depending on the way of grouping,
        limits that are missing, no numbers or do not rise, or no column to be predicted.
        """
        method = self.method.current
        decimal = self.session.reading.account.decimal if self.session.reading is not None else "."
        if method == NONE:
            return None
        bounds = self._read_bounds(decimal)
        if isinstance(bounds, str):
            return bounds
        if method == "cuts":
            cuts = parse_typed_numbers(self.cuts.text(), decimal)
            if isinstance(cuts, str):
                return cuts
            if not cuts or sorted(set(cuts)) != cuts:
                return _("Enter the limits of the groups in rising order, separated by semicolons.")
            return Grouping(BinsSection(method="cuts", at=tuple(cuts)), bounds)
        if method == "mdl":
            if not self.against.current:
                return _("Choose the column that the groups should predict.")
            return Grouping(BinsSection(method="mdl", against=self.against.current), bounds)
        return Grouping(BinsSection.model_validate({"method": method, "count": self.count.value()}), bounds)

    def _read_bounds(self, decimal: str) -> tuple[float, float] | str | None:
        """Return the typed (lowest, highest) possible value, None if both fields are empty, or a sentence on a mistake.

        Mistakes are a text that is no number, only one filled field, and a lowest value that is not below the highest.

        Parameters
        ----------
        decimal
            Decimal character of the file, "." or ",".
        """
        ends = [self.low.text().strip(), self.high.text().strip()]
        if not any(ends):
            return None
        low, high = (parse_typed_number(text, decimal) for text in ends)
        if wrong := next((text for text, end in zip(ends, (low, high), strict=True) if text and end is None), None):
            return explain_no_number(wrong)
        if low is None or high is None or low >= high:
            return _("Enter both the lowest and the highest possible value, or neither.")
        return float(low), float(high)

    # --- previewing ---------------------------------------------------------------------

    def _update_preview(self) -> None:
        """Count in the background how many rows each typed group would have; a mistake is shown at once instead.

        If the numbers are to be kept, there is no preview, and the button removes the groups of the column, if it has
        any.
        """
        reading, (name, section) = self.session.reading, self._loaded
        wanted = self.grouping()
        if reading is None or section is None or wanted is None:
            self.context.runner.cancel("groups")
            self.bars.set_values(())
            self.message.set_tone("text2")
            self.message.setText("")
            self.use.setEnabled(section is not None and section.bins is not None)
            self.use.setText(_("Remove the groups"))
            return
        self.use.setText(_("Use these groups"))
        if isinstance(wanted, str):
            self._refuse_groups(wanted)
            return
        work = partial(preview_groups, reading, self.session.decisions.recipe.columns, name, wanted)
        self.context.runner.start("groups", work, self._on_previewed)

    def _refuse_groups(self, text: str) -> None:
        """Show why the groups cannot be used, remove the preview, and disable the button that uses them."""
        self.bars.set_values(())
        self.use.setEnabled(False)
        self.message.set_tone("amber")
        self.message.setText(text)

    def _on_previewed(self, outcome: TaskOutcome) -> None:
        """Show the groups of a finished preview and their numbers of rows, or why they are not possible.

        The result is dropped if the fields changed meanwhile or have a mistake by now. The button is enabled if the
        groups differ from the recipe's.
        """
        wanted, section = self.grouping(), self._loaded[1]
        if self._preview_timer.isActive() or outcome.cancelled or not isinstance(wanted, Grouping) or section is None:
            return
        if not outcome.ok:
            self._refuse_groups(outcome.message)
            return
        groups: list[tuple[str, int]] = outcome.result
        self.bars.set_values(groups)
        self.message.set_tone("text2")
        fewest = min((number for _, number in groups), default=0)
        self.message.setText(
            _("{n} {n:group|groups}; the smallest has {least} {least:row|rows}.", n=len(groups), least=int(fewest))
        )
        self.use.setEnabled(grouped_section(section, wanted) != section)

    def _on_use(self) -> None:
        """Write the typed groups, or none, into the recipe and make the column numeric, without confirming its role.

        Groups replace the column's list of broader values. Nothing happens if the fields have a mistake or no column is
        shown.
        """
        wanted, (name, section) = self.grouping(), self._loaded
        if section is None or isinstance(wanted, str):
            return
        changed = grouped_section(section, wanted)
        keys = ("bins", "bounds", "hierarchy", "hierarchy_sha256")
        changes = {key: getattr(changed, key) for key in keys}
        self.session.set_column([name], confirm=False, kind="numeric", **changes)


class OrderEditor(Card):
    """Editor for the order of an ordinal column's values, lowest first."""

    def __init__(self, context: Context) -> None:
        super().__init__(_("Order, lowest first"), name="editor_order")
        self.session = context.session
        self._name = ""
        self.values = QListWidget()
        self.values.setObjectName("list_order")
        self.values.setAccessibleName(_("Order, lowest first"))
        self.up = Button(_("Up"), name="button_order_up", icon="up", clicked=partial(self._move_value, -1))
        self.down = Button(_("Down"), name="button_order_down", icon="down", clicked=partial(self._move_value, 1))
        add_parts(self.body, self.values, hbox(self.up, self.down, STRETCH))

    def forget(self) -> None:
        """Empty the list of values."""
        self._name = ""
        self.values.clear()

    def show_column(self, name: str) -> None:
        """List the values of an ordinal column in their order, lowest first.

        If the same column was shown before, the selected value stays selected; otherwise the first value is selected.
        Nothing happens if the list is shown already. It is 2 to 9 lines high. A column without an order gives an empty
        list.
        """
        order = order_of(self.session, name)
        current_order = [self.values.item(row).text() for row in range(self.values.count())]
        if name == self._name and list(order) == current_order:
            return
        row = self.values.currentRow() if name == self._name else -1
        current = self.values.item(row).text() if row >= 0 else ""
        self._name = name
        self.values.clear()
        self.values.addItems(list(order))
        self.values.setCurrentRow(order.index(current) if current in order else 0)
        lines = min(max(len(order), 2), 9)
        self.values.setFixedHeight(round(theme().h * 1.3 * lines) + theme().px(8))

    def _move_value(self, by: int) -> None:
        """Swap the selected value with the one above (``by`` = -1) or below (1), in the recipe too.

        Nothing happens at the ends of the list.
        """
        order = order_of(self.session, self._name)
        new = swap_order_values(order, self.values.currentRow(), by)
        if new != order:
            self.session.set_column([self._name], confirm=False, order=new)
