"""An attack beside what to hold it against: its bars with their intervals, and the limit."""

from __future__ import annotations

from ppdm_desktop.engine.release.attack_audit.registry import find_attack
from ppdm_desktop.engine.report.bars import bar_of, bars_scene
from ppdm_desktop.engine.report.charts import times_noise
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.report_words import attack_figures
from ppdm_desktop.engine.report.scene.model import Role, Scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows

_ROLES: dict[str, Role] = {"success": "released", "control": "third", "chance": "original"}


def attack_scene(report: Report, entry: AttackEntry, title: str) -> Scene | None:
    """Return the bars of success, control and chance with the limit; None where fewer than two were measured."""
    attack = find_attack(entry.id)
    rows = [row for row in attack_figures(entry) if row.key in _ROLES and row.figure.value is not None]
    if attack.unit == "count" or len(rows) < 2:
        return None
    limit = attack.limit(entry, report)
    return bars_scene(
        title,
        _("Thin lines: 95% interval.") if any(row.figure.low is not None for row in rows) else "",
        [title],
        [(_ROLES[row.key], row.label, [bar_of(row.figure)]) for row in rows],
        limits=[] if limit is None else [(_("limit"), limit)],
        shown=percent if entry.success.unit == "share" else times_noise,
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
