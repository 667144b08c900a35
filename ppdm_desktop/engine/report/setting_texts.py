"""The settings of a step in words: the values used, and what decided those that the recipe did not state.

Also values and allowed ranges of a method's parameters as text.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.parameters import (
    RANGES,
    ColumnNumbersParameter,
    ColumnsParameter,
    NumberParameter,
    Parameter,
)
from ppdm_desktop.engine.methods.base.step import Used
from ppdm_desktop.engine.report.model import INFINITE, StepEntry
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.texts import LevelLabels, level_title
from ppdm_desktop.engine.wording.values import Term, Terms


def is_shown_as_percentage(parameter: Parameter) -> bool:
    """Return whether a parameter is shown as a percentage.

    It is if it is a number from 0 to 1, not restricted to whole numbers, and without a unit. A parameter with a number
    for each column declares this itself; parameters of other kinds are not.
    """
    if isinstance(parameter, ColumnNumbersParameter):
        return parameter.is_share
    return (
        isinstance(parameter, NumberParameter)
        and (parameter.low, parameter.high) == (0, 1)
        and not parameter.whole
        and parameter.unit is None
    )


def format_range(parameter: NumberParameter) -> str:
    """Return the allowed range of a number parameter in words, such as "above 0, at most 1" or "one of 2 and 4".

    Without limits it is "any number".
    """
    if parameter.only:
        return _("one of {numbers}", numbers=Terms(tuple(_format_exact(number) for number in parameter.only)))
    below = None if parameter.low is None else parameter.low_open
    above = None if parameter.high is None else parameter.high_open
    return RANGES[below, above].format(
        low=_format_range_end(parameter, parameter.low), high=_format_range_end(parameter, parameter.high)
    )


def format_value(parameter: Parameter, value: object) -> str:
    """Return the value of a parameter as text in the current language, for form, report and release note.

    - A boolean becomes yes or no, a pair a range ("1 to 2"), a mapping a list of names and values.
    - A number has up to six significant digits and no unit; a share is a percentage. Infinity is "purely at random".
    - A list of columns becomes their names, an empty one "none".
    - A choice becomes its label; a text that is no known choice is returned unchanged.
    """
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float):
        if value == float("inf"):
            return _("purely at random")
        return _format_number(parameter, value)
    if isinstance(value, Mapping):
        each_of = [
            _("{name}: {value}", name=Term(str(name)), value=Term(format_value(parameter, part)))
            for name, part in value.items()
        ]
        return numbers_of(language()).list(each_of)
    if isinstance(parameter, ColumnsParameter) and isinstance(value, list | tuple):
        names = [str(name) for name in value]
        return numbers_of(language()).list(names) if names else _("none")
    if isinstance(value, list | tuple) and len(value) == 2:
        low, high = (Term(format_value(parameter, end)) for end in value)
        return _("{low} to {high}", low=low, high=high)
    named = parameter.names.get(str(value))
    return str(named) if named is not None else str(value)


def _format_range_end(parameter: NumberParameter, value: float | None) -> Term:
    """Return one end of a range as text with its unit, a share as a percentage; "" for None (no limit at this end)."""
    if value is None:
        return Term("")
    if parameter.unit:
        return Term(_("{number} {unit}", number=Term(_format_exact(value)), unit=parameter.unit))
    return Term(_format_number(parameter, value))


def _format_number(parameter: Parameter, value: float) -> str:
    """Return a number of a parameter as text: "0.25", or "25%" where the parameter is shown as a percentage.

    It has up to six significant digits and no unit.
    """
    if not is_shown_as_percentage(parameter):
        return _format_exact(value)
    return _("{n}%", n=Term(_format_exact(100 * value)))


def _format_exact(value: float) -> str:
    """Return a setting with up to six significant digits."""
    return numbers_of(language()).ticks([float(f"{value:.6g}")])[0]


_LONGEST = 300
_WHY = {
    "levels": lazy("It comes from the protection levels."),
    "type": lazy("The type of release asks for at least this."),
    "table": lazy("The table allows no more."),
    "columns": lazy("It is set on the Columns page."),
    "data": lazy("It follows from the values of the column."),
    "program": lazy("The program chose it."),
}
"""What decided a value that the recipe did not."""


@dataclass(frozen=True)
class Setting:
    """A setting of a step: its name, its key in the recipe, its value in words, and what decided the value."""

    label: str
    key: str
    text: str
    why: str = ""


def step_settings(step: StepEntry, method: Method | None, level_labels: LevelLabels | None = None) -> list[Setting]:
    """Return the settings of a step as it ran, in words; a parameter unknown to this version is shown by its key.

    They are in the order of the report. A parameter without effect says so. Where privacy levels, release type, table,
    columns, data or the program decided the value, the value that was used stands there, with what decided it, and
    before that the recipe's own value if it states one. A text longer than 300 characters is cut off.

    Parameters
    ----------
    step
        The step of the report.
    method
        The declaration of its method, None where this version has none.
    level_labels
        By privacy level, the words with which the file asks for it.
    """
    parameter_of = {} if method is None else {declared.name: declared for declared in method.parameters}
    settings = []
    for key, value in step.parameters.items():
        parameter = parameter_of.get(key)
        label = key if parameter is None else parameter.label_text
        if key in step.idle:
            settings.append(Setting(label, key, _("not used with these settings")))
            continue
        used = [used_value for used_value in step.used if used_value.parameter == key]
        text = _describe_value(parameter, value) if not used else _describe_used_values(parameter, used, level_labels)
        why = [str(_WHY[reason]) for reason in dict.fromkeys(used_value.why for used_value in used) if reason in _WHY]
        if why and key in step.written:
            why.insert(0, _("In the recipe: {value}.", value=Term(_shorten_text(_describe_value(parameter, value)))))
        settings.append(Setting(label, key, on_its_scale(parameter, _shorten_text(text)), " ".join(why)))
    return settings


def on_its_scale(parameter: Parameter | None, text: str) -> str:
    """Return a setting's value followed in brackets by known values to compare it with, if the parameter declares any.

    Unchanged without a parameter or such values, and for a text without a digit.
    """
    if parameter is None or parameter.scale is None or not any(word.isdigit() for word in text):
        return text
    return _("{value} ({scale})", value=Term(text), scale=parameter.scale)


def public_value(parameter: Parameter, value: Any, used: Sequence[Used]) -> str:
    """Return what the release note says about a parameter: the values used, except those computed from the data.

    ``value`` is the setting of the recipe, ``used`` the values used and what decided each. The first case that applies:

    - The setting of the recipe: for a value computed from the data; where ``used`` is empty.
    - Where a value is no number: the value if all are equal, else the setting of the recipe.
    - The setting of the recipe: where the program chose the number for a setting written as text.
    - "chosen by the program": for any other number that the program chose.
    - "at most 10": where the table did not allow the 10 that were asked for.
    - "5", or "5 to 10, depending on the protection that a person needs": for all other numbers.
    """
    reasons = {used_value.why for used_value in used}
    if "data" in reasons or not used:
        return format_value(parameter, value)
    numbers = [_round_number(used_value.value) for used_value in used if isinstance(used_value.value, int | float)]
    if len(numbers) < len(used):
        values = {format_value(parameter, used_value.value) for used_value in used}
        return values.pop() if len(values) == 1 else format_value(parameter, value)
    if "program" in reasons:
        return format_value(parameter, value) if isinstance(value, str) else _("chosen by the program")
    if "table" in reasons:
        most = max(float(used_value.value if used_value.asked is None else used_value.asked) for used_value in used)
        return _("at most {high}", high=Term(format_value(parameter, most)))
    low, high = min(numbers), max(numbers)
    if low == high:
        return format_value(parameter, low)
    return _(
        "{low} to {high}, depending on the protection that a person needs",
        low=Term(format_value(parameter, low)),
        high=Term(format_value(parameter, high)),
    )


def _describe_used_values(parameter: Parameter | None, used: Iterable[Any], level_labels: LevelLabels | None) -> str:
    """Return in words the values of a setting that a step used; a single text if it is the same for all columns.

    Otherwise "age: 5; income: 10", with values by privacy level where these differ: "age: high 10, low 3". Equal values
    of one column and level are named once; several are written as a range from the first to the last.
    """
    by_column: dict[str | None, dict[str | None, list[str]]] = {}
    for used_value in used:
        texts = by_column.setdefault(used_value.column, {}).setdefault(used_value.level, [])
        text = _describe_value(parameter, _round_number(used_value.value))
        texts.extend([text] if text not in texts else [])
    parts = {column: _describe_by_level(by_level, level_labels) for column, by_level in by_column.items()}
    if len(set(parts.values())) == 1:
        return next(iter(parts.values()))
    return "; ".join(
        _("{column}: {value}", column=Term(column or ""), value=Term(texts)) for column, texts in parts.items()
    )


def _describe_by_level(by_level: Mapping[str | None, Sequence[str]], level_labels: LevelLabels | None) -> str:
    """Return in words the values by privacy level; a single text if all levels have the same.

    Otherwise "high 10, low 3": several values of one level are written as a range from the first to the last in the
    given order, and ``level_labels`` give the file's words for the levels.
    """
    texts = {level: values[0] if len(values) == 1 else _format_size_range(values) for level, values in by_level.items()}
    if len(set(texts.values())) == 1:
        return next(iter(texts.values()))
    return ", ".join(
        _("{level} {value}", level=Term(level_title(level or "", level_labels)), value=Term(text))
        for level, text in texts.items()
    )


def _format_size_range(values: Sequence[str]) -> str:
    """Return the first and the last of these values as a range in words, "3 to 7"."""
    return _("{low} to {high}", low=Term(values[0]), high=Term(values[-1]))


def _round_number(value: Any) -> Any:
    """Return a float rounded to four significant digits; anything else unchanged."""
    return float(f"{value:.4g}") if isinstance(value, float) else value


def _describe_value(parameter: Parameter | None, value: Any) -> str:
    """Return one value of a parameter in words: lists with commas, mappings with semicolons, a pair as a range.

    [1, 2, 3] gives "1, 2, 3", {"a": 1, "b": 2} "a: 1; b: 2", and the pair [1, 2] "1 to 2" (columns are always named as
    a list), all else as in `format_value`. Without ``parameter`` (one that this version does not know) a value is
    written as it is, but a boolean as yes or no and a pair with a comma.
    """
    if isinstance(value, Mapping):
        return "; ".join(f"{name}: {_describe_value(parameter, part)}" for name, part in value.items())
    if isinstance(value, list | tuple) and not isinstance(parameter, ColumnsParameter) and len(value) != 2:
        return ", ".join(_describe_value(parameter, part) for part in value)
    if isinstance(value, list | tuple) and parameter is None:
        return ", ".join(map(str, value))
    if parameter is None:
        return (_("yes") if value else _("no")) if isinstance(value, bool) else str(value)
    return format_value(parameter, math.inf if value == INFINITE else value)


def _shorten_text(text: str) -> str:
    """Return a text for display: a dash if it is empty, the first 299 characters and "…" if it is longer than 300."""
    return (text or "–") if len(text) <= _LONGEST else text[: _LONGEST - 1] + "…"
