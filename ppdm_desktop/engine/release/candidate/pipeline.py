"""The pipeline that makes a candidate release: file, table, privacy levels, bins, steps, candidate."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import every_row, is_every_row
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.identifiability.risk import table_risk
from ppdm_desktop.engine.methods.base.declaration import Method, find_method
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import Key, RecipientSecret, StepStream
from ppdm_desktop.engine.recipe.models import (
    ATTRIBUTE_ROLES,
    RELEASED_ROLES,
    ColumnSection,
    PrivacySection,
    Recipe,
    StepSection,
)
from ppdm_desktop.engine.recipe.plugin_use import refuse_others
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES, UNDECIDED, ReleaseType
from ppdm_desktop.engine.release.candidate.model import (
    Candidate,
    Prepared,
    StepRecord,
    answers_of,
    complete_recipe,
    copy_answers,
    drawn_document,
    effective_document,
    hash_document,
)
from ppdm_desktop.engine.release.candidate.step_order import misplaced_step
from ppdm_desktop.engine.table.bins import apply_bins, draw_numbers
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.column_hierarchies import apply_hierarchies
from ppdm_desktop.engine.table.levels import LevelMap, RecordLevels
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.memory_source import Source, path_of
from ppdm_desktop.engine.table.record_levels import Statuses, resolve_levels
from ppdm_desktop.engine.table.reduction import Records, prepare_records
from ppdm_desktop.engine.table.stored.code_store import CodeStore, store_columns_like
from ppdm_desktop.engine.wording.texts import LevelTitle, Note, list_level_labels
from ppdm_desktop.engine.wording.values import Name, Term, Terms

ROW_ORDER = "row-order"


def prepare(source: Source, recipe: Recipe, *, need_type: bool = False, store: CodeStore | None = None) -> Prepared:
    """Return the input read from a file, with roles, persons, privacy levels and bins as a recipe says; no step is run.

    Parameters
    ----------
    source
        The source file or table; opened read-only.
    recipe
        The recipe as written.
    need_type
        Refuse a recipe without a release type (``release`` needs one, ``assess`` uses research).
    store
        Store on disk for the codes of all columns; None to keep them in memory.

    Raises
    ------
    InputError, RecipeError
        When the file cannot be read, or it and the recipe do not fit; column and row are named where they are known.
        RecipeError if ``need_type`` is set and the recipe names no release type, or if it uses a plug-in that is not
        enabled.
    """
    if need_type:
        refuse_without_type(recipe)
    refuse_others(recipe)
    reading = progress.part(0.0, 0.7).run(read_source, source, recipe.input, plugins=recipe.plugins.use, store=store)
    return progress.part(0.7, 1.0).run(prepare_reading, path_of(source), reading, recipe)


def refuse_without_type(recipe: Recipe) -> None:
    """Raise RecipeError if the recipe names no release type, which sets all limits."""
    if recipe.release.type is None:
        raise RecipeError("error.recipe.no-type", args={"types": Terms(tuple(RELEASE_TYPES))})


def prepare_reading(path: Path, reading: Reading, recipe: Recipe) -> Prepared:
    """Return the prepared input for a file that was read already with the recipe's input options.

    Raises
    ------
    InputError, RecipeError
        If file and recipe do not fit; column and row are named where they are known, and an InputError names the file.
    """
    with _add_path_to_errors(path):
        return _prepare_input(path, reading, recipe)


@contextmanager
def _add_path_to_errors(path: Path) -> Iterator[None]:
    """Add the file's path to an InputError that is raised in the block and names no file; it is raised again."""
    try:
        yield
    except InputError as error:
        error.file = error.file or str(path)
        raise


def _prepare_input(path: Path, reading: Reading, recipe: Recipe) -> Prepared:
    """Return the prepared input of a reading: roles, persons, hierarchies, levels, bins, and the effective recipe.

    Raises InputError or RecipeError where file and recipe do not fit: a recipe that was made for another file (by
    SHA-256), or that names rows but no file; a column that is missing, not of its declared kind, or cannot be binned; a
    hierarchy file that cannot be read or lacks a value; rules, targets or steps that do not fit the table; a plug-in
    that is not enabled or not named.
    """
    refuse_others(recipe)
    recipe = _leave_out_weights(recipe)
    sha256 = reading.account.sha256
    _refuse_another_file(path, recipe, sha256)
    records = progress.part(0.0, 0.5).run(prepare_records, reading.table, recipe, reading.account.decimal)
    recipe = records.recipe
    table = replace(apply_hierarchies(records.table, recipe.columns, path.parent), rules=recipe.rules)
    for name in (name for rule in recipe.rules for name in rule.columns):
        table.column(name)
    level_map = LevelMap.from_recipe(recipe.privacy.levels)
    binned = progress.part(0.5, 0.8).run(apply_bins, table, recipe.columns)
    progress.report(0.8, "doing.read")

    def statuses() -> Statuses:
        """Return for each source row whether it is uniquely, and collectively, identifiable by the binned columns."""
        risk = table_risk(binned, recipe.risk.missing)
        return Statuses(records.to_rows(risk.unique), records.to_rows(risk.collective))

    levels = resolve_levels(records.read, recipe.privacy, level_map, statuses, records.reduced)
    release_type = UNDECIDED if recipe.release.type is None else RELEASE_TYPES[recipe.release.type]
    least_group = release_type.lifts["group"]
    lifted = replace(levels.with_least_group(least_group), named=level_map.named)
    people = _mark_linked_people(table.people, recipe)
    original, first = (prepared_table.with_levels(lifted).with_people(people) for prepared_table in (table, binned))
    steps = _list_checked_steps(recipe, first)
    complete = complete_recipe(recipe, reading.options, table, sha256)
    targets = recipe.utility.targets or tuple(column.name for column in table.with_role("confidential"))
    for name in targets:
        table.column(name)
    effective = effective_document(complete, level_map, least_group, steps, targets)
    return Prepared(
        path=path,
        account=reading.account,
        recipe=recipe,
        complete=complete,
        read=records.read,
        reduced=records.reduced,
        original=original,
        table=first,
        level_map=level_map,
        type=release_type,
        effective=effective,
        recipe_sha256=hash_document(effective),
        draws_sha256=hash_document(drawn_document(effective, steps)),
        notes=_list_notes(records, levels, release_type, recipe.privacy),
        made_same=records.made_same,
    )


def with_steps(prepared: Prepared, steps: tuple[StepSection, ...]) -> Prepared:
    """Return a prepared input with other steps, as if its recipe had been read with them; nothing is read again.

    The recipe's and the draws' hash change with the steps. A step that writes codes in place of identifiers must be in
    the recipe that was read, because only reading marks a person's rows as linked; this is not checked.

    Raises
    ------
    RecipeError
        If the steps are in a wrong order, or their settings do not fit the table.
    """
    recipe, complete = (
        document.model_copy(update={"steps": steps}) for document in (prepared.recipe, prepared.complete)
    )
    settled = _list_checked_steps(recipe, prepared.table)
    targets, least_group = prepared.effective["utility"]["targets"], prepared.type.lifts["group"]
    effective = effective_document(complete, prepared.level_map, least_group, settled, targets)
    return replace(
        prepared,
        recipe=recipe,
        complete=complete,
        effective=effective,
        recipe_sha256=hash_document(effective),
        draws_sha256=hash_document(drawn_document(effective, settled)),
    )


def with_answers(prepared: Prepared, recipe: Recipe) -> Prepared:
    """Return a prepared input with a recipe's answers on how a release is judged; they change no random draw.

    The answers are those of `answers_of`; if they are equal, the same object is returned. RecipeError if a step does
    not fit them: one that draws for people when rows are counted now.
    """
    if answers_of(prepared.recipe) == answers_of(recipe):
        return prepared
    new_recipe, complete = (copy_answers(earlier, recipe) for earlier in (prepared.recipe, prepared.complete))
    return with_steps(replace(prepared, recipe=new_recipe, complete=complete), new_recipe.steps)


def _mark_linked_people(people: People | None, recipe: Recipe) -> People | None:
    """Return the people with their rows marked as linked if an enabled step gives all rows of a person one code.

    Otherwise they are returned unchanged; None if the table has no column of persons.
    """
    coded = any(find_method(step.method).tells_rows_apart for step in recipe.steps if step.enabled)
    return people.linked_by_code() if people is not None and coded else people


def _refuse_another_file(path: Path, recipe: Recipe, sha256: str) -> None:
    """Raise InputError if the recipe names another file by its hash, RecipeError if it names rows but no file.

    It names rows if it gives single rows a privacy level. A recipe without either fits every file.
    """
    if recipe.input.sha256 is not None and recipe.input.sha256 != sha256:
        raise InputError(
            "error.read.other-file",
            file=str(path),
            args={"expected": Term(recipe.input.sha256[:12]), "found": Term(sha256[:12])},
        )
    if recipe.privacy.rows and recipe.input.sha256 is None:
        raise RecipeError("error.levels.rows-need-hash", args={"sha256": Term(sha256)})


def _leave_out_weights(recipe: Recipe) -> Recipe:
    """Return the recipe with the column of survey weights left out of the release, since weights single people out.

    Unchanged if the recipe names no such column, or has a section on it, whatever role this gives the column.
    """
    weight = None if recipe.population is None else recipe.population.weight
    if weight is None or weight in recipe.columns:
        return recipe
    return recipe.model_copy(update={"columns": {**recipe.columns, weight: ColumnSection(role="left-out")}})


def _list_notes(
    records: Records, levels: RecordLevels, release_type: ReleaseType, privacy: PrivacySection
) -> tuple[Note, ...]:
    """Return the notes on a prepared input.

    There is one for each column made constant within persons, with the number of cells and people changed; one with the
    number of people whose rows ask for different privacy levels; and one that lists the levels whose group size was
    raised to the release type's minimum.
    """
    notes = [
        Note("note.repair.within-person", {"column": Name(same.column), "cells": same.cells, "people": same.people})
        for same in records.made_same
    ]
    if levels.several_within:
        notes.append(Note("note.levels.within-person", {"people": levels.several_within}))
    least_group, level_labels = release_type.lifts["group"], list_level_labels(privacy.words)
    below = [LevelTitle.of(level.name, level_labels) for level in levels.levels if level.demand.group < least_group]
    if below:
        notes.append(Note("note.levels.lifted", {"levels": Terms(tuple(below)), "group": least_group}))
    return tuple(notes)


def _list_checked_steps(recipe: Recipe, table: Table) -> list[tuple[int, Method, Settings]]:
    """Return (index, method, settings) of each enabled step, checked against its method and the order of steps.

    Indices count enabled steps from 1.

    Raises
    ------
    RecipeError
        If a method is not known, the order is wrong, a step treats a column that an earlier one replaced by codes, a
        method draws for people while rows are counted, or settings do not fit.
    """
    wrong = misplaced_step(recipe.steps, [column.name for column in table.with_role("quasi-identifier")])
    if wrong is not None:
        raise RecipeError(wrong.reason, args={"method": Term(wrong.method.title), "earlier": Term(wrong.earlier.title)})
    settled: list[tuple[int, Method, Settings]] = []
    taken: dict[str, Method] = {}
    for section in recipe.steps:
        if section.enabled:
            method = find_method(section.method)
            if method.draws_for_people and recipe.input.counts_rows:
                raise RecipeError("error.step.people-unknown", args={"method": Term(method.title)})
            settings = method.read_step_settings(table, section)
            for name in settings.columns:
                if name in taken:
                    raise RecipeError(
                        "error.step.column-taken",
                        column=name,
                        args={"method": Term(method.title), "earlier": Term(taken[name].title)},
                    )
            if method.tells_rows_apart:
                taken.update(dict.fromkeys(settings.columns, method))
            settled.append((len(settled) + 1, method, settings))
            table = method.with_roles_after(table, settings)
    return settled


def run_candidate(
    prepared: Prepared,
    key: Key,
    *,
    recipient: RecipientSecret | None = None,
    is_trial: bool = False,
    earlier: Sequence[StepRecord] = (),
) -> Candidate:
    """Return the candidate that a prepared recipe's steps make with a key; all random numbers are drawn here.

    Rows are released in random order if the recipe says so or a step generates records, else in the order of ``final``,
    the table after the last step. Parameters that a step itself found are written into the candidate's prepared input;
    ``prepared`` stays as it is.

    Parameters
    ----------
    prepared, key
        The prepared input, and the key of all random draws.
    recipient
        The recipient's secret, if a step makes codes with one; else None.
    is_trial
        Whether the candidate is a trial that is never released.
    earlier
        The steps of an earlier run; its first steps are reused if they start from the same table object, are equal and
        drew nothing.

    Raises
    ------
    InputError, RecipeError
        When a method cannot keep its promise on this table, when steps or settings do not fit it, and when no column
        is to be released.
    Cancelled
        When the work was stopped.
    """
    streams = StepStream(key, prepared.account.sha256, prepared.draws_sha256, 0, recipient=recipient, is_trial=is_trial)
    table = prepared.table
    if not table.with_role(*ATTRIBUTE_ROLES):
        raise RecipeError("error.recipe.nothing-released")
    steps = _list_checked_steps(prepared.recipe, table)
    records: list[StepRecord] = []
    for index, method, settings in steps:
        with progress.part(0.95 * (index - 1) / len(steps), 0.95 * index / len(steps)):
            if (earlier_step := _find_same_step(earlier, index, method, settings, table)) is not None:
                records.append(earlier_step)
                table = earlier_step.result.table
                continue
            with _add_path_to_errors(prepared.path):
                record = _run_step(index, method, settings, table, streams.for_step(index))
            if record.result.reached:
                prepared, record = write_reached_values(prepared, record)
            records.append(record)
            table = record.result.table
    rows_kept = all(record.method.correspondence == "record" for record in records)
    progress.report(0.95, "doing.candidate")
    if prepared.recipe.release.shuffle_rows or not rows_kept:
        # Artificial rows have no order of their own: their places must not tell where anyone stood.
        order = streams.stream(ROW_ORDER).permutation(table.rows)
    else:
        order = every_row(table.rows)
    progress.check()
    written = draw_numbers(table, prepared.original, prepared.recipe.columns, streams.stream)
    columns = []
    for column in written.columns:
        progress.check()
        if column.role in RELEASED_ROLES:
            columns.append(_keep_public_code_labels(column.take(order), prepared))
    people = table.people.take(order) if table.people is not None else None
    numbers = table.row_numbers if is_every_row(order, table.rows) else table.row_numbers[order]
    delimiter = ";" if prepared.account.delimiter == ";" else ","
    released = Table(store_columns_like(columns, table), numbers, people=people, delimiter=delimiter)
    progress.report(1.0, "doing.candidate")
    return Candidate(prepared, key, streams, tuple(records), table, released, order)


def _keep_public_code_labels(column: Column, prepared: Prepared) -> Column:
    """Return a released column with those labels of its codes that recipients may know.

    A label stays if the column shows its code, and if the label is itself the text of some cell or at least the release
    type's ``k_min`` records show its code. If a numeric column shows other numbers than before the first step, only
    codes of missing values keep their labels: another number may have become a code by chance. A column without labels
    is returned unchanged.
    """
    if not column.codebook:
        return column
    released_codes = column.list_codes_in_use(1)
    cells, often = set(column.texts), set(column.list_codes_in_use(max(prepared.type.k_min, 1)))
    known_codes = [pair for pair in released_codes if pair.label in cells or pair in often]
    if column.kind == "numeric" and column.texts != prepared.table.column(column.name).texts:
        known_codes = [pair for pair in known_codes if pair.code in column.missing_texts]
    return replace(column, codebook=tuple(known_codes))


def _find_same_step(
    earlier: Sequence[StepRecord], index: int, method: Method, settings: Settings, table: Table
) -> StepRecord | None:
    """Return the earlier record of the same step on the same table object if it drew nothing at random; else None.

    The step has the same index (from 1), method and settings. Also None if a search found some of its parameters.
    """
    if len(earlier) < index or earlier[index - 1].before is not table:
        return None
    record = earlier[index - 1]
    same = record.method is method and record.settings == settings
    return record if same and not record.drawn and not record.result.reached else None


def _run_step(index: int, method: Method, settings: Settings, table: Table, streams: StepStream) -> StepRecord:
    """Check and run one step on a table; return its record with result, warnings and recount.

    Raises InputError or RecipeError if the method refuses the table, and Cancelled when the work was stopped.
    """
    started = time.perf_counter()
    warnings: Sequence[Note] = method.check(table, settings)
    progress.check()
    result = method.run(table, settings, streams)
    if (kept := store_columns_like(result.table.columns, table)) != result.table.columns:
        result = replace(result, table=replace(result.table, columns=kept))
    seconds = time.perf_counter() - started
    progress.check()
    recount = method.recount_run(table, result.table, settings, result)
    drawn = bool(streams.asked)
    return StepRecord(index, method, settings, table, result, tuple(warnings), recount, seconds, drawn)


def write_reached_values(prepared: Prepared, record: StepRecord) -> tuple[Prepared, StepRecord]:
    """Return the prepared input and the step, with the parameters that the run itself found written into the recipe.

    These are, for example, the length of a search. ``recipe_sha256`` changes by it; ``draws_sha256``, on which random
    draws depend, does not, because it leaves such parameters out.
    """
    reached = dict(record.result.reached)
    settings = replace(
        record.settings,
        values={**record.settings.values, **reached},
        written=record.settings.written | frozenset(reached),
    )
    effective = dict(prepared.effective)
    effective["steps"] = [
        {**step, "parameters": dict(settings.values), "written": sorted(settings.written)}
        if step["place"] == record.index
        else step
        for step in effective["steps"]
    ]
    changed = replace(
        prepared,
        recipe=_set_step_parameters(prepared.recipe, record.index, reached),
        complete=_set_step_parameters(prepared.complete, record.index, reached),
        effective=effective,
        recipe_sha256=hash_document(effective),
    )
    return changed, replace(record, settings=settings)


def _set_step_parameters(recipe: Recipe, index: int, reached: dict[str, object]) -> Recipe:
    """Return the recipe with the parameters ``reached`` set in its ``index``-th enabled step, counted from 1."""
    steps, enabled = [], 0
    for step in recipe.steps:
        enabled += step.enabled
        is_it = step.enabled and enabled == index
        steps.append(step.model_copy(update={"parameters": {**step.parameters, **reached}}) if is_it else step)
    return recipe.model_copy(update={"steps": tuple(steps)})
