"""The help drawer beside the page, with topics and a search; it stays open when the page changes."""

from __future__ import annotations

import re

from PySide6.QtCore import QEvent, QObject, QSignalBlocker, Qt, QUrl, Signal
from PySide6.QtGui import QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import QFrame, QTextBrowser

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Quoted
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.help_topics import find_topic, part_titles, prepare_search, search_topics, topic_ids
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import IconButton
from ppdm_desktop.ui.widgets.folding import FoldingButton
from ppdm_desktop.ui.widgets.inputs import line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.work.chunked_work import make_timer

_WIDTH, _MOST = 300, 0.36  # px at 100 %, and of the window's width
_LINK = "topic"


def _format_topic_link(id: str, text: str) -> str:
    """Return a Markdown link with this text to a help topic."""
    return f"[{text}]({_LINK}:{id})"


def topic_text(id: str, home: str = "") -> str:
    """Return a help topic as Markdown: its title, its parts under headings, and links to related topics.

    Above the title is a link to the topic ``home``, unless ``home`` is "" or the topic itself. Raises KeyError for an
    unknown topic.
    """
    topic = find_topic(id)
    lines = [f"## {topic.title}"]
    if home and home != id:
        lines.insert(0, _format_topic_link(home, f"← {find_topic(home).title}"))
    for name, heading in part_titles().items():
        if topic.parts.get(name):
            # A heading inside a part is one size below that of the part.
            lines += [f"### {heading}", re.sub(r"(?m)^### ", "#### ", topic.parts[name])]
    if topic.see:
        lines.append(f"### {_('See also')}")
        lines += [f"- {_format_topic_link(topic_id, find_topic(topic_id).title)}" for topic_id in topic.see]
    return "\n\n".join(lines)


def results_text(asked: str) -> str:
    """Return links (Markdown) to the help topics found for the words ``asked``, or that nothing was found."""
    topics = search_topics(asked)
    if not topics:
        return _("Nothing found for {text}. Try another word.", text=Quoted(asked))
    return "\n\n".join(
        (f"## {_('Found')}", *(f"- {_format_topic_link(result, find_topic(result).title)}" for result in topics))
    )


class _Browser(QTextBrowser):
    """Text browser for bundled text that loads no resources."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Refuse every resource: return None."""
        return None


class HelpDrawer(QFrame):
    """Shows one help topic, or the results of a search in the help.

    Signals
    -------
    closed, tour_wanted, guide_wanted
        Emitted when the button of that name was pressed.
    """

    closed = Signal()
    tour_wanted = Signal()
    guide_wanted = Signal()

    def __init__(self, title: str, close: str) -> None:
        super().__init__()
        self.setObjectName("drawer_help")
        column = vbox(on=self, margins=(14, 14, 14, 14))
        button = IconButton("close", close, name="button_close_help", clicked=self.closed)
        label, hint = _("Search the help"), _("Search (Ctrl+F)")
        self._search = line_edit(
            name="edit_help_search", label=label, hint=hint, clear=True, changed=self._update_content
        )
        self._search.returnPressed.connect(self._open_first)
        add_parts(column, hbox(Text(title, factor=1.15, semibold=True, wrap=False), STRETCH, button), self._search)
        tour = FoldingButton(_("Guided tour"), name="button_help_tour", link=True, clicked=self.tour_wanted)
        guide = FoldingButton(_("Guide to print (PDF)"), name="button_help_guide", link=True, clicked=self.guide_wanted)
        self._browser = _Browser()
        self._browser.setOpenLinks(False)
        self._browser.anchorClicked.connect(self._follow_link)
        self._browser.setFrameShape(QFrame.Shape.NoFrame)
        self._browser.setObjectName("text_help")
        self._browser.setAccessibleName(title)
        add_parts(column, Flow(tour, guide), stretch_part(self._browser))
        find = QShortcut(QKeySequence(QKeySequence.StandardKey.Find), self)
        find.setContext(Qt.ShortcutContext.WidgetWithChildrenShortcut)
        find.activated.connect(self._go_to_search)
        # The words of a topic in each turn of the event loop, so that the first search need not wait for all.
        self._unprepared: list[str] = []
        self._preparing = make_timer(self, 0, self._prepare_one, once=False)
        self.topic = self._home = ""
        theme().changed.connect(self._update_content)
        self._update_content()

    def show_topic(self, topic: str, home: str = "") -> None:
        """Show a help topic, and clear the search field without starting a search.

        A link at its top leads back to the topic ``home``, if one is given that is not the topic itself.
        """
        self.topic, self._home = topic, home or topic
        with QSignalBlocker(self._search):
            self._search.clear()
        self._update_content()

    def _open_first(self) -> None:
        """Open the first help topic that matches the typed words; do nothing if none does."""
        topics = search_topics(self._search.text())
        if topics:
            self._open_topic(topics[0])

    def _follow_link(self, link: QUrl) -> None:
        """Open the help topic of a clicked link; other links are ignored."""
        if link.scheme() == _LINK:
            self._open_topic(link.path())

    def _open_topic(self, topic: str) -> None:
        """Open a help topic and put the focus on its text; the topic to which a link leads back stays the same."""
        self.show_topic(topic, self._home)
        self._browser.setFocus(Qt.FocusReason.OtherFocusReason)

    def _prepare_one(self) -> None:
        """Prepare the next help topic for the search, one at each tick of the timer.

        Stop the timer once all are prepared.
        """
        if self._unprepared:
            prepare_search(self._unprepared.pop())
        else:
            self._preparing.stop()

    def _go_to_search(self) -> None:
        """Put the focus on the search field with its text selected."""
        self._search.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self._search.selectAll()

    def _update_content(self) -> None:
        """Show the topics found for the typed text or, if none is typed, the open help topic.

        Blanks at the ends of the text do not count.
        """
        self._limit_width()
        # Qt's usual 40 pixels would take a fifth of the narrow drawer from every list.
        self._browser.document().setIndentWidth(theme().px(18))
        asked = self._search.text().strip()
        if asked:
            self._browser.setMarkdown(results_text(asked))
        elif self.topic:
            self._browser.setMarkdown(topic_text(self.topic, self._home))

    def _limit_width(self) -> None:
        """Set the drawer's width to its usual one, but at most 36 % of the window's width."""
        most = round(self.window().width() * _MOST) if self.window() is not self else theme().px(_WIDTH)
        self.setFixedWidth(min(theme().px(_WIDTH), most))

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the window's width from now on, and start preparing all topics for the search."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._limit_width()
        self._unprepared = list(topic_ids())
        self._preparing.start()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Adapt the width when the window was resized; return whether Qt should drop the event."""
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self._limit_width()
        return super().eventFilter(watched, event)
