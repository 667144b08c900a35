"""The card of one version: what it keeps and loses, its figures, its verdict, and its buttons."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics
from PySide6.QtWidgets import QGridLayout, QWidget

from ppdm_desktop.engine.release.gate.base import title_of_check
from ppdm_desktop.engine.release.planning.texts import describe_reasons, name_checks_by_cause
from ppdm_desktop.engine.release.planning.version import Version, decision_of, list_checks_to_answer
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.wording.catalogue import Remarks, _, lazy
from ppdm_desktop.engine.wording.values import Terms
from ppdm_desktop.ui.look.accessibility import join_label
from ppdm_desktop.ui.look.theme import restyle, theme
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.pages.protect.queue import describe_progress, describe_status
from ppdm_desktop.ui.state.candidate_queue import DONE, FAILED, RUNNING
from ppdm_desktop.ui.state.finished_candidates import explain_star, has_verdict, require_evaluation
from ppdm_desktop.ui.state.number_texts import percent
from ppdm_desktop.ui.state.session import CandidateEntry
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, SideBySide, add_parts, align_top, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.work import WorkBar

_FIGURES = 250
"""Width of the three figures beside the sentences, in pixels at 100 % text size."""


@dataclass(frozen=True)
class CardState:
    """What the card of a version shows.

    Attributes
    ----------
    version
        The version that the search found.
    label
        Its name among the versions, with a number if several have the same.
    entry
        The candidate made from it, whose full run may wait, run, be done or have failed. None without one, or if it is
        out of date or was cancelled.
    is_best
        Whether it is the best version that may be released.
    is_chosen
        Whether the user chose it for the release, and its run has not failed.
    is_old
        Whether its verdict was reached under earlier decisions and is not renewed yet.
    not_kept
        The sentence on columns that must stay detailed and do not, and which other versions keep them; "" for none.
    """

    version: Version
    label: str
    entry: CandidateEntry | None
    is_best: bool
    is_chosen: bool
    is_old: bool = False
    not_kept: str = ""

    @property
    def verdict(self) -> Verdict:
        """The verdict after all attacks if the full run is finished, otherwise that reached during the search."""
        if self.entry is not None and has_verdict(self.entry):
            return require_evaluation(self.entry).report.verdict
        return self.version.verdict

    @property
    def title(self) -> str:
        """The title of the card: the version's label, after the short name of its run if there is one."""
        return self.label if self.entry is None else join_label(self.entry.display_name, self.label)


def describe_outcome(verdict: Verdict) -> tuple[str, str]:
    """Return (severity, sentence) on whether a version may be released.

    ("blocks", "May not be released: ...") names the checks that block it, ("amber", "2 reasons: ...") the checks that
    each written reason answers, and ("passed", "May be released") needs nothing more. A reason for an earlier release,
    which every version needs, is named apart, also in amber.
    """
    if verdict.blocking:
        blocking = Terms(tuple(title_of_check(check.id) for check in verdict.blocking))
        return "blocks", _("May not be released: {checks}", checks=blocking)
    to_answer = list_checks_to_answer(verdict)
    groups = tuple(name_checks_by_cause(to_answer).values())
    severity, sentence = "passed", _("May be released")
    if groups:
        many = Remarks(tuple(lazy("one for {checks}", checks=names) for names in groups))
        checks = groups[0] if len(groups) == 1 else many
        severity, sentence = "amber", _("{n} {n:reason|reasons}: {checks}", n=len(groups), checks=checks)
    others = Terms(tuple(title_of_check(check.id) for check in verdict.to_answer if check not in to_answer))
    if others.texts and groups:
        sentence = "\n".join((sentence, _("Every version also needs a reason: {checks}", checks=others)))
    elif others.texts:
        severity, sentence = "amber", _("1 reason, which every version needs: {checks}", checks=others)
    return severity, sentence


class VersionCard(Card):
    """Card of one version; the property ``index`` of its buttons is the index of the card."""

    def __init__(self, index: int) -> None:
        super().__init__(name=f"version_{index}")
        self.index = index
        self._star = Text(_("★ recommended"), tone="accent", semibold=True, wrap=False)
        head = hbox(stretch_part(self.title), align_top(self._star))
        self.body.insertLayout(0, head)
        self.title.show()
        sides = SideBySide(below=640)
        sides.add(self._build_texts(), 1)
        sides.add(self._build_figures(), 0, width=_FIGURES)
        self.body.addWidget(sides)

    def _build_texts(self) -> QWidget:
        """Return the left part of the card, without texts at first.

        From above: marked columns that are not kept, what is kept, what is lost, whether the version may be released,
        the buttons, and the state of the run.
        The buttons are stored in ``choose``, ``see`` and ``adjust``, and together in ``buttons``.
        """
        holder = QWidget()
        self._kept_text, self._lost_text = Text(""), Text("", tone="text2")
        self._not_kept = Severity("amber", "", wrap=True)
        self._outcome = Severity("passed", "", wrap=True)
        column = vbox(self._not_kept, self._kept_text, self._lost_text, self._outcome, on=holder, gap=6)
        row = hbox(gap=8)
        self.choose = Button(_("Choose"), name=f"button_choose_{self.index}")
        self.see = Button(_("See it"), name=f"button_see_{self.index}")
        self.adjust = Button(_("Adjust"), name=f"button_adjust_{self.index}", link=True)
        self.buttons = (self.choose, self.see, self.adjust)
        add_parts(row, *self.buttons)
        self._state = Text("", tone="text2", factor=0.9)
        self._state.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self._state, 1)
        add_parts(column, row, STRETCH)
        return holder

    def _build_figures(self) -> QWidget:
        """Return the right part of the card: three bars, empty at first.

        They show how well columns and pairs of columns are preserved, and which share of rows is plausible.
        """
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, 0, 0)
        theme().gaps(grid, 8, 5)
        self._figures: dict[str, tuple[WorkBar, Text]] = {}
        for row, (key, text) in enumerate(
            (("columns", _("Columns")), ("pairs", _("Pairs")), ("believable", _("Believable")))
        ):
            bar, figure = WorkBar(text), Text("", semibold=True, wrap=False)
            bar.setProperty("good", key == "believable")
            figure.setAlignment(Qt.AlignmentFlag.AlignRight)
            figure.setMinimumWidth(QFontMetrics(theme().font(semibold=True)).horizontalAdvance(percent(0.999)))
            grid.addWidget(Text(text, tone="text2", factor=0.95, wrap=False), row, 0)
            grid.addWidget(bar, row, 1)
            grid.addWidget(figure, row, 2)
            self._figures[key] = (bar, figure)
        grid.setColumnStretch(1, 1)
        grid.setRowStretch(len(self._figures), 1)
        return holder

    def show_state(self, state: CardState) -> None:
        """Show the sentences, figures, verdict and buttons of a version, and how far its run is.

        The best version has a star, and the button of the chosen one is disabled. The sentence on the outcome also says
        if no reason is needed once recipients sign an agreement, and if the last checks changed the outcome. A figure
        that is not known has an empty bar. A version that is out of date keeps its figures and verdict.
        """
        version, verdict = state.version, state.verdict
        self.set_title(state.title)
        self._star.setVisible(state.is_best)
        self._star.setToolTip(plain_tip(explain_star()))
        self._star.setAccessibleDescription(explain_star())
        restyle(self, "best", state.is_best)
        self._not_kept.set("amber", state.not_kept)
        self._not_kept.setVisible(bool(state.not_kept))
        self._kept_text.setText(str(version.kept))
        self._lost_text.setText(" ".join(map(str, filter(None, (version.lost, version.costliest)))))
        severity, sentence = describe_outcome(verdict)
        if list_checks_to_answer(verdict) and version.reasons_if_signed == 0:
            sentence = "\n".join((sentence, _("None if the recipients sign an agreement.")))
        if version.changed or decision_of(verdict) != decision_of(version.verdict):
            sentence = "\n".join((sentence, _("The last checks changed this.")))
        self._outcome.set(severity, sentence)
        reasons = str(describe_reasons(verdict)) if verdict.reasons_to_write else ""
        self._outcome.setToolTip(plain_tip(reasons))
        for key, (bar, figure) in self._figures.items():
            value = getattr(verdict.usefulness, key).value
            share = None if value is None else float(value)
            bar.show_share(share or 0.0)
            figure.setText(percent(share))
        self.choose.setText(_("Chosen") if state.is_chosen else _("Choose"))
        self.choose.set_primary(state.is_best and not state.is_chosen)
        self.choose.setEnabled(not state.is_chosen)
        for button in self.buttons:
            button.setAccessibleDescription(state.title)
        self.show_progress(state)

    def show_progress(self, state: CardState) -> None:
        """Show how far the version's run is, such as "Waiting", its progress, or why it failed.

        Without a run, or once the run's verdict is there, it is "Out of date" if the search has judged the version only
        under earlier decisions, otherwise empty.
        """
        entry = state.entry
        if entry is None or (entry.status == DONE and state.verdict is not state.version.verdict):
            text = _("Out of date") if state.is_old else ""
        elif entry.status == FAILED:
            text = entry.error
        else:
            text = describe_progress(entry) if entry.status == RUNNING else describe_status(entry, stale=False)[1]
        self._state.setText(text)
