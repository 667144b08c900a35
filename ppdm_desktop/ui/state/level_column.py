"""The column that holds each person's privacy level: its words, and which level each word means. No widget here.

A word is a text of the column without blanks around it; an empty cell is the word "".
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import PrivacySection, Recipe
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, LevelMap
from ppdm_desktop.engine.table.record_levels import meaning_of, word_of

_RISING = (
    ("none", "no", "keine", "kein", "nein"),
    ("low", "lower", "niedrig", "gering", "wenig"),
    ("basic", "normal", "standard", "default", "medium", "mittel", "üblich"),
    ("raised", "elevated", "erhöht", "more", "mehr"),
    ("high", "hoch", "viel", "strict", "streng"),
    ("very high", "sehr hoch", "highest", "höchste", "paranoid"),
)
"""Words for degrees, from least to most. They only serve to warn of meanings in reverse order."""


def name_of_level_column(recipe: Recipe) -> str | None:
    """Return the name of the column that holds each person's privacy level; None without one.

    It is the column the recipe names, else the only column with the role ``privacy-level``; None if several have it.
    """
    if recipe.privacy.column is not None:
        return recipe.privacy.column
    by_role = [name for name, section in recipe.columns.items() if section.role == "privacy-level"]
    return by_role[0] if len(by_role) == 1 else None


def words_in(column: Column) -> tuple[str, ...]:
    """Return the different words (cell texts without blanks around) that occur in a column; "" for empty cells."""
    used = np.flatnonzero(column.used_texts()).tolist()
    return tuple(dict.fromkeys(word_of(column, column.texts[code]) for code in used))


def map_words_to_levels(texts: Iterable[str], privacy: PrivacySection, levels: LevelMap) -> dict[str, Level | None]:
    """Return the privacy level that each word of the level column means; None for a word without a meaning yet.

    If the recipe gives meanings, words mean only these. If it gives none, words mean the levels of the same name, but
    only if every word but whole numbers and empty cells is such a name; otherwise none of them has a meaning. A whole
    number from 1 means groups of that size in either case, unless the recipe lists it. An empty cell has a meaning only
    if the recipe gives it one. Raises RecipeError where the recipe gives a word a meaning that is no level.
    """
    asked = tuple(texts)
    needs_words = not privacy.words and any(word and levels.find(word) is None for word in asked)
    return {
        word: None
        if (not word and word not in privacy.words) or (needs_words and not word.isdigit())
        else meaning_of(word, privacy, levels)
        for word in asked
    }


def open_words(table: Table, recipe: Recipe) -> tuple[str, ...]:
    """Return the words of the level column that do not mean a privacy level yet.

    Empty without such a column, or if the recipe's levels contradict each other or it gives a word an unknown level.
    """
    name = name_of_level_column(recipe)
    if name is None or name not in table:
        return ()
    try:
        levels = LevelMap.from_recipe(recipe.privacy.levels)
        meant = map_words_to_levels(words_in(table.column(name)), recipe.privacy, levels)
    except RecipeError:
        return ()
    return tuple(word for word, level in meant.items() if level is None)


def add_word_meaning(
    shown_levels: Mapping[str, str | None], privacy: PrivacySection, word: str, level: str
) -> PrivacySection:
    """Return a copy of the recipe's privacy settings in which one more word means a level.

    Parameters
    ----------
    shown_levels
        The column's words with the levels they mean at present. These are written as well, except whole numbers: once
        one word has an explicit meaning, no other word means the level of its name any more. Meanings that the settings
        already have take precedence.
    privacy
        The privacy settings.
    word, level
        The word, and the name of the level it means.
    """
    kept = {text: meant for text, meant in shown_levels.items() if meant is not None and not text.isdigit()}
    return privacy.model_copy(update={"words": {**kept, **privacy.words, word: level}})


def find_reversed_words(meant: Mapping[str, Level | None]) -> tuple[str, str] | None:
    """Return two words with reversed meanings: ("low", "high") if "low" means a stricter level than "high".

    Only usual words in English and German are compared. Of several such pairs it is the one whose words are
    furthest apart in degree. None without any.
    """
    columns = [
        (rank, word, LevelMap.strictness(level))
        for word, level in meant.items()
        if level is not None
        for rank, names in enumerate(_RISING)
        if word.casefold() in names
    ]
    pairs = [(low, high) for low in columns for high in columns if low[0] < high[0] and low[2] > high[2]]
    if not pairs:
        return None
    low, high = max(pairs, key=lambda pair: pair[1][0] - pair[0][0])
    return low[1], high[1]


def find_equal_default(name: str, levels: LevelMap) -> str | None:
    """Return the name of the built-in level that demands the same as an added level.

    None if there is none, or if ``name`` is itself a built-in level.
    """
    if any(level.name == name for level in DEFAULT_LEVELS):
        return None
    demand = next((level.demand for level in levels.named if level.name == name), None)
    four = {level.name for level in DEFAULT_LEVELS}
    return next((level.name for level in levels.named if level.name in four and level.demand == demand), None)
