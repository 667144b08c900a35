"""Noisy columns on Before and after: original, released, and what anybody can reconstruct of the distribution."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import Signal

from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.noise_reconstruction import Curve, classes_to_reconstruct
from ppdm_desktop.engine.report.curves import curves_scene
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import Name, Ratio
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.legend import scene_legend
from ppdm_desktop.ui.charts.plot import PlotView
from ppdm_desktop.ui.widgets.basic import Text
from ppdm_desktop.ui.widgets.inputs import Choice, check_box
from ppdm_desktop.ui.widgets.layout import Panel, hbox, stretched, vbox
from ppdm_desktop.ui.widgets.tables.frozen_columns_table import NamedRows

_NEAR, _MOSTLY = 0.05, 0.6
_HIGH = 250  # px at 100 %, of which sentence and names of axes take a third


def has_curves(candidate: Candidate) -> bool:
    """Say whether any released column got noise that can be reconstructed from."""
    released = set(candidate.released_names)
    return any(step.method.adds_known_noise and released & set(step.settings.columns) for step in candidate.steps)


def curve_title(curve: Curve) -> str:
    """Say what the curves show; half the sum of differences is the share of people who would have to move."""
    before, after = curve.l1_perturbed / 2, curve.l1_reconstructed / 2
    if after <= _NEAR:
        sentence = lazy(
            "{column}: a recipient can work out the distribution (difference {after}, as released {before})"
        )
    elif after <= _MOSTLY * before:
        sentence = lazy(
            "{column}: a recipient can work out most of the distribution (difference {after}, as released {before})"
        )
    else:
        sentence = lazy(
            ("{column}: a recipient can hardly work out the distribution (difference {after}, as released {before})"),
        )
    return sentence.said(column=Name(curve.column), before=Ratio(before), after=Ratio(after))


def curve_print(curve: Curve) -> str:
    """Return unit, source and method in small print."""
    how = lazy(
        "Worked out from the release and the known noise, without protection levels ({n} {n:round|rounds} of EM)."
    )
    if curve.level_known:
        how = lazy(
            "Worked out from the release, the known noise and all protection levels ({n} {n:round|rounds} of EM)."
        )
    parts = [
        _("Share of the records in each of {n} equal bands.", n=len(curve.edges) - 1),
        _(
            "Difference from the original (total variation): as released {before}, worked out {after}.",
            before=Ratio(curve.l1_perturbed / 2),
            after=Ratio(curve.l1_reconstructed / 2),
        ),
        how.said(n=curve.iterations),
    ]
    if curve.by is not None:
        parts.append(_("Each value of {column} was worked out on its own.", column=Name(curve.by)))
    if curve.beyond > 0:
        parts.append(_("{share} of the released values lie outside the chart.", share=Ratio(curve.beyond)))
    return " ".join(parts)


@dataclass(frozen=True)
class CurveChoice:
    """How curves are reconstructed: with every privacy level or without, over all records or by a column's classes."""

    level_known: bool = False
    by: str | None = None


class CurveChoices(Panel):
    """What is used to reconstruct the distributions of noisy columns.

    Signals
    -------
    chosen
        Something else is to be used.
    """

    chosen = Signal()

    def __init__(self) -> None:
        super().__init__(name="choices_curves")
        text = _("Work out the distributions")
        self.by = Choice(name="combo_curves_by", words=text, picked=self.chosen, letters=10)
        self.levels = check_box(_("with every person’s protection level"), name="check_curves_levels")
        self.levels.setToolTip(_("A recipient does not have the protection levels."))
        self.levels.toggled.connect(self.chosen)
        vbox(hbox(Text(text, tone="text2"), stretched(self.by)), self.levels, on=self)

    @property
    def choice(self) -> CurveChoice:
        """What is chosen; an empty key is over all records."""
        return CurveChoice(self.levels.isChecked(), self.by.current or None)

    def show_candidate(self, candidate: Candidate) -> None:
        """Offer what a candidate allows, and keep what was chosen where it still can be."""
        names = classes_to_reconstruct(candidate)
        offered = [("", _("over all records together"))]
        offered += [(name, _("separately for each value of {column}", column=Name(name))) for name in names]
        kept = self.by.current
        self.by.set_choices(offered, kept if kept in names else "")


class CurveCard(ChartCard):
    """One noisy column."""

    def __init__(self, curve: Curve) -> None:
        title, small = curve_title(curve), curve_print(curve)
        names = (_("original"), _("released"), _("worked out"))
        scene = curves_scene(
            title,
            small,
            title,
            curve.column,
            curve.edges.tolist(),
            curve.records,
            [
                ("original", names[0], curve.original.tolist()),
                ("released", names[1], curve.perturbed.tolist()),
                ("third", names[2], curve.reconstructed.tolist()),
            ],
        )
        chart = PlotView(name=f"chart_curve_{curve.column}", words=title, high=_HIGH)
        headers = [
            curve.column,
            _("Original"),
            _("Released"),
            _("Worked out"),
        ]
        model = NamedRows(headers, right=(1, 2, 3))
        super().__init__(f"curve_{curve.column}", chart, model, words=title)
        self.setObjectName(f"card_curve_{curve.column}")
        self.set_title(title)
        self.legend.addWidget(scene_legend(scene))
        chart.set_scene(scene)
        model.set_rows([row.cells for row in scene.rows])
        self.set_print(small)
        for note in curve.notes:
            self.body.addWidget(Text(render(note.id, note.arguments).sentence, tone="text2", factor=0.9))
        self.body.addWidget(
            Text(
                _(
                    "What to do: advise the recipient to work out shares and averages this way instead of reading them "
                    "from the noisy values. This does not work out the value of one person."
                ),
                tone="text2",
                factor=0.9,
            )
        )
