"""Adding records to an earlier condensed release, and removing people, from its statistics and rows alone.

Where the gate compares with the source, it compares here with the rows of the earlier release and the new records
together, because the originals of the earlier release are not available. Usefulness therefore states what this
release adds to the loss of the earlier one.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.algorithms.condensation.believable import replace_categories
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage, JointColumn
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.add_records import WAITS, Added, add_records
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.resume import Continued, continue_groups
from ppdm_desktop.engine.methods.algorithms.condensation.run import class_column, count_group_sizes
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import Condensed, Layout
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.methods.base.step import Protection, Settings, StepResult
from ppdm_desktop.engine.methods.condensation import find_needed_sizes
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared, StepRecord
from ppdm_desktop.engine.release.candidate.pipeline import ROW_ORDER, prepare
from ppdm_desktop.engine.release.top_up.leaving import Remaining, read_leaving_marks, take_out
from ppdm_desktop.engine.release.top_up.previous_release import EarlierRelease, read_earlier
from ppdm_desktop.engine.release.top_up.rows import (
    Merged,
    TopUp,
    build_new_release,
    copy_metadata,
    stack_columns,
    stack_tables,
)
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Names, Terms, Value

METHOD = TopUp()


def top_up(earlier: EarlierRelease, path: Path, key: Key) -> Candidate:
    """Return a candidate with the records of a file added to an earlier release, and without the people who leave.

    Parameters
    ----------
    earlier
        The earlier release, with the marks of those who leave (`mark_leaving_people`).
    path
        The new records, in a file like the one the earlier release was made from. Where nobody is added
        (``earlier.only_leaving``), the file of those who leave.
    key
        Everything random is drawn with it, once.

    Raises
    ------
    InputError, RecipeError
        When the file does not fit the earlier release, naming column, row and remedy; when the earlier recipe cannot be
        topped up; when no group can take the rows of one that has become too small; or when nobody leaves and not one
        record could be added yet.
    """
    path = Path(path)
    prepared = progress.part(0.0, 0.3).run(prepare, path, _adapt_recipe(earlier.recipe), need_type=True)
    try:
        return _build_candidate(earlier, prepared, key)
    except InputError as error:
        error.file = error.file or str(path)
        raise


def read_and_top_up(directory: Path, new: Path | None, leaving: Path | None, key: Key) -> Candidate:
    """Return a candidate made from an earlier release, without the people of one file and with those of another.

    Parameters
    ----------
    directory
        The folder of the earlier release.
    new, leaving
        The file of new records, and the file of people who leave; one of them may be None.
    key
        Everything random is drawn with it, once.

    Raises
    ------
    InputError, RecipeError
        When both files are None, the earlier release cannot be used, a file does not fit it, or somebody who leaves is
        not in it.
    """
    path = new if new is not None else leaving
    if path is None:
        raise InputError("error.top-up.nothing")
    earlier = progress.part(0.0, 0.1).run(read_earlier, directory)
    if leaving is not None:
        earlier = progress.part(0.1, 0.2).run(mark_leaving_people, earlier, leaving, only_leaving=new is None)
    return progress.part(0.2, 1.0).run(top_up, earlier, path, key)


def mark_leaving_people(earlier: EarlierRelease, path: Path, *, only_leaving: bool) -> EarlierRelease:
    """Return an earlier release in which the people of a file, and nobody else, are marked as leaving.

    Its rows and statistics are unchanged; `top_up` takes the people out.

    Parameters
    ----------
    earlier
        The earlier release.
    path
        The records of the people, in a file like the one the earlier release was made from.
    only_leaving
        Whether nobody is added at the same time.

    Raises
    ------
    InputError, RecipeError
        When the file does not fit the earlier release, or a record of the file belongs to nobody in the release.
    """
    path = Path(path)
    try:
        prepared = prepare(path, _adapt_recipe(earlier.recipe), need_type=True)
        table = replace_categories(prepared.table, earlier.statistics.replaced)
        marks = read_leaving_marks(earlier, table, _read_step_settings(earlier, table).columns, path)
    except InputError as error:
        error.file = error.file or str(path)
        raise
    return replace(earlier, leaving=marks, only_leaving=only_leaving)


def check_folder(earlier: Path, out: Path) -> None:
    """Raise InputError if the output folder is in the folder of the earlier release, which must stay unchanged.

    Raises
    ------
    InputError
        When ``out`` is that folder or lies inside.
    """
    target = out.resolve()
    if earlier.resolve() in (target, *target.parents):
        raise InputError("error.top-up.inside", file=str(out))


def _adapt_recipe(recipe: Recipe) -> Recipe:
    """Return the earlier recipe adapted to the new file.

    Written reasons, privacy levels by row number, the earlier file's hash and the day of the earlier release are
    removed. Raises RecipeError unless the recipe has a single enabled step that can be topped up and no column has
    bins.
    """
    enabled = [section for section in recipe.steps if section.enabled]
    method = all_methods().get(enabled[0].method) if len(enabled) == 1 else None
    if method is None or method.top_up is None:
        raise RecipeError("error.top-up.other-steps", args={"steps": Terms(tuple(step.method for step in enabled))})
    binned = [name for name, section in recipe.columns.items() if section.bins is not None]
    if binned:
        raise RecipeError("error.top-up.bins", column=binned[0], args={"column": Name(binned[0])})
    return recipe.model_copy(
        update={
            "accept": {},
            "input": recipe.input.model_copy(update={"sha256": None}),
            "privacy": recipe.privacy.model_copy(update={"rows": ()}),
            "operator": recipe.operator.model_copy(update={"release_day": None}),
        }
    )


def _build_candidate(earlier: EarlierRelease, prepared: Prepared, key: Key) -> Candidate:
    """Return the candidate made of an earlier release, without those who leave and with those who join.

    ``prepared`` has the new records (or, if nobody joins, those of the people who leave). Raises InputError where
    nobody leaves and no record can be added. The source to compare with is made of rows of the earlier release and new
    records, one of the same group for each released row.
    """
    started = time.perf_counter()
    settings = _read_step_settings(earlier, prepared.table)
    if earlier.only_leaving:
        prepared = replace(prepared, table=_drop_all_rows(prepared.table), original=_drop_all_rows(prepared.original))
    prepared = replace(prepared, table=replace_categories(prepared.table, earlier.statistics.replaced))
    table = prepared.table
    streams = StepStream(key, _sources_sha256(earlier, prepared), prepared.recipe_sha256, 0)
    step_stream = streams.for_step(1)
    needs = find_needed_sizes(table, settings)
    divided = class_column(table, settings)
    remaining = take_out(earlier, earlier.leaving, table, step_stream.stream("leaving"))
    continued = _build_group_state(remaining, table, needs, None if divided is None else divided.name)
    order = step_stream.stream("joining order").permutation(table.rows)
    added = progress.part(0.3, 0.6).run(
        _add_new_records, remaining.release.statistics.layout, continued, order, settings
    )
    group_of_new = np.full(table.rows, WAITS, dtype=np.int64)
    group_of_new[order] = added.group
    entered = np.flatnonzero(group_of_new != WAITS)
    if not len(entered) and not earlier.leaving:
        raise InputError("error.top-up.nobody", args={"records": table.rows})
    merged, released, condensed = progress.part(0.6, 0.9).run(
        build_new_release, earlier, remaining, table, settings, continued, added, group_of_new, step_stream
    )
    waiting = {int(order[row]): why for row, why in added.why.items()}
    result = _build_step_result(earlier, remaining, table, settings, merged, condensed, released, added, waiting)
    recount = METHOD.recount_run(table, result.table, settings, result)
    seconds = time.perf_counter() - started
    warnings = _list_warnings(earlier)
    record = StepRecord(1, METHOD, settings, table, result, warnings, recount, seconds)
    joined_table = stack_tables(remaining.release, prepared.original, entered)
    counted = np.concatenate([added.old_group, group_of_new[entered]])
    original = replace(joined_table.take(_align_source_rows(counted, merged)), row_numbers=released.row_numbers)
    stacked = replace(prepared, original=original, table=original)
    row_order = streams.stream(ROW_ORDER).permutation(released.rows)
    columns = tuple(column.take(row_order) for column in released.columns)
    progress.report(1.0, "doing.candidate")
    return Candidate(
        stacked,
        key,
        streams,
        (record,),
        released,
        Table(columns, released.row_numbers[row_order]),
        row_order,
    )


def _sources_sha256(earlier: EarlierRelease, prepared: Prepared) -> str:
    """Return a SHA-256 over the earlier release, the new file and the marks of those who leave, as hexadecimal text.

    Random draws of the top-up depend on it.
    """
    hashes = bytes.fromhex(earlier.sha256) + bytes.fromhex(prepared.account.sha256)
    if earlier.leaving:
        hashes += "\n".join(earlier.leaving).encode("ascii")
    return hashlib.sha256(hashes).hexdigest()


def _add_new_records(layout: Layout, continued: Continued, order: Ints, settings: Settings) -> Added:
    """Add the new records to the groups in ``continued``, one after another; return the group of each, or why it waits.

    Entries of the result are in the order in which records join: ``order`` has their indices. Records that no group
    can take form new groups, or wait (group -1) if they are too few. The groups in ``continued`` are changed.
    ``layout`` says which released row belongs to which earlier group.
    """
    return add_records(
        continued.stream,
        continued.records.take(order),
        continued.stratum[order],
        layout.stratum,
        continued.blocks,
        continued.embedding,
        str(settings.values["algorithm"]),
        (continued.earlier_points, layout.released),
    )


def _build_group_state(remaining: Remaining, table: Table, needs: Ints, class_name: str | None) -> Continued:
    """Return the state of the groups to which new records are to be added, and these records; none is added yet.

    Rows of dissolved groups are added to the groups that take them already; they are synthetic records of the earlier
    release, and no persons. ``needs`` is the group size that each new record asks for; ``class_name`` is the column
    whose classes divide the table into strata, or None.
    """
    statistics, rows = remaining.release.statistics, remaining.release.rows
    before = {column.name: column for column in rows}
    moved = remaining.moved
    if not moved:
        return continue_groups(statistics, before, table, needs, class_name)
    last = np.arange(len(statistics.layout.released) - moved, len(statistics.layout.released))
    columns = [
        stack_columns(copy_metadata(column.take(last), table.column(column.name)), table.column(column.name))
        for column in rows
    ]
    # Rows that moved have no number in the new file, by whose numbers rows are refused.
    both = Table(tuple(columns), np.concatenate([np.zeros(moved, dtype=np.int64), table.row_numbers]))
    continued = continue_groups(statistics, before, both, np.concatenate([remaining.moved_needs, needs]), class_name)
    for row, group in enumerate(statistics.layout.released[last].tolist()):
        point, is_known = continued.records.points[row], continued.records.known[row]
        continued.stream.add(
            group, point, int(continued.records.needs[row]), continued.records.categories(row), is_known
        )
    new = np.arange(moved, moved + table.rows)
    coverage = Coverage(
        tuple(_take_rows(joint_column, new) for joint_column in continued.coverage.joint),
        tuple(tuple(column.take(new) for column in columns) for columns in continued.coverage.permuted),
    )
    return replace(continued, records=continued.records.take(new), stratum=continued.stratum[new], coverage=coverage)


def _take_rows(joint: JointColumn, rows: Ints) -> JointColumn:
    """Return one of the columns generated together, with its numbers and flags, restricted to the given rows."""
    return replace(joint, column=joint.column.take(rows), values=joint.values[rows], known=joint.known[rows])


def _drop_all_rows(table: Table) -> Table:
    """Return a table with the same columns, but without rows and without values listed in the columns."""
    none = table.take(np.zeros(0, dtype=np.int64))
    return replace(none, columns=tuple(replace(column, texts=()) for column in none.columns))


def _align_source_rows(group: Ints, merged: Merged) -> Ints:
    """Return for each released row the index of a source row of the same group, int64; each source row is used once.

    The first released row of group 3 gets the first source row of group 3, the second the second. Both are in the order
    of the earlier file, so repeated rows get themselves. ``group`` has the group of each source row, ``merged`` the
    groups of the released rows.
    """
    aligned = np.empty(len(group), dtype=np.int64)
    aligned[np.argsort(merged.group, kind="stable")] = np.argsort(group, kind="stable")
    return aligned


def _read_step_settings(earlier: EarlierRelease, table: Table) -> Settings:
    """Return the settings of the step, after checking that the new file fits the earlier release.

    Raises InputError if the file has a column that the earlier recipe does not know, or if the columns of the step are
    not those of the earlier release; errors of reading the step's parameters for the new table come through.
    """
    known_names = set(earlier.recipe.columns)
    strange = [name for name in table.names if name not in known_names]
    if strange:
        raise InputError("error.top-up.new-column", column=strange[0], args={"columns": Names.of(strange)})
    section = next(section for section in earlier.recipe.steps if section.enabled)
    settings = METHOD.read_step_settings(table, section)
    if {column.name for column in earlier.rows} != set(settings.columns):
        raise InputError("error.top-up.unreadable", file=str(earlier.folder))
    return settings


def _list_warnings(earlier: EarlierRelease) -> tuple[Note, ...]:
    """Return the notes of a top-up: that old records are not seen again, and that the same person may be in twice.

    A third note follows if the earlier recipe set privacy levels by row number, which do not apply to the new file.
    """
    notes = [Note("note.top-up.old-unseen"), Note("note.top-up.same-person")]
    if earlier.recipe.privacy.rows:
        notes.append(Note("note.top-up.row-levels"))
    return tuple(notes)


def _build_step_result(
    earlier: EarlierRelease,
    remaining: Remaining,
    table: Table,
    settings: Settings,
    merged: Merged,
    condensed: Condensed,
    released: Table,
    added: Added,
    waiting: dict[int, str],
) -> StepResult:
    """Return the step's result with its detail, protections and notes.

    ``waiting`` says for each record of the new file that could not be added yet why, by row index. A row counts as
    protected where its group is as large as its members ask for. The detail has the figures of group sizes, the records
    that wait by their row in the file (from 1), and under ``top_up`` how many records were added, how many people left
    and how many groups changed. The notes say how many were added (unless people only leave), left and wait, and how
    many groups have too few values for a covariance, the last three only where there are some.
    """
    moments = condensed.moments
    protected = (merged.sizes >= merged.pmax)[merged.group]
    treatment = np.where(protected, merged.group, -1)
    protections = tuple(Protection(name, "grouped", protected, treatment) for name in settings.columns)
    flat = condensed.flat[merged.group]
    total = moments.n.sum() * max(moments.mean.shape[1], 1)
    pending = [{"row": int(table.row_numbers[row]), "why": why} for row, why in sorted(waiting.items())]
    changed = len(np.unique(merged.group[merged.untouched :]))
    entered = table.rows - len(waiting)
    detail: dict[str, Any] = {
        **count_group_sizes(merged.group),
        "ssq_share": float((moments.n * np.einsum("gii->g", moments.covariance)).sum()) / float(total),
        "algorithms": [str(settings.values["algorithm"])],
        "tried": {},
        "repairs": 0,
        "pending": pending,
        "regenerated": sum(column["sort"] != "rank" for column in merged.statistics.columns),
        "small_groups": int(condensed.flat.sum()),
        "small_records": int(np.count_nonzero(flat)),
        "floor": bool(settings.values["floor"]),
        "top_up": {
            "earlier_records": int(earlier.statistics.moments.n.sum()),
            "new_records": table.rows,
            "added": entered,
            "groups_before": len(earlier.statistics.moments.n),
            "groups_changed": changed,
            "rows_repeated": merged.untouched,
            "splits": added.splits,
            "founded": added.founded,
            "left": len(remaining.left),
            "groups_dissolved": remaining.dissolved,
            "sizes_by_need": _count_joined_by_need(merged),
            "earlier_manifest_sha256": earlier.manifest_sha256,
        },
    }
    notes = []
    if not earlier.only_leaving:
        notes.append(Note("note.top-up.added", {"added": entered, "groups": changed, "rows": merged.untouched}))
    if len(remaining.left):
        arguments: dict[str, Value] = {"left": len(remaining.left), "dissolved": remaining.dissolved}
        notes.append(Note("note.top-up.left", arguments))
    if waiting:
        notes.append(Note("note.top-up.pending", {"records": len(waiting)}))
    small = int(condensed.flat.sum())
    if small:
        id = "note.condensation.small-floored" if settings.values["floor"] else "note.condensation.small-open"
        notes.append(Note(id, {"groups": small, "columns": detail["regenerated"]}))
    return StepResult(released, protections, detail, tuple(notes), merged.group, merged)


def _count_joined_by_need(merged: Merged) -> list[dict[str, int]]:
    """Return for each group size that added records ask for how many ask for it, and the size of their smallest group.

    Each entry is a dict with the keys ``asked``, ``joined`` and ``smallest_group``, in ascending order of ``asked``;
    empty where no record was added.
    """
    change = merged.change
    sizes = merged.sizes[change.joined]
    return [
        {"asked": need, "joined": int(np.count_nonzero(has_need)), "smallest_group": int(sizes[has_need].min())}
        for need in np.unique(change.joined_needs).tolist()
        if (has_need := change.joined_needs == need).any()
    ]
