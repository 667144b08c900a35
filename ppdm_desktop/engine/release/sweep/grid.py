"""The grid of a sweep: one parameter of one step, and its values."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, FlagParameter, NumberParameter, Parameter
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.wording.values import Name, Quoted, Term, Terms

MOST_VALUES = 200
"""More values than these are a slip of the pen; their curve could not be read either."""
_FLAGS = {"true": True, "false": False}
SWEPT = (NumberParameter, ChoiceParameter, FlagParameter)
"""Parameters that can be tried over values."""
Value = float | int | str | bool


@dataclass(frozen=True)
class Grid:
    """One parameter of one step with the values to try.

    Attributes
    ----------
    step
        Position of the step in the recipe, from 1.
    parameter
        The parameter's key in the recipe.
    values
        The values, in the order of the curve.
    """

    step: int
    parameter: str
    values: tuple[Value, ...]

    def recipe_with(self, recipe: Recipe, value: Value) -> Recipe:
        """Return the recipe with the parameter set to a value."""
        steps = list(recipe.steps)
        step = steps[self.step - 1]
        steps[self.step - 1] = step.model_copy(update={"parameters": {**step.parameters, self.parameter: value}})
        return recipe.model_copy(update={"steps": tuple(steps)})


def read_grid(recipe: Recipe, text: str) -> Grid:
    """Return the grid written as ``parameter=values``.

    Parameters
    ----------
    recipe
        The recipe that is swept.
    text
        ``group=3,5,10``, ``ratio=0.5..2/0.5`` (from, to and by) or ``2:group=3,5`` (of the second step). A step
        need not be named where only one has such a parameter.

    Raises
    ------
    RecipeError
        For a text of another form, a step or parameter that is not there, or a value that does not fit.
    """
    left, mark, right = text.partition("=")
    step_index, colon, name = left.rpartition(":")
    if not mark or not name.strip() or not right.strip():
        raise RecipeError("error.sweep.form", args={"found": Quoted(text)})
    step, parameter = _declared(recipe, step_index.strip() if colon else None, name.strip())
    values = tuple(dict.fromkeys(value for part in right.split(",") for value in _values(parameter, part.strip())))
    if len(values) > MOST_VALUES:
        raise RecipeError("error.sweep.too-many", args={"values": len(values), "most": MOST_VALUES})
    return Grid(step, parameter.name, values)


def _declared(recipe: Recipe, step_index: str | None, name: str) -> tuple[int, Parameter]:
    """Return the step, counted from 1, and the parameter's declaration."""
    enabled = [number for number, step in enumerate(recipe.steps, 1) if step.enabled]
    matching = [
        (number, parameter)
        for number in enabled
        for parameter in find_method(recipe.steps[number - 1].method).parameters
        if parameter.name == name and (step_index is None or step_index == str(number))
    ]
    if not matching:
        declared = [find_method(recipe.steps[number - 1].method).parameters for number in enabled]
        known_names = dict.fromkeys(
            parameter.name for parameters in declared for parameter in parameters if isinstance(parameter, SWEPT)
        )
        raise RecipeError("error.sweep.no-parameter", args={"name": Name(name), "known": Terms(tuple(known_names))})
    if len(matching) > 1:
        steps = Terms(tuple(str(number) for number, _ in matching))
        raise RecipeError("error.sweep.several-steps", args={"name": Term(name), "steps": steps})
    return matching[0]


def _values(parameter: Parameter, text: str) -> tuple[Value, ...]:
    """Return the values of one part between commas: a single value, or a range of numbers."""
    first, dots, rest = text.partition("..")
    if dots and isinstance(parameter, NumberParameter):
        last, slash, by = rest.partition("/")
        ends = [_decimal(number) for number in (first, last, by if slash else "1")]
        if any(number is None for number in ends) or not ends[2] or (ends[1] - ends[0]) / ends[2] < 0:  # type: ignore[operator]
            raise _refused(parameter, text)
        start, end, width = (number for number in ends if number is not None)
        count = min(int((end - start) / width), MOST_VALUES) + 1
        return tuple(_fitting(parameter, str(start + width * number)) for number in range(count))
    return (_fitting(parameter, text),)


def _fitting(parameter: Parameter, text: str) -> Value:
    """Return a text as a value that the parameter allows."""
    value: Value = text
    if isinstance(parameter, FlagParameter):
        value = _FLAGS.get(text.casefold(), text)
    elif isinstance(parameter, NumberParameter) and (number := _decimal(text)) is not None:
        value = int(number) if parameter.whole and number == int(number) else float(number)
    if not isinstance(parameter, SWEPT) or parameter.problem(value):
        raise _refused(parameter, text)
    return value


def _decimal(text: str) -> Decimal | None:
    """Return a text as a finite number; None otherwise."""
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if number.is_finite() else None


def _refused(parameter: Parameter, text: str) -> RecipeError:
    """Return the error for a value that the parameter does not allow."""
    return RecipeError("error.sweep.value", args={"name": Term(parameter.name), "found": Quoted(text)})
