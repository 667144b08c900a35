"""The input and output of a step: settings, protections, guarantee and proof.

Suggestions of a method for a table: sets of parameters, each with a short description.

The parameter values that a run used where the recipe left them open or something else decided.

Whose settings a step has as a whole: the paper's, the recommended ones, or a person's own.

A method declares its profiles; which of them a step has follows from its parameters alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.methods.base.parameters import Parameter
from ppdm_desktop.engine.recipe.models import ProfileName
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.wording.catalogue import Sentence
from ppdm_desktop.engine.wording.texts import Note

# --- profiles -----------------------------------------------------------------------------

PAPER: ProfileName = "paper"
SAFE: ProfileName = "safe"
OWN: Literal["own"] = "own"
Mode = Literal["paper", "safe", "own"]
Profiles = Mapping[ProfileName, Mapping[str, Any]]
"""Parameters that a profile writes, by name of the profile; other parameters stay unwritten."""


def effective_values(parameters: Sequence[Parameter], written: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a step's parameters that are compared with a profile.

    Parameters that belong to the file, and those that the run finds, are left out. One that nobody wrote has its
    default; if protection levels can ask more of it, it is None, because every level then takes its own value. Lists
    become tuples.
    """
    effective = {
        parameter.name: written.get(parameter.name, None if parameter.level_key is not None else parameter.default)
        for parameter in parameters
        if not (parameter.of_file or parameter.found_by_run)
    }
    return {name: tuple(value) if isinstance(value, list) else value for name, value in effective.items()}


def mode_of(parameters: Sequence[Parameter], profiles: Profiles, written: Mapping[str, Any]) -> Mode:
    """Return the profile whose values all effective parameters have, the paper's first; ``own`` where none fits.

    Parameters
    ----------
    parameters, profiles
        As the method declares them; a method without profiles is ``safe`` as long as nothing is changed.
    written
        The parameters that were written, by name.
    """
    effective = effective_values(parameters, written)
    for name in (PAPER, SAFE):
        declared = profiles.get(name, {} if name == SAFE else None)
        if declared is not None and _has_same_values(effective_values(parameters, declared), effective):
            return name
    return OWN


def _has_same_values(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Return whether the values of ``first`` are equal in ``second``: 1 and 1.0 are one number, true is none.

    Names that only ``second`` has are not compared.
    """
    return all(
        value == second[name] and isinstance(value, bool) == isinstance(second[name], bool)
        for name, value in first.items()
    )


# --- step ---------------------------------------------------------------------------------

# --- used ---------------------------------------------------------------------------------

Why = Literal["set", "levels", "type", "table", "columns", "data", "program"]
"""Who decided a value: the recipe (or its default), the protection levels, the type of release, the table's limits,
the Columns page, the values of the column, or the program.
"""


@dataclass(frozen=True)
class Used:
    """A value that a step used for one of its parameters.

    Attributes
    ----------
    parameter
        Its key in the recipe.
    value
        As the recipe would write it.
    why
        What decided it.
    level, column
        Of which level and column it is the value; None is all of them.
    asked
        What was asked for, where less was used.
    """

    parameter: str
    value: Any
    why: Why
    level: str | None = None
    column: str | None = None
    asked: Any = None

    def document(self) -> dict[str, Any]:
        """Return the fields as plain data, without those that are None."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def settled(used: Iterable[Used], values: Mapping[str, Any], written: frozenset[str]) -> tuple[Used, ...]:
    """Return the used values, each that equals the value that the recipe wrote marked as ``set`` by the recipe.

    Values of unwritten parameters keep their reason.

    Parameters
    ----------
    used
        What was used, each with why.
    values
        The step's parameters by name.
    written
        Which of them the recipe wrote.
    """
    return tuple(
        replace(item, why="set") if item.parameter in written and item.value == values[item.parameter] else item
        for item in used
    )


def used_groups(parameter: str, levels: RecordLevels, groups: Ints) -> list[Used]:
    """Return the group sizes used for the people of each level.

    For each level, in order, a value for each different size that its people ask for, rising; none for a level without
    people. It says whether the type of release or the levels asked.

    Parameters
    ----------
    parameter
        The parameter with the size.
    levels
        Each record's level.
    groups
        int64, shape (records,): the group size that each record asks for.
    """
    used_parameters: list[Used] = []
    for code, level in enumerate(levels.levels):
        at_level = levels.codes == code
        for size in np.unique(groups[at_level]).tolist():
            at = at_level & (groups == size)
            by_type = size == levels.least_group and bool(levels.nobody_chose[at].all())
            used_parameters.append(Used(parameter, int(size), "type" if by_type else "levels", level.name))
    return used_parameters


# --- step ---------------------------------------------------------------------------------

# --- suggestion ---------------------------------------------------------------------------


@dataclass(frozen=True)
class Suggestion:
    """One suggested way to use a method on a table.

    Attributes
    ----------
    words
        What becomes of the table, in a few plain words.
    parameters
        What is set; everything else stays as it is by default or as the levels ask.
    """

    words: Sentence
    parameters: Mapping[str, object] = field(default_factory=dict)


def least_group(table: Table) -> int:
    """Return the smallest group size that the protection level of any record demands, at least two.

    It is two without levels or without records.
    """
    return max(int(table.levels.of("group").min(initial=10**9)), 2) if table.levels is not None and table.rows else 2


def strictest_group(table: Table) -> int:
    """Return the largest group size that the protection level of any record demands, at least two.

    Two without levels.
    """
    return max(int(table.levels.of("group").max(initial=2)), 2) if table.levels is not None else 2


def suggest_groups(
    table: Table, label: Callable[[int], Sentence], parameter: str, more: Mapping[str, object] | None = None
) -> tuple[Suggestion, ...]:
    """Return two suggestions: groups as large as the levels demand, and of four times the smallest demanded size.

    The first sets no size, as levels decide it. The label of the second names at least the largest demanded size.

    Parameters
    ----------
    table
        The table to be treated.
    label
        Function from the size of the groups to what becomes of the table.
    parameter
        The parameter that sets the smallest group.
    more
        Parameters of both suggestions, if any.
    """
    strictest, large, more = strictest_group(table), 4 * least_group(table), more or {}
    return Suggestion(label(strictest), more), Suggestion(label(max(large, strictest)), {parameter: large, **more})


# --- step ---------------------------------------------------------------------------------

GuaranteeKind = Literal["file", "file+original", "run"]


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
        """Return the demand of each protection level, in the order of ``levels`` (contract, "Parameter against level").

        ``"uniform"`` selection noise is infinite. If the recipe writes the parameter as a number, the weakest level
        takes exactly this number, and other levels the stricter of it and their own: the smaller for ``intervals``,
        else the larger.

        Parameters
        ----------
        parameter
            Name of the parameter that the levels may ask more of.
        key
            The name of the demand in a level, such as ``group``, ``intervals`` or ``selection_noise``.
        levels
            The levels in use.
        """
        written = self.values[parameter] if parameter in self.written else None
        demanded = []
        for level in levels.levels:
            temperature = level.demand.temperature if key == "selection_noise" else float(getattr(level.demand, key))
            if not isinstance(written, int | float):
                demanded.append(temperature)
            elif level.is_weakest:
                demanded.append(float(written))
            else:
                demanded.append(
                    min(temperature, float(written)) if key == "intervals" else max(temperature, float(written))
                )
        return demanded

    def groups_asked(self, parameter: str, levels: RecordLevels, least: int) -> Ints:
        """Return the group size that each record demands, int64, shape (records,).

        A written size holds for people whose level nobody chose, down to the least that the type of release allows; a
        level that a person asked for, or that the owner set, still raises it.

        Without a written size it is what the levels ask, at least ``least``.

        Parameters
        ----------
        parameter
            The parameter with the group size, in records.
        levels
            Each record's level.
        least
            The smallest group that the method can make.
        """
        groups = np.maximum(levels.of("group").astype(np.int64), least)
        if parameter not in self.written:
            return groups
        written = int(self.values[parameter])
        return np.where(levels.nobody_chose, max(written, levels.least_group, least), np.maximum(groups, written))

    def group_note(self, parameter: str, levels: RecordLevels, used: int) -> tuple[Note, ...]:
        """Return a note that a written size is not used, because the type of release or levels demand more; else empty.

        Parameters
        ----------
        parameter
            The one with the size.
        levels
            The levels in use.
        used
            The size that is used.
        """
        if parameter not in self.written or used <= int(self.values[parameter]):
            return ()
        by_type = used == levels.least_group and bool(levels.nobody_chose.any())
        id = "note.step.group-of-type" if by_type else "note.step.group-of-levels"
        return (Note(id, {"asked": int(self.values[parameter]), "used": used}),)

    def group_detail(self, parameter: str, used: int) -> dict[str, int]:
        """Return the written and the used group size as ``asked`` and ``used`` for the report.

        Empty if none was written.
        """
        return {"asked": int(self.values[parameter]), "used": used} if parameter in self.written else {}


@dataclass(frozen=True)
class Proposal:
    """Better parameters for a table, proposed by a method, and the reason."""

    reason: Note
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Guarantee:
    """The promise of a step, how it can be recounted, and the result of the recount.

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
    """How far a step covers the records of one level in one column.

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
    privacy_loss
        What a reader of the release learns about a value, 1 - 2^(-I) with I in bits; None where
        the step does not measure it.
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
    privacy_loss: float | None = None


@dataclass(frozen=True, eq=False)
class Protection:
    """The records of a column that a step protects, and how.

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
        records an intruder cannot tell apart but for their released value (one for each level).
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
    """The guarantee and the proof for each level, counted from tables rather than from the run."""

    guarantee: Guarantee
    levels: tuple[LevelProof, ...]


@dataclass(frozen=True, eq=False)
class StepResult:
    """The output table of a step, and the record of what the step did.

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
    row_groups
        int64, shape (records,): the group of each record where the step generated records by
        groups. The new record in a row comes from that group, not from that row's record. It
        lives in memory only and is never written.
    kept
        What the method itself needs again until the export (``recount_run``, ``internal_files``)
        and cannot make again from tables; in memory only.
    reached
        Parameters that came out otherwise than they were set, because a person ended a search
        early (``Parameter.stops_early``) or the run found them (``found_by_run``); they go into the recipe,
        which then makes the same release.
    copied
        int64, shape (records,): the record of the step's input that each record is a copy of, where the
        step chose some and repeated them. It lives in memory only and is never written.
    """

    table: Table
    protections: tuple[Protection, ...]
    detail: Mapping[str, Any]
    notes: tuple[Note, ...] = ()
    row_groups: Ints | None = None
    kept: object | None = None
    reached: Mapping[str, Any] = field(default_factory=dict)
    copied: Ints | None = None
