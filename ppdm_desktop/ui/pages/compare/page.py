"""Page "Compare": the finished candidates on a map, and what each of them changes in rows, columns and analyses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import Protocol

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QSizePolicy, QTabWidget, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term, Terms
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.look.accessibility import as_group
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context, Page, Primary
from ppdm_desktop.ui.pages.compare.analyses.tab import AnalysesTab
from ppdm_desktop.ui.pages.compare.audit.tab import AuditTab
from ppdm_desktop.ui.pages.compare.charts.tab import ChartsTab
from ppdm_desktop.ui.pages.compare.map.tab import MapTab
from ppdm_desktop.ui.pages.compare.ranges.tab import RangesTab
from ppdm_desktop.ui.pages.compare.rows.tab import RowsTab
from ppdm_desktop.ui.state.finished_candidates import (
    describe_outdated,
    find_best_finished,
    label_candidate,
    list_finished_candidates,
    list_running_candidates,
)
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.state.step_chain import describe_chain
from ppdm_desktop.ui.widgets.basic import Strip, Text
from ppdm_desktop.ui.widgets.inputs import Choice
from ppdm_desktop.ui.widgets.layout import add_parts, hbox, stretch_part, widget_of
from ppdm_desktop.ui.widgets.scrolling import Area, put_back
from ppdm_desktop.ui.widgets.work import Skeleton

_LEAST_TAB = 150  # px at 100 %: what a tab that scrolls wishes for; it gets all that is left


class _Content(Protocol):
    """What every tab's content can do: show a candidate, and forget all candidates."""

    def show_entry(self, entry: CandidateEntry | None) -> None:
        """Show a candidate; None stands for no candidate."""

    def forget(self) -> None:
        """Remove everything about candidates, and set all choices back to their defaults."""


@dataclass(frozen=True)
class _Tab:
    """One tab of the page.

    Attributes
    ----------
    name
        Name of the tab in code.
    label
        Displayed label.
    content
        The content.
    front
        The widget in the row of tabs: the content, or the area that scrolls it.
    """

    name: str
    label: str
    content: _Content
    front: QWidget


class _Tabs(QTabWidget):
    """Tabs whose size depends only on the current tab."""

    accessible_info = as_group

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tabs_compare")
        self.setAccessibleName(_("What to compare"))
        self.setDocumentMode(True)
        bar = self.tabBar()
        bar.setAccessibleName(_("What to compare"))
        bar.setDrawBase(False)
        bar.setUsesScrollButtons(True)

    def sizeHint(self) -> QSize:
        """Return Qt's preferred size, but with a small height if the current tab scrolls by itself.

        This keeps the page from scrolling as well.
        """
        hint = super().sizeHint()
        if isinstance(self.currentWidget(), Area):
            return QSize(hint.width(), max(self.minimumSizeHint().height(), theme().px(_LEAST_TAB)))
        return hint


class ComparePage(Page):
    """Page with tabs that show the selected candidate."""

    step = "compare"

    def __init__(self, context: Context) -> None:
        super().__init__(context)
        self._serial: int | None = None
        self._wanted: CandidateEntry | None = None
        self._seen: dict[int, object] = {}
        self._arrived = False
        self.waiting = Strip("note", "", name="strip_being_judged")
        self.skeleton = Skeleton("card_waiting")
        self.stale = Strip("amber", "")
        add_parts(self.outer, self.waiting, self.skeleton, self.stale)
        self.tabs = _Tabs()
        self.combo = Choice(name="combo_candidate", label=_("Version"), picked=self._on_picked, letters=18)
        self.combo.setPlaceholderText(_("No version is finished yet"))
        self.map = MapTab(context)
        self.rows = RowsTab(context)
        self.charts = ChartsTab(context)
        self.analyses = AnalysesTab(context)
        self.audit = AuditTab(context)
        self.ranges = RangesTab(context)
        # Scrolled on their own, so that a long one does not stretch the tables of the other.
        self._all = (
            _Tab("map", _("Map"), self.map, Area(self.map)),
            _Tab("rows", _("Rows side by side"), self.rows, self.rows),
            _Tab("charts", _("Before and after"), self.charts, Area(self.charts)),
            _Tab("analyses", _("What is still useful"), self.analyses, Area(self.analyses)),
            _Tab("audit", _("Attack tests"), self.audit, Area(self.audit)),
            _Tab("ranges", _("Ranges"), self.ranges, Area(self.ranges)),
        )
        for tab in self._all:
            self.tabs.addTab(tab.front, tab.label)
        self.tabs.currentChanged.connect(self._on_tab)
        version = Text(_("Version"), tone="text2", wrap=False, buddy=self.combo)
        self._choice = widget_of(hbox(version, stretch_part(self.combo)))
        add_parts(self.outer, self._choice, stretch_part(self.tabs))
        self._fit_height()
        self.map.opened.connect(self._on_picked)
        self.map.verdict.choose_wanted.connect(self._on_choose)
        self.map.verdict.delete_wanted.connect(self._on_delete)
        self.map.verdict.renamed.connect(self._on_renamed)
        self.ranges.range_wanted.connect(partial(self.go.emit, "protect"))

    def title(self) -> str:
        """Return the title of the page."""
        return _("Compare")

    def purpose(self) -> str:
        """Return the sentence below the title that says what the page is for."""
        return _("Which version protects enough, and what does it cost?")

    def primary(self) -> Primary:
        """Return the button that leads to Release, enabled if the chosen candidate is finished, even if out of date.

        Its message names this candidate; if it is disabled, the message asks to choose one.
        """
        chosen = self.session.chosen
        text = _("Release", "verb")
        if chosen is None:
            return Primary(text, False, _("Choose a version"), "amber")
        return Primary(text, True, _("{name} is chosen", name=Term(chosen.display_name)), "passed")

    def on_primary(self) -> None:
        """Go to the page Release."""
        self.go.emit("release")

    # --- showing ------------------------------------------------------------------------

    def entered(self) -> None:
        """Open the tab of ranges if a range was tried, and the user asked to see it or no candidate is finished.

        The request of the user is then cleared. Otherwise the tab in front stays.
        """
        tried = self.session.tried
        if tried is not None and (tried.is_wanted or not self.session.finished()):
            tried.is_wanted = False
            self.show_tab("ranges")

    @property
    def selected_entry(self) -> CandidateEntry | None:
        """The selected candidate; None without one, or if its present table has no verdict yet."""
        return next((entry for entry in list_finished_candidates(self.session) if entry.serial == self._serial), None)

    def file_opened(self) -> None:
        """Forget the displayed candidate, clear all tabs and go to the first, and show charts instead of tables."""
        self._serial, self._wanted, self._seen, self._arrived = None, None, {}, False
        self.tabs.setCurrentIndex(0)
        for tab in self._all:
            tab.content.forget()
        for card in self.findChildren(ChartCard):
            card.show_chart()

    def reading_changed(self) -> None:
        """Scroll the page and its tables to their start and deselect everything in them, as the file was read anew."""
        put_back(self)

    def refresh(self) -> None:
        """Offer the finished candidates, name those still being checked, and show the selected one in the current tab.

        While candidates are checked, none is finished and no range of settings was tried, the page shows only a text on
        what is running instead.
        """
        entries = list_finished_candidates(self.session)
        self._preselect_candidate(entries)
        waiting = [entry.display_name for entry in list_running_candidates(self.session)]
        text = _(
            "{names} {names:is|are} still being checked. {names:It appears|They appear} here when the result is there.",
            names=Terms(tuple(waiting)),
        )
        nothing_yet = bool(waiting) and not entries and self.session.tried is None
        self.waiting.set("note", text if waiting and not nothing_yet else "")
        judging = [entry for entry in list_running_candidates(self.session) if nothing_yet]
        self.skeleton.show_text(
            text if nothing_yet else "", "\n".join(describe_chain(entry.recipe) for entry in judging)
        )
        for part in (self._choice, self.tabs):
            part.setVisible(not nothing_yet)
        self.combo.set_choices(
            [(entry.name, label_candidate(entry)) for entry in entries],
            self.selected_entry.name if self.selected_entry is not None else None,
        )
        self.combo.setEnabled(bool(entries))
        self._show_entry()

    def _preselect_candidate(self, entries: list[CandidateEntry]) -> None:
        """Select the candidate that the user picked or asked to see, or else the best finished; none if there is none.

        A request to see a finished one is fulfilled at once and cleared. Otherwise the candidate shown so far stays, if
        it is still finished, until a candidate is judged. While the page is visible it stays even then, unless a
        candidate was judged for the first time and the first tab is in front.
        """
        if (asked := self.session.to_see) is not None and asked in entries:
            self.session.to_see, self._wanted, self._serial = None, asked, asked.serial
        has_new = self._record_judged_entries(entries)
        if not any(entry is self._wanted for entry in entries):
            self._wanted = None
        kept = self._serial in [entry.serial for entry in entries]
        follows = has_new and self.tabs.currentIndex() == 0
        if kept and (not self._arrived or (self.isVisible() and not follows)):
            return
        self._arrived = False
        wanted = self._wanted or find_best_finished(self.session, entries)
        self._serial = wanted.serial if wanted is not None else None

    def _record_judged_entries(self, entries: list[CandidateEntry]) -> bool:
        """Record the judged candidates, and return whether one of them was not recorded before.

        A known candidate that was judged again is recorded, too, but does not count as new. In both cases the page
        remembers that a result arrived; candidates not in ``entries`` are no longer recorded.
        """
        has_new = any(entry.serial not in self._seen for entry in entries)
        self._arrived = self._arrived or any(self._seen.get(entry.serial) is not entry.judged for entry in entries)
        self._seen = {entry.serial: entry.judged for entry in entries}
        return has_new

    def _show_entry(self) -> None:
        """Show the candidate in the current tab, mark it if out of date, and mark the attack tab if an attack works."""
        self._mark_audit_tab(self.selected_entry)
        self.stale.set("amber", describe_outdated(self.session, self.selected_entry))
        self._fill_tab()

    def _fill_tab(self) -> None:
        """Fill the current tab with the selected candidate; other tabs are filled when they are opened."""
        self._all[self.tabs.currentIndex()].content.show_entry(self.selected_entry)

    def _mark_audit_tab(self, entry: CandidateEntry | None) -> None:
        """Put a warning icon on the tab of attacks if an attack on this candidate succeeded, else remove the icon."""
        index = next(index for index, tab in enumerate(self._all) if tab.content is self.audit)
        self.audit.mark_tab(self.tabs, index, entry)

    @property
    def tab_names(self) -> tuple[str, ...]:
        """Names of the tabs in code."""
        return tuple(tab.name for tab in self._all)

    def show_tab(self, name: str) -> None:
        """Open the tab with this name in code; an unknown name raises ValueError."""
        if name not in self.tab_names:
            super().show_tab(name)
        self.tabs.setCurrentIndex(self.tab_names.index(name))

    # --- deciding -----------------------------------------------------------------------

    def _on_picked(self, name: str) -> None:
        """Show the candidate with this name; nothing if there is none or it is shown already.

        It is remembered as the user's choice, which later results do not replace.
        """
        entry = self.session.candidate(name)
        if entry is not None and entry.serial != self._serial:
            self._serial = entry.serial
            self._wanted = self.selected_entry
            self.refresh()

    def _fit_height(self) -> None:
        """Let only the current tab determine the height, so that higher tabs behind it do not make the page scroll."""
        for tab in self._all:
            policy = tab.front.sizePolicy()
            front = tab.front is self.tabs.currentWidget()
            policy.setVerticalPolicy(QSizePolicy.Policy.Preferred if front else QSizePolicy.Policy.Ignored)
            tab.front.setSizePolicy(policy)

    def _on_tab(self, _index: int) -> None:
        """Fill the tab that was opened, and let it determine the height."""
        self._fit_height()
        self._fill_tab()

    def _on_choose(self) -> None:
        """Choose the displayed candidate for the release; nothing without one."""
        entry = self.selected_entry
        if entry is not None:
            self.session.decide(chosen=entry.name)

    def _on_renamed(self, title: str) -> None:
        """Give the displayed candidate another title; "" restores its first title. Nothing without a candidate."""
        entry = self.selected_entry
        if entry is not None:
            self.session.rename(entry.name, title)

    def _on_delete(self) -> None:
        """Delete the displayed candidate if the user confirms it; nothing without one.

        The question says that its rows cannot be restored, and warns if the candidate is chosen for the release.
        """
        entry = self.selected_entry
        if entry is None:
            return
        text = _(
            "Its rows cannot be restored. A new run with the same steps uses a new key and gives different "
            "random values."
        )
        if self.session.decisions.chosen == entry.name:
            text = f"{_('{name} is chosen', name=Term(entry.display_name))}. {text}"
        answer = self.context.dialogs.ask(
            self,
            _("Delete {name}?", name=Term(entry.display_name)),
            text,
            [("keep", _("Keep {name}", name=Term(entry.display_name))), ("delete", _("Delete the version"))],
            "keep",
        )
        if answer == "delete":
            self.session.forget(entry.name)
