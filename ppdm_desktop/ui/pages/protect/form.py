"""The card of the selected method: what it is, its settings, and their effect on this table."""

from __future__ import annotations

from collections.abc import Mapping

from PySide6.QtCore import Signal

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.pages.protect.effect_preview import Effect
from ppdm_desktop.ui.state.step_chain import Fit, kind_words, protects_words
from ppdm_desktop.ui.widgets.basic import Card, Strip, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form.form import MethodForm
from ppdm_desktop.ui.widgets.layout import fill


class FormCard(Card):
    """Card of a method, with its settings if it is one of the steps.

    Signals
    -------
    use_wanted
        The user wants to add the method as a step.
    proposed
        The user accepted the parameters that the method proposes: a mapping.
    """

    use_wanted = Signal()
    proposed = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._proposal_of: Mapping[str, object] = {}
        self._about = Text("", tone="text3", factor=0.85)
        self._summary = Text("", tone="text2")
        self._use = Button("", name="button_use_method", icon="plus", primary=True, clicked=self.use_wanted)
        self._effect = Strip("note", "", name="effect_step")
        self._proposal = Strip("amber", "", name="strip_proposal")
        button = Button(_("Use this suggestion"), name="button_use_proposal", clicked=self._on_proposal)
        self._proposal.add_button(button)
        self._warnings = Strip("amber", "", name="strip_warnings")
        self.form = MethodForm()
        fill(self.body, self._about, self._summary, self._use, self._effect, self._proposal, self._warnings, self.form)

    def forget(self) -> None:
        """Remove the sentence on the effect of the settings."""
        self._proposal_of = {}
        for strip in (self._effect, self._proposal, self._warnings):
            strip.set("note", "")

    def show_method(self, method: Method, fit: Fit, step: StepSection | None, number: int) -> None:
        """Show a method with its settings if it is a step, otherwise with a button that adds it as step ``number``."""
        self.set_title(str(method.title))
        self.setProperty("topic", topic_of("method", method.id))
        self._about.setText(f"{protects_words(method)}  ·  {method.paper}")
        self._summary.setText(str(method.summary))
        self._use.setVisible(step is None)
        self._use.setText(_("Use as step {n}", n=number))
        self._use.setEnabled(fit.count > 0)
        self.form.setVisible(step is not None)
        if step is None:
            for strip in (self._effect, self._proposal):
                strip.set("note", "")
            self._warnings.set("amber", fit.reason)
            return
        self.form.show_method(method)
        columns = [(column.name, kind_words(column.kind), column.reason) for column in fit.columns]
        ticked = step.columns if step.columns is not None else fit.default
        given = method.profiles.get(step.profile, {}) if step.profile is not None else {}
        self.form.set_values(step.parameters, columns, ticked, given)
        if self.form.profile is not None:
            self.form.profile.show_mode(method.mode_of(step))

    def show_effect(self, effect: Effect, *, later: bool) -> None:
        """Show the effect of the settings; ``later`` adds that earlier steps are not considered."""
        self._effect.set("note", effect.sentence)
        text = effect.refusal or " ".join(effect.warnings)
        if text and later:
            # Looked at before the first step; what the steps before do may well resolve it.
            text = _("For the table before the first step: {words}", words=Term(text))
        self._warnings.set("blocks" if effect.refusal and not later else "amber", text)
        self._proposal_of = dict(effect.proposal[1]) if effect.proposal is not None else {}
        self._proposal.set("amber", effect.proposal[0] if effect.proposal is not None else "")
        self.form.set_levels(effect.levels or {})

    def show_failure(self, text: str) -> None:
        """Show why the effect cannot be computed; an empty text means that the request was cancelled."""
        self._effect.set("note", "")
        self._proposal.set("amber", "")
        self._warnings.set("blocks", text)

    def _on_proposal(self) -> None:
        """Report the proposed settings that were accepted."""
        self.proposed.emit(self._proposal_of)
