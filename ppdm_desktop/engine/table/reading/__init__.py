"""Reading a source file into a table, with a full account of what was read and what was not.

The names of this module are imported at first use, since a list of the formats needs none of them.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ppdm_desktop.engine.table.reading.import_log import ImportLog, Reading
    from ppdm_desktop.engine.table.reading.read import read_source
    from ppdm_desktop.engine.table.reading.source import hash_file

__all__ = ["ImportLog", "Reading", "hash_file", "read_source"]

_MODULES = {"ImportLog": "import_log", "Reading": "import_log", "hash_file": "source", "read_source": "read"}


def __getattr__(name: str) -> Any:
    """Return a name of this package, importing its module at first use; raise AttributeError for an unknown name."""
    if name not in _MODULES:
        raise AttributeError(name)
    return getattr(import_module(f"{__name__}.{_MODULES[name]}"), name)
