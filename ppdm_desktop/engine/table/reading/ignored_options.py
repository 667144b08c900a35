"""Warnings about reading options that have no effect on a file of this format."""

from __future__ import annotations

from ppdm_desktop.engine.recipe.models import InputSection
from ppdm_desktop.engine.table.reading.raw import RawTable
from ppdm_desktop.engine.wording.texts import Note, Title, declare_text
from ppdm_desktop.engine.wording.values import Quoted, Term

OF_FORMATS = {
    "sheet": declare_text("setting.sheet", title="Sheet"),
    "encoding": declare_text("setting.encoding", title="Text encoding"),
    "delimiter": declare_text("setting.delimiter", title="Columns separated by"),
    "decimal": declare_text("setting.decimal", title="Decimal mark"),
    "header_row": declare_text("setting.header-row", title="Column names are in row"),
}
"""Keys of ``[input]`` that a format may have no use for, with the ids of their labels and help in the window."""


def note_ignored_options(honours: frozenset[str], raw: RawTable, options: InputSection) -> list[Note]:
    """Return a list with a warning for each option that the recipe names and that had no effect on this file.

    The options are sheet, encoding, delimiter, decimal mark and header row; an example is an encoding for a workbook.
    An option whose value is that with which the file was read anyway gives no warning.

    Parameters
    ----------
    honours
        The options that the file's reader uses.
    raw
        The cells that were read.
    options
        The options asked for.
    """
    return [
        Note("warning.read.option-ignored", {"key": Title(id), "option": Term(key), "value": Quoted(str(wanted))})
        for key, id in OF_FORMATS.items()
        if key not in honours and (wanted := getattr(options, key)) not in (None, getattr(raw, key))
    ]
