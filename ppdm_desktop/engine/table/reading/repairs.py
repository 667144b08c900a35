"""Making the repairs that the owner asked for, by replacing texts before the kinds of columns are guessed.

Nothing here guesses; `proposals` does, and never changes anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine.arrays import Codes
from ppdm_desktop.engine.recipe.models import RepairSection
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.reading.amounts import AmountForm
from ppdm_desktop.engine.table.reading.date_forms import is_unmarked, serial_date, to_iso_dates, unify_iso_moments


@dataclass(frozen=True, eq=False)
class SourceColumn:
    """A column as the reader found it, kept for later messages.

    Attributes
    ----------
    codes, texts
        Code of each row, and the distinct texts. A text cell and a stored number with the same text have two codes.
    typed
        The codes of cells that are stored as numbers, dates or booleans.
    """

    codes: Codes
    texts: tuple[str, ...]
    typed: Codes


@dataclass(frozen=True, eq=False)
class Repaired:
    """A column after its repair.

    Attributes
    ----------
    column
        The column with the new texts, equal ones merged.
    typed
        The codes of texts that are never read again: cells stored as numbers or dates, and what was read here.
    changed
        How many cells have another text than before.
    unread
        Texts that the repair could not read as amounts or dates, with how many cells have them.
    """

    column: Column
    typed: Codes
    changed: int
    unread: tuple[tuple[str, int], ...]


def repair(column: Column, typed: Codes, section: RepairSection, decimal: str = ".") -> Repaired:
    """Return a column repaired as its recipe section says: first words are replaced, then amounts or dates read.

    Texts that the section calls missing are missing then, and neither they nor other missing texts are read. A cell
    that is no amount or date keeps its text (or the word put in its place) and is listed as unread; how many cells
    changed is counted. Where dates or day numbers are read, stored numbers become dates, too, and all dates get one
    form.

    Parameters
    ----------
    column
        The column as read; two codes may have the same text.
    typed
        Codes of cells that are stored as numbers, dates or booleans, and are not read again (except as day numbers).
    section
        The repairs.
    decimal
        The decimal mark with which amounts are written.
    """
    missing = column.missing_texts | frozenset(section.missing or ())
    values = section.values or {}
    old = list(column.texts)
    new = [values.get(text, text) for text in old]
    counts = np.bincount(column.codes, minlength=len(old))
    is_typed = np.zeros(len(old), dtype=np.bool_)
    is_typed[typed] = True
    open_codes = [code for code in np.flatnonzero(~is_typed & (counts > 0)).tolist() if new[code] not in missing]
    unread: tuple[tuple[str, int], ...] = ()
    if section.amounts or section.dates:
        read = read_texts([new[code] for code in open_codes], section, decimal)
        left: dict[str, int] = {}
        for code, text in zip(open_codes, read, strict=True):
            if text is None:
                left[new[code]] = left.get(new[code], 0) + int(counts[code])
            else:
                new[code] = text
                is_typed[code] = True
        unread = tuple(sorted(left.items(), key=lambda item: (-item[1], item[0])))
    if section.dates or section.serials is not None:
        dated = np.flatnonzero(is_typed & (counts > 0)).tolist()
        for code, moment in zip(
            dated, unify_iso_moments(decode_stored_dates([new[code] for code in dated], section)), strict=True
        ):
            new[code] = moment
    changed = sum(int(number) for text, repaired, number in zip(old, new, counts.tolist()) if text != repaired)
    made, typed_codes = merge_equal_texts(
        replace(column, missing_texts=missing), new, np.flatnonzero(is_typed).astype(np.int32)
    )
    return Repaired(made, typed_codes, changed, unread)


def read_texts(texts: Sequence[str], section: RepairSection, decimal: str) -> list[str | None]:
    """Return each text as a plain number if the repair is about amounts, else as an ISO date; None where it is none.

    In the form that the section states, "1.234,50 €" may give "1234.50", and by its patterns "3.5.2020 8:30" may give
    "2020-05-03T08:30". ``decimal`` is the decimal mark for the resulting numbers.
    """
    if section.amounts:
        return AmountForm.of(section).read(texts, decimal)
    return to_iso_dates(texts, section.dates or (), section.century_from, section.serials)


def decode_stored_dates(texts: Sequence[str], section: RepairSection) -> list[str]:
    """Return stored numbers as ISO dates, by the section's system of day numbers or by its patterns of digits alone.

    44000 becomes 2020-06-18 in the system of 1900; 20200618 becomes 2020-06-18 with the pattern ``%Y%m%d``. A text that
    the section cannot read in this way is returned unchanged.
    """
    if (system := section.serials) is not None:
        texts = [serial_date(text, system) or text for text in texts]
    forms = [form for form in section.dates or () if is_unmarked(form)]
    days = to_iso_dates(texts, forms, None, None) if forms else texts
    return [day or text for day, text in zip(days, texts, strict=True)]


def merge_equal_texts(column: Column, texts: Sequence[str], typed: Codes) -> tuple[Column, Codes]:
    """Return a column with a new text for each code, equal texts merged, and the codes of its stored numbers or dates.

    Codes 0, 1, 2 with the new texts "p", "q", "p" become 0, 1, 0. A merged code counts as stored (``typed``) if one of
    its parts did. If nothing is merged, the codes stay as they are.
    """
    code_of: dict[str, int] = {}
    codes = np.fromiter((code_of.setdefault(text, len(code_of)) for text in texts), dtype=np.int32, count=len(texts))
    if len(code_of) == len(texts):
        return (column if tuple(texts) == column.texts else replace(column, texts=tuple(texts))), typed
    made = codes[column.codes] if len(codes) else column.codes
    return replace(column, codes=made, texts=tuple(code_of)), np.unique(codes[typed]).astype(np.int32)
