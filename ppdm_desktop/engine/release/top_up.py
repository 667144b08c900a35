"""New records added to a condensed release made earlier, from its statistics and released rows alone.

What the gate compares with the source is compared, here, with the rows of the earlier release and
the new records side by side: the originals of the earlier release are not at hand. Usefulness
therefore says what this release adds to the loss of the earlier one.
"""

from __future__ import annotations

import hashlib
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from ppdm_desktop.engine.errors import InputError, RecipeError
from ppdm_desktop.engine.methods.condensation import needed
from ppdm_desktop.engine.methods.condensing.added import WAITS, Added, add_records
from ppdm_desktop.engine.methods.condensing.condensed import Condensed, widened
from ppdm_desktop.engine.methods.condensing.continued import Continued, continued, saved_style
from ppdm_desktop.engine.methods.condensing.dates import DateGrid
from ppdm_desktop.engine.methods.condensing.moments import GroupMoments
from ppdm_desktop.engine.methods.condensing.run import class_column, made_columns, sizes_of, within_all
from ppdm_desktop.engine.methods.condensing.statistics import Layout, Statistics, statistics_of
from ppdm_desktop.engine.methods.condensing.values import stand_in
from ppdm_desktop.engine.methods.step import Protection, Settings, StepResult
from ppdm_desktop.engine.methods.swapping.recount import levels_of
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES, Recipe
from ppdm_desktop.engine.release.candidate import Candidate, Prepared, StepRecord
from ppdm_desktop.engine.release.earlier import EarlierRelease
from ppdm_desktop.engine.release.pipeline import ROW_ORDER, prepare
from ppdm_desktop.engine.release.top_up_step import Merged, TopUp
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.texts import Note

Ints = npt.NDArray[np.int64]
METHOD = TopUp()


def top_up(earlier: EarlierRelease, path: Path, key: Key, progress: Progress) -> Candidate:
    """Add the records of a file to an earlier release; the candidate is exported like any other.

    Parameters
    ----------
    earlier
        The release made earlier.
    path
        The new records, in a file like the one the earlier release was made from.
    key
        Everything random is drawn with it, once.
    progress
        Reports and stops.

    Raises
    ------
    InputError, RecipeError
        When the file does not fit the earlier release, naming column, row and remedy; or when
        not one record could be added yet.
    """
    path = Path(path)
    prepared = prepare(path, _recipe_for_new(earlier.recipe), progress.part(0.0, 0.3), need_type=True)
    try:
        return _candidate(earlier, prepared, key, progress)
    except InputError as error:
        error.file = error.file or str(path)
        raise


def check_place(earlier: Path, out: Path) -> None:
    """Refuse to write into the folder of the earlier release, which must stay as it is.

    Raises
    ------
    InputError
        When OUT is that folder or lies inside.
    """
    place = out.resolve()
    if earlier.resolve() in (place, *place.parents):
        raise InputError("error.top-up.inside", file=str(out))


def _recipe_for_new(recipe: Recipe) -> Recipe:
    """Return the earlier recipe as it holds for the new file.

    Reasons given earlier spoke of other figures, levels by row number of other rows, and the
    day was another.
    """
    enabled = [section for section in recipe.steps if section.enabled]
    if len(enabled) != 1 or enabled[0].method not in ("condensation",):
        raise RecipeError("error.top-up.other-steps", args={"steps": ", ".join(each.method for each in enabled)})
    binned = [name for name, section in recipe.columns.items() if section.bins is not None]
    if binned:
        raise RecipeError("error.top-up.bins", column=binned[0])
    return recipe.model_copy(
        update={
            "accept": {},
            "input": recipe.input.model_copy(update={"sha256": None}),
            "privacy": recipe.privacy.model_copy(update={"rows": ()}),
            "operator": recipe.operator.model_copy(update={"release_day": None}),
        }
    )


def _candidate(earlier: EarlierRelease, prepared: Prepared, key: Key, progress: Progress) -> Candidate:
    started = time.perf_counter()
    table = prepared.table
    settings = _settings(earlier, table)
    both = hashlib.sha256(bytes.fromhex(earlier.sha256) + bytes.fromhex(prepared.account.sha256)).hexdigest()
    streams = StepStream(key, both, prepared.recipe_sha256, 0)
    own = streams.for_step(1)
    needs = needed(table, settings)
    divided = class_column(table, settings)
    before = {column.name: column for column in earlier.rows}
    held = continued(earlier.statistics, before, table, needs, None if divided is None else divided.name)
    order = own.stream("joining order").permutation(table.rows)
    added = add_records(
        held.stream,
        held.records.take(order),
        held.stratum[order],
        earlier.statistics.layout.stratum,
        held.blocks,
        held.embedding,
        str(settings.values["algorithm"]),
        progress.part(0.3, 0.6),
    )
    group_of_new = np.full(table.rows, WAITS, dtype=np.int64)
    group_of_new[order] = added.group
    entered = np.flatnonzero(group_of_new != WAITS)
    if not len(entered):
        raise InputError("error.top-up.nobody", args={"records": table.rows})
    merged, released, condensed = _released(
        earlier, table, settings, held, added, group_of_new, own, progress.part(0.6, 0.9)
    )
    waiting = {int(order[row]): why for row, why in added.why.items()}
    result = _result(earlier, table, settings, merged, condensed, released, added, waiting)
    recount = METHOD.recount_run(table, result.table, settings, result)
    seconds = time.perf_counter() - started
    warnings = _warnings(earlier, settings)
    record = StepRecord(1, METHOD, settings, table, result, warnings, recount, seconds)
    original = _side_by_side(earlier, prepared.original, entered)
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


def _settings(earlier: EarlierRelease, table: Table) -> Settings:
    """Check that the new file has the columns of the earlier release, and settle the step."""
    known = set(earlier.recipe.columns)
    strange = [name for name in table.names if name not in known]
    if strange:
        raise InputError("error.top-up.new-column", column=strange[0], args={"columns": ", ".join(strange)})
    section = next(section for section in earlier.recipe.steps if section.enabled)
    settings = METHOD.settings(table, section.columns, section.parameters)
    if {column.name for column in earlier.rows} != set(settings.columns):
        raise InputError("error.top-up.unreadable", file=str(earlier.place))
    return settings


def _warnings(earlier: EarlierRelease, settings: Settings) -> tuple[Note, ...]:
    notes = [Note("note.top-up.old-unseen"), Note("note.top-up.same-person")]
    if earlier.recipe.privacy.rows:
        notes.append(Note("note.top-up.row-levels"))
    return tuple(notes)


def _released(
    earlier: EarlierRelease,
    table: Table,
    settings: Settings,
    held: Continued,
    added: Added,
    group_of_new: Ints,
    streams: StepStream,
    progress: Progress,
) -> tuple[Merged, Table, Condensed]:
    """Repeat the rows of untouched groups, make those of the others anew, and keep the new statistics."""
    stream, old = held.stream, earlier.statistics
    moments = stream.moments()
    condensed = widened(moments, stream.known[: stream.count], held.coverage.regenerated)
    counts = stream.counts[: stream.count]
    changed = stream.changed[: stream.count]
    kept_rows = np.flatnonzero(~changed[old.layout.released])
    anew = np.flatnonzero(changed)
    compact = np.repeat(np.arange(len(anew)), moments.n[anew])
    part = Condensed(_groups(moments, anew, condensed), condensed.known[anew], condensed.flat[anew])
    shown = stand_in(held.coverage, held.blocks, counts[anew], compact, held.ranks)
    made = made_columns(settings.values, shown, compact, part, within_all(condensed), streams, progress)
    by_name = {column.name: column for column in earlier.rows}
    roles = {column.name: column for column in table.columns}
    made_by_name = {column.name: column for column in made}
    stand_ins = {each.column.name: each.column for each in shown.joint}
    stand_ins |= {column.name: column for columns in shown.dealt for column in columns}
    names = [column.name for column in table.columns if column.role in RELEASED_ROLES]
    group = np.concatenate([old.layout.released[kept_rows], anew[compact]])
    numbers = np.arange(1, len(group) + 1, dtype=np.int64)
    repeated = {name: _dressed(by_name[name].take(kept_rows), made_by_name[name]) for name in names}
    released = Table(tuple(stacked(repeated[name], made_by_name[name]) for name in names), numbers)
    expected = Table(tuple(stacked(repeated[name], stand_ins[name]) for name in names), numbers)
    every = np.repeat(np.arange(stream.count), moments.n)
    whole = stand_in(held.coverage, held.blocks, counts, every, held.ranks)
    statistics = statistics_of(
        whole,
        None,
        every,
        condensed,
        dict(old.parameters),
        Layout(old.layout.strata, added.stratum, np.zeros(0, dtype=np.int64)),
    )
    assert set(roles) >= set(names)
    merged = Merged(
        _as_saved(old, statistics, changed),
        group,
        moments.n,
        moments.pmax,
        int(old.moments.n.sum()),
        len(kept_rows),
        expected,
        _levels(table, needed(table, settings), group_of_new, moments.n),
        earlier.kept(),
    )
    return merged, released, condensed


def _as_saved(old: Statistics, new: Statistics, changed: npt.NDArray[np.bool_]) -> Statistics:
    """Return the new statistics with those of untouched groups to the last digit as they were."""
    same = np.flatnonzero(~changed[: len(old.moments.n)])
    mean, covariance, psum = new.moments.mean.copy(), new.moments.covariance.copy(), new.moments.psum.copy()
    mean[same], covariance[same] = old.moments.mean[same], old.moments.covariance[same]
    psum[same] = old.moments.psum[same]
    return replace(new, moments=replace(new.moments, mean=mean, covariance=covariance, psum=psum))


def _groups(moments: GroupMoments, chosen: Ints, condensed: Condensed) -> GroupMoments:
    return GroupMoments(
        moments.n[chosen],
        moments.mean[chosen],
        condensed.moments.covariance[chosen],
        moments.pmax[chosen],
        moments.psum[chosen],
    )


def _levels(
    table: Table, needs: Ints, group: Ints, sizes: Ints
) -> tuple[tuple[str, float, int, float | None, int | None], ...]:
    """Return for each level the new records that were added and the smallest group among theirs."""
    levels = levels_of(table)
    found = []
    for index, level in enumerate(levels.levels):
        rows = np.flatnonzero((levels.codes == index) & (group != WAITS))
        asked = float(needs[rows].max(initial=max(level.demand.group, 2)))
        worst = int(rows[sizes[group[rows]].argmin()]) if len(rows) else None
        least = None if worst is None else float(sizes[group[worst]])
        row = None if worst is None else int(table.row_numbers[worst])
        found.append((level.name, asked, len(rows), least, row))
    return tuple(found)


def _result(
    earlier: EarlierRelease,
    table: Table,
    settings: Settings,
    merged: Merged,
    condensed: Condensed,
    released: Table,
    added: Added,
    waiting: dict[int, str],
) -> StepResult:
    moments = condensed.moments
    served = (merged.sizes >= merged.pmax)[merged.group]
    treatment = np.where(served, merged.group, -1)
    protections = tuple(Protection(name, "grouped", served, treatment) for name in settings.columns)
    flat = condensed.flat[merged.group]
    total = moments.n.sum() * max(moments.mean.shape[1], 1)
    pending = [{"row": int(table.row_numbers[row]), "why": why} for row, why in sorted(waiting.items())]
    changed = len(np.unique(merged.group[merged.untouched :]))
    entered = table.rows - len(waiting)
    detail: dict[str, Any] = {
        **sizes_of(merged.group),
        "ssq_share": float((moments.n * np.einsum("gii->g", moments.covariance)).sum()) / float(total),
        "algorithms": [str(settings.values["algorithm"])],
        "tried": {},
        "repairs": 0,
        "pending": pending,
        "regenerated": sum(each["sort"] != "rank" for each in merged.statistics.columns),
        "small_groups": int(condensed.flat.sum()),
        "small_records": int(np.count_nonzero(flat)),
        "floor": bool(settings.values["floor"]),
        "top_up": {
            "earlier_records": merged.old,
            "new_records": table.rows,
            "added": entered,
            "groups_before": len(earlier.statistics.moments.n),
            "groups_changed": changed,
            "rows_repeated": merged.untouched,
            "splits": added.splits,
            "founded": added.founded,
            "earlier_manifest_sha256": earlier.manifest_sha256,
        },
    }
    notes = [Note("note.top-up.added", {"added": entered, "groups": changed, "rows": merged.untouched})]
    if waiting:
        notes.append(Note("note.top-up.pending", {"records": len(waiting)}))
    small = int(condensed.flat.sum())
    if small:
        id = "note.condensation.small-floored" if settings.values["floor"] else "note.condensation.small-open"
        notes.append(Note(id, {"groups": small, "columns": detail["regenerated"]}))
    return StepResult(released, protections, detail, tuple(notes), merged.group, merged)


# --- columns one below the other -----------------------------------------------------------------


def stacked(first: Column, second: Column) -> Column:
    """Return one column below the other, described as the second; dates keep their order."""
    index = {text: code for code, text in enumerate(first.texts)}
    into = np.array([index.setdefault(text, len(index)) for text in second.texts] or [0], dtype=np.int32)
    codes = np.concatenate([first.codes, into[second.codes]]).astype(np.int32)
    found = replace(second, codes=codes, texts=tuple(index))
    if second.kind == "date":
        grid = DateGrid.of(found)
        known = [text for text in index if text not in found.missing_texts]
        found = replace(found, order=tuple(sorted(known, key=lambda text: (grid.count(text), text))))
    return found


def _dressed(column: Column, like: Column) -> Column:
    return replace(like, codes=column.codes, texts=column.texts)


def _side_by_side(earlier: EarlierRelease, table: Table, entered: Ints) -> Table:
    """Return the released rows of the earlier release and, below them, the new records that were added.

    What the earlier release left out is empty in its rows.
    """
    known = {column.name: column for column in earlier.rows}
    rows = len(earlier.statistics.layout.released)
    columns: list[Column] = []
    for column in table.columns:
        new = column.take(entered)
        if column.name in known:
            columns.append(stacked(_dressed(known[column.name], new), _ordered(new, earlier)))
        else:
            empty = replace(column, codes=np.zeros(rows, dtype=np.int32), texts=("",))
            columns.append(stacked(empty, new))
    return Table(tuple(columns), np.arange(1, rows + len(entered) + 1, dtype=np.int64))


def _ordered(column: Column, earlier: EarlierRelease) -> Column:
    """Return a column with the order, or the way of writing numbers, of the earlier release."""
    for described in earlier.statistics.columns:
        if described["name"] == column.name and described["sort"] == "rank":
            return replace(column, order=tuple(described["order"]))
        if described["name"] == column.name and described["sort"] == "number":
            return replace(column, style=saved_style(described))
    return column
