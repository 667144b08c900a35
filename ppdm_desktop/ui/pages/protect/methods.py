"""The list of methods: cards by what they do, the ones that fit nothing greyed with the reason."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.step_chain import Fit, group_of, group_titles, matches
from ppdm_desktop.ui.widgets.basic import Holder, IconLabel, Text
from ppdm_desktop.ui.widgets.card_button import CardButton


class MethodCard(CardButton):
    """One method: title, id, what it does, how many columns it can treat."""

    def __init__(self, method: Method) -> None:
        super().__init__(f"method_{method.id}", str(method.title))
        self.setProperty("topic", topic_of("method", method.id))
        self.method = method
        self.setAccessibleDescription(str(method.summary))
        head = QHBoxLayout()
        theme().space(head, 0, 0, 0, 0, 6)
        self._title = Text(str(method.title), semibold=True)
        head.addWidget(self._title, 1)
        self._used = IconLabel("check", "passed", 16)
        self._used.setToolTip(_("Used in this version"))
        self._used.setAccessibleName(_("Used in this version"))
        self._used.hide()
        head.addWidget(self._used)
        self.body.addLayout(head)
        foot = QHBoxLayout()
        self._fits = Text("", tone="text2", factor=0.85, wrap=False)
        foot.addWidget(self._fits)
        foot.addStretch(1)
        self.body.addLayout(foot)
        self._reason = Text("", tone="text3", factor=0.85)
        self._reason.hide()
        self.body.addWidget(self._reason)
        self.seal()

    def show_fit(self, fit: Fit, used: bool) -> None:
        """Show what it can do for the table and whether the chain has it."""
        can = fit.count > 0
        self._title.set_tone("text" if can else "text3")
        self._fits.setText(_("{n} {n:column|columns}", n=fit.count) if can else _("no column"))
        self._fits.setToolTip(_("Number of columns that it can protect"))
        self._reason.setText(fit.reason)
        self._reason.setVisible(not can)
        self._used.setVisible(used)
        words = [str(fit.method.summary), self._fits.text() if can else fit.reason]
        self.setAccessibleDescription(" ".join(words))


class MethodList(QWidget):
    """Search field and cards.

    Signals
    -------
    chosen
        A method to look at: (id).
    """

    chosen = Signal(str)

    def __init__(self, methods: Mapping[str, Method]) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        theme().space(column, 0, 0, 0, 0, 8)
        self.edit_find = QLineEdit()
        self.edit_find.setObjectName("edit_find_method")
        self.edit_find.setPlaceholderText(_("Find a method"))
        self.edit_find.setToolTip(_("Find a method or a goal"))
        self.edit_find.setAccessibleName(_("Find a method"))
        self.edit_find.setClearButtonEnabled(True)
        self.edit_find.textChanged.connect(self._on_find)
        column.addWidget(self.edit_find)
        holder = Holder(name="list_methods", words=_("Methods"))
        cards = QVBoxLayout(holder)
        theme().space(cards, 0, 0, 0, 0, 6)
        self.cards: dict[str, MethodCard] = {}
        self._headings: dict[str, Text] = {}
        for group, title in group_titles().items():
            members = [method for method in methods.values() if group_of(method) == group]
            if not members:
                continue
            heading = Text(title, tone="text2", factor=0.95, semibold=True)
            self._headings[group] = heading
            cards.addWidget(heading)
            for method in sorted(members, key=lambda each: str(each.title).casefold()):
                card = MethodCard(method)
                card.clicked.connect(self._on_clicked)
                self.cards[method.id] = card
                cards.addWidget(card)
        self._none = Text(_("No method found. Try one word, such as swap, noise or group."), tone="text2")
        self._none.hide()
        cards.addWidget(self._none)
        cards.addStretch(1)
        column.addWidget(holder, 1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def show_fits(self, fits: Mapping[str, Fit], used: frozenset[str], current: str) -> None:
        """Show what each method can do for the table, and which one is looked at."""
        for id, card in self.cards.items():
            if id in fits:
                card.show_fit(fits[id], id in used)
            card.setChecked(id == current)

    def _on_clicked(self) -> None:
        card = self.sender()
        assert isinstance(card, MethodCard)
        card.setChecked(True)
        self.chosen.emit(card.method.id)

    def _on_find(self, text: str) -> None:
        shown = {id for id, card in self.cards.items() if matches(card.method, text)}
        for id, card in self.cards.items():
            card.setVisible(id in shown)
        for group, heading in self._headings.items():
            heading.setVisible(any(group_of(self.cards[id].method) == group for id in shown))
        self._none.setVisible(not shown)
