"""Names of protection levels on screen, and how many of their bars are filled; no widget here."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, LevelMap
from ppdm_desktop.engine.wording.texts import Said, level_title, words_of_levels


def level_words(name: str | int, said: Said | None = None) -> str:
    """Return a level's name on screen, with the file's own words for it in brackets if there are any."""
    return level_title(name, said)


def said_in(recipe: Recipe) -> Said:
    """Return the file's own words for each level, from a recipe."""
    return words_of_levels(recipe.privacy.words)


def level_bars(level: Level, levels: LevelMap) -> int:
    """Return how many of the four bars are filled: the rank of the last built-in level that demands no more."""
    places = {default_level.name: number for number, default_level in enumerate(DEFAULT_LEVELS, start=1)}
    if level.name in places:
        return places[level.name]
    lesser = [named for named in levels.named if named.name in places and named.demand.group <= level.demand.group]
    return places[lesser[-1].name] if lesser else 1


def level_choices(levels: LevelMap, more: Sequence[str | int] = ()) -> list[tuple[str, str, int]]:
    """Return (key, label, filled bars) of the named levels, and of ``more`` levels in use."""
    choices = [(named.name, level_words(named.name), level_bars(named, levels)) for named in levels.named]
    for key in more:
        level = levels.find(str(key))
        if level is not None and all(str(key) != choice for choice, _, _ in choices):
            choices.append((str(key), level_words(str(key)), level_bars(level, levels)))
    return choices
