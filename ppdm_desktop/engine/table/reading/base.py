"""The base class of readers: everything that the program needs to know of a file format is declared in one class.

Reading, file dialogs, the command line's help and the common tests are made from these classes; there is no second
list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.wording.values import Term

if TYPE_CHECKING:
    from ppdm_desktop.engine.recipe.models import InputSection
    from ppdm_desktop.engine.table.reading.raw import RawTable

HEAD = 4096
"""So many bytes of a file's beginning are shown to ``claims``."""


class Reader(ABC):
    """A file format that can be read; each format is a subclass in its own module of ``formats/``.

    The format is recognised by a file's content, never by its name; each cell is read as the text that a person sees.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    """How people call it, several names separated by commas."""
    order: ClassVar[int]
    """Place in lists; nothing else depends on it."""
    suffixes: ClassVar[tuple[str, ...]]
    """Usual endings of file names with their dot, for file dialogs only."""
    extra: ClassVar[str | None] = None
    """The extra of the installation that it needs; where that is missing, the refusal names it."""
    honours: ClassVar[frozenset[str]]
    """Keys of ``[input]`` that it obeys; the others are ignored, and that is said (``ignored_options``)."""
    libraries: ClassVar[tuple[str, ...]] = ()
    """Modules of others that only such files need, as they are imported; the report names them."""
    in_child: ClassVar[bool] = False
    """True where what parses the file is to be kept from doing harm: it runs in the capped child process."""

    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """What a plug-in says by text id: title, sentence and remedy in English. Our own stand in the catalogue."""

    @abstractmethod
    def claims(self, head: bytes) -> int:
        """Return how surely a file with this beginning is of this format, from 0 (not at all) to 100 (certain).

        The format with the highest number is taken; formats that the program refuses give numbers, too. Two formats
        must never both be highest.
        """

    @abstractmethod
    def read(self, data: bytes, options: InputSection) -> RawTable:
        """Return the cells of a file as columns of texts.

        Parameters
        ----------
        data
            The whole file.
        options
            The recipe's reading options; only those named in ``honours`` are used.

        Returns
        -------
        Every cell as the text a person sees.

        Raises
        ------
        InputError
            For a file that cannot be read, naming line, sheet or part where there is one; no other error, whatever the
            bytes.
        """


READERS: Registry[Reader] = Registry("ppdm_desktop.engine.table.reading.formats")
register = READERS.register


def read_with(reader: Reader, data: bytes, options: InputSection) -> RawTable:
    """Return the cells that a reader finds in a file; a missing package of the reader becomes an InputError.

    Parameters
    ----------
    reader
        The reader of the file's format.
    data, options
        The bytes of the whole file, and the recipe's section on how to read it.

    Raises
    ------
    InputError
        When the file cannot be read, or a package that the reader needs is missing.
    ModuleNotFoundError
        When a package is missing for a reader that names no extra of the installation.
    """
    try:
        return reader.read(data, options)
    except ModuleNotFoundError as error:
        if reader.extra is None:
            raise
        raise InputError(
            "error.read.extra-missing", args={"format": Term(reader.title), "extra": Term(reader.extra)}
        ) from error
