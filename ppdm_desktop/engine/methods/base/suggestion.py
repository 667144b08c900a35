"""Suggestions of a method for a table: sets of parameters, each with a short description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.wording.catalogue import Sentence


@dataclass(frozen=True)
class Suggestion:
    """One suggested way to use a method on a table.

    Attributes
    ----------
    words
        What becomes of the table, in a few plain words.
    parameters
        What is set; everything else stays as it is by default or as the levels ask.
    """

    words: Sentence
    parameters: Mapping[str, object] = field(default_factory=dict)


def least_group(table: Table) -> int:
    """Return the smallest group that any level in use demands, at least two."""
    return max(int(table.levels.of("group").min(initial=10**9)), 2) if table.levels is not None and table.rows else 2


def strictest_group(table: Table) -> int:
    """Return the largest group that any level in use demands, at least two."""
    return max(int(table.levels.of("group").max(initial=2)), 2) if table.levels is not None else 2
