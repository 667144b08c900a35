"""Checks of the data file itself: read back equal, order, formulas, limits."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_APPLICABLE, RED, CheckResult, verdict
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.writing import differing_cells, guarded_cells, runs_in_spreadsheet
from ppdm_desktop.engine.table.writing.limits import MOST_COLUMNS, MOST_ROWS

_RUNS = re.compile(rb"<f[ >/]|<hyperlink|externalLink|ddeLink|oleObject|vbaProject")
_FEW_ROWS = 5
_BLOCK, _LONGEST_WORD = 1 << 20, 16


def written_back(evidence: Evidence, progress: Progress | None = None) -> CheckResult:
    """Check that the file read back equals the previewed table, cell by cell."""
    progress = progress or silent()
    released = evidence.candidate.released
    cells = (released.rows + 1) * len(released.columns)
    if evidence.read_back is None:
        return verdict("written-back", RED, Figure(cells, n=cells, unit="cells"), 0, cells=cells)
    different = differing_cells(evidence.read_back, released.columns, progress)
    figure = Figure(different, n=cells, unit="cells")
    return verdict("written-back", RED if different else GREEN, figure, 0, cells=different or cells)


def row_order(evidence: Evidence) -> CheckResult:
    """Check that the rows were put into an order drawn by the key."""
    order = evidence.candidate.row_order
    in_source_order = len(order) >= _FEW_ROWS and bool(np.array_equal(order, np.arange(len(order))))
    shuffled = evidence.candidate.is_shuffled and not in_source_order
    return verdict("row-order", GREEN if shuffled else AMBER)


def formula_cells(evidence: Evidence, progress: Progress | None = None) -> CheckResult:
    """Check that text which a spreadsheet would run is guarded, or held as text."""
    progress = progress or silent()
    assert evidence.written is not None
    if evidence.written.format == "xlsx":
        parts = _running_parts(evidence.written.data, progress)
        figure = Figure(parts, unit="parts of the workbook")
        risky = guarded_cells(evidence.candidate.released, progress)
        if parts:
            return verdict("formula-cells", RED, figure, 0, parts=parts)
        return verdict("formula-cells", GREEN, figure, 0, variant="workbook", cells=risky)
    running = _running_cells(evidence.as_written or (), progress)
    figure = Figure(running, unit="cells")
    if running:
        return verdict("formula-cells", AMBER, figure, 0, cells=running)
    return verdict("formula-cells", GREEN, figure, 0, cells=evidence.written.guarded_cells)


def _running_cells(columns: Sequence[Column], progress: Progress) -> int:
    found = 0
    for place, column in enumerate(columns):
        progress.report(place / len(columns), "doing.gate")
        found += runs_in_spreadsheet(column.name)
        uses = np.bincount(column.codes, minlength=len(column.texts)).tolist()
        texts = progress.each(column.texts)
        found += sum(use for text, use in zip(texts, uses, strict=True) if runs_in_spreadsheet(text))
    return found


def _running_parts(data: bytes, progress: Progress) -> int:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        names = package.namelist()
        found = sum(_RUNS.search(name.encode()) is not None for name in names)
        for name in names:
            found += name != "xl/sharedStrings.xml" and _holds_running(package, name, progress)
        return found


def _holds_running(package: zipfile.ZipFile, name: str, progress: Progress) -> bool:
    """Look through a part in blocks; the end of each is looked at again with the next, a word may lie across."""
    end = b""
    with package.open(name) as part:
        while block := part.read(_BLOCK):
            if _RUNS.search(end + block) is not None:
                return True
            end = block[-_LONGEST_WORD:]
            progress.check()
    return False


def file_limits(evidence: Evidence) -> CheckResult:
    """Check that the table fits the program it is meant for."""
    limits = evidence.limits
    figure = Figure(limits.rows, unit="rows with the header")
    is_workbook = evidence.candidate.prepared.recipe.release.format == "xlsx"
    arguments: dict[str, Any] = {
        "rows": limits.rows,
        "columns": limits.columns,
        "long": limits.long_cells,
        "control": limits.control_cells,
        "most_rows": MOST_ROWS,
        "most_columns": MOST_COLUMNS,
    }
    if limits.kept:
        return verdict("file-limits", GREEN, figure, MOST_ROWS, **arguments)
    if is_workbook:
        return verdict("file-limits", RED, figure, MOST_ROWS, **arguments)
    return verdict("file-limits", NOT_APPLICABLE, figure, MOST_ROWS, **arguments)
