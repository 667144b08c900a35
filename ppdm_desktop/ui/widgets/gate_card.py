"""The checks of a release on screen: those that block or need a reason, then summaries of the others."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QLineEdit, QVBoxLayout, QWidget

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import CertainDisclosure
from ppdm_desktop.engine.release.gate.checks.linkage import Linkage
from ppdm_desktop.engine.release.gate.checks.singling_out import SinglingOut
from ppdm_desktop.engine.release.gate.results import CAUSES
from ppdm_desktop.engine.report.figures_and_limits import (
    NO_LIMIT,
    describe_certain_values,
    describe_measured_figure,
    format_limit,
)
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.texts import render, render_title
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.look.accessibility import (
    AccessibleInfo,
    Role,
    as_group,
    join_label,
    join_sentences,
    reorder_for_reading,
)
from ppdm_desktop.ui.look.theme import restyle, theme
from ppdm_desktop.ui.state.gate_rows import (
    EXPLAINED,
    OPEN,
    PASSED,
    GateRow,
    ReasonRow,
    describe_release_decision,
    label_check_state,
    reason_problem,
    split_gate_rows,
)
from ppdm_desktop.ui.widgets.basic import (
    Card,
    Holder,
    IconLabel,
    Severity,
    Text,
    clear_layout,
)
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.fold import Fold
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    Panel,
    add_parts,
    align_top,
    hbox,
    retain_space,
    stretch_part,
    vbox,
    widget_of,
)
from ppdm_desktop.ui.work.chunked_work import make_timer

_AFTER_LAST_KEY_MS = 300
# Beside the state, and before the way to fix it, a check keeps room for some words.
_TEXT_WIDTH = 345
# The least width of the states, so that titles begin below each other.
_STATE = 158
# Between the state of a check and its words.
_GAP = 10


class HeadFigures(Panel):
    """The key figures of a release in a row; hidden if there are none."""

    accessible_info = as_group

    def __init__(self) -> None:
        super().__init__(name="head_figures")
        self._grid = QGridLayout(self)
        theme().space(self._grid, 0, 4, 0, 4)
        theme().gaps(self._grid, 12, 0)
        self._head_figures: tuple[HeadFigure, ...] = ()
        self.hide()

    def show_figures(self, figures: tuple[HeadFigure, ...]) -> None:
        """Show figures side by side, each with the small print beside it and its caption; hide the row without any.

        Nothing happens if these figures are shown already.
        """
        if figures == self._head_figures:
            return
        self._head_figures = figures
        clear_layout(self._grid)
        for column, figure in enumerate(figures):
            texts = (
                Text(figure.number, factor=1.45, semibold=True),
                Text(figure.comparison, tone="text2", semibold=True, factor=0.95),
                Text(figure.caption, tone="text2", factor=0.9),
            )
            for row, text in enumerate(texts):
                self._grid.addWidget(text, row, column, Qt.AlignmentFlag.AlignTop)
            self._grid.setColumnStretch(column, 1)
        self.setAccessibleName(
            join_sentences(f"{figure.number} {figure.comparison}: {figure.caption}" for figure in figures)
        )
        self.setVisible(bool(figures))


class ReasonField(QLineEdit):
    """A field for a written reason; it shows the beginning of the text when it loses the focus."""

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Move the cursor, and so the visible part, to the beginning of the text when the field loses the focus."""
        super().focusOutEvent(event)
        self.setCursorPosition(0)


class GateLine(QFrame):
    """One check of the release with its state, its sentence and a button to the page where it can be fixed.

    Signals
    -------
    fixing
        Emitted with the name of the page on which the check can be fixed, when its button is pressed.
    """

    fixing = Signal(str)

    def __init__(self, id: str) -> None:
        super().__init__()
        self.id = id
        self.setObjectName(f"gate_{id}")
        self.setProperty("topic", topic_of("check", id))
        self._row: GateRow | None = None
        self._box = hbox(on=self, margins=(0, 8, 0, 8), gap=_GAP)
        self._state = Severity("not-run", "")
        self._left = widget_of(vbox(self._state, STRETCH))
        self._box.addWidget(self._left)
        self._title = Text("", semibold=True)
        self._sentence = Text("", tone="text2")
        self._remedy = Text("")
        self._figure = Text("", tone="text3", factor=0.85)
        middle = vbox(self._title, self._sentence, self._remedy, self._figure, gap=3)
        self.fix = Button("", name=f"button_fix_{id}", link=True, clicked=self._on_fix)
        add_parts(self._box, stretch_part(middle), vbox(self.fix, STRETCH))

    def accessible_info(self) -> AccessibleInfo:
        """Return what a screen reader says: a list item with the check's title and its state in words."""
        text = join_label(self._title.text(), self._state.word)
        return AccessibleInfo(Role.ListItem, name=text)

    def clear(self) -> None:
        """Hide the line, and forget the check's state; its button does nothing until ``show_row``."""
        self._row = None
        self.hide()

    def show_row(self, row: GateRow, fix_text: str) -> None:
        """Show a check's state, title and sentence, and its remedy and figure where it has them.

        The button, labelled ``fix_text``, is visible if there is a page on which the check can be fixed. A hidden line
        stays hidden.
        """
        self._row = row
        severity, word = label_check_state(row.state)
        self._state.set(severity, word)
        self._title.setText(row.title)
        self._sentence.setText(row.sentence)
        self._remedy.show_text(row.remedy)
        self._figure.show_text(row.figure)
        self.fix.setVisible(bool(row.fixed_on))
        self.fix.setText(fix_text)
        self.fix.setAccessibleName(join_label(fix_text, row.title))

    def _on_fix(self) -> None:
        """Send the name of the page on which the check can be fixed; do nothing without a check."""
        if self._row is not None:
            self.fixing.emit(self._row.fixed_on)

    def width_of_state(self) -> int:
        """Return the width in pixels that the label of the state needs."""
        return self._state.sizeHint().width()

    def set_narrow(self, narrow: bool, state_wide: int) -> None:
        """Put the check's state above its text (``narrow``), or beside it in a column of ``state_wide`` pixels."""
        down, across = QBoxLayout.Direction.TopToBottom, QBoxLayout.Direction.LeftToRight
        self._box.setDirection(down if narrow else across)
        self._left.setMinimumWidth(0 if narrow else state_wide)
        self._left.setMaximumWidth(16_777_215 if narrow else state_wide)


class ReasonLine(QWidget):
    """The field for the written reason for one cause (findings that share a reason), below their checks.

    Signals
    -------
    reasoned
        Emitted with (cause, reason) for an acceptable or an empty reason.
    """

    reasoned = Signal(str, str)

    def __init__(self, cause: str) -> None:
        super().__init__()
        self.cause = cause
        self._row: ReasonRow | None = None
        self._stored_reason = ""
        self._box = QVBoxLayout(self)
        self._title = Text("", semibold=True)
        self.reason = ReasonField()
        self.reason.setObjectName(f"reason_{cause}")
        self.reason.setPlaceholderText(_("Write the reason"))
        self.reason.setMaxLength(2000)
        self.reason.textChanged.connect(self._on_typed)
        self.reason.editingFinished.connect(self.flush)
        self._problem = Text("", tone="amber", factor=0.9, name=f"reason_problem_{cause}")
        # It keeps its line while it is empty: what stands below does not move while the user types.
        retain_space(self._problem)
        self.confirm = Button(_("Confirm this reason"), name=f"button_confirm_{cause}", link=True)
        self.confirm.clicked.connect(self._on_confirm)
        self.confirm.hide()
        add_parts(self._box, self._title, self.reason, self._problem, self.confirm)
        self._wait = make_timer(self, _AFTER_LAST_KEY_MS, self.flush)

    def clear(self) -> None:
        """Empty and hide the line, even while the user is typing; no signal is sent."""
        self._wait.stop()
        self._row, self._stored_reason = None, ""
        with QSignalBlocker(self.reason):
            self.reason.clear()
        self._show_problem()
        self.hide()

    def show_row(self, row: ReasonRow) -> None:
        """Fill the line with the written reason for a cause (findings that share one); a hidden line stays hidden.

        The text in the field is replaced only if the stored reason changed, so that typing is not disturbed. The reason
        of an earlier release is the placeholder. A typed reason that has become acceptable meanwhile is sent after 0.3
        s.
        """
        self._row = row
        checks = row.figures.count("\n") + 1
        self._title.setText(
            _("Your reason for the {n} {n:check|checks} above: {cause}", n=checks, cause=Term(row.title))
        )
        self.reason.setPlaceholderText(
            _("Last time: {reason}", reason=Term(row.earlier)) if row.earlier else _("Write the reason")
        )
        self.reason.setAccessibleName(join_label(_("Reason"), row.title))
        self.reason.setAccessibleDescription(f"{row.figures}\n{self.reason.placeholderText()}")
        if row.reason != self._stored_reason:
            self._stored_reason = row.reason
            with QSignalBlocker(self.reason):
                self.reason.setText(row.reason)
                if not self.reason.hasFocus():
                    self.reason.setCursorPosition(0)
        self._show_problem()
        typed = self.reason.text().strip()
        if typed and typed != self._stored_reason and not self._explain_fault():
            # It did not count because another cause had nearly the same; now it does.
            self._wait.start()

    def _explain_fault(self) -> str:
        """Return why the typed reason is not acceptable; "" if it is or is empty, or if no cause is shown."""
        return "" if self._row is None else reason_problem(self.cause, self.reason.text(), self._row.others)

    def _show_problem(self) -> None:
        """Show what is wrong with the typed reason, or that an earlier reason has to be confirmed.

        The button to confirm is visible only in the latter case, and while the earlier text is unchanged and
        acceptable. An empty field is marked as wrong as well.
        """
        row = self._row
        problem = self._explain_fault()
        is_old = row is not None and bool(row.lapsed) and self.reason.text().strip() == row.reason.strip()
        self.confirm.setVisible(is_old and not problem)
        if row is not None and is_old:
            self.confirm.setAccessibleName(join_label(self.confirm.text(), row.title))
            problem = problem or row.lapsed
        self._problem.show_text(problem)
        wrong = row is not None and (bool(problem) or not self.reason.text().strip())
        restyle(self.reason, "wrong", wrong)

    def _on_typed(self, _text: str) -> None:
        """Show at once what is wrong with the typed reason, and send it 0.3 s after the last key."""
        self._show_problem()
        self._wait.start()

    def flush(self) -> None:
        """Send ``reasoned`` with the typed reason now, without the pause, or with "" if it is not acceptable.

        Nothing happens if the same was stored or sent already, or if no cause is shown.
        """
        self._wait.stop()
        text = self.reason.text().strip()
        if self._row is None or text == self._stored_reason.strip():
            return
        usable = text if text and not self._explain_fault() else ""
        if usable != self._stored_reason:
            self._stored_reason = usable
            self.reasoned.emit(self.cause, usable)

    def _on_confirm(self) -> None:
        """Send the reason in the field at once, because the user confirmed it."""
        self._wait.stop()
        self.reasoned.emit(self.cause, self.reason.text().strip())

    def set_margins(self, left: int, right: int) -> None:
        """Set the margins at left and right in pixels, to align the field with the texts of its checks."""
        theme().space(self._box, 0, 2, 0, 12, 3)
        margins = self._box.contentsMargins()
        self._box.setContentsMargins(left, margins.top(), right, margins.bottom())


class GateCard(Card):
    """Card with all checks of a release, the reasons for findings, and summaries.

    Signals
    -------
    reasoned, fixing
        Emitted with (cause, reason) for a reason that was typed, and with the page on which a check can be fixed.
    """

    reasoned = Signal(str, str)
    fixing = Signal(str)

    def __init__(self, step_titles: dict[str, str]) -> None:
        super().__init__()
        self._titles = step_titles
        self._headline = Text("", factor=1.15, semibold=True, name="label_gate")
        self._sign = IconLabel("note", "accent", 24)
        self._counts = Text("", tone="text2", factor=0.9)
        self.figures = HeadFigures()
        holder = Holder(name="list_gate", label=_("Checks"))
        self._list = vbox(on=holder, gap=0)
        add_parts(
            self.body, hbox(align_top(self._sign), stretch_part(self._headline)), self._counts, self.figures, holder
        )
        self.passed = Fold("fold_checks_passed", "passed", "passed")
        self.on_agreement = Fold("fold_on_agreement", "lock", "accent")
        self.lost = Fold("fold_recipient_loses", "note", "accent")
        self._useful = Text("", tone="text2", name="label_useful")
        self._useful.setProperty("topic", "figure.useful")
        self.lost.body.addWidget(self._useful)
        self.lines: dict[str, GateLine] = {}
        self.reasons: dict[str, ReasonLine] = {}
        self._order: list[GateLine | ReasonLine] = []
        # Made before what follows on the page, so that Tab comes here first.
        for id in all_checks():
            self._add_line(id).hide()
        for cause in CAUSES:
            line = self.reasons[cause] = ReasonLine(cause)
            line.reasoned.connect(self.reasoned)
            self._list.addWidget(line)
            line.hide()
        add_parts(self.body, self.passed, self.on_agreement, self.lost)
        theme().changed.connect(self._align_lines)

    def clear(self) -> None:
        """Remove the headline, hide the lines of all checks and reasons, and fold the passed checks.

        This also removes a reason that the user is typing, without sending it.
        """
        self.passed.set_open(False)
        self._headline.setMinimumHeight(0)
        self._headline.setText("")
        self._counts.setText("")
        for check in self.lines.values():
            check.clear()
        for reason in self.reasons.values():
            reason.clear()

    def _order_lines(self, rows: Sequence[GateRow]) -> list[GateLine | ReasonLine]:
        """Return the lines in order: the checks, and each reason's field after the last check that it answers.

        In ``rows``, checks with the same cause and state have to follow each other.
        """
        order: list[GateLine | ReasonLine] = []
        for row, following in itertools.zip_longest(rows, rows[1:]):
            order.append(self.lines[row.id])
            is_last = following is None or (following.cause, following.state) != (row.cause, row.state)
            if row.state in (OPEN, EXPLAINED) and is_last:
                order.append(self.reasons[row.cause])
        return order

    def show_rows(
        self,
        rows: Sequence[GateRow],
        reasons: Sequence[ReasonRow],
        verdict: Verdict,
        original: Verdict | None = None,
    ) -> None:
        """Show the decision and the checks of a release, and the key figures before and after.

        ``original`` is the verdict on the original file, None if unknown. Checks that block or need a reason are listed
        with the fields for their reasons. Passed checks, those that rely on the recipients' agreement, and what
        recipients lose are summarised in one line each, which unfolds. Widgets of earlier calls are reused.
        """
        text, severity = describe_release_decision(verdict, rows)
        if self._headline.isVisible():
            # Shorter words keep the room: what stands below does not move while reasons are written.
            self._headline.setMinimumHeight(self._headline.height())
        self._headline.setText(text)
        self._headline.set_tone(severity)
        self._sign.set_severity(severity)
        who = render(RELEASE_TYPES[verdict.type].who).sentence
        with choose_counted_unit(rows=verdict.counts_rows):
            # A check that has not passed says it below.
            certain = describe_certain_values(verdict) if verdict.check(CertainDisclosure.id).status == "green" else []
            lines = [_("For {who}. {residual}", who=Term(who), residual=Term(" ".join(map(str, certain)))).rstrip()]
        if reasons:
            lines.append(_("Your reasons are kept in the internal report, with your name."))
        self._counts.setText("\n".join(lines))
        self.figures.show_figures(head_figures(verdict, original))
        shown_remedies = set[str]()
        for row in rows:
            line = self.lines.get(row.id) or self._add_line(row.id)
            # A remedy that stands above is not repeated.
            remedy = "" if row.remedy in shown_remedies else row.remedy
            shown_remedies.add(row.remedy)
            line.show_row(replace(row, remedy=remedy), _("Go to {page}", page=Term(self._titles.get(row.fixed_on, ""))))
        for reason in reasons:
            self.reasons[reason.cause].show_row(reason)
        to_do, agreed, passed = split_gate_rows(rows)
        order = self._order_lines(to_do)
        for fold, folded in ((self.on_agreement, agreed), (self.passed, passed)):
            order += [self.lines[row.id] for row in folded]
            fold.setVisible(bool(folded))
        for widget in (*self.lines.values(), *self.reasons.values()):
            widget.setVisible(widget in order)
        if order != self._order:
            self._order = order
            folds = {id(self.lines[row.id]): self.passed for row in passed}
            folds |= {id(self.lines[row.id]): self.on_agreement for row in agreed}
            self._put_in_order(order, folds)
        self._show_folded_summaries(agreed, passed, verdict)
        self._align_lines()

    def _put_in_order(self, order: Sequence[GateLine | ReasonLine], folds: Mapping[int, Fold]) -> None:
        """Insert each line at its position in its fold, or in the list of open checks.

        ``folds`` has the fold by ``id()`` of the line, without those in the list. The Tab key goes through the list in
        this order.
        """
        places: dict[int, int] = {}
        for widget in order:
            fold = folds.get(id(widget))
            layout = self._list if fold is None else fold.body
            index = places.get(id(layout), 0)
            places[id(layout)] = index + 1
            layout.insertWidget(index, widget)
            if isinstance(widget, GateLine):
                restyle(widget, "line", index > 0)
        for layout in (self._list, self.on_agreement.body, self.passed.body):
            reorder_for_reading(layout)
        _set_tab_order([widget for widget in order if id(widget) not in folds])

    def _show_folded_summaries(self, agreed: Sequence[GateRow], passed: Sequence[GateRow], verdict: Verdict) -> None:
        """Set the labels of the folded parts: checks passed, findings relying on the agreement, what recipients lose.

        Checks that do not apply are in the list of passed ones, but are not counted.
        """
        count = sum(row.state == PASSED for row in passed)
        self.passed.set_label(_("{n} {n:check|checks} passed", n=count), "")
        self.on_agreement.set_label(
            _("{n} {n:finding relies|findings rely} on the agreement", n=len(agreed)),
            agreed[0].sentence if agreed else "",
        )
        lost = verdict.usefulness.lost
        self.lost.set_label(_("What the recipient loses"), "" if lost is None else str(lost))
        self._useful.setText(verdict.usefulness.figures_sentence)
        self.lost.setVisible(bool(verdict.usefulness.summary))

    def _add_line(self, id: str) -> GateLine:
        """Add a line for the check with this id at the end of the list, and return it."""
        line = GateLine(id)
        line.fixing.connect(self.fixing)
        self.lines[id] = line
        self._list.addWidget(line)
        return line

    def flush(self) -> None:
        """Send every reason that is being typed."""
        for line in self.reasons.values():
            line.flush()

    def _align_lines(self) -> None:
        """Give all lines equal widths of state and button, so that their texts begin and end at the same positions.

        If the card is too narrow for that, the states go above the texts.
        """
        lines = [line for line in self._order if isinstance(line, GateLine)]
        state_wide = max(theme().px(_STATE), *(line.width_of_state() for line in lines), 0)
        widest = max((line.fix.sizeHint().width() for line in self.lines.values() if line.fix.text()), default=0)
        narrow = self.width() < state_wide + theme().px(_TEXT_WIDTH) + widest
        for line in self.lines.values():
            line.set_narrow(narrow, state_wide)
            line.fix.setMinimumWidth(0 if narrow else widest)
        gap = theme().px(_GAP)
        for reason in self.reasons.values():
            reason.set_margins(0 if narrow else state_wide + gap, 0 if narrow else widest + gap)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Align the lines, and recompute the height of the headline if the width changed."""
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._headline.setMinimumHeight(0)
        self._align_lines()


def _set_tab_order(lines: Sequence[GateLine | ReasonLine]) -> None:
    """Let the Tab key go through the buttons and fields of these lines in their order."""
    chain: list[QWidget] = []
    for line in lines:
        chain += [line.fix] if isinstance(line, GateLine) else [line.reason, line.confirm]
    for first, second in itertools.pairwise(chain):
        QWidget.setTabOrder(first, second)


@dataclass(frozen=True)
class HeadFigure:
    """One key figure: the number, the comparison in small print beside it, and a caption that says what it counts."""

    number: str
    comparison: str
    caption: str


def head_figures(verdict: Verdict, original: Verdict | None) -> tuple[HeadFigure, ...]:
    """Return the key figures that are known: people picked out, people an intruder finds, and rows that break a rule.

    If rules were not measured (the file has none), the third is the usefulness of the release in per
    cent. Figures that were not measured are left out, so there are 0 to 3. If the verdict on the original is given, the
    first figure also has the share before.
    """
    numbers = numbers_of(language())
    figures = []
    if verdict.singled_out is not None:
        before = original.singled_out if original is not None else None
        was = "" if before is None else _("was {share}", share=Term(numbers.full(*before)))
        caption = render_title(SinglingOut.figure_title)
        figures.append(HeadFigure(numbers.count(verdict.singled_out[0]), was, caption))
    match = Scorecard(verdict).judged("match")
    if match.figure is not None and match.figure.value is not None:
        label = format_limit(match)
        limit = "" if label == NO_LIMIT else _("limit {limit}", limit=Term(label))
        # A count alone needs its base beside it; the words for a figure with a limit hold it.
        is_count = match.status == "not-applicable" and match.hits is not None
        number = numbers.count(match.hits or 0) if is_count else describe_measured_figure(match)
        comparison = _("of {n}", n=match.of or verdict.people) if is_count else limit
        figures.append(HeadFigure(number, comparison, render_title(Linkage.figure_title)))
    believable = verdict.usefulness.believable
    if believable.value is not None:
        rows = believable.n or verdict.rows_released
        broken = rows - round(believable.value * rows)
        text = _("of {n}", n=rows)
        figures.append(HeadFigure(numbers.count(broken), text, _("rows that break a rule of the file")))
    elif verdict.usefulness.useful.value is not None:
        useful = numbers.percent(verdict.usefulness.useful.value)
        figures.append(HeadFigure(useful, "", _("useful, of what the original is good for")))
    return tuple(figures)
