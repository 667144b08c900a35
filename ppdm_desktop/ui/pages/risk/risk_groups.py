"""The faces of the Risk page's gauges; every figure comes from the assessment, no widget here."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.ui.charts.gauge import GaugeFace
from ppdm_desktop.ui.pages.risk.words import per_hundred, share_of, short
from ppdm_desktop.ui.state.number_words import count, of_hundred
from ppdm_desktop.ui.state.session import Assessment


def _tr(text: str) -> str:
    return QCoreApplication.translate("Risk", text)


def faces(assessment: Assessment, original: Assessment | None = None) -> list[GaugeFace]:
    """Return all gauges in order; those of what would be say in small print what is now."""
    made = [make(assessment) for make in (face_alone, face_collective, face_match, face_marketer)]
    made.append(face_journalist())
    if original is None:
        return made
    now = faces(original)
    words = _tr("now {figure} · {small}")
    return [
        replace(face, small=words.format(figure=before.figure, small=face.small)) if face.share is not None else face
        for face, before in zip(made, now, strict=True)
    ]


def face_alone(assessment: Assessment) -> GaugeFace:
    """Return the gauge of people who are the only one of their kind."""
    risk, document = assessment.risk, assessment.document
    share = share_of(risk.alone, risk.records)
    small = _tr("{n} of {total} · uniquely identifiable").format(
        n=count(document["uniquely_identifiable"]), total=count(risk.records)
    )
    if document["uniquely_identifiable"] != risk.alone:
        without = count(risk.alone - document["uniquely_identifiable"])
        small += " · " + _tr("{n} more have no confidential value").format(n=without)
    return GaugeFace(
        figure=per_hundred(share),
        sentence=_tr("of 100 people are the only one of their kind"),
        share=share,
        limit=0.0,
        limit_words=_tr("goal 0"),
        severity="blocks" if risk.alone else "passed",
        word=_tr("Above goal") if risk.alone else _tr("At the goal"),
        small=small,
        help=_tr(
            "Nobody else in the file has their values in these columns. Whoever knows the values finds exactly this "
            "row, and reads the rest."
        ),
    )


def face_collective(assessment: Assessment) -> GaugeFace:
    """Return the gauge of people whose whole group has one confidential value."""
    document, records = assessment.document, assessment.risk.records
    together = document["collectively_identifiable"]
    if together is None:
        return GaugeFace(
            figure="–",
            sentence=_tr("No column is marked confidential, so there is no secret a group could give away"),
            share=None,
            limit=None,
            limit_words="",
            severity="not-run",
            word=_tr("Not measured"),
            small=_tr("collectively identifiable"),
        )
    names = list(document["per_confidential"])
    value = short(names[0]) if len(names) == 1 else _tr("confidential value")
    share = share_of(together, records)
    return GaugeFace(
        figure=per_hundred(share),
        sentence=_tr("of 100 are in a group where all have one {value}").format(value=value),
        share=share,
        limit=0.0,
        limit_words=_tr("goal 0"),
        severity="blocks" if together else "passed",
        word=_tr("Above goal") if together else _tr("At the goal"),
        small=(
            _tr("{n} in 1 group · collectively identifiable")
            if document["collective_groups"] == 1
            else _tr("{n} in {groups} groups · collectively identifiable")
        ).format(n=count(together), groups=count(document["collective_groups"])),
        help=_tr(
            "Everybody in such a group has the same {value}. Knowing that somebody is in the group is enough: "
            "the row need not be found."
        ).format(value=value),
    )


def face_match(assessment: Assessment) -> GaugeFace:
    """Return the gauge of an intruder's average chance."""
    risk, kind = assessment.risk, assessment.prepared.type
    limit = 1 / kind.k_min
    above = risk.prosecutor_mean > limit
    small = _tr("{groups} groups / {total} · average prosecutor risk; for the most exposed person {worst}").format(
        groups=count(assessment.document["equivalence_classes"]),
        total=count(risk.records),
        worst=of_hundred(risk.prosecutor_max),
    )
    if risk.beside is risk.all_rows:
        small = _tr("average prosecutor risk, a person's own rows of all that look the same; at worst {worst}").format(
            worst=of_hundred(risk.prosecutor_max)
        )
    if risk.missing_rule != "own-value":
        small = _tr("average prosecutor risk, a missing value matches anything; for the most exposed {worst}").format(
            worst=of_hundred(risk.prosecutor_max)
        )
    return GaugeFace(
        figure=per_hundred(risk.prosecutor_mean),
        sentence=_tr("of 100 times a snooper with a list picks the right row"),
        share=risk.prosecutor_mean,
        limit=limit,
        limit_words=_tr("limit {n}").format(n=per_hundred(limit)),
        severity="blocks" if above else "passed",
        word=_tr("Above the limit") if above else _tr("Within the limit"),
        small=small,
        help=_tr(
            "Somebody knows that a person is in the file, and knows these values of theirs. This is how often a guess "
            "among the rows that fit is right, on average over all people."
        ),
    )


def face_marketer(assessment: Assessment) -> GaugeFace:
    """Return the gauge of somebody who links everybody."""
    risk, kind = assessment.risk, assessment.prepared.type
    limit = 1 / kind.k_min
    above = risk.marketer > limit
    return GaugeFace(
        figure=per_hundred(risk.marketer),
        sentence=_tr("of 100 people are named rightly by linking a list"),
        share=risk.marketer,
        limit=limit,
        limit_words=_tr("limit {n}").format(n=per_hundred(limit)),
        severity="blocks" if above else "passed",
        word=_tr("Above the limit") if above else _tr("Within the limit"),
        small=_tr("about {n} of {total} · marketer risk, as if the list held just the people of this file").format(
            n=count(risk.marketer * risk.records), total=count(risk.records)
        ),
        help=_tr(
            "Somebody links a whole list with the file, to name as many people as possible, and does not care whom. "
            "With a table of the whole population this would be lower."
        ),
    )


def face_journalist() -> GaugeFace:
    """Return the gauge of somebody who does not know who is in the file: it needs a population table."""
    return GaugeFace(
        figure="–",
        sentence=_tr("if the snooper does not know who is in the file"),
        share=None,
        limit=None,
        limit_words="",
        severity="not-run",
        word=_tr("Not measured"),
        small=_tr("needs a population table, which this version does not read yet · journalist risk"),
        help=_tr(
            "Somebody looks up anybody at all and cannot know whether that person is in the file. How many people "
            "outside the file look the same is not known here. It is never more than the average right match."
        ),
    )
