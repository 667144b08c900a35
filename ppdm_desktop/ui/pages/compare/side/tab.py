"""Tab "Side by side": a row for each figure, a column for each version; differences are marked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.release.evaluate.scorecard import RISKS, USES
from ppdm_desktop.engine.report.model import AttackEntry, Report
from ppdm_desktop.engine.report.report_words import attack_figures, write_value
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render_kept
from ppdm_desktop.engine.wording.values import Term
from ppdm_desktop.ui.pages.compare.audit.states import WORKS, state_of, state_word
from ppdm_desktop.ui.pages.compare.criteria import name_criterion
from ppdm_desktop.ui.pages.compare.scorecards import Placed
from ppdm_desktop.ui.state.finished_candidates import require_evaluation
from ppdm_desktop.ui.state.level_words import level_words
from ppdm_desktop.ui.state.number_words import format_rounded_count, percent
from ppdm_desktop.ui.widgets.basic import Card, Text, clear_layout
from ppdm_desktop.ui.widgets.layout import add_parts, vbox
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import KeptTable, NamedRows

DIFFERS, BEST = "≠", "✓"


@dataclass(frozen=True)
class SideRow:
    """One figure of every candidate.

    Attributes
    ----------
    name
        Label of the figure.
    cells
        The figure as text, one for each candidate.
    ranks
        Numbers by which candidates are ranked: lower is better, NaN if not measured; empty if there is no order.
    poor
        Columns with a problem: an attack that works, a check that blocks.
    """

    name: str
    cells: tuple[str, ...]
    ranks: tuple[float, ...] = ()
    poor: tuple[bool, ...] = ()

    @property
    def differs(self) -> bool:
        """Whether the candidates differ in this figure."""
        return len(set(self.cells)) > 1

    @property
    def best(self) -> frozenset[int]:
        """Indices of the cells of lowest rank, and of those with the same text; NaN ranks are not compared.

        Empty if all measured cells have the same text.
        """
        ranked = {index: rank for index, rank in enumerate(self.ranks) if not math.isnan(rank)}
        least = min(ranked.values(), default=0.0)
        best_cells = {self.cells[index] for index, rank in ranked.items() if rank == least}
        if {self.cells[index] for index in ranked} == best_cells:
            return frozenset()
        return frozenset(index for index in ranked if self.cells[index] in best_cells)


def side_rows(placed: Sequence[Placed]) -> list[SideRow]:
    """Return all figures of the candidates as rows of a table: one cell for each candidate.

    Risks come first, then levels, attacks, usefulness, removed rows, checks that block, and reasons to write.
    """
    reports = [require_evaluation(candidate.entry).report for candidate in placed]
    rows = [_risk_row(placed, name) for name in RISKS]
    rows.append(_levels_row(placed, reports))
    rows += _attack_rows(reports)
    rows += [_use_row(placed, name) for name in USES]
    removed = [report.verdict.rows - report.verdict.rows_released for report in reports]
    rows.append(SideRow(_("Rows removed"), tuple(map(format_rounded_count, removed)), tuple(map(float, removed))))
    blocked = [candidate.scorecard.blocked for candidate in placed]
    poor = tuple(number > 0 for number in blocked)
    rows.append(
        SideRow(
            _("Checks that stop the release"),
            tuple(map(format_rounded_count, blocked)),
            tuple(map(float, blocked)),
            poor,
        )
    )
    reasons = [candidate.scorecard.reasons for candidate in placed]
    rows.append(SideRow(_("Reasons to write"), tuple(map(format_rounded_count, reasons)), tuple(map(float, reasons))))
    return rows


def _risk_row(placed: Sequence[Placed], name: str) -> SideRow:
    """Return the risk ``name`` of each candidate, by the upper end of its interval, as a row of the table.

    Lower is better; a cell is poor if the check that judges this risk blocks.
    """
    values = tuple(candidate.scorecard.upper(name) for candidate in placed)
    beyond = tuple(candidate.scorecard.judged(name).status == "red" for candidate in placed)
    cells = tuple(candidate.scorecard.words(name) for candidate in placed)
    return SideRow(name_criterion(name), cells, values, beyond)


def _use_row(placed: Sequence[Placed], name: str) -> SideRow:
    """Return the usefulness ``name`` of each candidate as a row of the table; higher is better."""
    values = tuple(candidate.scorecard.value(name) for candidate in placed)
    cells = tuple(percent(value) for value in values)
    return SideRow(name_criterion(name), cells, tuple(-value for value in values))


def _levels_row(placed: Sequence[Placed], reports: Sequence[Report]) -> SideRow:
    """Return the row on protection levels: everyone has theirs, or how many people do not and which levels are missed.

    Versions are ranked by these people; for some of them the cell is marked as poor.
    """
    cells = []
    for candidate, report in zip(placed, reports, strict=True):
        if candidate.scorecard.levels_met:
            cells.append(_("everyone has theirs"))
            continue
        missed = dict.fromkeys(
            level_words(proof.level, report.privacy.said) for proof in report.verdict.levels if not proof.met
        )
        lack = _("{n} {n:person does|people do} not have theirs", n=candidate.scorecard.levels_short or 0)
        cells.append(f"{lack} ({', '.join(missed)})" if missed else lack)
    short = tuple(float(candidate.scorecard.levels_short or 0) for candidate in placed)
    return SideRow(_("Protection levels"), tuple(cells), short, tuple(n > 0 for n in short))


def _attack_rows(reports: Sequence[Report]) -> list[SideRow]:
    """Return a row for every attack that was made on at least one candidate, told apart by attack, column and title."""
    every = [
        {(attack.id, attack.column, _find_attack_title(attack)): attack for attack in report.verdict.attacks or ()}
        for report in reports
    ]
    keys = dict.fromkeys(key for attacks in every for key in attacks)
    rows = []
    for key in keys:
        results = [attacks.get(key) for attacks in every]
        cells = tuple(_format_attack_result(entry) for entry in results)
        values = tuple(_choose_ranking_figure(entry) for entry in results)
        poor = tuple(entry is not None and state_of(entry) == WORKS for entry in results)
        rows.append(SideRow(_("Attack: {title}", title=Term(key[2])), cells, values, poor))
    return rows


def _choose_ranking_figure(entry: AttackEntry | None) -> float:
    """Return the figure by which attacks are ranked, lower is better; NaN if not made or measured.

    It is the success or, where success is an error (noise), its negative.
    """
    if entry is None or entry.success.value is None:
        return math.nan
    value = float(entry.success.value)
    return value if entry.success.unit == "share" else -value


def _find_attack_title(entry: AttackEntry) -> str:
    """Return the title of an attack in the present language."""
    return render_kept(entry.sentence.id, entry.sentence.arguments).title


def _format_attack_result(entry: AttackEntry | None) -> str:
    """Return the result of an attack as a table cell, "does not apply" for None."""
    if entry is None:
        return _("does not apply")
    word, figure = state_word(state_of(entry)), attack_figures(entry)[0]
    if figure.figure.value is None:
        return word
    return f"{word}, {write_value(float(figure.figure.value), figure.kind, figure.figure.n or 0)}"


class SideCard(Card):
    """Table of all finished versions side by side."""

    def __init__(self) -> None:
        super().__init__(_("Side by side"), name="card_side")
        self._tables = vbox()
        text = _(
            "{differs}: the versions differ. {best}: best of these. Risks are given by the upper end of their 95% "
            "interval.",
            differs=Term(DIFFERS),
            best=Term(BEST),
        )
        add_parts(self.body, self._tables, Text(text, tone="text3", factor=0.85))
        self._shown: tuple[tuple[str, ...], list[SideRow]] | None = None
        self.hide()

    def show_placed(self, placed: Sequence[Placed]) -> None:
        """Show finished versions; the card is hidden for fewer than two. The same table is not built again."""
        self.setVisible(len(placed) > 1)
        shown = tuple(candidate.entry.shown for candidate in placed), side_rows(placed) if len(placed) > 1 else []
        if shown == self._shown:
            return
        self._shown = shown
        clear_layout(self._tables)
        if not shown[1]:
            return
        model = NamedRows((_("Figure"), *shown[0]))
        lines, amber = [], []
        for number, row in enumerate(shown[1]):
            cells = (f"{cell} {BEST}" if index in row.best else cell for index, cell in enumerate(row.cells))
            lines.append((f"{DIFFERS} {row.name}" if row.differs else row.name, *cells))
            amber += [(number, index + 1) for index, poor in enumerate(row.poor) if poor]
        table = KeptTable(model, name="table_side", label=_("Versions side by side"), most_rows=30)
        model.setParent(table)
        model.set_rows(lines, amber=amber)
        self._tables.addWidget(table)
