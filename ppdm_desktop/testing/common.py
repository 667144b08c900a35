"""What batteries share: saying what fails, and seeing whether a candidate was changed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from ppdm_desktop.engine.release.attack_audit.base import Attack
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.gate.base import Check
from ppdm_desktop.engine.table.column import Column


def hold(declared: Attack | Check, holds: bool, words: str) -> None:
    """Raise AssertionError naming the declaration, unless something holds."""
    if not holds:
        raise AssertionError(f"{declared.id}: {words}")


def digest_of(candidate: Candidate, columns: Iterable[Column] = ()) -> bytes:
    """Return a hash over the tables of a candidate, and of some columns more."""
    hashed = hashlib.sha256()
    tables = (candidate.prepared.original, candidate.prepared.table, candidate.final, candidate.released)
    for column in (*(column for table in tables for column in table.columns), *columns):
        hashed.update(repr((column.name, column.texts)).encode())
        hashed.update(column.codes.tobytes())
    hashed.update(candidate.row_order.tobytes())
    return hashed.digest()
