"""Sentences of the page Risk, made from the risk assessment; no widgets."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.identifiability.contributions import Pairs
from ppdm_desktop.engine.identifiability.unique_sets import UniqueSets
from ppdm_desktop.engine.identifiability.what_if import LEFT_OUT, WhatIf
from ppdm_desktop.engine.release.measures.assess import describe_groups
from ppdm_desktop.engine.wording.catalogue import _, language, numbers_of
from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.values import Chance, Name, Names, Quoted, Share, Term
from ppdm_desktop.ui.pages.risk.logic import ClassBand
from ppdm_desktop.ui.state.session import Assessment
from ppdm_desktop.ui.widgets.release_type_card import describe_release_type

_MISSING = "∅"  # as the map shows a missing value
_WORTH_NAMING = 0.1  # of the unique people, who are unique no more without a column


def make_number_writer() -> Numbers:
    """Return the formatter that writes numbers in the window's language."""
    return numbers_of(language())


def share_of(count: int, records: int) -> float:
    """Return ``count / records``; 0 without records."""
    return count / records if records else 0.0


def explain_empty_page(assessment: Assessment | None) -> str:
    """Return the text of a page without figures: nothing is measured yet, or rows are groups of people."""
    if assessment is not None and assessment.prepared.rows_are_groups:
        return describe_groups(assessment.document)
    return _("You will see here who could be recognised. Nothing leaves this computer.")


def headline(assessment: Assessment, changes: WhatIf | None = None) -> tuple[str, str, str]:
    """Return (headline, line with the assumptions and the limit, severity) for a risk assessment.

    If people are unique and the effects of changes are known, the headline also names the column whose removal leaves
    fewest unique people, unless that helps less than a tenth of them. The severity is ``blocks`` if the average risk is
    above the limit, ``amber`` if a group is smaller than the limit or has a single confidential value, otherwise
    ``passed``.
    """
    risk, kind = assessment.risk, assessment.prepared.type
    unique_people = risk.unique_people
    together = assessment.document["collectively_identifiable"] or 0
    if unique_people == 0 and together:
        sentence = _(
            "Nobody is unique, but {share:people} {share:is|are} in a group where everyone has the same "
            "confidential value.",
            share=Share(together, risk.records),
        )
    elif unique_people == 0:
        sentence = _("Nobody is unique. The smallest group with the same details has {k} people.", k=int(risk.k))
    else:
        sentence = _(
            "{share:people} {share:is|are} unique: nobody else has the same details.",
            share=Share(unique_people, risk.records),
        )
        sentence = f"{sentence} {_describe_best_removal(changes)}".strip()
    assumed = _(
        "Assumes that an intruder knows {columns}. Recipient: {who}.",
        columns=Names.of(risk.scope),
        who=Term(describe_release_type(kind.id)[0]),
    )
    above = risk.judged.prosecutor_mean > 1 / kind.k_min
    severity = "blocks" if above else "amber" if risk.k < kind.k_min or together else "passed"
    return sentence, f"{assumed} {describe_limit(kind.k_min)}", severity


def describe_limit(least: int) -> str:
    """Return a sentence on the limit of a release type: groups of at least ``least`` people.

    It adds the chance of being found in such a group, such as at most 1 in 5.
    """
    return _(
        "Limit: groups of at least {k}, so a person is found with a chance of at most {limit:chance}.",
        limit=Chance(1 / least),
        k=least,
    )


def _describe_best_removal(changes: WhatIf | None) -> str:
    """Return a sentence on the column whose removal leaves fewest unique people.

    It is "" if the number falls by less than a tenth, and without changes or unique people.
    """
    left = [change for change in changes.ranked() if change[0].way == LEFT_OUT] if changes is not None else []
    if changes is None or not left or changes.before.unique_people == 0:
        return ""
    change, effect = left[0]
    fewer = changes.before.unique_people - effect.unique_people
    if fewer < _WORTH_NAMING * changes.before.unique_people:
        return ""
    return describe_omission(change.column, effect.unique_people, changes.before.unique_people)


def describe_omission(name: str, left: int, unique_people: int) -> str:
    """Return the sentence: without the column ``name``, ``left`` of the ``unique_people`` would still be unique."""
    return _(
        "Without {name}, {left} of the {alone} unique people would still be unique.",
        name=Name(name),
        left=int(left),
        alone=int(unique_people),
    )


def confidential_sentences(assessment: Assessment) -> list[str]:
    """Return a sentence on each confidential column: how many people are unique, and in groups with a single value.

    Of unique people only those with a value count. It also says how many people have no value, if any.
    """
    records = assessment.risk.records
    sentences = []
    for name, counts in assessment.document["per_confidential"].items():
        text = _(
            "{name}: {alone:people} {alone:is|are} unique, and {group:people} {group:is|are} in a group where "
            "everyone has the same value.",
            name=Name(name),
            alone=Share(counts["uniquely_identifiable"], records),
            group=Share(counts["collectively_identifiable"], records),
        )
        if counts["no_value"]:
            text += " " + _("{n} {n:person has|people have} no value.", n=int(counts["no_value"]))
        sentences.append(text)
    return sentences


def label_band(band: ClassBand) -> str:
    """Return the label of a band of group sizes: "unique", "groups of 2", "groups of 5–10", "groups of ≥ 50"."""
    if band.low == 1:
        return _("unique")
    writer = make_number_writer()
    size = writer.count(band.low)
    if band.high is None:
        size = f"≥ {size}"
    elif band.high > band.low:
        size = f"{size}–{writer.count(band.high)}"
    return _("groups of {size}", size=Term(size))


def classes_title(assessment: Assessment) -> str:
    """Return a sentence on how many people, and which share, are in groups smaller than the release type's limit."""
    risk, least = assessment.risk, assessment.prepared.type.k_min
    share = Share(int(risk.judged.below(least)), risk.records)
    return _("{share:people} {share:is|are} in a group smaller than {k}", share=share, k=least)


def describe_cell(row: int, name: str, value: str, matches: int) -> str:
    """Return the meaning of a cell of the heatmap as a sentence.

    For example: 'Row 12: without age ("34"), 5 people would have the same details.' A missing value is called
    "missing".

    Parameters
    ----------
    row
        Row number in the file.
    name, value
        Column and value of the cell.
    matches
        Number of people who match.
    """
    value = _("missing") if value in ("", _MISSING) else value
    return _(
        "Row {row:place}: without {name} ({value}), {n} {n:person|people} would have the same details.",
        row=row,
        name=Name(name),
        value=Quoted(value),
        n=matches,
    )


def pairs_title(pairs: Pairs) -> str:
    """Return a sentence on how many people are unique by the pair of columns that singles out most.

    With a single column it says how many people are unique by this one.
    """
    row, column = pairs.strongest() or (0, 0)
    names = dict.fromkeys(pairs.scope[index] for index in (column, row)) if pairs.scope else ()
    people = int(pairs.unique_people[row, column]) if pairs.scope else 0
    return describe_unique_people(people, tuple(names))


def describe_unique_people(people: int, names: Sequence[str]) -> str:
    """Return a sentence on how many people are unique by the values of some columns."""
    return _("{n} {n:person is|people are} unique by {names} alone", n=people, names=Names.of(names))


def sets_title(unique_sets: UniqueSets) -> str:
    """Return a sentence on the smallest set of columns that singles people out: its columns, and how many people.

    Without a set it says how many columns are not enough, as far as searched.
    """
    if not unique_sets.sets:
        return _("{n} {n:detail is|details are} not enough to find anyone", n=int(unique_sets.largest))
    first = unique_sets.sets[0]
    return describe_unique_people(int(first.unique_people), first.columns)
