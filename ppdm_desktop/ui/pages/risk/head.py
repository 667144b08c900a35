"""Head of the page Risk: the headline with its limit, the source of the limits, and the gauges with their texts."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QSize
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QWidget

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.measures.assess import describe_second_measure
from ppdm_desktop.engine.report.model import OutsideEntry
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.texts import render
from ppdm_desktop.engine.wording.values import LimitOf, Ratio, Term
from ppdm_desktop.ui.charts.gauge import Gauge, GaugeFace
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.pages.risk.counts import Counted
from ppdm_desktop.ui.pages.risk.give_level_card import MoreButton, find_headline_people
from ppdm_desktop.ui.pages.risk.texts import describe_limit, headline, make_number_writer, share_of
from ppdm_desktop.ui.state.session import Assessment, Session
from ppdm_desktop.ui.widgets.basic import Card, IconLabel, Text
from ppdm_desktop.ui.widgets.buttons import Button
from ppdm_desktop.ui.widgets.layout import (
    STRETCH,
    FitsOnResize,
    SideBySide,
    add_parts,
    align_top,
    hbox,
    stretch_part,
    vbox,
    widget_of,
)
from ppdm_desktop.ui.widgets.release_type_card import describe_release_type


def build_gauge_faces(
    assessment: Assessment, original: Assessment | None = None, outside: OutsideEntry | None = None
) -> list[GaugeFace]:
    """Return the contents of the five gauges of the risk.

    In this order: unique people; people whose group has a single confidential value; average probability that an
    intruder finds a person; share found by linking a list of exactly the people in the file; risk from an intruder who
    does not know who is in the file.

    Parameters
    ----------
    assessment
        Risk assessment to show.
    original
        Assessment of the original if the first is that of a previewed change; its figures appear in the small print
        of the gauges that are measured.
    outside
        Risk among all people outside the file; None if unknown.
    """
    made = [
        make(assessment)
        for make in (build_unique_gauge, build_collective_gauge, build_match_gauge, build_marketer_gauge)
    ]
    made.append(build_journalist_gauge(outside))
    if original is None:
        return made
    now = build_gauge_faces(original)
    return [
        replace(face, small=f"{_('now {figure}', figure=Term(before.figure))} · {face.small}")
        if face.share is not None
        else face
        for face, before in zip(made, now, strict=True)
    ]


def build_unique_gauge(assessment: Assessment) -> GaugeFace:
    """Return the gauge of the number of unique people, which should be 0; any other number blocks.

    The small print says how many of them have a confidential value and, if there are any, how many have none. Without
    a confidential column all count as having one.
    """
    risk, document = assessment.risk, assessment.document
    small = _(
        "{n} of {total} · uniquely identifiable", n=int(document["uniquely_identifiable"]), total=int(risk.records)
    )
    if without := int(risk.unique_people - document["uniquely_identifiable"]):
        small += " · " + _("{n} more without a confidential value", n=without)
    return _make_count_gauge(risk.unique_people, risk.records, _("Unique: nobody else has the same details"), small)


def _make_count_gauge(count: int, records: int, sentence: str, small: str) -> GaugeFace:
    """Return the gauge of a number of people whose target is 0: it looks passed at 0, else blocking.

    Its figure is the share of all people: "3 of 7" below 100 people, else a percentage.

    Parameters
    ----------
    count, records
        The number, and the number of all people.
    sentence, small
        What it means, and small print.
    """
    return GaugeFace(
        figure=make_number_writer().share(count, records),
        sentence=sentence,
        share=share_of(count, records),
        limit=0.0,
        limit_text=_("target 0"),
        severity="blocks" if count else "passed",
        word=_("Above the limit") if count else _("Within the limit"),
        small=small,
    )


def build_collective_gauge(assessment: Assessment) -> GaugeFace:
    """Return the gauge of people in groups with a single confidential value, whose number should be 0.

    Without a confidential column it says "not measured". If everyone is unique, there are no groups; then 0 does not
    count as passed.
    """
    document = assessment.document
    together = document["collectively_identifiable"]
    if together is None:
        return GaugeFace(
            figure=make_number_writer().none(cell=True),
            sentence=_("No column is marked as confidential. Only the chance of being recognised is measured."),
            share=None,
            limit=None,
            limit_text="",
            severity="not-run",
            word=_("Not measured"),
            small=_("collectively identifiable"),
        )
    small = _(
        "{n} in {groups} {groups:group|groups} · collectively identifiable",
        n=int(together),
        groups=int(document["collective_groups"]),
    )
    sentence = _("In a group where everyone has the same confidential value")
    face = _make_count_gauge(together, assessment.risk.records, sentence, small)
    if assessment.risk.unique_people < assessment.risk.records:
        return face
    return replace(face, severity="not-run", word=_("No groups: everyone is unique"))


def build_match_gauge(assessment: Assessment) -> GaugeFace:
    """Return the gauge of the average probability that an intruder who knows a person's quasi-identifiers finds them.

    It blocks above the limit 1 / k of the release type: above 0.2 for k = 5. The small print has the probability for
    the person most at risk.
    """
    worst = Ratio(assessment.risk.judged.prosecutor_max)
    small = _("average prosecutor risk · person most at risk: {worst}", worst=worst)
    return _make_mean_gauge(assessment, _("Found by someone who knows their details"), small)


def _make_mean_gauge(assessment: Assessment, sentence: str, small: str) -> GaugeFace:
    """Return the gauge of the average prosecutor risk, which blocks above the limit 1 / k of the release type.

    For k = 5 a risk of 0.2 is within the limit. ``sentence`` and ``small`` are what it means, and small print.
    """
    risk, limit = assessment.risk.judged.prosecutor_mean, 1 / assessment.prepared.type.k_min
    figure, _unused = make_number_writer().versus(risk, limit)
    return GaugeFace(
        figure=figure,
        sentence=sentence,
        share=risk,
        limit=limit,
        limit_text=_("limit {limit}", limit=LimitOf(risk, limit)),
        severity="blocks" if risk > limit else "passed",
        word=_("Above the limit") if risk > limit else _("Within the limit"),
        small=small,
    )


def build_marketer_gauge(assessment: Assessment) -> GaugeFace:
    """Return the gauge of the share of people whom an intruder finds by linking a list of people with the file.

    The list has exactly the people in the file. Figure and limit are those of the gauge of the average probability that
    an intruder finds a person. The small print has the expected number of people found.
    """
    risk = assessment.risk
    small = _(
        "about {n} of {total} · marketer risk, for a list of exactly the people in this file",
        n=round(risk.judged.prosecutor_mean * risk.records),
        total=int(risk.records),
    )
    return _make_mean_gauge(assessment, _("Found by linking a whole list of people with the file"), small)


def build_journalist_gauge(outside: OutsideEntry | None) -> GaugeFace:
    """Return the gauge of the average probability that an intruder who does not know who is in the file finds a person.

    No limit applies. The small print has the probability for the person most at risk. Without figures from a table of
    the population the gauge says "not measured".
    """
    kmap = None if outside is None else outside.kmap
    small = _("needs a table of the whole population · journalist risk")
    if kmap is not None:
        small = _("average journalist risk · person most at risk: {worst}", worst=Ratio(kmap.journalist_max))
    return GaugeFace(
        figure=make_number_writer().none(cell=True)
        if kmap is None
        else make_number_writer().percent(kmap.journalist_mean),
        sentence=_("Found by someone who does not know who is in the file"),
        share=None if kmap is None else kmap.journalist_mean,
        limit=None,
        limit_text="",
        severity="not-run",
        word=_("Not measured") if kmap is None else _("No limit applies"),
        small=small,
    )


_TOPICS = {
    "alone": "figure.unique",
    "collective": "figure.same-value",
    "match": "figure.found",
    "marketer": "figure.linked-list",
    "journalist": "figure.not-known",
}
GAUGES = tuple(_TOPICS)
_GAUGE = 180  # least width at 100 %


class HeadPart(QWidget):
    """Head with headline, gauges, and the source of the limits."""

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        top = SideBySide(below=760)
        top.add(self._build_headline(), 1)
        self.more = MoreButton(name="button_more_headline")
        top.add(widget_of(hbox(self.more, STRETCH)), 0, top=True)
        self.limits = LimitsCard()
        whole = vbox(top, self.limits, on=self, gap=12)
        self.source.toggled.connect(self.limits.setVisible)
        self.gauges = [Gauge(name=f"gauge_{name}") for name in GAUGES]
        for gauge, topic in zip(self.gauges, _TOPICS.values(), strict=True):
            gauge.setProperty("topic", topic)
        self._row = GaugeRow(self.gauges)
        whole.addWidget(self._row)

    def _build_headline(self) -> QWidget:
        """Return the line of the headline: icon, headline, its basis, and the button for the source of the limits.

        A note below the basis is hidden at first.
        """
        self._icon = IconLabel("blocks", "blocks", 24)
        self.headline = Text("", factor=1.15, semibold=True, name="label_headline")
        self.judged = Text("", tone="text2", factor=0.9, name="label_judged")
        self.comparison = Text("", tone="text2", factor=0.9, name="label_beside")
        self.comparison.hide()
        text = _("Where does this limit come from?")
        self.source = Button(text, name="button_limit_source", link=True, checkable=True)
        column = vbox(self.headline, self.judged, self.comparison, hbox(self.source, STRETCH), gap=2)
        return widget_of(hbox(align_top(self._icon), stretch_part(column), gap=12))

    def forget(self) -> None:
        """Hide the source of the limits."""
        self.source.setChecked(False)

    def show_figures(self, counted: Counted, original: Counted, outside: OutsideEntry | None) -> None:
        """Show headline and gauges of the original or of a previewed change.

        For a preview the headline begins with "With these changes", the gauges also show the present figures, and no
        higher protection level is offered.

        Parameters
        ----------
        counted
            Figures to show.
        original
            Figures of the original.
        outside
            Risk among all people outside the file, shown for the original only; None if unknown.
        """
        assessment, is_original = counted.assessment, counted is original
        sentence, judged, severity = headline(assessment, original.changes if is_original else None)
        self._icon.set_severity(severity)
        self.headline.setText(sentence if is_original else _("With these changes: {sentence}", sentence=Term(sentence)))
        self.judged.setText(judged)
        note = " ".join(describe_second_measure(assessment.document))
        self.comparison.setText(note)
        self.comparison.setVisible(bool(note))
        self.more.offer(self._session, find_headline_people(assessment) if is_original else None)
        now = None if is_original else original.assessment
        for gauge, face in zip(
            self.gauges, build_gauge_faces(assessment, now, outside if is_original else None), strict=True
        ):
            gauge.show_face(face)
        self.limits.show_type(assessment)


class LimitsCard(Card):
    """The limits of every release type with their sources."""

    def __init__(self) -> None:
        super().__init__(
            _("Where does this limit come from?"),
            _("No law prescribes a number."),
            name="card_limits_of_types",
        )
        self._limits: dict[str, Text] = {}
        for id, kind in RELEASE_TYPES.items():
            limit = Text("", semibold=True, name=f"limit_{id}")
            self._limits[id] = limit
            add_parts(self.body, limit, Text(render(kind.threshold_source).sentence, tone="text2", factor=0.9))
        self.hide()

    def show_type(self, assessment: Assessment) -> None:
        """Show the limit of every release type, with the present one marked."""
        for id, label in self._limits.items():
            kind = RELEASE_TYPES[id]
            text = f"{describe_release_type(id)[0]}. {describe_limit(kind.k_min)}"
            is_present = id == assessment.prepared.type.id
            label.setText(f"✓ {text}" if is_present else text)
            label.set_tone("accent" if is_present else "text")


class GaugeRow(FitsOnResize, QWidget):
    """Row of gauges that wraps into as few lines as its width allows."""

    def __init__(self, gauges: list[Gauge]) -> None:
        super().__init__()
        self._gauges = gauges
        self._across = 0
        for gauge in gauges:
            # Else the longest sentence of a line gets more of the width than the others.
            policy = gauge.sizePolicy()
            policy.setHorizontalPolicy(QSizePolicy.Policy.Ignored)
            gauge.setSizePolicy(policy)
        self._grid = QGridLayout(self)
        theme().space(self._grid, 0, 0, 0, 0, 12)
        theme().changed.connect(self._adapt_to_size)
        self._adapt_to_size()

    def _adapt_to_size(self) -> None:
        """Arrange the gauges in as few lines as possible, with about the same number in each.

        Five gauges are arranged as 3 and 2, not as 4 and 1.
        """
        gap = theme().px(12)
        least = max(theme().px(_GAUGE), *(gauge.minimumSizeHint().width() for gauge in self._gauges))
        fitting = max((self.width() + gap) // (least + gap), 1)
        lines = -(-len(self._gauges) // min(fitting, len(self._gauges)))
        across = -(-len(self._gauges) // lines)
        if across != self._across:
            self._across = across
            for index, gauge in enumerate(self._gauges):
                self._grid.addWidget(gauge, index // across, index % across)
                self._grid.setColumnStretch(index, int(index < across))
            self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return a minimum size as wide as the widest gauge, because gauges can stand below one another."""
        least = max(gauge.minimumSizeHint().width() for gauge in self._gauges)
        return QSize(least, super().minimumSizeHint().height())
