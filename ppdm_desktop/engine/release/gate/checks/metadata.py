"""Check that nothing of this computer got into the release folder."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from functools import cache

import numpy as np

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.progress import Progress, silent
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import Check, Limits, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import GREEN, RED, CheckResult
from ppdm_desktop.engine.release.gate.told_values import allowed_values, holds, tellable
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.writing import write_table

_NEUTRAL_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_NEUTRAL_CREATED = b"2000-01-01T00:00:00Z"
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}")
_CREATED = re.compile(rb"<dcterms:(?:created|modified)[^>]*>([^<]*)<")
_DATA_PARTS = frozenset({"xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"})


@register
class Metadata(Check):
    """Nothing of this computer, its user or the source's place got into the release."""

    id = "metadata"
    title = "Traces of this computer"
    order = 310
    source = "own rule: what the file says beside its cells is nobody's business"
    fix_on = "columns"
    direction = "at-most"
    figure_unit = "traces"
    needs = ("written-back", "file-limits")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours: any is red."""
        return Limits(0, 0)

    def judge(self, evidence: Evidence, progress: Progress) -> CheckResult:
        """Look for user, host, path, source name and times in every part that is not a data cell."""
        assert evidence.written is not None
        found = 0
        if evidence.written.format == "xlsx":
            found += _workbook_traces(evidence.written.data, evidence.surroundings.machine_words)
        words = tellable(allowed_values(evidence), evidence.surroundings.machine_words)
        for text in (evidence.texts.note.decode("utf-8"), evidence.texts.dictionary.decode("utf-8")):
            found += sum(holds(text.casefold(), word) for word in words)
            found += len(_TIME.findall(text))
        figure = Figure(found, unit="traces")
        return self.verdict(RED if found else GREEN, figure, 0, traces=found)


@cache
def _neutral_workbook() -> str:
    data = write_table(Table((), np.empty(0, dtype=np.int64)), "xlsx", silent()).data
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return "".join(package.read(name).decode("utf-8") for name in package.namelist()).casefold()


def _workbook_traces(data: bytes, words: Iterable[str]) -> int:
    found = 0
    neutral = _neutral_workbook()
    searched = [word.casefold() for word in words if word.casefold() not in neutral]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for info in package.infolist():
            found += info.date_time != _NEUTRAL_ZIP_TIME or bool(info.comment)
            content = package.read(info)
            found += sum(time != _NEUTRAL_CREATED for time in _CREATED.findall(content))
            if info.filename not in _DATA_PARTS:
                text = content.decode("utf-8", "replace").casefold()
                found += sum(word in text or word in info.filename.casefold() for word in searched)
        return found + bool(package.comment)
