"""The form for the settings ("parameters") of a method, built from the method's declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QListWidget, QListWidgetItem, QWidget

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnBoundsParameter,
    ColumnNumbersParameter,
    ColumnParameter,
    ColumnsParameter,
    FlagParameter,
    NumberParameter,
    Parameter,
    RecipientParameter,
    TextParameter,
)
from ppdm_desktop.engine.methods.base.step import OWN, PAPER, SAFE, Mode
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.state.number_texts import shorten_common_prefix
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form.column_rows import ColumnBoundsRow, ColumnNameRow, ColumnNumbersRow, ColumnsRow
from ppdm_desktop.ui.widgets.form.row import (
    ChoiceRow,
    FewNumbersRow,
    FlagRow,
    FormRow,
    NumberRow,
    ParameterRow,
    RecipientRow,
    TextRow,
)
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import FitsOnResize, Panel, add_parts, vbox

_VISIBLE_ROWS = 5
_NARROW = 430


class ProfileRow(FormRow):
    """Form row with the choice between the settings recommended for a method and those of its paper.

    Signals
    -------
    picked
        Emitted with the name of the profile that the user chose.
    """

    picked = Signal(str)

    def __init__(self, method: Method) -> None:
        text = _("All settings")
        self._choice = Choice(name="param_profile", label=text, picked=self._on_picked)
        super().__init__(text, "", self._choice)
        self._mode: Mode = SAFE
        self.fault, self.price = (Text("", tone="text2", factor=0.9) for _ in range(2))
        self.fault.setObjectName("text_paper_fault")
        self.price.setObjectName("text_paper_price")
        add_parts(self.right, self.fault, self.price)
        # Not shown by hand: a label that has no parent yet would be a window for a moment, and take the focus.
        if method.paper_fault is not None:
            self.fault.setText(_keep_percent_together(_("As in the paper: {fault}", fault=method.paper_fault)))
        if method.paper_price is not None:
            self.price.setText(_keep_percent_together(_("Recommended: {price}", price=method.paper_price)))

    def show_mode(self, mode: Mode) -> None:
        """Select the set of settings in use: recommended, as in the paper, or the user's own.

        "own settings" cannot be chosen; it is listed only while a step has such settings.
        """
        self._mode = mode
        choices: list[tuple[str, str]] = [
            (SAFE, _("recommended")),
            (PAPER, _("as in the paper")),
        ]
        if mode == OWN:
            choices.append((OWN, _("own settings")))
        self._choice.set_choices(choices, mode)

    def _on_picked(self, key: str) -> None:
        """Send the chosen profile; choosing the selected one again or "own settings" sends nothing."""
        if key != self._mode and key != OWN:
            self.picked.emit(key)


def _keep_percent_together(text: str) -> str:
    """Return the text with each space before a per cent sign replaced by a no-break space."""
    return text.replace(" %", "\N{NO-BREAK SPACE}%")


class ColumnList(QListWidget):
    """Columns that a step may treat: those it can treat have a check box, the others show why not."""

    chosen = Signal(object)

    def __init__(self, text: str) -> None:
        super().__init__()
        self.setObjectName("param_columns")
        self.setAccessibleName(text)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setUniformItemSizes(True)
        self._columns: tuple[tuple[str, str, str], ...] = ()
        self.itemChanged.connect(self._on_changed)
        theme().changed.connect(self._grey_out_columns)

    def _grey_out_columns(self) -> None:
        """Show columns that cannot be chosen in grey, and set the height of the rows."""
        with QSignalBlocker(self):
            for index in range(self.count()):
                item = self.item(index)
                if not item.flags() & Qt.ItemFlag.ItemIsEnabled:
                    item.setForeground(theme().colour("text3"))
                item.setSizeHint(QSize(theme().px(120), round(theme().h * 1.5)))
        self.updateGeometry()

    def set_columns(self, columns: Sequence[tuple[str, str, str]], ticked: Sequence[str]) -> None:
        """Show columns as (name, kind, reason), and tick those named in ``ticked``, without sending a signal.

        A column with a reason (why it cannot be treated) shows it instead of its kind and cannot be ticked. If the
        columns are the same as before, only the ticks change.
        """
        with QSignalBlocker(self):
            if tuple(columns) != self._columns:
                self._columns = tuple(columns)
                self.clear()
                names = shorten_common_prefix([name for name, _, _ in columns])
                for label, (name, kind, reason) in zip(names, columns, strict=True):
                    item = QListWidgetItem(f"{label}  ·  {reason or kind}")
                    item.setToolTip(plain_tip(f"{name}  ·  {reason or kind}"))
                    item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{name}  ·  {reason or kind}")
                    item.setData(Qt.ItemDataRole.UserRole, name)
                    flags = Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsUserCheckable
                    item.setFlags(flags if not reason else Qt.ItemFlag.NoItemFlags)
                    self.addItem(item)
                if self.count():
                    self.setCurrentRow(0)
            for index in range(self.count()):
                item = self.item(index)
                if item.flags() & Qt.ItemFlag.ItemIsUserCheckable:
                    is_ticked = item.data(Qt.ItemDataRole.UserRole) in ticked
                    item.setCheckState(Qt.CheckState.Checked if is_ticked else Qt.CheckState.Unchecked)
        self._grey_out_columns()

    def _on_changed(self, _item: QListWidgetItem) -> None:
        """Send ``chosen`` with the names of all ticked columns, as a tuple in the order of the list."""
        items = [self.item(index) for index in range(self.count())]
        self.chosen.emit(
            tuple(
                str(item.data(Qt.ItemDataRole.UserRole))
                for item in items
                if item.flags() & Qt.ItemFlag.ItemIsUserCheckable and item.checkState() == Qt.CheckState.Checked
            )
        )

    def sizeHint(self) -> QSize:
        """Return a size with the height of all rows, at least one and at most five."""
        rows = min(max(self.count(), 1), _VISIBLE_ROWS)
        height = round(rows * max(self.sizeHintForRow(0), theme().h * 1.3)) + theme().px(6)
        return QSize(theme().px(200), height)

    def minimumSizeHint(self) -> QSize:
        """Return the least size: narrower than ``sizeHint``, with the same height."""
        return QSize(theme().px(120), self.sizeHint().height())


class MethodForm(FitsOnResize, Panel):
    """Form with the treated columns and the settings ("parameters") of a protection step.

    Signals
    -------
    changed
        Emitted with (name, value) of a parameter that the user set.
    cleared
        Emitted with the name of a parameter that the user reset to its default or to the values of the privacy levels.
    columns_changed
        Emitted with the ticked columns, in the order of the list.
    profile_picked
        Emitted with the name of the profile (paper's or recommended settings) that the user chose.
    secret_wanted
        Emitted with (True to create or False to open a recipient's secret, the recipient's name).
    """

    changed = Signal(str, object)
    secret_wanted = Signal(bool, str)
    cleared = Signal(str)
    columns_changed = Signal(object)
    profile_picked = Signal(str)

    def __init__(self) -> None:
        super().__init__(name="form_method")
        self._column = vbox(on=self, gap=10)
        self._method: Method | None = None
        self._body: QWidget | None = None
        self._rows: dict[str, ParameterRow] = {}
        self._plain: list[FormRow] = []
        self.columns: ColumnList | None = None
        self._fold: Button | None = None
        self._advanced: QWidget | None = None
        self.profile: ProfileRow | None = None

    # --- building -----------------------------------------------------------------------

    def show_method(self, method: Method) -> None:
        """Build the form of a method: columns, profile if there is a choice, settings; advanced ones are folded.

        Columns and values come with ``set_values``. Nothing happens if the form shows this method already.
        """
        if method is self._method:
            return
        if self._body is not None:
            self._body.hide()
            self._body.deleteLater()
        self._method, self._rows, self._plain = method, {}, []
        self._body = QWidget()
        self.columns = ColumnList(_("Columns to protect"))
        self.columns.chosen.connect(self.columns_changed)
        row = FormRow(_("Columns to protect"), "", self.columns)
        self._plain.append(row)
        column = vbox(row, on=self._body, gap=12)
        self.profile = None
        if method.has_choice:
            self.profile = ProfileRow(method)
            self.profile.picked.connect(self.profile_picked)
            self._plain.append(self.profile)
            column.addWidget(self.profile)
        usual = [parameter for parameter in method.parameters if not parameter.advanced]
        advanced = [parameter for parameter in method.parameters if parameter.advanced]
        for parameter in usual:
            column.addWidget(self._add_row(parameter))
        self._fold = self._advanced = None
        if advanced:
            self._fold = Button("", name="button_advanced", icon="next", link=True, checkable=True)
            self._fold.toggled.connect(self._on_folded)
            column.addWidget(self._fold)
            self._advanced = QWidget()
            self._advanced.setObjectName("form_advanced")
            inner = vbox(on=self._advanced, gap=12)
            for parameter in advanced:
                inner.addWidget(self._add_row(parameter))
            column.addWidget(self._advanced)
            self._on_folded(False)
        self._column.addWidget(self._body)
        self._adapt_to_size()

    def _add_row(self, parameter: Parameter) -> ParameterRow:
        """Create the form row of a parameter, connect its signals and return the row, not yet in a layout."""
        row = make_parameter_row(parameter)
        row.changed.connect(self.changed)
        row.cleared.connect(self.cleared)
        if isinstance(row, RecipientRow):
            row.secret_wanted.connect(self.secret_wanted)
        self._rows[parameter.name] = row
        self._plain.append(row)
        return row

    def _on_folded(self, is_open: bool) -> None:
        """Show or hide the advanced settings, and turn the arrow of the button.

        The button says how many advanced settings there are, in both cases.
        """
        assert self._fold is not None
        assert self._advanced is not None
        count = sum(parameter.advanced for parameter in self._method.parameters) if self._method is not None else 0
        self._advanced.setVisible(is_open)
        self._fold.set_icon_name("down" if is_open else "next")
        self._fold.setText(_("{n} more {n:setting|settings} for statisticians", n=count))

    # --- showing ------------------------------------------------------------------------

    def set_values(
        self,
        written: Mapping[str, object],
        columns: Sequence[tuple[str, str, str]],
        ticked: Sequence[str],
        profile: Mapping[str, object] | None = None,
    ) -> None:
        """Show the settings of a step and the columns it treats.

        A setting that the step does not set shows the profile's value, else that of the weakest privacy level, else the
        default. Advanced settings are unfolded if the step sets one.

        Parameters
        ----------
        written
            Values of the parameters that the step sets, by name.
        columns
            (name, kind, reason) of each column; the reason says why it cannot be treated, and is "" if it can.
        ticked
            Columns that the step treats.
        profile
            Values of the step's profile, by parameter.
        """
        profile_values = profile or {}
        if self.columns is not None:
            self.columns.set_columns(columns, ticked)
        for name, row in self._rows.items():
            row.set_columns(ticked)
            row.set_written(written.get(name), profile_values.get(name))
        hidden = [row for row in self._rows.values() if row.parameter.advanced and row.is_written]
        if hidden and self._fold is not None and not self._fold.isChecked():
            self._fold.setChecked(True)

    def set_levels(self, lines: Mapping[str, tuple[str, object]]) -> None:
        """Show texts on the values for each privacy level: (text, value of the weakest level) by parameter.

        A parameter that the step does not set shows that value. Parameters not in ``lines`` show no such text.
        """
        for name, row in self._rows.items():
            row.set_levels(*lines.get(name, ("", None)))

    def row(self, name: str) -> ParameterRow:
        """Return the row of the parameter with this name; raise KeyError if the method has none."""
        return self._rows[name]

    # --- size ---------------------------------------------------------------------------

    def _adapt_to_size(self) -> None:
        """Put the labels above the controls if the form is narrower than 430 px (at 100 % text size), else beside."""
        narrow = self.width() < theme().px(_NARROW)
        for row in self._plain:
            row.set_narrow(narrow)


_ROWS: tuple[tuple[type[Parameter], type[ParameterRow]], ...] = (
    (ColumnNumbersParameter, ColumnNumbersRow),
    (ColumnBoundsParameter, ColumnBoundsRow),
    (ColumnsParameter, ColumnsRow),
    (ColumnParameter, ColumnNameRow),
    (FlagParameter, FlagRow),
    (ChoiceParameter, ChoiceRow),
    (NumberParameter, NumberRow),
    (RecipientParameter, RecipientRow),
    (TextParameter, TextRow),
)
"""The control of each kind of parameter; the first that fits is taken."""


def make_parameter_row(parameter: Parameter) -> ParameterRow:
    """Return a new row of the kind that fits a parameter's type; raise TypeError if there is none.

    A number with a fixed list of values gets a choice of them instead of a number field.
    """
    if isinstance(parameter, NumberParameter) and parameter.only:
        return FewNumbersRow(parameter)
    for kind, row in _ROWS:
        if isinstance(parameter, kind):
            return row(parameter)
    raise TypeError(f"no control for {type(parameter).__name__}")
