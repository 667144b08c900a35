"""The names of protection levels: the name on screen, and the file's own words for it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import KINDS, Spoken

_NUMBER = "group "
_TITLES = {
    "normal": "level.normal",
    "cautious": "level.cautious",
    "extra-cautious": "level.extra-cautious",
    "paranoid": "level.paranoid",
    "earlier records": "level.earlier-records",
}

Said = Mapping[str, Sequence[str]]
"""The words with which a file asks for each level, by the level's name."""


def level_title(name: str | int, said: Said | None = None) -> str:
    """Return a level's name, with the file's words for it in brackets: "High (high, hoch)".

    Parameters
    ----------
    name
        A level's name as recipe and report have it; a number, also written ``group 7``, is a demanded group size.
    said
        The file's words, from ``words_of_levels``. A word that is the title itself is not repeated.
    """
    text = str(name)
    number = text.removeprefix(_NUMBER)
    if number.isdigit():
        title = render("level.number", {"n": int(number)}).sentence
    else:
        # A level of the owner's own is called as its owner called it.
        title = render(_TITLES[text]).sentence if text in _TITLES else text
    synonyms = [word for word in (said or {}).get(f"{_NUMBER}{text}" if text.isdigit() else text, ()) if word != title]
    return f"{title} ({', '.join(synonyms)})" if synonyms else title


@dataclass(frozen=True)
class LevelTitle(Spoken):
    """The name of a level, written in the language of the sentence around it.

    Attributes
    ----------
    name
        A level's name.
    words
        The file's words for it.
    """

    name: str
    words: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the level's name in the current language."""
        key = f"{_NUMBER}{self.name}" if self.name.isdigit() else self.name
        return level_title(self.name, {key: self.words})

    @classmethod
    def of(cls, name: str, said: Said) -> LevelTitle:
        """Return the title of a level with the file's words for it."""
        return cls(name, tuple(said.get(f"{_NUMBER}{name}" if name.isdigit() else name, ())))


KINDS["leveltitle"] = LevelTitle


def words_of_levels(meanings: Mapping[str, str | int]) -> dict[str, tuple[str, ...]]:
    """Return the words that mean each level, by the level's name, in the order given; the empty cell is no word.

    Parameters
    ----------
    meanings
        ``[privacy.words]`` of a recipe: word → level.
    """
    words_of: dict[str, tuple[str, ...]] = {}
    for word, level in meanings.items():
        if word.strip():
            name = f"{_NUMBER}{level}" if str(level).isdigit() else str(level)
            words_of[name] = (*words_of.get(name, ()), word.strip())
    return words_of
