"""What a step of a release takes and gives: settings, output table, protections, guarantee and proof.

A step is one use of a method on a table. A privacy level is the protection that a record demands: above all the size of
the group in which its person has to be hidden, and for some methods the amount of noise or the share of changed values.

The module also has a method's suggestions for a table (sets of parameters, each with a short description), the
parameter values that a run used where the recipe left them open, and the profile of a step: whether all its settings
are the paper's, the recommended ones, or a person's own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
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
"""The parameters that each profile sets, by the profile's name; other parameters keep their defaults."""


def effective_values(parameters: Sequence[Parameter], written: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a step's parameters, by name, in the form in which they are compared with a profile.

    Parameters whose value belongs to the file (such as bounds), and parameters that the run finds (such as a
    fingerprint), are left out. An unwritten parameter has its default; if privacy levels can demand more of it, it is
    None, because every level then takes its own value. Lists become tuples.
    """
    effective = {
        parameter.name: written.get(parameter.name, None if parameter.level_key is not None else parameter.default)
        for parameter in parameters
        if not (parameter.of_file or parameter.computed_by_run)
    }
    return {name: tuple(value) if isinstance(value, list) else value for name, value in effective.items()}


def mode_of(parameters: Sequence[Parameter], profiles: Profiles, written: Mapping[str, Any]) -> Mode:
    """Return the name of the profile that a step's parameters match, the paper's first; ``own`` if they match none.

    Parameters
    ----------
    parameters, profiles
        The parameters and profiles that the method declares. A method without profiles counts as ``safe`` (recommended)
        as long as no parameter is changed.
    written
        The parameters that were written in the recipe, by name.
    """
    effective = effective_values(parameters, written)
    for name in (PAPER, SAFE):
        declared = profiles.get(name, {} if name == SAFE else None)
        if declared is not None and _has_same_values(effective_values(parameters, declared), effective):
            return name
    return OWN


def _has_same_values(first: Mapping[str, Any], second: Mapping[str, Any]) -> bool:
    """Return whether ``second`` has every value of ``first``. 1 equals 1.0, but a truth value equals no number.

    Names that only ``second`` has are ignored; KeyError if it lacks a name of ``first``.
    """
    return all(
        value == second[name] and isinstance(value, bool) == isinstance(second[name], bool)
        for name, value in first.items()
    )


# --- step ---------------------------------------------------------------------------------

# --- used ---------------------------------------------------------------------------------

Why = Literal["set", "levels", "type", "table", "columns", "data", "program"]
"""Who decided a value: the recipe (or its default), the privacy levels, the type of release, the table's limits, the
Columns page, the values of the column, or the program.
"""


@dataclass(frozen=True)
class Used:
    """A value that a step used for one of its parameters.

    Attributes
    ----------
    parameter
        Name of the parameter in the recipe.
    value
        The value as the recipe would write it.
    why
        Who or what decided it.
    level, column
        The privacy level and the column for which the value was used; None means all.
    asked
        The demanded value, where a smaller one was used.
    """

    parameter: str
    value: Any
    why: Why
    level: str | None = None
    column: str | None = None
    asked: Any = None

    def document(self) -> dict[str, Any]:
        """Return the fields as plain data, without fields that are None."""
        return {key: value for key, value in asdict(self).items() if value is not None}


def mark_values_of_recipe(used: Iterable[Used], values: Mapping[str, Any], written: frozenset[str]) -> tuple[Used, ...]:
    """Return the used values in their order, with ``set`` as the reason of those that equal the value in the recipe.

    A parameter that the recipe does not write keeps its reason, and so does a used value that differs from the written
    one, such as a group of 7 where 5 was written.

    Parameters
    ----------
    used
        The used values, each with who decided it.
    values
        The step's parameters by name.
    written
        Names of the parameters that the recipe wrote.
    """
    return tuple(
        replace(item, why="set") if item.parameter in written and item.value == values[item.parameter] else item
        for item in used
    )


def used_groups(parameter: str, levels: RecordLevels, groups: Ints) -> list[Used]:
    """Return the group sizes demanded by the people of each privacy level, levels in order and sizes rising.

    Each entry says why: ``type`` if the size is the minimum of the release type and nobody chose the level of these
    records, otherwise ``levels``. A level without people has no entry.

    Parameters
    ----------
    parameter
        Name of the parameter that holds the group size.
    levels
        The privacy level of each record.
    groups
        int64, shape (records,): the group size that each record demands.
    """
    used_parameters: list[Used] = []
    for code, level in enumerate(levels.levels):
        at_level = levels.codes == code
        for size in np.unique(groups[at_level]).tolist():
            at = at_level & (groups == size)
            by_type = size == levels.least_group and bool(levels.is_default[at].all())
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
        What happens to the table, in a few plain words.
    parameters
        The parameters to set; all others keep their default or follow the privacy levels.
    """

    words: Sentence
    parameters: Mapping[str, object] = field(default_factory=dict)


def least_group(table: Table) -> int:
    """Return the smallest group size that any record's privacy level demands, but at least 2.

    It is 2 for a table without privacy levels or without records.
    """
    return max(int(table.levels.of("group").min(initial=10**9)), 2) if table.levels is not None and table.rows else 2


def strictest_group(table: Table) -> int:
    """Return the largest group size that any record's privacy level demands, but at least 2.

    2 without privacy levels.
    """
    return max(int(table.levels.of("group").max(initial=2)), 2) if table.levels is not None else 2


def suggest_groups(
    table: Table, label: Callable[[int], Sentence], parameter: str, more: Mapping[str, object] | None = None
) -> tuple[Suggestion, ...]:
    """Return two suggestions: groups as large as the privacy levels demand, and groups of four times the least demand.

    The first suggestion sets no size, because the levels decide it. The label of the second names no size below the
    largest demand.

    Parameters
    ----------
    table
        The table to be treated.
    label
        Function from a group size to a sentence about what happens to the table.
    parameter
        Name of the parameter that sets the smallest group size.
    more
        Parameters that both suggestions set, if any.
    """
    strictest, large, more = strictest_group(table), 4 * least_group(table), more or {}
    return Suggestion(label(strictest), more), Suggestion(label(max(large, strictest)), {parameter: large, **more})


# --- step ---------------------------------------------------------------------------------

GuaranteeKind = Literal["file", "file+original", "run"]


@dataclass(frozen=True)
class Settings:
    """The columns that a step treats, and all its parameters.

    Attributes
    ----------
    columns
        Names of the columns, in the order in which they are treated.
    values
        The value of every parameter by name, defaults filled in.
    written
        Names of the parameters that the recipe wrote.
    """

    columns: tuple[str, ...]
    values: Mapping[str, Any]
    written: frozenset[str] = frozenset()

    def demanded(self, parameter: str, key: str, levels: RecordLevels) -> list[float]:
        """Return the value of a parameter that each privacy level demands, in the order of ``levels``.

        If the recipe does not write the parameter as a number, each level has its own demand. Otherwise the weakest of
        all levels (rank 0) takes exactly the written number, even if its own demand is stricter. The other levels, also
        the weakest in use if it is not that one, take the stricter of this number and their own demand: the smaller for
        ``intervals``, otherwise the larger. A level's selection noise ``"uniform"`` counts as infinite.

        Parameters
        ----------
        parameter
            Name of a parameter of which privacy levels may demand more.
        key
            Name of the demand in a level: ``group``, ``swap``, ``intervals`` or ``selection_noise``.
        levels
            The privacy levels in use.
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

        A size written in the recipe replaces the demand of a privacy level that nobody chose, but is not below the
        minimum of the release type. Where the level was chosen, it can only raise the demand: with 5 written, a demand
        of 10 becomes 5 if nobody chose the level, and stays 10 if somebody did. Without a written size, each record
        demands what its level does. No size is below ``least``.

        Parameters
        ----------
        parameter
            Name of the parameter with the group size, in records.
        levels
            The privacy level of each record.
        least
            The smallest group that the method can make.
        """
        groups = np.maximum(levels.of("group").astype(np.int64), least)
        if parameter not in self.written:
            return groups
        written = int(self.values[parameter])
        return np.where(levels.is_default, max(written, levels.least_group, least), np.maximum(groups, written))

    def group_note(self, parameter: str, used: int) -> tuple[Note, ...]:
        """Return a note that a group larger than in the recipe is used, if this is so; otherwise ().

        Parameters
        ----------
        parameter
            Name of the parameter with the group size.
        used
            The group size that is used.
        """
        if parameter not in self.written or used <= int(self.values[parameter]):
            return ()
        return (Note("note.step.group-raised", {"asked": int(self.values[parameter]), "used": used}),)

    def group_detail(self, parameter: str, used: int) -> dict[str, int]:
        """Return the group size in the recipe and the used one as ``asked`` and ``used``.

        Empty if the recipe has none.
        """
        return {"asked": int(self.values[parameter]), "used": used} if parameter in self.written else {}


@dataclass(frozen=True)
class Proposal:
    """Parameters that a method proposes because they suit a table better, with the reason."""

    reason: Note
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Guarantee:
    """The promise of a step, and the result of checking it by counting.

    Attributes
    ----------
    kind
        Who can check it: ``file`` (anyone who has the file), ``file+original`` (the owner) or ``run`` (only with the
        key and the input).
    holds
        Whether the count confirmed the promise.
    checked
        Number of records that were counted.
    worst
        The figure that comes nearest to breaking the promise, or breaks it most.
    """

    kind: GuaranteeKind
    holds: bool
    checked: int
    worst: float | None = None


@dataclass(frozen=True)
class LevelProof:
    """How far a step meets the demand of one privacy level for the records of one column.

    Attributes
    ----------
    level
        Name of the privacy level.
    column
        The protected column.
    records, covered, not_covered
        Numbers of records of the level: all, those that the step protects, and the others.
    demanded, least_achieved
        The demand, and the worst value achieved for a covered record, in the step's own unit.
    worst_row
        Row number in the source (from 1) of the worst record; for the internal report only.
    met
        Whether the demand is met for every covered record.
    privacy_loss
        What a reader of the release learns about a value, 1 - 2^(-I) with I in bits; None where the step does not
        measure it.
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
class CategoryChances:
    """The probabilities with which one column's categories change, averaged over all people.

    Attributes
    ----------
    redrawn
        Probability that a value is replaced by a random draw.
    shares
        Probability of each category in such a draw, float64, shape (categories,).
    """

    redrawn: float
    shares: Floats


@dataclass(frozen=True, eq=False)
class Protection:
    """The records of a column that a step protects, and how it protects them.

    Attributes
    ----------
    column
        The protected column.
    manner
        ``randomised`` (the key decided whether a value changed), ``grouped`` (the value is shared by a group of the
        demanded size, because it is generalised, rounded, averaged, artificial or left out) or ``noise`` (noise was
        added, or dates were shifted).
    protected
        bool, shape (records,): whether the step meets the demand of the record's privacy level.
    treatment
        int64, shape (records,): the same number for records that an intruder can tell apart only by their released
        value (one number for each privacy level); -1 where nothing was chosen.
    traceable
        Whether an intruder can recompute which value was chosen (where ``selection_noise`` is 0).
    """

    column: str
    manner: Literal["randomised", "grouped", "noise"]
    protected: Bools
    treatment: Ints
    traceable: bool = False


@dataclass(frozen=True, eq=False)
class Recount:
    """Whether a step's promise holds, and how far each privacy level is met, counted from the tables."""

    guarantee: Guarantee
    levels: tuple[LevelProof, ...]


@dataclass(frozen=True, eq=False)
class StepResult:
    """The output table of a step, and the record of what the step did.

    Attributes
    ----------
    table
        The new table; it shares unchanged columns with the input.
    protections
        One or more entries for each protected column.
    detail
        The method's own figures as plain data (contract, section 5, ``steps[].detail``).
    notes
        Sentences for the report, by text id.
    row_groups
        int64, shape (records,): where the step generated records by groups, the group from which each new record was
        made. The new record in a row is not made from the old record in that row. Kept in memory only, never written.
    in_memory
        What the method needs again until the export (in ``recount_run`` and ``internal_files``) and cannot compute from
        the tables; in memory only.
    reached
        Parameters whose final value differs from the recipe, because a person ended a search early
        (``Parameter.stops_early``) or the run found the value (``computed_by_run``). They are written into the recipe,
        which then makes the same release again.
    copied
        int64, shape (records,): the index of the input record that each output record copies, where the step chose
        records and repeated some. Kept in memory only, never written.
    """

    table: Table
    protections: tuple[Protection, ...]
    detail: Mapping[str, Any]
    notes: tuple[Note, ...] = ()
    row_groups: Ints | None = None
    in_memory: object | None = None
    reached: Mapping[str, Any] = field(default_factory=dict)
    copied: Ints | None = None
