"""Sentences about a sweep, for the window and the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppdm_desktop.engine.release.gate.base import title_of_check
from ppdm_desktop.engine.release.sweep.curves import Proposal
from ppdm_desktop.engine.release.sweep.run import BLOCKED, REFUSED, RELEASED, WITH_REASONS, SweepMeasure, Value
from ppdm_desktop.engine.wording.catalogue import Sentence, language, lazy, numbers_of
from ppdm_desktop.engine.wording.texts import render_title
from ppdm_desktop.engine.wording.values import Ratio, Term, Terms

_MOST_PLACES = 10
OUTCOMES = {
    RELEASED: lazy("may be released"),
    WITH_REASONS: lazy("needs reasons"),
    BLOCKED: lazy("stopped"),
    REFUSED: lazy("cannot be run"),
}
"""Each outcome of a trial, in words."""


def format_sweep_figure(measure: SweepMeasure, value: float) -> str:
    """Return a figure of a sweep as text in the current language, for a cell or a chart.

    Examples in English. Shares are written in per cent: from 0 to 1 as whole per cents, 0.123 as "12%", but nearer to
    the ends 0.005 as "0.5%" and 0.00001 as "less than 0.1%". Below 0 (a gain that is a loss) or above 1 they have up to
    one decimal, -0.123 as "−12.3%", and more where it would read 0% or 100% otherwise. Other figures are written as
    numbers with three digits, 0.8341 as "0.834", whole ones without decimals.
    """
    writer = numbers_of(language())
    if measure.is_share:
        if 0 <= value <= 1:
            return writer.percent(value)
        percentages = (round(100 * value, places) for places in range(1, _MOST_PLACES))
        digits = next((percentage for percentage in percentages if percentage not in (0, 100)), 100 * value)
        return writer.locale.percent.format(writer.ticks([digits])[0])
    return writer.count(int(value)) if float(value).is_integer() else writer.number(value)


def describe_proposal(
    proposal: Proposal, write: Callable[[Value], str] | None = None, *, attacked: bool = True
) -> list[Sentence]:
    """Return the sentences that propose a value, or say which checks block all values.

    - With a value: the value; how much usefulness it keeps and whether it needs written reasons, if usefulness was
      measured; otherwise that it stays within the limits, if attacks were made.
    - Without a value: which checks stop every value, or that none can be run.
    - Without attacks a proposed value gets the warning that they may still stop it.

    Parameters
    ----------
    proposal
        The proposal.
    write
        Function that returns a value as text; as in a recipe if None.
    attacked
        Whether attacks were made; without them the proposed value may still be blocked.
    """
    if proposal.value is None:
        if not proposal.blocking:
            return [lazy("No value is proposed: none can be run on this file.")]
        checks = list_check_titles(proposal.blocking)
        return [lazy("No value is proposed, because each is stopped by: {checks}", checks=checks)]
    sentences = [lazy("Proposed: {value}.", value=Term((write or written_value)(proposal.value)))]
    if proposal.keeps is not None:
        sentences.append(lazy("It keeps most ({keeps} on average).", keeps=Ratio(proposal.keeps)))
        if proposal.reasons:
            sentences.append(lazy("It needs written reasons."))
    elif attacked:
        sentences.append(lazy("It stays within the limits."))
    if not attacked:
        sentences.append(lazy("The attack tests were left out and may still stop this value."))
    return sentences


def list_check_titles(ids: Sequence[str]) -> Terms:
    """Return the titles of checks in the current language, in the order of ``ids``."""
    return Terms(tuple(render_title(title_of_check(id).id) for id in ids))


def written_value(value: Value) -> str:
    """Return a value as written in a recipe: ``true`` and ``false`` in lower case, any other as ``str`` gives it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
