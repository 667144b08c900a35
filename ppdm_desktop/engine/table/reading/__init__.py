"""Reading a source file: one door, a table and a full account of what was read and what was not."""

from ppdm_desktop.engine.table.reading.import_log import (
    Hidden,
    ImportLog,
    MarkSuggestion,
    Reading,
    UnreadRow,
)
from ppdm_desktop.engine.table.reading.read import read_source
from ppdm_desktop.engine.table.reading.source import hash_file

__all__ = [
    "Hidden",
    "ImportLog",
    "MarkSuggestion",
    "Reading",
    "UnreadRow",
    "hash_file",
    "read_source",
]
