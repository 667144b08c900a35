"""Levels that the user adds: a name, and the level whose demands it starts with."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.recipe.models import LEVEL_KEYS, LevelSection, PrivacySection
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, LevelMap
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Names
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.level_column import same_as_default
from ppdm_desktop.ui.state.level_names import level_choices, level_words
from ppdm_desktop.ui.state.level_words import rules_and_picks
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, hbox, vbox
from ppdm_desktop.ui.widgets.level_choice import LevelChoice
from ppdm_desktop.ui.widgets.side_by_side import SideBySide

MOST_LETTERS = 40


def is_own(name: str) -> bool:
    """Return whether the user added this level: it is not one of the four that always exist."""
    return all(level.name != name for level in DEFAULT_LEVELS)


def wrong_name(name: str, levels: LevelMap) -> str:
    """Return a sentence saying why a new level cannot have this name; empty if it can."""
    if not name:
        return _("Type a name for the level.")
    if len(name) > MOST_LETTERS:
        return _("A name has at most {n} characters.", n=MOST_LETTERS)
    if name.isdigit():
        return _("A number alone already means a group of that size. Add a word to the name.")
    taken = {text.casefold() for level in levels.named for text in (level.name, level_words(level.name))}
    return _("There is already a level with this name.") if name.casefold() in taken else ""


def with_level(sections: Mapping[str, LevelSection], name: str, like: str) -> dict[str, LevelSection]:
    """Return the levels with a new one called ``name``, whose demands are those of the level ``like``."""
    level = LevelMap.from_recipe(sections).find(like)
    assert level is not None
    given = {key: getattr(level.demand, key) for key in LEVEL_KEYS}
    return {**sections, name: LevelSection.model_validate(given)}


def default_sections(sections: Mapping[str, LevelSection]) -> dict[str, LevelSection]:
    """Return the levels with the four built-in ones reset to their defaults; added levels stay.

    An added level with exactly the demands of a built-in one is reset with it.

    Raises
    ------
    RecipeError
        When an added level would then demand less than a weaker one.
    """
    levels = LevelMap.from_recipe(sections)
    own_levels = {name: section for name, section in sections.items() if is_own(name)}
    like = {name: four for name in own_levels if (four := same_as_default(name, levels)) is not None}
    kept = {name: section for name, section in own_levels.items() if name not in like}
    for name, four in like.items():
        kept = with_level(kept, name, four)
    LevelMap.from_recipe(kept)
    return kept


def used_by(privacy: PrivacySection, name: str) -> list[str]:
    """Return what in the recipe still uses a level, in words; empty if nothing does."""
    rules = [rule for rule in privacy.rules if str(rule.level) == name]
    picked = [rule for rule in privacy.rows if str(rule.level) == name]
    mapped_words = [word for word, level in privacy.words.items() if str(level) == name]
    uses = []
    if named := [word for word in mapped_words if word]:
        uses.append(_("the {words:word|words} {words}", words=Names.of(named)))
    if "" in mapped_words:
        uses.append(_("empty cells"))
    if str(privacy.default) == name:
        uses.append(_("the level for everyone"))
    return [*uses, *rules_and_picks(rules, picked)]


class NewLevel(QWidget):
    """Form that asks for the name of a new level and for the level whose demands it starts with.

    Signals
    -------
    wanted
        (name, like): a level to add.
    """

    wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._levels = LevelMap()
        line = SideBySide(below=420)
        self.name = line_edit(name="edit_level_name", label=_("Name of the new level"), hint=_("Name"))
        self.like = LevelChoice(name="combo_level_like", label=_("Starts with the settings of"))
        line.add(self.name, 3)
        line.add(Text(_("with the settings of"), tone="text2", wrap=False), 0)
        line.add(self.like, 4)
        self._why = Text("", tone="amber", name="label_level_name")
        self._add = Button(_("Add this level"), name="button_save_level", clicked=self._on_add)
        self._cancel = Button(_("Cancel"), name="button_cancel_level", link=True, clicked=self.hide)
        vbox(line, self._why, hbox(self._add, self._cancel, STRETCH), on=self)
        self._fit_name()
        theme().changed.connect(self._fit_name)
        self.name.textEdited.connect(self._on_typed)
        self.name.returnPressed.connect(self._on_add)

    def _fit_name(self) -> None:
        """Make the name field wide enough for the hint that it shows while it is empty."""
        width = QFontMetrics(theme().font()).horizontalAdvance(self.name.placeholderText())
        self.name.setMinimumWidth(width + theme().px(24))

    def open(self, levels: LevelMap) -> None:
        """Show the form with an empty name and the levels to start from."""
        self._levels = levels
        choices = level_choices(levels)
        self.like.set_levels(choices, self.like.current or "extra-cautious")
        self.name.clear()
        self._why.setText("")
        self._why.hide()
        self._add.setEnabled(False)
        self.show()
        self.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_typed(self, text: str) -> None:
        """Enable the button for a name that can be used, otherwise say what is wrong with it."""
        why = wrong_name(text.strip(), self._levels)
        self._add.setEnabled(not why)
        self._why.setText(why)
        self._why.setVisible(bool(why))

    def _on_add(self) -> None:
        """Report the new level and close the form, if its name can be used."""
        name = self.name.text().strip()
        self._on_typed(name)
        if self._add.isEnabled():
            self.hide()
            self.wanted.emit(name, self.like.current)
