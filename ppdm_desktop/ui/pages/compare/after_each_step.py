"""Risk and usefulness after each step of a chain, from the report's own figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.ui.state.number_words import count, percent
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import KeptTable, NamedRows


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def after_headers() -> tuple[str, ...]:
    """Return the headings of ``table_after_steps``."""
    return (
        _tr("After step"),
        _tr("Records"),
        _tr("Groups"),
        _tr("Smallest"),
        _tr("Alone"),
        _tr("Identifiable"),
        _tr("Moved most"),
        _tr("Shift"),
    )


def after_rows(report: Report) -> list[tuple[str, ...]]:
    """Return the original and what every step left; nothing where the report has no such figures."""
    found = [(step, step.detail["after"]) for step in report.steps if isinstance(step.detail.get("after"), Mapping)]
    if not found:
        return []
    methods = all_methods()
    rows = [_original(report)]
    for step, after in found:
        title = methods[step.method].title if step.method in methods else step.method
        rows.append((_tr("{n}  {title}").format(n=step.index, title=title), *_figures(after)))
    return rows


def _original(report: Report) -> tuple[str, ...]:
    block = report.risk.before.scope.quasi_identifiers
    if block is None:
        return (_tr("Original"), count(report.input.records), *["–"] * 6)
    entries = list(block.identifiable.values())
    identifiable = entries[0].uniquely + entries[0].collectively if len(entries) == 1 else None
    return (
        _tr("Original"),
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
            self.tr("After each step"), self.tr("What each step added, and what it cost; the last one is the release.")
        )
        self.setObjectName("card_after_steps")
        model = NamedRows(after_headers(), right=(1, 2, 3, 4, 5, 7), parent=self)
        model.set_rows(rows)
        words = self.tr("Risk and usefulness after each step")
        self.table = KeptTable(model, name="table_after_steps", words=words, least=240)
        self.body.addWidget(self.table)
        self.body.addWidget(
            Text(
                self.tr(
                    "Groups: people who look alike in the describing columns, and how many are in the smallest group. "
                    "Alone: people nobody else looks like. Identifiable: alone, or in a group that gives the "
                    "confidential value away. Shift: how far the shares of the column that moved most are from those "
                    "before the first step (total variation); values written coarser count as moved."
                ),
                tone="text2",
                factor=0.9,
            )
        )
        if any("–" in row[2:6] for row in rows):
            dash = Text(
                self.tr(
                    "– (a dash): no figure. After made-up records or noise, counting look-alike groups says "
                    "nothing; without a describing or a confidential column there is nothing to count; the "
                    "original's identifiable people are one figure only with one confidential column."
                ),
                tone="text2",
                factor=0.9,
            )
            dash.setObjectName("label_after_dash")
            self.body.addWidget(dash)
