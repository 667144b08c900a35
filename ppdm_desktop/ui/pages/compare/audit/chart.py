"""An attack beside what to hold it against: three bars from zero with their intervals, and the limit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_desktop.engine.report.scene.model import Axis, Bars, Mark, Role, Row, Rule, Scene
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows

IN_PER_CENT = 100.0
"""The scale of shares; all others are people, or errors."""
_LEAST_SHARE = 0.05
_ROLES: dict[str, Role] = {"success": "released", "control": "original", "chance": "guess"}


@dataclass(frozen=True)
class AttackBar:
    """One bar.

    Attributes
    ----------
    kind
        ``success`` (round, filled), ``control`` (square, outlined) or ``chance`` (outline only).
    label, words, interval
        What it is, and its figure and 95 % interval in words.
    value, low, high
        Its length and the ends of the interval, in the chart's unit.
    """

    kind: str
    label: str
    words: str
    interval: str
    value: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True)
class Limit:
    """A dashed line, with the words below it, and its figure in words."""

    value: float
    words: str
    figure: str


def attack_scene(
    title: str, source: str, bars: Sequence[AttackBar], limit: Limit | None, scale: float, of: int = 0
) -> Scene:
    """Return the bars from 0 with their intervals.

    The numbers of the scale are values times ``scale``, or people of ``of``.
    """

    def only(place: int, value: object) -> tuple[Any, ...]:
        return tuple(value if n == place else None for n in range(len(bars)))

    marks: list[Mark] = []
    for place, bar in enumerate(bars):
        span = None if bar.low is None or bar.high is None else (bar.low * scale, bar.high * scale)
        marks.append(Bars(_ROLES[bar.kind], "", only(place, bar.value * scale), only(place, span), stacked=True))
    ends = [each for bar in bars for each in (bar.value, bar.high) if each is not None]
    if limit is not None:
        marks.append(Rule("limit", limit.value * scale, limit.words))
        ends.append(limit.value)
    # A little beyond every bar, interval and the limit; one person in a million does not fill the chart.
    most = max(*ends, _LEAST_SHARE if scale == IN_PER_CENT else 1e-6) * 1.08 * scale
    rows = [
        Row((bar.label, bar.words), f"{bar.label}: {bar.words}", (most / 2, place + 0.5), (most, 1.0))
        for place, bar in enumerate(bars)
    ]
    sentence = "; ".join([*(row.words for row in rows), *([limit.words] if limit is not None else [])])
    x, y = (
        Axis("", 0.0, most, percent=of > 0, of=of),
        Axis("", 0.0, float(len(bars)), names=tuple(bar.label for bar in bars)),
    )
    return Scene(title, "", source, x, y, tuple(marks), sentence, tuple(rows))


class AttackCard(ChartCard):
    """The bars of one attack, and the same as a table."""

    def __init__(
        self, key: str, title: str, bars: Sequence[AttackBar], limit: Limit | None, small: str, scale: float, of: int
    ) -> None:
        chart = DrawnView(name=f"chart_attack_{key}", words=title)
        model = NamedRows([_("What"), _("Figure"), _("95% interval")], right=(1, 2))
        super().__init__(f"attack_{key}", chart, model, words=title)
        self.setObjectName(f"card_attack_{key}")
        self.set_title(title)
        chart.set_scene(attack_scene(title, small, bars, limit, scale, of))
        rows = [(bar.label, bar.words, bar.interval) for bar in bars]
        if limit is not None:
            rows.append((limit.words, limit.figure, ""))
        model.set_rows(rows)
        self.set_print(small)
