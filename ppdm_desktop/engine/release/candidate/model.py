"""The prepared input and the candidate release, which the pipeline makes and everything after it reads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.profiles import Mode
from ppdm_desktop.engine.methods.base.step import Recount, Settings, StepResult
from ppdm_desktop.engine.methods.base.used import Used
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, PSEUDONYM, RELEASED_ROLES, Recipe
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.reading import ImportLog
from ppdm_desktop.engine.table.within_person import MadeSame
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
