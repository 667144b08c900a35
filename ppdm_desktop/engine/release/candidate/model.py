"""The prepared input and the candidate release, which the pipeline makes and everything after it reads.

The released columns before and after the steps, and which rows correspond.

The treatment of each column in the terms of ISO/IEC 20889, and the methods that can be undone without a key.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints, places_among
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.step import Mode, Recount, Settings, StepResult, Used
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, PSEUDONYM, RELEASED_ROLES, Recipe
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.report.public import GROUPED, LEFT_OUT, NO_TREATMENT, column_note
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.reading import ImportLog
from ppdm_desktop.engine.table.within_person import MadeSame
from ppdm_desktop.engine.wording.catalogue import SOURCE, speaking
from ppdm_desktop.engine.wording.texts import Note


@dataclass(frozen=True, eq=False)
class Prepared:
    """An input read and described by a recipe, before anything is drawn.

    Attributes
    ----------
    path
        The source file.
    account
        The account of the rows read and the rows that could not be read.
    recipe
        The recipe as written.
    complete
        The recipe with every guess filled in; reading it again leads to the same effective recipe.
    read
        Every row of the source as read, with roles and kinds.
    reduced
        The person of each row of ``read``, where the rows of each person were reduced to one; else None. Where people
        keep several rows, ``original`` and ``table`` hold the person of each row.
    original
        All columns of the source with roles, kinds and levels, one row a person where they were reduced; no bins.
    table
        ``original`` with bins applied: the input of the first step.
    level_map
        The named levels as written in the recipe, before any was raised to the release type's minimum.
    type
        The release type whose thresholds hold (``assess`` uses research where none is given).
    effective
        Canonical effective recipe as plain data.
    recipe_sha256
        SHA-256 of ``effective``.
    draws_sha256
        SHA-256 that enters every random stream: of ``effective`` without the lengths of searches that can be stopped
        early.
    notes
        Notes on raised levels and on assumptions.
    made_same
        Columns whose values were made equal in all rows of a person, as the recipe asks.
    of_source
        Cache of results that depend on the source alone, by name; shared by all chains of steps.
    """

    path: Path
    account: ImportLog
    recipe: Recipe
    complete: Recipe
    read: Table
    reduced: People | None
    original: Table
    table: Table
    level_map: LevelMap
    type: ReleaseType
    effective: Mapping[str, Any]
    recipe_sha256: str
    draws_sha256: str
    notes: tuple[Note, ...] = ()
    made_same: tuple[MadeSame, ...] = ()
    of_source: dict[object, Any] = field(default_factory=dict, repr=False)

    @property
    def rows_are_groups(self) -> bool:
        """Whether each row stands for a group of people, so that no single person can be found in it."""
        return self.recipe.input.rows == "groups"


@dataclass(frozen=True, eq=False)
class StepRecord:
    """One step after it ran.

    Attributes
    ----------
    index
        1-based position among all steps of the recipe.
    before
        The table that the step received.
    warnings
        Notes of the method's check of its input.
    recount
        The method's guarantee, counted from the tables before and after.
    seconds
        Wall time of the run.
    drawn
        Whether random numbers were drawn; otherwise every key leads to the same table.
    """

    index: int
    method: Method
    settings: Settings
    before: Table
    result: StepResult
    warnings: tuple[Note, ...]
    recount: Recount
    seconds: float
    drawn: bool = True

    @property
    def mode(self) -> Mode:
        """``paper`` or ``safe`` where all effective parameters are those of that profile, else ``own``."""
        return self.method.mode(self.settings)

    @cached_property
    def used(self) -> tuple[Used, ...]:
        """The values of parameters that the recipe leaves to levels, columns or the program."""
        return self.method.used(self.before, self.settings, self.result.detail)

    @cached_property
    def idle(self) -> frozenset[str]:
        """Names of the parameters that had no effect in this run."""
        return self.method.idle(self.before, self.settings)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A protected table, ready to be judged and exported; nothing more is drawn at random.

    Attributes
    ----------
    final
        The table after the last step: all columns, rows in source order, categories where binned. After a step that
        generates records by groups, row numbers and levels are those of the source rows, and the values are a
        synthetic record of that row's group.
    released
        The table for the recipient: released columns only, numbers drawn where ``release = "draw"``, rows in release
        order, every cell as the text to be written (before the formula guard).
    row_order
        int64: released row j is row ``row_order[j]`` of ``final``. Never written anywhere.
    streams
        The candidate's random streams (step 0).
    judged_linked
        For the untouched original only: whether a person's rows count as linked, so that it is compared with a release
        by the same measure; else None.
    """

    prepared: Prepared
    key: Key
    streams: StepStream
    steps: tuple[StepRecord, ...]
    final: Table
    released: Table
    row_order: Ints
    judged_linked: bool | None = None

    @property
    def rows_correspond(self) -> bool:
        """Whether each row of ``final`` is one source row (no step made groups or new rows)."""
        return all(step.method.correspondence == "record" for step in self.steps)

    def keeps_rows_after(self, step: StepRecord) -> bool:
        """Return whether every step after this one kept each row as the same person's record."""
        return all(later.method.correspondence == "record" for later in self.steps if later.index > step.index)

    @property
    def several(self) -> People | None:
        """The person of each row of ``final`` where some have several rows.

        None where each row is a person or synthetic.
        """
        return self.final.several if self.rows_correspond else None

    @property
    def persons(self) -> People:
        """The person of each row of ``final``.

        Each row is its own person where nobody has several or rows are synthetic.
        """
        return self.several or People.identity(self.final.rows)

    @property
    def is_shuffled(self) -> bool:
        """Whether the released rows are in a random order drawn by the key; synthetic rows always are."""
        return self.prepared.recipe.release.shuffle_rows or not self.rows_correspond

    @property
    def links_rows(self) -> bool:
        """Whether an intruder can link a person's released rows, by a code or by their order."""
        if self.final.several is None:
            return False
        coded = self.judged_linked is None and bool(self.released.with_role(PSEUDONYM))
        return self.keeps_order or coded

    @property
    def keeps_order(self) -> bool:
        """Whether the rows of each person are judged as being in source order."""
        return not self.is_shuffled if self.judged_linked is None else self.judged_linked

    @property
    def released_names(self) -> tuple[str, ...]:
        """Names of the released columns, in file order."""
        return tuple(column.name for column in self.final.columns if column.role in RELEASED_ROLES)

    @property
    def described_names(self) -> tuple[str, ...]:
        """Names of the released columns that describe people: all but codes in place of identifiers."""
        return tuple(column.name for column in self.final.columns if column.role in ATTRIBUTE_ROLES)


# --- column pairing -----------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Compared:
    """The released columns before the steps and as released.

    Attributes
    ----------
    before
        The columns before the first step, all source rows. Bins are applied, except where numbers are drawn inside
        them. Where a step writes the same ranges for everybody, the values are put into these ranges, so that a range
        is compared with itself.
    after
        The columns as released, rows in the order of the candidate's ``final``.
    twins
        int64, shape (source rows,): the row of ``after`` that is this source row, -1 where it
        was removed; None where released rows are not source rows.
    """

    before: tuple[Column, ...]
    after: tuple[Column, ...]
    twins: Ints | None

    def kept(self) -> tuple[tuple[Column, ...], tuple[Column, ...]] | None:
        """Return the columns before and after with corresponding rows in one order.

        None where rows do not correspond.
        """
        if self.twins is None:
            return None
        there = np.flatnonzero(self.twins >= 0)
        twins = self.twins[there]
        return tuple(column.take(there) for column in self.before), tuple(column.take(twins) for column in self.after)


def compared(candidate: Candidate) -> Compared:
    """Return a candidate's released columns with their source versions."""
    prepared, final, released = candidate.prepared, candidate.final, candidate.released
    positions = np.empty(len(candidate.row_order), dtype=np.int64)
    positions[candidate.row_order] = np.arange(len(candidate.row_order))
    before, after = [], []
    for name in candidate.described_names:
        progress.check()
        drawn = is_drawn(candidate, name)
        before.append(prepared.original.column(name) if drawn else _recoded(candidate, name))
        after.append(released.column(name).take(positions) if drawn else final.column(name))
    twins = None
    if candidate.rows_correspond:
        numbers = prepared.table.row_numbers
        twins = np.full(len(numbers), -1, dtype=np.int64)
        twins[places_among(numbers, final.row_numbers)] = np.arange(final.rows)
    return Compared(tuple(before), tuple(after), twins)


def _recoded(candidate: Candidate, name: str) -> Column:
    """Return a column before the first step, mapped to its ranges by the first step that coarsened it, if one did."""
    column = candidate.prepared.table.column(name)
    for step in candidate.steps:
        if name not in step.settings.columns:
            continue
        if step.before.column(name) is not column:
            break
        recoded_column = step.method.recoded(step.before, step.settings, step.result).column(name)
        if recoded_column is not column:
            return recoded_column
    return column


def is_drawn(candidate: Candidate, name: str) -> bool:
    """Return whether a column releases numbers drawn at random inside its bins."""
    return candidate.released.column(name).kind == "numeric" and candidate.final.column(name).kind != "numeric"


# --- iso20889 -----------------------------------------------------------------------------

_REMOVED = "suppression"
"""How the treatment of a method begins that leaves what it does not remove as it is."""


@runtime_checkable
class PubliclyReversible(Protocol):
    """Protocol of a method that anyone can undo without a key."""

    def undo(self, column: Column, settings: Settings) -> Column | None:
        """Return the column before the method; None where these settings cannot be undone."""


def treatments(candidate: Candidate) -> dict[str, str]:
    """Return for each source column the ISO/IEC 20889 terms of its bins and steps, in English in every language."""
    with speaking(SOURCE):
        return treatments_said(candidate)


def treatment_code(method: Method) -> str:
    """Return the ISO/IEC 20889 term for a method, in English in every language."""
    with speaking(SOURCE):
        return str(method.treatment)


def treatments_said(candidate: Candidate) -> dict[str, str]:
    """Return for each source column its treatment in the current language."""
    techniques: dict[str, list[str]] = {}
    columns = candidate.prepared.complete.columns
    for name in candidate.prepared.original.names:
        section = columns.get(name)
        binned = section is not None and section.bins is not None
        techniques[name] = [str(GROUPED)] if binned else []
    for step in candidate.steps:
        for name in protected_by(candidate, step.index):
            techniques[name].append(str(step.method.treatment))
    released = candidate.released_names
    return {
        name: ("; ".join(dict.fromkeys(columns_treated)) or str(NO_TREATMENT)) if name in released else str(LEFT_OUT)
        for name, columns_treated in techniques.items()
    }


def column_notes(candidate: Candidate) -> dict[str, str]:
    """Return for each released column what a recipient is told about its values, in the current language."""
    columns, steps = candidate.prepared.complete.columns, candidate.steps
    treated = {step.index: frozenset(protected_by(candidate, step.index)) for step in steps}
    notes = {}
    for column in candidate.released.columns:
        column_steps, section = [step for step in steps if column.name in treated[step.index]], columns.get(column.name)
        notes[column.name] = column_note(
            column,
            binned=section is not None and section.bins is not None,
            steps=[step.method.values_note(step.settings) for step in column_steps],
            removed=all(treatment_code(step.method).startswith(_REMOVED) for step in column_steps),
        )
    return notes


def protected_by(candidate: Candidate, index: int) -> list[str]:
    """Return the names of the columns that one step treated, in file order."""
    step = next(step for step in candidate.steps if step.index == index)
    treated = {protection.column for protection in step.result.protections} | set(step.settings.columns)
    return [name for name in candidate.final.names if name in treated]
