"""Card with proposed corrections of the file, one in a line; none is applied before the user accepts it."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.recipe.models import InputSection, RepairSection
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.reading.proposals import Proposal
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.ui.state.import_lines import Applied, applied_repairs
from ppdm_desktop.ui.widgets.basic import Card, IconLabel, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, add_parts, align_top, hbox, stretch_part, vbox


class Corrections(Card):
    """Card with the proposed corrections and buttons to answer; a line keeps its position after an answer.

    Signals
    -------
    wanted
        The file has to be read with these options (``InputSection``).
    declined
        The user declined a ``Proposal``.
    asked_again
        The user wants to decide again on a declined ``Proposal``.
    """

    wanted = Signal(object)
    declined = Signal(object)
    asked_again = Signal(object)

    def __init__(self) -> None:
        super().__init__(
            _("Corrections"),
            _("The file itself is never changed. You can undo each correction."),
            name="card_corrections",
        )
        self._proposals: tuple[Proposal, ...] = ()
        self._state: tuple[tuple[object, ...], ...] = ((), (), ())
        self._file = ""
        self._places: dict[tuple[str, ...], int] = {}
        self._options = InputSection()
        self._clear = Button("", name="button_apply_clear_repairs", icon="passed", clicked=self._on_apply_certain)
        holder = QWidget()
        holder.setObjectName("list_repairs")
        self._box = vbox(on=holder, gap=12)
        add_parts(self.body, hbox(self._clear, STRETCH), holder)
        self.hide()

    def show_proposals(
        self,
        reading: Reading,
        proposals: tuple[Proposal, ...],
        declined: tuple[Proposal, ...],
        options: InputSection,
    ) -> None:
        """Show a line for each proposed, declined and applied correction, in this order; without any, hide the card.

        A button above the lines applies all certain proposals; it is hidden if none is certain. A correction keeps its
        position when its state changes, as long as the same file is open. Nothing is built again if nothing changed.

        Parameters
        ----------
        reading
            The file as it was read.
        proposals, declined
            Open proposals, and proposals that the user declined.
        options
            The reading options, which contain the applied corrections.
        """
        self._options = options
        applied = applied_repairs(reading, options)
        state = (proposals, declined, applied)
        self.setVisible(any(state))
        if state == self._state:
            return
        self._state, self._proposals = state, proposals
        clear = sum(proposal.clear for proposal in proposals)
        self._clear.setVisible(clear > 0)
        self._clear.setText(_("Apply {n} clear {n:correction|corrections}", n=clear))
        clear_layout(self._box)
        before: QWidget = self._clear
        lines: list[tuple[tuple[str, ...], QWidget]] = [
            (proposal.about, self._build_proposal_line(number, proposal)) for number, proposal in enumerate(proposals)
        ]
        lines += [
            (proposal.about, self._build_declined_line(number, proposal)) for number, proposal in enumerate(declined)
        ]
        lines += [(repair.about, self._build_applied_line(number, repair)) for number, repair in enumerate(applied)]
        if reading.account.sha256 != self._file:
            self._file, self._places = reading.account.sha256, {}
        for about, _unused1 in lines:
            # An applied correction stands for all of its kind in a column, so it follows the first of them.
            for key in (about[:2], about):
                self._places.setdefault(key, len(self._places))
        for _unused2, line in sorted(lines, key=lambda entry: self._places[entry[0]]):
            self._box.addWidget(line)
            for button in line.findChildren(Button):
                QWidget.setTabOrder(before, button)
                before = button

    def _build_line(
        self, icon: tuple[str, str], label: str, *buttons: Button, name: str, subject: str, more: str = ""
    ) -> QWidget:
        """Return a line with icon, text and buttons.

        Parameters
        ----------
        icon
            Icon and the theme's name of its colour.
        label, more
            Text, and a smaller text below it ("" for none).
        buttons
            Buttons, whose accessible names get the correction (``subject``) behind their labels.
        name
            Object name of the line.
        subject
            The correction in words.
        """
        line = QWidget()
        line.setObjectName(name)
        texts = vbox(Text(label), gap=3)
        if more:
            texts.addWidget(Text(more, factor=0.9, tone="text2"))
        for button in buttons:
            button.setAccessibleName(f"{button.text()}: {subject}")
        texts.addWidget(Flow(*buttons))
        hbox(align_top(IconLabel(*icon)), stretch_part(texts), on=line)
        return line

    def _build_proposal_line(self, number: int, proposal: Proposal) -> QWidget:
        """Return the line of a proposed correction: its sentence, examples, and buttons to apply or decline it.

        A proposal with choices has a button for each choice instead of one button to apply it. Applying sends
        ``wanted``, declining sends ``declined``. ``number`` is the index of the proposal, for the names of widgets.
        """
        sentence = render(proposal.note.id, proposal.note.arguments).sentence
        examples = "   ".join(
            f"{_make_blanks_visible(before)} → {_make_blanks_visible(after)}" for before, after in proposal.examples
        )
        icon = ("warning", "amber") if proposal.must_be_answered else ("note", "accent")
        name = f"button_apply_repair_{number}"
        buttons = [
            Button(
                render(choice.note.id, choice.note.arguments).sentence,
                name=f"{name}_{index}",
                clicked=partial(self._on_apply, proposal, choice.section),
            )
            for index, choice in enumerate(proposal.choices)
        ]
        if not buttons:
            buttons = [Button(self._label_apply(proposal), name=name, clicked=partial(self._on_apply, proposal))]
        decline_label = (
            _("{n:This is a person|These are people}", n=len(proposal.rows)) if proposal.rows else _("Leave as it is")
        )
        declined = partial(self.declined.emit, proposal)
        decline = Button(decline_label, name=f"button_decline_repair_{number}", clicked=declined)
        return self._build_line(
            icon, sentence, *buttons, decline, name=f"repair_{number}", subject=sentence, more=examples
        )

    def _label_apply(self, proposal: Proposal) -> str:
        """Return the label of the button that applies a proposal.

        "Leave out" for a proposal on rows, "Missing" for a text that means a missing value, else "Apply".
        """
        if proposal.kind == "rows":
            return _("Leave out")
        return _("Missing") if proposal.kind == "missing" else _("Apply")

    def _build_declined_line(self, number: int, proposal: Proposal) -> QWidget:
        """Return the line of a declined correction, with a link that sends ``asked_again``.

        ``number`` is the index of the proposal, for the names of widgets.
        """
        sentence = render(proposal.note.id, proposal.note.arguments).sentence
        label = _("Not changed: {what}", what=proposal.note)
        asked = partial(self.asked_again.emit, proposal)
        again = Button(_("Ask again"), name=f"button_ask_again_{number}", link=True, clicked=asked)
        return self._build_line(("keep", "text3"), label, again, name=f"declined_{number}", subject=sentence)

    def _build_applied_line(self, number: int, applied: Applied) -> QWidget:
        """Return the line of an applied correction, with a link that sends ``wanted`` to undo it.

        ``number`` is the index of the correction, for the names of widgets.
        """
        undo = partial(self.wanted.emit, applied.without)
        back = Button(_("Undo"), name=f"button_take_back_{number}", link=True, clicked=undo)
        text = applied.text
        return self._build_line(("passed", "passed"), text, back, name=f"applied_{number}", subject=text)

    # --- what a person says -----------------------------------------------------------------

    def _on_apply(self, proposal: Proposal, section: RepairSection | None = None) -> None:
        """Send ``wanted`` with reading options that apply a proposal, or one of its choices (``section``)."""
        self.wanted.emit(proposal.taken(self._options, section))

    def _on_apply_certain(self) -> None:
        """Send ``wanted`` with reading options that apply all open proposals that are certain (``clear``)."""
        options = self._options
        for proposal in self._proposals:
            if proposal.clear:
                options = proposal.taken(options)
        self.wanted.emit(options)


def _make_blanks_visible(text: str) -> str:
    """Return a text with all its blanks written as "␣" if it starts or ends with one, else unchanged."""
    return text.replace(" ", "␣") if text.strip() != text or not text.strip() else text
