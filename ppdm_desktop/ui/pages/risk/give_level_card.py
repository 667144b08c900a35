"""Give a higher protection level to people seen on the page Risk: the button, and the message on the decision."""

from __future__ import annotations

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QMenu

from ppdm_desktop.engine.arrays import Rows
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.pages.risk.logic import count_people_of_rows, flag_filter_records
from ppdm_desktop.ui.state.give_level import (
    COLLECTIVE,
    EVERYBODY,
    MOST_SPANS,
    UNIQUE,
    Whom,
    give_level,
    is_too_scattered,
    stricter_levels,
)
from ppdm_desktop.ui.state.level_texts import format_demand, label_level, level_bars
from ppdm_desktop.ui.state.session import Assessment, Session
from ppdm_desktop.ui.widgets.basic import Strip
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.level_choice import level_icon


def find_headline_people(assessment: Assessment) -> Whom | None:
    """Return the uniquely identifiable people or, if there are none, those whose group has a single confidential value.

    Uniquely identifiable are unique people who have a confidential value; without a confidential column all unique
    people. None if there are neither. The headline of the page counts unique people without a confidential value, too.
    """
    risk = assessment.risk
    if risk.unique.any():
        return Whom.of_status(UNIQUE, int(risk.judged.unique.sum()))
    return Whom.of_status(COLLECTIVE, int(risk.judged.collective.sum())) if risk.collective.any() else None


def find_filter_people(assessment: Assessment, key: str) -> Whom | None:
    """Return the people whom a filter of the heatmap shows, None if it shows nobody.

    The filter ``all`` gives everybody. If a filter shows exactly the uniquely identifiable people, or exactly those in
    groups with a single confidential value, they are described by that status; otherwise by their row
    numbers, such as unique people of whom one has no confidential value.
    """
    selected = flag_filter_records(assessment, key)
    people = assessment.risk.people.among(selected)
    if key == "all":
        return Whom(EVERYBODY, people, assessment.prepared.table.row_numbers)
    for status, records in ((UNIQUE, assessment.risk.unique), (COLLECTIVE, assessment.risk.collective)):
        if people and bool((selected == records).all()):
            return Whom.of_status(status, people)
    return find_row_people(assessment, selected.nonzero()[0])


def find_row_people(assessment: Assessment, records: Rows) -> Whom | None:
    """Return the people of these rows (indices), described by row numbers; None for an empty array."""
    numbers = assessment.prepared.table.row_numbers[records]
    return Whom.picked(numbers, count_people_of_rows(assessment, records)) if len(records) else None


class MoreButton(Button):
    """Button with a menu of protection levels to give to some people.

    Signals
    -------
    wanted
        (people, level): a level was chosen for these people.
    """

    wanted = Signal(object, str)

    def __init__(self, *, name: str) -> None:
        super().__init__("", name=name, icon="privacy-level", clicked=self._on_clicked)
        self._whom: Whom | None = None
        self._levels: list[tuple[str, str, int]] = []

    def offer(self, session: Session, whom: Whom | None) -> None:
        """Show the button, such as "Give 3 people more protection…", for these people; None hides it.

        It is disabled, with the reason as tooltip, if no level is stricter than the default level, or if the rows are
        too scattered to be written into the recipe as ranges of row numbers. It is hidden, too, while the recipe's
        levels contradict each other, because none can be given then.
        """
        privacy, levels = session.decisions.recipe.privacy, LevelMap()
        try:
            levels = LevelMap.from_recipe(privacy.levels)
        except RecipeError:
            whom = None
        self._whom = whom
        self.setVisible(whom is not None)
        if whom is None:
            return
        names = stricter_levels(privacy, levels)
        self._levels = []
        for level in levels.named:
            if level.name in names:
                text = _(
                    "{level}: groups of at least {group}, noise {noise}, {swap} swapped",
                    level=Term(label_level(level.name)),
                    group=level.demand.group,
                    noise=Term(format_demand("noise", level.demand.noise)),
                    swap=Term(format_demand("swap", level.demand.swap)),
                )
                self._levels.append((level.name, text, level_bars(level, levels)))
        self.setText(_("Give {n} {n:person|people} more protection…", n=whom.people))
        why = ""
        if not self._levels:
            why = _("Everyone already has the strictest level.")
        elif is_too_scattered(whom):
            why = _(
                "Their rows are in more than {n} places of the file. Add a rule on the Protection levels page instead.",
                n=MOST_SPANS,
            )
        self.setEnabled(not why)
        self.setToolTip(plain_tip(why))
        self.setAccessibleDescription(why)

    def _on_clicked(self) -> None:
        """Show the menu of levels below the button."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.setObjectName("menu_levels")
        menu.setAccessibleName(self.text())
        for level, text, filled in self._levels:
            menu.addAction(level_icon(filled), text).setData(level)
        menu.triggered.connect(self._on_chosen)
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()) + QPoint(0, 2))

    def _on_chosen(self, action: QAction) -> None:
        """Send ``wanted`` with the people and the level chosen in the menu; nothing if no people are offered."""
        if self._whom is not None:
            self.wanted.emit(self._whom, str(action.data()))


class RaisedLevelStrip(Strip):
    """Message on people who got a higher protection level; it disappears when the decision is undone."""

    def __init__(self, session: Session) -> None:
        super().__init__("passed", name="strip_given")
        self._session = session
        self._after: object = None
        self.show_there = Button(
            _("Go to {page}", page=Term(_("Protection levels"))), name="button_show_given", link=True
        )
        self.add_button(self.show_there)

    def give(self, whom: Whom, level: str) -> bool:
        """Give people at least a protection level, as a decision, and return whether the recipe changed.

        A message on it is shown, also if the recipe had this already and nothing changed (False). Without a file
        nothing happens and False is returned. Raises RecipeError if the recipe's levels contradict each other.
        """
        session = self._session
        if session.reading is None:
            return False
        before = session.decisions.recipe
        recipe = give_level(before, session.reading.account.sha256, whom, level)
        changed = recipe != before
        confirmation = _("{n} {n:person|people}: at least {level}.", n=whom.people, level=Term(label_level(level)))
        text = f"{confirmation} {_('You can change it on the Protection levels page.')}"
        self._after = recipe.privacy
        if changed:
            session.decide(recipe=recipe)
        self.set("passed" if changed else "note", text)
        return changed

    def forget(self) -> None:
        """Remove the message on people who got a higher level."""
        self._after = None
        self.set("passed", "")

    def refresh(self) -> None:
        """Remove the message if the decisions on protection levels changed since it appeared."""
        if self._after is not None and self._session.decisions.recipe.privacy != self._after:
            self.forget()
