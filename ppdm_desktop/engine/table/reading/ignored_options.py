"""Warnings about reading options that have no effect on a file of this format."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.base import Reader
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted, Term

OF_FORMATS = ("sheet", "encoding", "delimiter", "decimal", "header_row")
"""Keys of ``[input]`` that a format may have no use for; the door obeys all others."""


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
    return [
        Note("warning.read.option-ignored", {"key": Term(key), "value": Quoted(str(wanted))})
        for key in OF_FORMATS
        if key not in reader.honours and (wanted := getattr(options, key)) not in (None, getattr(raw, key))
    ]
