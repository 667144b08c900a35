"""Rewrites sentences about people as sentences about rows, while nobody confirmed that each row is a different person.

The catalogue calls `reword_for_rows` for every message. A message in which the program speaks of what it counted is
rewritten completely: "Nobody is unique" becomes "No row is unique". A message that mentions rows already compares them
with people and is not changed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache

_default: list[bool] = [False]
_chosen: ContextVar[bool | None] = ContextVar("rows are counted", default=None)


def rows_are_counted() -> bool:
    """Return whether sentences are currently written about rows instead of people.

    The choice of an active context (`choose_counted_unit`) takes precedence over that for the whole program.
    """
    chosen = _chosen.get()
    return _default[0] if chosen is None else chosen


def count_rows(rows: bool) -> None:
    """Set for the whole program whether sentences speak of rows instead of people, as the open file requires."""
    _default[0] = rows


@contextmanager
def choose_counted_unit(*, rows: bool) -> Iterator[None]:
    """Make sentences inside the context speak of rows, or with ``rows=False`` of people, whatever was chosen before."""
    token = _chosen.set(rows)
    try:
        yield
    finally:
        _chosen.reset(token)


_TEXTS = re.compile(
    r"(?:attack|audit|cause|certificate|charts|cli|columns|compare|figure|gate|map|protect|release|report|risk|sweep)\b"
)
"""Texts by id that speak of what was counted; errors, notes of methods and thresholds do not."""
_LEFT_ALONE = re.compile(r"gate\.(?:people-counted|people-columns|joined-or-left)\b|gate\..*#title")
"""Checks that tell people from rows, and what checks are called."""
_OTHERS = re.compile(
    r"(?<![{\w])(?<!whose )(?<!their )rows?\b(?! \{row:\w+\}(?! of))"
    r"|outside the file|whole list|protects the people|have several records|represent everyone|about many people"
    r"|in a file could|\|groups\} of \{people\}",
    re.IGNORECASE,
)
"""What speaks of rows already, of people who are not in the file, or of those whom a group of the file stands for."""
_COUNTS = re.compile(
    r"\{\w+:people\}|\{\w+:[^}]*\bperson\b[^}]*\|[^}]*\bpeople\b|\{[\w:]+\} people\b"
    r"|\b(?:unique|of (?:all|the)|few|fewer|extra|more|many|number of|share of|enough|two) people\b"
    r"|\bpeople (?:affected|shown|found|tested|short of|below|about whom|whose|in the|most at|guessed)\b"
    r"|\bpeople with (?:the|a|something)\b|\bpeople (?:who )?(?:share|can be picked|are unique)\b|^people\b(?!$)"
    r"|\bpeople equally\b|\b(?:nobody|everyone)\b (?:is (?:unique|in)|(?:already )?has|else has|in|would be)\b"
    r"|nobody’s confidential|everyone:|finds nobody|nobody can be picked|\(everyone\)|person most at risk"
    r"|(?:for|over|of) (?:nearly )?everyone\b|\b(?:this|another|no other|every) person\b"
    r"|\bthe person’s (?:own|record|class|true|details)\b|\ba person(?: is (?:found|in)|’s details (?:learns|that))"
    r"|\ba person’s own\b"
    r"|the right person|everyone (?:is looked|at once)|the same people"
    r"|(?:make|pick|unlike other|its|whole|exactly the) people\b"
    r"|finding (?:a|one) person\b|\bpeople could be\b",
    re.IGNORECASE,
)
_REPLACED = {
    "en": (
        (r"\{(\w+):people\}", r"{\1:rows}"),
        (r"\b(for|over|of|nearly|For) everyone\b", r"\1 all rows"),
        (r"\(everyone\)", "(all rows)"),
        (r"Everyone:", "All rows:"),
        (r"\bnobody else\b(?! is taken)", "no other row"),
        (r"\bNobody else\b", "No other row"),
        (r"\bnobody\b(?! knows| has said| else)", "no row"),
        (r"\bNobody\b(?! knows| has said| stated)", "No row"),
        (r"\beveryone has theirs\b", "every row has its own"),
        (r"\beveryone\b", "every row"),
        (r"\bEveryone\b", "Every row"),
        (r"\bthe person’s record\b", "the row"),
        (r"\bpeople whose row an intruder finds\b", "rows that an intruder finds"),
        (r"\bthe rest of their row\b", "all else"),
        (r"(?<!look for )(?<!of other )(?<!\{)\bpeople\b", "rows"),
        (r"\bPeople\b", "Rows"),
        (r"(?<!\{)\bperson\b(?!’s number)", "row"),
        (r"\bPerson\b", "Row"),
        (r"\b(rows\}?) who\b", r"\1 that"),
        (r"\b(Rows) who\b", r"\1 that"),
        (r"\bwhom\b", "which"),
        (r"((?:[Ee]very|[Nn]o) row\b[^.]*?)\btheir\b", r"\1its"),
    ),
    "de": (
        (r"\{(\w+):people\}", r"{\1:rows}"),
        (r"\bPersonen, deren Zeile ein\b", "Zeilen, die ein"),
        (r"(?<!anderer )\bPersonen\b(?!-)", "Zeilen"),
        (r"(?<!Nummer einer )\bPerson\b(?!-)", "Zeile"),
        (r"\bNiemand sonst\b", "Keine andere Zeile"),
        (r"\bniemand sonst\b", "keine andere Zeile"),
        (r"\bniemandem\b", "keiner Zeile"),
        (r"\bniemand(?:en)?\b(?! \{column\} kennt)", "keine Zeile"),
        (r"\bNiemand\b(?! hat angegeben)", "Keine Zeile"),
        (r"\bseiner Gruppe\b", "ihrer Gruppe"),
    ),
}
"""Pattern and replacement by language, in this order. Both German nouns are feminine: what goes with them fits."""


@cache
def reword_for_rows(text_id: str, english: str, template: str, code: str) -> str:
    """Return a message about counted people rewritten for rows ("3 people" as "3 rows"); any other message unchanged.

    Parameters
    ----------
    text_id, english
        Id and English text of the message, which decide whether it counts people; the id is empty for a sentence in the
        code.
    template
        The message in the language to be rewritten.
    code
        Code of this language; if there is no list of replacements for it, the message is unchanged.
    """
    may_count = not text_id or (_TEXTS.match(text_id) and not _LEFT_ALONE.match(text_id))
    if not may_count or not _COUNTS.search(english) or _OTHERS.search(english):
        return template
    for pattern, replacement in _REPLACED.get(code, ()):
        template = re.sub(pattern, replacement, template)
    return template
