"""People by the size of their group, and what finding someone would reveal."""

from __future__ import annotations

from PySide6.QtCore import Signal

from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.ui.charts.card import ChartCard
from ppdm_desktop.ui.charts.drawn_view import DrawnView
from ppdm_desktop.ui.charts.parts import PartsRow, parts_scene
from ppdm_desktop.ui.models.rows_model import RowsModel
from ppdm_desktop.ui.pages.risk.logic import ClassBand, class_bands
from ppdm_desktop.ui.pages.risk.words import band_words, classes_title, confidential_sentences
from ppdm_desktop.ui.state.number_words import count
from ppdm_desktop.ui.state.session import Assessment
from ppdm_desktop.ui.widgets.basic import Card, Text
from ppdm_desktop.ui.widgets.layout import STRETCH, fill


class ClassesCard(ChartCard):
    """Bars of people by how many have the same details.

    Signals
    -------
    band_chosen
        (filter) a bar was chosen: the heatmap's filter that shows these people.
    """

    band_chosen = Signal(str)

    def __init__(self) -> None:
        text = _("People by the size of their group")
        model = RowsModel([_("People with the same details"), _("Groups"), _("People")], right=(1, 2))
        opens = _("Shows these people in the map")
        self.bars = DrawnView(name="chart_classes", words=text, opens=opens)
        super().__init__("classes", self.bars, model, words=text)
        self.setProperty("topic", "figure.group-sizes")
        # What height the card beside gives, the bars take first.
        self.body.setStretchFactor(self.bars, 20)
        self.body.addStretch(1)
        self.bars.opened.connect(self.band_chosen)

    def show_classes(self, assessment: Assessment) -> None:
        """Show the groups of an assessment."""
        bands = class_bands(assessment)
        least, title = assessment.prepared.type.k_min, classes_title(assessment)
        bars = [
            PartsRow(
                band_words(band), (band.people,), (count(band.people),), alarming=band.low < least, key=_filter_of(band)
            )
            for band in bands
        ]
        below = sum(band.low < least for band in bands)
        limit = (below, _("limit {k}", k=least)) if below < len(bands) else None
        self.set_title(title)
        self.model.set_rows([(band_words(band), count(band.classes), count(band.people)) for band in bands])
        small = _(
            "{n} {n:person|people} in {groups} {groups:group|groups} with the same details",
            groups=int(assessment.risk.judged.classes),
            n=int(assessment.risk.records),
        )
        self.set_print(small, _("Click a bar to see its people in the map."))
        self.bars.set_scene(parts_scene(title, small, bars, limit))


def _filter_of(band: ClassBand) -> str:
    """Return the heatmap's filter that shows the people of a band."""
    return "alone" if band.low == 1 else band.key


class SecretsCard(Card):
    """What finding someone would reveal, by confidential column."""

    def __init__(self) -> None:
        super().__init__(_("What finding someone would reveal"), name="card_confidential", topic="figure.same-value")
        self._words = Text("", name="label_confidential")
        fill(self.body, self._words, STRETCH)

    def show_secrets(self, assessment: Assessment) -> None:
        """Show the sentences of an assessment."""
        nothing = _("No column is marked as confidential. Only the chance of being recognised is measured.")
        self._words.setText("\n".join(confidential_sentences(assessment)) or nothing)
