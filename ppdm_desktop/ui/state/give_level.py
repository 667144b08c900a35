"""Give selected people a stricter privacy level in the recipe. No widget here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine.arrays import Rows
from ppdm_desktop.engine.recipe.models import Condition, PrivacySection, Recipe, RowsRule, Rule
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.ui.state.level_counts import spans_of

EVERYBODY, UNIQUE, COLLECTIVE, PICKED = "everybody", "unique", "collective", "picked"
# A recipe that lists more spans than this is no longer a text a person can read.
MOST_SPANS = 20_000


@dataclass(frozen=True, eq=False)
class Whom:
    """A set of people who are to get a privacy level.

    Attributes
    ----------
    by
        How the recipe will describe them: ``everybody``, ``unique``, ``collective`` (people in groups with the same
        confidential value), or ``picked`` (row numbers of this file).
    people
        Number of people.
    numbers
        Row numbers in the source, shape (rows,); empty unless ``by`` is ``picked``.
    """

    by: str
    people: int
    numbers: Rows

    @classmethod
    def of_status(cls, status: str, people: int) -> Whom:
        """Return all people with a risk status: ``everybody``, ``unique`` or ``collective``.

        ``people`` is their number.
        """
        return cls(status, people, np.empty(0, dtype=np.int64))

    @classmethod
    def picked(cls, numbers: Rows, people: int | None = None) -> Whom:
        """Return the set of the people in these rows; ``people`` is their number, by default the number of rows."""
        return cls(PICKED, len(numbers) if people is None else people, np.unique(numbers))


def is_too_scattered(whom: Whom) -> bool:
    """Return whether the selected row numbers are too scattered for the recipe: ``MOST_SPANS`` gaps or more."""
    return whom.by == PICKED and int((np.diff(whom.numbers) > 1).sum()) >= MOST_SPANS


def stricter_levels(privacy: PrivacySection, levels: LevelMap) -> list[str]:
    """Return the names of the levels stricter than the default level of everyone, weakest first.

    If the default is not one of ``levels``, all are returned.
    """
    least = levels.find(str(privacy.default))
    floor = LevelMap.strictness(least) if least is not None else (0, -1)
    return [level.name for level in levels.named if LevelMap.strictness(level) > floor]


def give_level(recipe: Recipe, sha256: str, whom: Whom, level: str) -> Recipe:
    """Return a copy of the recipe that gives these people at least a privacy level.

    Everybody gets it as the default level, people with a risk status by a rule for that status, others by their row
    numbers; row numbers also bind the recipe to ``sha256``, the file's hash. If the default, a rule for the same status
    or an entry for the same rows already gives a level, the stricter one counts. If nothing changes, the recipe
    returned equals the given one. Raises RecipeError if the recipe's levels contradict each other.
    """
    privacy, levels = recipe.privacy, LevelMap.from_recipe(recipe.privacy.levels)
    if whom.by == EVERYBODY:
        level = _choose_stricter_level(levels, level, privacy.default)
        return recipe.model_copy(update={"privacy": privacy.model_copy(update={"default": level})})
    if whom.by in (UNIQUE, COLLECTIVE):
        where = (Condition.model_validate({"status": whom.by}),)
        rules = list(privacy.rules)
        index = next((index for index, rule in enumerate(rules) if rule.where == where), None)
        if index is None:
            rules.append(Rule(where=where, level=level))
        else:
            rules[index] = Rule(where=where, level=_choose_stricter_level(levels, level, rules[index].level))
        return recipe.model_copy(update={"privacy": privacy.model_copy(update={"rules": tuple(rules)})})
    spans = spans_of(whom.numbers)
    rows = list(privacy.rows)
    indexes = [index for index, rule in enumerate(rows) if rule.rows == spans]
    for index in indexes:
        level = _choose_stricter_level(levels, level, rows[index].level)
    start = indexes[0] if indexes else len(rows)
    others = [rule for rule in rows[start:] if rule.rows != spans]
    new = privacy.model_copy(update={"rows": (*rows[:start], RowsRule(rows=spans, level=level), *others)})
    input_section = recipe.input.model_copy(update={"sha256": sha256})
    return recipe.model_copy(update={"privacy": new, "input": input_section})


def _choose_stricter_level(levels: LevelMap, name: str, new: str | int) -> str:
    """Return the name of the stricter of two privacy levels; ``name`` if they are equal or one is unknown."""
    first, second = levels.find(name), levels.find(str(new))
    if first is None or second is None or LevelMap.strictness(first) >= LevelMap.strictness(second):
        return name
    return str(new)
