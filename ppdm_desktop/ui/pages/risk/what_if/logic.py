"""Changes of what is released in words, and as decisions of the recipe; no widget here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.identifiability.generalisation_options import (
    CHARACTERS,
    LEFT_OUT,
    LEVEL,
    MONTHS,
    RANGES,
    RARE,
    WIDTH,
    Change,
)
from ppdm_desktop.engine.identifiability.what_if import Effect, WhatIf
from ppdm_desktop.engine.recipe.models import ColumnSection, Recipe, StepSection
from ppdm_desktop.ui.state.number_words import count, of_hundred

METHOD = "generalize"


def _tr(text: str) -> str:
    return QCoreApplication.translate("Risk", text)


def change_words(change: Change, name: str = "") -> str:
    """Say what a change does to a column, under its own name or a shorter one."""
    name = name or change.column
    if change.way == MONTHS:
        words = {1: _tr("{name} by month"), 3: _tr("{name} by quarter"), 12: _tr("{name} by year")}
        return words[int(change.value or 1)].format(name=name)
    words_of = {
        LEFT_OUT: _tr("Leave out {name}"),
        WIDTH: _tr("{name} in bands of {n}"),
        LEVEL: _tr("{name} coarser, in {groups} groups"),
        RANGES: _tr("{name} in {groups} groups of neighbours"),
        CHARACTERS: _tr("{name}: first {n} characters"),
        RARE: _tr("{name}: rare values as one, {groups} left"),
    }
    number = f"{change.value:g}" if change.value is not None else ""
    return words_of[change.way].format(name=name, n=number, groups=change.groups)


# --- how much a change helps ------------------------------------------------------------


def by_alone(found: WhatIf) -> bool:
    """Say whether changes are compared by the people alone; where nobody is, by the average right match."""
    return found.before.alone > 0


def amount(effect: Effect, *, alone: bool) -> float:
    """Return what changes are compared by."""
    return effect.alone if alone else effect.prosecutor_mean


def amount_words(effect: Effect, *, alone: bool) -> str:
    """Write what changes are compared by."""
    return count(effect.alone) if alone else of_hundred(effect.prosecutor_mean)


def fewer(before: float, after: float) -> float:
    """Return by which share something becomes less; 0 where there was nothing."""
    return 1 - after / before if before else 0.0


def percent_words(share: float) -> str:
    """Write a lessening; never all of it, or nothing, unless exact."""
    rounded = round(100 * share)
    if rounded == 100 and share < 1:
        return _tr(">99 % less")
    if rounded == 0 and share > 0:
        return _tr("<1 % less")
    return f"−{rounded} %" if rounded else "±0 %"


def fewer_words(share: float) -> str:
    """Write a lessening in a sentence."""
    rounded = round(100 * share)
    if rounded == 100 and share < 1:
        return _tr("over 99 % fewer")
    if rounded == 0 and share > 0:
        return _tr("less than 1 % fewer")
    return _tr("{n} % fewer").format(n=rounded) if rounded else _tr("no fewer")


def number_word(number: int) -> str:
    """Write a small number as a word."""
    words = (_tr("two"), _tr("three"), _tr("four"), _tr("five"), _tr("six"), _tr("seven"))
    return words[number - 2] if 2 <= number < len(words) + 2 else count(number)


# --- as decisions -----------------------------------------------------------------------


def can_be_generalised(section: ColumnSection | None) -> bool:
    """Say whether a step may write a column coarser: not where numbers are drawn inside its bins afterwards."""
    return section is None or section.bins is None or section.bins.release != "draw"


def decided(recipe: Recipe, changes: Sequence[Change]) -> Recipe:
    """Return the recipe with changes taken over.

    A column left out gets that role. Coarser columns become a first step ``generalize`` and not
    bins: bins know numbers only, and they would change what the original is taken to be, on this
    page as for rules by status; a step is seen on Protect, can be changed there, and its effect is
    proven on the released file. Earlier rules for the same columns give way.
    """
    gone = {change.column for change in changes if change.way == LEFT_OUT}
    generalised = [change for change in changes if change.way != LEFT_OUT]
    columns = dict(recipe.columns)
    for name in gone:
        section = columns.get(name) or columns.get("*") or ColumnSection(role="left-out")
        columns[name] = section.model_copy(update={"role": LEFT_OUT})
    steps = []
    again = {change.column for change in generalised}
    for step in recipe.steps:
        kept = _without(step, gone | again if step.method == METHOD else gone)
        if kept is not None:
            steps.append(kept)
    return recipe.model_copy(update={"columns": columns, "steps": (*generalize_steps(generalised), *steps)})


def generalize_steps(changes: Sequence[Change]) -> tuple[StepSection, ...]:
    """Return the steps that make these columns coarser: one, and one for each share of rare values."""
    named: dict[str, dict[str, float]] = {}
    rare: dict[float, list[str]] = {}
    for change in changes:
        assert change.value is not None
        if change.way == RARE:
            rare.setdefault(change.value, []).append(change.column)
        else:
            named.setdefault(change.way, {})[change.column] = change.value
    steps = []
    columns = tuple(change.column for change in changes if change.way != RARE)
    if columns:
        steps.append(StepSection(method=METHOD, columns=columns, parameters=dict(named)))
    for share, names in sorted(rare.items()):
        steps.append(StepSection(method=METHOD, columns=tuple(names), parameters={RARE: share}))
    return tuple(steps)


def _without(step: StepSection, names: set[str]) -> StepSection | None:
    """Return a step that no longer speaks of some columns; None when it spoke of no other."""
    columns = None if step.columns is None else tuple(name for name in step.columns if name not in names)
    if columns == () and step.columns:
        return None
    parameters: dict[str, object] = {}
    for key, value in step.parameters.items():
        if isinstance(value, Mapping):
            left = {name: each for name, each in value.items() if name not in names}
            if value and not left:
                continue
            parameters[key] = left
        else:
            parameters[key] = value
    return step.model_copy(update={"columns": columns, "parameters": parameters})
