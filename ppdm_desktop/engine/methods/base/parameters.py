"""The kinds of parameters that a method can declare, each with the check of its values.

Validation of recipes, the help, the command line's listing, the window's form and the tests of wrong settings are all
made from these objects. The last classes are parameters about columns: several columns that belong together, or a
number or bounds for each column.
"""

from __future__ import annotations

import math
import re
import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, TypeGuard

from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Names, Number, Terms

KNOWN_BY_NUMBER = {**dict.fromkeys(("Known 0", "Known 1", "Known 2"), "left-out"), "Number": "quasi-identifier"}
"""Roles of test columns for ``checked_with``, in which people can be recognised by a numeric column only."""


def format_by_key(sentences: Mapping[str, Sentence]) -> dict[str, str]:
    """Return the sentences as text in the current language, under the same keys."""
    return {key: str(sentence) for key, sentence in sentences.items()}


@dataclass(frozen=True, kw_only=True)
class Parameter(ABC):
    """One parameter of a method.

    Attributes
    ----------
    name
        Key in the recipe.
    help
        One sentence about what it is.
    effect
        One sentence about what a larger or smaller value does to privacy and usefulness; None where ``help`` says it.
    default
        Value when the recipe does not have the key.
    unit
        Unit of the value, or None.
    level_key
        The demand of a privacy level that the parameter corresponds to, such as ``group``. A value in the recipe then
        holds for the weakest level; without one, every level takes its own. None if levels do not decide it.
    advanced
        True when a first-time user need not see it.
    label
        Name in the form; if None, ``name`` in words.
    public_label
        Name in the note for the recipient, if the form's label would tell a recipient too much.
    stops_early
        True for the length of a search that a person may end while it runs: the length reached is written into the
        recipe. Random draws do not depend on it, so that a search ended at length g and one started with length g give
        the same result (contract, section 1, "Repeatability").
    computed_by_run
        True for a value that a run finds and writes into the recipe. Random draws do not depend on it.
    of_file
        True for a value that belongs to the file and the question asked of it (such as bounds). It is ignored when
        settings are compared with a profile.
    silent_unless_written
        True where the random draws depend on it only if the recipe writes it.
    names
        What the form calls the words that the recipe may hold instead of a number, or as a choice.
    scale
        A comparison with known values that documents print next to a number that is hard to judge.
    checked_with
        For the tests: settings of a step in which the parameter changes the result, namely its own value, values of
        other parameters and, under ``roles``, other roles of columns of `method_table`. Empty where each of its
        ``fit_values`` changes the result by itself.
    """

    type_name: ClassVar[str] = "number"

    name: str
    help: Sentence
    default: Any
    effect: Sentence | None = None
    unit: Sentence | None = None
    level_key: str | None = None
    advanced: bool = False
    label: Sentence | None = None
    public_label: Sentence | None = None
    stops_early: bool = False
    computed_by_run: bool = False
    of_file: bool = False
    silent_unless_written: bool = False
    names: Mapping[str, Sentence] = field(default_factory=dict)
    scale: Sentence | None = None
    checked_with: Mapping[str, Any] = field(default_factory=dict)

    @property
    def moves_draws(self) -> bool:
        """Whether the random draws of a release depend on this parameter.

        They do not if a run finds the value, or if it is the length of a search that a person may end early.
        """
        return not (self.stops_early or self.computed_by_run)

    @property
    def label_text(self) -> str:
        """The label in the current language.

        Without a label, the name in words: ``group_size`` becomes "Group size".
        """
        return str(self.label) if self.label is not None else self.name.replace("_", " ").capitalize()

    @property
    def label_for_recipients(self) -> str:
        """The label in the note for the recipient: ``public_label``, or ``label_text`` if there is none."""
        return self.label_text if self.public_label is None else str(self.public_label)

    @abstractmethod
    def problem(self, value: object) -> Sentence | None:
        """Return None for a value that fits; otherwise a description of fitting values, such as "a number, above 0"."""

    def columns_in(self, value: object) -> tuple[str, ...]:
        """Return the names of columns in a value: the keys of a table or the entries of a list; empty for other values.

        The step must treat all these columns.
        """
        return tuple(value) if isinstance(value, Mapping | list | tuple) else ()

    @abstractmethod
    def unfit_values(self) -> list[object]:
        """Return values that ``problem`` must refuse, for tests of wrong settings."""

    @abstractmethod
    def fit_values(self) -> list[object]:
        """Return values that ``problem`` must accept, for tests."""

    def describe(self) -> dict[str, Any]:
        """Return the parameter's declaration as plain data for listings and forms.

        Sentences are in the current language. ``bounds`` are None; kinds of parameters that have bounds or words add
        them.
        """
        return {
            "name": self.name,
            "default": self.default,
            "unit": None if self.unit is None else str(self.unit),
            "help": str(self.help),
            "effect": str(self.effect or ""),
            "level_key": self.level_key,
            "advanced": self.advanced,
            "of_file": self.of_file,
            "type": self.type_name,
            "bounds": None,
        }


RANGES: Mapping[tuple[bool | None, bool | None], Sentence] = {
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
"""Descriptions of intervals by whether each end is excluded; None for no end."""


def _format_bound(value: float | None) -> int | Number:
    """Return a bound in the form in which a sentence takes it: an int if it is whole, otherwise a number with decimals.

    None (no bound) becomes an empty number that is never printed.
    """
    return int(value) if value is not None and float(value).is_integer() else Number(value)


def _add_words(fits: Sentence, words: Mapping[str, Sentence]) -> Sentence:
    """Return a description of fitting values with the words that may stand in their place, if there are any."""
    return lazy("{fits}, or the word {words}", fits=fits, words=Names.of(tuple(words))) if words else fits


@dataclass(frozen=True, kw_only=True)
class NumberParameter(Parameter):
    """A number in an interval, or one of a few words such as "off".

    Attributes
    ----------
    low, high
        Ends of the interval; None for no end.
    low_open, high_open
        True when the end itself is not allowed.
    whole
        True for whole numbers.
    words
        Texts allowed instead of a number, each with a sentence that explains it.
    only
        The allowed numbers, if only some numbers are allowed; otherwise empty.
    """

    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False
    whole: bool = False
    words: Mapping[str, Sentence] = field(default_factory=dict)
    only: tuple[int | float, ...] = ()

    def problem(self, value: object) -> Sentence | None:
        """Return None for a value that fits; otherwise a description of fitting values, such as "a number, above 0".

        One of the allowed words fits. Texts such as "3", True, False, NaN, and infinite numbers or those
        too large for a float do not. Where whole numbers are wanted, 3 and 3.0 fit, 3.5 does not.
        """
        if isinstance(value, str) and value in self.words:
            return None
        if not _is_number(value) or (self.only and value not in self.only) or not self._is_within(value):
            return self._describe_fitting_values()
        return self._describe_fitting_values() if self.whole and not float(value).is_integer() else None

    def _is_within(self, value: float) -> bool:
        """Return whether a number lies between the lower and the upper end; an end that is None is no limit.

        An end itself belongs to the interval unless it is declared open: with ``low`` 0 and ``low_open``, 0 does not.
        """
        below = self.low is not None and (value < self.low or (self.low_open and value == self.low))
        above = self.high is not None and (value > self.high or (self.high_open and value == self.high))
        return not below and not above

    def _describe_fitting_values(self) -> Sentence:
        """Return a description of fitting values, such as "a whole number, 2 to 10, or the word none".

        Where only certain numbers are allowed, it lists these and no words: "one of 2, 5 and 10".
        """
        if self.only:
            return lazy("one of {numbers}", numbers=Terms(tuple(f"{allowed:g}" for allowed in self.only)))
        kind = lazy("a whole number") if self.whole else lazy("a number")
        below = None if self.low is None else self.low_open
        above = None if self.high is None else self.high_open
        ends = {"low": _format_bound(self.low), "high": _format_bound(self.high)}
        fits = lazy("{kind}, {range}", kind=kind, range=replace(RANGES[below, above], values=ends))
        return _add_words(fits, self.words)

    def describe(self) -> dict[str, Any]:
        """Return the parameter's declaration as plain data, with its type, bounds and allowed words.

        The type is "integer" or "number". ``only`` lists the allowed numbers, and is left out if all numbers within the
        bounds are allowed.
        """
        bounds = {key: getattr(self, key) for key in ("low", "high", "low_open", "high_open")}
        kind = "integer" if self.whole else "number"
        only = {"only": list(self.only)} if self.only else {}
        return {**super().describe(), "type": kind, "bounds": bounds, "words": format_by_key(self.words), **only}

    def unfit_values(self) -> list[object]:
        """Return values that ``problem`` must refuse, for tests.

        They are a wrong word, other types, NaN, infinite and huge numbers, numbers just outside the limits and, if only
        some numbers are allowed, numbers beside these.
        """
        unfit: list[object] = ["no such word", True, float("nan"), float("inf"), 10**400, [1], None]
        if self.low is not None:
            unfit.append(self.low if self.low_open else self.low - 1)
        if self.high is not None:
            unfit.append(self.high if self.high_open else self.high + 1)
        if self.only:
            unfit += [self.only[0] - 1, self.only[-1] + 1, *(allowed + 0.5 for allowed in self.only)]
        return unfit

    def fit_values(self) -> list[object]:
        """Return values that ``problem`` must accept, for tests.

        They are the default, the allowed words and listed numbers, a number inside the bounds, and the lower end if it
        is allowed.
        """
        fit: list[object] = [self.default, *self.words, *self.only]
        low = 0 if self.low is None else self.low
        inside = low + 0.3 * (20 if self.high is None else self.high - low)
        fit += [value for value in (int(inside) if self.whole else inside,) if self.problem(value) is None]
        if self.low is not None and not self.low_open:
            fit.append(int(self.low) if self.whole else self.low)
        return fit


LARGER_HIDES_MORE = lazy("A larger number hides more, but keeps less detail.")
SMALLER_HIDES_MORE = lazy("A smaller number hides more, but keeps less detail.")

OFF = "off"
"""The word that a number parameter takes to switch its requirement off."""


def make_largest_share_parameter(*, help: Sentence, effect: Sentence | None = None) -> NumberParameter:
    """Return the parameter ``most``: the share of a group's people from which on one confidential value is too common.

    It is a number above 0 and at most 1, or (the default) the word ``off``, which requires nothing.
    """
    return NumberParameter(
        name="most",
        label=lazy("Largest share with one value"),
        help=help,
        effect=effect,
        default=OFF,
        low=0,
        high=1,
        low_open=True,
        words={OFF: lazy("Not required.")},
        names={OFF: lazy("not required")},
        advanced=True,
        silent_unless_written=True,
    )


def make_smallest_group_parameter(*, name: str = "k", default: int = 5) -> NumberParameter:
    """Return a parameter for the smallest number of records in a group, a whole number of 2 or more.

    If a recipe sets it, the weakest privacy level takes this number, and stricter levels take their own demand if that
    is larger. If not, every level takes its own demand; a run does not use ``default``.

    Parameters
    ----------
    name
        The parameter's name in a recipe.
    default
        Number of records that the help names, and the form shows while the levels' demands are unknown.
    """
    return NumberParameter(
        name=name,
        label=lazy("Smallest group"),
        help=lazy(
            "The smallest number of records in a group. A person with a higher protection level gets a larger group."
        ),
        effect=LARGER_HIDES_MORE,
        default=default,
        low=2,
        whole=True,
        unit=lazy("records"),
        level_key="group",
        checked_with={name: 60},
    )


@dataclass(frozen=True, kw_only=True)
class ChoiceParameter(Parameter):
    """A parameter whose value is one of a few words, each with a sentence that explains it."""

    type_name = "choice"

    choices: Mapping[str, Sentence]

    def problem(self, value: object) -> Sentence | None:
        """Return None for one of the allowed words; otherwise a description that lists all allowed words."""
        if isinstance(value, str) and value in self.choices:
            return None
        return lazy("one of {words}", words=Names.of(tuple(self.choices)))

    def describe(self) -> dict[str, Any]:
        """Return the parameter's declaration as plain data, with the sentence of each word under ``choices``."""
        return {**super().describe(), "choices": format_by_key(self.choices)}

    def unfit_values(self) -> list[object]:
        """Return values that ``problem`` must refuse, for tests: a wrong word and other types."""
        return ["no such word", 1, True, None, []]

    def fit_values(self) -> list[object]:
        """Return all allowed words, for tests."""
        return list(self.choices)


@dataclass(frozen=True, kw_only=True)
class FlagParameter(Parameter):
    """A parameter that is true or false."""

    type_name = "flag"

    def problem(self, value: object) -> Sentence | None:
        """Return None for True and False; for any other value, also 1 and "true", the phrase "true or false"."""
        return None if isinstance(value, bool) else lazy("true or false")

    def unfit_values(self) -> list[object]:
        """Return values that ``problem`` must refuse, for tests: "true", 1 and None."""
        return ["true", 1, None]

    def fit_values(self) -> list[object]:
        """Return True and False, the values that must be accepted."""
        return [True, False]


@dataclass(frozen=True, kw_only=True)
class ColumnParameter(Parameter):
    """A parameter whose value is the name of a column, or an empty text for none."""

    type_name = "column"

    def problem(self, value: object) -> Sentence | None:
        """Return None for any text; for other values the phrase "the name of a column".

        Whether the table has the column is checked later.
        """
        return None if isinstance(value, str) else lazy("the name of a column")

    def unfit_values(self) -> list[object]:
        """Return values that ``problem`` must refuse, for tests: values that are no text."""
        return [1, True, None, []]

    def fit_values(self) -> list[object]:
        """Return only the default, for tests: whether another name is accepted depends on the table."""
        return [self.default]


@dataclass(frozen=True, kw_only=True)
class TextParameter(Parameter):
    """A short text that a person writes, or an empty one.

    Attributes
    ----------
    pattern
        Regular expression that a text has to match; an empty text always fits.
    wanted
        What the pattern means, in words that follow "must be"; None stands for "a text of one line".
    most
        Largest number of characters.
    """

    type_name = "text"

    pattern: str = r"[^\x00-\x1f\x7f]*"
    wanted: Sentence | None = None
    most: int = 80

    def problem(self, value: object) -> Sentence | None:
        """Return None for a text that fits; otherwise a description of fitting texts.

        A text fits if it is empty, or if it matches the pattern, is not too long and has no blanks at its ends.
        """
        if value == "":
            return None
        fits = isinstance(value, str) and value == value.strip() and len(value) <= self.most
        if fits and re.fullmatch(self.pattern, str(value)):
            return None
        return lazy(
            "{wanted} of at most {most} {most:character|characters}, without blanks at the ends",
            wanted=self.wanted or lazy("a text of one line"),
            most=self.most,
        )

    def unfit_values(self) -> list[object]:
        """Return values that ``problem`` must refuse, for tests.

        They are values that are no text, a blank, two lines, and a text that is one character too long.
        """
        return [1, True, None, [], " ", "two\nlines", "x" * (self.most + 1)]

    def fit_values(self) -> list[object]:
        """Return values that ``problem`` accepts, for tests: "", the default, and "trial" if the pattern allows it."""
        return [value for value in ("", self.default, "trial") if self.problem(value) is None]


@dataclass(frozen=True, kw_only=True)
class RecipientParameter(TextParameter):
    """The name by which the owner calls a recipient of the release; it decides which kept secret is used.

    Attributes
    ----------
    mark
        Name of the parameter that holds the fingerprint of the recipient's secret.
    """

    mark: str


# --- column parameters --------------------------------------------------------------------


def _is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value is a number that a float can hold, not infinite or NaN; bool is not one."""
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


@dataclass(frozen=True, kw_only=True)
class ColumnNumbersParameter(Parameter):
    """A positive number for all columns, a table of numbers by column, or one of a few words.

    Attributes
    ----------
    words
        Texts allowed instead of a number, each with a sentence that explains it. A column that is missing in a table is
        treated as by the default.
    is_share
        Whether every number must be below 1.
    """

    type_name = "number or table by column"

    words: Mapping[str, Sentence] = field(default_factory=dict)
    is_share: bool = False

    def problem(self, value: object) -> Sentence | None:
        """Return None for a value that fits; otherwise a description of fitting values.

        An allowed word fits, a finite number above 0 (and below 1 if it is a share), and a table of such numbers by
        name, also an empty one. Whether the names are columns is not checked.
        """
        if isinstance(value, str) and value in self.words:
            return None
        numbers = list(value.values()) if isinstance(value, Mapping) else [value]
        names = list(value) if isinstance(value, Mapping) else []
        most = 1 if self.is_share else math.inf
        if all(_is_number(number) and 0 < number < most for number in numbers) and all(
            isinstance(name, str) for name in names
        ):
            return None
        fits = lazy("a number above 0, or a table of such numbers by column")
        if self.is_share:
            fits = lazy("a number above 0 and below 1, or a table of such numbers by column")
        return _add_words(fits, self.words)

    def of(self, value: object, column: str) -> float | None:
        """Return a column's number from a parameter's value: its entry in a table, or the one number for all columns.

        None if the value is a word, or a table without the column.
        """
        if isinstance(value, Mapping):
            value = value.get(column)
        return float(value) if isinstance(value, int | float) else None

    def describe(self) -> dict[str, Any]:
        """Return the parameter's declaration as plain data, with its bounds and the allowed words.

        The bounds are above 0 and, for a share, below 1.
        """
        high = 1 if self.is_share else None
        bounds = {"low": 0, "high": high, "low_open": True, "high_open": self.is_share}
        return {**super().describe(), "bounds": bounds, "words": format_by_key(self.words)}

    def unfit_values(self) -> list[object]:
        """Return values that a step must refuse, for tests: wrong types, numbers out of bounds, an unknown column."""
        unfit: list[object] = ["no such word", True, 0, -1.5, float("nan"), float("inf"), [1], None]
        unfit += [{"Number": 1}] if self.is_share else []
        return [*unfit, {"Number": 0}, {"Number": "1"}, {"Number": None}, {"no such column": 0.5}]

    def fit_values(self) -> list[object]:
        """Return values that must be accepted, for tests: the words, an empty table and two numbers."""
        return [*self.words, {}, *((0.2, 0.5) if self.is_share else (2, 2.5))]


@dataclass(frozen=True, kw_only=True)
class ColumnBoundsParameter(Parameter):
    """A parameter with a lowest and a highest value by column; other columns keep the bounds of their declaration."""

    type_name = "bounds by column"

    def problem(self, value: object) -> Sentence | None:
        """Return None for a table of [low, high] by column with low below high; otherwise a description of such tables.

        Both have to be finite numbers. An empty table fits. Whether the names are columns is not checked.
        """
        if isinstance(value, Mapping) and all(isinstance(name, str) for name in value):
            pairs = [pair for pair in value.values() if isinstance(pair, list | tuple) and len(pair) == 2]
            if len(pairs) == len(value) and all(
                _is_number(low) and _is_number(high) and low < high for low, high in pairs
            ):
                return None
        return lazy("a table of [low, high] by column, low below high")

    def of(self, value: object, column: str) -> tuple[float, float] | None:
        """Return a column's bounds (low, high) from a parameter's value.

        None where the table does not have the column.
        """
        entry = value.get(column) if isinstance(value, Mapping) else None
        return None if entry is None else (float(entry[0]), float(entry[1]))

    def unfit_values(self) -> list[object]:
        """Return values that a step must refuse, for tests: no table, no pair, high not above low, no such column."""
        unfit: list[object] = ["0 to 1", 1, True, None, [0, 1], {"Number": 1}, {"Number": [1]}, {"Number": [1, 2, 3]}]
        return [*unfit, {"Number": [2, 1]}, {"Number": [0, float("inf")]}, {"no such column": [0, 1]}]

    def fit_values(self) -> list[object]:
        """Return values that must be accepted, for tests: an empty table and one pair of bounds."""
        return [{}, {"Number": [20, 60]}]


@dataclass(frozen=True, kw_only=True)
class ColumnsParameter(Parameter):
    """A parameter that names several columns of the step that belong together; an empty list means none."""

    type_name = "columns"

    def problem(self, value: object) -> Sentence | None:
        """Return None for an empty list or two or more different names; for other values, a description of such lists.

        Whether the table has the columns is checked later.
        """
        if isinstance(value, list | tuple) and all(isinstance(name, str) for name in value):
            names = tuple(value)
            if len(names) != 1 and len(set(names)) == len(names):
                return None
        return lazy("a list of two or more different columns, or an empty list")

    def describe(self) -> dict[str, Any]:
        """Return the parameter's declaration as plain data, with the default as a list."""
        return {**super().describe(), "default": list(self.default)}

    def unfit_values(self) -> list[object]:
        """Return values that a step must refuse, for tests: no list, a single or repeated column, an unknown column."""
        return ["Number", 1, True, None, ["Number"], ["Number", "Number"], ["Number", 1], ["no such column", "Number"]]

    def fit_values(self) -> list[object]:
        """Return the empty list, the only value that fits every table."""
        return [[]]
