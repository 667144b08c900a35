"""Registries of declarations (of methods, readers and so on): each is a class in a file of a package.

A registry finds them by importing the package's modules.
"""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from ppdm_desktop.engine.wording.texts import refuse_unknown_texts


class Declared(Protocol):
    """The attributes that every declaration has: an id, and a number by which lists are sorted."""

    id: ClassVar[str]
    order: ClassVar[int]


T = TypeVar("T", bound=Declared)
C = TypeVar("C", bound=type[Any])


class Registry(Generic[T]):
    """The declarations of one kind, such as all methods, by id.

    Parameters
    ----------
    package
        Dotted name of the package that has a file for each declaration.
    """

    def __init__(self, package: str) -> None:
        """Create an empty registry; the first call of ``all`` imports the modules of ``package``."""
        self._package = package
        self._entries: dict[str, T] = {}
        self._imported = False

    def register(self, declared: C) -> C:
        """Register an instance of a class under its id, and return the class, so that this can be a decorator.

        Raises
        ------
        ValueError
            When the id is already registered, or an attribute names a text that does not exist.
        """
        refuse_unknown_texts(declared)
        if declared.id in self._entries:
            raise ValueError(f"two declarations of {self._package} are called {declared.id}")
        self._entries[declared.id] = declared()
        return declared

    def all(self) -> dict[str, T]:
        """Return every declaration by id, sorted by ``order`` and then id.

        The first call imports the modules of the package first.
        """
        if not self._imported:
            package = importlib.import_module(self._package)
            for module in pkgutil.iter_modules(package.__path__):
                importlib.import_module(f"{self._package}.{module.name}")
            # Asked for thousands of times in a run, and to look through a folder takes a millisecond.
            self._imported = True
        return dict(sorted(self._entries.items(), key=lambda item: (item[1].order, item[0])))

    def nearest(self, id: str) -> str:
        """Return the registered id most similar in spelling to an unknown one; "" where none is similar."""
        return "".join(difflib.get_close_matches(id, self.all(), n=1))

    def forget(self, id: str) -> None:
        """Remove the declaration with this id, such as one registered for a trial; raise KeyError if there is none."""
        del self._entries[id]
