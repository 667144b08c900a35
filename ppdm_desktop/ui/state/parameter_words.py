"""Values and ranges of a method's parameters as the form writes them. No widgets here."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.methods.base.parameters import NumberParameter, Parameter


def _tr(text: str) -> str:
    return QCoreApplication.translate("Form", text)


def is_share(parameter: Parameter) -> bool:
    """Say whether a number is a share of one, shown as per cent."""
    return (
        isinstance(parameter, NumberParameter)
        and (parameter.low, parameter.high) == (0, 1)
        and not parameter.whole
        and parameter.unit is None
    )


def range_words(parameter: NumberParameter) -> str:
    """Say the allowed range, as it is shown."""
    if parameter.only:
        *others, last = (f"{each:g}" for each in parameter.only)
        return _tr("{some} or {last}").format(some=", ".join(others), last=last)
    factor, unit = (100, " %") if is_share(parameter) else (1, f" {parameter.unit}" if parameter.unit else "")
    low = None if parameter.low is None else f"{parameter.low * factor:g}"
    high = None if parameter.high is None else f"{parameter.high * factor:g}"
    if low is not None and high is not None:
        pattern = _tr("above {low} to {high}{unit}") if parameter.low_open else _tr("{low} to {high}{unit}")
    elif low is not None:
        pattern = _tr("above {low}{unit}") if parameter.low_open else _tr("{low}{unit} or more")
    elif high is not None:
        pattern = _tr("below {high}{unit}") if parameter.high_open else _tr("up to {high}{unit}")
    else:
        pattern = _tr("any number{unit}")
    return pattern.format(low=low, high=high, unit=unit)


def value_words(parameter: Parameter, value: object) -> str:
    """Write a value as the form shows it."""
    if isinstance(value, bool):
        return _tr("yes") if value else _tr("no")
    if isinstance(value, int | float):
        if value == float("inf"):
            return _tr("by chance alone")
        return f"{100 * value:.4g} %" if is_share(parameter) else f"{value:g}"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {value_words(parameter, each)}" for name, each in value.items())
    if isinstance(value, list | tuple):
        return _tr(" to ").join(value_words(parameter, each) for each in value)
    return str(value).replace("-", " ")
