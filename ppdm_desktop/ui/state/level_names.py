"""What a privacy level is called on screen, and how many of its bars are filled; no widget here."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, LevelMap


def _tr(text: str) -> str:
    return QCoreApplication.translate("Levels", text)


def level_words(name: str | int) -> str:
    """Return a level's name on screen."""
    known = {
        "normal": _tr("Basic"),
        "cautious": _tr("Cautious"),
        "extra-cautious": _tr("Extra cautious"),
        "paranoid": _tr("Paranoid"),
    }
    text = str(name)
    if text in known:
        return known[text]
    number = text.removeprefix("group ")
    if number.isdigit():
        return _tr("At least {n} alike").format(n=number)
    return text


def level_bars(level: Level, levels: LevelMap) -> int:
    """Return how many of the four bars are filled: the last default level that asks for no more."""
    places = {each.name: place for place, each in enumerate(DEFAULT_LEVELS, start=1)}
    if level.name in places:
        return places[level.name]
    named = [each for each in levels.named if each.name in places and each.demand.group <= level.demand.group]
    return places[named[-1].name] if named else 1


def level_choices(levels: LevelMap, more: Sequence[str | int] = ()) -> list[tuple[str, str, int]]:
    """Return (key, words, filled bars) of the named levels, and of others in use."""
    choices = [(each.name, level_words(each.name), level_bars(each, levels)) for each in levels.named]
    for key in more:
        level = levels.find(str(key))
        if level is not None and all(str(key) != known for known, _, _ in choices):
            choices.append((str(key), level_words(str(key)), level_bars(level, levels)))
    return choices
