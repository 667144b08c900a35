"""The help drawer: bundled pages, beside the page, open across pages."""

from __future__ import annotations

from functools import cache
from importlib import resources

from PySide6.QtCore import QEvent, QObject, QUrl, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QTextBrowser, QVBoxLayout

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import IconButton

_WIDTH, _MOST = 300, 0.36  # px at 100 %, and of the window's width


@cache
def help_text(topic: str) -> str:
    """Return the Markdown of a topic: a page's bundled file, or a method's own declaration."""
    if topic.startswith("method:"):
        return _method_help(topic.removeprefix("method:"))
    found = resources.files("ppdm_desktop.resources") / "help" / f"{topic}.md"
    return found.read_text(encoding="utf-8")


def _method_help(id: str) -> str:
    """Write a method's help from what it declares of itself."""
    method = all_methods()[id]
    lines = [f"# {method.title}", method.summary, f"*{method.paper}* (`{method.id}`)", "## Promises"]
    lines += [f"- {sentence}" for sentence in method.promises]
    lines += ["## Does not", *(f"- {sentence}" for sentence in method.limits), "## Settings"]
    for parameter in method.parameters:
        lines += [f"### `{parameter.name}`", parameter.help, parameter.effect, f"Default: `{parameter.default}`"]
    return "\n\n".join(lines)


class _Browser(QTextBrowser):
    """Shows bundled text only: it loads nothing, from nowhere."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Refuse every resource."""
        return None


class HelpDrawer(QFrame):
    """One topic at a time, with a close button."""

    closed = Signal()

    def __init__(self, title: str, close: str) -> None:
        super().__init__()
        self.setObjectName("drawer_help")
        column = QVBoxLayout(self)
        margin = theme().px(14)
        column.setContentsMargins(margin, margin, margin, margin)
        head = QHBoxLayout()
        head.addWidget(Text(title, factor=1.15, semibold=True, wrap=False))
        head.addStretch(1)
        button = IconButton("close", close, name="button_close_help")
        button.clicked.connect(self.closed)
        head.addWidget(button)
        column.addLayout(head)
        self._browser = _Browser()
        self._browser.setOpenLinks(False)
        self._browser.setFrameShape(QFrame.Shape.NoFrame)
        self._browser.setObjectName("text_help")
        self._browser.setAccessibleName(title)
        column.addWidget(self._browser, 1)
        self._topic = ""
        theme().changed.connect(self._redraw)
        self._redraw()

    @property
    def topic(self) -> str:
        """The topic shown."""
        return self._topic

    def show_topic(self, topic: str) -> None:
        """Show a topic by name."""
        self._topic = topic
        self._redraw()

    def _redraw(self) -> None:
        self._fit()
        if self._topic:
            self._browser.setMarkdown(help_text(self._topic))

    def _fit(self) -> None:
        """Take no more than a share of a narrow window: the page beside it is what help is about."""
        most = round(self.window().width() * _MOST) if self.window() is not self else theme().px(_WIDTH)
        self.setFixedWidth(min(theme().px(_WIDTH), most))

    def showEvent(self, event: QShowEvent) -> None:
        """Follow the window's width from now on."""
        super().showEvent(event)
        self.window().installEventFilter(self)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Share another width of the window."""
        if event.type() == QEvent.Type.Resize and watched is self.window():
            self._fit()
        return super().eventFilter(watched, event)
