"""Check that text which a spreadsheet would run is guarded, or held as text."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.release.gate.base import LOOKS_AT_EVERY_VALUE, Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, RED, CheckResult
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.writing import guarded_cells, runs_in_spreadsheet

_RUNS = re.compile(rb"<f[ >/]|<hyperlink|externalLink|ddeLink|oleObject|vbaProject")
_BLOCK, _LONGEST_WORD = 1 << 20, 16


@register
class FormulaCells(Check):
    """No cell runs in a spreadsheet."""

    id = "formula-cells"
    title = "Cells that run"
    order = 290
    source = "OWASP, CSV injection"
    fix_on = "release"
    direction = "at-most"
    figure_unit = "cells or parts of the workbook"
    weight = LOOKS_AT_EVERY_VALUE
    needs = ("written-back", "file-limits")

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Count what a spreadsheet would run: cells of a text file, or parts of a workbook."""
        assert evidence.written is not None
        if evidence.written.format == "xlsx":
            parts = _running_parts(evidence.written.data, progress)
            figure = Figure(parts, unit="parts of the workbook")
            risky = guarded_cells(evidence.candidate.released, progress)
            if parts:
                return self.verdict(RED, figure, 0, parts=parts)
            return self.verdict(GREEN, figure, 0, variant="workbook", cells=risky)
        running = _running_cells(evidence.as_written or (), progress)
        figure = Figure(running, unit="cells")
        if running:
            return self.verdict(AMBER, figure, 0, cells=running)
        return self.verdict(GREEN, figure, 0, cells=evidence.written.guarded_cells)


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
