"""A row of a method's form that names one of the treated columns."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QHBoxLayout

from ppdm_desktop.ui.widgets.form.rows import ParameterRow
from ppdm_desktop.ui.widgets.inputs import Choice


class ColumnNameRow(ParameterRow):
    """A combo box of the treated columns, with none at the top."""

    def build(self, line: QHBoxLayout) -> None:
        """Add the combo box."""
        self._columns: tuple[str, ...] = ()
        self._picker = Choice()
        self._picker.setMinimumContentsLength(12)
        self._picker.setSizeAdjustPolicy(Choice.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.name_control(self._picker)
        self._picker.picked.connect(self.tell)
        line.addWidget(self._picker)
        self._fill("")

    def set_columns(self, columns: Sequence[str]) -> None:
        """Offer the columns that the step treats."""
        if tuple(columns) != self._columns:
            self._columns = tuple(columns)
            self._fill(self._picker.current)

    def show_value(self, value: object) -> None:
        """Choose a column; one that is not treated is offered all the same, so that it can be seen."""
        name = str(value)
        if name and name not in self._columns:
            self._fill(name)
        self._picker.set_current(name)

    def _fill(self, current: str) -> None:
        names = [*self._columns, *([current] if current and current not in self._columns else [])]
        none = QCoreApplication.translate("Form", "none")
        self._picker.set_choices([("", none), *((name, name) for name in names)], current)
