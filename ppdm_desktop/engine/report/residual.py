"""The residual risk in words: what an intruder still learns, and whom they still find."""

from __future__ import annotations

from ppdm_desktop.engine.report.figures_and_limits import judged_value
from ppdm_desktop.engine.report.model import CheckEntry, Verdict
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.numbers import FEW
from ppdm_desktop.engine.wording.rows import counting
from ppdm_desktop.engine.wording.values import Ratio, Share, Value


def residual_risk(verdict: Verdict) -> str:
    """Return the residual risk in words: for someone who knows a person's details, then for one who knows all else.

    The figures are those of the checks that declare to be part of it. What was not measured is stated so, and is never
    taken for 0.
    """
    with counting(rows=verdict.counts_rows):
        sentences = (_of_details(verdict), _of_everything(verdict), _of_unique(verdict), _bases(verdict))
        return " ".join(str(sentence) for sentence in sentences if sentence is not None)


def _bases(verdict: Verdict) -> Sentence | None:
    """Return the number of people of which percentages are given, as a sentence.

    None where counts are given instead.
    """
    parts = [_part(verdict, part) for part in ("certain", "everything", "found")]
    *counts, sought = (0 if check is None else check.of or 0 for check in parts)
    counted = max(counts)
    if max(counted, sought) < FEW:
        return None
    if not counted:
        return lazy("Looked for: {sought}.", sought=sought)
    if not sought:
        return lazy("Counted: {counted}.", counted=counted)
    return lazy("Counted: {counted}. Looked for: {sought}.", counted=counted, sought=sought)


def _counted(check: CheckEntry | None) -> Share | None:
    """Return a check's count as a share; None where it counts nobody."""
    if check is None or check.hits is None or check.of is None:
        return None
    return Share(check.hits, check.of)


def _of_everything(verdict: Verdict) -> Sentence | None:
    """Return what someone who knows all other released values learns beyond that; None where it is no more."""
    certain_share, every = (_counted(_part(verdict, part)) for part in ("certain", "everything"))
    if every is None or every.hits <= (0 if certain_share is None else certain_share.hits):
        return None
    if certain_share is not None and every.of != certain_share.of:
        return None  # the check speaks of the holders of one value
    return lazy(
        "Someone who also knows every other column that is not confidential learns a confidential value with certainty "
        "for {all:people}.",
        all=every,
    )


def _of_unique(verdict: Verdict) -> Sentence | None:
    """Return who is picked out by all other released values; None for nobody, or where that was not judged."""
    check = next((check for check in verdict.checks if check.counts_singled), None)
    picked_out = None if check is None or check.status == "not-applicable" else _counted(check)
    if picked_out is None or not picked_out.hits:
        return None
    return lazy("By all columns that are not confidential, {alone:people} can be picked out.", alone=picked_out)


def _of_details(verdict: Verdict) -> Sentence:
    """Return what someone who knows a person's details learns and how many people are found, as a sentence."""
    certain, fuzzy = _part(verdict, "certain"), _part(verdict, "found")
    certain_share = _counted(certain)
    share, at_most = (None, False) if fuzzy is None else _found(fuzzy)
    if certain_share is None and share is None:
        return lazy("The residual risk was not measured, because the checks that measure it did not run.")
    if share is None:
        assert certain_share is not None
        if certain_share.hits == 0:
            return lazy(
                "Someone who knows a person’s details learns no confidential value for certain. "
                "How many are found was not measured."
            )
        return lazy(
            "Someone who knows a person’s details learns a confidential value with certainty for {certain:people}. "
            "How many are found was not measured.",
            certain=certain_share,
        )
    if certain_share is None:
        return lazy("Someone who knows a person’s details finds at most {found:people}.", found=share)
    if certain_share.hits == 0 and at_most:
        return lazy(
            "Someone who knows a person’s details learns no confidential value for certain and finds at most "
            "{found:people}.",
            found=share,
        )
    if certain_share.hits == 0:
        return lazy(
            "Someone who knows a person’s details learns no confidential value for certain and finds {found:people} "
            "on average.",
            found=share,
        )
    if at_most:
        return lazy(
            "Someone who knows a person’s details learns a confidential value with certainty for {certain:people} and "
            "finds at most {found:people}.",
            certain=certain_share,
            found=share,
        )
    return lazy(
        "Someone who knows a person’s details learns a confidential value with certainty for {certain:people} and "
        "finds {found:people} on average.",
        certain=certain_share,
        found=share,
    )


def _part(verdict: Verdict, part: str) -> CheckEntry | None:
    """Return the check that measures one part of the residual risk; None where it was not measured."""
    entry = next((check for check in verdict.checks if check.residual == part), None)
    return None if entry is None or entry.figure is None or entry.figure.value is None else entry


def _found(check: CheckEntry) -> tuple[Value, bool]:
    """Return the share of people found, and whether it is an upper bound (the interval's end) or a mean."""
    at_most = check.status != "not-applicable"
    assert check.figure is not None
    if check.hits is not None and check.of is not None and (check.of < FEW or check.figure.high is None):
        return Share(check.hits, check.of), at_most
    value = judged_value(check)
    return Ratio(value, end="" if value == check.figure.value else "high"), at_most
