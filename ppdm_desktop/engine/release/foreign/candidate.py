"""A file of another program in the form of a candidate, so that measures, risk and attacks can read it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints, places_among
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.methods.base.registry import find_method
from ppdm_desktop.engine.methods.base.step import Guarantee, Protection, Recount, Settings, StepResult
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.recipe.models import RELEASED_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared, StepRecord
from ppdm_desktop.engine.release.foreign.rows import Rows
from ppdm_desktop.engine.release.gate.evidence import Evidence, ReleaseTexts, Surroundings
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing import excel_limits

NOT_COUNTED = Recount(Guarantee("run", False, 0), ())
"""What was promised of a file made elsewhere cannot be recounted here."""


@dataclass(frozen=True, eq=False)
class ForeignCandidate(Candidate):
    """A released file that another program made, in the form of a candidate.

    ``steps`` are those that the recipe declares; none was run. Their details, and which records they protect, are
    computed from the two files (``Method.foreseen``, ``Method.recognised``). The key is a new random one that nothing
    was drawn with.

    Attributes
    ----------
    matched
        Whether it is known which source row each released row is.
    """

    matched: bool = True

    @property
    def rows_correspond(self) -> bool:
        """Whether each row of ``final`` is the source row of the same number."""
        return self.matched and super().rows_correspond

    @property
    def keeps_order(self) -> bool:
        """Whether the file's rows are in the source's order, as seen in the file; the recipe's wish does not count."""
        return self.matched and bool((np.diff(self.row_order) > 0).all())


def makes_rows(prepared: Prepared) -> bool:
    """Return whether a step of the recipe generates records, so that no released row is a source row."""
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

    Parameters
    ----------
    prepared
        The source.
    judged, written
        The released columns as judged (mapped to the source's values) and as in the file, rows in file order.
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
        rest = tuple(_left_out(column).take(rows.source) for column in source.columns if column.name not in released)
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
        steps=_declared(prepared, final, rows),
        final=final,
        released=table,
        row_order=order,
        matched=rows is not None,
    )


def _left_out(column: Column) -> Column:
    """Return a source column marked as left out, because the file does not hold it."""
    return replace(column, role="left-out") if column.role in RELEASED_ROLES else column


def _declared(prepared: Prepared, final: Table, rows: Rows | None) -> tuple[StepRecord, ...]:
    """Return the recipe's steps, as far as they are known without being run.

    The table between two steps is not known: a column is taken from the file once a step has treated it, and from the
    source before.
    """
    step_records: list[StepRecord] = []
    before = prepared.table
    for section in prepared.recipe.steps:
        if not section.enabled:
            continue
        method = find_method(section.method)
        asked = method.settings_of(prepared.table, section)
        present = replace(asked, columns=tuple(name for name in asked.columns if name in final))
        detail = method.foreseen(before, asked)
        if rows is None:
            protections, after = _without_rows(method.recognised(before, before, present), final.rows), final
        else:
            changed = [final.column(name) for name in present.columns]
            after = _rows_of(before, final).replacing(*changed)
            protections = _recognised(method, before, after, present)
        result = StepResult(after, protections, detail)
        step_records.append(StepRecord(len(step_records) + 1, method, present, before, result, (), NOT_COUNTED, 0.0))
        before = after if rows is not None else before
    return tuple(step_records)


def _rows_of(table: Table, final: Table) -> Table:
    """Return a table restricted to the rows still in the file; the same object where all are."""
    if table.rows == final.rows:
        return table
    return table.take(places_among(table.row_numbers, final.row_numbers))


def _recognised(method: Method, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
    """Return which records a step protects among the remaining rows; removed rows count as unchanged."""
    if before.rows == after.rows:
        return method.recognised(before, after, settings)
    positions = np.searchsorted(before.row_numbers, after.row_numbers)
    whole = before.replacing(*(_with(before.column(name), after.column(name), positions) for name in settings.columns))
    protections = method.recognised(before, whole, settings)
    return tuple(
        replace(protection, served=protection.served[positions], treatment=protection.treatment[positions])
        for protection in protections
    )


def _with(column: Column, new: Column, rows: Ints) -> Column:
    """Return a column with the cells of some rows replaced by those of another version."""
    code_of_text = {text: code for code, text in enumerate(column.texts)}
    into = np.array([code_of_text.setdefault(text, len(code_of_text)) for text in new.texts], dtype=np.int32)
    codes = column.codes.copy()
    codes[rows] = into[new.codes]
    return replace(new, codes=codes, texts=tuple(code_of_text))


def _without_rows(protections: Sequence[Protection], rows: int) -> tuple[Protection, ...]:
    """Return protections for files whose rows are not matched: the manner of protection without individual rows."""
    nobody: Bools = np.zeros(rows, dtype=np.bool_)
    none: Ints = np.full(rows, -1, dtype=np.int64)
    return tuple(replace(protection, served=nobody, treatment=none) for protection in protections)


def evidence_of(candidate: ForeignCandidate) -> Evidence:
    """Return evidence for counting risk: the file as read, without a note or dictionary."""
    return Evidence(
        candidate=candidate,
        written=None,
        as_written=candidate.released.columns,
        limits=excel_limits(candidate.released),
        data_name="",
        texts=ReleaseTexts(b"", b""),
        source_sha256=candidate.prepared.account.sha256,
        surroundings=Surroundings((), ()),
    )
