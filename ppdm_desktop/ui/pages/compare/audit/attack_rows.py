"""Rows of the attack audit, one for each attack: mark, sentence, figure, and details that unfold below."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QWidget

from ppdm_desktop.engine.release.attack_audit.base import find_attack
from ppdm_desktop.engine.report.charts import bar_of, bars_scene
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.report_texts import attack_figures, write_value
from ppdm_desktop.engine.report.scene.model import Role, Scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.help import topic_of
from ppdm_desktop.ui.charts.card import scene_card
from ppdm_desktop.ui.look.accessibility import as_group, as_list_item, join_label, join_sentences
from ppdm_desktop.ui.pages.compare.audit.states import (
    AttackGroup,
    AttackRow,
    facts_of,
    join_facts,
    level_headers,
    level_rows,
    term_of,
)
from ppdm_desktop.ui.pages.compare.tab_order import set_tab_order_after
from ppdm_desktop.ui.widgets.basic import Severity, Text, Together
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    Placed,
    SideBySide,
    add_parts,
    align_top,
    hbox,
    stretch_part,
    vbox,
    widget_of,
)
from ppdm_desktop.ui.widgets.tables.form_table import make_table

_LINE_IN_ROW_FROM, _LABELS_IN_ROW_FROM = 592, 460
_HEAD_WIDE, _STATE_WIDE, _LABEL_WIDE, _MARGINS = 200, 210, 200, 28


def hairline() -> QFrame:
    """Return a thin line that separates two attacks."""
    line = QFrame()
    line.setFixedHeight(1)
    line.setProperty("hairline", True)
    return line


class GroupHead(QFrame):
    """Heading above the attacks of one kind, which is the question that these attacks ask."""

    def __init__(self, group: AttackGroup) -> None:
        super().__init__()
        self.setProperty("heading", True)
        title, caption = Text(group.title, semibold=True), Text(group.caption, tone="text2", factor=0.95)
        vbox(title, caption, STRETCH, on=self, margins=(14, 12, 10, 12), gap=4)


class Details(QFrame):
    """The details of one attack: facts, bars, protection levels and exact terms."""

    accessible_info = as_group

    def __init__(self, report: Report, line: AttackRow, entry: AttackEntry) -> None:
        super().__init__()
        self.setObjectName(f"details_{line.key}")
        self.setAccessibleName(join_label(_("Details"), line.headline))
        facts = facts_of(report, line, entry)
        self.setAccessibleDescription(join_facts(facts))
        lines = vbox(gap=6)
        column = vbox(lines, on=self, gap=10)
        for fact in facts:
            side_by_side = SideBySide(below=_LABELS_IN_ROW_FROM, gap=(14, 2))
            side_by_side.add(Text(fact.label, tone="text2"), top=True, width=_LABEL_WIDE)
            side_by_side.add(Text(fact.text), top=True)
            lines.addWidget(side_by_side)
        if (scene := attack_scene(report, entry, line.headline)) is not None:
            headers = [_("What"), *(bars.name for bars in scene.bars)]
            column.addWidget(scene_card(f"attack_{line.key}", scene, headers, right=range(1, len(headers))))
        if entry.levels:
            text, rows = _("Results by protection level"), level_rows(entry, report.privacy.level_labels)
            name = f"table_attack_levels_{line.key}"
            table = make_table(level_headers(), rows, right=(1, 2, 3), name=name, label=text)
            add_parts(column, Text(text, semibold=True), table)
        column.addWidget(Text(term_of(entry), tone="text3", factor=0.85))


class AttackLine(QFrame):
    """Row of one attack; its details unfold below it."""

    accessible_info = as_list_item

    def __init__(self, report: Report, line: AttackRow) -> None:
        super().__init__()
        self._report, self._line = report, line
        self.details: Details | None = None  # made when they are first opened
        self.setObjectName(f"attack_{line.key}")
        if line.entry is not None:
            self.setProperty("topic", topic_of("attack", line.entry.id))
        self.setAccessibleName(join_sentences([line.word, line.headline, line.second]))
        row = SideBySide(below=_LINE_IN_ROW_FROM)
        self._outer = vbox(row, on=self, margins=(14, 11, 14, 11), gap=10)
        self.state = Severity(line.severity, line.word)
        row.add(self.state, top=True, width=_STATE_WIDE)
        self.headline = Text(line.headline, semibold=True)
        self.second = Text(line.second, tone="text2", factor=0.95)
        row.add(widget_of(vbox(self.headline, self.second, STRETCH, gap=3)))
        self.second.setVisible(bool(line.second))
        self.button: Button | None = None
        if line.figure or line.unit:
            row.add(self._build_row_end(line), 0)

    def _build_row_end(self, line: AttackRow) -> QWidget:
        """Return the right end of an attack's row: the large figure and, if the report has details, their button."""
        right = hbox(stretch_part(_figure_box(line)), gap=12)
        if line.entry is not None:
            self.button = Button(
                _("Details"),
                name=f"button_details_{line.key}",
                label=join_label(_("Details"), line.headline),
                checkable=True,
                clicked=self._on_details,
            )
            add_parts(right, align_top(self.button))
        return widget_of(right)

    def _on_details(self) -> None:
        """Show or hide the details of the attack; they are built when they are shown for the first time."""
        assert self.button is not None
        assert self._line.entry is not None
        is_open = self.button.isChecked()
        if self.details is None:
            self.details = Details(self._report, self._line, self._line.entry)
            self._outer.addWidget(self.details)
            set_tab_order_after(self.button, self.details)
        self.details.setVisible(is_open)
        self.button.setText(_("Close") if is_open else _("Details"))
        self.button.setAccessibleName(join_label(self.button.text(), self._line.headline))


class GroupCard(QFrame):
    """Card of all attacks of one kind: the question at the left, a row for each attack at the right."""

    accessible_info = as_group

    def __init__(self, report: Report, group: AttackGroup) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setObjectName(f"attacks_{group.key.replace('-', '_')}")
        self.setAccessibleName(join_sentences([group.title, group.caption]))
        side_by_side = SideBySide(below=_LINE_IN_ROW_FROM + _MARGINS + _HEAD_WIDE, gap=(0, 0))
        vbox(side_by_side, on=self)
        side_by_side.add(GroupHead(group), width=_HEAD_WIDE)
        lines = vbox(gap=0)
        self.lines = [AttackLine(report, line) for line in group.lines]
        for index, line in enumerate(self.lines):
            if index:
                lines.addWidget(hairline())
            lines.addWidget(line)
        lines.addStretch(1)
        side_by_side.add(widget_of(lines))


def _figure_box(line: AttackRow) -> QWidget:
    """Return the large figure of an attack with its unit, and below it the figure it is compared with, if any."""
    figure = Text(line.figure, semibold=True, factor=1.45, wrap=False)
    unit = Text(line.unit, tone="text2", factor=0.95, wrap=False)
    before = Text(line.before, tone="text2", factor=0.9, wrap=False)
    before.setAlignment(Qt.AlignmentFlag.AlignRight)
    before.setVisible(bool(line.before))
    row = hbox(STRETCH, *(Placed(text, align=Qt.AlignmentFlag.AlignBottom) for text in (figure, unit)), gap=4)
    box = Together()
    box.setObjectName(f"figure_{line.key}")
    box.setAccessibleName(" ".join(filter(None, (line.figure, line.unit, line.before))))
    vbox(row, before, STRETCH, on=box, gap=0)
    return box


_ROLES: dict[str, Role] = {"success": "released", "control": "third", "chance": "original"}


def attack_scene(report: Report, entry: AttackEntry, title: str) -> Scene | None:
    """Return a bar chart of an attack's success beside its control (success without the person's record) and chance.

    A limit is drawn as a line. None if fewer than two of these three figures were measured, or if the result is a
    count.
    """
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
        format_number=percent if is_share else partial(write_value, kind="noise"),
    )
