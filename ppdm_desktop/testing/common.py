"""Helpers of all batteries: assertions that name the tested declaration, and hashes that reveal changed tables."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from ppdm_desktop.engine.errors import Cancelled
from ppdm_desktop.engine.methods.base.declaration import METHODS, Method
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.release.attack_audit.base import Attack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.base import Check
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.reading.base import Reader
from ppdm_desktop.engine.wording.texts import add_texts, all_texts, remove_texts


def hold(declared: Attack | Check | Method, holds: bool, text: str) -> None:
    """Raise an AssertionError that names a declaration, unless ``holds`` is true.

    Parameters
    ----------
    declared
        The tested declaration.
    holds
        The condition that has to be true.
    text
        What is wrong if it is not true.

    Raises
    ------
    AssertionError
        Naming the declaration and ``text``.
    """
    if not holds:
        raise AssertionError(f"{declared.id}: {text}")


def check_description(declared: Attack | Check | Method, told: Mapping[str, object]) -> None:
    """Check that a declaration says something under each key of ``told``, and that its id is one.

    An id has small letters, digits and hyphens only. Raises AssertionError otherwise.
    """
    for key, text in told.items():
        hold(declared, bool(str(text or "").strip()), f"says nothing as its {key}")
    hold(declared, declared.id == declared.id.lower() and declared.id.replace("-", "").isalnum(), "its id is no id")


def count_cancellation_points(declared: Attack | Check, run: Callable[[], object], *, ends_only: bool = False) -> int:
    """Return how often some work asks whether to stop, after checking that it ends when cancelled each time.

    Raises AssertionError if the work goes on.

    Parameters
    ----------
    declared
        The declaration that is tested, named in the error.
    run
        The work.
    ends_only
        Whether it is cancelled only the first and the last time that it asks.
    """
    seen = 0

    def count() -> None:
        """Count one more cancellation point reached."""
        nonlocal seen
        seen += 1

    Progress(give_way=count).run(run)
    for index in sorted({0, seen - 1} if ends_only and seen else range(seen)):
        left = iter(range(index))

        def stop(left: Iterator[int] = left) -> None:
            """Raise Cancelled at the point whose turn it is; do nothing at others."""
            if next(left, None) is None:
                raise Cancelled

        try:
            Progress(give_way=stop).run(run)
        except Cancelled:
            continue
        raise AssertionError(f"{declared.id}: goes on although it was stopped")
    return seen


@contextmanager
def with_texts(declared: Attack | Method | Reader) -> Iterator[None]:
    """Register the texts of a tested class, yield, and remove these texts after the ``with`` block.

    Texts that were registered before stay.

    Raises
    ------
    AssertionError
        When the class uses the id of an existing text for another text.
    """
    new = {id: text for id, text in declared.texts.items() if id not in all_texts()}
    taken = add_texts(declared.texts)
    if taken:
        raise AssertionError(f"{declared.id}: changes texts that there are: {', '.join(taken)}")
    try:
        yield
    finally:
        remove_texts(new)


@contextmanager
def with_method(cls: type[Method]) -> Iterator[None]:
    """Register a tested method, yield, and remove it after the ``with`` block, unless it was registered before.

    Raises
    ------
    AssertionError
        When another method has its id, or when it uses the id of an existing text for another text.
    """
    there = METHODS.all().get(cls.id)
    hold(cls(), there is None or type(there) is cls, "is the id of another method")
    with with_texts(cls()), with_registered(METHODS, cls):
        yield


@contextmanager
def with_registered(registry: Registry[Any], cls: type[Method | Reader]) -> Iterator[None]:
    """Register a tested class during the ``with`` block, unless it is registered already.

    Parameters
    ----------
    registry
        Where it is registered.
    cls
        The class, by its id.

    Yields
    ------
    None
        While it is registered.
    """
    if cls.id in registry.all():
        yield
        return
    registry.register(cls)
    try:
        yield
    finally:
        registry.forget(cls.id)


def digest_of(candidate: Candidate, columns: Iterable[Column] = ()) -> bytes:
    """Return a hash (SHA-256, 32 bytes) of a candidate's tables and row order, and of further columns.

    The tables are the original, the prepared, the final and the released one. The order of columns matters.
    """
    hashed = hashlib.sha256()
    tables = (candidate.prepared.original, candidate.prepared.table, candidate.final, candidate.released)
    for column in (*(column for table in tables for column in table.columns), *columns):
        hashed.update(repr((column.name, column.texts)).encode())
        hashed.update(column.codes.tobytes())
    hashed.update(candidate.row_order.tobytes())
    return hashed.digest()
