"""Drafts of versions: how strict each setting ("knob") is, and how a failed check makes it stricter.

Strictness is counted in degrees ("notches") from 0.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.results import CheckResult

WHOLE_VERSION = ""
"""Used instead of a column's name for a setting of the whole version."""
ONE_COLUMN = frozenset({KnobKind.FEWER_VALUES, KnobKind.LEAVE_OUT})
"""Settings that cost so much that only one of the columns named by a check is changed at a time."""
OF_THE_VERSION = frozenset(
    {
        KnobKind.GAPS,
        KnobKind.GROUP_SIZE,
        KnobKind.VALUES_IN_GROUP,
        KnobKind.CLOSENESS,
        KnobKind.ALL_COLUMNS,
        KnobKind.GROUP_COLUMNS,
        KnobKind.NOISE,
        KnobKind.SOURCE_GROUP,
    }
)


@dataclass(frozen=True)
class Draft:
    """How strict each setting is, by kind and column; settings that are not named are at 0."""

    notches: Mapping[tuple[KnobKind, str], int] = field(default_factory=dict)

    def notch(self, kind: KnobKind, column: str = WHOLE_VERSION) -> int:
        """Return how strict a setting is in a column, or in the whole version; 0 if it is not named."""
        return self.notches.get((kind, column), 0)

    def with_notches(self, notches: Mapping[tuple[KnobKind, str], int]) -> Draft:
        """Return a copy of the draft with some settings at other degrees of strictness; all others stay."""
        return replace(self, notches={**self.notches, **notches})

    def columns(self, kind: KnobKind) -> dict[str, int]:
        """Return the columns in which a setting is above 0, each with its degree of strictness.

        The key "" stands for a setting of the whole version.
        """
        return {column: notch for (turned, column), notch in self.notches.items() if turned is kind and notch}


class Knobs(Protocol):
    """Protocol of the settings ("knobs") of a version, read to decide which to make stricter."""

    def notch(self, kind: KnobKind, column: str) -> int:
        """Return how strict a setting is, as the draft asks or as chosen by the search."""

    def get_strictest_degree(self, kind: KnobKind, column: str) -> int:
        """Return the strictest degree of a setting; 0 if the version has no such setting."""

    def list_columns_to_change(self, kind: KnobKind, columns: Sequence[str]) -> Sequence[str]:
        """Return the columns in which a setting is made stricter for a check that names these columns."""

    def values(self, column: str) -> int:
        """Return the number of different values that a column shows."""


Turns = dict[str, dict[tuple[KnobKind, str], int]]
"""The settings made stricter for each check, by its id: to which degree, by kind and column."""


def choose_turns(open_checks: Sequence[CheckResult], knobs: Knobs) -> Turns:
    """Return by check id the settings to make stricter: for each (kind, column) the new degree, one above the present.

    A check gets the first kind it is answered by that can be made stricter, in all its columns where this is possible
    (generalising and leaving out: in one column). If an earlier check changes another kind in a column, that column is
    skipped, and without a column the next kind is tried. Two checks may ask for the same setting; both then name it,
    with the same degree. Only one column is left out in all: a second check that comes to leaving out gets no entry.
    Neither does a check for which nothing can be made stricter. For a check that names no column one is left out only
    if leaving out rows with rare patterns of empty cells answers it as well. A setting of the whole version has the
    column name "".

    Parameters
    ----------
    open_checks
        The results that block the version or need a reason; earlier ones choose first.
    knobs
        The settings of the judged version.
    """
    turns: Turns = {}
    taken: dict[str, KnobKind] = {}
    for result in open_checks:
        kinds = find_check(result.id).answered_by
        for index, kind in enumerate(kinds):
            if kind is KnobKind.LEAVE_OUT and not result.columns and KnobKind.GAPS not in kinds:
                continue  # only where gaps identify a person, the column to leave out is found without its name
            columns = _columns_to_turn(kind, result.columns, knobs, is_asked_again=kind in kinds[index + 1 :])
            columns = [column for column in columns if taken.get(column, kind) is kind or column == WHOLE_VERSION]
            if columns and kind is KnobKind.LEAVE_OUT and kind in taken.values():
                break  # without the first column the check may be passed
            if columns:
                taken |= dict.fromkeys(columns, kind)
                turns[result.id] = {(kind, column): knobs.notch(kind, column) + 1 for column in columns}
                break
    return turns


def _columns_to_turn(kind: KnobKind, named: Sequence[str], knobs: Knobs, *, is_asked_again: bool) -> list[str]:
    """Return the columns in which a setting can be made stricter by one degree for a check that names some columns.

    They are among those that ``knobs`` proposes for the ``named`` ones, in its order; for a setting of the whole
    version the name is "". For generalising and leaving out, which cost much, only the column with most different
    values. If the check lists the setting a second time (``is_asked_again``), only columns in which it is still off
    (degree 0). Empty if it is at its strictest everywhere.
    """
    named = (WHOLE_VERSION,) if kind in OF_THE_VERSION else knobs.list_columns_to_change(kind, named)
    columns = [column for column in named if knobs.notch(kind, column) < knobs.get_strictest_degree(kind, column)]
    if is_asked_again:
        columns = [column for column in columns if not knobs.notch(kind, column)]
    return [max(columns, key=knobs.values)] if kind in ONE_COLUMN and columns else columns
