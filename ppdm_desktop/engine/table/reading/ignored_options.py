"""Reading options that say nothing about a file of this kind: ignored, and said."""

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


def ignored(reader: Reader, raw: RawTable, options: InputSection) -> list[Note]:
    """Return a note for each option that was named and had no effect.

    The options that a reading fills in name nothing of the kind, so reading again with them adds no note.

    Parameters
    ----------
    reader
        Who read the file, and says which options it obeys.
    raw
        What was read.
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
