"""The column with protection levels: its words, what they mean, and which have no meaning yet.

No widget here. A word is a text of the column without blanks around it; an empty cell is the word "".
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
    """Return the name of the column that protection levels are taken from, None without one.

    It is the one the recipe names, else the only column with that role.
    """
    if recipe.privacy.column is not None:
        return recipe.privacy.column
    by_role = [name for name, section in recipe.columns.items() if section.role == "privacy-level"]
    return by_role[0] if len(by_role) == 1 else None


def words_in(column: Column) -> tuple[str, ...]:
    """Return the words that occur in the column, in the order of their codes."""
    used = np.flatnonzero(column.used_texts()).tolist()
    return tuple(dict.fromkeys(word_of(column, column.texts[code]) for code in used))


def map_words_to_levels(texts: Iterable[str], privacy: PrivacySection, levels: LevelMap) -> dict[str, Level | None]:
    """Return the level that each word of the level column means, in their order; None for a word without a meaning yet.

    If all words are names of levels, they mean these levels. If one is not, all are the file's own words, and none
    means a level because it has the same name. Whole numbers always mean levels. An empty cell has no meaning by
    itself.
    """
    asked = tuple(texts)
    needs_words = not privacy.words and any(word and levels.find(word) is None for word in asked)
    return {
        word: None
        if _is_silent(word, privacy) or (needs_words and not word.isdigit())
        else meaning_of(word, privacy, levels)
        for word in asked
    }


def _is_silent(word: str, privacy: PrivacySection) -> bool:
    """Return whether a word is an empty cell to which no level was given."""
    return not word and word not in privacy.words


def open_words(table: Table, recipe: Recipe) -> tuple[str, ...]:
    """Return the words of the level column without a meaning, in the order of their codes.

    Empty without such a column or if the recipe's levels are wrong.
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
    """Return the privacy section with a meaning for one more word.

    Parameters
    ----------
    shown_levels
        The column's words with the levels they mean at present, which are written as well: once one word has an
        explicit meaning, no other word means itself any more.
    """
    kept = {text: meant for text, meant in shown_levels.items() if meant is not None and not text.isdigit()}
    return privacy.model_copy(update={"words": {**kept, **privacy.words, word: level}})


def find_reversed_words(meant: Mapping[str, Level | None]) -> tuple[str, str] | None:
    """Return two words in reverse order, such as ("low", "high") if "low" means a stricter level than "high".

    The first is the lesser one. Of several pairs it is the one farthest apart; None without any.
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
    """Return the name of the built-in level with the same demands as an added level, None if there is none.

    It is None for a built-in level, too.
    """
    if any(level.name == name for level in DEFAULT_LEVELS):
        return None
    demand = next((level.demand for level in levels.named if level.name == name), None)
    four = {level.name for level in DEFAULT_LEVELS}
    return next((level.name for level in levels.named if level.name in four and level.demand == demand), None)
