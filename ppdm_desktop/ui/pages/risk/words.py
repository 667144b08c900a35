"""The Risk page's sentences; every figure comes from the assessment, no widget here."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.engine.identifiability.generalisation_options import LEFT_OUT
from ppdm_desktop.engine.identifiability.pairs import Pairs
from ppdm_desktop.engine.identifiability.unique_sets import UniqueSets
from ppdm_desktop.engine.identifiability.what_if import WhatIf
from ppdm_desktop.ui.pages.risk.logic import ClassBand
from ppdm_desktop.ui.state.number_words import count, of_hundred
from ppdm_desktop.ui.state.session import Assessment
from ppdm_desktop.ui.widgets.release_type_card import type_words

_MOST_NAMES = 120
_LONG_NAME = 36
_MISSING = "∅"  # as the map shows a missing value


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


def short(name: str) -> str:
    """Return a column's name as it stands in a sentence: of a long one its beginning and its end."""
    return name if len(name) <= _LONG_NAME else f"{name[:16].rstrip()}…{name[-16:].lstrip()}"


def share_of(count: int, records: int) -> float:
    """Return a count as a share of the records."""
    return count / records if records else 0.0


def headline(assessment: Assessment, changes: WhatIf | None = None) -> tuple[str, str, str]:
    """Return the sentence, what it rests on with its limit, and its severity.

    Where it is known what each change would do, the sentence names the best column to leave out.
    """
    risk, kind = assessment.risk, assessment.prepared.type
    alone = risk.alone
    together = assessment.document["collectively_identifiable"] or 0
    if alone == 0 and together:
        sentence = _tr("Nobody is the only one of their kind, but {share} are in a group that gives its value away.")
        sentence = sentence.format(share=of_hundred(share_of(together, risk.records)))
    elif alone == 0:
        sentence = _tr("Nobody is the only one of their kind; the smallest group has {k} people.").format(
            k=count(risk.k)
        )
    else:
        sentence = _tr("{share} people are the only one of their kind.").format(
            share=_capital(of_hundred(share_of(alone, risk.records)))
        )
        if alone == risk.records:
            sentence = _tr("Everybody is the only one of their kind.")
        sentence = f"{sentence} {_best(changes)}".strip()
    who = type_words(kind.id)[0]
    columns = ", ".join(risk.scope)
    if len(columns) <= _MOST_NAMES:
        basis = _tr("Evaluation by what a neighbour could know ({columns}), for: {who}.")
    else:
        basis = _tr("Evaluation by {n} columns that a neighbour could know, for: {who}.")
        if len(risk.scope) == 1:
            basis = _tr("Evaluation by {n} column that a neighbour could know, for: {who}.")
    basis = basis.format(n=len(risk.scope), columns=columns, who=who)
    limit = _tr("Limit: {limit} right matches, groups of at least {k}.").format(
        limit=of_hundred(1 / kind.k_min), k=kind.k_min
    )
    above = risk.prosecutor_mean > 1 / kind.k_min
    severity = "blocks" if above else "amber" if risk.k < kind.k_min or together else "passed"
    return sentence, f"{basis} {limit}", severity


def beside(assessment: Assessment) -> str:
    """Say what the measure that does not judge finds, and of households; empty where people have one row each."""
    risk = assessment.risk
    people, other = risk.people, risk.beside
    words = []
    if people is not None and other is not None:
        several, alone = people.with_several, int(((risk.all_rows.matches == 1) & (people.sizes > 1)).sum())
        if other is risk.all_rows:
            sentence = _tr(
                "Counted for somebody who knows one row of a person. If somebody could put a person's rows together: "
                "{alone} of {several} people with several rows would be unique, {all} people in all."
            )
        else:
            sentence = _tr(
                "The release lets somebody put a person's rows together: counted by all rows of a person. By one row "
                "alone, {one} of {people} people would be unique. The maps below are for one row."
            )
        words.append(
            sentence.format(
                alone=count(alone),
                several=count(several),
                all=count(risk.all_rows.alone),
                one=count(risk.one_row.alone),
                people=count(people.count),
            )
        )
    if (homes := risk.households) is not None:
        sentence = _tr(
            "Of {n} households, {unique} are like no other; at least one member is found with a chance of {chance} on "
            "average (shown, not judged)."
        )
        words.append(
            sentence.format(n=count(homes.count), unique=count(homes.unique), chance=of_hundred(homes.found_mean))
        )
    return " ".join(words)


def _best(changes: WhatIf | None) -> str:
    """Say which column left out would blend most people in; nothing where that is under a tenth of them."""
    left = [each for each in changes.ranked() if each[0].way == LEFT_OUT] if changes is not None else []
    if changes is None or not left or changes.before.alone == 0:
        return ""
    change, effect = left[0]
    blended = 1 - effect.alone / changes.before.alone
    if blended < 0.1:
        return ""
    if effect.alone == 0:
        return _tr("Leaving out {name} would blend all of them in.").format(name=short(change.column))
    return _tr("Leaving out {name} would blend {share} of them in.").format(
        name=short(change.column), share=of_hundred(blended)
    )


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


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
            alone=of_hundred(share_of(found["uniquely_identifiable"], records)),
            group=of_hundred(share_of(found["collectively_identifiable"], records)),
        )
        if found["no_value"]:
            without = _tr("1 person has no value.") if found["no_value"] == 1 else _tr("{n} people have no value.")
            words += " " + without.format(n=count(found["no_value"]))
        sentences.append(words)
    return sentences


def band_words(band: ClassBand) -> str:
    """Name a band of group sizes."""
    if band.low == 1:
        return _tr("alone")
    if band.high is None:
        return _tr("{n} and more").format(n=count(band.low))
    if band.high == band.low:
        return _tr("groups of {n}").format(n=band.low)
    return _tr("groups of {low}–{high}").format(low=band.low, high=band.high)


def classes_title(assessment: Assessment) -> str:
    """Say how many are in groups below the limit."""
    risk, least = assessment.risk, assessment.prepared.type.k_min
    below = risk.share_over(least)
    if below == 0:
        return _tr("Nobody is in a group smaller than {k}").format(k=least)
    if below == 1:
        return _tr("Everybody is in a group smaller than {k}").format(k=least)
    return _tr("{share} people are in a group smaller than {k}").format(share=_capital(of_hundred(below)), k=least)


def cell_words(row: int, name: str, value: str, alike: int) -> str:
    """Say what a cell of the heatmap means."""
    missing = value == _MISSING
    if alike == 1:
        words = _tr("Row {row}: even with the {name}, {value}, hidden, nobody looks alike.")
        if missing:
            words = _tr("Row {row}: even if it did not show that the {name} is missing, nobody would look alike.")
    else:
        words = _tr("Row {row}: hide the {name}, {value}, and {n} people look alike.")
        if missing:
            words = _tr("Row {row}: hide that the {name} is missing, and {n} people look alike.")
    return words.format(row=count(row), name=name, value=value, n=count(alike))


def together(names: Sequence[str]) -> str:
    """Write columns as a list in a sentence."""
    *first, last = [short(name) for name in names]
    return _tr("{first} and {last}").format(first=", ".join(first), last=last) if first else last


def pairs_title(found: Pairs) -> str:
    """Say which two columns single out most people."""
    best = found.strongest()
    if best is None:
        alone = int(found.alone.trace())
        if not found.scope or not alone:
            return _tr("No single column makes anybody unique")
        words = _tr("{name} alone makes {n} people unique")
        if alone == 1:
            words = _tr("{name} alone makes {n} person unique")
        return words.format(name=_capital(short(found.scope[0])), n=count(alone))
    row, column = best
    people = int(found.alone[row, column])
    if people == 0:
        return _tr("No two columns make anybody unique")
    words = _tr("{one} with {other} makes {n} people unique")
    if people == 1:
        words = _tr("{one} with {other} makes {n} person unique")
    return words.format(one=_capital(short(found.scope[column])), other=short(found.scope[row]), n=count(people))


def sets_title(found: UniqueSets) -> str:
    """Say how little is enough to find somebody."""
    if not found.sets:
        if found.complete:
            return _tr("Nobody can be singled out, whatever is known of these columns")
        return _tr("Nobody is singled out by {n} columns or fewer").format(n=found.largest)
    first = found.sets[0]
    many = first.alone > 1
    if len(first.columns) == 1:
        words = (
            _tr("Who knows only the {names} finds {n} people")
            if many
            else _tr("Who knows only the {names} finds one person")
        )
    elif len(first.columns) == 2:
        words = _tr("No single column finds anybody; {names} find {n} people")
        words = words if many else _tr("No single column finds anybody; {names} find one person")
    else:
        words = _tr("It takes {k} columns to find anybody: {names} find {n} people")
        words = words if many else _tr("It takes {k} columns to find anybody: {names} find one person")
    return words.format(names=together(first.columns), n=count(first.alone), k=len(first.columns))
