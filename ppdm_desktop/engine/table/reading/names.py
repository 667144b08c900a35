"""Making unique column names from the names in the source."""

from __future__ import annotations

from collections.abc import Sequence


def make_unique_names(headers: Sequence[str]) -> list[str]:
    """Return a unique name for each column header.

    A repeated header gets ``Name#2``, the fourth one ``Column 4`` if it is empty (or has blanks only). The number after
    ``#`` is never one that gives the name of another header. If another header is really called ``Column 4``, the later
    of the two counts as repeated.
    """
    wanted = [header if header.strip() else f"Column {number}" for number, header in enumerate(headers, start=1)]
    reserved = set(wanted)
    taken: set[str] = set()
    counts: dict[str, int] = {}
    names = []
    for name in wanted:
        unique = name
        if name in taken:
            number = counts.get(name, 1)
            while unique in reserved or unique in taken:
                number += 1
                unique = f"{name}#{number}"
            counts[name] = number
        taken.add(unique)
        names.append(unique)
    return names
