"""Which row of a method's form stands for which type of parameter."""

from __future__ import annotations

from ppdm_desktop.engine.methods.base.column_parameters import ColumnBoundsParameter, ColumnNumbersParameter
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnParameter,
    FlagParameter,
    NumberParameter,
    Parameter,
)
from ppdm_desktop.ui.widgets.form.column_rows import ColumnBoundsRow, ColumnNameRow, ColumnNumbersRow
from ppdm_desktop.ui.widgets.form.row import ChoiceRow, FlagRow, NumberRow, ParameterRow


def row_for(parameter: Parameter) -> ParameterRow:
    """Return the row that fits a parameter's type."""
    if isinstance(parameter, ColumnNumbersParameter):
        return ColumnNumbersRow(parameter)
    if isinstance(parameter, ColumnBoundsParameter):
        return ColumnBoundsRow(parameter)
    if isinstance(parameter, ColumnParameter):
        return ColumnNameRow(parameter)
    if isinstance(parameter, FlagParameter):
        return FlagRow(parameter)
    if isinstance(parameter, ChoiceParameter):
        return ChoiceRow(parameter)
    if isinstance(parameter, NumberParameter):
        return NumberRow(parameter)
    raise TypeError(f"no control for {type(parameter).__name__}")
