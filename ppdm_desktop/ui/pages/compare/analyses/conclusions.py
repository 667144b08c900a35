"""Cards of regressions: whether each comes out the same, and which ones are compared."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.one_thread import one_thread
from ppdm_desktop.engine.recipe.models import RegressionSection
from ppdm_desktop.engine.release.candidate.model import Candidate, compared
from ppdm_desktop.engine.release.measures.conclusions import MOST_MODELS, compare_conclusions, may_be_explained
from ppdm_desktop.engine.report.conclusion_words import (
    coefficient_headings,
    coefficient_rows,
    conclusions_sentence,
    model_words,
)
from ppdm_desktop.engine.utility.conclusions import Conclusions
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.state.column_decisions import short_name
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.flow import Flow
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.layout import STRETCH, fill, hbox
from ppdm_desktop.ui.widgets.tables.form_table import FormTable
from ppdm_desktop.ui.work.tasks import Work

Models = tuple[RegressionSection, ...]


def comparing(candidate: Candidate, models: Models | None) -> Work:
    """Return the background work that fits regressions on a candidate; its result names the candidate."""

    def work() -> tuple[tuple[Conclusions, ...], Models | None, Candidate]:
        with one_thread():
            return compare_conclusions(candidate, compared(candidate), models), models, candidate

    return work


def shown_models(conclusions: Sequence[Conclusions]) -> Models:
    """Return the regressions that are shown, as a recipe writes them."""
    return tuple(RegressionSection(y=entry.y, x=tuple(entry.x)) for entry in conclusions)


def conclusions_card(index: int, conclusions: Conclusions, leave_out: Callable[[], None]) -> Card:
    """Return the card of one regression with its coefficients, and a button that leaves it out."""
    card = Card(model_words(conclusions), conclusions_sentence(conclusions), name=f"card_conclusions_{index}")
    if conclusions.note is not None:
        card.body.addWidget(Text(str(conclusions.note), tone="text2", factor=0.9))
    headings = coefficient_headings()
    if conclusions.coefficients:
        model = RowsModel(headings, right=range(1, len(headings) - 1), parent=card)
        model.set_rows(coefficient_rows(conclusions))
        name = f"table_conclusions_{index}"
        card.body.addWidget(FormTable(model, name=name, label=card.title.text(), stretch=0))
    button = Button(_("Leave out"), name=f"button_leave_out_model_{index}", clicked=leave_out)
    button.setAccessibleName(_("Leave out: {model}", model=Term(card.title.text())))
    fill(card.body, hbox(button, STRETCH))
    return card


class ModelChoice(Card):
    """Chooses one more regression: the column explained, and the columns that explain it."""

    def __init__(self, candidate: Candidate, models: Models, choose: Callable[[Models | None], None]) -> None:
        super().__init__(
            _("Would the analysis come out the same?"),
            _("Regressions are fitted on the original and on the release. These figures decide nothing."),
            name="card_model_choice",
        )
        self._models, self._choose = models, choose
        columns = [candidate.prepared.table.column(name) for name in candidate.described_names]
        columns.sort(key=lambda column: column.role != "confidential")
        answers = [column.name for column in columns if may_be_explained(column)]
        self._answer = Choice(name="choice_model_y", label=_("Column to explain"), picked=self._on_changed)
        self._answer.set_choices([(name, short_name(name)) for name in answers], answers[0] if answers else None)
        self._boxes = {
            column.name: check_box(short_name(column.name), name=f"check_model_x_{number}", toggled=self._on_changed)
            for number, column in enumerate(column for column in columns if column.kind != "text")
        }
        for name, box in self._boxes.items():
            box.setAccessibleName(name)
            box.setToolTip(plain_tip(name))
        self._add = Button(_("Compare this analysis too"), name="button_add_model", clicked=self._on_add)
        proposed = Button(_("Use the proposed ones"), name="button_propose_models", clicked=partial(choose, None))
        label = Text(_("Column to explain"), tone="text2", wrap=False)
        fill(self.body, hbox(label, self._answer, STRETCH), Text(_("Explained by"), tone="text2"))
        fill(self.body, Flow(*self._boxes.values()), hbox(self._add, proposed, STRETCH))
        self._on_changed()

    @property
    def _chosen(self) -> tuple[str, ...]:
        """The ticked columns."""
        return tuple(name for name, box in self._boxes.items() if box.isChecked() and name != self._answer.current)

    def _on_changed(self, *_given: object) -> None:
        """Offer only columns other than the target, and enable the button once a model is complete."""
        for name, box in self._boxes.items():
            box.setEnabled(name != self._answer.current)
        self._add.setEnabled(bool(self._answer.current and self._chosen) and len(self._models) < MOST_MODELS)

    def _on_add(self) -> None:
        """Add the chosen model to those that are compared."""
        self._choose((*self._models, RegressionSection(y=self._answer.current, x=self._chosen)))


def conclusions_cards(
    candidate: Candidate, conclusions: Sequence[Conclusions], choose: Callable[[Models | None], None]
) -> list[QWidget]:
    """Return the card that chooses regressions, and one for each that is compared.

    Parameters
    ----------
    candidate
        Its columns can be chosen.
    conclusions
        What was compared.
    choose
        Called with the regressions that are wanted; None for the proposed ones.
    """
    models = shown_models(conclusions)
    cards: list[QWidget] = [ModelChoice(candidate, models, choose)]
    for index, entry in enumerate(conclusions):
        left = (*models[:index], *models[index + 1 :])
        cards.append(conclusions_card(index, entry, partial(choose, left)))
    return cards
