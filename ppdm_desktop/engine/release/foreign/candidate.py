"""A file of another program in the form of a candidate, so that measures, risk and attacks can read it.

A file of unknown origin may have been made by a method that anybody can undo: shifted digits, two added constants,
records averaged in groups, noise on correlated columns. Such inverses are tried on columns that no declared step
treats:

- digits and constants on every column of numbers with changed values, unless the released values are
  already as near to the truth as the inverse brings them;
- the nearest record on all confidential or changed columns together;
- noise filtering where changes look like noise: most values changed, and the change does not depend on the true
  value. The noise is estimated from both files; an intruder would learn it from the file's maker.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import GRID, Bools, Floats, Ints, find_row_positions
from ppdm_desktop.engine.methods.base.declaration import Method, all_methods, find_method
from ppdm_desktop.engine.methods.base.step import Guarantee, Protection, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    is_released_unchanged,
    pair_released_columns,
)
from ppdm_desktop.engine.release.attack_audit.digit_inverse import DigitInverse
from ppdm_desktop.engine.release.attack_audit.nearest_record import NearestRecord
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseFilter
from ppdm_desktop.engine.release.attack_audit.two_constant_search import TwoConstantSearch
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared, StepRecord
from ppdm_desktop.engine.release.foreign.rows import Rows
from ppdm_desktop.engine.release.gate.evidence import Evidence, HostMetadata, ReleaseTexts
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.limits import excel_limits

NOT_COUNTED = Recount(Guarantee("run", False, 0), ())
"""What was promised of a file made elsewhere cannot be recounted here."""


@dataclass(frozen=True, eq=False)
class ForeignCandidate(Candidate):
    """A released file that another program made, in the form of a candidate.

    ``steps`` are those that the recipe declares; none was run. Their details and protected records are computed from
    the two files (``Method.preview``, ``Method.infer_protections``). The key is a new random one that nothing was drawn
    with.

    Attributes
    ----------
    matched
        Whether it is known which source row each released row is.
    """

    matched: bool = True

    @property
    def rows_correspond(self) -> bool:
        """Whether each released row is known to be one source row, with the same row number."""
        return self.matched and super().rows_correspond

    @property
    def keeps_order(self) -> bool:
        """Whether the file's rows are in the source's order.

        The file decides, not the recipe's setting; False where rows are not matched.
        """
        return self.matched and bool((np.diff(self.row_order) > 0).all())


def makes_rows(prepared: Prepared) -> bool:
    """Return whether an enabled step of the recipe makes rows from groups or anew, so that no row is a source row."""
    sections = [section for section in prepared.recipe.steps if section.enabled]
    return any(find_method(section.method).correspondence != "record" for section in sections)


def foreign_candidate(
    prepared: Prepared,
    judged: Sequence[Column],
    written: Sequence[Column],
    rows: Rows | None,
    coded: Sequence[Column] = (),
) -> ForeignCandidate:
    """Return a released file in the form of a candidate.

    With matched rows, ``final`` has these rows in the order of ``rows``, and also the source's columns that the file
    does not hold; those with a released role are marked as left out. Otherwise it has the file's columns alone, and
    rows numbered from 1. Its columns are in source order. ``released`` has the same rows in file order, with the values
    as written. The key is a new random one.

    Parameters
    ----------
    prepared
        The source.
    judged, written
        The released columns with their values mapped to the source's, and as in the file; rows in file order.
    rows
        Pairs of corresponding rows; rows of the file without a source row are left out. None where rows cannot be
        matched; then all rows of the file are used in its order.
    coded
        Columns of the file that hold codes in place of identifiers.
    """
    source = prepared.table
    count = len(judged[0])
    if rows is None:
        numbers, levels, people = np.arange(1, count + 1, dtype=np.int64), None, None
        take, order = np.arange(count, dtype=np.int64), np.arange(count, dtype=np.int64)
        rest: tuple[Column, ...] = ()
    else:
        numbers = source.row_numbers[rows.source]
        levels = source.levels.take(rows.source) if source.levels is not None else None
        people = source.people.take(rows.source) if source.people is not None else None
        take, order = rows.released, np.argsort(rows.released, kind="stable").astype(np.int64)
        released = {column.name for column in (*judged, *coded)}
        rest = tuple(
            _mark_left_out(column).take(rows.source) for column in source.columns if column.name not in released
        )
    by_name = {column.name: column.take(take) for column in (*judged, *coded)} | {
        column.name: column for column in rest
    }
    columns = tuple(by_name[name] for name in source.names if name in by_name)
    final = Table(columns, numbers, levels, people)
    table = Table(tuple(column.take(take).take(order) for column in (*written, *coded)), numbers[order])
    key = Key.fresh()
    streams = StepStream(key, prepared.account.sha256, prepared.draws_sha256, 0)
    return ForeignCandidate(
        prepared=prepared,
        key=key,
        streams=streams,
        steps=_list_declared_steps(prepared, final, rows),
        final=final,
        released=table,
        row_order=order,
        matched=rows is not None,
    )


def _mark_left_out(column: Column) -> Column:
    """Return a source column that the file does not hold, with the role left-out in place of a released role."""
    return replace(column, role="left-out") if column.role in RELEASED_ROLES else column


def _list_declared_steps(prepared: Prepared, final: Table, rows: Rows | None) -> tuple[StepRecord, ...]:
    """Return the recipe's enabled steps with what can be told of them from both files, without running them.

    The table between two steps is not known: a column is taken from the file once a step has treated it, and from the
    source before. No guarantee is counted. ``final`` is the released table; ``rows`` is None where rows are not
    matched; then each step has the source before it and the file after it, and nobody is marked as protected.
    """
    step_records: list[StepRecord] = []
    before = prepared.table
    for section in prepared.recipe.steps:
        if not section.enabled:
            continue
        method = find_method(section.method)
        asked = method.read_step_settings(prepared.table, section)
        present = replace(asked, columns=tuple(name for name in asked.columns if name in final))
        detail = method.preview(before, asked)
        if rows is None:
            protections, after = _clear_row_flags(method.infer_protections(before, before, present), final.rows), final
        else:
            changed = [final.column(name) for name in present.columns]
            after = _select_remaining_rows(before, final).replacing(*changed)
            protections = _find_protected_records(method, before, after, present)
        result = StepResult(after, protections, detail)
        step_records.append(StepRecord(len(step_records) + 1, method, present, before, result, (), NOT_COUNTED, 0.0))
        before = after if rows is not None else before
    return tuple(step_records)


def _select_remaining_rows(table: Table, final: Table) -> Table:
    """Return a table restricted to the rows, by row number, that ``final`` has too; itself if it has equally many."""
    if table.rows == final.rows:
        return table
    return table.take(find_row_positions(table.row_numbers, final.row_numbers))


def _find_protected_records(method: Method, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
    """Return which of the records still in the file a step protects, inferred from the values before and after.

    The result is that of ``Method.infer_protections``: a protection for each column that the method recognises as
    protected. Rows that were removed count as unchanged. Arrays have one entry for each row of ``after``.
    """
    if before.rows == after.rows:
        return method.infer_protections(before, after, settings)
    positions = np.searchsorted(before.row_numbers, after.row_numbers)
    whole = before.replacing(
        *(_merge_columns(before.column(name), after.column(name), positions) for name in settings.columns)
    )
    protections = method.infer_protections(before, whole, settings)
    return tuple(
        replace(protection, protected=protection.protected[positions], treatment=protection.treatment[positions])
        for protection in protections
    )


def _merge_columns(column: Column, new: Column, rows: Ints) -> Column:
    """Return a column with the cells of ``new`` in the rows ``rows``, and those of ``column`` in all others.

    It has as many rows as ``column``, and kind, role and other properties of ``new``. ``rows`` are the indices in
    ``column`` of the rows of ``new``, in their order.
    """
    code_of_text = {text: code for code, text in enumerate(column.texts)}
    into = np.array([code_of_text.setdefault(text, len(code_of_text)) for text in new.texts], dtype=np.int32)
    codes = column.codes.copy()
    codes[rows] = into[new.codes]
    return replace(new, codes=codes, texts=tuple(code_of_text))


def _clear_row_flags(protections: Sequence[Protection], rows: int) -> tuple[Protection, ...]:
    """Return protections that keep what was done to each column, but mark no row as protected, and no treatment (-1).

    They serve for files whose rows are not matched; ``rows`` is the number of rows.
    """
    no_rows: Bools = np.zeros(rows, dtype=np.bool_)
    none: Ints = np.full(rows, -1, dtype=np.int64)
    return tuple(replace(protection, protected=no_rows, treatment=none) for protection in protections)


def evidence_of(candidate: ForeignCandidate) -> Evidence:
    """Return the gate's evidence on a file of another program: its released columns as read.

    There is no release note, data dictionary or written file.
    """
    return Evidence(
        candidate=candidate,
        written=None,
        as_written=candidate.released.columns,
        limits=excel_limits(candidate.released),
        data_name="",
        texts=ReleaseTexts(b"", b""),
        source_sha256=candidate.prepared.account.sha256,
        host_metadata=HostMetadata((), ()),
    )


# --- inverses -----------------------------------------------------------------------------

NO_GAIN = 0.01
"""An inverse that brings no larger share of values back than the released values show is none."""
MOST_CHANGED, MOST_CORRELATED = 0.5, 0.1
"""Changes are taken for noise where so large a share of values changed, and go with the truth no more."""
_LEAST_RECORDS = 30

_OF_COLUMNS: tuple[Attack, ...] = (DigitInverse(), TwoConstantSearch())
"""Inverses that are tried on each number by itself."""


def try_inverses(candidate: Candidate) -> tuple[AttackEntry, ...]:
    """Return the results of inverses tried on columns that no declared step treats; rows must be matched.

    Tried are, in this order: inverses of single columns on each changed numeric column, the nearest record by all
    changed or confidential columns, and the noise filter on changed numeric columns that look noisy. Failures are
    returned, too; only a success of an inverse of single columns is left out, if the released values show about as many
    true ones by themselves. The noise filter needs at least 30 rows.
    """
    declared = {name for step in candidate.steps for name in step.settings.columns}
    free = [name for name in candidate.released_names if name not in declared]
    before, after = pair_released_columns(candidate, free)
    changed = {column.name for column in after if not is_released_unchanged(candidate, [column.name])}
    pairs = [(source, released) for source, released in zip(before, after, strict=True) if released.name in changed]
    numbers = [(source, released) for source, released in pairs if source.kind == released.kind == "numeric"]
    attack_entries: list[AttackEntry] = []
    for done, (source, released) in enumerate(numbers):
        with progress.part(0.6 * done / len(numbers), 0.6 * (done + 1) / len(numbers)):
            attack_entries += _attack_by_inverses(candidate, source, released)
    names = [column.name for column in after if column.role == "confidential" or column.name in changed]
    if names:
        attack_entries += progress.part(0.6, 0.9).run(_attack_as_if_declared, NearestRecord(), candidate, names)
    noisy = [(source, released) for source, released in numbers if _looks_like_noise(source.numbers, released.numbers)]
    if noisy:
        attack_entries += progress.part(0.9, 1.0).run(_attack_by_noise_filter, candidate, noisy)
    return tuple(attack_entries)


def _attack_by_inverses(candidate: Candidate, column: Column, released: Column) -> list[AttackEntry]:
    """Return for each inverse of single columns its best result on one column, by the share of values recovered.

    A success is left out where the recovered values are not nearer to the truth than the released ones, or hardly
    (`_is_no_inverse`); a failure is returned.
    """
    attack_entries = []
    for attack in _OF_COLUMNS:
        tries = _attack_as_if_declared(attack, candidate, [column.name])
        best = max(tries, key=lambda entry: entry.success.value or 0.0, default=None)
        if best is not None and not _is_no_inverse(best, column.numbers, released.numbers):
            attack_entries.append(best)
    return attack_entries


def _is_no_inverse(entry: AttackEntry, truth: Floats, values: Floats) -> bool:
    """Return whether recovered values are near the truth at most 1 percentage point more often than released values.

    Near means within the attack's tolerance. False for an attack of severity ``none`` and for a column without true
    values.
    """
    present = ~np.isnan(truth)
    if entry.severity == "none" or not present.any():
        return False
    margin = (entry.tolerance or 0.0) + 1e-9 * np.maximum(np.abs(truth[present]), 1e-300)
    with np.errstate(invalid="ignore"):
        share_unchanged = float((np.abs(values[present] - truth[present]) <= margin).mean())
    return (entry.success.value or 0.0) <= share_unchanged + NO_GAIN


def _looks_like_noise(truth: Floats, values: Floats) -> bool:
    """Return whether changes look like noise: at least half the values changed, by amounts unrelated to the true value.

    Unrelated means an absolute correlation of at most 0.1 + 2/sqrt(n), which also is not above that of the changes with
    the released values. False for fewer than 30 rows with both values, or where values or changes do not vary.
    """
    both_present = ~(np.isnan(truth) | np.isnan(values))
    true, moved = truth[both_present], values[both_present] - truth[both_present]
    if len(true) < _LEAST_RECORDS or (moved != 0).mean() < MOST_CHANGED:
        return False
    if true.std() == 0 or moved.std() == 0 or values[both_present].std() == 0:
        return False
    with_truth = abs(float(np.corrcoef(true, moved)[0, 1]))
    with_shown = abs(float(np.corrcoef(values[both_present], moved)[0, 1]))
    # An average goes the other way round: what is left of a value goes with the value.
    return with_truth <= min(MOST_CORRELATED + 2 / math.sqrt(len(true)), with_shown) + GRID


def _attack_by_noise_filter(candidate: Candidate, noisy: Sequence[tuple[Column, Column]]) -> list[AttackEntry]:
    """Return the noise-filter results on columns that look noisy, with the noise's covariance taken from both files.

    There is one result for each column and each method that may have made the file. ``noisy`` holds each column in the
    source and as released, row by row. Empty for fewer than 30 rows with a number in all of them.
    """
    names = [released.name for _, released in noisy]
    moved = np.column_stack([released.numbers - source.numbers for source, released in noisy])
    moved = moved[~np.isnan(moved).any(axis=1)]
    if len(moved) < _LEAST_RECORDS:
        return []
    # One level and no cells: the covariance seen holds all that was done to the values.
    level = {"records": len(moved), "noise": 1.0, "width": 0.0}
    detail = {
        "covariance": {"columns": names, "matrix": np.atleast_2d(np.cov(moved, rowvar=False)).tolist()},
        "columns": {name: {"step": 0.0, "levels": [level]} for name in names},
    }
    return _attack_as_if_declared(NoiseFilter(), candidate, names, detail)


def _attack_as_if_declared(
    attack: Attack, candidate: Candidate, names: Sequence[str], detail: Mapping[str, Any] | None = None
) -> list[AttackEntry]:
    """Return the results of an attack on columns, made once for each method that may have made the file.

    Tried are the methods that declare this attack and have parameters for unknown files. ``names`` are the columns,
    ``detail`` is what the method's run would have noted (empty when left out).
    """
    attack_entries: list[AttackEntry] = []
    for method in all_methods().values():
        written = method.unknown_file_parameters
        if written is None or attack.id not in method.attacks:
            continue
        values = {parameter.name: parameter.default for parameter in method.parameters} | dict(written)
        settings = Settings(tuple(names), values, frozenset(written))
        result = StepResult(candidate.final, (), detail or {})
        step = StepRecord(1, method, settings, candidate.prepared.table, result, (), NOT_COUNTED, 0.0)
        attack_entries += attack.run(AttackEvidence(replace(candidate, steps=(step,))))
    return attack_entries
