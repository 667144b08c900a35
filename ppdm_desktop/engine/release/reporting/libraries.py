"""The declared libraries that took part in a run, with their versions.

Libraries are declared once, in ``pyproject.toml``. A library took part when the run has loaded it. A library that only
a file format needs took part when a file of that format was read or written: it may have been loaded for another file.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from functools import cache
from importlib import metadata

from ppdm_desktop.engine.table.reading.registry import all_readers
from ppdm_desktop.engine.table.writing.registry import all_writers

OWN = "ppdm-desktop"
"""Under which name the program itself is installed."""
_NAME = re.compile(r"[A-Za-z0-9._-]+")
_EXTRA = re.compile(r"extra == ['\"]([\w-]+)['\"]")
_WINDOW = frozenset({"PySide6", "pyqtgraph"})
"""Draw pages, charts and their PDF, and work out nothing that a report states."""


@cache
def list_declared_libraries() -> tuple[str, ...]:
    """Return the names of the libraries that an installation may have, in the order of declaration.

    Libraries of an extra (optional group of requirements) are included if a file reader needs the extra; they are
    installed only on request. Empty where the installation has no metadata.
    """
    try:
        required = metadata.requires(OWN) or []
    except metadata.PackageNotFoundError:
        return ()
    extras = {reader.extra for reader in all_readers().values()}
    return tuple(
        name_match[0]
        for requirement in required
        if ((of := _EXTRA.search(requirement)) is None or of[1] in extras) and (name_match := _NAME.match(requirement))
    )


@cache
def modules_of(name: str) -> frozenset[str]:
    """Return the import names of a library; empty where it is not installed.

    They are those listed in its file top_level.txt, or else the packages and modules at the top of its files.

    Parameters
    ----------
    name
        Name under which the library is installed.
    """
    try:
        installed = metadata.distribution(name)
    except metadata.PackageNotFoundError:
        return frozenset()
    if (listed := installed.read_text("top_level.txt")) is not None:
        return frozenset(listed.split())
    packages = (file.parts for file in installed.files or () if file.name == "__init__.py" or len(file.parts) == 1)
    return frozenset(parts[0].removesuffix(".py") for parts in packages if len(parts) <= 2)


_find_library_version = cache(metadata.version)
"""Returns the installed version of a library; raises PackageNotFoundError where it is not installed."""


def libraries_used(source: str, release: str, loaded: Iterable[str] | None = None) -> dict[str, str]:
    """Return the versions of the declared libraries that took part in a run, by name, in the order of declaration.

    A library took part if one of its modules is loaded. A library that file formats need took part if one of its
    formats was read or written, whether loaded or not. Libraries that only draw the window are left out.

    Parameters
    ----------
    source, release
        Ids of the formats read and written.
    loaded
        Names of imported modules; those of this process when left out.
    """
    readers, writers = all_readers(), all_writers()
    reading = {id: frozenset(reader.libraries) for id, reader in readers.items()}
    writing = {id: frozenset(writer.libraries) for id, writer in writers.items()}
    of_formats = frozenset[str]().union(*reading.values(), *writing.values())
    used = set(reading.get(source, ())) | set(writing.get(release, ()))
    used |= {name.partition(".")[0] for name in tuple(sys.modules if loaded is None else loaded)} - of_formats
    return {
        name: _find_library_version(name)
        for name in list_declared_libraries()
        if _WINDOW.isdisjoint(modules := modules_of(name)) and not modules.isdisjoint(used)
    }
