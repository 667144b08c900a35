"""The main window: list of pages, title bar, pages, action bar and help."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeySequence, QShortcut
from PySide6.QtWidgets import QMainWindow, QStackedWidget, QWidget

from ppdm_desktop.engine.errors import InputError, PpdmError
from ppdm_desktop.engine.samples.base import find_sample_file
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, language
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.engine.wording.texts import explain, render
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import LEAST_SCALE, MOST_SCALE, theme
from ppdm_desktop.ui.page import Context, Desk, Dialogs, Page, Pages, may_lose_decisions, show_notice
from ppdm_desktop.ui.shell.help import HelpDrawer
from ppdm_desktop.ui.shell.language import describe_language, language_choices, needs_restart
from ppdm_desktop.ui.shell.page_frame import ActionBar, PageArea, PageHead
from ppdm_desktop.ui.shell.rail import Rail
from ppdm_desktop.ui.shell.tour import TourGuide
from ppdm_desktop.ui.state.import_lines import count_unanswered_rows, list_open_questions
from ppdm_desktop.ui.state.project import PROJECT_SUFFIX
from ppdm_desktop.ui.state.saved import Saved
from ppdm_desktop.ui.state.session import STEPS, State
from ppdm_desktop.ui.state.settings import Settings, write_settings
from ppdm_desktop.ui.state.step_texts import StepTexts, step_titles
from ppdm_desktop.ui.widgets.drop_zone import dropped_paths
from ppdm_desktop.ui.widgets.language_switch import LanguageSwitch
from ppdm_desktop.ui.widgets.layout import FitsOnResize, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.scrolling import Area, ancestors, scroll_to_start
from ppdm_desktop.ui.widgets.work import describe_progress
from ppdm_desktop.ui.work.chunked_work import make_timer
from ppdm_desktop.ui.work.tasks import TaskOutcome, TaskProgress

_CLOSING_MS = 3_000
"""Milliseconds that closing waits for work to stop."""
_NARROW_BELOW, _LOW_BELOW, _TIGHT_BELOW = 1000, 640, 560


def set_tab_order_inside(holder: QWidget, page: QWidget) -> None:
    """Place the controls of a page in the Tab order at the position of the widget that holds the page.

    Qt would put them last. Nothing happens if no control of the page takes the focus. Qt moves a widget with its
    children only if the focus of the widget is passed to one of them, and only next to a widget that takes the focus;
    both are arranged temporarily.

    Parameters
    ----------
    holder
        The widget that contains the page; it takes no focus.
    page
        The page that was just put into it.
    """
    last, widget = None, page.nextInFocusChain()
    while widget is not None and page.isAncestorOf(widget):
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
            last = widget
        widget = widget.nextInFocusChain()
    if last is None:
        return
    for part in (holder, page):
        part.setFocusPolicy(Qt.FocusPolicy.TabFocus)
    before = last.focusPolicy()
    page.setFocusProxy(last)
    QWidget.setTabOrder(holder, page)
    page.setFocusProxy(None)  # type: ignore[arg-type]
    last.setFocusPolicy(before)
    for part in (holder, page):
        part.setFocusPolicy(Qt.FocusPolicy.NoFocus)


def save_project(parent: QWidget, context: Context, saved: Saved, page: str) -> bool:
    """Save the project with the name of the current page; return whether it was saved.

    The first time, the user is asked for a file. False without an open file, if the user cancels, and if writing fails
    (a message says so).
    """
    session = context.session
    if session.reading is None or session.decisions.path is None:
        return False
    path = session.project
    if path is None:
        suggestion = session.decisions.path.with_suffix(PROJECT_SUFFIX)
        path = context.dialogs.save_file(parent, _("Save the project"), suggestion, f"*{PROJECT_SUFFIX}")
    if path is None:
        return False
    try:
        saved.save(path, page)
    except PpdmError as error:
        show_notice(context.dialogs, parent, _("The project was not saved"), explain(error, window=True))
        return False
    return True


class MainWindow(FitsOnResize, QMainWindow):
    """The main window of the program.

    Parameters
    ----------
    context
        Session, task runner and dialogs that all pages share.
    pages
        The pages by name, ``welcome`` among them; each is created at its first visit.
    settings, settings_folder
        The saved settings and their folder.
    """

    def __init__(self, context: Context, pages: Pages, settings: Settings, settings_folder: Path) -> None:
        super().__init__()
        self.context, self.session, self.runner = context, context.session, context.runner
        self.settings, self.settings_folder = settings, settings_folder
        self.restarts = False
        """Whether the program is to start again once this window is closed."""
        self.still_working = False
        """Whether work would not stop when this window was closed; then the program may only leave, not clean up."""
        self._pages = pages
        self._desk = Desk(context.session, context.runner, pages.made)
        context.session.last_record = dict(settings.record)
        context.session.forms, context.session.forms_folder = settings.forms, settings.forms_folder
        self._step_texts, self._saved = StepTexts(self.session), Saved(self.session, context.ledger)
        self._folded = False
        self.current, self._last_step = "welcome", STEPS[0]
        self.setObjectName("main_window")
        self.setWindowTitle("PPDM Desktop")
        self.setMinimumSize(QSize(640, 420))
        self.setAcceptDrops(True)
        self._build_parts()
        self._connect_signals()
        self._add_shortcuts()
        self.show_page("welcome")
        self._on_session_changed()

    # --- building -----------------------------------------------------------------------

    def _build_parts(self) -> None:
        """Create the parts of the window (list of pages, title bar, pages, help, action bar), and lay them out."""
        self.rail = Rail(step_titles(), _("Risk of the original"), _("Offline. Original unchanged."))
        self.head = PageHead()
        self.button_undo, self.button_redo = self.head.button_undo, self.head.button_redo
        self.button_check_file, self.button_help = self.head.button_check_file, self.head.button_help
        self.stack = QStackedWidget()
        self.stack.setObjectName("pages")
        self._areas: dict[str, Area] = {}
        self._switches: list[LanguageSwitch] = []
        self.bar = ActionBar()
        self.button_back, self.button_next = self.bar.button_back, self.bar.button_next
        self.button_cancel, self.label_status = self.bar.button_cancel, self.bar.label_status
        self.drawer = HelpDrawer(_("Help"), _("Close help"))
        self.page_area = PageArea(self.stack, self.drawer)
        self.tour = TourGuide(self, self)
        whole = QWidget()
        row = hbox(on=whole, gap=0)
        add_parts(
            row,
            self.rail,
            stretch_part(vbox(self.head, stretch_part(self.page_area), self.tour.strip, self.bar, gap=0)),
        )
        self.setCentralWidget(whole)

    def _put_in(self, page: Page) -> None:
        """Add a page that was just created to the window, in a scroll area, and connect its signals."""
        area = Area(page)
        area.setObjectName(f"area_{page.step}")
        self._areas[page.step] = area
        self.page_area.watch(area)
        self.stack.addWidget(area)
        set_tab_order_inside(self.stack, page)
        page.save_project = self._save_project
        page.go.connect(self.go_to)
        page.file_wanted.connect(self._open_file)
        page.primary_changed.connect(self._show_primary)
        page.tour_wanted.connect(self.tour.start)
        for switch in page.findChildren(LanguageSwitch):
            self._switches.append(switch)
            switch.picked.connect(self._on_language)
            switch.restart_wanted.connect(self.restart)
        self._show_language()

    def _connect_signals(self) -> None:
        """Connect the signals of the window's parts with the methods that answer them; create the two timers."""
        self.rail.chosen.connect(self.go_to)
        self.button_undo.clicked.connect(self.session.undo)
        self.button_redo.clicked.connect(self.session.redo)
        self.head.button_save.clicked.connect(self._save_project)
        self.button_help.clicked.connect(self.toggle_help)
        self.head.button_settings.clicked.connect(self.show_settings)
        self.drawer.closed.connect(self.toggle_help)
        self.drawer.tour_wanted.connect(self._start_tour)
        self.drawer.guide_wanted.connect(partial(open_guide, self, self.context.dialogs))
        self.button_back.clicked.connect(self.go_back)
        self.button_next.clicked.connect(self._press_primary)
        self.button_cancel.clicked.connect(self._cancel_jobs)
        self.button_check_file.clicked.connect(self._check_file)
        self._pages.when_made(self._put_in)
        self.session.listen(self._on_session_changed)
        self.runner.started.connect(self._on_job_started)
        self.runner.progressed.connect(self._on_job_progressed)
        self.runner.ended.connect(self._on_job_ended)
        theme().changed.connect(self._adapt_to_size)
        self._progress: TaskProgress | None = None
        # Nothing under 400 ms: short work never flashes.
        self._late = make_timer(self, 400, self._show_primary)
        # To fill and lay out a page takes as long as to paint it: each has a turn of its own.
        self._paint_soon = make_timer(self, 0, partial(self.stack.setUpdatesEnabled, True))

    def _add_shortcuts(self) -> None:
        """Add the keyboard shortcuts of the window, such as Ctrl+1 to Ctrl+7 for the pages.

        Others are for back and on (Alt+Left, Alt+Right), undo and redo, help (F1), folding the list of pages, text
        size, open and save, the next area (F6), and closing the help (Esc).
        """
        slots: tuple[tuple[str, Callable[[], object]], ...] = (
            *((f"Ctrl+{number}", partial(self.go_to, step)) for number, step in enumerate(STEPS, start=1)),
            ("Alt+Left", self.go_back),
            ("Alt+Right", self._press_primary),
            ("Ctrl+Return", self._press_primary),
            ("Ctrl+Z", self.session.undo),
            ("Ctrl+Shift+Z", self.session.redo),
            ("Ctrl+Y", self.session.redo),
            ("F1", self._toggle_focused_help),
            ("Ctrl+B", self.toggle_fold),
            ("Ctrl++", partial(self._change_scale, 0.25)),
            ("Ctrl+=", partial(self._change_scale, 0.25)),
            ("Ctrl+-", partial(self._change_scale, -0.25)),
            ("Ctrl+0", partial(self._change_scale, None)),
            ("Ctrl+O", self._open_file),
            ("Ctrl+S", self._save_project),
            ("F6", self._focus_next_area),
            ("Esc", self._close_help),
        )
        for keys, slot in slots:
            QShortcut(QKeySequence(keys), self).activated.connect(slot)

    # --- moving -------------------------------------------------------------------------

    def go_to(self, step: str) -> None:
        """Open a page by its name, such as "risk", or show in the action bar why that is not possible.

        The page "welcome" can always be opened.
        """
        if step != "welcome" and self.session.why_not(step) is not None:
            self.bar.show_message(self._step_texts.second(step), "amber")
            return
        self.show_page(step)

    def show_page(self, step: str) -> None:
        """Open a page by its name without asking whether it may be opened; its first control gets the focus.

        The page is brought up to date before it is seen. An open help changes to the page's topic.
        """
        self.stack.setUpdatesEnabled(False)
        self._paint_soon.start()
        page = self._pages[step]
        self.current = step
        if step in STEPS:
            self._last_step = step
        # Filled before it is seen: what appears or changes then asks for no new layout each time.
        page.entered()
        page.show_now()
        self.stack.setCurrentWidget(self._areas[step])
        self.head.show_page(page)
        self.button_back.setVisible(step != "welcome")
        self._show_primary()
        if self.drawer.isVisible():
            self.drawer.show_topic(topic_of("page", page.step))
        self._adapt_to_size()
        self._focus_first_control(page, Qt.FocusReason.OtherFocusReason)

    def show_tab(self, name: str) -> None:
        """Open the tab with this name in code on the current page; raise ValueError if there is none."""
        self._pages[self.current].show_tab(name)

    def _focus_first_control(self, page: Page, reason: Qt.FocusReason) -> None:
        """Set the focus to the page's first visible, enabled control that Tab reaches, else to Back."""
        widget = page.nextInFocusChain()
        while widget is not None and page.isAncestorOf(widget):
            if widget.isVisible() and widget.isEnabled() and widget.focusPolicy() & Qt.FocusPolicy.TabFocus:
                widget.setFocus(reason)
                return
            widget = widget.nextInFocusChain()
        self.button_back.setFocus(reason)

    def go_back(self) -> None:
        """Go to the previous page, which is always possible; do nothing on the welcome page."""
        order = ("welcome", *STEPS)
        index = order.index(self.current)
        if index > 0:
            self.show_page(order[index - 1])

    def _press_primary(self) -> None:
        """Do what the primary button of the page does, if there is one and it is enabled."""
        page = self._pages[self.current]
        wish = page.primary()
        if wish is not None and wish.enabled:
            page.on_primary()

    def _close_help(self) -> None:
        """Close the help if it is open."""
        if self.drawer.isVisible():
            self.toggle_help()

    def _focus_next_area(self) -> None:
        """Move the focus to the next area: list of pages, page, action bar, then the list again.

        If the focus is elsewhere, it goes to the list.
        """
        focus, page = self.focusWidget(), self._pages[self.current]
        by_key = Qt.FocusReason.TabFocusReason
        if focus is not None and self.rail.isAncestorOf(focus):  # type: ignore[redundant-expr]
            self._focus_first_control(page, by_key)
        elif focus is not None and page.isAncestorOf(focus):  # type: ignore[redundant-expr]
            (self.button_next if self.button_next.isEnabled() else self.button_back).setFocus(by_key)
        else:
            self.rail.items[STEPS[0]].setFocus(by_key)

    # --- showing ------------------------------------------------------------------------

    def _on_session_changed(self) -> None:
        """Update everything that shows the session: pages, undo and redo, list of pages, primary button.

        Release record and forms are saved with the settings if they changed. If another file was opened, all pages
        scroll to their start.
        """
        if self._desk.clear():
            self._progress = None
            self._late.stop()
            for area in self._areas.values():
                scroll_to_start(area)
        for page in self._pages.made:
            page.session_changed()
        kept = replace(self.settings, record=dict(self.session.last_record), forms=self.session.forms)
        if kept != self.settings:
            self.change_settings(kept)
        self.head.show_history(self.session.can_undo, self.session.can_redo)
        self.head.button_save.setVisible(self.session.reading is not None)
        self.button_check_file.setVisible(self.session.reading is not None)
        self._show_rail()
        self._show_primary()

    def _show_rail(self) -> None:
        """Show in the list of pages the state of each page, the score card, and the names of file and project."""
        narrow = self.rail.narrow
        for step, item in self.rail.items.items():
            state = self.session.state(step)
            item.set(state, self._step_texts.second(step), current=step == self.current, narrow=narrow)
        self.rail.score.set_lines(self._step_texts.score())
        path = self.session.path
        self.rail.set_names(path.name if path is not None else "PPDM Desktop", self._saved.text())

    def _show_primary(self) -> None:
        """Show the page's primary button with its message.

        While work takes longer than 0.4 s, its progress is shown instead of the message, with a button to cancel it.
        """
        page = self._pages[self.current]
        wish = page.primary()
        self.bar.show_primary(wish)
        progress = self._progress
        if progress is not None and self.runner.is_running(progress.job) and progress.seconds > 0.4:
            self.bar.show_message(describe_progress(progress, render("doing.work").sentence), "note", aloud=False)
            self.bar.show_cancel(visible=True)
            return
        self.bar.show_cancel(visible=False)
        if wish is not None:
            self.bar.show_message(wish.message, wish.severity)
        else:
            self.bar.show_message("", "note")

    # --- jobs ---------------------------------------------------------------------------

    def _on_job_started(self, job: str) -> None:
        """Remember that a job has started, to show its progress once it takes longer than 0.4 s.

        Jobs whose progress is shown on their page are ignored.
        """
        if job in self.runner.in_background:
            return
        self._progress = TaskProgress(job, 0.0, "", 0.0, None)
        self._late.start()

    def _on_job_progressed(self, progress: TaskProgress) -> None:
        """Show the progress of a job in the action bar; jobs whose progress is shown on their page are ignored."""
        if progress.job in self.runner.in_background:
            return
        self._progress = progress
        self._show_primary()

    def _on_job_ended(self, outcome: TaskOutcome) -> None:
        """Forget the progress of a job that has ended, and show the primary button of the page again."""
        if self._progress is not None and self._progress.job == outcome.job:
            self._progress = None
        self._show_primary()

    def _cancel_jobs(self) -> None:
        """Cancel the running jobs and say so in the action bar. Jobs whose progress is shown on their page go on."""
        for job in set(self.runner.running()) - self.runner.in_background:
            self.runner.cancel(job)
        self.bar.show_message(_("Stopping"), "note")

    # --- commands -----------------------------------------------------------------------

    def _open_file(self) -> None:
        """Ask for a file as the welcome page does; the present page stays open until a file is chosen."""
        self._pages["welcome"].on_primary()

    def open_path(self, path: Path) -> None:
        """Open a file or a project as if it had been dropped on the window."""
        self._pages["welcome"].open_path(path)  # type: ignore[attr-defined]

    def _save_project(self) -> bool:
        """Save the project with the page that was open last (Welcome does not count); return whether it was saved."""
        was_saved = save_project(self, self.context, self._saved, self._last_step)
        self._on_session_changed()
        return was_saved

    def _check_file(self) -> None:
        """Open the page Risk, or the first page that has to be finished before it.

        These are Open, if questions on the file are open, then Columns and Levels. If such a page is open already, it
        scrolls to its start, and its message (if it has one) is shown in the action bar.
        """
        asked = count_unanswered_rows(self.session) or list_open_questions(self.session)
        steps = ("columns", "levels")
        step = "open" if asked else next((s for s in steps if self.session.state(s) is not State.DONE), "risk")
        is_here = step == self.current
        self.go_to(step)
        wish = self._pages[step].primary()
        if is_here and step != "risk" and wish is not None:
            scroll_to_start(self._areas[step])
            self.bar.show_message(_("That is said in step 4. {first}", first=Term(wish.message)), "amber")

    def toggle_help(self) -> None:
        """Open the help on the current page's topic, or close the help if it is open."""
        if self.drawer.isVisible():
            self.drawer.hide()
            self._adapt_to_size()
        else:
            self._show_help_on(topic_of("page", self.current))

    def _toggle_focused_help(self) -> None:
        """Open the help on the focused control, or close it if it already shows that topic or has the focus."""
        topic = self._find_help_topic()
        inside = self.drawer.isVisible() and self.drawer.isAncestorOf(self.focusWidget())
        if self.drawer.isVisible() and (inside or self.drawer.topic == topic):
            self.toggle_help()
        else:
            self._show_help_on(topic)

    def _show_help_on(self, topic: str) -> None:
        """Open the help on a topic, with a link back to the topic of this page.

        An open help only changes its topic.
        """
        self.drawer.show_topic(topic, topic_of("page", self.current))
        self.drawer.show()
        self._adapt_to_size()

    def _find_help_topic(self) -> str:
        """Return the help topic of the focused control, else of a widget around it, else of the page."""
        focus: QWidget | None = self.focusWidget()
        widgets = () if focus is None else (focus, *ancestors(focus))
        topics = (widget.property("topic") for widget in widgets)
        return str(next(filter(None, topics), topic_of("page", self.current)))

    def toggle_fold(self) -> None:
        """Show the list of pages as symbols only, or again with names if the window is wide enough."""
        self._folded = not self._folded
        self._adapt_to_size()

    def show_settings(self) -> None:
        """Open the dialog of settings and wait until it is closed."""
        from ppdm_desktop.ui.shell.settings_dialog import SettingsDialog

        dialog = SettingsDialog(self, self.settings, self.change_settings, self.context.ledger)
        dialog.wants_restart.connect(self.restart)
        dialog.help_wanted.connect(self._show_help_on)
        dialog.exec()

    def restart(self) -> None:
        """Close the window, with the usual questions about unsaved work; the program restarts if it was closed."""
        self.restarts = True
        self.restarts = self.close()

    def _start_tour(self) -> None:
        """Close the help if it is open, and start the guided tour."""
        self._close_help()
        self.tour.start()

    def _on_language(self, choice: str) -> None:
        """Save the chosen language, a code or ``system``; it takes effect at the next start."""
        self.change_settings(replace(self.settings, language=choice))

    def _show_language(self) -> None:
        """Show the chosen language in all language switches, and whether it needs a restart."""
        chosen = self.settings.language
        for switch in self._switches:
            switch.show_choice(language_choices(), chosen, describe_language(chosen), restart=needs_restart(chosen))

    def change_settings(self, settings: Settings) -> None:
        """Apply and save settings; a new language takes effect at the next start.

        If they cannot be saved, they are applied until the program ends.
        """
        self.settings = settings
        self.session.forms_folder = settings.forms_folder
        self._show_language()
        theme().set_appearance(settings.appearance)
        theme().set_scale(settings.scale)
        self._save_settings()

    def _change_scale(self, change: float | None) -> None:
        """Add a share (0.25 for a quarter) to the text size, within its limits; None sets it to the normal size."""
        scale = 1.0 if change is None else min(max(self.settings.scale + change, LEAST_SCALE), MOST_SCALE)
        self.change_settings(replace(self.settings, scale=scale))

    # --- Qt -----------------------------------------------------------------------------

    def focusNextPrevChild(self, next: bool) -> bool:
        """Move the focus with Tab (``next``) or Shift+Tab, and scroll until it is visible; return whether it was moved.

        Help that covers the control is closed. Qt alone scrolls only within a page.
        """
        moved = super().focusNextPrevChild(next)
        area, focus = self._areas[self.current], self.focusWidget()
        if focus is not None and area.isAncestorOf(focus):  # type: ignore[redundant-expr]
            area.ensureWidgetVisible(focus)
            if self.page_area.covers(focus):
                self.toggle_help()
        return moved

    def _adapt_to_size(self) -> None:
        """Adapt the list of pages and the title bar to the window, measured at 100 % text size.

        Below 1000 px of width, or if the user folded it, the list has only symbols. Below 560 px of width the check
        button has no label, and below 640 px of height the score card and the page's purpose are hidden.
        """
        effective = self.width() * 17 / max(theme().h, 1)
        low = self.height() * 17 / max(theme().h, 1) < _LOW_BELOW
        self.rail.set_narrow(self._folded or effective < _NARROW_BELOW, low=low)
        self.head.fit(low=low, tight=effective < _TIGHT_BELOW)
        self._show_rail()

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept files that are dragged over the window; ignore anything else."""
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Let the welcome page open what was dropped; it refuses several files at once."""
        self._pages["welcome"].dropped(dropped_paths(event.mimeData()))  # type: ignore[attr-defined]

    def closeEvent(self, event: QCloseEvent) -> None:
        """Close the window after asking about running work and unsaved decisions; it stays open if the user decides so.

        It also stays open if saving fails. Before closing, the tour is left, the size saved, and all work stopped, for
        which at most three seconds are waited. Work in the background is stopped without asking.
        """
        if set(self.runner.running()) - self.runner.in_background:
            answer = self.context.dialogs.ask(
                self,
                _("Stop the running work and close?"),
                _("The run will stop and its result will be lost. The original file is not changed."),
                [("stay", _("Cancel")), ("stop", _("Stop and close"))],
                "stay",
            )
            if answer == "stay":
                event.ignore()
                return
        question = _("Save your decisions before closing?")
        buttons = [("save", _("Save and close")), ("drop", _("Close without saving"))]
        if not may_lose_decisions(self.context, self, self._save_project, question, buttons):
            event.ignore()
            return
        self.tour.leave()
        self._keep_size()
        self.stop_work()
        event.accept()

    def _keep_size(self) -> None:
        """Save the window's size for the next start, if it can be saved, or the screen's if the window is maximised."""
        # In the size of the whole screen it opens maximised again, see `set_first_size`.
        size = self.screen().availableSize() if self.isMaximized() else self.size()
        self.settings = replace(self.settings, size=size.toTuple())
        self._save_settings()

    def _save_settings(self) -> None:
        """Save the settings for the next start; nothing happens if their file cannot be written."""
        with contextlib.suppress(OSError, InputError):
            write_settings(self.settings_folder, self.settings)

    def stop_work(self) -> bool:
        """Cancel all work and wait at most three seconds; return whether some work is still running."""
        self.still_working = not self.runner.stop_all(_CLOSING_MS)
        return self.still_working


FOLDER = find_sample_file("").parent / "guide"
"""Folder of the guides in the packaged program; absent in a checkout unless ``dev.py guide`` made one."""


def guide_file(code: str) -> Path | None:
    """Return the printable guide (PDF) in the language with this code, else in English; None if there is neither."""
    files = (FOLDER / f"ppdm-desktop-{name}.pdf" for name in (code, SOURCE))
    return next((file for file in files if file.is_file()), None)


def open_guide(parent: QWidget, dialogs: Dialogs) -> None:
    """Open the guide in the system's PDF program; show why if that fails."""
    path = guide_file(language())
    if path is not None and dialogs.open_document(path):
        return
    if path is None:
        why = _("This copy of the program has no guide to print. The packaged program includes one.")
    else:
        why = _("No program for PDF files was found. The guide is here: {file}", file=Term(str(path)))
    show_notice(dialogs, parent, _("The guide could not be opened"), why)
