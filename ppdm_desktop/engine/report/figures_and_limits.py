"""States in words the measured figure of a check, its limit, and the residual risk of a release.

The residual risk is what an intruder still learns from the release, and whom they can still find in it.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import Literal, Protocol, TypeGuard

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.model import CheckEntry, Verdict
from ppdm_desktop.engine.wording.catalogue import Remarks, Sentence, _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.numbers import ABSENT, FEW, End, Kind
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.texts import render, render_stored, render_title
from ppdm_desktop.engine.wording.values import Name, Names, Ratio, Share, Term, Value

_EXACT = 1e-9
UNITS: Mapping[str, Sentence] = {
    "attacks": lazy("{n} {n:attack|attacks}"),
    "cells": lazy("{n} {n:cell|cells}"),
    "columns": lazy("{n} {n:column|columns}"),
    "draws": lazy("{n} {n:run|runs}"),
    "groups": lazy("{n} {n:group|groups}"),
    "persons": lazy("{n} {n:person|people}"),
    "releases": lazy("{n} {n:release|releases}"),
    "rows": lazy("{n} {n:row|rows}"),
    "rows with the header": lazy("{n} {n:row|rows}"),
    "texts": lazy("{n} {n:text|texts}"),
    "traces": lazy("{n} {n:trace|traces}"),
}
"""What is counted, by the unit of a figure beside which no people stand; a bare number would leave one to guess."""
NO_LIMIT = ABSENT
"""What stands for the limit where there is none."""


class Checked(Protocol):
    """The fields of a check that are needed to write its figure and limit."""

    @property
    def status(self) -> str:
        """Return the status: ``green``, ``amber`` or ``red``, for example."""

    @property
    def figure(self) -> Figure | None:
        """Return the measured figure; None where nothing was measured."""

    @property
    def limit(self) -> float | int | str | None:
        """Return the limit for the figure; None without one."""

    @property
    def direction(self) -> str:
        """``at-most`` if the figure must not exceed its limit, ``at-least`` if it must reach it."""

    @property
    def hits(self) -> int | None:
        """Return the number of people found; None where no people are counted."""

    @property
    def of(self) -> int | None:
        """Return the number of people among whom they were found; None where no people are counted."""

    @property
    def is_gain(self) -> bool:
        """Return whether the figure is a difference of two shares, such as an attack's success less its control's."""


def check_title(check: CheckEntry) -> str:
    """Return the name of a check in the current language."""
    return render_stored(check.sentence.id, check.sentence.arguments).title


def figure_title(check: CheckEntry) -> str:
    """Return the name of what a check counted: that of its sentence, else its usual figure's, else the check's.

    If it counted people of whom only a value is certain that nine in ten people hold, this is added to its usual name.
    """
    usual = render_title(check.figure_title) if check.figure_title else check_title(check)
    if _is_about_common_value(check):
        return _("{figure}, with a value that nine in ten people hold", figure=Term(usual))
    return str(check.sentence.note.arguments.get("figure", usual))


def find_stated_count(verdict: Verdict, check: CheckEntry) -> Share | None:
    """Return the people that every page states for a check that itself counted others; None for any other check.

    They are those singled out by all columns but the confidential ones, or those of whom a value is certain, depending
    on the check. None, too, where their number is not known.
    """
    singled = verdict.singled
    if singled is None or not singled.people or not {"common", "figure"} & set(check.sentence.arguments):
        return None
    counts = {"certain": verdict.certain_by_others, "everything": verdict.certain_by_all}
    count = singled.by_all_but_secret if check.counts_singled else counts.get(check.residual)
    return None if count is None else Share(count, singled.people)


def describe_measured_figure(check: Checked) -> str:
    """Return the measured figure in words, such as "12 of 300 (4%)", "3 of 40", or a number with its unit.

    If there is no figure, the text says that the check does not apply or was not measured; for any other status it is a
    dash. If there is nobody to count, the text says so. A gain below 0 says how many fewer people are found.
    """
    numbers = numbers_of(language())
    if check.figure is None or check.figure.value is None:
        if check.status == "not-applicable":
            return render("found.not-applicable").sentence
        return numbers.none(cell=check.status != "not-run")
    if check.of == 0:
        return render("found.nobody").sentence
    people = "" if check.hits is None or check.of is None else format_hits(check.hits, check.of)
    if check.is_gain and check.hits is not None and check.of is not None and check.hits < 0:
        people = render("found.fewer", {"n": -check.hits, "of": check.of}).sentence
    if check.figure.unit != "share":
        return _describe_number(check, check.figure.value, check.figure.unit, people)
    return people if _is_stated_by_count(check) else describe_share(check, people)


def describe_with_control(check: CheckEntry, words: str) -> str:
    """Return the words for a check's figure, with its column before it and the share guessed without the record after.

    "12 of 300 (4%)" becomes "“age”: 12 of 300 (4%) (without their record: 3%)". The column is that in which the figure
    is worst, or those whose value nine in ten people have. What the check does not name is left out.
    """
    arguments = check.sentence.note.arguments
    control, column = arguments.get("control"), arguments.get("column", arguments.get("common"))
    if isinstance(control, Share):
        words = lazy("{found} (without their record: {control:share})").format(found=Term(words), control=control)
    return lazy("{column}: {how}").format(column=column, how=Term(words)) if isinstance(column, Name | Names) else words


def _describe_number(check: Checked, value: float, unit: str | None, people: str) -> str:
    """Return in words a figure that is not a share, with the people counted or with its unit.

    - "12 of 300 (4%)" if the figure is the number of people itself (``value`` equals ``check.hits``), without the
      percentage if the whole is below 100; only ``people`` if the number is below 0 or above the whole.
    - The number and ``people`` if people are counted, but the figure is another one.
    - The number with its unit if nobody is counted.

    ``people`` is the text "12 of 300", or "" where nobody is counted.
    """
    if people and value == check.hits:
        hits, of = check.hits or 0, check.of or 0
        # A difference of counts may lie below 0, and what is counted may be more than there are people.
        return numbers_of(language()).full(hits, of) if 0 <= hits <= of else people
    number = _format_number(value, check)
    if people:
        return render("found.number", {"number": Term(number), "people": Term(people)}).sentence
    return _add_unit(value, unit, number)


def describe_share(check: Checked, people: str = "") -> str:
    """Return a share in words: the people counted, and the end of the interval that is compared with the limit.

    Examples are "12 of 300 (4%)" for an exact share, and "12 of 300 (up to 6%)" or "12 of 300 (from 2%)" for the upper
    or lower end of an interval. ``people`` is the text "12 of 300"; if it is "", only the percentage comes back. The
    check must have a figure.
    """
    value = judged_value(check)
    end = _find_judged_end(check)
    if _is_number(check.limit):
        share = numbers_of(language()).versus(value, check.limit, _choose_number_kind(check), end)[0]
    else:
        share = percent(value, end)
    if not people:
        return share
    hits, of = check.hits or 0, check.of or 0
    # People who are found by chance are counted in parts of a person, and half of one is rounded up.
    half = 0.5 / max(of, 1) if check.figure is None or check.figure.high is None else 0.0
    if of and -half - _EXACT < value - hits / of < _EXACT:
        return f"{people} ({share})"
    # People found by chance are rounded to whole ones, so that the end of an interval may lie on either side of them.
    is_upper = end == "high" if end else value > hits / max(of, 1)
    side = "found.up-to" if is_upper else "found.from"
    return render(side, {"people": Term(people), "share": Term(share)}).sentence


def format_limit(check: Checked) -> str:
    """Return the limit in words with its direction, such as "at most 5%", as precise as the figure.

    A limit that is a text is returned as it is. The result is a dash where there is no limit, where the check does not
    apply, and where the limit cannot be exceeded.
    """
    if check.limit is None or check.status == "not-applicable":
        return NO_LIMIT
    if not _is_number(check.limit):
        return str(check.limit)
    if _is_no_limit(check, check.limit):
        return NO_LIMIT
    limit = Term(_format_limit(check, check.limit))
    return _("at most {high}", high=limit) if check.direction == "at-most" else _("at least {low}", low=limit)


def _format_limit(check: Checked, limit: float) -> str:
    """Return the number of a limit as text.

    It is a count of people if the figure is stated as one (5 % of 40 is "2 of 40", parts of a person are dropped), and
    "0" for any other limit of 0 if people are counted. A share has enough digits to differ visibly from the figure, and
    a whole number is written in full.
    """
    numbers, figure = numbers_of(language()), check.figure
    if figure is not None and figure.unit == "share" and _is_stated_by_count(check):
        # One base for both: of so few people the figure is a count, and so is its limit.
        return format_hits(math.floor(limit * (check.of or 0) + _EXACT), check.of or 0)
    if figure is not None and limit == 0 and check.hits is not None and check.of is not None:
        # Nobody is nobody, of however many: the same limit reads alike in every row.
        return numbers.count(0)
    if figure is not None and figure.unit == "share":
        value = limit if figure.value is None else judged_value(check)
        return numbers.versus(value, limit, _choose_number_kind(check))[1]
    if float(limit).is_integer():
        return numbers.count(int(limit))
    return numbers.versus(limit, limit, "ratio")[1]


def _is_no_limit(check: Checked, limit: float) -> bool:
    """Return whether a limit cannot be exceeded: an upper limit of 100 %, or of everybody who is counted.

    False for limits that must be reached ("at least"), for a check without a figure, and for a check of a gain, which
    is a difference of two shares.
    """
    if check.direction != "at-most" or check.figure is None or check.is_gain:
        return False
    if check.figure.unit == "share":
        return limit >= 1.0
    return check.of is not None and check.figure.value == check.hits and limit >= check.of > 0


def _is_stated_by_count(check: Checked) -> bool:
    """Return whether a share is of fewer than 100 people and may be stated as a count, such as "3 of 40".

    False if no people were counted, if there is no figure, and if an end of its interval is compared with the limit:
    "13 of 14" beside a limit in counts would mislead where only the upper end of the share matters.
    """
    if check.of is None or check.hits is None or not 0 < check.of < FEW:
        return False
    if check.figure is None or check.figure.value is None:
        return False
    return abs(judged_value(check) - check.hits / check.of) < _EXACT


def judged_value(check: Checked) -> float:
    """Return the end of the figure's interval that is compared with the limit; the figure itself if it is exact.

    It is the upper end for a figure that must not exceed its limit, else the lower. The figure must have a value.
    """
    figure = check.figure
    assert figure is not None
    assert figure.value is not None
    end = figure.high if check.direction == "at-most" else figure.low
    return float(figure.value if end is None else end)


def _find_judged_end(check: Checked) -> End:
    """Return which end of the figure's interval is compared with the limit: ``high`` or ``low``.

    "" if it is the figure itself: there is no figure, or it is exact.
    """
    figure = check.figure
    if figure is None or judged_value(check) == figure.value:
        return ""
    return "high" if check.direction == "at-most" else "low"


def percent(share: float, end: End = "") -> str:
    """Return a share as a percentage in the current language, a negative one in percentage points.

    It is "0%" or "100%" only where this is exact. ``end`` tells whether the share is an end of an interval, which is
    rounded outward.
    """
    numbers = numbers_of(language())
    return numbers.points(share, end) if share < 0 else numbers.percent(share, end)


def _choose_number_kind(check: Checked) -> Kind:
    """Return ``points`` where a check's figure is a difference of shares or negative, else ``share``."""
    gain = check.is_gain or (check.figure is not None and check.figure.value is not None and judged_value(check) < 0)
    return "points" if gain else "share"


def format_hits(hits: int, of: int) -> str:
    """Return a count as text, such as "3 of 12"."""
    numbers = numbers_of(language())
    return numbers.locale.phrases.of.format(numbers.count(hits), numbers.count(of))


def _is_number(limit: float | str | None) -> TypeGuard[float | int]:
    """Return whether a limit is a number, and neither a text nor absent."""
    return isinstance(limit, int | float)


def _add_unit(value: float, unit: str | None, number: str) -> str:
    """Return a number with its unit as a counted noun, such as "3 groups".

    Unchanged for a number that is not whole, and for a unit that is not counted.
    """
    counted = UNITS.get(unit or "")
    return number if counted is None or not float(value).is_integer() else counted.format(n=int(value))


def _format_number(value: float, check: Checked) -> str:
    """Return a number as text: 12,345 in full, others precise enough to compare with the limit.

    0.0496 beside a limit of 0.05 is "just below 0.05". Without a limit that is a number, it has three digits.
    """
    numbers = numbers_of(language())
    if float(value).is_integer():
        return numbers.count(int(value))
    if _is_number(check.limit):
        return numbers.versus(value, check.limit, "ratio")[0]
    return numbers.number(value)


def residual_risk(verdict: Verdict) -> str:
    """Return in words the risk that remains from intruders who know a person's quasi-identifiers, or all other columns.

    The figures come from the checks that declare to measure a part of this risk. If the number of people found by
    quasi-identifiers was not measured, the text says so; other parts that were not measured are left out. It speaks of
    rows where the verdict counts rows. From 100 people on the numbers that percentages refer to follow. All other
    figures for which a written reason was given come last.
    """
    with choose_counted_unit(rows=verdict.counts_rows):
        sentences = [
            *_describe_risk_by_details(verdict),
            _describe_risk_by_all(verdict),
            _describe_singled_out(verdict),
            _describe_bases(verdict),
        ]
        stated = [value for part in sentences if isinstance(part, Sentence) for value in part.values.values()]
        sentences.append(_describe_further_reasoned_figures(verdict, stated))
        return " ".join(str(sentence) for sentence in sentences if sentence is not None)


def _describe_further_reasoned_figures(verdict: Verdict, stated: Collection[Value]) -> Sentence | None:
    """Return a sentence on the figures that a written reason lets pass, apart from those stated before; None without.

    ``stated`` are the values in the other sentences on the risk, of which some are figures of checks.
    """
    figures = tuple(
        lazy(
            "{name}: {value}",
            name=Term(figure_title(check)),
            value=Term(describe_with_control(check, describe_measured_figure(check))),
        )
        for check in verdict.checks
        if verdict.decision.reason_for(check.id) and check.figure is not None
        if check.residual != "found" and not _is_about_common_value(check)
        if not ((check.residual or check.counts_singled) and _to_share(check) in stated)
    )
    return lazy("Also explained by a written reason: {figures}.", figures=Remarks(figures)) if figures else None


def _describe_bases(verdict: Verdict) -> Sentence | None:
    """Return a sentence on the numbers of people that the percentages refer to: people counted, and people attacked.

    The result is None where both are below 100, because counts are given then instead of percentages.
    """
    parts = [_find_risk_check(verdict, part) for part in ("certain", "everything", "found")]
    *counts, sought = (0 if check is None else check.of or 0 for check in parts)
    counted = max(counts)
    if max(counted, sought) < FEW:
        return None
    if not counted:
        return lazy("Basis of these percentages: {sought} looked for.", sought=sought)
    if not sought:
        return lazy("Basis of these percentages: {counted} counted.", counted=counted)
    return lazy("Basis of these percentages: {counted} counted, {sought} looked for.", counted=counted, sought=sought)


def _to_share(check: CheckEntry | None) -> Share | None:
    """Return the people whom a check found as a share of those it examined.

    None without a check, and if the check does not count people.
    """
    if check is None or check.hits is None or check.of is None:
        return None
    return Share(check.hits, check.of)


def _is_about_common_value(check: CheckEntry) -> bool:
    """Return whether a check counts people of whom only a value is certain that at least nine in ten people have.

    Only the sentence of such a check names these columns, as its argument ``common``.
    """
    return "common" in check.sentence.arguments


def describe_common_value(verdict: Verdict, part: Literal["certain", "everything"] = "certain") -> str:
    """Return the sentence of the check on people of whom only a value is certain that nine in ten people have.

    It names the columns. "" unless the check that measures ``part`` of the residual risk counts such people.
    """
    check = _find_risk_check(verdict, part)
    if check is None or not _is_about_common_value(check):
        return ""
    return render_stored(check.sentence.id, check.sentence.arguments).sentence


def describe_certain_values(verdict: Verdict) -> list[Sentence | str]:
    """Return sentences on how many people's confidential value is certain to someone who knows quasi-identifiers.

    It is one sentence with their number, or that of `describe_common_value` if only a value is certain that nine in ten
    people have. The list is empty if this was not measured.
    """
    check = _find_risk_check(verdict, "certain")
    if check is None or (share := _to_share(check)) is None:
        return []
    return [describe_common_value(verdict) or _name_people(figure_title(check), share)]


def _name_people(figure: str, people: Share) -> Sentence:
    """Return a sentence that gives a figure's name and the people whom it counts."""
    return lazy("{figure}: {people:people}.", figure=Term(figure), people=people)


def _describe_risk_by_all(verdict: Verdict) -> Sentence | str | None:
    """Return a sentence on whose value is certain for someone who knows all other columns that are not confidential.

    The sentence states the number of such people, or is that of `describe_common_value` if only a value is certain that
    nine in ten people have. The result is None where this was not measured, where they are no more than the people
    certain from quasi-identifiers alone, or where the two counts have different totals.
    """
    certain, check = (_find_risk_check(verdict, part) for part in ("certain", "everything"))
    certain_share, every = _to_share(certain), _to_share(check)
    least = 0 if certain is None or certain_share is None or _is_about_common_value(certain) else certain_share.hits
    if check is None or every is None or every.hits <= least:
        return None
    if certain_share is not None and every.of != certain_share.of:
        return None  # the check speaks of the holders of one value
    return describe_common_value(verdict, "everything") or _name_people(figure_title(check), every)


def _describe_singled_out(verdict: Verdict) -> Sentence | None:
    """Return a sentence on how many people are singled out by all columns that are not confidential.

    If there are none, the sentence is about those whom the check counted. The result is None if there are none of these
    either, if this was not measured, or if the check does not apply.
    """
    check = next((check for check in verdict.checks if check.counts_singled), None)
    if check is None or check.status == "not-applicable":
        return None
    stated, counted = verdict.singled_out, _to_share(check)
    if stated is not None and stated[0]:
        return _name_people(render_title(check.figure_title), Share(*stated))
    return _name_people(figure_title(check), counted) if counted is not None and counted.hits else None


def _describe_risk_by_details(verdict: Verdict) -> list[Sentence | str]:
    """Return sentences on an intruder who knows quasi-identifiers: whose value is certain, and who is found.

    The number of people found is stated as an upper bound, or as a mean where the check does not apply. If it was not
    measured, a sentence says so; if neither part was, the only sentence says that. Of values nothing is said where only
    their part was not measured.
    """
    sentences, fuzzy = describe_certain_values(verdict), _find_risk_check(verdict, "found")
    share, at_most = (None, False) if fuzzy is None else _read_success_share(fuzzy)
    if not sentences and share is None:
        return [lazy("The residual risk was not measured, because the checks that measure it did not run.")]
    if share is None:
        return [*sentences, lazy("How many are found was not measured.")]
    if at_most:
        return [*sentences, lazy("Found by what others may know: at most {found:people}.", found=share)]
    return [*sentences, lazy("Found by what others may know: {found:people} on average.", found=share)]


def _find_risk_check(verdict: Verdict, part: str) -> CheckEntry | None:
    """Return the check that declares to measure ``part`` of the residual risk; None where it was not measured.

    Parts are ``certain``, ``everything`` and ``found``.
    """
    entry = next((check for check in verdict.checks if check.residual == part), None)
    return None if entry is None or entry.figure is None or entry.figure.value is None else entry


def _read_success_share(check: CheckEntry) -> tuple[Value, bool]:
    """Return the share of people found, and whether it is an upper bound (True) or a mean (False).

    It is a mean where the check does not apply. For fewer than 100 people, or without an interval, the share is a count
    such as 3 of 40; else it is the end of the interval that is compared with the limit. The check must have a figure.
    """
    at_most = check.status != "not-applicable"
    assert check.figure is not None
    if check.hits is not None and check.of is not None and (check.of < FEW or check.figure.high is None):
        return Share(check.hits, check.of), at_most
    value = judged_value(check)
    return Ratio(value, end="" if value == check.figure.value else "high"), at_most
