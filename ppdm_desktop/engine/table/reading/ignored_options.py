"""Warnings about reading options that have no effect on a file of this format."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.base import Reader
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted

OF_FORMATS = {
    "sheet": "warning.read.no-sheets",
    "encoding": "warning.read.no-encoding",
    "delimiter": "warning.read.no-delimiter",
    "decimal": "warning.read.no-decimal",
    "header_row": "warning.read.no-header-row",
}
"""Keys of ``[input]`` that a format may have no use for, and the text id that says so; the door obeys all others."""
_QUOTED = frozenset({"sheet", "encoding", "header_row"})


def note_ignored_options(reader: Reader, raw: RawTable, options: InputSection) -> list[Note]:
    """Return a warning for each option that the recipe names and that had no effect on this file.

    An option whose value is that with which the file was read anyway gives no warning.

    Parameters
    ----------
    reader
        The reader of the file, which declares the options it uses.
    raw
        The cells that were read.
    options
        The options asked for.
    """
    notes = []
    for key, id in OF_FORMATS.items():
        wanted = getattr(options, key)
        if key not in reader.honours and wanted not in (None, getattr(raw, key)):
            notes.append(
                Note(id, {key: Quoted(wanted) if isinstance(wanted, str) else wanted} if key in _QUOTED else {})
            )
    return notes
