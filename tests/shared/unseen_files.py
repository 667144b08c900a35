"""Ordinary files by people who had not read how roles are suggested: ``tests/golden/unseen``.

Three collections: twenty files (``first``), twenty more by somebody else (``later``) and twelve (``third``). Hospitals,
payroll offices, schools, housing, libraries, courts, surveys and clubs, in German and English, all invented.
``columns.csv`` has the truth of every column, ``planted.csv`` every identifying text that stands inside a cell.

These files are never changed to suit a rule. What the rules made of them when they first met them is written down in
the test; a fault of kind found by them is mended in the rules, and everything else stands as a known weakness.
"""

import csv
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "golden" / "unseen"


class Truth(StrEnum):
    """What a careful officer makes of a column when they know the file."""

    IDENTIFIER = "identifier"
    KNOWN = "known to others"
    CONFIDENTIAL = "confidential"
    NEITHER = "neither matters"
    DECIDE = "must be decided"


class Planted(StrEnum):
    """What kind of identifying text stands inside a cell."""

    EMAIL = "e-mail"
    PHONE = "phone"
    IBAN = "IBAN"
    NATIONAL_ID = "id number"
    OWN_KEY = "key of this file"
    NAME = "name"


@dataclass(frozen=True)
class UnseenColumn:
    """A column's heading and its truth; ``person_key``: its values stand for people, one value a person."""

    name: str
    truth: Truth
    person_key: bool = False


@dataclass(frozen=True)
class PlantedText:
    """An identifying text inside a cell of a column that does not consist of such texts; ``row`` counts from 0."""

    row: int
    column: str
    kind: Planted
    text: str


@dataclass(frozen=True)
class UnseenFile:
    """A file: its columns with their truth, its rows as texts and all that was planted in them."""

    path: Path
    columns: tuple[UnseenColumn, ...]
    rows: tuple[tuple[str, ...], ...]
    planted: tuple[PlantedText, ...]

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.path.stem


def _table(path: Path, delimiter: str = ",") -> list[list[str]]:
    """The rows below the headings of a text file."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.reader(stream, delimiter=delimiter))[1:]


def unseen_files(collection: str) -> list[UnseenFile]:
    """The files of ``first``, ``later`` or ``third``, in the order in which they were written."""
    columns: dict[str, list[UnseenColumn]] = {}
    for name, heading, truth, person_key in _table(FOLDER / "columns.csv"):
        columns.setdefault(name, []).append(UnseenColumn(heading, Truth(truth), person_key == "yes"))
    planted: dict[str, list[PlantedText]] = {name: [] for name in columns}
    for name, row, heading, kind, text in _table(FOLDER / "planted.csv"):
        planted[name].append(PlantedText(int(row), heading, Planted(kind), text))
    files = []
    for name in columns:
        if name.startswith(f"{collection}/"):
            path = FOLDER / f"{name}.csv"
            delimiter = ";" if b";" in path.read_bytes().split(b"\n")[0] else ","
            rows = tuple(map(tuple, _table(path, delimiter)))
            files.append(UnseenFile(path, tuple(columns[name]), rows, tuple(planted[name])))
    return files
