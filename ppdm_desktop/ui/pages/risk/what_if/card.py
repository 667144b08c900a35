"""Card that lists what leaving out or generalising each column would do to the risk, and measures ticked changes."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.identifiability.what_if import LEFT_OUT, Change, WhatIf
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy
from ppdm_desktop.engine.wording.values import Ratio
from ppdm_desktop.ui.look.tips import plain_tip
from ppdm_desktop.ui.page import Context
from ppdm_desktop.ui.pages.risk.logic import assess_with_changes, list_quasi_columns
from ppdm_desktop.ui.pages.risk.what_if.logic import (
    can_be_generalised,
    compute_decrease,
    is_compared_by_unique,
    version_steps,
)
from ppdm_desktop.ui.pages.risk.what_if.row import ChangeRow
from ppdm_desktop.ui.state.number_texts import shorten_common_prefix
from ppdm_desktop.ui.state.session import Assessment
from ppdm_desktop.ui.widgets.basic import Card, Text, clear_layout
from ppdm_desktop.ui.widgets.batch_visibility import lay_out_once
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import STRETCH, Flow, add_parts, vbox
from ppdm_desktop.ui.work.tasks import TaskOutcome

WHAT_IF_JOB = "what-if"
_FIRST = 10
_WIDEST = 5  # the longest texts of a list: one of them is the widest


class WhatIfCard(Card):
    """Card with possible changes, most helpful first, and the joint effect of the ticked changes.

    Signals
    -------
    previewed
        There is another previewed assessment (``would_be``), or none.
    used
        The user wants a version with the ticked changes, which is one decision.
    """

    previewed = Signal()
    used = Signal()

    def __init__(self, context: Context) -> None:
        super().__init__(_("What would help?"), name="list_whatif")
        self._context = context
        self.rows: list[ChangeRow] = []
        self._what_if: WhatIf | None = None
        self._original: Assessment | None = None
        self.would_be: Assessment | None = None
        self._instead = ""
        self._quiet = False
        self._wait = Text(_("These figures are being worked out."), tone="text2", name="label_whatif_wait")
        self._list = vbox(gap=4)
        self.all_of_them = Button("", name="button_whatif_all", link=True, clicked=self._on_all)
        self.together = Text("", name="label_whatif")
        self.use = Button(_("Make a version of them"), name="button_use_whatif", clicked=self._on_use)
        self.back = Button(_("Clear selection"), name="button_untick_whatif", link=True, clicked=self.untick)
        self._acts = Flow(self.use, self.back)
        add_parts(self.body, self._wait, self._list, self.all_of_them, self.together, self._acts, STRETCH)
        self.show_changes(None)

    def show_original(self, original: Assessment | None) -> None:
        """Forget the previewed change and stop measuring it, because another original (or none) is shown.

        ``previewed`` is not sent. Nothing happens if ``original`` is the same object as before.
        """
        if original is self._original:
            return
        self._context.runner.cancel(WHAT_IF_JOB)
        self._original, self.would_be, self._instead = original, None, ""

    @lay_out_once
    def show_changes(self, what_if: WhatIf | None) -> None:
        """List for each column of the original how much its changes would help, and show the effect of ticked changes.

        ``what_if`` is None while this is being computed. Nothing is built again for the same changes, so that ticks
        stay; other changes begin without ticks, for which nothing is measured.
        """
        self._wait.setVisible(what_if is None)
        if what_if is None or what_if is not self._what_if:
            self._what_if = what_if
            clear_layout(self._list)
            self.rows = []
            self.all_of_them.hide()
            if what_if is None or self._original is None:
                self.set_title(_("What would help?"), "")
            else:
                self._build_rows(what_if, self._original)
        self._show_effect()

    def _build_rows(self, what_if: WhatIf, original: Assessment) -> None:
        """Build a row for each column with a slider for its changes; the column whose removal helps most comes first.

        A column that may not be generalised can only be left out. The first ten rows are visible; a button shows the
        others.
        """
        by_unique = is_compared_by_unique(what_if)
        now = int(what_if.before.unique_people) if by_unique else Ratio(what_if.before.prosecutor_mean)
        self.set_title(_("What would help?"), _choose_caption(by_unique=by_unique).format(now=now))
        columns = original.prepared.recipe.columns
        order = [change.column for change, _ in what_if.ranked() if change.way == LEFT_OUT]
        names = dict(zip(order, shorten_common_prefix(order), strict=True))
        last: QWidget = self.all_of_them
        for index, name in enumerate(order):
            changes = what_if.of_column(name)
            if not can_be_generalised(columns.get(name) or columns.get("*")):
                changes = changes[:1]
            row = ChangeRow(index, changes, what_if.before, by_unique=by_unique, name=names[name])
            row.changed.connect(self._on_ticked)
            self._list.addWidget(row)
            for widget in (row.box, row.slider):
                if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:  # the order must not hang on what takes no focus
                    QWidget.setTabOrder(last, widget)
                    last = widget
            row.setVisible(index < _FIRST)
            self.rows.append(row)
        figures = sorted({text for row in self.rows for text in row.figures}, key=len)[-_WIDEST:]
        percents = {text for row in self.rows for text in row.percents}
        for row in self.rows:
            row.line_up(figures, sorted(percents, key=len)[-_WIDEST:])
        if last is not self.all_of_them:
            QWidget.setTabOrder(last, self.all_of_them)
        self.all_of_them.setText(_("Show all {n} columns", n=len(self.rows)))
        self.all_of_them.setVisible(len(self.rows) > _FIRST)

    def chosen(self) -> list[Change]:
        """Return the ticked changes, in the order of the list."""
        return [row.change for row in self.rows if row.box.isChecked()]

    def untick(self) -> None:
        """Untick all changes, which shows the original again; nothing if no change is ticked."""
        if not self.chosen():
            return
        self._quiet = True
        for row in self.rows:
            row.box.setChecked(False)
        self._quiet = False
        self._on_ticked()

    @lay_out_once
    def _show_effect(self) -> None:
        """Show the joint effect of the ticked changes or, while it is unknown, why.

        The button that uses the changes is disabled while their effect is unknown or the figures are out of date.
        """
        chosen, changes, would_be = self.chosen(), self._what_if, self.would_be
        text, why_not = self._instead, self._explain_refusal()
        if would_be is not None and changes is not None and chosen:
            text = self._describe_combined_effect(changes, would_be, len(chosen))
        self.together.setText(text)
        self.together.setVisible(bool(text))
        self._acts.setVisible(bool(chosen))
        self.use.setEnabled(would_be is not None and not why_not)
        self.use.setToolTip(plain_tip(why_not))
        self.use.setAccessibleDescription(why_not)

    def _describe_combined_effect(self, what_if: WhatIf, would_be: Assessment, changes: int) -> str:
        """Return a sentence on how many people stay unique after the ticked changes, and how many per cent fewer.

        If nobody is unique now, the sentence has the average probability of being found, then and now. ``changes`` is
        the number of ticked changes, for singular or plural.
        """
        if not is_compared_by_unique(what_if):
            return _(
                "{k:With this change|With these changes}, a person is found with a chance of {match} on average, "
                "now {now}.",
                k=changes,
                match=Ratio(would_be.risk.judged.prosecutor_mean),
                now=Ratio(what_if.before.prosecutor_mean),
            )
        left = int(would_be.risk.unique_people)
        return _(
            "{k:With this change|With these changes}, {n} {n:person|people} would be unique ({share} fewer).",
            k=changes,
            n=left,
            share=Ratio(compute_decrease(what_if.before.unique_people, left)),
        )

    # --- measuring the ticked changes -----------------------------------------------------

    def _explain_refusal(self) -> str:
        """Return why the ticked changes cannot be used now (the figures are out of date), "" if they can."""
        if self._original is None or self._context.session.is_stale(self._original.basis):
            return _("Out of date: decisions changed")
        return ""

    def _on_ticked(self) -> None:
        """Measure the risk with the ticked changes in the background; nothing before the original's risk is measured.

        If nothing is ticked, the original is shown instead. It is shown, too, if all quasi-identifiers would be left
        out, with the reason why nothing is measured. Nothing happens while all changes are being unticked.
        """
        original, chosen = self._original, self.chosen()
        if original is None or self._quiet:
            return
        self._context.runner.cancel(WHAT_IF_JOB)
        self._instead = ""
        left = {change.column for change in chosen if change.way == LEFT_OUT}
        if not chosen or len(left) == len(list_quasi_columns(original)):
            if chosen:
                self._instead = _("Keep at least one of these columns. Without all of them, nothing can be measured.")
            self._set_changed_risk(None)
            return
        self._context.runner.start(WHAT_IF_JOB, partial(assess_with_changes, original, chosen), self._on_measured)

    def _on_measured(self, outcome: TaskOutcome) -> None:
        """Show the risk with the ticked changes that was measured.

        If measuring failed, the original and the reason are shown. After a cancellation the present figures stay; if
        changes are ticked, a text says that the measurement was stopped, unless another reason is shown already.
        """
        if outcome.ok:
            self._set_changed_risk(outcome.result)
        elif not outcome.cancelled:
            self._instead = outcome.message
            self._set_changed_risk(None)
        elif self.chosen() and not self._instead:
            # Stopped by hand: what is on the page is what was there before the last tick.
            self._instead = _("Stopped. Nothing of this run is kept.")
            self._show_effect()

    def _set_changed_risk(self, would_be: Assessment | None) -> None:
        """Store the risk with the ticked changes (None: none is previewed), and send ``previewed`` if it is new.

        If it is the same object as before, only the text on the joint effect of the changes is shown again.
        """
        if would_be is self.would_be:
            self._show_effect()
            return
        self.would_be = would_be
        self.previewed.emit()

    def _on_use(self) -> None:
        """Store the wish for a version with the ticked changes as a decision, untick them, and send ``used``.

        Nothing happens without a ticked change or if the figures are out of date.
        """
        chosen = self.chosen()
        if not chosen or self._explain_refusal():
            return
        self.untick()
        self._context.session.decide(wanted=version_steps(chosen))
        self.used.emit()

    def _on_all(self) -> None:
        """Show the rows of all columns, hide the button for this, and put the focus on the first new row."""
        for row in self.rows:
            row.show()
        self.all_of_them.hide()
        self.rows[_FIRST].box.setFocus()


def _choose_caption(*, by_unique: bool) -> Sentence:
    """Return the sentence on what the list of changes counts; the caller fills in the present figure ``now``.

    ``by_unique`` tells whether changes are compared by unique people, otherwise by the average risk.
    """
    if not by_unique:
        return lazy(
            "Nobody is unique. Average chance of being found after one change (now {now}). Tick several to "
            "combine them."
        )
    return lazy(
        "Unique people after one change (now {now}). The slider sets how broad the values are. Tick several to "
        "combine them."
    )
