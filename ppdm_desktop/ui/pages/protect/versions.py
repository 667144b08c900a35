"""Cards of the versions that the program found, marks of columns, and the progress of the search for more."""

from __future__ import annotations

from functools import partial
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, QPoint, Qt, Signal
from PySide6.QtWidgets import QAbstractButton, QApplication, QCheckBox, QMenu, QWidget

from ppdm_desktop.engine.methods.base.declaration import Family, all_methods
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, DetailMark, InputSection
from ppdm_desktop.engine.release.planning.texts import (
    describe_blocking,
    describe_lost_marked,
    describe_refusals,
    label_versions,
)
from ppdm_desktop.engine.release.planning.version import Planned, Version, best_versions_first
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.protect.version_card import CardState, VersionCard
from ppdm_desktop.ui.state.candidate_queue import CANCELLED, FAILED, CandidateQueue
from ppdm_desktop.ui.state.column_decisions import mark_columns, short_name
from ppdm_desktop.ui.state.session import CandidateEntry, Session
from ppdm_desktop.ui.state.version_search import SearchState, VersionSearch
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, Panel, Placed, add_parts, align_left, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.release_type_card import can_sign, describe_release_type, sign_agreement
from ppdm_desktop.ui.widgets.work import Skeleton, WorkBar, describe_work

_MARKS: tuple[DetailMark, ...] = ("keep", "may-go")


class MarksCard(Card):
    """Card with a button for each marked column, which removes its mark, and buttons that mark another column.

    Signals
    -------
    order_changed
        Buttons were added or removed, so the order of the Tab key has to be set again.
    """

    order_changed = Signal()

    def __init__(self, session: Session) -> None:
        super().__init__(name="card_marks")
        self.setAccessibleName(_("What must stay detailed, and what may go"))
        theme().space(self.body, 14, 8, 14, 8, 4)
        self._session = session
        self._state: object = None
        self._line = Flow()
        self.body.addWidget(self._line)
        self._more: dict[DetailMark, Button] = {}

    def refresh(self) -> None:
        """Show the marks of columns (must stay detailed, may go) as buttons that remove them.

        A further button for each kind of mark adds one. The card also names the recipients, with a box for their
        agreement if they can sign one. Nothing is built again if marks, columns and recipients did not change. If the
        focus was on a button of a mark, it goes to the button that adds a mark of the same kind.
        """
        recipe = self._session.decisions.recipe
        marks = {name: section.detail for name, section in recipe.columns.items() if section.detail is not None}
        state = (marks, recipe.release.type, recipe.release.agreement, self._list_unmarked_columns())
        if state == self._state:
            return
        self._state = state
        used: QWidget | None = self.window().focusWidget()
        used_mark = used.property("mark") if used is not None and self._line.isAncestorOf(used) else None
        self._line.clear()
        for mark in _MARKS:
            title = _("★ Must stay detailed") if mark == "keep" else _("May go")
            self._line.add(Text(title, semibold=True, wrap=False))
            for name in (name for name, column_mark in marks.items() if column_mark == mark):
                self._line.add(self._make_mark_button(name, mark))
            more = Button(_("+ column"), name=f"button_mark_{mark}", clicked=partial(self._on_more, mark))
            more.setProperty("chip", "add")
            more.setProperty("mark", mark)
            more.setAccessibleDescription(title)
            more.setEnabled(bool(self._list_unmarked_columns()))
            self._more[mark] = more
            self._line.add(more)
        if recipe.release.type is not None:
            who = join_label(_("For"), describe_release_type(recipe.release.type)[0])
            self._line.add(Text(who, tone="text2", factor=0.9, wrap=False))
        if can_sign(recipe.release.type):
            self._line.add(self._make_agreement_box(recipe.release.agreement))
        if used_mark is not None:
            self._more[used_mark].setFocus()
        self.order_changed.emit()

    def _make_agreement_box(self, is_signed: bool) -> QCheckBox:
        """Return the box for "recipients sign an agreement", ticked if ``is_signed``; a click stores the answer."""
        box = check_box(_("The recipients sign an agreement"), name="check_signed")
        box.setChecked(is_signed)
        box.clicked.connect(lambda is_ticked: sign_agreement(self._session, is_signed=is_ticked))
        return box

    @property
    def controls(self) -> list[QAbstractButton]:
        """The buttons of the card, in reading order."""
        return [control for control in self._line.parts if isinstance(control, QAbstractButton)]

    def _list_unmarked_columns(self) -> tuple[str, ...]:
        """Return the names of the columns without a mark that are released as values, in the order of the file.

        These are quasi-identifiers, confidential and other columns, not identifiers. Empty without a file.
        """
        reading, columns = self._session.reading, self._session.decisions.recipe.columns
        names = reading.table.names if reading is not None else ()
        released = (name for name in names if name in columns and columns[name].role in ATTRIBUTE_ROLES)
        return tuple(name for name in released if columns[name].detail is None)

    def _make_mark_button(self, name: str, mark: DetailMark) -> Button:
        """Return the button that removes the mark of a column; the mark "keep" has a star before the name."""
        text = f"★ {short_name(name)}" if mark == "keep" else short_name(name)
        remove = partial(mark_columns, self._session, [name], None)
        chip = Button(f"{text}  ×".replace("&", "&&"), name=f"chip_{mark}_{name}", clicked=remove)
        chip.setProperty("chip", mark)
        chip.setProperty("mark", mark)
        chip.setAccessibleName(join_label(_("Remove"), name))
        return chip

    def _on_more(self, mark: DetailMark) -> None:
        """Open a menu of the columns without a mark below the button; the chosen column gets ``mark``."""
        menu = QMenu(self)
        menu.setObjectName("menu_mark")
        menu.aboutToHide.connect(menu.deleteLater)
        for name in self._list_unmarked_columns():
            menu.addAction(name.replace("&", "&&"), partial(mark_columns, self._session, [name], mark))
        menu.popup(self._more[mark].mapToGlobal(QPoint(0, self._more[mark].height())))


_MUCH = 1_000
_NAMED = 3
"""How many checks are named when no version passes."""


def explain_no_version(planned: Planned) -> str:
    """Return why no version can be released, with the checks that block most versions, at most three."""
    reasons = [str(describe_blocking(blocking)) for blocking in planned.blocking[:_NAMED]]
    return " ".join((_("No version of this file can be released as it is decided."), *reasons))


def describe_current_search(search_state: SearchState) -> str:
    """Return what the search for versions is doing, as a sentence.

    While a family of methods is searched, the sentence names it with its number and counts the versions found. Before
    the first and after the last one it only says what is being done. While the versions of an earlier search are judged
    again, it only says so.
    """
    if search_state.earlier is not None:
        return _("The versions are being judged again. What was known is shown until then.")
    doing = describe_work(search_state.doing, _("Looking for versions worth trying"))
    if search_state.family is None:
        return doing
    return _(
        "Looking at: {family} (family {n} of {all}) · {found} {found:version|versions} found · {doing}",
        doing=Term(doing),
        family=Term(search_state.family.title),
        n=search_state.families + 1,
        all=len(Family),
        found=len(search_state.versions),
    )


class VersionsPart(Panel):
    """The marks of columns, the cards of versions, and the progress of the search.

    Signals
    -------
    see_wanted
        The user wants to go to Compare.
    adjust_wanted
        The user wants to edit the steps of this version.
    build_wanted
        The user wants to choose methods.
    changed
        Versions or their states changed.
    """

    see_wanted = Signal()
    adjust_wanted = Signal(object)
    build_wanted = Signal()
    changed = Signal()

    def __init__(self, context: Context, queue: CandidateQueue, parent: QObject) -> None:
        super().__init__(name="part_versions")
        self._session, self._queue = context.session, queue
        self.search = VersionSearch(context.session, context.runner, parent, ledger=context.ledger)
        self._runs: dict[object, int] = {}
        self.marks = MarksCard(context.session)
        self._suggest_strip = Strip("note", "", name="strip_suggest")
        self._holder = QWidget()
        self._holder.installEventFilter(self)
        self._list = vbox(on=self._holder, gap=10)
        self._skeleton = Skeleton("card_first_version")
        column = vbox(self.marks, self._suggest_strip, self._holder, self._build_work(), on=self, gap=10)
        # It fills what the versions leave of the page.
        column.addWidget(self._skeleton, _MUCH)
        self._refused = Text("", tone="text2", factor=0.95, name="label_refused")
        self._cures: dict[str, InputSection] = {}
        self._cure_buttons = vbox(gap=6)
        add_parts(column, self._refused, self._cure_buttons, self._build_foot(), STRETCH)
        self.cards: list[VersionCard] = []
        self.marks.order_changed.connect(self._set_tab_order)
        self.search.changed.connect(self._on_search_changed)
        self.search.progressed.connect(self._show_work)
        queue.progressed.connect(self._on_progressed)
        queue.judged.connect(self.search.take_verdict)

    def _build_work(self) -> QWidget:
        """Return the line with progress bar and stop button of the search for versions."""
        self._work = QWidget()
        line = hbox(on=self._work, margins=(4, 0, 4, 0), gap=12)
        self._bar = WorkBar()
        self._bar.setFixedWidth(theme().px(150))
        self._doing = Text("", tone="text2", name="label_searching")
        self._stop = Button(_("Stop"), name="button_stop_search", icon="close", clicked=self.search.stop)
        add_parts(line, Placed(self._bar, 0, Qt.AlignmentFlag.AlignVCenter), stretch_part(self._doing), self._stop)
        return self._work

    def _build_foot(self) -> QWidget:
        """Return the buttons that continue the search, or let the user build a version from methods."""
        self._again = Button(_("Go on looking"), name="button_search_again", icon="search", clicked=self._on_again)
        text = _("Build your own from {n} methods", n=len(all_methods()))
        self.build_button = Button(text, name="button_build_own", link=True, clicked=self.build_wanted)
        return Flow(self._again, self.build_button)

    def _put_in_order(self) -> None:
        """Put the versions of a complete search in order if that is due; versions that have a run are never removed.

        Others are removed if the result of the complete search lacks them, except one with the steps that the user
        asked for. Nothing happens while the pointer is over the cards or one of them has the focus: the user may be
        about to press a button.
        """
        search_state, focus = self.search.state, QApplication.focusWidget()
        is_used = self._holder.underMouse() or (focus is not None and self._holder.isAncestorOf(focus))
        if search_state is not None and search_state.is_sorting_due and not is_used:
            search_state.put_in_order([version for version in self.versions if self.entry_of(version) is not None])

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Show the cards anew, in order if that is due, and send ``changed`` when the pointer leaves the cards.

        Returns whether the event was used up; then Qt does not handle it again.
        """
        if event.type() == QEvent.Type.Leave:
            self._on_search_changed()
        return super().eventFilter(watched, event)

    # --- what there is ------------------------------------------------------------------

    @property
    def versions(self) -> tuple[Version, ...]:
        """The versions to show, in card order; empty before a search.

        While they are judged again after a change, those of the earlier decisions are among them.
        """
        search_state = self.search.state
        return search_state.versions if search_state is not None else ()

    def entry_of(self, version: Version) -> CandidateEntry | None:
        """Return the candidate (the queued run) made from a version; None if there is none.

        None also if the run is out of date or was cancelled.
        """
        serial = self._runs.get(_make_version_key(version))
        entries = (entry for entry in self._session.candidates if entry.serial == serial)
        current = (entry for entry in entries if not self._session.is_stale(entry.basis))
        return next((entry for entry in current if entry.status != CANCELLED), None)

    def states(self) -> list[CardState]:
        """Return what each version's card shows, in the order of the cards.

        The first version by scorecard that no check blocks is marked as best, even if it needs reasons; none if all are
        blocked.
        """
        versions, chosen = self.versions, self._session.decisions.chosen
        best = next((version for version in best_versions_first(versions) if not version.verdict.blocking), None)
        entries = [self.entry_of(version) for version in versions]
        earlier = self.search.state.earlier if self.search.state is not None else None
        old = {id(version) for version in earlier.versions} if earlier is not None else set()
        return [
            CardState(
                version,
                label,
                entry,
                is_best=version is best,
                is_chosen=entry is not None and entry.name == chosen and entry.status != FAILED,
                is_old=id(version) in old,
                not_kept=describe_lost_marked(version, versions),
            )
            for version, label, entry in zip(versions, label_versions(versions), entries, strict=True)
        ]

    def forget(self) -> None:
        """Discard all versions with their cards, and forget which runs they have; the runs stay.

        Messages and the buttons that propose changes of the recipe are removed. A running search is not stopped here.
        """
        self.search.forget()
        self._runs.clear()
        for card in self.cards:
            card.hide()
            card.deleteLater()
        self.cards.clear()
        self._suggest_strip.set("note", "")
        self._doing.setText("")
        self._refused.setText("")
        self._show_remedies(None)

    def run_all(self) -> None:
        """Queue a run for every version that has none, or whose run failed; the best version first.

        Runs that are out of date or were cancelled do not count.
        """
        for version in best_versions_first(self.versions):
            self._find_or_queue_run(version)

    def _find_or_queue_run(self, version: Version) -> CandidateEntry:
        """Return the candidate made from a version; if there is none or it failed, queue one with the version's key."""
        entry = self.entry_of(version)
        if entry is None or entry.status == FAILED:
            entry = self._queue.add_version(version)
            self._runs[_make_version_key(version)] = entry.serial
        return entry

    # --- showing ------------------------------------------------------------------------

    def refresh(self) -> None:
        """Show marks, cards and search.

        The search is started if it was never started for the present decisions, and continued if it was interrupted,
        but not by the user.
        """
        self.marks.refresh()
        self.search.look()
        self._show_cards()
        self._show_work()

    def _show_cards(self) -> None:
        """Show a card for each version and hide the remaining cards; missing cards are created.

        Versions are put in order before, if that is due and the user is not at the cards.
        """
        self._put_in_order()
        states = self.states()
        while len(self.cards) < len(states):
            card = VersionCard(len(self.cards) + 1)
            index = len(self.cards)
            card.choose.clicked.connect(partial(self._on_choose, index))
            card.see.clicked.connect(partial(self._on_see, index))
            card.adjust.clicked.connect(partial(self._on_adjust, index))
            self.cards.append(card)
            self._list.addWidget(card)
            self._set_tab_order()
        for card, state in zip(self.cards, states, strict=False):
            card.show_state(state)
        for index, card in enumerate(self.cards):
            card.setVisible(index < len(states))

    def _set_tab_order(self) -> None:
        """Let the Tab key go from the stop button through the marks to the buttons of the cards, and back again."""
        controls = [*self.marks.controls, *(button for card in self.cards for button in card.buttons)]
        for before, after in pairwise([self._stop, *controls, self._stop]):
            QWidget.setTabOrder(before, after)

    def _show_work(self) -> None:
        """Show the progress of the search and, once its result is there, what was refused and what would help.

        Why the search failed is shown instead of the reason why no version can be released.
        The button that continues the search is visible if the search can go on. If the focus was on the stop button, it
        goes to that button, or to the one for building a version.
        """
        search_state, working = self.search.state, self.search.is_working
        used = QApplication.focusWidget()
        self._work.setVisible(working)
        text = _("Looking for versions worth trying")
        rest = _("Large files take minutes. Meanwhile you can mark columns, build your own version or use other pages.")
        self._skeleton.show_text(text if working else "", rest)
        self._again.setVisible(search_state is not None and not working and search_state.may_go_on)
        if used is self._stop and not working:
            # The keyboard goes on from what took the place of the button that was used.
            (self._again if self._again.isVisible() else self.build_button).setFocus()
        if search_state is None:
            return
        if working:
            self._bar.show_share(search_state.share)
            self._doing.setText(describe_current_search(search_state))
        planned = search_state.planned
        self._show_remedies(planned)
        self._refused.setText(describe_refusals(planned, in_window=True) if planned is not None else "")
        self._refused.setVisible(bool(self._refused.text()))
        if search_state.failure:
            self._suggest_strip.set("blocks", search_state.failure)
        else:
            self._suggest_strip.set(
                "amber", explain_no_version(planned) if planned is not None and not planned.versions else ""
            )

    def _show_remedies(self, planned: Planned | None) -> None:
        """Show a button for each change of the recipe that would make a refused family of methods possible.

        A click changes how the rows of a person are read, as a decision. None removes all buttons. Nothing is built
        again if the changes are the same.
        """
        refusals = planned.refusals if planned is not None else ()
        cures = {str(cure.title): cure.input for refusal in refusals for cure in refusal.cures}
        if cures == self._cures:
            return
        self._cures = cures
        clear_layout(self._cure_buttons)
        for number, text in enumerate(cures, start=1):
            # It changes how several rows of a person are read, which starts a new search for versions.
            change = partial(self._session.decide_recipe, input=cures[text])
            add_parts(self._cure_buttons, align_left(Button(text, name=f"button_cure_{number}", clicked=change)))

    def _on_search_changed(self) -> None:
        """Show the cards and the state of the search anew, and send ``changed``."""
        self._show_cards()
        self._show_work()
        self.changed.emit()

    def _on_progressed(self, _progress: object) -> None:
        """Show the progress on the card of the version that is running, if it has a card."""
        for card, state in zip(self.cards, self.states(), strict=False):
            if state.entry is not None and state.entry is self._queue.running:
                card.show_progress(state)

    # --- deciding -----------------------------------------------------------------------

    def _on_again(self) -> None:
        """Continue the search for versions, and put the focus on the button that stops it."""
        self.search.look(again=True)
        self._stop.setFocus()

    def _on_choose(self, index: int) -> None:
        """Choose the version of the card at ``index`` for the release; queued if it has no run, or a failed one."""
        entry = self._find_or_queue_run(self.versions[index])
        self._session.decide(chosen=entry.name)

    def _on_see(self, index: int) -> None:
        """Show the version of the card at ``index`` on the page Compare; queued if it has no run, or a failed one."""
        self._session.to_see = self._find_or_queue_run(self.versions[index])
        self.see_wanted.emit()

    def _on_adjust(self, index: int) -> None:
        """Send ``adjust_wanted`` with the version of the card at ``index``."""
        self.adjust_wanted.emit(self.versions[index])


def _make_version_key(version: Version) -> object:
    """Return a hashable key that identifies a version: its steps as text, and the key of its random draws."""
    return repr(version.steps), version.key
