"""What a page is to the frame, and what the frame gives a page."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.work.tasks import TaskRunner


class Dialogs(Protocol):
    """Everything that asks outside the page, behind one door, so that tests can answer."""

    def open_file(self, parent: QWidget, title: str, filters: str) -> Path | None:
        """Ask for one existing file."""

    def save_file(self, parent: QWidget, title: str, suggestion: Path, filters: str) -> Path | None:
        """Ask where to save."""

    def folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        """Ask for a folder."""

    def ask(self, parent: QWidget, question: str, text: str, buttons: Sequence[tuple[str, str]], default: str) -> str:
        """Ask a question; return the key of the button. The default is the safe answer."""

    def open_folder(self, path: Path) -> bool:
        """Show a folder in the file manager; say whether the system knows one."""

    def open_document(self, path: Path) -> bool:
        """Show a document in its program; say whether the system knows one."""


def _nothing() -> None:
    """Remove nothing: the maker of the folder does."""


def _not_saved() -> bool:
    """Save nothing: a page that stands in no window has no project."""
    return False


@dataclass(frozen=True)
class Context:
    """What every page works with."""

    session: Session
    runner: TaskRunner
    dialogs: Dialogs
    private_folder: Path
    ledger: Path | None = None
    """File that remembers releases of this computer; None where none shall be kept."""
    private_removed: Callable[[], None] = _nothing
    """Removes the private folder at the end."""


@dataclass(frozen=True)
class Primary:
    """The one button that leads on.

    Attributes
    ----------
    words
        The verb on the button.
    enabled
        Whether it can be pressed.
    message
        What is missing or what was reached, shown beside ``Back``.
    severity
        ``passed``, ``amber``, ``blocks`` or ``note`` for the message.
    name
        Object name of the button while this page is in front.
    """

    words: str
    enabled: bool
    message: str = ""
    severity: str = "note"
    name: str = "button_next"


class Page(QWidget):
    """One step: a widget that shows the session and turns clicks into decisions.

    Signals
    -------
    go
        A step to move to.
    primary_changed
        The primary button or its message changed.
    room_changed
        ``wants_room`` may have changed.
    tour_wanted
        The guided tour is to begin.
    """

    go = Signal(str)
    primary_changed = Signal()
    room_changed = Signal()
    tour_wanted = Signal()
    step = ""

    def __init__(self, context: Context) -> None:
        super().__init__()
        self.context = context
        self.session = context.session
        self.save_project: Callable[[], bool] = _not_saved
        """Saves the project, asking where the first time; says whether it was saved. The window sets it."""
        self.setObjectName(f"page_{self.step}")
        self.outer = QVBoxLayout(self)
        theme().space(self.outer, 20, 16, 20, 16, 12)
        self._dirty = True

    def title(self) -> str:
        """Return the page's title."""
        return ""

    def purpose(self) -> str:
        """Return one line: what the page is for."""
        return ""

    @property
    def wants_room(self) -> bool:
        """Whether what it shows now is so wide that the rail should fold."""
        return False

    @property
    def tab_names(self) -> tuple[str, ...]:
        """What its tabs are called; empty where it has none."""
        return ()

    def show_tab(self, name: str) -> None:
        """Bring a tab to the front.

        Raises
        ------
        ValueError
            When it has no such tab.
        """
        raise ValueError(f"the page {self.step} has no tab {name}")

    def primary(self) -> Primary | None:
        """Return the primary button, or None."""
        return None

    def on_primary(self) -> None:
        """Do what the primary button says."""

    def refresh(self) -> None:
        """Show the session as it is now."""

    def entered(self) -> None:
        """Start what the page needs when it comes to the front."""

    # --- another file -------------------------------------------------------------------

    @abstractmethod
    def file_opened(self) -> None:
        """Put away everything of the file before: what was asked, typed, picked, opened, judged and written.

        Called once for each file, before ``reading_changed`` and before the page is refreshed; the session holds
        the new file already.
        """
        raise NotImplementedError

    @abstractmethod
    def reading_changed(self) -> None:
        """Put away what was said of the table before: failures, selections, places scrolled to, filters, half texts.

        Called once for each table that was read, of a new file or of the same, before the page is refreshed.
        """
        raise NotImplementedError

    # --- called by the frame ------------------------------------------------------------

    def session_changed(self) -> None:
        """Refresh now when visible, else when shown next."""
        self._dirty = True
        if self.isVisible():
            self.show_now()

    def show_now(self) -> None:
        """Refresh if anything changed since the last time."""
        if self._dirty:
            self._dirty = False
            self.refresh()
        self.primary_changed.emit()


class Pages(Mapping[str, Page]):
    """The pages by step, each made when it is first asked for.

    Parameters
    ----------
    context
        What every page works with.
    classes
        What imports a page's class, by step in their order.

    Attributes
    ----------
    made
        The pages there are, in the order in which they were made.
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
        """Return a page, made now where it was not asked for before."""
        page = self._pages.get(step)
        if page is None:
            page = self._pages[step] = self._classes[step]()(self._context)
            self.made.append(page)
            if self._then is not None:
                self._then(page)
        return page

    def __iter__(self) -> Iterator[str]:
        """Go through the steps; no page is made for it."""
        return iter(self._classes)

    def __len__(self) -> int:
        """Return how many pages there are to be."""
        return len(self._classes)


class Desk:
    """Tells pages of another file and of another reading, once each, before anything is shown of it.

    Parameters
    ----------
    session
        Whose file it is.
    runner
        Whose work ends with the file it was begun for.
    pages
        All pages on the desk, now and whenever it is cleared: one that is made later knows nothing of another file.
    """

    def __init__(self, session: Session, runner: TaskRunner, pages: Sequence[Page]) -> None:
        self._session, self._runner, self._pages = session, runner, pages
        self._file, self._reading = session.file_number, session.reading_number

    def clear(self) -> bool:
        """Clear the desk where the session has another file or reading; say whether it is another file."""
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
