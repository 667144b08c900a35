"""Which row of a method's form stands for which type of parameter."""

from __future__ import annotations

from ppdm_desktop.engine.methods.base.column_parameters import (
    ColumnBoundsParameter,
    ColumnNumbersParameter,
    ColumnsParameter,
)
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnParameter,
    FlagParameter,
    NumberParameter,
    Parameter,
    RecipientParameter,
    TextParameter,
)
from ppdm_desktop.ui.widgets.form.column_rows import ColumnBoundsRow, ColumnNameRow, ColumnNumbersRow, ColumnsRow
from ppdm_desktop.ui.widgets.form.row import ChoiceRow, FewNumbersRow, FlagRow, NumberRow, ParameterRow
from ppdm_desktop.ui.widgets.form.text_rows import RecipientRow, TextRow


def row_for(parameter: Parameter) -> ParameterRow:
    """Return the row that fits a parameter's type."""
    if isinstance(parameter, ColumnNumbersParameter):
        return ColumnNumbersRow(parameter)
    if isinstance(parameter, ColumnBoundsParameter):
        return ColumnBoundsRow(parameter)
    if isinstance(parameter, ColumnsParameter):
        return ColumnsRow(parameter)
    if isinstance(parameter, ColumnParameter):
        return ColumnNameRow(parameter)
    if isinstance(parameter, FlagParameter):
        return FlagRow(parameter)
    if isinstance(parameter, ChoiceParameter):
        return ChoiceRow(parameter)
    if isinstance(parameter, NumberParameter) and parameter.only:
        return FewNumbersRow(parameter)
    if isinstance(parameter, NumberParameter):
        return NumberRow(parameter)
    if isinstance(parameter, RecipientParameter):
        return RecipientRow(parameter)
    if isinstance(parameter, TextParameter):
        return TextRow(parameter)
    raise TypeError(f"no control for {type(parameter).__name__}")
