"""Cards of the tab "Distributions": a column before and after, what each step did, and columns with noise."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QGridLayout

from ppdm_desktop.engine.methods.base.declaration import figure_lines, find_step_method, step_title
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.noise_reconstruction import classes_to_reconstruct
from ppdm_desktop.engine.report.certificate import proof_cells
from ppdm_desktop.engine.report.charts import Bar, bars_scene
from ppdm_desktop.engine.report.charts_usefulness import Curve, reconstruction_chart
from ppdm_desktop.engine.report.model import LevelProofEntry, StepEntry
from ppdm_desktop.engine.report.model import Sentence as SentenceEntry
from ppdm_desktop.engine.report.report_texts import RECOUNTED_FROM, coarseness_figures, first_demand
from ppdm_desktop.engine.report.scene.model import Role
from ppdm_desktop.engine.report.scene.shares import format_share_of
from ppdm_desktop.engine.report.setting_texts import step_settings
from ppdm_desktop.engine.wording.catalogue import _, find_translation, language, numbers_of
from ppdm_desktop.engine.wording.texts import LevelLabels, render, render_stored
from ppdm_desktop.engine.wording.values import Name, Term, format_sentence_value
from ppdm_desktop.ui.charts.card import ChartCard, scene_card
from ppdm_desktop.ui.charts.numbers import change_header, format_change
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.compare.charts.logic import Before
from ppdm_desktop.ui.state.level_texts import label_level
from ppdm_desktop.ui.state.number_texts import format_rounded_count
from ppdm_desktop.ui.widgets.basic import Card, Severity, Text
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.layout import FitsOnResize, Panel, add_parts, hbox, stretch_part, vbox
from ppdm_desktop.ui.widgets.tables.form_table import make_table


def proof_headers() -> tuple[str, ...]:
    """Return the headings of the table that proves a step's guarantee for each protection level."""
    names = _("Protection level"), _("Column"), _("People")
    return (*names, _("Promised"), _("Reached"), _("Kept", "promise"))


def proof_rows(step: StepEntry, proofs: Sequence[LevelProofEntry], level_labels: LevelLabels) -> list[tuple[str, ...]]:
    """Return one table row for each proof of a step: level, column, people, promised, reached, and whether it holds.

    Parameters
    ----------
    step
        The step as reported.
    proofs
        Its proofs, one for each level and column.
    level_labels
        The words that the file uses for levels, by level.
    """
    demand = first_demand(step)
    return [(label_level(proof.level, level_labels), proof.column, *proof_cells(proof, demand)) for proof in proofs]


def describe_step_settings(step: StepEntry, level_labels: LevelLabels) -> str:
    """Return the columns and settings of a step as one text: "age, income · k: 5 · ...".

    ``level_labels`` has the words that the file uses for privacy levels, by level. Where privacy levels or the program
    decided a value, it is the one that was used; a setting without effect says so. "" without columns and settings.
    """
    settings = [
        _("{name}: {value}", name=Term(setting.label), value=Term(setting.text))
        for setting in step_settings(step, find_step_method(step.method), level_labels)
    ]
    return " · ".join(filter(None, (", ".join(step.columns), *settings)))


def describe_guarantee(step: StepEntry) -> str:
    """Return what a step guarantees, if the report says so, and from what the guarantee was counted again."""
    # The report keeps what was promised in English, in any language of the window.
    promised = find_translation(step.promise) or step.promise if step.promise else ""
    return f"{promised} {RECOUNTED_FROM[step.guarantee.kind]}".strip()


def render_sentence(note: SentenceEntry) -> str:
    """Return a sentence of the report as text, followed by its remedy if there is one."""
    text = render_stored(note.id, note.arguments)
    return f"{text.sentence} {text.window}".strip()


Lines = list[tuple[str, str]]


def detail_lines(step: str, detail: Mapping[str, Any]) -> Lines:
    """Return (label, figure) texts for the figures of a step.

    Of a method that the program does not know, only single figures are listed, with their keys, written as words, as
    labels. Group sizes that were asked for and used come first, figures on the coarseness of values last, if the step
    has them.

    Parameters
    ----------
    step
        The method's name in the report.
    detail
        The step's figures by key, as the report stores them.
    """
    method = find_step_method(step)
    rest = {key: value for key, value in detail.items() if key not in ("asked", "used")}
    numbers = numbers_of(language())
    lines = [
        (
            f"{line.column}: {line.label}" if line.column else str(line.label),
            format_sentence_value(line.figure, numbers, "full"),
        )
        for line in (figure_lines(rest, {}) if method is None else method.figure_lines(rest))
    ]
    if "asked" in detail:
        lines = [
            (_("Smallest group asked for"), format_rounded_count(detail["asked"])),
            (_("Smallest group used"), format_rounded_count(detail["used"])),
            *lines,
        ]
    coarseness = detail.get("coarseness")
    if not isinstance(coarseness, Mapping):
        return lines
    return lines + [(row.label, row.text) for row in coarseness_figures(coarseness)]


@dataclass(frozen=True)
class SizeBand:
    """Groups of ``low`` to ``high`` records (None: no upper end), and the protection levels that require ``low``."""

    low: int
    high: int | None
    groups: int
    records: int
    levels: tuple[str, ...]
    level_labels: LevelLabels = field(default_factory=dict)

    @property
    def label(self) -> str:
        """The band's label, such as "3 to 4 · High" or "≥ 10".

        It has the group sizes of the band, and the levels that require its lowest size.
        """
        if self.high is None:
            text = f"≥ {format_rounded_count(self.low)}"
        elif self.high == self.low:
            text = format_rounded_count(self.low)
        else:
            text = _("{low} to {high}", low=self.low, high=self.high)
        named = ", ".join(label_level(level, self.level_labels) for level in self.levels)
        return f"{text} · {named}" if named else text


def size_bands(
    detail: Mapping[str, Any], proofs: Sequence[LevelProofEntry], level_labels: LevelLabels | None = None
) -> list[SizeBand]:
    """Return bands of group sizes, each with its numbers of groups and records; empty if the step made no groups.

    A new band begins at each size that a level requires: 3, 5 and 10 give 3–4, 5–9 and 10 or more. If a group is
    smaller, or no size is required, the first band begins at the smallest group. Bands ascend; one may have no groups.

    Parameters
    ----------
    detail
        The step's figures; "sizes" lists group sizes with numbers of groups and records.
    proofs
        Proofs of the step, which have the required sizes.
    level_labels
        The words that the file uses for levels, by level.
    """
    sizes = detail.get("sizes")
    if not isinstance(sizes, list) or not sizes:
        return []
    asked = _levels_by_size(proofs)
    least = min(int(entry["size"]) for entry in sizes)
    starts = sorted({*asked, least} if not asked or least < min(asked) else set(asked))
    bands = []
    for low, following in zip(starts, [*starts[1:], None], strict=True):
        inside = [entry for entry in sizes if low <= entry["size"] and (following is None or entry["size"] < following)]
        bands.append(
            SizeBand(
                low,
                following - 1 if following is not None else None,
                sum(int(entry["groups"]) for entry in inside),
                sum(int(entry["records"]) for entry in inside),
                tuple(asked.get(low, ())),
                level_labels or {},
            )
        )
    return bands


def _levels_by_size(proofs: Sequence[LevelProofEntry]) -> dict[int, dict[str, None]]:
    """Return, by required group size, the levels that require it: dict keys in the order of the proofs, values None.

    Proofs without a required size are left out.
    """
    levels: dict[int, dict[str, None]] = {}
    for proof in proofs:
        if proof.demanded is not None:
            levels.setdefault(round(proof.demanded), {})[proof.level] = None
    return levels


def size_title(detail: Mapping[str, Any]) -> str:
    """Return a sentence with the size of the smallest group; ``detail`` are a step's figures with group sizes."""
    least = min(int(entry["size"]) for entry in detail["sizes"])
    return _("The smallest group has {k} {k:record|records}", k=least)


def group_sizes_card(index: int, detail: Mapping[str, Any], bands: Sequence[SizeBand]) -> ChartCard:
    """Return the card with the bar chart of records by size of their group, and a table that has groups and records.

    Bands below the lowest required size are alarming, with a line at this size; without a required size no band is.
    ``index`` is the number of the step, for the name of the card.
    """
    below = sum(not band.levels for band in bands)
    bars, rows = [], []
    for position, band in enumerate(bands):
        figures = (_("{n} {n:group|groups}", n=band.groups), format_rounded_count(band.records))
        bars.append(PartsRow(band.label, (band.records,), figures, alarming=position < below < len(bands)))
        rows.append((band.label, format_rounded_count(band.groups), format_rounded_count(band.records)))
    limit = (below, _("lowest requirement")) if 0 < below < len(bands) else None
    small = _(
        "Records by the size of their group. Each line starts at the group size that a protection level "
        "requires. The evidence below shows for each level whether its groups are large enough."
    )
    scene = parts_scene(size_title(detail), small, bars, limit)
    headers = [_("Records in a group"), _("Groups"), _("Records")]
    topic = "figure.group-sizes"
    return scene_card(f"group_sizes_{index}", scene, headers, right=(1, 2), rows=rows, topic=topic)


def marginal_card(chart: Before, name: str) -> ChartCard:
    """Return the card of one column: its distribution before and after, or how wide its released ranges are.

    The widths are shown where the chart has them, for columns released as various ranges. The card also has the
    judgement and, if there is one, what to do. ``name`` is the name of the candidate.
    """
    rows = None
    if chart.spans:
        of = chart.records[1]
        spans = [PartsRow(text, (share,), (format_share_of(share, of),), alarming=False) for text, share in chart.spans]
        scene = parts_scene(chart.title, chart.small, spans)
        headers = [_("Values in a released range"), _("People")]
    else:
        before, after = (
            [Bar(share, of=of) for share in shares]
            for shares, of in zip((chart.before, chart.after), chart.records, strict=True)
        )
        drawn: list[tuple[Role, str, list[Bar]]] = [("original", _("original"), before), ("released", name, after)]
        scene = bars_scene(chart.title, chart.small, chart.labels, drawn)
        headers = [chart.name, _("Original"), name, change_header(*chart.records)]
        shares = zip(scene.rows, chart.before, chart.after, strict=True)
        rows = [(*row.cells, format_change(first, second, *chart.records)) for row, first, second in shares]
    topic, right = "figure.totals", range(1, len(headers))
    card = scene_card(f"marginal_{chart.name}", scene, headers, right=right, rows=rows, topic=topic)
    card.body.insertWidget(0, Severity(chart.severity, chart.word))
    if chart.remedy:
        card.body.addWidget(Text(chart.remedy, tone="text2", factor=0.9))
    return card


class StepCard(FitsOnResize, Card):
    """Card on what one step did: settings, guarantee and whether it holds, figures, notes, group sizes, and proofs.

    Group sizes are a chart, if the step made groups; proofs are a table by level and column, if there are any.
    """

    def __init__(self, step: StepEntry, proofs: Sequence[LevelProofEntry], level_labels: LevelLabels) -> None:
        title = _("Step {n:place}: {method}", n=step.index, method=Term(step_title(step.method)))
        super().__init__(
            title, describe_step_settings(step, level_labels), name=f"card_step_{step.index}", topic="figure.levels"
        )
        word = _("Promise kept") if step.guarantee.holds else _("Promise not kept")
        add_parts(
            self.body, Severity("passed" if step.guarantee.holds else "blocks", word), Text(describe_guarantee(step))
        )
        self._grid = QGridLayout()
        self._grid.setColumnStretch(1, 1)
        if lines := detail_lines(step.method, step.detail):
            for row, (text, figure) in enumerate(lines):
                self._grid.addWidget(Text(text, tone="text2"), row, 0)
                self._grid.addWidget(Text(figure), row, 1)
            self._adapt_to_size()
            theme().changed.connect(self._adapt_to_size)
            self.body.addLayout(self._grid)
        for note in dict.fromkeys(map(render_sentence, step.notes)):
            self.body.addWidget(Text(f"•  {note}", tone="text2", factor=0.95))
        if bands := size_bands(step.detail, proofs, level_labels):
            self.body.addWidget(group_sizes_card(step.index, step.detail, bands))
        if proofs:
            table = make_table(
                proof_headers(),
                proof_rows(step, proofs, level_labels),
                right=(2, 3, 4),
                name=f"table_proof_{step.index}",
                label=title,
                stretch=5,
            )
            table.setTextElideMode(Qt.TextElideMode.ElideMiddle)
            add_parts(self.body, Text(_("Proof for each level"), semibold=True), table)

    def _adapt_to_size(self) -> None:
        """Give the labels a width of 285 px (at 100 % text size), but at most half of the card."""
        theme().gaps(self._grid, 14, 2)
        self._grid.setColumnMinimumWidth(0, min(theme().px(285), self.width() // 2))


def has_curves(candidate: Candidate) -> bool:
    """Return whether any released column has noise from which its distribution can be reconstructed."""
    released = set(candidate.released_names)
    return any(step.method.adds_known_noise and released & set(step.settings.columns) for step in candidate.steps)


@dataclass(frozen=True)
class CurveChoice:
    """How distributions are reconstructed: by protection level or not, for everybody or by the values of a column."""

    level_known: bool = False
    by: str | None = None


class CurveChoices(Panel):
    """Controls by which the user chooses how the distributions of columns with noise are reconstructed.

    Signals
    -------
    chosen
        The choice changed.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__(name="choices_curves")
        text = _("Work out the distributions")
        self.by = Choice(name="combo_curves_by", label=text, picked=self.chosen, letters=10)
        self.levels = check_box(_("with every person’s protection level"), name="check_curves_levels")
        self.levels.setToolTip(_("A recipient does not have the protection levels."))
        self.levels.toggled.connect(self.chosen)
        vbox(hbox(Text(text, tone="text2"), stretch_part(self.by)), self.levels, on=self)

    @property
    def choice(self) -> CurveChoice:
        """The present choice: by levels or not, and by which column; None stands for everybody together."""
        return CurveChoice(self.levels.isChecked(), self.by.current or None)

    def show_candidate(self, candidate: Candidate) -> None:
        """Offer to reconstruct distributions over all records, or for each value of a column that the candidate allows.

        The present choice is kept if it is still offered, else it is over all records. Whether levels are used stays as
        it is; ``chosen`` is not sent.
        """
        names = classes_to_reconstruct(candidate)
        offered = [("", _("over all records together"))]
        offered += [(name, _("separately for each value of {column}", column=Name(name))) for name in names]
        kept = self.by.current
        self.by.set_choices(offered, kept if kept in names else "")


def curve_card(curve: Curve) -> ChartCard:
    """Return the card of a column with noise: its original, released and reconstructed distribution, as in the report.

    The reconstruction is an estimate of the distribution before the noise; notes on it stand below the chart.
    """
    (scene,) = reconstruction_chart(curve)
    headers = [curve.column, _("Original"), _("Released"), _("Worked out")]
    card = scene_card(f"curve_{curve.column}", scene, headers, right=(1, 2, 3))
    for note in curve.notes:
        card.body.addWidget(Text(render(note.id, note.arguments).sentence, tone="text2", factor=0.9))
    return card
