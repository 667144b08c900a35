"""The file that a declaration's sweep is made on: a public one, a sample, or one made here."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from ppdm_desktop.engine.randomness import RandomStream
from ppdm_desktop.engine.samples import find_sample
from tests.benchmarks.papers.aggarwal_yu_data import read, uci
from tests.benchmarks.papers.cells import Asked, NotAtHand
from tests.benchmarks.papers.declared import Declared
from tests.benchmarks.papers.liu_curves import triangle

Rows = Sequence[Sequence[str]]
_TRIANGLE = 10_000


def source_of(declared: Declared, asked: Asked, place: Path, rows: int | None = None) -> Path:
    """Write the sweep's source and return it.

    Parameters
    ----------
    declared
        What is swept.
    asked
        Where the data are.
    place
        Folder for the file.
    rows
        So many of its first rows; all that the declaration asks for when left out.

    Raises
    ------
    NotAtHand
        Naming what is missing.
    """
    data = declared.paper.data
    assert data is not None
    most = min(each for each in (rows, data.rows, 10**9) if each is not None)
    if data.sample is not None:
        found = _of_sample(data.sample, most)
    elif data.made is not None:
        found = [list(row) for row in MADE[data.made](asked)]
    else:
        found = _of_file(asked, str(data.file))
    path = place / f"{declared.name}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows(found[: most + 1])
    return path


def _of_sample(name: str, most: int) -> list[list[str]]:
    text = b""
    for piece in find_sample(name).pieces({}):
        text += piece
        if text.count(b"\n") > most:
            break
    return list(csv.reader(io.StringIO(text.decode("utf-8-sig"))))


def _of_file(asked: Asked, name: str) -> list[list[str]]:
    path = asked.data / name
    if not path.exists():
        raise NotAtHand(f"there is no {name} in the folder of the data")
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


def _numbered(name: str) -> Callable[[Asked], Rows]:
    def made(asked: Asked) -> Rows:
        found = read(uci(asked, name), name)
        head = [*(f"x{place + 1}" for place in range(found.x.shape[1])), "class"]
        return [head, *([*map(repr, row), f"c{label}"] for row, label in zip(found.x.tolist(), found.target.tolist()))]

    return made


def _triangle(asked: Asked) -> Rows:
    stream = RandomStream(b"ppdm-1 liu figure 1 %d" % asked.seed)
    values = triangle(stream, _TRIANGLE).tolist()
    return [["Group", "X"], *(["AB"[place % 2], f"{value:.4f}"] for place, value in enumerate(values))]


MADE: Mapping[str, Callable[[Asked], Rows]] = {
    "triangle": _triangle,
    "ionosphere": _numbered("ionosphere"),
    "ecoli": _numbered("ecoli"),
}
"""What is made here, by the name that declarations use."""
