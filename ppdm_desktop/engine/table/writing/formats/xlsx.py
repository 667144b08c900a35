"""The file format XLSX for released tables."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable, Sequence
from functools import cache

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.base import LimitBreach, Writer, Written, decimal_of, register
from ppdm_desktop.engine.table.writing.limits import excel_limits
from ppdm_desktop.engine.table.writing.workbook import write_workbook
from ppdm_desktop.engine.wording.catalogue import lazy


@register
class Xlsx(Writer):
    """A workbook with a sheet of the cells, and one of codes and labels if there are any.

    Numbers are written as numbers where nothing is lost.
    """

    id = "xlsx"
    title = "XLSX"
    order = 20
    suffix = ".xlsx"
    libraries = ("xlsxwriter",)
    release = True
    form = lazy("Excel workbook (XLSX), cells on the sheet data, codes with labels (if any) on the sheet labels")
    takes_guard = False

    def limits(self, table: Table) -> tuple[LimitBreach, ...]:
        """Return the limits of a worksheet that a table exceeds; empty if it fits."""
        return excel_limits(table).breaches

    def write(self, table: Table, *, guarded: bool = True) -> Written:
        """Return a table as XLSX bytes; ``guarded`` has no effect, since text cells are never executed.

        The result never counts as guarded. It also holds the decimal mark of the table's first numeric column ("."
        without one), with which ``read_back`` gives numbers as they were. Raises ValueError for a table beyond the
        limits of a worksheet.
        """
        from ppdm_desktop.engine.table.writing.workbook import write_workbook

        decimal = decimal_of(table)
        return Written(write_workbook(table, decimal), self.id, False, 0, decimal)

    def read_back(self, written: Written) -> tuple[Column, ...]:
        """Return the columns of a file written by this class, with every cell as its original text.

        Raises UnreadableFile for other bytes.
        """
        from ppdm_desktop.engine.table.writing.workbook import read_workbook

        return read_workbook(written.data, written.decimal)

    def running_parts(self, data: bytes) -> int:
        """Return how many parts of the file hold formulas, hyperlinks, links to other files, macros or objects."""
        return count_executable_parts(data)

    def traces(self, data: bytes, searched: Sequence[str]) -> int:
        """Return how many traces of computer, user and time the file has outside its cells.

        They are comments, times other than the fixed ones, and names in ``searched``, each once for each part that has
        it; names that an empty workbook has, too, do not count.
        """
        return count_package_traces(data, searched)


_RUNS = re.compile(rb"<f[ >/]|<hyperlink|externalLink|ddeLink|oleObject|vbaProject")
_BLOCK, _LONGEST_WORD = 1 << 20, 16
_NEUTRAL_ZIP_TIME = (1980, 1, 1, 0, 0, 0)
_NEUTRAL_CREATED = b"2000-01-01T00:00:00Z"
_CREATED = re.compile(rb"<dcterms:(?:created|modified)[^>]*>([^<]*)<")
_DATA_PARTS = frozenset({"xl/worksheets/sheet1.xml", "xl/sharedStrings.xml"})


def count_executable_parts(data: bytes) -> int:
    """Return how many parts (files inside it) of a workbook hold a formula, link, macro or object, by name or content.

    Each part counts once. Texts of cells that look like formulas do not count, since they are never executed. Raises
    BadZipFile for bytes that are no workbook.
    """
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return sum(
            _RUNS.search(name.encode()) is not None or _has_executable_content(package, name)
            for name in package.namelist()
        )


def _has_executable_content(package: zipfile.ZipFile, name: str) -> bool:
    """Return whether a part's content has a formula, link, macro or object; False for the part with cells' texts."""
    if name == "xl/sharedStrings.xml":
        return False
    end = b""  # overlapping blocks: a word may lie across two
    with package.open(name) as part:
        while block := part.read(_BLOCK):
            if _RUNS.search(end + block) is not None:
                return True
            end = block[-_LONGEST_WORD:]
            progress.check()
    return False


@cache
def _build_empty_xml() -> str:
    """Return the XML of all parts of an empty workbook, joined and in small letters; computed once."""
    data = progress.make_silent_progress().run(write_workbook, Table((), np.empty(0, dtype=np.int64)))
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        return "".join(package.read(name).decode("utf-8") for name in package.namelist()).casefold()


def count_package_traces(data: bytes, names: Iterable[str]) -> int:
    """Return how many names, times and comments a workbook holds that are neither in cells nor in an empty workbook.

    Each of ``names`` counts once for each part that has it in its content or name, capitals ignored; parts that hold
    the cells are not searched. A part whose time in the package is not the fixed one, or that has a comment, counts
    once. Each other time than the fixed one in the document's properties, and a comment on the package, count too.
    """
    count = 0
    neutral = _build_empty_xml()
    searched = [word.casefold() for word in names if word.casefold() not in neutral]
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        for info in package.infolist():
            count += info.date_time != _NEUTRAL_ZIP_TIME or bool(info.comment)
            content = package.read(info)
            count += sum(time != _NEUTRAL_CREATED for time in _CREATED.findall(content))
            if info.filename not in _DATA_PARTS:
                text = content.decode("utf-8", "replace").casefold()
                count += sum(word in text or word in info.filename.casefold() for word in searched)
        return count + bool(package.comment)
