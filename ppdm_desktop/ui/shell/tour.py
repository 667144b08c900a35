"""The guided tour in the window: a strip below the page, a frame around a control, and tasks done automatically.

The stops and their texts are in ``ui.state.tour``.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QFrame, QLineEdit, QTabWidget, QWidget

from ppdm_desktop.engine.samples import find_bundled_sample
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.state.step_texts import step_titles
from ppdm_desktop.ui.widgets.basic import IconLabel, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import Flow, SideBySide, vbox, widget_of
from ppdm_desktop.ui.widgets.scrolling import bring_in
from ppdm_desktop.ui.work.chunked_work import make_timer

# Its stops read the recipe of the sample: they are imported when the tour begins.
if TYPE_CHECKING:
    from ppdm_desktop.ui.state.tour import Deed, Stop, Tour

_LOOK_EVERY_MS = 120
_ENOUGH = 60  # px at 100 % of a control that are enough to see of it
_FIRST_LOOKS = 12  # after which a page has found its heights
_BUTTONS_IN_ROW_FROM = 620  # px at 100 % under which the buttons stand below the words


class Walked(Protocol):
    """What the tour needs of the window that it moves through."""

    context: Context

    @property
    def current(self) -> str:
        """Name of the current page."""

    def go_to(self, step: str) -> None:
        """Open the page with this name if that is possible; otherwise show why not."""

    def show_tab(self, name: str) -> None:
        """Open the tab with this name on the current page."""


class TourFrame(QFrame):
    """Frame drawn around one control of the window, above everything; it ignores the mouse."""

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self._window = window
        self.setObjectName("tour_frame")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def put_round(self, control: QWidget | None) -> None:
        """Draw the frame around the visible part of a control, 4 px wider.

        Hide it for None or a control that is not visible.
        """
        window = self._window
        seen = control.visibleRegion().boundingRect() if control is not None and control.isVisible() else QRect()
        if control is None or seen.isEmpty():
            self.hide()
            return
        gap = theme().px(4)
        rect = QRect(control.mapTo(window, QPoint(0, 0)) + seen.topLeft(), seen.size())
        rect = rect.adjusted(-gap, -gap, gap, gap).intersected(window.rect())
        if rect != self.geometry():
            self.setGeometry(rect)
        if self.isHidden():
            self.show()
        self.raise_()


class TourStrip(QFrame):
    """Strip with the text of the tour's present stop and its buttons.

    Signals
    -------
    wants_deed, wants_next, wants_leave
        Emitted when the button was pressed to do the task, to go to the next stop, or to leave the tour.
    """

    wants_deed = Signal()
    wants_next = Signal()
    wants_leave = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("tour_strip")
        self.setProperty("strip", "note")
        self._both = SideBySide(below=_BUTTONS_IN_ROW_FROM, gap=(12, 8))
        vbox(self._both, on=self, margins=(20, 10, 20, 10), gap=0)
        self.progress = Text("", tone="text2", factor=0.9, name="label_tour_place")
        self.text = Text("", semibold=True, name="label_tour")
        self._both.add(widget_of(vbox(self.progress, self.text, gap=2)), 1, top=True)
        self._tick = IconLabel("passed", "passed", 20)
        self.button_deed = Button(_("Do it for me"), name="button_tour_deed", clicked=self.wants_deed)
        self.button_next = Button("", name="button_tour_next", primary=True, clicked=self.wants_next)
        self.button_leave = Button(_("Leave the tour"), name="button_tour_leave", link=True, clicked=self.wants_leave)
        self._both.add(Flow(self._tick, self.button_deed, self.button_next, self.button_leave), 0, top=True)
        self.hide()

    def show_stop(self, tour: Tour, *, here: bool) -> None:
        """Show the text of the tour's present stop and the buttons that can be used.

        ``here`` says whether the stop's page is open; if not, a button leads there. The next stop can be reached once
        all tasks are done.
        """
        from ppdm_desktop.ui.state.tour import STOPS

        where = Term(step_titles().get(tour.stop.page) or _("Welcome"))
        text = _("Stop {n} of {all}: {page}", n=tour.number, all=len(STOPS), page=where)
        stop_text = tour.text()
        if self.progress.text() != text:
            self.progress.setText(text)
        if self.text.text() != stop_text:
            self.text.setText(stop_text)
            self.text.setAccessibleName(stop_text)
            self.setAccessibleName(f"{text}. {stop_text}")
        self._tick.setVisible(tour.is_done)
        deed = _("Do it for me") if here else _("Go to {page}", page=where)
        self.button_deed.setText(deed)
        self.button_deed.setVisible(not tour.is_done or not here)
        self.button_next.setText(_("Finish") if tour.is_last else _("Next stop"))
        self.button_next.setEnabled(tour.is_done)


class TourGuide(QObject):
    """Leads the tour through the window by checking several times a second what the user did.

    No signal covers everything that moves or changes a control, such as scroll bars and tabs, and checking one control
    is cheaper than listening to all.

    Parameters
    ----------
    window
        The window with the controls.
    walked
        The same window, to open pages and tabs.
    """

    def __init__(self, window: QWidget, walked: Walked) -> None:
        super().__init__(window)
        self._window, self._walked = window, walked
        self.strip = TourStrip()
        self.frame = TourFrame(window)
        self.tour: Tour | None = None
        self._for_you = False
        self._done_for_you: set[Deed] = set()
        self._looked: dict[str, int] = {}
        self._looks = make_timer(self, _LOOK_EVERY_MS, self._update_tour, once=False)
        self.strip.wants_deed.connect(self._on_deed)
        self.strip.wants_next.connect(self._on_next)
        self.strip.wants_leave.connect(self.leave)

    def start(self) -> None:
        """Start the tour at its first stop, with the bundled sample and a new temporary folder for its release.

        The sample is not opened yet.
        """
        from ppdm_desktop.ui.state.tour import FOLDER, Tour

        context = self._walked.context
        context.private_folder.mkdir(parents=True, exist_ok=True)
        folder = Path(tempfile.mkdtemp(prefix=f"{FOLDER}-", dir=context.private_folder)) / "release-of-sample"
        sample = find_bundled_sample().file()
        assert sample is not None
        self.tour = Tour(context.session, folder, sample)
        self._looks.start()
        self._begin_present_stop()

    def leave(self) -> None:
        """End the tour; the open file and all decisions stay."""
        self._looks.stop()
        self.tour = None
        self.strip.hide()
        self.frame.put_round(None)

    # --- what a stop asks of the window -------------------------------------------------------

    def _find_widget(self, name: str) -> QWidget | None:
        """Return the first visible widget with this object name; None if there is none."""
        return next((widget for widget in self._window.findChildren(QWidget, name) if widget.isVisible()), None)

    def is_visible(self, name: str) -> bool:
        """Return whether a control with this object name is visible in the window."""
        return self._find_widget(name) is not None

    def is_ready(self, name: str) -> bool:
        """Return whether a control with this object name is visible and enabled."""
        control = self._find_widget(name)
        return control is not None and control.isEnabled()

    def has_focus(self, name: str) -> bool:
        """Return whether the visible control with this object name, or a widget inside it, has the focus."""
        control = self._find_widget(name)
        focus: QWidget | None = self._window.focusWidget()
        return control is not None and focus is not None and (control is focus or control.isAncestorOf(focus))

    def is_checked(self, name: str) -> bool:
        """Return whether the control with this object name is a visible button or box that is ticked."""
        control = self._find_widget(name)
        return isinstance(control, QAbstractButton) and control.isChecked()

    # --- walking --------------------------------------------------------------------------------

    def _begin_present_stop(self) -> None:
        """Open the page of the present stop, show its text, and put the focus on the first usable button.

        What was recorded for the previous stop is forgotten.
        """
        tour = self.tour
        assert tour is not None
        self._for_you = False
        self._done_for_you.clear()
        self._looked.clear()
        self._open_stop_page(tour.stop)
        self.strip.show()
        self._update_tour()
        for button in (self.strip.button_deed, self.strip.button_next, self.strip.button_leave):
            if button.isVisible() and button.isEnabled():
                button.setFocus(Qt.FocusReason.OtherFocusReason)
                break

    def _open_stop_page(self, stop: Stop) -> None:
        """Open the page of a stop and, if that was possible, its tab."""
        if self._walked.current != stop.page:
            self._walked.go_to(stop.page)
        if stop.tab and self._walked.current == stop.page:
            self._walked.show_tab(stop.tab)

    def _is_here(self, stop: Stop) -> bool:
        """Return whether the page of a stop of the tour is open; its tab does not matter."""
        return self._walked.current == stop.page

    def _update_tour(self) -> None:
        """Record finished tasks, and show the present stop with a frame around the control that is used next.

        If the user asked for it, the next task is done. The frame is hidden while another page than the stop's is open.
        Nothing happens if no tour is going on.
        """
        tour = self.tour
        if tour is None:
            return
        tour.look(self)
        if self._for_you and self._is_here(tour.stop):
            self._perform_task(tour.next_deed(self))
            tour.look(self)
        deed = tour.next_deed(self)
        control = self._find_widget(deed.control if deed is not None else tour.stop.control)
        control = control.tabBar() if isinstance(control, QTabWidget) else control
        if control is not None and self._is_here(tour.stop):
            self._keep_control_visible(control)
        self.frame.put_round(control if self._is_here(tour.stop) else None)
        self.strip.show_stop(tour, here=self._is_here(tour.stop))

    def _keep_control_visible(self, control: QWidget) -> None:
        """Scroll to a control if less than 60 px of its height are visible (at 100 % text size).

        A control that is less high must be visible as a whole. Only the first twelve calls for a control scroll, while
        its page is being filled; after that the user may scroll away.
        """
        looks = self._looked.get(control.objectName(), 0)
        if looks >= _FIRST_LOOKS:
            return
        self._looked[control.objectName()] = looks + 1
        if control.visibleRegion().boundingRect().height() < min(control.height(), theme().px(_ENOUGH)):
            bring_in(control)

    def _on_next(self) -> None:
        """Go to the next stop of the tour, or end the tour after the last stop.

        Nothing happens before all tasks of the present stop are done.
        """
        tour = self.tour
        if tour is None or not tour.is_done:
            return
        if tour.is_last:
            self.leave()
            return
        tour.go_on()
        self._begin_present_stop()

    def _on_deed(self) -> None:
        """Go to the page of the stop or, if that page is open, do the tasks of the stop for the user, one by one."""
        tour = self.tour
        if tour is None:
            return
        if not self._is_here(tour.stop):
            self._open_stop_page(tour.stop)
        else:
            self._for_you = True
            self._done_for_you.clear()
        self._update_tour()

    # --- deeds ----------------------------------------------------------------------------------

    def _perform_task(self, deed: Deed | None) -> None:
        """Do a task of the tour for the user, once.

        The task's button is pressed, its fields are filled, its tab is opened, its decision is made, or the Down key is
        sent to its control; work that this starts may take a while. Nothing happens for None, for a task that only
        waits, and while the task's control is absent or disabled.
        """
        if deed is None or deed in self._done_for_you or deed.waits:
            return
        control = self._find_widget(deed.control)
        if control is None or not control.isEnabled():
            return
        self._done_for_you.add(deed)
        if deed.tab:
            self._walked.show_tab(deed.tab)
        elif deed.decide is not None:
            deed.decide(self._walked.context.session)
        elif deed.texts is not None:
            for name, text in deed.texts().items():
                self._fill_field(name, text)
        elif isinstance(control, QAbstractButton):
            control.click()
        else:
            control.setFocus(Qt.FocusReason.OtherFocusReason)
            for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                QApplication.sendEvent(control, QKeyEvent(kind, Qt.Key.Key_Down, Qt.KeyboardModifier.NoModifier))

    def _fill_field(self, name: str, text: str) -> None:
        """Write a text into the text field with this object name, if the field is visible and empty."""
        field = self._find_widget(name)
        if isinstance(field, QLineEdit) and not field.text().strip():
            field.setText(text)
            field.setCursorPosition(0)
            field.editingFinished.emit()
