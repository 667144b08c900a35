"""Sentences about the population the file was drawn from: the same in window, report and command line.

A wrong size of the population is the danger: people of one occupation compared with the whole country give a chance of
.03 where the truth is .58. So every figure is stated together with who the population is.
"""

from __future__ import annotations

import math

from ppdm_desktop.engine.report.model import OutsideEntry
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.values import Ratio, Term

LEAST_UNIQUE, WIDEST = 20, 0.25
"""Of the release record: how many people have to be unique, and how far apart the ends may be."""
EXPERT_LIMIT = lazy("The models disagree. The individual risk can be several times too low.")


def describe_population_risk(outside: OutsideEntry) -> list[str]:
    """Return sentences on the risk of people unique in the file, within the population that the file was drawn from.

    They are in the current language.

    - If everybody of the population is in the file, there is one sentence.
    - Otherwise they state the probability that a match is right, or why it is not known; for how many unique people it
      speaks, if not for all; and, with a table of the population, the chance of being found, and which share of the
      people with the same details is in the file.
    - If any of this is known, a last sentence says that it protects nobody who is known to be in the file, and that no
      check uses it.
    """
    if outside.drawn == "everybody":
        return [_("Everybody is in the file: unique here is unique.")]
    sentences, who = [], Term(outside.who)
    if outside.theta.value is None:
        reason = outside.theta.reason
        sentences.append(
            _("What being unique here means among {who}: not known, because {reason}.", who=who, reason=reason)
        )
    else:
        sentences.append(str(_describe_match_chance(outside)))
        if outside.left_out:
            sentences.append(
                _(
                    "This speaks for {n} of the {all} people who are unique by these details.",
                    n=outside.f[0] - outside.left_out,
                    all=outside.f[0],
                )
            )
    if outside.kmap is not None:
        sentences.append(
            _(
                "By the table, a person is found with a chance of {mean} on average, {most} at most. This holds for "
                "someone who does not know who is in the file.",
                mean=Ratio(outside.kmap.journalist_mean),
                most=Ratio(outside.kmap.journalist_max),
            )
        )
        share = Ratio(outside.kmap.presence)
        sentences.append(_("Of the people with the same details, at most {share} are in the file.", share=share))
    if outside.theta.value is not None or outside.kmap is not None:
        sentences.append(_("It does not protect anyone who is known to be in the file, and no check uses it."))
    return sentences


def _describe_match_chance(outside: OutsideEntry) -> Sentence:
    """Return a sentence on the probability that a match with a unique record is correct, as an interval.

    It also states how many people are unique, without those left out. Ends are whole percentages, rounded outward; one
    percentage is given where they are equal before rounding. The probability must have been measured.
    """
    n, who = outside.f[0] - outside.left_out, Term(outside.who)
    low, high = outside.theta.low or 0.0, outside.theta.high or 1.0
    if low == high:
        return lazy(
            "{n} {n:person is|people are} unique in this file. Anyone who finds a person with the same details among "
            "{who} has the right person in {share} of the cases.",
            n=n,
            who=who,
            share=Ratio(low),
        )
    return lazy(
        "{n} {n:person is|people are} unique in this file. Anyone who finds a person with the same details among "
        "{who} has the right person in about {low} to {high} of 100 cases.",
        n=n,
        who=who,
        low=math.floor(low * 100 + 1e-9),
        high=math.ceil(high * 100 - 1e-9),
    )


def describe_for_record(outside: OutsideEntry | None) -> str:
    """Return the sentence on the population for the release record; "" where it is not certain enough to be printed.

    It is printed only if the probability that a match is right is known, for a random sample or with a table of the
    population, for at least 20 unique people (without those left out) and an interval no wider than 0.25.
    """
    if outside is None or outside.theta.value is None or not (outside.drawn == "random" or outside.by_table):
        return ""
    low, high = outside.theta.low or 0.0, outside.theta.high or 1.0
    if outside.f[0] - outside.left_out < LEAST_UNIQUE or high - low > WIDEST:
        return ""
    return f"{_('If the intruder does not know who is in the file:')} {_describe_match_chance(outside)}"


def expert_rows(outside: OutsideEntry | None) -> list[tuple[str, str]]:
    """Return label and text of each figure for experts on people unique in the population; empty if there is none.

    First come bounds that need no model ("not known" where they are 0 % and 100 %), then the estimates of Zayatz,
    Pitman, Dankar, and Benedetti and Franconi.
    """
    expert = None if outside is None else outside.expert
    if expert is None:
        return []
    percent = numbers_of(language()).percent
    rows = [
        (_("The same by Zayatz"), percent(expert.zayatz)),
        (_("The same by Pitman’s model"), percent(expert.pitman)),
        (_("The same by Dankar’s rule"), percent(expert.dankar)),
        (_("Mean individual risk by Benedetti and Franconi"), percent(expert.individual)),
    ]
    label = _("Share of the unique people who are unique outside too, without a model")
    bounds = _("between {low} and {high}", low=Ratio(expert.low), high=Ratio(expert.high))
    is_empty = expert.low == 0 and expert.high == 1
    return [(label, _("not known") if is_empty else bounds), *rows]
