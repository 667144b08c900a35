"""What every method declares of itself, once.

Validation, the recipe, help, the command line's listing, the window's form and the
negative tests are all built from these objects; there is no second list.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import RecordLevels

Protects = Literal["identity", "attribute", "both"]
Correspondence = Literal["record", "group", "none"]
GuaranteeKind = Literal["file", "file+original", "run"]
Bools = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int64]


# --- parameters -------------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Parameter(ABC):
    """One parameter of a method.

    Attributes
    ----------
    name
        Key in the recipe.
    help
        One sentence: what it is.
    effect
        One sentence: what more or less of it does to privacy and usefulness.
    default
        Value when the recipe is silent.
    unit
        Unit of the value, or None.
    level_key
        The key of the level map beside it: written in the recipe the parameter stands for
        the weakest level; left out every level takes its own.
    advanced
        True when a first-time user need not see it.
    label
        What the form calls it; the name in words when empty.
    """

    name: str
    help: str
    effect: str
    default: Any
    unit: str | None = None
    level_key: str | None = None
    advanced: bool = False
    label: str = ""

    @property
    def shown_label(self) -> str:
        """The label in plain words."""
        return self.label or self.name.replace("_", " ").capitalize()

    @abstractmethod
    def problem(self, value: object) -> str | None:
        """Say in words why a value does not fit, or None."""

    @abstractmethod
    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data for listings and forms."""

    @abstractmethod
    def unfit_values(self) -> list[object]:
        """Return values that must be refused, for the negative tests."""

    @abstractmethod
    def fit_values(self) -> list[object]:
        """Return values that must be accepted, for the tests."""

    def _base(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "default": self.default,
            "unit": self.unit,
            "help": self.help,
            "effect": self.effect,
            "level_key": self.level_key,
            "advanced": self.advanced,
        }


@dataclass(frozen=True, kw_only=True)
class NumberParameter(Parameter):
    """A number in an interval, or one of a few words.

    Attributes
    ----------
    low, high
        Ends of the interval; None is unbounded.
    low_open, high_open
        True when the end itself is not allowed.
    whole
        True for whole numbers.
    words
        Texts allowed instead of a number, each with a sentence.
    """

    low: float | None = None
    high: float | None = None
    low_open: bool = False
    high_open: bool = False
    whole: bool = False
    words: Mapping[str, str] = field(default_factory=dict)

    def problem(self, value: object) -> str | None:
        """Say in words why a value does not fit, or None."""
        if isinstance(value, str) and value in self.words:
            return None
        if not isinstance(value, int | float) or isinstance(value, bool) or not math.isfinite(value):
            return f"must be {self.range_text()}"
        if self.whole and not float(value).is_integer():
            return f"must be {self.range_text()}"
        below = self.low is not None and (value < self.low or (self.low_open and value == self.low))
        above = self.high is not None and (value > self.high or (self.high_open and value == self.high))
        return f"must be {self.range_text()}" if below or above else None

    def range_text(self) -> str:
        """Return the allowed values in words."""
        text = "a whole number" if self.whole else "a number"
        if self.low is not None:
            text += f" {'above' if self.low_open else 'from'} {self.low:g}"
        if self.high is not None:
            text += f" {'below' if self.high_open else 'up to'} {self.high:g}"
        return text + "".join(f' or "{word}"' for word in self.words)

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        bounds = {
            "low": self.low,
            "high": self.high,
            "low_open": self.low_open,
            "high_open": self.high_open,
        }
        kind = "integer" if self.whole else "number"
        return {**self._base(), "type": kind, "bounds": bounds, "words": dict(self.words)}

    def unfit_values(self) -> list[object]:
        """Return values that must be refused."""
        unfit: list[object] = ["no such word", True, float("nan"), float("inf"), [1], None]
        if self.low is not None:
            unfit.append(self.low if self.low_open else self.low - 1)
        if self.high is not None:
            unfit.append(self.high if self.high_open else self.high + 1)
        return unfit

    def fit_values(self) -> list[object]:
        """Return values that must be accepted."""
        fit: list[object] = [self.default, *self.words]
        if self.low is not None and not self.low_open:
            fit.append(int(self.low) if self.whole else self.low)
        return fit


@dataclass(frozen=True, kw_only=True)
class ChoiceParameter(Parameter):
    """One of a few words, each with the sentence that explains it."""

    choices: Mapping[str, str]

    def problem(self, value: object) -> str | None:
        """Say in words why a value does not fit, or None."""
        if isinstance(value, str) and value in self.choices:
            return None
        return "must be one of " + ", ".join(f'"{choice}"' for choice in self.choices)

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        return {**self._base(), "type": "choice", "bounds": None, "choices": dict(self.choices)}

    def unfit_values(self) -> list[object]:
        """Return values that must be refused."""
        return ["no such word", 1, True, None, []]

    def fit_values(self) -> list[object]:
        """Return values that must be accepted."""
        return list(self.choices)


@dataclass(frozen=True, kw_only=True)
class FlagParameter(Parameter):
    """Yes or no."""

    def problem(self, value: object) -> str | None:
        """Say in words why a value does not fit, or None."""
        return None if isinstance(value, bool) else "must be true or false"

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        return {**self._base(), "type": "flag", "bounds": None}

    def unfit_values(self) -> list[object]:
        """Return values that must be refused."""
        return ["true", 1, None]

    def fit_values(self) -> list[object]:
        """Return values that must be accepted."""
        return [True, False]


# --- what a step is given and gives back ------------------------------------------------


@dataclass(frozen=True)
class Settings:
    """A step's columns and all its parameters.

    Attributes
    ----------
    columns
        Names, in the order they are treated.
    values
        Every parameter, defaults filled in.
    written
        The parameters the recipe wrote.
    """

    columns: tuple[str, ...]
    values: Mapping[str, Any]
    written: frozenset[str] = frozenset()

    def demanded(self, parameter: str, key: str, levels: RecordLevels) -> list[float]:
        """Return the effective demand of each level in use (contract, "Parameter against level").

        ``"uniform"`` selection noise is infinite. The parameter, where written as a number,
        is the weakest level's own; stricter levels take the stricter of it and theirs.
        """
        written = self.values[parameter] if parameter in self.written else None
        found = []
        for level in levels.levels:
            own = level.demand.temperature if key == "selection_noise" else float(getattr(level.demand, key))
            if not isinstance(written, int | float):
                found.append(own)
            elif level.is_weakest:
                found.append(float(written))
            else:
                found.append(min(own, float(written)) if key == "intervals" else max(own, float(written)))
        return found


@dataclass(frozen=True)
class Note:
    """A sentence by text id, with its arguments."""

    id: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Proposal:
    """Other parameters that a method would rather have on a table, and why."""

    reason: Note
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Guarantee:
    """What a step promises of the release, and how it can be recounted.

    Attributes
    ----------
    kind
        ``file`` (anyone), ``file+original`` (the owner) or ``run`` (from key and input).
    holds
        Whether the recount agreed.
    checked
        Number of records looked at.
    worst
        The figure nearest to, or beyond, the promise.
    """

    kind: GuaranteeKind
    holds: bool
    checked: int
    worst: float | None = None


@dataclass(frozen=True)
class LevelProof:
    """How one level's records were served by a step.

    Attributes
    ----------
    level
        Name of the level.
    column
        The protected column the proof speaks of.
    records, covered, not_covered
        Records of the level, those the step serves, and the rest.
    demanded, least_achieved
        The demand and the worst achieved among the covered, in the step's own unit.
    worst_row
        Source row (1-based) of the worst record, internal report only.
    met
        Whether every covered record has its level.
    """

    level: str
    column: str
    records: int
    covered: int
    not_covered: int
    demanded: float
    least_achieved: float | None
    worst_row: int | None
    met: bool


@dataclass(frozen=True, eq=False)
class Protection:
    """Which records of a column a step protects, and in what manner.

    Attributes
    ----------
    column
        The protected column.
    manner
        ``randomised`` (whether a value changed was chosen by the key), ``grouped`` (the value
        is shared by a group of the demanded size) or ``noise`` (continuous noise).
    served
        bool, shape (records,): the records whose level the step serves.
    treatment
        int64, shape (records,): -1 where nothing was chosen, else a number that is equal for
        records a snooper cannot tell apart but for their released value (one for each level).
    traceable
        True when the choice itself can be retraced (``selection_noise`` 0).
    """

    column: str
    manner: Literal["randomised", "grouped", "noise"]
    served: Bools
    treatment: Ints
    traceable: bool = False


@dataclass(frozen=True, eq=False)
class Recount:
    """The guarantee and the per-level proof, counted from tables rather than from the run."""

    guarantee: Guarantee
    levels: tuple[LevelProof, ...]


@dataclass(frozen=True, eq=False)
class StepResult:
    """A step's table and the record of what it did.

    Attributes
    ----------
    table
        The new table; columns nobody changed are shared with the input.
    protections
        One or more for each protected column.
    detail
        The method's own figures, plain data (contract, section 5, ``steps[].detail``).
    notes
        Sentences for the report, by text id.
    """

    table: Table
    protections: tuple[Protection, ...]
    detail: Mapping[str, Any]
    notes: tuple[Note, ...] = ()


# --- the method -------------------------------------------------------------------------


class Method(ABC):
    """A privacy-preserving method: one subclass in one file, registered by decorator."""

    id: ClassVar[str]
    title: ClassVar[str]
    paper: ClassVar[str]
    summary: ClassVar[str]
    promises: ClassVar[tuple[str, ...]]
    limits: ClassVar[tuple[str, ...]]
    protects: ClassVar[Protects]
    correspondence: ClassVar[Correspondence]
    treatment: ClassVar[str]
    """ISO/IEC 20889 family, e.g. ``randomisation (permutation)``."""
    kinds: ClassVar[frozenset[str]]
    """Column kinds it takes; a binned column counts as ordinal."""
    reads_levels: ClassVar[tuple[str, ...]] = ()
    public_parameters: ClassVar[frozenset[str]] = frozenset()
    """Parameters a recipient may know."""
    attacks: ClassVar[tuple[str, ...]] = ()
    parameters: ClassVar[tuple[Parameter, ...]] = ()

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the columns it takes when the recipe names none (contract, section 1)."""
        wanted = "confidential" if self.protects == "attribute" else "quasi-identifier"
        return tuple(column.name for column in table.with_role(wanted) if column.kind in self.kinds)

    def settings(self, table: Table, columns: Sequence[str] | None, parameters: Mapping[str, Any]) -> Settings:
        """Check columns and parameters against the declaration and fill in defaults.

        Raises
        ------
        RecipeError
            For a parameter that is unknown or unfit, or a column the method cannot take.
        """
        known = {parameter.name: parameter for parameter in self.parameters}
        for name, value in parameters.items():
            if name not in known:
                raise RecipeError(
                    "error.recipe.unknown-parameter",
                    args={"method": self.id, "key": name, "known": ", ".join(known)},
                )
            if (problem := known[name].problem(value)) is not None:
                raise RecipeError(
                    "error.recipe.bad-parameter",
                    args={"method": self.id, "key": name, "reason": problem, "found": repr(value)},
                )
        chosen = tuple(columns) if columns is not None else self.default_columns(table)
        if not chosen:
            raise RecipeError("error.step.no-columns", args={"method": self.id, "kinds": ", ".join(sorted(self.kinds))})
        for name in chosen:
            column = table.column(name)
            if column.kind not in self.kinds:
                raise RecipeError(
                    "error.step.unfit-kind",
                    column=name,
                    args={"method": self.id, "kind": column.kind, "kinds": ", ".join(sorted(self.kinds))},
                )
            if self.protects == "attribute" and column.role != "confidential":
                raise RecipeError(
                    "error.step.not-confidential", column=name, args={"method": self.id, "role": column.role}
                )
        if len(set(chosen)) != len(chosen):
            raise RecipeError("error.step.column-twice", args={"method": self.id})
        values = {name: parameters.get(name, parameter.default) for name, parameter in known.items()}
        return Settings(chosen, values, frozenset(parameters))

    def mode(self, settings: Settings) -> Literal["safe", "faithful"]:
        """Say whether these settings are the paper's own; a method with no fault to mend is ``safe``."""
        return "safe"

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Refuse what cannot work before anything is drawn; return warnings.

        Raises
        ------
        RecipeError, InputError
            When the method cannot keep its promise on this table.
        """
        return ()

    def proposal(self, table: Table, settings: Settings) -> Proposal | None:
        """Return other parameters to propose on this table, or None when these will do."""
        return None

    @abstractmethod
    def effect(self, table: Table, settings: Settings) -> Note:
        """Say in one sentence what the settings will do to this table."""

    @abstractmethod
    def run(self, table: Table, settings: Settings, streams: StepStream, progress: Progress) -> StepResult:
        """Protect the table; the input is never changed."""

    @abstractmethod
    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Count the guarantee anew from the step's input and the (read back) output."""

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data, for listings, forms and help."""
        return {
            "id": self.id,
            "title": self.title,
            "paper": self.paper,
            "summary": self.summary,
            "promises": list(self.promises),
            "limits": list(self.limits),
            "parameters": [parameter.describe() for parameter in self.parameters],
            "applies_to": sorted(self.kinds),
            "protects": self.protects,
            "correspondence": self.correspondence,
            "reads_levels": list(self.reads_levels),
            "attacks": list(self.attacks),
            "treatment": self.treatment,
        }
