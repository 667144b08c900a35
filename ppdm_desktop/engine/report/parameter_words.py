"""Values and ranges of a method's parameters, as a person reads them."""

from __future__ import annotations

from collections.abc import Mapping

from ppdm_desktop.engine.methods.base.parameters import (
    ColumnNumbersParameter,
    ColumnsParameter,
    NumberParameter,
    Parameter,
)
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import Term, Terms

_RANGES = {
    (None, None): lazy("any number"),
    (False, None): lazy("at least {low}"),
    (True, None): lazy("above {low}"),
    (None, False): lazy("at most {high}"),
    (None, True): lazy("below {high}"),
    (False, False): lazy("{low} to {high}"),
    (True, False): lazy("above {low}, at most {high}"),
    (False, True): lazy("at least {low}, below {high}"),
    (True, True): lazy("above {low}, below {high}"),
}
"""The range of a number, by whether an end itself is out; None is no end."""


def is_share(parameter: Parameter) -> bool:
    """Return whether a number is a share of one, shown as per cent."""
    if isinstance(parameter, ColumnNumbersParameter):
        return parameter.is_share
    return (
        isinstance(parameter, NumberParameter)
        and (parameter.low, parameter.high) == (0, 1)
        and not parameter.whole
        and parameter.unit is None
    )


def range_words(parameter: NumberParameter) -> str:
    """Return the allowed range of a number parameter in words."""
    if parameter.only:
        return _("one of {numbers}", numbers=Terms(tuple(_exact(number) for number in parameter.only)))
    below = None if parameter.low is None else parameter.low_open
    above = None if parameter.high is None else parameter.high_open
    return _RANGES[below, above].said(low=_end(parameter, parameter.low), high=_end(parameter, parameter.high))


def value_words(parameter: Parameter, value: object) -> str:
    """Return the value of a parameter as form, report and release note show it."""
    if isinstance(value, bool):
        return _("yes") if value else _("no")
    if isinstance(value, int | float):
        if value == float("inf"):
            return _("purely at random")
        return _with_unit(parameter, value)
    if isinstance(value, Mapping):
        each_of = [
            _("{name}: {value}", name=Term(str(name)), value=Term(value_words(parameter, part)))
            for name, part in value.items()
        ]
        return numbers_of(language()).list(each_of)
    if isinstance(parameter, ColumnsParameter) and isinstance(value, list | tuple):
        names = [str(name) for name in value]
        return numbers_of(language()).list(names) if names else _("none")
    if isinstance(value, list | tuple) and len(value) == 2:
        low, high = (Term(value_words(parameter, end)) for end in value)
        return _("{low} to {high}", low=low, high=high)
    named = parameter.names.get(str(value))
    return str(named) if named is not None else str(value)


def _end(parameter: NumberParameter, value: float | None) -> Term:
    """Return the end of a range as text with its unit; empty where it is open."""
    if value is None:
        return Term("")
    if parameter.unit:
        return Term(_("{number} {unit}", number=Term(_exact(value)), unit=parameter.unit))
    return Term(_with_unit(parameter, value))


def _with_unit(parameter: Parameter, value: float) -> str:
    """Return a number as text, a share as per cent."""
    if not is_share(parameter):
        return _exact(value)
    return _("{n}%", n=Term(_exact(100 * value)))


def _exact(value: float) -> str:
    """Return a setting with up to six digits; measured figures have three."""
    return numbers_of(language()).ticks([float(f"{value:.6g}")])[0]
