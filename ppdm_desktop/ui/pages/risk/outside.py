"""Card that asks which people the file was drawn from, and shows what being unique in the file means among them."""

from __future__ import annotations

from functools import partial

from pydantic import ValidationError
from PySide6.QtCore import Signal

from ppdm_desktop.engine.recipe.load import explain_refusal
from ppdm_desktop.engine.recipe.models import PopulationSection
from ppdm_desktop.engine.report.model import OutsideEntry
from ppdm_desktop.engine.report.outside_texts import EXPERT_LIMIT, describe_population_risk, expert_rows
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.risk.logic import assess_population_risk
from ppdm_desktop.ui.state.hierarchy_edits import explain_wrong_folder, to_relative_path
from ppdm_desktop.ui.state.session import Assessment
from ppdm_desktop.ui.state.table_files import name_patterns
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.fold import Fold
from ppdm_desktop.ui.widgets.inputs import Choice, WholeNumber, add_caption, line_edit
from ppdm_desktop.ui.widgets.layout import Flow, add_parts
from ppdm_desktop.ui.work.tasks import TaskOutcome

JOB = "outside"
_TABLE = "table"
_MOST = 2_000_000_000


class OutsideCard(Card):
    """Asks for the people outside the file; the answer serves to judge the risk and changes no release.

    Signals
    -------
    measured
        The risk outside the file, an ``OutsideEntry``, or None.
    """

    measured = Signal(object)

    def __init__(self, context: Context) -> None:
        super().__init__(
            _("Who are all the people this file was drawn from?"),
            _("Your answer changes no release. It tells what being unique here means for someone outside."),
            name="card_outside",
            topic="figure.not-known",
        )
        self.context, self.session = context, context.session
        self._asked: tuple[Assessment | None, PopulationSection | None] = (None, None)
        self._table: str | None = None
        self.entry: OutsideEntry | None = None
        hint = _("for example: patients of the two clinics in 2023")
        self.who = line_edit(name="edit_population_who", label=self.title.text(), hint=hint)
        label = _("How they came into the file")
        self.drawn = Choice(name="combo_population_drawn", label=label, picked=self._on_drawn)
        label = _("Number of people")
        self.number = WholeNumber(name="spin_population_size", label=label, bounds=(0, _MOST))
        self.weight = Choice(name="combo_population_weight", label=_("How many people each person stands for"))
        self.choose = Button("", name="button_population_table", clicked=self._on_choose)
        self.apply = Button(_("Use this answer"), name="button_population", clicked=self._on_apply)
        self._size = add_caption(label, self.number)
        self._weight = add_caption(_("Weights"), self.weight)
        row = Flow(self.drawn, self._size, self._weight, self.choose, self.apply, gap=10)
        self.problem = Strip("amber", name="strip_outside")
        self.population_text = Text("", name="label_outside")
        self.expert = Fold("fold_outside_expert")
        self.expert.set_label(_("For experts"))
        self._rows = Text("", tone="text2", factor=0.9, name="label_outside_expert")
        self.expert.body.addWidget(self._rows)
        add_parts(self.body, self.who, row, self.problem, self.population_text, self.expert)
        self._show_answer(None)

    # --- the answer ---------------------------------------------------------------------

    def _show_answer(self, section: PopulationSection | None) -> None:
        """Show the recipe's answer on how the people in the file were drawn, with its details; None shows "No answer".

        The details are who all people are, their number, the column of weights, or the table of all people; fields that
        the answer does not need are hidden. The numeric columns of the open file can be chosen as weights.
        """
        self.drawn.set_choices(
            [
                ("", _("No answer")),
                ("everybody", _("Everybody is in the file")),
                ("random", _("They were drawn at random")),
                ("not-random", _("They were not drawn at random")),
                (_TABLE, _("I have a table of all people")),
            ],
            "" if section is None else _TABLE if section.table else section.drawn,
        )
        self._table = None if section is None else section.table
        self.who.setText("" if section is None else section.who)
        self.number.setValue(0 if section is None else section.size or 0)
        reading = self.session.reading
        columns = reading.table.columns if reading is not None else ()
        numeric = [column.name for column in columns if column.kind == "numeric"]
        choices = [("", _("everybody stands for the same number of people")), *((name, name) for name in numeric)]
        self.weight.set_choices(choices, "" if section is None else section.weight or "")
        self._show_fields()

    def _show_fields(self) -> None:
        """Show the fields that the chosen way of sampling needs, and name the chosen table on its button.

        Any answer asks who all people are; a sample also asks for their number, a random sample for a column of
        weights, and "a table of all people" for the table.
        """
        drawn = self.drawn.current
        self.who.setVisible(bool(drawn))
        self._size.setVisible(drawn in ("random", "not-random"))
        self._weight.setVisible(drawn == "random")
        self.choose.setVisible(drawn == _TABLE)
        self.choose.setText(self._table or _("Choose a table of all people…"))

    def _on_drawn(self, _key: str) -> None:
        """Show the fields of the chosen way of sampling, and remove an earlier message on the answer."""
        self.problem.set("amber", "")
        self._show_fields()

    def _on_choose(self) -> None:
        """Ask for a table of all people, and keep its path relative to the source file for ``_on_apply``.

        A table outside the folder of the source file is refused with a message. Nothing happens without a file or if
        the user cancels.
        """
        source = self.session.decisions.path
        title = self.choose.text()
        path = self.context.dialogs.open_file(self, title, name_patterns()) if source is not None else None
        if path is None or source is None:
            return
        name = to_relative_path(path, source)
        if name is None:
            self.problem.set("amber", explain_wrong_folder(path, source))
            return
        self._table = name
        self._show_fields()

    def _on_apply(self) -> None:
        """Store the answer in the fields as a decision; "No answer" removes the stored answer.

        If something is missing or contradicts, this is shown and nothing is stored. For a table of all people, entries
        of a stored answer with a table that have no field here stay, because only a recipe file can set them.
        """
        drawn, section = self.drawn.current, None
        self.problem.set("amber", "")
        if drawn == _TABLE and self._table is None:
            self.problem.set("amber", _("Choose the table first."))
            return
        section_values: dict[str, object] = {
            "who": self.who.text(),
            "drawn": "not-random" if drawn == _TABLE else drawn,
        }
        if drawn == _TABLE:
            before = self.session.decisions.recipe.population
            if before is not None and before.table is not None:
                # Only a recipe file says more of people who stand in a table.
                section_values = before.model_dump() | {"who": self.who.text()}
            section_values["table"] = self._table
        elif drawn != "everybody":
            section_values["size"] = self.number.value() or None
            section_values["weight"] = (self.weight.current or None) if drawn == "random" else None
        try:
            section = PopulationSection.model_validate(section_values) if drawn else None
        except ValidationError as error:
            faults = error.errors()
            same_key = [fault for fault in faults if fault["loc"] == faults[0]["loc"]]
            self.problem.set("amber", str(explain_refusal(faults[0], same_key)))
            return
        self.session.decide_recipe(population=section)

    # --- what it means ------------------------------------------------------------------

    def show_assessment(self, assessment: Assessment | None) -> None:
        """Show the recipe's answer, and compute in the background what it means for the risk of the original.

        None hides the card and cancels a computation; without an answer nothing is computed. Entries that were typed
        but not applied are replaced. Nothing happens if assessment and answer are as at the last call.
        """
        recipe = self.session.decisions.recipe
        self.setVisible(assessment is not None)
        if assessment is self._asked[0] and recipe.population == self._asked[1]:
            return
        self._asked = (assessment, recipe.population)
        self._show_answer(recipe.population)
        self._show_entry(None)
        if assessment is None or recipe.population is None:
            self.context.runner.cancel(JOB)
            return
        self.context.runner.start(JOB, partial(assess_population_risk, assessment, recipe), self._on_outside)

    def _on_outside(self, outcome: TaskOutcome) -> None:
        """Show the estimated risk outside the file, or why there is none; nothing after a cancellation."""
        if outcome.cancelled:
            return
        self.problem.set("amber", "" if outcome.ok else outcome.message)
        self._show_entry(outcome.result if outcome.ok else None)

    def _show_entry(self, entry: OutsideEntry | None) -> None:
        """Show the estimated risk outside the file with its figures (None: nothing), and send ``measured``."""
        self.entry = entry
        self.population_text.setText("" if entry is None else " ".join(describe_population_risk(entry)))
        self.population_text.setVisible(entry is not None)
        rows = expert_rows(entry)
        self._rows.setText("\n".join([*(f"{label}: {text}" for label, text in rows), EXPERT_LIMIT.format()]))
        self.expert.setVisible(bool(rows))
        self.measured.emit(entry)
