"""The list of methods in groups; methods that cannot be used with this table are grey and say why."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.ui.state.step_chain import Fit, group_of, group_titles, is_search_match
from ppdm_desktop.ui.widgets.basic import Holder, IconLabel, Text
from ppdm_desktop.ui.widgets.fold import CardButton
from ppdm_desktop.ui.widgets.inputs import line_edit
from ppdm_desktop.ui.widgets.layout import STRETCH, add_parts, hbox, stretch_part, vbox


class MethodCard(CardButton):
    """Card of one method: title, how many columns it can treat, and whether a step uses it.

    Screen readers also get what the method does.
    """

    def __init__(self, method: Method) -> None:
        super().__init__(f"method_{method.id}", str(method.title))
        self.setProperty("topic", topic_of("method", method.id))
        self.method = method
        self.setAccessibleDescription(str(method.summary))
        self._title = Text(str(method.title), semibold=True)
        self._used = IconLabel("check", "passed", 16)
        self._used.setToolTip(_("Used in this version"))
        self._used.setAccessibleName(_("Used in this version"))
        self._used.hide()
        self._fits = Text("", tone="text2", factor=0.85, wrap=False)
        self._reason = Text("", tone="text3", factor=0.85)
        self._reason.hide()
        add_parts(
            self.body, hbox(stretch_part(self._title), self._used, gap=6), hbox(self._fits, STRETCH), self._reason
        )
        self.seal()

    def show_fit(self, fit: Fit, used: bool) -> None:
        """Show how many columns the method can treat, such as "3 columns"; for 0 also why, in grey.

        ``used`` is whether a step uses the method; a mark shows it.
        """
        can = fit.count > 0
        self._title.set_tone("text" if can else "text3")
        self._fits.setText(_("{n} {n:column|columns}", n=fit.count))
        self._reason.setText(fit.reason)
        self._reason.setVisible(not can)
        self._used.setVisible(used)
        lines = [str(fit.method.summary), self._fits.text() if can else fit.reason]
        self.setAccessibleDescription(" ".join(lines))


class MethodList(QWidget):
    """Search field, and the cards of all methods in groups.

    Signals
    -------
    chosen
        Id of the method that was clicked.
    """

    chosen = Signal(str)

    def __init__(self, methods: Mapping[str, Method]) -> None:
        super().__init__()
        self.edit_find = line_edit(name="edit_find_method", label=_("Methods"), hint=_("Find a method"))
        self.edit_find.setClearButtonEnabled(True)
        self.edit_find.textChanged.connect(self._on_find)
        column = vbox(self.edit_find, on=self, gap=8)
        holder = Holder(name="list_methods", label=_("Methods"))
        cards = vbox(on=holder, gap=6)
        self.cards: dict[str, MethodCard] = {}
        self._headings: dict[str, Text] = {}
        for group, title in group_titles().items():
            members = [method for method in methods.values() if group_of(method) == group]
            if not members:
                continue
            heading = Text(title, tone="text2", factor=0.95, semibold=True)
            self._headings[group] = heading
            cards.addWidget(heading)
            for method in sorted(members, key=lambda member: str(member.title).casefold()):
                card = MethodCard(method)
                card.clicked.connect(partial(self._on_clicked, card))
                self.cards[method.id] = card
                cards.addWidget(card)
        self._none = Text(_("No method found. Try one word, such as swap, noise or group."), tone="text2")
        self._none.hide()
        add_parts(cards, self._none, STRETCH)
        column.addWidget(holder, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def show_fits(self, fits: Mapping[str, Fit], used: frozenset[str], current: str) -> None:
        """Show on each card whether the method can be applied to the table, and select the card of ``current``.

        A method that is not in ``fits`` keeps what its card shows.

        Parameters
        ----------
        fits
            For each method's id, the columns that it can treat.
        used
            Ids of the methods of the steps that are switched on.
        current
            Id of the method to select; "" selects none.
        """
        for id, card in self.cards.items():
            if id in fits:
                card.show_fit(fits[id], id in used)
            card.setChecked(id == current)

    def _on_clicked(self, card: MethodCard) -> None:
        """Send ``chosen`` with the id of the method whose card was clicked; the card becomes the selected one."""
        card.setChecked(True)
        self.chosen.emit(card.method.id)

    def _on_find(self, text: str) -> None:
        """Show only the methods whose texts contain all typed words, with the headings of their groups.

        If none matches, this is said. Without a word all are shown.
        """
        matching = {id for id, card in self.cards.items() if is_search_match(card.method, text)}
        for id, card in self.cards.items():
            card.setVisible(id in matching)
        for group, heading in self._headings.items():
            heading.setVisible(any(group_of(self.cards[id].method) == group for id in matching))
        self._none.setVisible(not matching)
