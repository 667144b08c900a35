"""A reader, a writer and a sample that the program does not have, and broken ones, to be planted by tests."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.base.parameters import NumberParameter
from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.samples.base import SAMPLES, Options, Sample
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.reading.base import READERS, Reader
from ppdm_desktop.engine.table.reading.column_builder import ColumnBuilder
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.table.writing.base import WRITERS, LimitBreach, UnreadableFile, Writer, Written
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.testing import FileCase

BAR, END = "\u2502", "\u2424"
PAIRS = FileCase(b"%PAIRS\nZo\xc3\xa9=1\n007=2\nx=3\n", {"name": ["Zoé", "007", "x"], "n": ["1", "2", "3"]})


class Pairs(Reader):
    """Lines of ``name=n`` below a mark."""

    id = "pairs"
    title = "Pairs"
    order = 90
    suffixes = (".pairs",)
    honours = frozenset({"decimal"})

    def claims(self, head: bytes) -> int:
        return 99 if head.startswith(b"%PAIRS\n") else 0

    def read(self, data: bytes, options: InputSection) -> RawTable:
        try:
            cells = [(name, n) for name, n in (line.split("=") for line in data.decode("utf-8").splitlines()[1:])]
        except ValueError as error:
            raise InputError("error.read.broken-package", args={"part": Term("pairs")}) from error
        if not cells:
            raise InputError("error.read.empty")
        builders = [ColumnBuilder(), ColumnBuilder()]
        for builder, texts in zip(builders, zip(*cells, strict=True), strict=True):
            builder.add(builder.codes_of(texts))
        numbers = np.arange(1, len(cells) + 1)
        return RawTable(("name", "n"), tuple(each.finish() for each in builders), numbers, 1)


class Bars(Writer):
    """Cells between bars: at most three columns, and none of the signs that part cells and rows."""

    id = "bars"
    title = "Bars"
    order = 90
    suffix = ".bars"
    release = True
    form = lazy("Text with bars")
    takes_guard = False

    def limits(self, table: Table) -> tuple[LimitBreach, ...]:
        texts = [text for column in table.columns for text in (column.name, *column.texts)]
        odd = sum(any(sign in text for sign in (BAR, END, "\x01")) for text in texts)
        measured = LimitBreach("columns", len(table.columns), 3), LimitBreach("cells", odd, 0)
        return tuple(each for each in measured if each.count > each.most)

    def write(self, table: Table, *, guarded: bool = True) -> Written:
        if self.limits(table):
            raise ValueError("beyond what bars hold")
        rows = [table.names, *zip(*(column.values() for column in table.columns), strict=True)]
        return Written("".join(BAR.join(row) + END for row in rows).encode("utf-8"), self.id, False, 0, ".")

    def read_back(self, written: Written) -> tuple[Column, ...]:
        try:
            *rows, rest = written.data.decode("utf-8").split(END)
            names, *cells = [row.split(BAR) for row in rows]
        except ValueError as error:
            raise UnreadableFile("not bars") from error
        if rest or any(len(row) != len(names) for row in cells):
            raise UnreadableFile("torn")
        return tuple(Column.from_texts(name, [row[place] for row in cells]) for place, name in enumerate(names))


class Pets(Sample):
    """Numbered pets."""

    id = "pets"
    title = lazy("{n} pets")
    order = 5
    default_rows = 12
    options = (
        NumberParameter(
            name="legs",
            help=lazy("how many legs"),
            effect=lazy("More walk."),
            default=4,
            low=2,
            high=8,
            whole=True,
        ),
    )

    def make(self, options: Options) -> bytes:
        legs = self.settled(options)["legs"]
        lines = ["Pet,Legs", *(f"pet {number},{legs}" for number in range(self.default_rows))]
        return ("\n".join(lines) + "\n").encode("utf-8")

    def recipe(self) -> str:
        columns = "[columns.Pet]\nrole = 'identifier'\n[columns.Legs]\nrole = 'confidential'\n"
        return f"recipe = 1\n{columns}[release]\ntype = 'internal'\n"


def plant(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare one of each until the test ends."""
    for registry, declared in ((READERS, Pairs), (WRITERS, Bars), (SAMPLES, Pets)):
        registry.all()
        monkeypatch.setitem(registry._entries, declared.id, declared())


# --- broken ones ------------------------------------------------------------------------


class Wordless(Pairs):
    """Obeys less than it says."""

    honours = frozenset({"decimal", "sheet"})


class Greedy(Pairs):
    """Is claimed by two: its own claim is that of text."""

    def claims(self, head: bytes) -> int:
        return 10


class Trimmed(Pairs):
    """Reads other texts than there are."""

    def read(self, data: bytes, options: InputSection) -> RawTable:
        return super().read(data.replace(b"007", b"7"), options)


class Crashing(Pairs):
    """Falls over what is cut."""

    def read(self, data: bytes, options: InputSection) -> RawTable:
        if not data.endswith(b"\n"):
            raise KeyError("torn")
        return super().read(data, options)


class Losing(Bars):
    """Loses blanks."""

    def write(self, table: Table, *, guarded: bool = True) -> Written:
        written = super().write(table)
        return replace(written, data=written.data.replace(b" ", b""))


class Cutting(Bars):
    """Writes a table beyond its limits, and cuts it."""

    def write(self, table: Table, *, guarded: bool = True) -> Written:
        if self.limits(table):
            return Written(b"", self.id, False, 0, ".")
        return super().write(table)


class Telling(Bars):
    """Says that there are traces of the computer."""

    def traces(self, data: bytes, words: object) -> int:
        return 1


class Moody(Pets):
    """Other bytes each time."""

    count = itertools.count()

    def make(self, options: Options) -> bytes:
        return super().make(options) + f"pet {next(self.count)},4\n".encode()


class Misnamed(Pets):
    """A recipe for another table."""

    def recipe(self) -> str:
        return super().recipe().replace("Legs", "Tails")


BROKEN = (
    (Wordless, "sheet changes nothing"),
    (Greedy, "claim the same file as surely"),
    (Trimmed, "other texts"),
    (Crashing, "KeyError"),
    (Losing, "another table"),
    (Cutting, "beyond the limits was written"),
    (Telling, "tells of computer"),
    (Moody, "other bytes"),
    (Misnamed, "other columns"),
)
