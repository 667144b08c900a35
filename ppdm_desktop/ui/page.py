"""What a page offers to the window, and what the window passes to a page."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.saved import is_unsaved
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.work.tasks import TaskRunner


class Dialogs(Protocol):
    """File dialogs and questions that pages use; tests replace them by prepared answers."""

    def open_file(self, parent: QWidget, title: str, patterns: str) -> Path | None:
        """Ask for an existing file, named as ``patterns`` such as "*.csv"; return its path, or None if cancelled."""

    def save_file(self, parent: QWidget, title: str, suggestion: Path, patterns: str) -> Path | None:
        """Ask where to save a file, with a suggested path; return the chosen path, or None if cancelled."""

    def folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        """Ask for a folder, beginning at ``start``; return its path, or None if cancelled."""

    def ask(self, parent: QWidget, question: str, text: str, buttons: Sequence[tuple[str, str]], default: str) -> str:
        """Ask a question and return the key of the pressed button; ``default`` is the safe answer.

        ``buttons`` are (key, label).
        """

    def open_folder(self, path: Path) -> bool:
        """Show a folder in the system's file manager; return whether there is a file manager."""

    def open_document(self, path: Path) -> bool:
        """Open a document in the system's program for it; return whether there is such a program."""


def show_notice(dialogs: Dialogs, parent: QWidget, title: str, text: str) -> None:
    """Show a message in a dialog that can only be closed."""
    dialogs.ask(parent, title, text, [("ok", _("Close"))], "ok")


def may_lose_decisions(
    context: Context, parent: QWidget, save: Callable[[], bool], question: str, buttons: Sequence[tuple[str, str]]
) -> bool:
    """Return whether to go on although the decisions on the open file will be gone.

    If they are not saved, the user is asked and can save them first. False if the user declines or saving fails.

    Parameters
    ----------
    save
        Saves the project and returns whether it was saved.
    question, buttons
        Title of the dialog, and its buttons beside Cancel as (key, label); the key of the one that saves is "save".
    """
    if not is_unsaved(context.session):
        return True
    text = _(
        "Your decisions for the open file are not saved. If you go on, they will be lost. "
        "The file itself is not changed."
    )
    answer = context.dialogs.ask(parent, question, text, [("stay", _("Cancel")), *buttons], "stay")
    return save() if answer == "save" else answer != "stay"


def _keep_private_folder() -> None:
    """Do nothing: whoever created the private folder removes it."""


def _refuse_saving() -> bool:
    """Return False, because a page outside a window has no project to save."""
    return False


@dataclass(frozen=True)
class Context:
    """Objects that all pages share."""

    session: Session
    runner: TaskRunner
    dialogs: Dialogs
    private_folder: Path
    ledger: Path | None = None
    """File with the releases made on this computer; None if none is to be kept."""
    private_removed: Callable[[], None] = _keep_private_folder
    """Removes the private folder when the program ends."""


@dataclass(frozen=True)
class Primary:
    """The primary button of a page, which leads to the next page, and the message beside it.

    Attributes
    ----------
    label
        Label of the button, a verb.
    enabled
        Whether the button can be pressed.
    message
        What is missing or was reached, shown beside ``Back``.
    severity
        ``passed``, ``amber``, ``blocks`` or ``note`` for the message.
    name
        Object name of the button while this page is open.
    """

    label: str
    enabled: bool
    message: str = ""
    severity: str = "note"
    name: str = "button_next"


class Page(QWidget):
    """Base of all pages: a page shows the session, and turns clicks into decisions.

    Signals
    -------
    go
        Emitted with the name of the page to go to.
    file_wanted
        Emitted when the user wants to open another file.
    primary_changed
        Emitted when the primary button or its message changed.
    tour_wanted
        Emitted when the user wants to start the guided tour.
    """

    go = Signal(str)
    file_wanted = Signal()
    primary_changed = Signal()
    tour_wanted = Signal()
    step = ""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.session = context.session
        self.save_project: Callable[[], bool] = _refuse_saving
        """Saves the project, asking where the first time; says whether it was saved. The window sets it."""
        self.setObjectName(f"page_{self.step}")
        self.outer = QVBoxLayout(self)
        theme().space(self.outer, 20, 16, 20, 16, 12)
        self._dirty = True

    def title(self) -> str:
        """Return the title of the page; here "", to be replaced by each page."""
        return ""

    def purpose(self) -> str:
        """Return the line below the title that says what the page is for; here ""."""
        return ""

    @property
    def tab_names(self) -> tuple[str, ...]:
        """Names in code of the page's tabs; empty if it has none."""
        return ()

    def show_tab(self, name: str) -> None:
        """Open the tab with this name in code; here there is none.

        Raises
        ------
        ValueError
            When there is no tab of this name.
        """
        raise ValueError(f"the page {self.step} has no tab {name}")

    def primary(self) -> Primary | None:
        """Return the primary button with its message; None, as here, for a page without one."""
        return None

    def on_primary(self) -> None:
        """Carry out the action of the primary button; here do nothing."""

    def refresh(self) -> None:
        """Show the present state of the session; here do nothing."""

    def entered(self) -> None:
        """Start the work that the page needs when it is opened; here do nothing."""

    # --- another file -------------------------------------------------------------------

    @abstractmethod
    def file_opened(self) -> None:
        """Reset everything that belongs to the previous file: texts, selections, open folds, results.

        Called once for each file, before ``reading_changed`` and before the page is refreshed; the session has the new
        file already. Each page defines it (NotImplementedError here).
        """
        raise NotImplementedError

    @abstractmethod
    def reading_changed(self) -> None:
        """Reset what belongs to the previous table: errors, selections, scroll positions, filters, typed texts.

        Called once for each table that was read, from a new file or from the same, before the page is refreshed. Each
        page defines it (NotImplementedError here).
        """
        raise NotImplementedError

    # --- called by the frame ------------------------------------------------------------

    def session_changed(self) -> None:
        """Note that the session changed, and refresh the page: now if it is visible, else when it is shown next."""
        self._dirty = True
        if self.isVisible():
            self.show_now()

    def show_now(self) -> None:
        """Refresh the page if anything changed since the last refresh, and send ``primary_changed`` in any case."""
        if self._dirty:
            self._dirty = False
            self.refresh()
        self.primary_changed.emit()


class Pages(Mapping[str, Page]):
    """The pages by name; each is created when it is first used.

    Parameters
    ----------
    context
        Objects that all pages share.
    classes
        Functions that import and return a page's class, by name of the page, in order.

    Attributes
    ----------
    made
        The pages created so far, in order of creation.
    """

    def __init__(self, context: Context, classes: Mapping[str, Callable[[], type[Page]]]) -> None:
        self._context, self._classes = context, classes
        self._pages: dict[str, Page] = {}
        self._then: Callable[[Page], None] | None = None
        self.made: list[Page] = []

    def when_made(self, then: Callable[[Page], None]) -> None:
        """Set the function that is called with each new page before the page is used."""
        self._then = then

    def __getitem__(self, step: str) -> Page:
        """Return the page with this name, created at the first call; raise KeyError for an unknown name."""
        page = self._pages.get(step)
        if page is None:
            page = self._pages[step] = self._classes[step]()(self._context)
            self.made.append(page)
            if self._then is not None:
                self._then(page)
        return page

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names of the pages without creating pages."""
        return iter(self._classes)

    def __len__(self) -> int:
        """Return the number of pages, created or not."""
        return len(self._classes)


class Desk:
    """Tells pages once that another file or another reading is there, before they show anything of it.

    Parameters
    ----------
    session
        Session with the file.
    runner
        Task runner, whose jobs are cancelled when another file is opened.
    pages
        The pages created so far; the list may grow.
    """

    def __init__(self, session: Session, runner: TaskRunner, pages: Sequence[Page]) -> None:
        self._session, self._runner, self._pages = session, runner, pages
        self._file, self._reading = session.file_number, session.reading_number

    def clear(self) -> bool:
        """Tell the pages if the session has another file or another reading of it; return whether it has another file.

        Jobs for the previous file are cancelled. The same file, read again, counts as another reading.
        """
        session = self._session
        another, read = session.file_number != self._file, session.reading_number != self._reading
        self._file, self._reading = session.file_number, session.reading_number
        if another:
            self._runner.cancel_all()
            for page in self._pages:
                page.file_opened()
        if read:
            for page in self._pages:
                page.reading_changed()
        return another
