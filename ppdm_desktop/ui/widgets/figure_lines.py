"""The list of key figures that several pages show, with values before and after."""

from __future__ import annotations

from PySide6.QtWidgets import QGridLayout

from ppdm_desktop.engine.report.figures_and_limits import NO_LIMIT
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.report.report_texts import figure_lines
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.look.accessibility import as_group, join_sentences
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.widgets.basic import Text, clear_layout
from ppdm_desktop.ui.widgets.layout import Panel


class FigureLines(Panel):
    """List of key figures: name, values before and after, and limit; long texts wrap."""

    accessible_info = as_group

    def __init__(self) -> None:
        super().__init__(name="lines_figures")
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        for column, share in enumerate((4, 4, 3)):
            self._grid.setColumnStretch(column, share)
        theme().gaps(self._grid, 12, 6)
        self.rows: list[tuple[str, str, str]] = []

    def show_verdicts(self, verdict: Verdict, original: Verdict | None) -> None:
        """Show the key figures of a release, after those of the original file where they are known.

        ``verdict`` and ``original`` are the results of attacks and checks on both; None if the original was not
        evaluated. Nothing happens if the lines are the same as before.
        """
        rows = figure_rows(verdict, original)
        if rows == self.rows:
            return
        self.rows = rows
        clear_layout(self._grid)
        heads = (_("Figure"), _("Original → release"), _("Limit"))
        for column, text in enumerate(heads):
            self._grid.addWidget(Text(text, tone="text2", semibold=True, factor=0.9), 0, column)
        for row, line in enumerate(rows, start=1):
            for column, text in enumerate(line):
                self._grid.addWidget(Text(text, semibold=column == 1), row, column)
        sentences = (
            "; ".join(f"{head}: {text}" for head, text in zip(heads, line, strict=True) if text) for line in rows
        )
        self.setAccessibleDescription(join_sentences(sentences))


def figure_rows(verdict: Verdict, original: Verdict | None) -> list[tuple[str, str, str]]:
    """Return (name, value, limit) of each key figure, as texts, in the order of the checks.

    The value is "before → after", such as "12 → 3", where ``original`` has the figure; a number is written so even if
    it did not change ("3 → 3"), other words ("does not apply") only if they did. In all other cases it is the value
    after alone. The limit is "" if there is none.
    """
    rows = []
    for line in figure_lines(verdict, original):
        is_told = line.before and (line.before != line.after or line.check.figure is not None)
        text = f"{line.before} → {line.after}" if is_told else line.after
        rows.append((line.title, text, "" if line.limit == NO_LIMIT else line.limit))
    return rows
