"""Reading a source file into a table, with a full account of what was read and what was not.

The names of this module are imported at first use, since a list of the formats needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.import_log import Hidden, ImportLog, MarkSuggestion, Reading, UnreadRow
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

_ELSEWHERE = {"hash_file": "source", "read_source": "read"}
"""Modules of what does not stand in that of the import log."""


def __getattr__(name: str) -> Any:
    """Return a name of this package, importing its module at first use; raise AttributeError for an unknown name."""
    if name not in __all__:
        raise AttributeError(name)
    value = getattr(import_module(f"{__name__}.{_ELSEWHERE.get(name, 'import_log')}"), name)
    globals()[name] = value
    return value
