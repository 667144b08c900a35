"""Changes of columns in words, and as the steps of a version; no widgets."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.identifiability.what_if import (
    CHARACTERS,
    LEFT_OUT,
    LEVEL,
    MONTHS,
    RANGES,
    RARE,
    WIDTH,
    Change,
    Effect,
    WhatIf,
)
from ppdm_desktop.engine.methods.base.declaration import KnobKind, all_methods
from ppdm_desktop.engine.recipe.models import ColumnSection, StepSection
from ppdm_desktop.engine.release.planning.chains import column_knobs
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.numbers import MINUS
from ppdm_desktop.engine.wording.values import Ratio, Term
from ppdm_desktop.ui.pages.risk.texts import make_number_writer


def describe_change(change: Change, name: str = "") -> str:
    """Return what a change does to a column, such as "Age: leave out"; ``name`` replaces the column's name.

    Other examples are "Date: by quarter", "Age: bands of 10" and "Postcode: first 3 characters".
    """
    column, groups = Term(name or change.column), change.groups
    value = change.value or 0
    if change.way == LEFT_OUT:
        return _("{name}: leave out", name=column)
    if change.way == MONTHS:
        return {
            1: _("{name}: by month", name=column),
            3: _("{name}: by quarter", name=column),
            12: _("{name}: by year", name=column),
        }.get(int(value)) or _("{name}: by {n} years", name=column, n=int(value) // 12)
    if change.way == WIDTH:
        width = Term(make_number_writer().ticks((value,))[0])  # as exactly as it is decided
        return _("{name}: bands of {n}", name=column, n=width)
    if change.way == LEVEL:
        return _("{name}: {groups} broader {groups:value|values}", name=column, groups=groups)
    if change.way == RANGES:
        return _("{name}: {groups} {groups:band|bands}", name=column, groups=groups)
    if change.way == CHARACTERS:
        return _("{name}: first {n} {n:character|characters}", name=column, n=int(value))
    assert change.way == RARE
    return _("{name}: rare values combined, {groups} left", name=column, groups=groups)


# --- how much a change helps ------------------------------------------------------------


def is_compared_by_unique(what_if: WhatIf) -> bool:
    """Return whether changes are compared by the number of unique people, else by the average risk.

    The average risk is used if nobody is unique.
    """
    return what_if.before.unique_people > 0


def pick_compared_figure(effect: Effect, *, by_unique: bool) -> float:
    """Return the figure by which changes are compared: unique people if ``by_unique``, else average risk (0 to 1)."""
    return effect.unique_people if by_unique else effect.prosecutor_mean


def format_compared_figure(effect: Effect, *, by_unique: bool) -> str:
    """Return the figure by which changes are compared as text: unique people if ``by_unique``, else the average risk.

    The number of people is written like "1,204", the average risk in per cent.
    """
    return (
        make_number_writer().count(effect.unique_people)
        if by_unique
        else make_number_writer().percent(effect.prosecutor_mean)
    )


def compute_decrease(before: float, after: float) -> float:
    """Return a decrease as a share of ``before``: 0.25 from 4 to 3, negative for a rise, 0 if ``before`` is 0."""
    return 1 - after / before if before else 0.0


def format_decrease(share: float) -> str:
    """Return a decrease (a share) in per cent with a minus sign, such as "−25%"; a rise is shown as 0.

    0 and 100 % are written only if they are exact; a share very close to them is described in words.
    """
    less = max(share, 0.0)
    text = make_number_writer().percent(less)
    if less and not text[0].isdigit():
        return _("{share} fewer", share=Ratio(less))
    return f"{MINUS}{text}" if less else text


# --- as steps ---------------------------------------------------------------------------


def can_be_generalised(section: ColumnSection | None) -> bool:
    """Return whether a step may generalise a column, given what the recipe says of it (None: nothing, so it may).

    Columns whose numbers are drawn at random within their groups may not be generalised.
    """
    return section is None or section.bins is None or section.bins.release != "draw"


def version_steps(changes: Sequence[Change]) -> tuple[StepSection, ...]:
    """Return the steps that make these changes: one that leaves out columns, then one that generalises others.

    A step without columns is omitted, so the tuple has 0 to 2 steps. The changes are those of different columns.
    """
    gone = tuple(change.column for change in changes if change.way == LEFT_OUT)
    (leaving_out, *_) = (method.id for method, knob in column_knobs() if knob.kind is KnobKind.LEAVE_OUT)
    left_out = (StepSection(method=leaving_out, columns=gone),) if gone else ()
    return (*left_out, *_make_generalising_steps([change for change in changes if change.way != LEFT_OUT]))


def _make_generalising_steps(changes: Sequence[Change]) -> tuple[StepSection, ...]:
    """Return a tuple with the step that generalises these columns as decided; it is empty without changes."""
    named: dict[str, dict[str, float]] = {}
    for change in changes:
        assert change.value is not None
        named.setdefault(change.way, {})[change.column] = change.value
    if not named:
        return ()
    columns = tuple(change.column for change in changes)
    broadening = next(id for id, method in all_methods().items() if method.broadens_values)
    return (StepSection(method=broadening, columns=columns, parameters=dict(named)),)
