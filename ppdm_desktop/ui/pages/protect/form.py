"""Card of the selected method with its settings and their effect, and cards on what the method promises."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QBoxLayout, QSizePolicy, QWidget

from ppdm_desktop.engine.methods.base.declaration import Method
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.wording.catalogue import Sentence, _
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import as_ornament
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.protect.effect import Effect, keep_percent_together
from ppdm_desktop.ui.state.step_chain import Fit, describe_kind, describe_protection
from ppdm_desktop.ui.widgets.basic import Card, IconLabel, Strip, Text, clear_layout
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form.form import MethodForm
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    add_parts,
    align_left,
    align_top,
    hbox,
    stretch_part,
    vbox,
    widget_of,
)

MOST_POINTS = 3
"""How many promises and how many limits are always shown; further ones are folded in for the statistician."""


class _Point(Text):
    """A dot that stands before a sentence."""

    accessible_info = as_ornament


class PointList(QWidget):
    """A list of sentences, each with a dot."""

    def __init__(self) -> None:
        super().__init__()
        self._list = vbox(on=self, gap=4)
        self._sentences: tuple[str, ...] = ()

    def show_points(self, sentences: Sequence[Sentence]) -> None:
        """Replace the sentences; nothing happens if they are the same."""
        texts = tuple(map(str, sentences))
        if texts == self._sentences:
            return
        self._sentences = texts
        clear_layout(self._list)
        for sentence in texts:
            dot = _Point("•", factor=0.95, wrap=False)
            dot.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Preferred)
            line = widget_of(
                hbox(align_top(dot), stretch_part(Text(keep_percent_together(sentence), factor=0.95)), gap=6)
            )
            self._list.addWidget(line)


class PointCard(Card):
    """Card with a list of sentences, such as what a method promises or what it does not do."""

    def __init__(self, name: str, title: str, icon: str, token: str) -> None:
        super().__init__(name=name)
        self.body.addLayout(hbox(IconLabel(icon, token, 18), stretch_part(Text(title, semibold=True, tone=token))))
        self.points = PointList()
        add_parts(self.body, self.points, STRETCH)


class ExpertPart(QWidget):
    """Further promises and limits of a method and its details, folded under "More for statisticians"."""

    def __init__(self) -> None:
        super().__init__()
        text = _("More for statisticians")
        self._fold = Button(text, name="button_more_points", icon="next", link=True, checkable=True)
        self._fold.toggled.connect(self._on_folded)
        column = vbox(align_left(self._fold), on=self, gap=6)
        self._inside = Card(name="card_expert")
        self._parts: list[tuple[Text, PointList]] = []
        for title in (_("Promises"), _("What it does not do"), _("About the method")):
            heading, points = Text(title, semibold=True), PointList()
            add_parts(self._inside.body, heading, points)
            self._parts.append((heading, points))
        self._inside.hide()
        column.addWidget(self._inside)

    def show_method(self, method: Method) -> None:
        """Show a method's notes for statisticians and its promises and limits after the third; hidden without any."""
        left = (method.promises[MOST_POINTS:], method.limits[MOST_POINTS:], method.expert)
        for (heading, points), sentences in zip(self._parts, left, strict=True):
            points.show_points(sentences)
            heading.setVisible(bool(sentences))
            points.setVisible(bool(sentences))
        self.setVisible(any(left))

    def _on_folded(self, is_open: bool) -> None:
        """Show or hide the sentences for statisticians."""
        self._inside.setVisible(is_open)
        self._fold.set_icon_name("down" if is_open else "next")


class MethodPoints(QWidget):
    """The first three promises and limits of a method side by side, and the others folded below them."""

    def __init__(self) -> None:
        super().__init__()
        self._pair = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        theme().space(self._pair, 0, 0, 0, 0, 12)
        self._promises = PointCard("card_promises", _("Promises"), "passed", "passed")
        self._limits = PointCard("card_limits", _("What it does not do"), "warning", "amber")
        add_parts(self._pair, stretch_part(self._promises), stretch_part(self._limits))
        self._expert = ExpertPart()
        vbox(self._pair, self._expert, on=self, gap=6)

    def show_method(self, method: Method) -> None:
        """Show the first three promises and the first three limits of a method; the others go below, folded."""
        self._promises.points.show_points(method.promises[:MOST_POINTS])
        self._limits.points.show_points(method.limits[:MOST_POINTS])
        self._expert.show_method(method)

    def set_direction(self, direction: QBoxLayout.Direction) -> None:
        """Put the cards of promises and limits side by side, or one below the other, by Qt's ``direction``."""
        self._pair.setDirection(direction)


class FormCard(Card):
    """Card of a method, with its settings if the method is used in a step.

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
        button = Button(_("Use this suggestion"), name="button_use_proposal", clicked=self._on_proposal)
        self._proposal = Strip("amber", "", button, name="strip_proposal")
        self._warnings = Strip("amber", "", name="strip_warnings")
        self.form = MethodForm()
        add_parts(
            self.body, self._about, self._summary, self._use, self._effect, self._proposal, self._warnings, self.form
        )

    def forget(self) -> None:
        """Remove effect, warnings and proposal, because they belong to the former file."""
        self._proposal_of = {}
        for strip in (self._effect, self._proposal, self._warnings):
            strip.set("note", "")

    def show_method(self, method: Method, fit: Fit, step: StepSection | None, number: int) -> None:
        """Show a method with the settings of its step, or, if no step uses it, with a button that adds it as a step.

        Without a step, the effect and the proposal of the step shown before are removed.

        Parameters
        ----------
        method
            The method.
        fit
            Which columns the method can treat; if none, the button is disabled and the reason is shown.
        step
            The step that uses the method; None if there is none.
        number
            Number that the step would get.
        """
        self.set_title(str(method.title))
        self.setProperty("topic", topic_of("method", method.id))
        self._about.setText(f"{describe_protection(method)}  ·  {method.paper}")
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
        columns = [(column.name, describe_kind(column.kind), column.reason) for column in fit.columns]
        ticked = step.columns if step.columns is not None else fit.default
        profile_values = method.profiles.get(step.profile, {}) if step.profile is not None else {}
        self.form.set_values(step.parameters, columns, ticked, profile_values)
        if self.form.profile is not None:
            self.form.profile.show_mode(method.mode_of(step))

    def show_effect(self, effect: Effect, *, has_earlier_steps: bool) -> None:
        """Show the effect of the settings, the warnings or the refusal, the proposal, and the values by level.

        Parameters
        ----------
        effect
            The effect.
        has_earlier_steps
            Whether earlier steps exist. Then warnings and a refusal begin with "For the table before the first step",
            and a refusal is shown as a warning instead of an error.
        """
        self._effect.set("note", effect.sentence)
        text = effect.refusal or " ".join(effect.warnings)
        if text and has_earlier_steps:
            # Looked at before the first step; what the steps before do may well resolve it.
            text = _("For the table before the first step: {words}", words=Term(text))
        self._warnings.set("blocks" if effect.refusal and not has_earlier_steps else "amber", text)
        self._proposal_of = dict(effect.proposal[1]) if effect.proposal is not None else {}
        self._proposal.set("amber", effect.proposal[0] if effect.proposal is not None else "")
        self.form.set_levels(effect.levels or {})

    def show_failure(self, text: str) -> None:
        """Show why the effect cannot be computed in place of the warnings, and remove effect and proposal.

        "", after a cancellation, only removes all three.
        """
        self._effect.set("note", "")
        self._proposal.set("amber", "")
        self._warnings.set("blocks", text)

    def _on_proposal(self) -> None:
        """Send ``proposed`` with the settings that the method proposes."""
        self.proposed.emit(self._proposal_of)
