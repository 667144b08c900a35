"""Changes of what is released in words, and as decisions of the recipe; no widget here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.recipe.models import ColumnSection, Recipe, StepSection
from ppdm_desktop.engine.wording.catalogue import say
from ppdm_desktop.engine.wording.numbers import MINUS
from ppdm_desktop.engine.wording.values import Ratio, Term
from ppdm_desktop.ui.pages.risk.words import writer


def change_words(change: Change, name: str = "") -> str:
    """Say what a change does to a column, under its own name or a shorter one."""
    column, groups = Term(name or change.column), change.groups
    value = change.value or 0
    if change.way == LEFT_OUT:
        return say("risk", "{name}: leave out", name=column)
    if change.way == MONTHS:
        return {
            1: say("risk", "{name}: by month", name=column),
            3: say("risk", "{name}: by quarter", name=column),
            12: say("risk", "{name}: by year", name=column),
            60: say("risk", "{name}: by 5 years", name=column),
            120: say("risk", "{name}: by 10 years", name=column),
        }[int(value)]
    if change.way == WIDTH:
        width = Term(writer().ticks((value,))[0])  # as exactly as it is decided
        return say("risk", "{name}: bands of {n}", name=column, n=width)
    if change.way == LEVEL:
        return say("risk", "{name}: {groups} broader {groups:value|values}", name=column, groups=groups)
    if change.way == RANGES:
        return say("risk", "{name}: {groups} {groups:band|bands}", name=column, groups=groups)
    if change.way == CHARACTERS:
        return say("risk", "{name}: first {n} {n:character|characters}", name=column, n=int(value))
    assert change.way == RARE
    return say("risk", "{name}: rare values combined, {groups} left", name=column, groups=groups)


# --- how much a change helps ------------------------------------------------------------


def by_alone(found: WhatIf) -> bool:
    """Say whether changes are compared by the unique people; where nobody is, by the average chance of being found."""
    return found.before.alone > 0


def amount(effect: Effect, *, alone: bool) -> float:
    """Return what changes are compared by."""
    return effect.alone if alone else effect.prosecutor_mean


def amount_words(effect: Effect, *, alone: bool) -> str:
    """Write what changes are compared by."""
    return writer().count(effect.alone) if alone else writer().percent(effect.prosecutor_mean)


def fewer(before: float, after: float) -> float:
    """Return by which share something becomes less; 0 where there was nothing."""
    return 1 - after / before if before else 0.0


def percent_words(share: float) -> str:
    """Write a lessening; never all of it, or nothing, unless exact."""
    less = max(share, 0.0)
    words = writer().percent(less)
    if less and not words[0].isdigit():
        return say("risk", "{share} fewer", share=Ratio(less))
    return f"{MINUS}{words}" if less else words


# --- as decisions -----------------------------------------------------------------------


def can_be_generalised(section: ColumnSection | None) -> bool:
    """Say whether a step may give a column broader values: not where numbers are drawn inside its bins afterwards."""
    return section is None or section.bins is None or section.bins.release != "draw"


def decided(recipe: Recipe, changes: Sequence[Change]) -> Recipe:
    """Return the recipe with changes taken over.

    A column left out gets that role. Broader values become a first step and not
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
    broadening = _methods_that_broaden()
    for step in recipe.steps:
        kept = _without(step, gone | again if step.method in broadening else gone)
        if kept is not None:
            steps.append(kept)
    return recipe.model_copy(update={"columns": columns, "steps": (*generalize_steps(generalised), *steps)})


def _methods_that_broaden() -> list[str]:
    """Return the ids of the methods whose parameters are the ways of a change."""
    return [id for id, method in all_methods().items() if method.broadens_values]


def generalize_steps(changes: Sequence[Change]) -> tuple[StepSection, ...]:
    """Return the step that gives these columns broader values; none where there are no changes."""
    named: dict[str, dict[str, float]] = {}
    for change in changes:
        assert change.value is not None
        named.setdefault(change.way, {})[change.column] = change.value
    if not named:
        return ()
    columns = tuple(change.column for change in changes)
    return (StepSection(method=_methods_that_broaden()[0], columns=columns, parameters=dict(named)),)


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
