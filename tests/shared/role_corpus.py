"""Files of many kinds that each have one column that stands for people, by whatever name and in whatever form."""

from __future__ import annotations

import hashlib
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import product

from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.kinds import guess_kind

Form = Callable[[int], str]


def word(*parts: object) -> int:
    """Return a 64-bit number that depends on the parts alone."""
    return int.from_bytes(hashlib.sha256("|".join(map(str, parts)).encode()).digest()[:8], "big")


HEADERS = (
    "patient_nbr",
    "Pers.-Nr.",
    "Kundennummer",
    "MitarbeiterID",
    "client ref",
    "subject",
    "Kennziffer",
    "Aktenzeichen",
    "KdNr",
    "Column 1",
    "x",
    "姓名编号",
)
FORMS: dict[str, Form] = {
    "counted": lambda person: str(1001 + person),
    "drawn": lambda person: str(10_000_000 + word("drawn", person) % 90_000_000),
    "padded": lambda person: f"{word('padded', person) % 10**7:07d}",
    "coded": lambda person: f"{'ABCDEFGH'[person % 8]}{word('coded', person) % 10**6:06d}",
    "uuid": lambda person: str(uuid.UUID(int=word("uuid", person) << 64 | word("more", person))),
    "hash": lambda person: hashlib.sha256(str(person).encode()).hexdigest(),
    "mail": lambda person: f"u{word('mail', person) % 10**6}@example.org",
}
LAYOUTS = ("a row each", "visits", "two rows each")


@dataclass(frozen=True)
class RoleFile:
    """One file.

    Attributes
    ----------
    name
        Layout, header and form of its key.
    table
        As it would be read.
    key
        Name of the column that stands for people.
    """

    name: str
    table: Table
    key: str


def read_column(name: str, texts: list[str]) -> Column:
    """Return a column of the kind that its values bear out."""
    guess = guess_kind(Column.from_texts(name, texts))
    return Column.from_texts(name, texts, kind=guess.kind, style=guess.style)


def table_of(columns: dict[str, list[str]]) -> Table:
    """Return a table as it would be read."""
    made = tuple(read_column(name, texts) for name, texts in columns.items())
    return Table(made, Column.from_texts("row", map(str, range(len(made[0])))).codes.astype("int64") + 1)


def role_files() -> Iterator[RoleFile]:
    """Yield the files: every header with every form, the layouts in turn."""
    for number, (header, form) in enumerate(product(HEADERS, FORMS)):
        layout = LAYOUTS[(number + number // len(FORMS)) % len(LAYOUTS)]
        people = 150
        rows = [
            (person, row)
            for person in range(people)
            for row in range({"a row each": 1, "two rows each": 2}.get(layout, 1 + word(number, person) % 6))
        ]
        if layout == "visits":
            rows.sort(key=lambda each: word(number, *each))
        table = table_of(
            {
                header: [FORMS[form](person) for person, _ in rows],
                "sex": [("female", "male")[word("sex", person) % 2] for person, _ in rows],
                "region": [f"region {word('region', person) % 5}" for person, _ in rows],
                "age band": [f"{10 * (word('age', person) % 9)}s" for person, _ in rows],
                "days": [str(word("days", number, *each) % 14) for each in rows],
                "outcome": [("well", "ill", "unknown")[word("out", number, *each) % 3] for each in rows],
            }
        )
        yield RoleFile(f"{layout}, {header}, {form}", table, header)


def person_tables() -> dict[str, dict[str, list[str]]]:
    """Return small files in which a column repeats and agrees in others, by what it is."""
    rows = range(300)
    place = [word("place", row) % 45 for row in rows]
    sex = ["fm"[word("sex", row) % 2] for row in rows]
    band = [f"{18 + 10 * (word('band', row) % 5)}+" for row in rows]
    area = [f"A{word('area', row) % 4}" for row in rows]
    born = [str(1940 + word("born", row) % 60) for row in rows]
    person = [word("person", row) % 90 for row in rows]
    block = [(row // 3, row % 3) for row in rows]
    own_traits = {"sex": [sex[one] for one in person], "birth year": [born[one] for one in person]}
    return {
        "place": {
            "cod": [str(1000 + one) for one in place],
            "town": [f"T{one % 12}" for one in place],
            "province": [f"P{one % 3}" for one in place],
            "sex": sex,
            "age": born,
        },
        "weight": {
            "cell": [str(100 + 7 * word(*parts) % 997) for parts in zip(area, sex, band)],
            "area": area,
            "sex": sex,
            "age group": band,
            "q": [str(word("q", row) % 5) for row in rows],
        },
        "birth": {
            "birth date": [f"{1950 + one}-03-01" for one in place],
            "birth year": [str(1950 + one) for one in place],
            "age group": [str((1950 + one) // 10) for one in place],
            "sex": sex,
        },
        "person": {"ref": [f"K{one}" for one in person], **own_traits, "value": [str(row * 7 % 99) for row in rows]},
        "blocks": {
            "record": [str(1 + one) for one, _ in block],
            "event": [f"week {event}" for _, event in block],
            "sex": [sex[one] if event == 0 else "" for one, event in block],
            "pulse": [str(50 + word("pulse", *one) % 60) if one[1] else "" for one in block],
        },
    }
