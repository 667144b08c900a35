"""The list of candidates: waiting, running with progress, finished, failed with the reason, or out of date."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QWidget

from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Number
from ppdm_desktop.ui.look.accessibility import AccessibleInfo, Role, join_label
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.state.candidate_queue import (
    AGAIN,
    CANCELLED,
    DONE,
    FAILED,
    RUNNING,
    WAITING,
    CandidateQueue,
    Search,
)
from ppdm_desktop.ui.state.number_texts import time_left
from ppdm_desktop.ui.state.session import CandidateEntry, Session, version_name
from ppdm_desktop.ui.state.step_chain import describe_chain
from ppdm_desktop.ui.widgets.basic import Card, Holder, Severity, Text
from ppdm_desktop.ui.widgets.buttons import Button, IconButton
from ppdm_desktop.ui.widgets.layout import add_parts, align_left, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.work import WorkBar, describe_work
from ppdm_desktop.ui.work.chunked_work import ChunkedWork


def describe_search(search: Search) -> str:
    """Return a text on the progress of a search for settings: round, rounds in all, and the fitness of its best result.

    The fitness is 0 before the first result.
    """
    best = search.curve[-1][1] if search.curve else 0.0
    return _(
        "Round {n} of {all}. Best fitness on the training records: {best}. This does not measure accuracy.",
        n=search.reached,
        all=search.generations,
        best=Number(best),
    )


class SearchPart(QWidget):
    """The progress of a search for settings, and a button that ends it with the best result so far."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.progress_text = Text("", tone="text2", factor=0.9, name=f"label_search_{name}")
        text = _("Stop and keep the best")
        label = join_label(text, version_name(name))
        self.button = Button(text, name=f"button_finish_{name}", icon="check", label=label)
        self._name = name
        self.note = Text("", tone="text2", factor=0.9, name=f"label_finish_{name}")
        vbox(self.progress_text, align_left(self.button), self.note, on=self, gap=4)

    def show_search(self, search: Search | None, *, finishing: bool, stopping: bool) -> None:
        """Show the search of the running candidate (a version that was queued), or hide the part for None.

        The button that ends the search early is visible while the search goes on, and disabled once it is being ended;
        then a note below it says "Stopping".

        Parameters
        ----------
        search
            State of the search.
        finishing, stopping
            Whether the user has ended the search, or is cancelling the run; then the button is disabled.
        """
        self.setVisible(search is not None)
        # Only the running one carries the job's name.
        self.button.setObjectName(f"button_finish_{'candidate' if search is not None else self._name}")
        if search is None:
            return
        self.progress_text.setText(describe_search(search))
        self.button.setVisible(search.going)
        self.button.setEnabled(not finishing and not stopping)
        self.note.setVisible(search.going)
        self.note.setText(_("Stopping") if finishing else "")


AGAIN_ACT, CANCEL_ACT, REMOVE_ACT, END_ACT = "again", "cancel", "remove", "end"
"""What the buttons of a candidate do: run it again, cancel it, remove it, end its search early."""


def describe_status(entry: CandidateEntry, stale: bool, stopping: bool = False) -> tuple[str, str]:
    """Return severity and label of a candidate's state, such as ("amber", "Out of date") or ("passed", "Done").

    A candidate is a version of the file that was queued. Only a finished one can be out of date, only a running one
    "Stopping". A cancelled one is "Stopped"; one listed by an opened project, and not made yet, is "Run again".

    Parameters
    ----------
    entry
        The candidate.
    stale
        Whether decisions changed since it was run.
    stopping
        Whether its run is being cancelled.
    """
    if entry.status == DONE:
        return ("amber", _("Out of date")) if stale else ("passed", _("Done"))
    return {
        WAITING: ("not-run", _("Waiting")),
        RUNNING: ("note", _("Stopping") if stopping else _("Running")),
        FAILED: ("blocks", _("Failed")),
        CANCELLED: ("not-run", _("Stopped")),
        AGAIN: ("not-run", _("Run again")),
    }[entry.status]


def describe_below_name(entry: CandidateEntry, stale: bool) -> str:
    """Return the line below a candidate's name; "" if there is nothing to say.

    The line says why a run failed, how far it is, that it is out of date, that nothing of a cancelled run is kept, or,
    for one listed by an opened project, that a new run gives different random values. It is "" for a waiting candidate
    and for one that is done and up to date.
    """
    return {
        DONE: _("Out of date: decisions changed") if stale else "",
        FAILED: entry.error,
        CANCELLED: _("Stopped. Nothing of this run is kept."),
        AGAIN: _("A new run uses a new key and gives different random values."),
        RUNNING: describe_progress(entry),
    }.get(entry.status, "")


def describe_progress(entry: CandidateEntry) -> str:
    """Return how far a candidate's run is: what is being done, per cent, and the time left, joined by " · ".

    The time left is estimated from the time used; it is left out up to 3 per cent and in the first second.
    """
    parts = [
        describe_work(entry.doing, render("doing.candidate").sentence),
        numbers_of(language()).percent(entry.fraction),
    ]
    if entry.fraction > 0.03 and entry.seconds > 1:
        parts.append(time_left(entry.seconds * (1 - entry.fraction) / entry.fraction))
    return " · ".join(parts)


class QueueRow(QFrame):
    """Row of one candidate in the queue, with its buttons.

    Signals
    -------
    wanted
        The candidate's name, and the action: ``AGAIN_ACT``, ``CANCEL_ACT``, ``REMOVE_ACT`` or ``END_ACT``.
    """

    wanted = Signal(str, str)

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(f"queue_{name}")
        self.name = name
        column = self._column = vbox(on=self, margins=(0, 6, 0, 6), gap=2)
        # Its words may go on below: three columns stand beside each other.
        self._status = Severity("not-run", "", wrap=True)
        title = version_name(name)
        text = join_label(_("Run again"), title)
        self._again = Button(_("Run again"), name=f"button_again_{name}", link=True, label=text)
        self._take_out = IconButton("close", join_label(_("Cancel"), title), name=f"button_cancel_{name}")
        self._remove = IconButton("trash", join_label(_("Remove"), title), name=f"button_remove_{name}")
        head = hbox(Text(version_name(name), semibold=True, wrap=False), stretch_part(self._status), gap=6)
        add_parts(head, self._take_out, self._remove)
        self._what = Text("", tone="text2", factor=0.95)
        self._bar = WorkBar()
        self._cancel = Button(_("Cancel"), name="button_cancel_candidate", icon="close")
        self._search: SearchPart | None = None
        self._below = Text("", tone="text2", factor=0.9, name=f"queue_note_{name}")
        add_parts(column, head, self._what, hbox(stretch_part(self._bar), self._cancel, gap=8), self._below)
        add_parts(column, align_left(self._again))
        for button, act in (
            (self._again, AGAIN_ACT),
            (self._take_out, CANCEL_ACT),
            (self._cancel, CANCEL_ACT),
            (self._remove, REMOVE_ACT),
        ):
            button.clicked.connect(partial(self.wanted.emit, name, act))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the row with a thin line above it."""
        super().paintEvent(event)
        painter = QPainter(self)
        painter.fillRect(0, 0, self.width(), 1, theme().colour("line"))
        painter.end()

    def show_entry(self, entry: CandidateEntry, queue: CandidateQueue, *, stale: bool) -> None:
        """Show the state of a candidate in this row, with the buttons that fit it and, while it runs, its search.

        A running candidate has a progress bar, a waiting or running one a button to cancel it, and any that does not
        run can be removed. A finished one that is being evaluated again counts as not running.

        Parameters
        ----------
        entry
            The candidate.
        queue
            The queue, which knows how far the running candidate is, and whether this one may be run again.
        stale
            Whether decisions changed since it was run.
        """
        is_current = entry is queue.running
        stopping, search = is_current and queue.is_stopping, queue.search if is_current else None
        severity, word = describe_status(entry, stale, stopping)
        self._status.set(severity, word)
        self._what.setText(entry.title or describe_chain(entry.recipe))
        self._what.setToolTip(plain_tip(describe_chain(entry.recipe)) if entry.title else "")
        running, waiting = entry.status == RUNNING, entry.status == WAITING
        self._bar.setVisible(running)
        self._cancel.setVisible(running)
        # Only the running one carries the job's name.
        self._cancel.setObjectName("button_cancel_candidate" if running else f"button_stop_{self.name}")
        self._take_out.setVisible(waiting)
        self._cancel.setAccessibleName(join_label(_("Cancel"), version_name(self.name)))
        self._cancel.setEnabled(not stopping)
        self._again.setVisible(queue.may_run_again(entry))
        self._remove.setVisible(not running)
        self._bar.show_share(entry.fraction)
        below = describe_below_name(entry, stale)
        self._below.setText(below)
        self._below.setVisible(bool(below))
        self._below.set_tone("blocks" if entry.status == FAILED else "text2")
        if self._search is None and search is not None:
            self._search = SearchPart(self.name)
            self._search.button.clicked.connect(partial(self.wanted.emit, self.name, END_ACT))
            self._column.insertWidget(self._column.indexOf(self._below), self._search)
        if self._search is not None:
            self._search.show_search(search, finishing=queue.is_finishing, stopping=stopping)

    def accessible_info(self) -> AccessibleInfo:
        """Return how a screen reader presents the row: as a list item with the candidate's name and state."""
        text = join_label(self.name, self._status.word)
        return AccessibleInfo(Role.ListItem, name=text)


class QueueCard(Card):
    """Card with the queue of all candidates."""

    def __init__(self, session: Session, queue: CandidateQueue) -> None:
        super().__init__(_("Versions"))
        self._session, self._queue = session, queue
        holder = Holder(name="list_queue", label=_("Versions"))
        self._list = vbox(on=holder, gap=0)
        self._foot = Text("", tone="text2", factor=0.9, name="label_queue")
        self._cancel_all = Button(_("Cancel all runs"), name="button_cancel_all", icon="close")
        self._cancel_all.clicked.connect(queue.cancel_all)
        self._cancel_all.hide()
        self._all_again = Button("", name="button_all_again", icon="redo", clicked=queue.all_again)
        self._all_again.hide()
        add_parts(self.body, holder, self._foot, self._cancel_all, self._all_again)
        self.rows: dict[str, QueueRow] = {}
        self._chunks = ChunkedWork(self)
        queue.progressed.connect(self._on_progressed)

    def forget(self) -> None:
        """Remove every row, because the candidates of the next file can have the same names."""
        self._chunks.stop()
        for row in self.rows.values():
            row.hide()
            row.deleteLater()
        self.rows.clear()

    def refresh(self) -> None:
        """Show a row for each candidate; existing rows are kept, and rows of deleted candidates are removed.

        Rows are created and updated one by one after this method returned, so that the window stays responsive. The
        button that cancels all is visible if more than one waits or runs, "Run all again" if that is offered for more
        than one.
        """
        session = self._session
        names = [entry.name for entry in session.candidates]
        for name in [name for name in self.rows if name not in names]:
            row = self.rows.pop(name)
            row.hide()
            row.deleteLater()
        # Twelve suggestions at once are twelve new rows: each in a turn of its own.
        self._chunks.start([partial(self._show_row, entry) for entry in session.candidates])
        self._cancel_all.setVisible(self._queue.unfinished > 1)
        again = sum(map(self._queue.may_run_again, session.candidates))
        self._all_again.setText(_("Run all {n} again", n=again))
        self._all_again.setVisible(again > 1)
        self._foot.setText(self._describe_queue())

    def _show_row(self, entry: CandidateEntry) -> None:
        """Show a candidate in its row, which is created if it does not exist."""
        row = self.rows.get(entry.name) or self._add_row(entry.name)
        row.show_entry(entry, self._queue, stale=self._session.is_stale(entry.basis))

    def _describe_queue(self) -> str:
        """Return the sentence below the queue, such as "2 of 5 versions finished".

        If the queue is empty, the sentence says what a version is.
        """
        session = self._session
        if not session.candidates:
            return _("A version is one way to protect the file. Add one and go on working while it runs.")
        done, every = len(session.finished()), len(session.candidates)
        return _("{n} of {total} {total:version|versions} finished", n=done, total=every)

    def _add_row(self, name: str) -> QueueRow:
        """Add a row for the candidate with this name at the end, and return it."""
        row = QueueRow(name)
        row.wanted.connect(self._on_wanted)
        self.rows[name] = row
        self._list.addWidget(row)
        return row

    def _on_progressed(self, _progress: object) -> None:
        """Show the progress of the running candidate in its row; nothing if none runs or it has no row yet."""
        entry = self._queue.running
        if entry is not None and entry.name in self.rows:
            self._show_row(entry)

    def _on_wanted(self, name: str, act: str) -> None:
        """Carry out an action on the candidate with this name: run again, cancel, remove, or finish its search early.

        Nothing happens if there is no such candidate. ``act`` is one of the actions of ``QueueRow.wanted``.
        """
        queue, entry = self._queue, self._session.candidate(name)
        acts = {AGAIN_ACT: queue.again, CANCEL_ACT: queue.cancel, REMOVE_ACT: queue.remove, END_ACT: queue.finish_early}
        if entry is not None:
            acts[act](entry)
