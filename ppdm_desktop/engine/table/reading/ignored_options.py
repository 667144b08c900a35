"""Reading options that say nothing about a file of this kind: passed over, and said."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.texts import Note


def passed_over(raw: RawTable, options: InputSection) -> list[Note]:
    """Return a note for each option that was named and had no effect.

    The options that a reading fills in name nothing of the kind, so reading again with them adds no note.

    Parameters
    ----------
    raw
        What was read: text has no sheet, a workbook no encoding and no delimiter.
    options
        The options asked for.
    """
    notes = []
    if raw.sheet is None and options.sheet is not None:
        notes.append(Note("warning.read.no-sheets", {"sheet": options.sheet}))
    if raw.encoding is None and options.encoding is not None:
        notes.append(Note("warning.read.no-encoding", {"encoding": options.encoding}))
    if raw.delimiter is None and options.delimiter is not None:
        notes.append(Note("warning.read.no-delimiter", {}))
    if raw.decimal is not None and options.decimal not in (None, raw.decimal):
        notes.append(Note("warning.read.no-decimal", {}))
    return notes
