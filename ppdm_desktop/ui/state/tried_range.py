"""A range of values tried for one setting of a step: which values are possible, and the results as they come."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods
from ppdm_desktop.engine.methods.base.parameters import ChoiceParameter, FlagParameter, NumberParameter, Parameter
from ppdm_desktop.engine.recipe.models import Recipe, StepSection, SweepSection
from ppdm_desktop.engine.release.sweep.run import SWEPT, Grid, Sweep, SweepRow, Value, read_grid
from ppdm_desktop.engine.release.sweep.texts import written_value
from ppdm_desktop.engine.report.setting_texts import format_range, format_value, is_shown_as_percentage
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.numbers import UnreadableNumber, read_number
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Quoted, Term

RUNNING, STOPPED, DONE, FAILED = "running", "stopped", "done", "failed"
_AROUND = (0.5, 0.75, 1.0, 1.5, 2.0)
_FROM_NOTHING = (0.05, 0.1, 0.2, 0.3, 0.5)
"""Values proposed for a share that is 0 at present, or not a number."""
_PROPOSED = 5
_PERCENT = re.compile(r"\s*%$")


@dataclass(eq=False)
class TriedRange:
    """A range of values of one setting that is being tried or was tried, with the results so far.

    Attributes
    ----------
    sweep
        Setting, values, and number of runs with each value.
    basis, others
        The decisions on which the results depend: ``Session.basis``, and the steps without the setting.
    rows
        Results so far; the background work appends to them.
    status
        ``running``, ``stopped``, ``done`` or ``failed``.
    fraction
        Share (0 to 1) of the present work that is done.
    stopping
        Whether the user stopped the work but it has not ended yet.
    error
        Sentence that explains a failure.
    is_wanted
        Whether the user asked to see the range on the page Compare and it was not shown yet.
    """

    sweep: Sweep
    basis: bytes
    others: tuple[StepSection, ...]
    rows: list[SweepRow] = field(default_factory=list)
    status: str = RUNNING
    fraction: float = 0.0
    stopping: bool = False
    error: str = ""
    is_wanted: bool = False

    @property
    def step_index(self) -> int:
        """Index, from 0, of the step whose setting is tried."""
        return self.sweep.grid.step - 1

    @property
    def method(self) -> Method:
        """Method of the step whose setting is tried."""
        return all_methods()[self.sweep.recipe.steps[self.step_index].method]

    @property
    def parameter(self) -> Parameter:
        """Declaration of the setting that is tried."""
        return next(parameter for parameter in self.method.parameters if parameter.name == self.sweep.grid.parameter)

    @property
    def done(self) -> int:
        """Number of runs done, out of values times repeats.

        A value whose result is not random is run once and counts as all its repeats: with 3 repeats, one such value and
        one run of another make 4.
        """
        fixed = {row.value for row in self.rows if not row.drawn}
        drawn = {(row.value, row.repeat) for row in self.rows if row.drawn}
        return len(fixed) * self.sweep.repeats + sum(value not in fixed for value, _ in drawn)


# --- what can be tried ------------------------------------------------------------------


def list_triable_settings(method: Method) -> tuple[Parameter, ...]:
    """Return the settings of a method of which several values can be tried in turn, in the order of its form.

    They are numbers, choices and yes-or-no settings that are not determined by a run itself.
    """
    return tuple(
        parameter for parameter in method.parameters if isinstance(parameter, SWEPT) and not parameter.computed_by_run
    )


def proposed_values(parameter: Parameter, present: object) -> tuple[Value, ...]:
    """Return values to try: allowed numbers around the present one, rising, else all possible values.

    For 10 these are 5, 7.5, 10, 15 and 20 (for a setting in whole numbers 8 instead of 7.5). A number with a fixed list
    of values, a choice and a yes-or-no setting have all their values proposed.

    Parameters
    ----------
    parameter
        One of the settings returned by ``list_triable_settings``.
    present
        Its present value.
    """
    if isinstance(parameter, FlagParameter):
        return (False, True)
    if isinstance(parameter, ChoiceParameter):
        return tuple(parameter.choices)
    assert isinstance(parameter, NumberParameter)
    if parameter.only:
        return parameter.only
    values = [number for number in _list_numbers_around(parameter, present) if parameter.problem(number) is None]
    return tuple(sorted(dict.fromkeys(values)))


def _list_numbers_around(parameter: NumberParameter, present: object) -> Sequence[float | int]:
    """Return 0.5, 0.75, 1, 1.5 and 2 times the present number; the first allowed numbers if it is 0 or a word.

    The default stands in for a present value that is no number. The first allowed numbers are five whole numbers from
    the lowest limit on (six if the limit itself is not allowed), but from 0 for a negative limit and from 1 without
    one; for a share they are 0.05 to 0.5. Whole settings are rounded, others keep three digits. Some numbers may not
    be allowed, and whole numbers may repeat.
    """
    now = present if isinstance(present, int | float) and not isinstance(present, bool) else parameter.default
    if isinstance(now, str) or not now:
        if is_shown_as_percentage(parameter):
            return _FROM_NOTHING
        low = 1 if parameter.low is None else max(int(parameter.low), 0)
        return range(low, low + _PROPOSED + bool(parameter.low_open))
    round_it = (lambda number: round(number)) if parameter.whole else (lambda number: float(f"{number:.3g}"))
    return [round_it(now * factor) for factor in _AROUND]


def find_proposed_grid(recipe: Recipe, to_try: SweepSection | None) -> Grid | None:
    """Return the range to try that a recipe file proposes.

    None if it proposes none, or if the range does not fit the present steps.
    """
    if to_try is None:
        return None
    try:
        return read_grid(recipe, to_try.over)
    except RecipeError:
        return None


def values_text(parameter: Parameter, values: Sequence[Value]) -> str:
    """Return values as the text of the field in which a range is typed, separated by "; "."""
    return "; ".join(format_value(parameter, value) for value in values)


def parse_grid(recipe: Recipe, index: int, parameter: Parameter, text: str) -> Grid:
    """Return the range (a setting with the values to try) for a typed text: ``3; 5; 10``, ``5%; 10%`` or ``2..20/2``.

    ``2..20/2`` means from 2 to 20 in steps of 2. Values are separated by semicolons or, in a text without any, by
    commas; where the comma is the decimal mark, a blank has to follow it.

    Parameters
    ----------
    recipe
        The recipe with the step.
    index
        Index of the step, from 0.
    parameter
        The setting.
    text
        The typed text.

    Raises
    ------
    RecipeError
        When the text is not a range of valid values.
    """
    decimal = numbers_of(language()).locale.decimal
    between = ";" if ";" in text else "," if decimal == "." else r",\s+"
    parts = [part.strip() for part in re.split(between, text) if part.strip()]
    written = ",".join(_to_recipe_notation(parameter, part) for part in parts)
    return read_grid(recipe, f"{index + 1}:{parameter.name}={written}")


def _to_recipe_notation(parameter: Parameter, part: str) -> str:
    """Return one typed value, or a range of numbers, in the notation of the recipe.

    "5%" gives "0.05", "5..20%" gives "0.05..0.2"; a range such as "2..20/2" keeps its form. An unknown word is returned
    unchanged; it is refused when the range is read. Raise RecipeError if a text is no number where one is needed.
    """
    if isinstance(parameter, ChoiceParameter | FlagParameter):
        values: Sequence[Value] = tuple(parameter.choices) if isinstance(parameter, ChoiceParameter) else (False, True)
        value_of_text = {format_value(parameter, value).casefold(): written_value(value) for value in values}
        return value_of_text.get(part.casefold(), part)
    first, dots, rest = part.partition("..")
    if not dots:
        return _to_recipe_number(parameter, part)
    last, slash, by = rest.partition("/")
    # "5..20%" counts in per cent throughout.
    unit = "%" if "%" in part else ""
    ends = [
        _to_recipe_number(parameter, _PERCENT.sub("", text.strip()) + unit)
        for text in (first, last, *([by] * bool(slash)))
    ]
    return f"{ends[0]}..{ends[1]}" + (f"/{ends[2]}" if slash else "")


def _to_recipe_number(parameter: Parameter, text: str) -> str:
    """Return a typed number in the notation of the recipe, with a decimal point; "5%" gives "0.05" for a share.

    Raises RecipeError for any other text, also for "5%" if the setting is no share.
    """
    in_percent = is_shown_as_percentage(parameter) and _PERCENT.search(text) is not None
    try:
        number = read_number(_PERCENT.sub("", text) if in_percent else text, language())
    except UnreadableNumber as error:
        raise RecipeError("error.sweep.value", args={"name": Term(parameter.name), "found": Quoted(text)}) from error
    return str(number / 100 if in_percent else number)


def describe_problem(parameter: Parameter, error: RecipeError) -> str:
    """Return why a typed range cannot be tried, as a sentence below the field.

    The sentence asks for a value if there is none, names the allowed range of a number, or says that a word is no
    choice; any other error has its usual sentence.
    """
    if error.id == "error.sweep.form":
        return _("Write at least one value.")
    if error.id != "error.sweep.value":
        return explain(error, window=True)
    typed = error.arguments["found"]
    assert isinstance(typed, Quoted)
    if isinstance(parameter, NumberParameter):
        sentence = lazy("{found} does not fit. The setting takes {range}.")
        return sentence.format(found=typed, range=Term(format_range(parameter)))
    return _("{found} is no choice of this setting.", found=typed)
