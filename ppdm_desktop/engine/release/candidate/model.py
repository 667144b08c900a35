"""The prepared input and the candidate release, which the pipeline makes and everything after it reads.

The module also pairs released columns with their source versions, names each column's treatment in the terms of ISO/IEC
20889, and builds the effective recipe: all decisions written out once guesses, defaults and raised privacy levels are
filled in. Its canonical form enters every random stream, so that the same key with another decision draws other numbers
(contract, section 1). Left out is what changes no draw: accepted reasons, the input's hash, operator texts, answers to
papers and all of ``[release]``.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints, find_row_positions
from ppdm_desktop.engine.methods.algorithms.swapping.recount import same_values
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.step import Mode, Recount, Settings, StepResult, Used
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import (
    ATTRIBUTE_ROLES,
    JUDGING_LEVEL_KEYS,
    PSEUDONYM,
    RELEASED_ROLES,
    ColumnSection,
    InputSection,
    Recipe,
)
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.report.public.columns import GROUPED, LEFT_OUT, NO_TREATMENT, column_note
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.reading import ImportLog
from ppdm_desktop.engine.table.within_person import MadeSame
from ppdm_desktop.engine.utility.whole_table import Compared
from ppdm_desktop.engine.wording.catalogue import SOURCE, Sentence, speak_language
from ppdm_desktop.engine.wording.texts import Note

# --- effective ----------------------------------------------------------------------------

JUDGING_KEYS = ("tolerance", "measured", "common_is_secret", "texts_read", "detail")
"""Keys of a column by which releases are only judged or planned: they change no random draw."""

GROUP_KEYS = ("rows", "people_count", "least_count", "largest")
"""Keys of the input that say how many people each row stands for, if it is a group of people."""

JUDGING_INPUT_KEYS = ("sha256", "quota", "columns_are_people", *GROUP_KEYS)
"""Keys of the input by which releases are only judged or planned: they change no random draw."""

ANSWER_KEYS = ("one_row_per_person", "quota")
"""Keys of the input that say who the rows are; existing versions are judged again when they change."""

IMPORT_KEYS = (
    *("last_row", "names", "leave_out", "people", "repair", "readings", "dictionary"),
    *("household", "order_by", "reduce"),
)
"""Keys of the input that stay out of the effective recipe if they are empty."""


def complete_recipe(recipe: Recipe, options: InputSection, table: Table, input_sha256: str) -> Recipe:
    """Return the recipe with every guess about the input and its columns written out.

    ``columns."*"``, the section for all other columns, is replaced by the columns it stands for. A column without a
    role, or without a section of the recipe on it, is left out, so that the release check on undecided columns still
    finds it.

    Parameters
    ----------
    recipe
        The recipe as written.
    options
        How the file was read (separator, decimal mark and so on), all guesses filled in.
    table
        The table as read, whose roles, kinds and hierarchies are written into the columns' sections.
    input_sha256
        SHA-256 of the file.
    """
    columns = {}
    for column in table.columns:
        decided = recipe.columns.get(column.name) or recipe.columns.get("*")
        if decided is None or column.role is None:
            continue
        section = {**decided.model_dump(), "role": column.role, "kind": column.kind}
        if column.hierarchy is not None:
            section["hierarchy_sha256"] = column.hierarchy.sha256
        columns[column.name] = ColumnSection.model_validate(section)
    filled = {
        **options.model_dump(),
        "person": recipe.input.person,
        "household": recipe.input.household,
        "repair": recipe.input.model_dump()["repair"],
        "one_row_per_person": recipe.input.one_row_per_person,
        **{key: getattr(recipe.input, key) for key in JUDGING_INPUT_KEYS},
        "order_by": recipe.input.order_by,
        "reduce": recipe.input.reduce.model_dump() if recipe.input.reduce is not None else None,
        "sha256": input_sha256,
    }
    return recipe.model_copy(update={"columns": columns, "input": InputSection.model_validate(filled)})


def _drop_judging_keys(document: dict[str, Any]) -> None:
    """Remove from a recipe document, in place, the keys that change no random draw.

    Keys and sections added in later versions of the program, such as repairs, are removed only if empty or at their
    default.
    """
    # Which plug-ins may take part moves no draw: the methods that do are named with the steps.
    for key in ("accept", "dossier", "operator", "population", "release", "plugins"):
        del document[key]
    for key in JUDGING_INPUT_KEYS:
        del document["input"][key]
    for key in IMPORT_KEYS:
        if not document["input"][key]:
            del document["input"][key]
    for section in document["input"].get("repair", {}).values():
        if section["within_person"] is None:
            del section["within_person"]
    for section in document["columns"].values():
        for key in JUDGING_KEYS:
            del section[key]
        if section["hierarchy_sha256"] is None:
            del section["hierarchy_sha256"]
        if not section["not_negative"]:
            del section["not_negative"]


def effective_document(
    complete: Recipe,
    levels: LevelMap,
    least_group: int,
    steps: Sequence[tuple[int, Method, Settings]],
    targets: Sequence[str],
) -> dict[str, Any]:
    """Return the effective recipe, with all decisions written out, as plain data.

    Left out is what changes no random draw: the sections on the release, the operator, the dossier, the population and
    plug-ins, accepted reasons, the file's hash, answers and tolerances by which releases are only judged, rules that no
    step keeps, and what is empty.

    Parameters
    ----------
    complete
        The recipe returned by ``complete_recipe``.
    levels
        The named privacy levels, group sizes as written.
    least_group
        The release type's k_min, to which every level's ``group`` is raised.
    steps
        (number among the enabled steps, from 1; method; settings) of each step that runs.
    targets
        Columns that learners predict when usefulness is measured.
    """
    document = complete.model_dump(mode="json", by_alias=True)
    _drop_judging_keys(document)
    document["privacy"]["levels"] = {
        level.name: {key: value for key, value in asdict(level.demand).items() if key not in JUDGING_LEVEL_KEYS}
        for level in levels.named
    }
    if not document["rules"] or not any(method.keeps_rules for _, method, _ in steps):
        del document["rules"]
    if not document["privacy"]["words"]:
        del document["privacy"]["words"]
    document["privacy"]["least_group"] = least_group
    document["utility"]["targets"] = list(targets)
    for key in ("learn_from", "models"):  # what is measured draws nothing
        del document["utility"][key]
    document["steps"] = [
        {
            "place": index,
            "method": method.id,
            "columns": list(settings.columns),
            "parameters": dict(settings.values),
            "written": sorted(settings.written),
        }
        for index, method, settings in steps
    ]
    return document


def drawn_document(document: Mapping[str, Any], steps: Sequence[tuple[int, Method, Settings]]) -> dict[str, Any]:
    """Return the part of the effective recipe (``document``) that random draws depend on.

    - Lengths of searches that a person may stop early are left out: the length reached is not known when the first
      number is drawn, and a recipe that states it afterwards must draw the same numbers.
    - Left out, too, are values that only the run computes, and unwritten parameters that change draws only if they are
      written.
    - The owner's answer whether each row is another person does not matter: it is set to True, or to False if the
      recipe names columns that identify persons.
    """
    lengths = {
        index: {
            parameter.name
            for parameter in method.parameters
            if not parameter.moves_draws or (parameter.silent_unless_written and parameter.name not in settings.written)
        }
        for index, method, settings in steps
    }
    drawn = [
        {
            **step,
            "parameters": {name: value for name, value in step["parameters"].items() if name not in length},
            "written": [name for name in step["written"] if name not in length],
        }
        for step, length in ((step, lengths[step["place"]]) for step in document["steps"])
    ]
    input_document = {**document["input"], "one_row_per_person": document["input"]["person"] is None}
    return {**document, "input": input_document, "steps": drawn}


def answers_of(recipe: Recipe) -> tuple[object, ...]:
    """Return the owner's answers that decide how a release is judged but change no released value, in a fixed order.

    They are those on the agreement with the recipient, on the population, and on who the rows are (``ANSWER_KEYS``).
    """
    return recipe.release.agreement, recipe.population, *(getattr(recipe.input, key) for key in ANSWER_KEYS)


def copy_answers(recipe: Recipe, answered: Recipe) -> Recipe:
    """Return a copy of a recipe with the answers that ``answered`` gives on how a release is judged.

    They are those on who the rows are, on the population, and on the agreement with the recipient.
    """
    return recipe.model_copy(
        update={
            "input": recipe.input.model_copy(update={key: getattr(answered.input, key) for key in ANSWER_KEYS}),
            "release": recipe.release.model_copy(update={"agreement": answered.release.agreement}),
            "population": answered.population,
        }
    )


def copy_marks(recipe: Recipe, marked: Recipe) -> Recipe:
    """Return a copy of a recipe with the marks that ``marked`` gives columns (must stay detailed, may lose detail).

    Columns that ``marked`` lacks keep their marks.
    """
    columns = {
        name: section.model_copy(update={"detail": marked.columns[name].detail}) if name in marked.columns else section
        for name, section in recipe.columns.items()
    }
    return recipe.model_copy(update={"columns": columns})


def _to_plain_data(value: Any) -> Any:
    """Return data with dicts (keys as texts), lists for tuples, and whole floats below 2**53 as integers.

    Other values are unchanged.
    """
    if isinstance(value, Mapping):
        return {str(key): _to_plain_data(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_to_plain_data(item) for item in value]
    if isinstance(value, float) and value.is_integer() and abs(value) < 2**53:
        return int(value)
    return value


def to_canonical_json(document: Mapping[str, Any]) -> bytes:
    """Return data as canonical JSON: sorted keys, whole numbers without a decimal point, UTF-8."""
    text = json.dumps(_to_plain_data(document), sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8")


def hash_document(document: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a document's canonical JSON, as 64 hexadecimal digits."""
    return hashlib.sha256(to_canonical_json(document)).hexdigest()


# --- model --------------------------------------------------------------------------------

_NOTHING_DECIDED = ColumnSection(role="left-out")


@dataclass(frozen=True, eq=False)
class Prepared:
    """An input read and described by a recipe, before anything is drawn at random.

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
        The rows of the source without those that the recipe leaves out, with roles and kinds. Values are as read, but
        equal in all rows of a person in the columns of ``made_same``.
    reduced
        The person of each row of ``read``, if the rows of each person were reduced to one; else None. If people keep
        several rows, ``original`` and ``table`` hold the person of each row.
    original
        All columns of ``read`` with privacy levels, one row a person if they were reduced (with a column of their
        numbers of rows, if asked for); no bins.
    table
        ``original`` with bins applied: the input of the first step.
    level_map
        The named privacy levels as written in the recipe, before any was raised to the release type's minimum.
    type
        The release type whose thresholds hold (``assess`` uses research if none is given).
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
        Cache of results that depend on the source alone, by name; shared by all lists of steps.
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

    def column_section(self, name: str) -> ColumnSection:
        """Return what the recipe decides on a column; a section of nothing but a role where it decides nothing."""
        return self.complete.columns.get(name, _NOTHING_DECIDED)

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
        1-based position among the enabled steps of the recipe.
    method, settings
        The step's method, and its settings.
    before, result
        The table that the step received, and what the method returned.
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
        """``paper`` or ``safe`` if all effective parameters are those of that profile, else ``own``."""
        return self.method.mode(self.settings)

    @cached_property
    def used(self) -> tuple[Used, ...]:
        """The values used for parameters that privacy levels, columns or the program can decide (see `Method.used`)."""
        return self.method.used(self.before, self.settings, self.result.detail)

    @cached_property
    def unchanged_columns(self) -> frozenset[str]:
        """Names of the step's columns in which no cell changed; none where chance decided or records are new.

        Rows that the step removed do not count.
        """
        before, after = self.before, self.result.table
        if self.drawn or self.method.correspondence != "record":
            return frozenset()
        rows = find_row_positions(before.row_numbers, after.row_numbers)
        names = [name for name in self.settings.columns if name in before and name in after]
        return frozenset(
            name for name in names if same_values(before.column(name).take(rows), after.column(name)).all()
        )

    @cached_property
    def ineffective_parameters(self) -> frozenset[str]:
        """Names of the parameters that had no effect in this run."""
        return self.method.ineffective_parameters(self.before, self.settings)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A protected table, ready to be judged and exported; nothing more is drawn at random.

    Attributes
    ----------
    final
        The table after the last step: all columns, rows in source order, categories if binned. After a step that
        generates records by groups, row numbers and privacy levels are those of the source rows, and the values are a
        synthetic record of that row's group.
    released
        The table for the recipient: released columns only, numbers drawn if ``release = "draw"``, rows in release
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
        """Whether each row of ``final`` is one source row; False if some step made groups or synthetic rows."""
        return all(step.method.correspondence == "record" for step in self.steps)

    def keeps_rows_after(self, step: StepRecord) -> bool:
        """Return whether every step after ``step`` kept each row as the same person's record."""
        return all(
            later_step.method.correspondence == "record" for later_step in self.steps if later_step.index > step.index
        )

    @cached_property
    def persons(self) -> People:
        """The person of each row of ``final``.

        Each row is its own person if nobody has several, or if a step made groups or synthetic rows.
        """
        return self.final.persons if self.rows_correspond else People.identity(self.final.rows)

    @cached_property
    def source_rows(self) -> Ints:
        """For each row of ``final``, the index of the row of ``prepared.table`` it comes from; shape (rows,)."""
        return find_row_positions(self.prepared.table.row_numbers, self.final.row_numbers)

    @cached_property
    def row_in_file(self) -> Ints:
        """Position in the file, from 0, of each row of ``final``, shape (rows,)."""
        positions = np.empty(len(self.row_order), dtype=np.int64)
        positions[self.row_order] = np.arange(len(self.row_order))
        return positions

    def rows_in(self, table: Table) -> Ints:
        """Return for each row of ``final`` the index of its row in a step's table, found by row number, int64.

        Where the table lacks a row, the index is that of another row.
        """
        order = np.argsort(table.row_numbers, kind="stable")
        positions = np.searchsorted(table.row_numbers[order], self.final.row_numbers)
        return np.asarray(order[np.minimum(positions, len(order) - 1)], dtype=np.int64)

    @property
    def is_shuffled(self) -> bool:
        """Whether the released rows are in a random order drawn by the key; synthetic rows always are."""
        return self.prepared.recipe.release.shuffle_rows or not self.rows_correspond

    @property
    def links_rows(self) -> bool:
        """Whether an intruder can link a person's released rows, by a code or by their order.

        False if nobody has several rows. If ``judged_linked`` is set, it decides alone, and codes do not count.
        """
        if not self.final.persons.with_several:
            return False
        coded = self.judged_linked is None and bool(self.released.with_role(PSEUDONYM))
        return self.keeps_order or coded

    @property
    def keeps_order(self) -> bool:
        """Whether the rows of each person count as being in source order, so that they can be linked by position.

        It is ``judged_linked`` if that is not None, else True unless rows are shuffled.
        """
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


def match_source_columns(candidate: Candidate) -> Compared:
    """Return a candidate's released columns with their source versions, which rows correspond, and what was treated.

    Codes in place of identifiers are left out. Source columns have all source rows; released columns are in the order
    of ``final``. Columns of numbers drawn inside bins are compared as numbers; others as the steps received them,
    mapped to ranges or categories where a step made such of them. Rows correspond (``twins``) unless some step made
    groups or synthetic rows; then ``twins`` is None. Otherwise it has for each source row the index of its row in
    ``final``, -1 if that was removed. Treated are columns that a step names or protected, or whose numbers were drawn.
    """
    prepared, final, released = candidate.prepared, candidate.final, candidate.released
    before, after = [], []
    for name in candidate.described_names:
        progress.check()
        drawn = is_drawn(candidate, name)
        before.append(prepared.original.column(name) if drawn else _map_to_ranges(candidate, name))
        after.append(released.column(name).take(candidate.row_in_file) if drawn else final.column(name))
    twins = None
    if candidate.rows_correspond:
        twins = np.full(prepared.table.rows, -1, dtype=np.int64)
        twins[candidate.source_rows] = np.arange(final.rows)
    treated = {name for step in candidate.steps for name in list_treated_columns(candidate, step.index)}
    drawn_names = {name for name in candidate.released_names if is_drawn(candidate, name)}
    return Compared(tuple(before), tuple(after), twins, frozenset(treated | drawn_names))


def _map_to_ranges(candidate: Candidate, name: str) -> Column:
    """Return a source column with its values replaced by the ranges or categories of the first step that changed it.

    It is returned as the steps received it (binned, if the recipe says so) if no step changed it, or if the first that
    did made no ranges or categories.
    """
    column = candidate.prepared.table.column(name)
    for step in candidate.steps:
        if name not in step.settings.columns:
            continue
        if step.before.column(name) is not column:
            break
        mapped_column = step.method.map_to_output_domain(step.before, step.settings, step.result).column(name)
        if mapped_column is not column:
            return mapped_column
    return column


def is_drawn(candidate: Candidate, name: str) -> bool:
    """Return whether a released column holds numbers drawn at random inside the bins that the steps worked on."""
    return candidate.released.column(name).kind == "numeric" and candidate.final.column(name).kind != "numeric"


# --- iso20889 -----------------------------------------------------------------------------


@runtime_checkable
class PubliclyReversible(Protocol):
    """Protocol of a method that anyone can undo without a key."""

    def undo(self, column: Column, settings: Settings) -> Column | None:
        """Return the column as before the method, computed without any key; None if these settings cannot be undone."""


def list_treatment_terms(candidate: Candidate) -> dict[str, str]:
    """Return for each source column the ISO/IEC 20889 terms of its bins and steps, in English, by name.

    Several terms are joined by "; ". A column that is not released is "left out"; a released one that nothing treated
    has the words for no treatment.
    """
    with speak_language(SOURCE):
        return describe_treatments(candidate)


def describe_treatments(candidate: Candidate) -> dict[str, str]:
    """Return for each source column the ISO/IEC 20889 terms of its bins and steps, in the current language, by name.

    Several terms are joined by "; ". A column that is not released is "left out"; a released one that nothing treated
    has the words for no treatment.
    """
    techniques: dict[str, list[str]] = {}
    for name in candidate.prepared.original.names:
        techniques[name] = [] if candidate.prepared.column_section(name).bins is None else [str(GROUPED)]
        techniques[name] += [str(step.method.treatment) for step in list_column_steps(candidate, name)]
    released = candidate.released_names
    return {
        name: ("; ".join(dict.fromkeys(terms)) or str(NO_TREATMENT)) if name in released else str(LEFT_OUT)
        for name, terms in techniques.items()
    }


def list_units(candidate: Candidate) -> dict[str, str]:
    """Return, by column, the first of the signs, such as "EUR", that the recipe removes from its numbers.

    The first is the one listed first in the recipe; it serves as the unit. Other columns are left out.
    """
    repairs = candidate.prepared.recipe.input.repairs_of_cells
    return {name: repair.strip[0] for name, repair in repairs.items() if repair.strip}


def column_notes(candidate: Candidate) -> dict[str, str]:
    """Return for each released column, by name, what a recipient is told about its values, in the current language.

    The note depends on the column's bins, on the steps that changed its values, and on whether these only removed
    values. A column without bins or such steps has the note that its values are as in the source.
    """
    notes = {}
    for column in candidate.released.columns:
        steps = list_column_steps(candidate, column.name)
        notes[column.name] = column_note(
            column,
            binned=candidate.prepared.column_section(column.name).bins is not None,
            steps=list(steps.values()),
            removed=all(step.method.leaves_values == "unchanged" for step in steps),
        )
    return notes


def removal_notes(candidate: Candidate) -> list[str]:
    """Return what a recipient is told about the records that steps removed, in the current language; empty if none."""
    steps = [step for step in candidate.steps if step.method.removes_records and step.result.detail["records"]]
    return list(dict.fromkeys(str(step.method.values_note(step.settings)) for step in steps))


def list_column_steps(candidate: Candidate, name: str) -> dict[StepRecord, Sentence]:
    """Return the steps that changed a column, each with what a recipient is told about its values, in their order.

    Steps that only remove records are left out, as are those that found nothing to change in the column.
    """
    steps = [step for step in candidate.steps if name in list_treated_columns(candidate, step.index)]
    steps = [step for step in steps if name not in step.unchanged_columns]
    notes = [(step, step.method.column_note(step.settings, step.result.detail, name)) for step in steps]
    return {step: note for step, note in notes if note is not None}


def list_treated_columns(candidate: Candidate, index: int) -> list[str]:
    """Return the names of the columns that one step treated, in file order: those it names and those it protected.

    ``index`` is the step's number among the enabled steps, counted from 1; StopIteration if there is no such step.
    """
    step = next(step for step in candidate.steps if step.index == index)
    treated = {protection.column for protection in step.result.protections} | set(step.settings.columns)
    return [name for name in candidate.final.names if name in treated]
