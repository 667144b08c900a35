"""Lines of the attack audit: mark, sentence, figure, and details that open below."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.bars import bar_of, bars_scene
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.report_words import attack_figures
from ppdm_desktop.engine.report.scene.model import Role, Scene
from ppdm_desktop.engine.report.written_figures import write_value
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.look.spoken import as_group, as_list_item, in_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.audit.states import (
    AttackShown,
    GroupShown,
    all_words,
    facts_of,
    level_headers,
    level_rows,
    term_of,
)
from ppdm_desktop.ui.pages.compare.tab_order import reach_after
from ppdm_desktop.ui.widgets.basic import Severity, Text, Together
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.side_by_side import SideBySide
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import KeptTable, NamedRows

_LINE_BESIDE, _LABELS_BESIDE = 592, 460
_HEAD_WIDE, _STATE_WIDE, _LABEL_WIDE, _MARGINS = 200, 176, 200, 28


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
        theme().space(column, 14, 12, 10, 12, 4)
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

    spoken = as_group

    def __init__(self, report: Report, line: AttackShown, entry: AttackEntry) -> None:
        super().__init__()
        self.setObjectName(f"details_{line.key}")
        self.setAccessibleName(_("Details: {headline}", headline=Term(line.headline)))
        facts = facts_of(report, line, entry)
        self.setAccessibleDescription(all_words(facts))
        column = QVBoxLayout(self)
        theme().space(column, 0, 0, 0, 0, 10)
        lines = QVBoxLayout()
        theme().space(lines, 0, 0, 0, 0, 6)
        for fact in facts:
            side_by_side = SideBySide(below=_LABELS_BESIDE, gap=(14, 2))
            side_by_side.add(Text(fact.label, tone="text2"), top=True, width=_LABEL_WIDE)
            side_by_side.add(Text(fact.words), top=True)
            lines.addWidget(side_by_side)
        column.addLayout(lines)
        if (scene := attack_scene(report, entry, line.headline)) is not None:
            column.addWidget(AttackCard(line.key, scene))
        if entry.levels:
            model = NamedRows(level_headers(), right=(1, 2, 3), parent=self)
            model.set_rows(level_rows(entry, report.privacy.said))
            text = _("Results by protection level")
            column.addWidget(Text(text, semibold=True))
            column.addWidget(KeptTable(model, name=f"table_attack_levels_{line.key}", words=text))
        column.addWidget(Text(term_of(entry), tone="text3", factor=0.85))


class AttackLine(QFrame):
    """One attack in a line; its details open below it."""

    spoken = as_list_item

    def __init__(self, report: Report, line: AttackShown) -> None:
        super().__init__()
        self._report, self._line = report, line
        self._details: Details | None = None
        self.setObjectName(f"attack_{line.key}")
        if line.entry is not None:
            self.setProperty("topic", topic_of("attack", line.entry.id))
        self.setAccessibleName(in_sentences([line.word, line.headline, line.second]))
        self._outer = QVBoxLayout(self)
        theme().space(self._outer, 14, 11, 14, 11, 10)
        row = SideBySide(below=_LINE_BESIDE)
        self._outer.addWidget(row)
        self.state = Severity(line.severity, line.word)
        row.add(self.state, width=_STATE_WIDE)
        words = QWidget()
        middle = QVBoxLayout(words)
        theme().space(middle, 0, 0, 0, 0, 3)
        row.add(words)
        self.headline = Text(line.headline, semibold=True)
        middle.addWidget(self.headline)
        self.second = Text(line.second, tone="text2", factor=0.95)
        middle.addWidget(self.second)
        middle.addStretch(1)
        self.second.setVisible(bool(line.second))
        self.button: Button | None = None
        if line.figure or line.unit:
            row.add(self._end(line), 0)

    def _end(self, line: AttackShown) -> QWidget:
        end = QWidget()
        right = QHBoxLayout(end)
        theme().space(right, 0, 0, 0, 0, 12)
        right.addWidget(self._figure_box(line), 1)
        if line.entry is None:
            return end
        self.button = Button(_("Details"), name=f"button_details_{line.key}")
        self.button.setCheckable(True)
        self.button.setAccessibleName(_("Details: {headline}", headline=Term(line.headline)))
        self.button.clicked.connect(self._on_details)
        right.addWidget(self.button, 0, Qt.AlignmentFlag.AlignTop)
        return end

    def _figure_box(self, line: AttackShown) -> QWidget:
        box = Together()
        box.setObjectName(f"figure_{line.key}")
        said = " ".join(part for part in (line.figure, line.unit, line.before) if part)
        box.setAccessibleName(said)
        column = QVBoxLayout(box)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        row = QHBoxLayout()
        theme().space(row, 0, 0, 0, 0, 4)
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

    @property
    def details(self) -> Details | None:
        """The details, once they were opened."""
        return self._details

    def _on_details(self) -> None:
        assert self.button is not None
        assert self._line.entry is not None
        shown = self.button.isChecked()
        if self._details is None:
            self._details = Details(self._report, self._line, self._line.entry)
            self._outer.addWidget(self._details)
            reach_after(self.button, self._details)
        self._details.setVisible(shown)
        self.button.setText(_("Close") if shown else _("Details"))
        headline = Term(self._line.headline)
        if shown:
            self.button.setAccessibleName(_("Close details: {headline}", headline=headline))
        else:
            self.button.setAccessibleName(_("Details: {headline}", headline=headline))


class GroupCard(QFrame):
    """Attacks of one kind: what they ask at the left, one line each at the right."""

    spoken = as_group

    def __init__(self, report: Report, group: GroupShown) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setObjectName(f"attacks_{group.key.replace('-', '_')}")
        self.setAccessibleName(in_sentences([group.title, group.caption]))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(0, 0, 0, 0)
        side_by_side = SideBySide(below=_LINE_BESIDE + _MARGINS + _HEAD_WIDE, gap=(0, 0))
        outer.addWidget(side_by_side)
        side_by_side.add(GroupHead(group), width=_HEAD_WIDE)
        attacks = QWidget()
        lines = QVBoxLayout(attacks)
        lines.setContentsMargins(0, 0, 0, 0)
        lines.setSpacing(0)
        self.lines = [AttackLine(report, line) for line in group.lines]
        for place, line in enumerate(self.lines):
            if place:
                lines.addWidget(Hairline())
            lines.addWidget(line)
        lines.addStretch(1)
        side_by_side.add(attacks)


_ROLES: dict[str, Role] = {"success": "released", "control": "third", "chance": "original"}


def attack_scene(report: Report, entry: AttackEntry, title: str) -> Scene | None:
    """Return the bars of success, control and chance with the limit; None where fewer than two were measured."""
    attack = find_attack(entry.id)
    rows = [row for row in attack_figures(entry) if row.key in _ROLES and row.figure.value is not None]
    if attack.unit == "count" or len(rows) < 2:
        return None
    limit, is_share = attack.limit(entry, report), entry.success.unit == "share"
    return bars_scene(
        title,
        _("Thin lines: 95% interval.") if any(row.figure.low is not None for row in rows) else "",
        [_("Share of people") if is_share else _("Error")],
        [(_ROLES[row.key], row.label, [bar_of(row.figure)]) for row in rows],
        limits=[] if limit is None else [(_("limit"), limit)],
        shown=percent if is_share else partial(write_value, kind="noise"),
    )


class AttackCard(ChartCard):
    """The bars of one attack, and the same as a table."""

    def __init__(self, key: str, scene: Scene) -> None:
        chart = DrawnView(name=f"chart_attack_{key}", words=scene.title)
        model = NamedRows([_("What"), *(bars.name for bars in scene.bars)], right=range(1, len(scene.bars) + 1))
        super().__init__(f"attack_{key}", chart, model, words=scene.title)
        self.setObjectName(f"card_attack_{key}")
        self.set_title(scene.title)
        chart.set_scene(scene)
        model.set_rows([row.cells for row in scene.rows])
        self.set_print(scene.source)
