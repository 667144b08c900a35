"""Full names of people among the texts of a column: a given name and a family name, in either order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ppdm_desktop.engine.table.column_names import name_lists, name_words, reduce_umlauts

_WORD_COUNTS = (2, 4)
_LONGEST = 60
_NOT_IN_NAMES = re.compile(r"[^\w .,'’-]|[\d_]")
_PARTICLES = re.compile("al|bin|d[aeio]|dal|del(la)?|de[nrs]|dos|du|el|la|le|ter|van|vo[mn]|y|zu[mr]?")


def given_name(text: str) -> str | None:
    """Return the given name in a text that is a person's full name, in small letters without accents; else None.

    A full name has two to four capitalised words, not counting particles such as "van", and its first word, or the
    first one after a comma, is in the list of given names; of ``Anna-Maria`` the first part counts. ``Anna Müller``,
    ``Müller, Anna`` and ``Jan van der Berg`` are full names; ``Müller Anna``, ``New York``, ``Anna`` and ``Dr. Anna
    Müller`` are not, nor are texts with digits, with other signs than ``.,'-`` or of more than 60 characters.
    """
    text = text.strip()
    if len(text) > _LONGEST or text.count(",") > 1 or _NOT_IN_NAMES.search(text):
        return None
    parts = [part.split() for part in text.split(",")]
    names = [word for part in parts for word in part if not _PARTICLES.fullmatch(word)]
    if (
        not all(parts)
        or not _WORD_COUNTS[0] <= len(names) <= _WORD_COUNTS[1]
        or not all(word[0].isupper() for word in names)
    ):
        return None
    first = name_words(parts[-1][0].split("-")[0])
    return first[0] if len(first) == 1 and reduce_umlauts(first[0]) in name_lists()["given"].whole else None


def full_names(texts: Iterable[str]) -> dict[str, str]:
    """Return the texts that are full names of people, each with its given name in small letters without accents."""
    return {text: given for text in texts if (given := given_name(text)) is not None}
