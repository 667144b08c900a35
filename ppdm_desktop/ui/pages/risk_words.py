"""The Risk page's sentences; every figure comes from the assessment, no widget here."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.ui.charts.gauge import GaugeFace
from ppdm_desktop.ui.pages.levels_type import type_words
from ppdm_desktop.ui.pages.risk_logic import ClassBand
from ppdm_desktop.ui.session import Assessment
from ppdm_desktop.ui.words import count, of_hundred

_MOST_NAMES = 120


def _tr(text: str) -> str:
    return QCoreApplication.translate("Risk", text)


def per_hundred(share: float) -> str:
    """Write a share of 100 as a large figure; never 0 or 100 unless exact."""
    rounded = round(100 * share)
    if rounded == 0 and share > 0:
        return "<1"
    if rounded == 100 and share < 1:
        return ">99"
    return str(rounded)


def _share(count: int, records: int) -> float:
    return count / records if records else 0.0


def headline(assessment: Assessment) -> tuple[str, str, str]:
    """Return the sentence, what it rests on with its limit, and its severity."""
    risk, kind = assessment.risk, assessment.prepared.type
    alone = risk.alone
    together = assessment.document["collectively_identifiable"] or 0
    if alone == 0 and together:
        sentence = _tr("Nobody is the only one of their kind, but {share} are in a group that gives its value away.")
        sentence = sentence.format(share=of_hundred(_share(together, risk.records)))
    elif alone == 0:
        sentence = _tr("Nobody is the only one of their kind; the smallest group has {k} people.").format(
            k=count(risk.k)
        )
    else:
        sentence = _tr("{share} people are the only one of their kind.").format(
            share=_capital(of_hundred(_share(alone, risk.records)))
        )
    who = type_words(kind.id)[0]
    columns = ", ".join(risk.scope)
    if len(columns) <= _MOST_NAMES:
        basis = _tr("Judged by what a neighbour could know ({columns}), for: {who}.")
    else:
        basis = _tr("Judged by {n} columns that a neighbour could know, for: {who}.")
    basis = basis.format(n=len(risk.scope), columns=columns, who=who)
    limit = _tr("Limit: {limit} right matches, groups of at least {k}.").format(
        limit=of_hundred(1 / kind.k_min), k=kind.k_min
    )
    above = risk.prosecutor_mean > 1 / kind.k_min
    severity = "blocks" if above else "amber" if risk.k < kind.k_min or together else "passed"
    return sentence, f"{basis} {limit}", severity


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def face_alone(assessment: Assessment) -> GaugeFace:
    """Return the gauge of people who are the only one of their kind."""
    risk, document = assessment.risk, assessment.document
    share = _share(risk.alone, risk.records)
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
    value = names[0] if len(names) == 1 else _tr("confidential value")
    share = _share(together, records)
    return GaugeFace(
        figure=per_hundred(share),
        sentence=_tr("of 100 are in a group where all have one {value}").format(value=value),
        share=share,
        limit=0.0,
        limit_words=_tr("goal 0"),
        severity="blocks" if together else "passed",
        word=_tr("Above goal") if together else _tr("At the goal"),
        small=_tr("{n} in {groups} groups · collectively identifiable").format(
            n=count(together), groups=count(document["collective_groups"])
        ),
    )


def face_match(assessment: Assessment) -> GaugeFace:
    """Return the gauge of a snooper's average chance."""
    risk, kind = assessment.risk, assessment.prepared.type
    limit = 1 / kind.k_min
    above = risk.prosecutor_mean > limit
    small = _tr("{groups} groups / {total} · average prosecutor risk; for the most exposed person {worst}").format(
        groups=count(assessment.document["equivalence_classes"]),
        total=count(risk.records),
        worst=of_hundred(risk.prosecutor_max),
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
    )


def confidential_sentences(assessment: Assessment) -> list[str]:
    """Say for each confidential column what a match would give away."""
    records = assessment.risk.records
    sentences = []
    for name, found in assessment.document["per_confidential"].items():
        sentence = _tr(
            "{name}: {alone} people are alone with theirs, {group} are in a group where all have one {name}."
        )
        words = sentence.format(
            name=name,
            alone=of_hundred(_share(found["uniquely_identifiable"], records)),
            group=of_hundred(_share(found["collectively_identifiable"], records)),
        )
        if found["no_value"]:
            words += " " + _tr("{n} people have no value.").format(n=count(found["no_value"]))
        sentences.append(words)
    return sentences


def band_words(band: ClassBand) -> str:
    """Name a band of group sizes."""
    if band.low == 1:
        return _tr("alone")
    if band.high is None:
        return _tr("{n} and more").format(n=count(band.low))
    if band.high == band.low:
        return _tr("group of {n}").format(n=band.low)
    return _tr("groups of {low}–{high}").format(low=band.low, high=band.high)


def classes_title(assessment: Assessment) -> str:
    """Say how many are in groups below the limit."""
    risk, least = assessment.risk, assessment.prepared.type.k_min
    below = risk.share_over(least)
    if below == 0:
        return _tr("Nobody is in a group smaller than {k}").format(k=least)
    return _tr("{share} people are in a group smaller than {k}").format(share=_capital(of_hundred(below)), k=least)


def cell_words(row: int, name: str, value: str, alike: int) -> str:
    """Say what a cell of the heatmap means."""
    if alike == 1:
        words = _tr("Row {row}: even with the {name}, {value}, hidden, nobody looks alike.")
    else:
        words = _tr("Row {row}: hide the {name}, {value}, and {n} people look alike.")
    return words.format(row=count(row), name=name, value=value, n=count(alike))
