"""What the pipeline makes and everything after it reads: the prepared input and the candidate."""

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
    """An input read, described by a recipe, before anything is drawn.

    Attributes
    ----------
    path
        The source file.
    account
        What was read and what was not.
    recipe
        The recipe as written.
    complete
        The same with every guess filled in; read again it gives the same effective recipe.
    read
        Every row of the source as read, with roles and kinds.
    reduced
        Whose row each of ``read`` is, where the rows of each person became one; else None. Where people keep several
        rows, the tables say whose they are.
    original
        All columns of the source with roles, kinds and levels, one row a person where they were reduced; no bins.
    table
        The same with bins applied: the input of the first step.
    level_map
        The named levels as the recipe has them, before any lift.
    type
        The release type whose thresholds hold (``assess`` uses research where none is given).
    effective
        Canonical effective recipe as plain data, and
    recipe_sha256
        its digest.
    draws_sha256
        The digest that enters every random stream: of the same without the lengths of searches
        that can be ended early.
    notes
        What was lifted or assumed, by text id.
    made_same
        What the recipe made the same in all rows of a person.
    of_source
        What was worked out from the source alone, by name: it holds for every chain of steps and is kept for the next.
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
        """Whether each row is a group of people, so that nobody can be looked for in it."""
        return self.recipe.input.rows == "groups"


@dataclass(frozen=True, eq=False)
class StepRecord:
    """One step as it ran.

    Attributes
    ----------
    index
        1-based place among all steps of the recipe.
    before
        The step's input, as left by the step before.
    warnings
        What the method's check had to say.
    recount
        The guarantee, counted from the tables.
    seconds
        Wall time of the run.
    drawn
        Whether anything was drawn from the key: another key gives the same table where nothing was.
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
        """The values used for the parameters that the recipe leaves to levels, columns or the program."""
        return self.method.used(self.before, self.settings, self.result.detail)

    @cached_property
    def idle(self) -> frozenset[str]:
        """The parameters that had no effect."""
        return self.method.idle(self.before, self.settings)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A protected table ready to be judged and exported; nothing is drawn again.

    Attributes
    ----------
    final
        The table the last step left, in source order, all columns, categories where binned.
        After a step that generates records by groups, row numbers and levels are those of the
        source rows, and the row's values are an artificial record of that row's group.
    released
        What a recipient gets: released columns only, numbers drawn where ``release = "draw"``,
        rows in release order, every cell as the text that will be written (before the guard).
    row_order
        int64: released row j is row ``row_order[j]`` of ``final``. Never written anywhere.
    streams
        The candidate's random streams (step 0).
    judged_linked
        Whether a person's rows count as linked, where the order that the rows stand in does not say it: the original
        keeps its own, and is held against releases by the measure that judges them. None everywhere else.
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

    @property
    def several(self) -> People | None:
        """The person of each row of ``final`` where anyone has several; None where a row is a person or synthetic."""
        return self.final.several if self.rows_correspond else None

    @property
    def persons(self) -> People:
        """The person of each row of ``final``; each row is a person where nobody has several or rows are synthetic."""
        return self.several or People.identity(self.final.rows)

    @property
    def is_shuffled(self) -> bool:
        """Whether the released rows stand in an order drawn by the key; artificial rows always do."""
        return self.prepared.recipe.release.shuffle_rows or not self.rows_correspond

    @property
    def links_rows(self) -> bool:
        """Whether the release lets an intruder put a person's rows together: by a code, or by their order."""
        if self.final.several is None:
            return False
        coded = self.judged_linked is None and bool(self.released.with_role(PSEUDONYM))
        return self.keeps_order or coded

    @property
    def keeps_order(self) -> bool:
        """Whether the rows of a person stand in the order of the source, as far as it judges."""
        return not self.is_shuffled if self.judged_linked is None else self.judged_linked

    @property
    def released_names(self) -> tuple[str, ...]:
        """Names of the released columns, in file order."""
        return tuple(column.name for column in self.final.columns if column.role in RELEASED_ROLES)

    @property
    def described_names(self) -> tuple[str, ...]:
        """Names of the released columns that say something of people: all but codes in place of identifiers."""
        return tuple(column.name for column in self.final.columns if column.role in ATTRIBUTE_ROLES)
