"""Contents of the gauges of the page Risk, from the assessment; no widget here."""

from __future__ import annotations

from dataclasses import replace

from ppdm_desktop.engine.report.model import OutsideEntry
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import LimitOf, Name, Ratio, Term
from ppdm_desktop.ui.charts.gauge import GaugeFace
from ppdm_desktop.ui.pages.risk.words import share_of, writer
from ppdm_desktop.ui.state.session import Assessment


def faces(
    assessment: Assessment, original: Assessment | None = None, outside: OutsideEntry | None = None
) -> list[GaugeFace]:
    """Return the contents of all gauges; with ``original``, a preview that names the present figures in small print."""
    made = [make(assessment) for make in (face_alone, face_collective, face_match, face_marketer)]
    made.append(face_journalist(outside))
    if original is None:
        return made
    now = faces(original)
    return [
        replace(face, small=f"{_('now {figure}', figure=Term(before.figure))} · {face.small}")
        if face.share is not None
        else face
        for face, before in zip(made, now, strict=True)
    ]


def face_alone(assessment: Assessment) -> GaugeFace:
    """Return the gauge of people who are unique."""
    risk, document = assessment.risk, assessment.document
    share = share_of(risk.alone, risk.records)
    small = _(
        "{n} of {total} · uniquely identifiable", n=int(document["uniquely_identifiable"]), total=int(risk.records)
    )
    if without := int(risk.alone - document["uniquely_identifiable"]):
        small += " · " + _("{n} more without a confidential value", n=without)
    return GaugeFace(
        figure=writer().share(risk.alone, risk.records),
        sentence=_("Unique: nobody else has the same details"),
        share=share,
        limit=0.0,
        limit_words=_("target 0"),
        severity="blocks" if risk.alone else "passed",
        word=_("Above the target") if risk.alone else _("Target met"),
        small=small,
        help=_(
            "Nobody else in the file has the same details. Anyone who knows the details finds exactly this row and can "
            "read the rest of it."
        ),
    )


def face_collective(assessment: Assessment) -> GaugeFace:
    """Return the gauge of people whose whole group has one confidential value."""
    document, records = assessment.document, assessment.risk.records
    together = document["collectively_identifiable"]
    if together is None:
        return GaugeFace(
            figure=writer().none(cell=True),
            sentence=_("No column is marked as confidential, so no group can reveal a confidential value"),
            share=None,
            limit=None,
            limit_words="",
            severity="not-run",
            word=_("Not measured"),
            small=_("collectively identifiable"),
        )
    names = list(document["per_confidential"])
    sentence = _("In a group where everyone has the same confidential value")
    if len(names) == 1:
        sentence = _("In a group where everyone has the same {name}", name=Name(names[0]))
    share = share_of(together, records)
    return GaugeFace(
        figure=writer().share(together, records),
        sentence=sentence,
        share=share,
        limit=0.0,
        limit_words=_("target 0"),
        severity="blocks" if together else "passed",
        word=_("Above the target") if together else _("Target met"),
        small=_(
            "{n} in {groups} {groups:group|groups} · collectively identifiable",
            n=int(together),
            groups=int(document["collective_groups"]),
        ),
        help=_(
            "Everyone in such a group has the same confidential value. Anyone who knows that a person is in the group "
            "knows the value, without finding the row."
        ),
    )


def face_match(assessment: Assessment) -> GaugeFace:
    """Return the gauge of the average probability that an intruder identifies a person."""
    risk, kind = assessment.risk, assessment.prepared.type
    limit = 1 / kind.k_min
    above = risk.prosecutor_mean > limit
    figure, _unused1 = writer().versus(risk.prosecutor_mean, limit)
    worst = Ratio(risk.prosecutor_max)
    small = _(
        "average prosecutor risk: {groups} {groups:group|groups} of {total} {total:person|people} · person most at "
        "risk: {worst}",
        groups=int(assessment.document["equivalence_classes"]),
        total=int(risk.records),
        worst=worst,
    )
    if risk.beside is risk.all_rows:
        small = _(
            "average prosecutor risk: a person’s own rows out of all rows with the same details · person most at "
            "risk: {worst}",
            worst=worst,
        )
    if risk.missing_rule != "own-value":
        small = _(
            "average prosecutor risk, a missing value matches anything · person most at risk: {worst}", worst=worst
        )
    return GaugeFace(
        figure=figure,
        sentence=_("Found by someone who knows their details"),
        share=risk.prosecutor_mean,
        limit=limit,
        limit_words=_("limit {limit}", limit=LimitOf(risk.prosecutor_mean, limit)),
        severity="blocks" if above else "passed",
        word=_("Above the limit") if above else _("Within the limit"),
        small=small,
        help=_(
            "An intruder knows that a person is in the file, and knows their details. The figure is how often a guess "
            "among the matching rows is right, on average over all people."
        ),
    )


def face_marketer(assessment: Assessment) -> GaugeFace:
    """Return the gauge of the share of people identified by an intruder who links everybody."""
    risk, kind = assessment.risk, assessment.prepared.type
    limit = 1 / kind.k_min
    above = risk.marketer > limit
    figure, _unused2 = writer().versus(risk.marketer, limit)
    return GaugeFace(
        figure=figure,
        sentence=_("Found by linking a whole list of people with the file"),
        share=risk.marketer,
        limit=limit,
        limit_words=_("limit {limit}", limit=LimitOf(risk.marketer, limit)),
        severity="blocks" if above else "passed",
        word=_("Above the limit") if above else _("Within the limit"),
        small=_(
            "about {n} of {total} · marketer risk, for a list of exactly the people in this file",
            n=round(risk.marketer * risk.records),
            total=int(risk.records),
        ),
        help=_(
            "An intruder links a whole list with the file to find as many people as possible, no matter whom. With a "
            "list of the whole population this figure would be lower."
        ),
    )


def face_journalist(outside: OutsideEntry | None) -> GaugeFace:
    """Return the gauge for an intruder who does not know who is in the file, which needs a population table."""
    kmap = None if outside is None else outside.kmap
    small = _("needs a table of the whole population · journalist risk")
    help = _(
        "An intruder looks for some person and cannot know whether that person is in the file. How many people "
        "outside the file have the same details is not known here. The chance is never higher than for someone who "
        "knows who is in the file."
    )
    if kmap is not None:
        help = _("By the table of all people. It does not protect anyone who is known to be in the file.")
        small = _("average journalist risk · person most at risk: {worst}", worst=Ratio(kmap.journalist_max))
    return GaugeFace(
        figure=writer().none(cell=True) if kmap is None else writer().percent(kmap.journalist_mean),
        sentence=_("Found by someone who does not know who is in the file"),
        share=None if kmap is None else kmap.journalist_mean,
        limit=None,
        limit_words="",
        severity="not-run",
        word=_("Not measured") if kmap is None else _("No limit applies"),
        small=small,
        help=help,
    )
