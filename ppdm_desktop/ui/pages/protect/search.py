"""A genetic search while it runs: its best fitness as a curve and in words, and a button that ends it early."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Number, Term
from ppdm_desktop.ui.look.spoken import as_chart
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.candidate_queue import Search
from ppdm_desktop.ui.state.session import version_name
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import Panel, at_left, vbox

_HEIGHT = 44
_LEAST_SPAN = 0.02


def search_words(search: Search) -> str:
    """Return the progress of a search and the quality of its best result so far, as text."""
    best = search.curve[-1][1] if search.curve else 0.0
    return _(
        "Round {n} of {all}. Best fitness on the training records: {best}. This does not measure accuracy.",
        n=search.reached,
        all=search.generations,
        best=Number(best),
    )


def ends_of(curve: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return the lowest and highest fitness of the drawing; a flat curve is drawn in the middle."""
    low, high = min(best for _, best in curve), max(best for _, best in curve)
    spare = max(0.0, _LEAST_SPAN - (high - low)) / 2
    return low - spare, high + spare


class SearchLine(Panel):
    """Curve of the best fitness after each generation, up to the number of generations asked for."""

    spoken = as_chart

    def __init__(self, name: str) -> None:
        super().__init__(name=name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._search: Search | None = None
        theme().changed.connect(self.updateGeometry)

    def show_search(self, search: Search, text: str) -> None:
        """Draw the curve of a search; ``text`` is its description for screen readers."""
        self._search = search
        self.setAccessibleName(_("Best fitness on the training records after each round"))
        self.setAccessibleDescription(text)
        self.update()

    def sizeHint(self) -> QSize:
        """Return a height of two lines of text."""
        return QSize(theme().px(120), theme().px(_HEIGHT))

    def minimumSizeHint(self) -> QSize:
        """Return the least size: any width is enough."""
        return QSize(theme().px(60), theme().px(_HEIGHT))

    def points(self) -> list[QPointF]:
        """Return the points of the curve in pixels, at most one for each pixel column, drawn as steps."""
        search = self._search
        if search is None or not search.curve:
            return []
        inside = self._inside()
        low, high = ends_of(search.curve)
        stride = max(1, len(search.curve) // max(int(inside.width()), 1))
        chosen = [*search.curve[::stride], search.curve[-1]]
        corners: list[QPointF] = []
        for generation, best in chosen:
            x = inside.left() + inside.width() * generation / max(search.generations, 1)
            y = inside.bottom() - inside.height() * (best - low) / (high - low)
            if corners:
                corners.append(QPointF(x, corners[-1].y()))
            corners.append(QPointF(x, y))
        return corners

    def _inside(self) -> QRectF:
        """Return the area for the curve, with a narrow edge around it."""
        edge = theme().px(4)
        return QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the curve above its base line, with a dot at its last point."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        colour, inside = theme().colour, self._inside()
        painter.setPen(QPen(colour("line"), 1))
        painter.drawLine(inside.bottomLeft(), inside.bottomRight())
        line = self.points()
        if line:
            painter.setPen(QPen(colour("accent"), theme().px(2)))
            painter.drawPolyline(QPolygonF(line))
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(colour("accent"))
            painter.drawEllipse(line[-1], theme().px(3), theme().px(3))
        painter.end()


class SearchPart(QWidget):
    """The curve, the progress in words, and the button that ends the search with the best result so far."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.line = SearchLine(f"chart_search_{name}")
        self.words = Text("", tone="text2", factor=0.9, name=f"label_search_{name}")
        label = _("Stop the search of {name} and keep the best", name=Term(version_name(name)))
        text = _("Stop and keep the best")
        self.button = Button(text, name=f"button_finish_{name}", icon="check", label=label)
        self._name = name
        self.note = Text("", tone="text2", factor=0.9, name=f"label_finish_{name}")
        vbox(self.line, self.words, at_left(self.button), self.note, on=self, gap=4)

    def show_search(self, search: Search | None, *, finishing: bool, stopping: bool) -> None:
        """Show the search of the run in progress; hide the part if there is none."""
        self.setVisible(search is not None)
        # Only the running one carries the job's name.
        self.button.setObjectName(f"button_finish_{'candidate' if search is not None else self._name}")
        if search is None:
            return
        text = search_words(search)
        self.words.setText(text)
        self.line.show_search(search, text)
        self.button.setVisible(search.going)
        self.button.setEnabled(not finishing and not stopping)
        self.note.setVisible(search.going)
        self.note.setText(
            _("The search ends after this round. The best result is kept and checked.")
            if finishing
            else _(
                "Ends the search after this round and goes on with the best result. The recipe keeps the number of "
                "rounds, so the run can be repeated. Cancel keeps nothing."
            )
        )
