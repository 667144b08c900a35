"""Drafts of versions: how strict each setting is, and how a failed check makes it stricter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.results import CheckResult

WHOLE_VERSION = ""
"""Stands for a column where a knob changes the whole version."""
ONE_COLUMN = frozenset({KnobKind.FEWER_VALUES, KnobKind.LEAVE_OUT})
"""Knobs that cost so much that of the columns named by a check only one is changed at a time."""
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
    """How strict each knob is, by kind and column; knobs not named are at 0."""

    notches: Mapping[tuple[KnobKind, str], int] = field(default_factory=dict)

    def notch(self, kind: KnobKind, column: str = WHOLE_VERSION) -> int:
        """Return how strict a setting is in a column, or in the whole version, in notches; 0 where it is not named."""
        return self.notches.get((kind, column), 0)

    def with_notches(self, notches: Mapping[tuple[KnobKind, str], int]) -> Draft:
        """Return a copy of the draft with some settings at other notches; all others stay."""
        return replace(self, notches={**self.notches, **notches})

    def columns(self, kind: KnobKind) -> dict[str, int]:
        """Return the columns in which a setting is turned, each with its notch.

        The key "" stands for a setting of the whole version.
        """
        return {column: notch for (turned, column), notch in self.notches.items() if turned is kind and notch}


class Knobs(Protocol):
    """Protocol of the knobs of a version, read to decide which to turn."""

    def notch(self, kind: KnobKind, column: str) -> int:
        """Return how strict a setting ("knob") is, as asked or as chosen by the search."""

    def most(self, kind: KnobKind, column: str) -> int:
        """Return the strictest notch (step of strictness) of a setting; 0 where the version has no such setting."""

    def named(self, kind: KnobKind, columns: Sequence[str]) -> Sequence[str]:
        """Return the columns in which a setting is turned for a check that names these columns."""

    def values(self, column: str) -> int:
        """Return the number of different values that a column shows."""


Turns = dict[str, dict[tuple[KnobKind, str], int]]
"""The knobs turned for each check, by its id: to which notch, by kind and column."""


def choose_turns(open_checks: Sequence[CheckResult], knobs: Knobs) -> Turns:
    """Return the settings ("knobs") to make stricter by one notch for the checks that did not pass.

    For each check the first of its knobs that can be turned further is taken; a check without one has no entry.

    Parameters
    ----------
    open_checks
        The results that block the version or need a reason. A knob that two checks ask for is turned once; in each
        column one knob is turned at a time, and one column is left out at a time.
    knobs
        The knobs of the judged version.
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
    """Return the columns in which a setting can be made stricter for a check that names some columns.

    Of settings that cost much (`ONE_COLUMN`) only the column with most values. Where the check asks for the setting
    again later, only columns in which it is at 0 count.
    """
    named = (WHOLE_VERSION,) if kind in OF_THE_VERSION else knobs.named(kind, named)
    columns = [column for column in named if knobs.notch(kind, column) < knobs.most(kind, column)]
    if is_asked_again:
        columns = [column for column in columns if not knobs.notch(kind, column)]
    return [max(columns, key=knobs.values)] if kind in ONE_COLUMN and columns else columns
