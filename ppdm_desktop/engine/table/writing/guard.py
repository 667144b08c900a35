"""The formula guard: a text that a spreadsheet would execute gets an apostrophe, which can be removed again.

A text is guarded when, after any number of apostrophes, it starts with ``= + - @``, tab, carriage return, line feed, or
the full-width form of one of the four signs. Removing one apostrophe from every such text that has one gives back the
original exactly, also for texts that started with an apostrophe themselves. A text that is a plain number (``-5``,
``+1.2``) is not guarded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing.scanning import may_match

APOSTROPHE = "'"
_RISKY = re.compile("'*[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_GUARDED = re.compile("'+[=+\\-@\t\r\n\uff1d\uff0b\uff0d\uff20]")
_PLAIN_NUMBER = re.compile(r"[+-]?(?:[0-9]+(?:[.,][0-9]*)?|[.,][0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_ANY_RISKY = re.compile(f"\0(?={_RISKY.pattern})(?!{_PLAIN_NUMBER.pattern}\0)", re.ASCII)
_ANY_GUARDED = re.compile(f"\0(?={_GUARDED.pattern})")
_ANY_SPLIT = re.compile("[;\t]")
_SPLIT = re.compile('[;\t]"*(?=[=+\\-@\uff1d\uff0b\uff0d\uff20])([^;\t]{2,})')


def needs_guard(text: str) -> bool:
    """Return whether the formula guard puts an apostrophe before a text, which a spreadsheet might execute.

    It does where the text, after any number of apostrophes, begins with =, +, -, @, a tab or a line end; but not before
    a plain number such as -5.
    """
    return _RISKY.match(text) is not None and _PLAIN_NUMBER.fullmatch(text) is None


def runs_in_spreadsheet(text: str) -> bool:
    """Return whether a spreadsheet program may execute a text as it is; False where it begins with an apostrophe."""
    return not text.startswith(APOSTROPHE) and needs_guard(text)


def guard(text: str) -> str:
    """Return a text with an apostrophe in front if a spreadsheet might execute it; else unchanged.

    A text that has apostrophes before such a beginning gets one more, so that `unguard` can remove it.
    """
    return APOSTROPHE + text if needs_guard(text) else text


def unguard(text: str) -> str:
    """Return the text that ``guard`` was given: without its first apostrophe if the guard added it."""
    return text[1:] if _GUARDED.match(text) is not None else text


def runs_when_split(text: str) -> bool:
    """Return whether a part of a text may be executed by a program that separates columns by semicolons or tabs.

    Where semicolons separate columns, as in a German Excel, ``x;=1+1`` becomes two cells even inside quotation marks,
    and the second is a formula. An apostrophe before the whole text does not prevent that.
    """
    return any(_PLAIN_NUMBER.fullmatch(part) is None for part in _SPLIT.findall(text))


def count_guarded_cells(table: Table) -> int:
    """Return how many cells and headers get an apostrophe, since a spreadsheet would run their text as a formula.

    Such texts with apostrophes before them count as well: "'=1+1" becomes "''=1+1", so that the guard can be removed.
    Plain numbers such as -5 do not count.
    """
    count = sum(map(needs_guard, table.names))
    for column in table.columns:
        if may_need_guard(column.texts):
            risky = np.fromiter(map(needs_guard, progress.each(column.texts)), dtype=np.bool_, count=len(column.texts))
            count += int(column.text_counts[risky].sum())
    return count


def may_need_guard(texts: Sequence[str]) -> bool:
    """Return whether the formula guard may change one of many texts, by a quick test; only False is certain."""
    return may_match(_ANY_RISKY, texts)


def may_run_when_split(texts: Sequence[str]) -> bool:
    """Return False if surely no text has a part that another separator would turn into a formula; else True.

    A quick test before `runs_when_split`, which decides: True means only that a semicolon or tab was found.
    """
    return may_match(_ANY_SPLIT, texts)


def unguard_columns(columns: Sequence[Column]) -> tuple[Column, ...]:
    """Return columns without the guard's apostrophes before texts that a spreadsheet would run as formulas.

    One is removed from each such name, header and text: "'=1+1" becomes "=1+1", and "''=1+1" becomes "'=1+1". The
    columns have to be guarded, else apostrophes of their own are removed.
    """
    return tuple(
        replace(
            column,
            name=unguard(column.name),
            header=unguard(column.header),
            texts=tuple(map(unguard, column.texts)) if may_match(_ANY_GUARDED, column.texts) else column.texts,
        )
        for column in columns
    )
