"""The settings of a step that a recipient may know."""

from __future__ import annotations

from collections.abc import Mapping

from ppdm_desktop.engine.methods.base.parameters import ColumnBoundsParameter, ColumnNumbersParameter
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord, list_column_steps
from ppdm_desktop.engine.report.public.columns import SEPARATOR
from ppdm_desktop.engine.report.setting_texts import on_its_scale, public_value

SAYS_NOTHING: tuple[object, ...] = (None, "", "automatic", {}, (), [])


def describe_settings(candidate: Candidate, name: str) -> str:
    """Return the settings that recipients may know of the steps that treated a column, as one text.

    Each step is written as "title: label: value; label: value", and steps are joined by " | " in their order. Steps
    without such a setting are left out; the text is empty if there are none.
    """
    parts = []
    for step in list_column_steps(candidate, name):
        values = [f"{label}: {value}" for label, value in public_settings(step, name)]
        if values:
            parts.append(f"{step.method.title}: {'; '.join(values)}")
    return SEPARATOR.join(parts)


def public_settings(step: StepRecord, name: str) -> list[tuple[str, str]]:
    """Return the label and the value in words of each parameter of a step that recipients may know, for one column.

    Left out are parameters that are not public or without effect, and those that the recipe leaves open, unless a value
    was used that was not computed from the data. They are in the order of the method's parameters.
    """
    public_values = []
    for parameter in step.method.parameters:
        if parameter.name not in step.method.public_parameters or parameter.name in step.ineffective_parameters:
            continue
        value = step.settings.values[parameter.name]
        used = [entry for entry in step.used if entry.parameter == parameter.name and entry.column in (None, name)]
        if isinstance(parameter, ColumnNumbersParameter | ColumnBoundsParameter) and isinstance(value, Mapping):
            value = value.get(name)
        if value not in SAYS_NOTHING or any(entry.why != "data" for entry in used):
            public_values.append(
                (parameter.label_for_recipients, on_its_scale(parameter, public_value(parameter, value, used)))
            )
    return public_values
