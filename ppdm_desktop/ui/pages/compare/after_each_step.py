"""Risk and usefulness after each step of a chain, from the report's own figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.methods.base.registry import step_title
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.state.number_words import count, percent
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import KeptTable, NamedRows


def after_headers() -> tuple[str, ...]:
    """Return the headings of ``table_after_steps``."""
    return (
        _("After step"),
        _("Records"),
        _("Groups"),
        _("Smallest group"),
        _("Unique"),
        _("At risk"),
        _("Changed most"),
        _("Change in totals"),
    )


def after_rows(report: Report) -> list[tuple[str, ...]]:
    """Return the original and what every step left; nothing where the report has no such figures."""
    found = [(step, step.detail["after"]) for step in report.steps if isinstance(step.detail.get("after"), Mapping)]
    if not found:
        return []
    rows = [_original(report)]
    for step, after in found:
        title = Term(step_title(step.method))
        rows.append((_("{n}  {title}", n=step.index, title=title), *_figures(after)))
    return rows


def _original(report: Report) -> tuple[str, ...]:
    block = report.risk.before.scope.quasi_identifiers
    if block is None:
        return (_("Original"), count(report.input.records), *["–"] * 6)
    entries = list(block.identifiable.values())
    identifiable = entries[0].uniquely + entries[0].collectively if len(entries) == 1 else None
    return (
        _("Original"),
        count(block.records),
        count(block.equivalence_classes),
        count(block.k),
        count(block.unique),
        _count(identifiable),
        "–",
        "–",
    )


def _figures(after: Mapping[str, Any]) -> tuple[str, ...]:
    moved, shift = after.get("moved_column"), after.get("total_variation")
    still = not shift
    return (
        _count(after.get("records")),
        _count(after.get("equivalence_classes")),
        _count(after.get("k")),
        _count(after.get("alone")),
        _count(after.get("identifiable")),
        "–" if still or moved is None else str(moved),
        percent(shift) if isinstance(shift, int | float) else "–",
    )


def _count(value: object) -> str:
    return count(value) if isinstance(value, int) else "–"


class AfterStepsCard(Card):
    """The table "After each step", with its headings in words."""

    def __init__(self, rows: list[tuple[str, ...]]) -> None:
        super().__init__(
            _("After each step"),
            _("What each step added and what it cost. The last one is the release."),
            name="card_after_steps",
        )
        model = NamedRows(after_headers(), right=(1, 2, 3, 4, 5, 7), parent=self)
        model.set_rows(rows)
        text = _("Risk and usefulness after each step")
        self.table = KeptTable(model, name="table_after_steps", words=text, least=240)
        self.body.addWidget(self.table)
        self.body.addWidget(
            Text(
                _(
                    "Groups: people with the same details others may know. Unique: nobody else has the same details. "
                    "At risk: unique, or in a group where everyone has the same confidential value. Change in totals: "
                    "in the column that changed most, since before the first step (total variation). Broader values "
                    "count as changed."
                ),
                tone="text2",
                factor=0.9,
            )
        )
        if any("–" in row[2:6] for row in rows):
            dash = Text(
                _(
                    "– (a dash): not measured. Group sizes say nothing about artificial or noisy values. Without a "
                    "column that others may know, or a confidential one, there is nothing to count. With several "
                    "confidential columns, there is no single figure for the people at risk in the original."
                ),
                tone="text2",
                factor=0.9,
                name="label_after_dash",
            )
            self.body.addWidget(dash)
