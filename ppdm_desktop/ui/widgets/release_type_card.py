"""The question "Who will receive the file?" on the page Protection levels; the answer sets all limits."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QButtonGroup, QRadioButton

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.state.session import Session
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.folding import FoldingAnswer
from ppdm_desktop.ui.widgets.inputs import check_box
from ppdm_desktop.ui.widgets.layout import STRETCH, SideBySide, add_parts, hbox, vbox, widget_of


def describe_release_type(id: str) -> tuple[str, str]:
    """Return (label, explanation) of who receives a release of the type with this id."""
    text = render(RELEASE_TYPES[id].title)
    return text.title, text.sentence


def can_sign(id: str | None) -> bool:
    """Return whether recipients of this release type may sign an agreement; False for None (no type chosen)."""
    return id is not None and RELEASE_TYPES[id].relies_on_agreement


def describe_agreement(signed: bool) -> str:
    """Return a sentence on what follows from whether recipients sign an agreement.

    If ``signed``, it says what they sign; otherwise that nothing is assumed about what they do.
    """
    if signed:
        return _(
            "The recipients sign that they will not link the data with other files, try to find people, or pass it on."
        )
    return _("You did not tick that the recipients sign an agreement, so nothing is assumed about what they do.")


def sign_agreement(session: Session, *, is_signed: bool) -> None:
    """Write into the session's recipe whether the recipients sign an agreement; undo takes it back."""
    release = session.decisions.recipe.release.model_copy(update={"agreement": is_signed})
    session.decide_recipe(release=release)


class TypeCard(Card):
    """Card with one answer for each release type (kind of recipients) and its limit.

    Below are the source of the chosen type's limit and, if recipients may sign an agreement, the box for it.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(_("Who will receive the file?"), name="card_release_type")
        self._session = session
        self._group = QButtonGroup(self)
        self._buttons: dict[str, QRadioButton] = {}
        row = SideBySide(below=900)
        for id, kind in RELEASE_TYPES.items():
            title, sentence = describe_release_type(id)
            button = FoldingAnswer(title)
            button.setObjectName(f"type_{id}")
            button.setProperty("type", id)
            limit = _("Each person must have the same details as at least {others} others.", others=kind.k_min - 1)
            button.setAccessibleDescription(f"{sentence} {limit}")
            self._group.addButton(button)
            self._buttons[id] = button
            below = hbox(Text(f"{sentence} {limit}", tone="text2", factor=0.9), margins=(26, 0, 6, 0))
            row.add(widget_of(vbox(button, below, STRETCH, gap=0)))
        self.check_agreement = check_box(_("The recipients sign an agreement"), name="check_agreement")
        self.check_agreement.clicked.connect(lambda is_signed: sign_agreement(session, is_signed=is_signed))
        self._agreement_text = Text(describe_agreement(signed=True), tone="text2", factor=0.9)
        self._source = Text("", tone="text3", factor=0.85, name="label_type_source")
        add_parts(self.body, row, self.check_agreement, self._agreement_text, self._source)
        self._group.buttonClicked.connect(self._on_clicked)

    def _on_clicked(self, button: QRadioButton) -> None:
        """Write the release type of the clicked answer into the session's recipe."""
        id = str(button.property("type"))
        release = self._session.decisions.recipe.release.model_copy(update={"type": id})
        self._session.decide_recipe(release=release)

    def refresh(self) -> None:
        """Show the release type and the agreement of the session's recipe.

        The box for the agreement is visible only if the type allows one. Below, the source of the limit is shown or,
        without a type, a sentence that the answer sets every limit; both end by saying that no law prescribes a number.
        """
        release = self._session.decisions.recipe.release
        chosen = release.type
        self.check_agreement.setChecked(release.agreement)
        for widget in (self.check_agreement, self._agreement_text):
            widget.setVisible(can_sign(chosen))
        self._group.setExclusive(False)
        for id, button in self._buttons.items():
            button.setChecked(id == chosen)
            # Tab reaches the answer given; arrows move among the others.
            reached = chosen is None or id == chosen
            button.setFocusPolicy(Qt.FocusPolicy.StrongFocus if reached else Qt.FocusPolicy.ClickFocus)
        self._group.setExclusive(True)
        law = _("No law prescribes a number.")
        if chosen is None:
            self._source.setText(_("Your answer sets every limit on the following pages. {law}", law=Term(law)))
        else:
            source = render(RELEASE_TYPES[chosen].threshold_source).sentence
            self._source.setText(f"{source} {law}")
