"""Card with the settings that each protection level demands of methods; a stricter level may not demand less."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import QSignalBlocker, Qt, Signal, Slot
from PySide6.QtGui import QFontMetrics, QIcon
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import LEVEL_KEYS, LevelSection, PrivacySection
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, UNIFORM, Level, LevelMap
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Name, Names, Terms
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.state.level_column import find_equal_default
from ppdm_desktop.ui.state.level_counts import (
    align_other_demands,
    change_level_demand,
    find_weakened_demands,
    map_sections,
)
from ppdm_desktop.ui.state.level_texts import (
    describe_rule_counts,
    describe_weaker,
    format_demand,
    label_demand,
    label_level,
    level_bars,
    level_choices,
)
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button, IconButton
from ppdm_desktop.ui.widgets.inputs import Choice, Number, WholeNumber, line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, SideBySide, add_parts, hbox, vbox
from ppdm_desktop.ui.widgets.level_choice import LevelChoice, level_icon
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.chunked_work import ChunkedWork

MOST_LETTERS = 40


def is_own(name: str) -> bool:
    """Return whether the user added this level, so that it is not one of the four built-in levels."""
    return all(level.name != name for level in DEFAULT_LEVELS)


def explain_name_problem(name: str, levels: LevelMap) -> str:
    """Return a sentence on why a new protection level cannot have this name; "" if it can.

    A sentence comes back for an empty name, for more than 40 characters, for digits only ("12" already means a group of
    12 people), and for the name of one of ``levels``, as stored or as displayed, in capitals or not ("Normal"). Blanks
    around ``name`` have to be removed before.
    """
    if not name:
        return _("Type a name for the level.")
    if len(name) > MOST_LETTERS:
        return _("A name has at most {n} characters.", n=MOST_LETTERS)
    if name.isdigit():
        return _("A number alone already means a group of that size. Add a word to the name.")
    taken = {text.casefold() for level in levels.named for text in (level.name, label_level(level.name))}
    return _("There is already a level with this name.") if name.casefold() in taken else ""


def add_level(sections: Mapping[str, LevelSection], name: str, like: str) -> dict[str, LevelSection]:
    """Return the recipe's entries on levels and one more for a new level ``name``, with the demands of level ``like``.

    All demands of the new level (such as its least group size) are written out, also those that ``like`` has by
    default. ``like`` is a built-in level or one of ``sections`` (else AssertionError). ``sections`` is not changed, and
    must be free of contradictions (else RecipeError).
    """
    level = LevelMap.from_recipe(sections).find(like)
    assert level is not None
    level_values = {key: getattr(level.demand, key) for key in LEVEL_KEYS}
    return {**sections, name: LevelSection.model_validate(level_values)}


def default_sections(sections: Mapping[str, LevelSection]) -> dict[str, LevelSection]:
    """Return the recipe's entries on levels as they are after "Restore the defaults".

    Entries of the four built-in levels are left out, so that these have their defaults again. Entries of added levels
    stay as they are; only one that demanded exactly the same as a changed built-in level gets that level's default
    demands.

    Raises
    ------
    RecipeError
        If an added level would then demand less than a weaker level in ``group`` or ``doubt``.
    """
    levels = LevelMap.from_recipe(sections)
    own_levels = {name: section for name, section in sections.items() if is_own(name)}
    like = {name: four for name in own_levels if (four := find_equal_default(name, levels)) is not None}
    kept = {name: section for name, section in own_levels.items() if name not in like}
    for name, four in like.items():
        kept = add_level(kept, name, four)
    LevelMap.from_recipe(kept)
    return kept


def list_level_uses(privacy: PrivacySection, name: str) -> list[str]:
    """Return a text for each kind of use that a level still has in the recipe; an empty list if nothing uses it.

    Uses are texts of the column with levels that mean this level, empty cells of that column, the default level of
    everyone, rules, and rows selected by number, for example ["the words high, very high", "2 rules", "1 set of
    selected rows"].
    """
    rules = [rule for rule in privacy.rules if str(rule.level) == name]
    picked = [rule for rule in privacy.rows if str(rule.level) == name]
    mapped_words = [word for word, level in privacy.words.items() if str(level) == name]
    uses = []
    if named := [word for word in mapped_words if word]:
        uses.append(_("the {words:word|words} {words}", words=Names.of(named)))
    if "" in mapped_words:
        uses.append(_("empty cells"))
    if str(privacy.default) == name:
        uses.append(_("Everyone has at least this level"))
    return [*uses, *describe_rule_counts(rules, picked)]


class NewLevel(QWidget):
    """Form that asks for the name of a new level, and for the existing level whose demands it starts with.

    Signals
    -------
    wanted
        (name, name of the level to start from): a level to add.
    """

    wanted = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._levels = LevelMap()
        line = SideBySide(below=420)
        self.name = line_edit(name="edit_level_name", label=_("Level"), hint=_("Name"))
        self.like = LevelChoice(name="combo_level_like", label=_("with the settings of"))
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
        """Make the name field wide enough for its placeholder text."""
        width = QFontMetrics(theme().font()).horizontalAdvance(self.name.placeholderText())
        self.name.setMinimumWidth(width + theme().px(24))

    def open(self, levels: LevelMap) -> None:
        """Show the form with an empty name field, which gets the focus, and with a disabled button.

        ``levels`` are the present levels, offered as the level to start from. That choice stays as made before; the
        first time it is "extra-cautious".
        """
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
        """Enable the button if the typed name can be used; otherwise disable it and show what is wrong with the name.

        Blanks around the name do not matter.
        """
        why = explain_name_problem(text.strip(), self._levels)
        self._add.setEnabled(not why)
        self._why.setText(why)
        self._why.setVisible(bool(why))

    def _on_add(self) -> None:
        """Send ``wanted`` with the typed name and the level to start from, and hide the form.

        If the name cannot be used, the form stays open and shows the reason.
        """
        name = self.name.text().strip()
        self._on_typed(name)
        if self._add.isEnabled():
            self.hide()
            self.wanted.emit(name, self.like.current)


_DEMANDS = ("group", "noise", "swap")
_ADVANCED = ("intervals", "selection_noise", "doubt")
_KEYS = (*_DEMANDS, *_ADVANCED)
_BLURS = (0.0, 0.5, 1.0, 2.0, 4.0)
_REMOVE = len(_KEYS) + 1
_MOST = 1_000_000


class LevelMapCard(Card):
    """Table of what each protection level demands (``privacy.levels``); a stricter level may not demand less."""

    def __init__(self, session: Session) -> None:
        super().__init__(
            _("What each level requires of a method"),
            topic="setting.level-requirements",
        )
        self._session = session
        self._levels = LevelMap()
        self._names: list[str] = []
        self._chunks = ChunkedWork(self)
        self._pending: tuple[str, str, tuple[Level, ...]] | None = None
        # The small print says it in full; with a level of one's own the way to remove it needs the room.
        headers = [_("Level"), _("Group"), *(label_demand(key) for key in _KEYS[1:]), ""]
        self._model = RowsModel(headers, right=range(1, len(headers) - 1))
        self.table = FormTable(
            self._model,
            name="table_level_map",
            label=self.title.text(),
            most_rows=12,
            controls=True,
            least=230,
        )
        for column, width in enumerate((84, 86, 86, 92, 110, 92), start=1):
            self.table.set_width(column, width)
        self.table.set_width(_REMOVE, 44)
        self._strip = Strip("amber", name="strip_level_map")
        self._move = Button(_("Change the others too"), name="button_move_levels", clicked=self._on_move)
        self._back = Button(_("Undo"), name="button_map_back", clicked=self.refresh)
        ways = Flow(self._move, self._back)
        small = _(
            "smallest group with the same details · strength of the noise · share of unique people whose value is "
            "swapped"
        )
        self._lift = Text("", tone="text2", factor=0.9, name="label_level_lift")
        self._more = Button("", name="button_advanced_levels", link=True, checkable=True, clicked=self._on_more)
        self._reset = Button(_("Restore the defaults"), name="button_reset_levels", link=True, clicked=self._on_reset)
        self._add = Button(_("Add a level…"), name="button_add_level", link=True, clicked=self._on_add)
        foot = Flow(self._more, self._add, self._reset)
        add_parts(self.body, self.table, self._strip, ways, Text(small, tone="text3", factor=0.85), self._lift, foot)
        self.new_level = NewLevel()
        self.new_level.hide()
        self.body.addWidget(self.new_level)
        self.new_level.wanted.connect(self._on_new_level)
        theme().changed.connect(self._draw_marks)
        self._on_more()

    # --- showing ------------------------------------------------------------------------

    def forget(self) -> None:
        """Remove the rows of the table, close the form for a new level, and hide the settings for statisticians."""
        self._chunks.stop()
        self._names, self._pending = [], None
        self._model.set_rows([])
        self.new_level.hide()
        self._more.setChecked(False)
        self._on_more()

    def refresh(self) -> None:
        """Show each level with its demands, as the recipe has them.

        The weakest level is in row 0. A change that was not stored because of a conflict is dropped. If the demands in
        the recipe contradict each other, only the reason is shown and the table stays as it was. The card also names
        the levels whose group is smaller than the recipient requires, because these use the recipient's size; "Restore
        the defaults" is visible only if the recipe changes or adds levels.
        """
        try:
            self._levels = LevelMap.from_recipe(self._session.decisions.recipe.privacy.levels)
        except RecipeError as error:
            self._show_conflict(explain(error, window=True), "blocks")
            return
        self._pending = None
        self._show_conflict("")
        named = self._levels.named
        rows = [(label_level(level.name), *[""] * (len(_KEYS) + 1)) for level in named]
        names = [level.name for level in named]
        rebuild, self._names = names != self._names, names
        if rebuild:
            self._model.set_rows([])
        self._model.set_rows(rows, self._list_level_icons())
        self._chunks.start([partial(self._show_level, row, level) for row, level in enumerate(named)])
        self.table.setColumnHidden(_REMOVE, not any(map(is_own, names)))
        self.table.fit()
        self._reset.setVisible(bool(self._session.decisions.recipe.privacy.levels))
        kind = self._session.decisions.recipe.release.type
        least = RELEASE_TYPES[kind].k_min if kind is not None else 0
        below = [label_level(level.name) for level in named if level.demand.group < least]
        text = _(
            "This recipient requires groups of at least {n}, so {levels} {levels:uses|use} {n} too.",
            n=least,
            levels=Terms(tuple(below)),
        )
        self._lift.setText(text)
        self._lift.setVisible(bool(below))

    def _list_level_icons(self) -> list[QIcon | None]:
        """Return the icons of the levels, weakest level first."""
        return [level_icon(level_bars(level, self._levels)) for level in self._levels.named]

    def _draw_marks(self) -> None:
        """Draw the icons of the levels in the present theme, if the table shows the levels."""
        if len(self._model.rows) == len(self._levels.named):
            self._model.set_rows(self._model.rows, self._list_level_icons())

    def _make_control(self, level: str, key: str, row: int) -> QWidget:
        """Return a new control for one demand of a level, still without its value.

        Group and intervals are fields for whole numbers from 1 to 1,000,000; the noise of a selection is a choice; the
        others are number fields: swap in per cent (1 to 100), doubt as "1 in 20" (from 1.1), noise as "× 1.5" (0.1 to
        100).

        Parameters
        ----------
        level
            Name of the level.
        key
            Key of the demand.
        row
            Row of the table, which the control stores as a property.
        """
        text = f"{label_level(level)}: {label_demand(key)}"
        name = f"level_{level}_{key}"
        control: WholeNumber | Choice | Number
        if key in ("group", "intervals"):
            control = WholeNumber(name=name, label=text, bounds=(1, _MOST), changed=self._on_value)
        elif key == "selection_noise":
            control = Choice(name=name, label=text, picked=self._on_value)
        else:
            control = Number(name=name, label=text)
            swap, doubt = key == "swap", key == "doubt"
            control.setRange({"swap": 1.0, "doubt": 1.1}.get(key, 0.1), _MOST if doubt else 100)
            control.setDecimals(0 if swap else 1)
            control.setSingleStep(5 if swap else 1 if doubt else 0.5)
            control.setPrefix({"swap": "", "doubt": _("1 in ")}.get(key, "× "))
            control.setSuffix(numbers_of(language()).locale.percent.format("") if swap else "")
            control.valueChanged.connect(self._on_value)
        if not isinstance(control, Choice):
            control.lineEdit().setAccessibleName(text)
            control.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        control.setProperty("level_row", row)
        control.setProperty("level_key", key)
        return control

    def _show_value(self, control: QWidget | None, row: int, key: str) -> None:
        """Show a level's demand in its control, without the signal that would store it again.

        The share of swapped values is shown in per cent (0.5 as 50). A number field gets as many more decimals as the
        value needs, so that 12.5 is not shown as 13. A choice offers 0, 0.5, 1, 2, 4, the present value and "evenly".

        Parameters
        ----------
        control
            The control; nothing happens for None.
        row
            Row of the level in the table, from 0 (the weakest level).
        key
            Key of the demand.
        """
        level = self._levels.named[row]
        value = getattr(level.demand, key)
        if isinstance(control, WholeNumber):
            with QSignalBlocker(control):
                control.setValue(int(value))
        elif isinstance(control, Number):
            with QSignalBlocker(control):
                displayed = 100 * value if key == "swap" else value
                control.setDecimals(max(control.decimals(), _count_decimals(displayed)))
                control.setValue(displayed)
        elif isinstance(control, Choice):
            values: list[float | str] = sorted({*_BLURS, *([] if value == UNIFORM else [float(value)])})
            choices = [(str(value), format_demand(key, value)) for value in [*values, UNIFORM]]
            control.set_choices(choices, str(value if value == UNIFORM else float(value)))

    def _show_level(self, row: int, level: Level) -> None:
        """Show the demands of one level in a row of the table, from 0.

        Controls, and for an added level a button that removes it, are created when the row is shown for the first time.
        """
        for column, key in enumerate(_KEYS, start=1):
            if self.table.at(row, column) is None:
                self.table.put(row, column, self._make_control(level.name, key, row))
            self._show_value(self.table.at(row, column), row, key)
        if is_own(level.name) and self.table.at(row, _REMOVE) is None:
            text = join_label(_("Remove"), level.name)
            remove = IconButton(
                "close", text, name=f"button_remove_level_{level.name}", clicked=partial(self._on_remove, level.name)
            )
            self.table.put(row, _REMOVE, remove)

    # --- deciding -----------------------------------------------------------------------

    @Slot()
    def _on_value(self) -> None:
        """Store the demand in the control that sent the signal, or show which level it contradicts.

        Per cent become a share (50 becomes 0.5), and numbers are rounded to six decimals. Added levels that demanded
        exactly the same as this level change with it. Only ``group`` and ``doubt`` can contradict another level. While
        a conflict is shown, the new value is added to the changes that are not stored yet.
        """
        control = self.sender()
        key = str(control.property("level_key"))
        name = self._levels.named[int(control.property("level_row"))].name
        value: float | str
        if isinstance(control, WholeNumber):
            value = control.value()
        elif isinstance(control, Number):
            value = round(control.value() / 100, 6) if key == "swap" else round(control.value(), 6)
        elif isinstance(control, Choice):
            value = UNIFORM if control.current == UNIFORM else float(control.current)
        else:
            return
        base = self._pending[2] if self._pending is not None else self._levels.named
        self._change_demand(name, key, change_level_demand(base, name, key, value))

    def _change_demand(self, name: str, key: str, named: tuple[Level, ...]) -> None:
        """Store changed levels in the recipe, as a decision, if none has a weaker group or doubt than a weaker level.

        The other demands, such as noise, may be weaker. Otherwise nothing is stored, but the change is remembered: the
        first contradiction is shown, with a button that changes the other levels, too, and one that takes the change
        back.

        Parameters
        ----------
        name, key
            The level and the demand that the user changed.
        named
            All levels with the change.
        """
        wrong = find_weakened_demands(named)
        if wrong:
            self._pending = (name, key, named)
            self._show_conflict(describe_weaker(wrong[0]), can_be_solved=True)
            return
        self._pending = None
        self._show_conflict("")
        privacy: PrivacySection = self._session.decisions.recipe.privacy
        new = privacy.model_copy(update={"levels": map_sections(named)})
        self._session.decide_recipe(privacy=new)

    def _show_conflict(self, text: str, kind: str = "amber", *, can_be_solved: bool = False) -> None:
        """Show a conflict between levels, with the two buttons that solve it if it ``can_be_solved``; "" removes it.

        ``kind`` is the look of the message: "amber" or "blocks".
        """
        self._strip.set(kind, text)
        for button in (self._move, self._back):
            button.setVisible(can_be_solved)

    def _on_move(self) -> None:
        """Solve a conflict by changing the other levels, and store the levels; nothing without a conflict.

        Stricter levels that now demand less than the changed level, and weaker ones that demand more, get its value in
        the demand changed last. If another demand still contradicts, nothing is stored and that conflict is shown.
        """
        if self._pending is not None:
            name, key, named = self._pending
            self._change_demand(name, key, align_other_demands(named, name, key))

    def _on_add(self) -> None:
        """Open the form for a new level."""
        self.new_level.open(self._levels)

    def _on_new_level(self, name: str, like: str) -> None:
        """Add a level ``name`` with the demands of the existing level ``like`` to the recipe.

        This is a decision that can be undone.
        """
        privacy: PrivacySection = self._session.decisions.recipe.privacy
        new = privacy.model_copy(update={"levels": add_level(privacy.levels, name, like)})
        self._session.decide_recipe(privacy=new)

    def _on_remove(self, name: str) -> None:
        """Remove an added level from the recipe, as a decision that can be undone.

        If texts, rules, selected rows or the default level still use it, nothing is removed, and the card says what
        uses it.
        """
        privacy: PrivacySection = self._session.decisions.recipe.privacy
        still = list_level_uses(privacy, name)
        if still:
            text = _(
                "{level} is still used by {where}. Give these people another level first.",
                level=Name(name),
                where=Terms(tuple(still)),
            )
            self._strip.set("amber", text)
            return
        kept = {level_name: section for level_name, section in privacy.levels.items() if level_name != name}
        self._session.decide_recipe(privacy=privacy.model_copy(update={"levels": kept}))

    def _on_reset(self) -> None:
        """Restore the default demands of the four built-in levels, as a decision that can be undone.

        Added levels stay as they are, except that one that demands exactly the same as a built-in level gets that
        level's default demands. If an added level would then demand less than a weaker one, nothing is stored, and the
        card shows this.
        """
        privacy: PrivacySection = self._session.decisions.recipe.privacy
        try:
            new = privacy.model_copy(update={"levels": default_sections(privacy.levels)})
        except RecipeError as error:
            self._strip.set("amber", explain(error, window=True))
            return
        self._session.decide_recipe(privacy=new)

    def _on_more(self) -> None:
        """Show the columns for statisticians if the button is pressed, else hide them.

        These are intervals, noise of a selection and doubt. The label of the button says what the next click does.
        """
        expanded = self._more.isChecked()
        for column in range(len(_DEMANDS) + 1, len(_KEYS) + 1):
            self.table.setColumnHidden(column, not expanded)
        self.table.fit()
        more = _("{n} more {n:setting|settings} for statisticians", n=len(_ADVANCED))
        self._more.setText(_("Fewer settings") if expanded else more)


def _count_decimals(value: float) -> int:
    """Return how many decimals a number has once it is rounded to six significant digits: 1 for 12.5, 0 for 3.

    Only for 0 and numbers from 0.0001 to 1,000,000; the results for others are meaningless.
    """
    text = f"{value:g}"
    return len(text.split(".")[1]) if "." in text else 0
