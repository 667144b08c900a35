"""Lines of the attack audit: mark, sentence, figure, and details that open below."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.compare_audit_chart import AttackCard
from ppdm_desktop.ui.pages.compare_audit_facts import (
    all_words,
    facts_of,
    level_headers,
    level_rows,
    term_of,
)
from ppdm_desktop.ui.pages.compare_audit_figures import bars_shown
from ppdm_desktop.ui.pages.compare_audit_logic import CERTAIN, AttackShown, GroupShown
from ppdm_desktop.ui.theme import theme
from ppdm_desktop.ui.widgets.basic import Severity, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.form_table import FormTable

_NARROW, _LABELS_BESIDE = 620, 460
_HEAD_WIDE, _STATE_WIDE, _FIGURE_WIDE, _LABEL_WIDE = 200, 124, 110, 170


class Hairline(QWidget):
    """A thin line between two attacks."""

    def __init__(self) -> None:
        super().__init__()
        self.setFixedHeight(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw it."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), theme().colour("line"))
        painter.end()


class GroupHead(QWidget):
    """What attacks of one kind ask, on the ground of the window."""

    def __init__(self, group: GroupShown) -> None:
        super().__init__()
        column = QVBoxLayout(self)
        column.setContentsMargins(theme().px(14), theme().px(12), theme().px(10), theme().px(12))
        column.setSpacing(theme().px(4))
        column.addWidget(Text(group.title, semibold=True))
        column.addWidget(Text(group.caption, tone="text2", factor=0.95))
        column.addStretch(1)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the ground, inside the card's outline."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme().colour("window"))
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), theme().px(7), theme().px(7))
        painter.end()


class Details(QFrame):
    """Everything there is to say of one attack: facts, bars, levels, exact terms."""

    def __init__(self, report: Report, line: AttackShown) -> None:
        super().__init__()
        self.setObjectName(f"details_{line.key}")
        self.setAccessibleName(self.tr("Details: {headline}").format(headline=line.headline))
        facts = facts_of(report, line)
        self.setAccessibleDescription(all_words(facts))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(theme().px(10))
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(theme().px(14))
        self._grid.setVerticalSpacing(theme().px(6))
        self._cells = [(Text(fact.label, tone="text2"), Text(fact.words)) for fact in facts]
        self._beside: bool | None = None
        column.addLayout(self._grid)
        entry = line.entry
        bars = bars_shown(report, entry) if entry is not None else None
        if bars is not None:
            column.addWidget(AttackCard(line.key, line.headline, bars.bars, bars.limit, bars.small, bars.scale))
        if entry is not None and entry.levels:
            model = RowsModel(level_headers(), right=(1, 2, 3, 4), parent=self)
            model.set_rows(level_rows(entry))
            words = self.tr("The attack level by level")
            column.addWidget(Text(words, semibold=True))
            column.addWidget(FormTable(model, name=f"table_attack_levels_{line.key}", words=words))
        term = term_of(CERTAIN if entry is None else entry.id)
        if entry is not None and entry.success.method:
            term = f"{term} {entry.success.method[:1].upper()}{entry.success.method[1:]}."
        column.addWidget(Text(term, tone="text3", factor=0.85))
        self._place(beside=True)
        theme().changed.connect(self._on_theme_changed)

    def _on_theme_changed(self) -> None:
        beside, self._beside = bool(self._beside), None
        self._place(beside=beside)

    def _place(self, *, beside: bool) -> None:
        """Put labels beside their words, or above where it is narrow."""
        if beside == self._beside:
            return
        self._beside = beside
        top = Qt.AlignmentFlag.AlignTop
        for row, (label, words) in enumerate(self._cells):
            self._grid.removeWidget(label)
            self._grid.removeWidget(words)
            if beside:
                label.setFixedWidth(theme().px(_LABEL_WIDE))
                self._grid.addWidget(label, row, 0, top)
                self._grid.addWidget(words, row, 1, top)
            else:
                label.setMinimumWidth(0)
                label.setMaximumWidth(16_777_215)
                self._grid.addWidget(label, 2 * row, 0, 1, 2, top)
                self._grid.addWidget(words, 2 * row + 1, 0, 1, 2, top)
        self._grid.setColumnStretch(1, 1)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the labels where there is room."""
        super().resizeEvent(event)
        self._place(beside=event.size().width() >= theme().px(_LABELS_BESIDE))


class AttackLine(QFrame):
    """One attack in a line; its details open below it."""

    def __init__(self, report: Report, line: AttackShown) -> None:
        super().__init__()
        self._report, self._line = report, line
        self._details: Details | None = None
        self.setObjectName(f"attack_{line.key}")
        self.setAccessibleName(f"{line.word}. {line.headline} {line.second}")
        self._outer = QVBoxLayout(self)
        self._outer.setContentsMargins(theme().px(14), theme().px(11), theme().px(14), theme().px(11))
        self._outer.setSpacing(theme().px(10))
        self._row = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._row.setSpacing(theme().px(12))
        self._outer.addLayout(self._row)
        self.state = Severity(line.severity, line.word)
        self._row.addWidget(self.state)
        middle = QVBoxLayout()
        middle.setSpacing(theme().px(3))
        self._row.addLayout(middle, 1)
        self.headline = Text(line.headline, semibold=True)
        middle.addWidget(self.headline)
        self.second = Text(line.second, tone="text2", factor=0.95)
        middle.addWidget(self.second)
        self.second.setVisible(bool(line.second))
        self._right = QWidget()
        right = QHBoxLayout(self._right)
        right.setContentsMargins(0, 0, 0, 0)
        right.setSpacing(theme().px(12))
        right.addWidget(self._figure_box(line), 1)
        self.button = Button(self.tr("Details"), name=f"button_details_{line.key}")
        self.button.setCheckable(True)
        self.button.setAccessibleName(self.tr("Details: {headline}").format(headline=line.headline))
        self.button.clicked.connect(self._on_details)
        right.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addWidget(self._right)
        self._wide: bool | None = None
        self._fit(wide=True)
        theme().changed.connect(self._on_theme_changed)

    def _figure_box(self, line: AttackShown) -> QWidget:
        box = QWidget()
        box.setObjectName(f"figure_{line.key}")
        said = " ".join(part for part in (line.figure, line.unit, line.before) if part)
        box.setAccessibleName(said)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        row.setSpacing(theme().px(4))
        row.addStretch(1)
        row.addWidget(Text(line.figure, semibold=True, factor=1.45, wrap=False), 0, Qt.AlignmentFlag.AlignBottom)
        unit = Text(line.unit, tone="text2", factor=0.95, wrap=False)
        row.addWidget(unit, 0, Qt.AlignmentFlag.AlignBottom)
        column.addLayout(row)
        before = Text(line.before, tone="text2", factor=0.9, wrap=False)
        before.setAlignment(Qt.AlignmentFlag.AlignRight)
        column.addWidget(before)
        before.setVisible(bool(line.before))
        column.addStretch(1)
        return box

    def _on_theme_changed(self) -> None:
        wide, self._wide = bool(self._wide), None
        self._fit(wide=wide)

    def _fit(self, *, wide: bool) -> None:
        """Put the figure beside the sentence, or below where it is narrow."""
        if wide == self._wide:
            return
        self._wide = wide
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self._row.setDirection(direction)
        self.state.setFixedWidth(theme().px(_STATE_WIDE)) if wide else self.state.setMaximumWidth(16_777_215)
        self._right.setMinimumWidth(theme().px(_FIGURE_WIDE) if wide else 0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn with the width."""
        super().resizeEvent(event)
        self._fit(wide=event.size().width() >= theme().px(_NARROW))

    @property
    def details(self) -> Details | None:
        """The details, once they were opened."""
        return self._details

    def _on_details(self) -> None:
        shown = self.button.isChecked()
        if self._details is None:
            self._details = Details(self._report, self._line)
            self._outer.addWidget(self._details)
        self._details.setVisible(shown)
        self.button.setText(self.tr("Close") if shown else self.tr("Details"))
        words = self.tr("Close details: {headline}") if shown else self.tr("Details: {headline}")
        self.button.setAccessibleName(words.format(headline=self._line.headline))


class GroupCard(QFrame):
    """Attacks of one kind: what they ask at the left, one line each at the right."""

    def __init__(self, report: Report, group: GroupShown) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setObjectName(f"attacks_{group.key.replace('-', '_')}")
        self.setAccessibleName(f"{group.title}. {group.caption}")
        self._box = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._box.setContentsMargins(0, 0, 0, 0)
        self._box.setSpacing(0)
        self._head = GroupHead(group)
        self._box.addWidget(self._head)
        lines = QVBoxLayout()
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        self.lines = [AttackLine(report, line) for line in group.lines]
        for place, line in enumerate(self.lines):
            if place:
                lines.addWidget(Hairline())
            lines.addWidget(line)
        lines.addStretch(1)
        self._box.addLayout(lines, 1)
        self._wide: bool | None = None
        self._fit(wide=True)
        theme().changed.connect(self._on_theme_changed)

    def _on_theme_changed(self) -> None:
        wide, self._wide = bool(self._wide), None
        self._fit(wide=wide)

    def _fit(self, *, wide: bool) -> None:
        """Put the head at the left, or above where it is narrow."""
        if wide == self._wide:
            return
        self._wide = wide
        direction = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        self._box.setDirection(direction)
        self._head.setMinimumWidth(theme().px(_HEAD_WIDE) if wide else 0)
        self._head.setMaximumWidth(theme().px(_HEAD_WIDE) if wide else 16_777_215)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Turn with the width."""
        super().resizeEvent(event)
        self._fit(wide=event.size().width() >= theme().px(_NARROW + _HEAD_WIDE))
