"""The one registry: every module of this package that registers a method is found by itself."""

from __future__ import annotations

import difflib
import importlib
import pkgutil
from functools import cache
from typing import TypeVar

import ppdm_desktop.engine.methods as package
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.wording.values import Quoted, Term

M = TypeVar("M", bound=type[Method])
_found: dict[str, Method] = {}


def register(method: M) -> M:
    """Class decorator: make a method known by its id."""
    if method.id in _found:
        raise ValueError(f"two methods are called {method.id}")
    _found[method.id] = method()
    return method


@cache
def all_methods() -> dict[str, Method]:
    """Return every method by id, sorted by id."""
    for module in pkgutil.iter_modules(package.__path__):
        importlib.import_module(f"{package.__name__}.{module.name}")
    return dict(sorted(_found.items()))


def find_method(id: str) -> Method:
    """Return a method by id.

    Raises
    ------
    RecipeError
        When no method has this id; the nearest is named.
    """
    methods = all_methods()
    if id not in methods:
        near = difflib.get_close_matches(id, methods, n=1)
        raise RecipeError(
            "error.recipe.unknown-method-near" if near else "error.recipe.unknown-method",
            args={"method": Quoted(id), "known": Term(", ".join(methods)), "near": Quoted("".join(near))},
        )
    return methods[id]
