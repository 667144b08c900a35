"""Cards with what a method promises, what it does not do, and further sentences for the statistician."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.wording.catalogue import Sentence, _
from ppdm_desktop.ui.look.spoken import as_ornament
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.protect.effect_preview import kept_together
from ppdm_desktop.ui.widgets.basic import Card, IconLabel, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, at_left, at_top, fill, hbox, stretched, vbox, widget_of

MOST_POINTS = 3
"""How many promises and how many limits are always shown; further ones are folded in for the statistician."""


class _Point(Text):
    """The dot before a sentence."""

    spoken = as_ornament


class PointList(QWidget):
    """A list of sentences, each with a dot."""

    def __init__(self) -> None:
        super().__init__()
        self._list = vbox(on=self, gap=4)
        self._shown: tuple[str, ...] = ()

    def show_points(self, sentences: Sequence[Sentence]) -> None:
        """Replace the sentences of the list."""
        said = tuple(map(str, sentences))
        if said == self._shown:
            return
        self._shown = said
        clear_layout(self._list)
        for sentence in said:
            dot = _Point("•", factor=0.95, wrap=False)
            dot.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            line = widget_of(hbox(at_top(dot), stretched(Text(kept_together(sentence), factor=0.95)), gap=6))
            self._list.addWidget(line)


class PointCard(Card):
    """Card with a list of sentences: what a method promises, or what it does not do."""

    def __init__(self, name: str, title: str, icon: str, token: str) -> None:
        super().__init__(name=name)
        self.body.addLayout(hbox(IconLabel(icon, token, 18), stretched(Text(title, semibold=True, tone=token))))
        self.points = PointList()
        fill(self.body, self.points, STRETCH)


class ExpertPart(QWidget):
    """The remaining sentences of a method, folded under "More for the statistician"."""

    def __init__(self) -> None:
        super().__init__()
        text = _("More for the statistician")
        self._fold = Button(text, name="button_more_points", icon="next", link=True, checkable=True)
        self._fold.toggled.connect(self._on_folded)
        column = vbox(at_left(self._fold), on=self, gap=6)
        self._inside = Card(name="card_expert")
        self._parts: list[tuple[Text, PointList]] = []
        for title in (
            _("It also promises"),
            _("It also does not do"),
            _("About the method"),
        ):
            heading, points = Text(title, semibold=True), PointList()
            fill(self._inside.body, heading, points)
            self._parts.append((heading, points))
        self._inside.hide()
        column.addWidget(self._inside)

    def show_method(self, method: Method) -> None:
        """Show the sentences of a method that the two cards leave out; hide the part if there are none."""
        left = (method.promises[MOST_POINTS:], method.limits[MOST_POINTS:], method.expert)
        for (heading, points), sentences in zip(self._parts, left, strict=True):
            points.show_points(sentences)
            heading.setVisible(bool(sentences))
            points.setVisible(bool(sentences))
        self.setVisible(any(left))

    def _on_folded(self, is_open: bool) -> None:
        """Show or hide the part for experts."""
        self._inside.setVisible(is_open)
        self._fold.set_icon_name("down" if is_open else "next")


class MethodPoints(QWidget):
    """The first promises and limits of a method side by side, the others folded below them."""

    def __init__(self) -> None:
        super().__init__()
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        theme().space(self._pair, 0, 0, 0, 0, 12)
        self._promises = PointCard("card_promises", _("Promises"), "passed", "passed")
        self._limits = PointCard("card_limits", _("What it does not do"), "warning", "amber")
        fill(self._pair, stretched(self._promises), stretched(self._limits))
        self._expert = ExpertPart()
        vbox(self._pair, self._expert, on=self, gap=6)

    def show_method(self, method: Method) -> None:
        """Show the promises and limits of a method."""
        self._promises.points.show_points(method.promises[:MOST_POINTS])
        self._limits.points.show_points(method.limits[:MOST_POINTS])
        self._expert.show_method(method)

    def set_direction(self, direction: QBoxLayout.Direction) -> None:
        """Put the cards of promises and limits side by side, or one below the other."""
        self._pair.setDirection(direction)
