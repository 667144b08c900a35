"""From results and written reasons to the decision whether a release may be written."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.gate.base import find_cause, find_check, title_of_check
from ppdm_desktop.engine.release.gate.reasons import bound, fault_of, is_bound, lapses
from ppdm_desktop.engine.release.gate.results import NEED_REASON, RED, Cause, CheckResult
from ppdm_desktop.engine.wording.texts import Note


@dataclass(frozen=True)
class Decision:
    """The decision whether the release may be written.

    Attributes
    ----------
    released
        Whether the release may be written.
    blocked_by
        Ids of red checks, and of amber or not-run checks without a reason.
    accepted
        Ids of amber or not-run checks that a written reason lets pass.
    reasons
        The valid reasons by cause, as they will be recorded.
    notes
        Notes on reasons that had no effect.
    """

    released: bool
    blocked_by: tuple[str, ...]
    accepted: tuple[str, ...]
    reasons: Mapping[str, AcceptSection]
    notes: tuple[Note, ...]


def check_accepts(accepts: Mapping[str, AcceptSection], confirmed: Collection[str] = ()) -> None:
    """Raise RecipeError for reasons with an unknown cause, and for texts that are no reason.

    Parameters
    ----------
    accepts
        Written reasons by cause. A reason that is neither bound nor confirmed is only shown, so any text is allowed.
    confirmed
        Causes whose reason was given or confirmed for this very release.

    Raises
    ------
    RecipeError
        Naming the cause, and the rule that the text breaks.
    """
    for id in (*confirmed, *accepts):
        find_cause(id)
    texts = {id: section.reason for id, section in accepts.items() if id in confirmed or is_bound(section)}
    for id, text in texts.items():
        if (fault := fault_of(id, text, texts)) is not None:
            raise RecipeError(fault.id, args=fault.arguments)


def to_answer(results: Sequence[CheckResult], cause: Cause) -> list[CheckResult]:
    """Return the results of a cause that need a reason."""
    return [result for result in results if result.status in NEED_REASON and find_check(result.id).cause == cause]


def decide(
    results: Sequence[CheckResult],
    accepts: Mapping[str, AcceptSection],
    input_sha256: str,
    at: str,
    *,
    type: str,
    confirmed: Collection[str] = (),
) -> Decision:
    """Return the decision from the checks' results and the written reasons.

    Parameters
    ----------
    results
        The results of all checks.
    accepts
        Written reasons by cause; each is valid only for the findings it was given for (``reasons.lapses``).
    input_sha256
        Hash of the input.
    at
        Time to record for reasons without one.
    type
        Type of the release.
    confirmed
        Causes whose reason was given or confirmed for this release; the reason is then bound to the findings.

    Raises
    ------
    RecipeError
        For an unknown cause or a text that is no reason.
    """
    check_accepts(accepts, confirmed)
    notes: list[Note] = []
    reasons: dict[str, AcceptSection] = {}
    for id, section in accepts.items():
        cause = find_cause(id)
        red = [result for result in results if result.status == RED and find_check(result.id).cause == cause]
        unanswered = to_answer(results, cause)
        notes += [Note("warning.accept.red", {"check": title_of_check(result.id)}) for result in red]
        if not unanswered:
            notes += [] if red else [Note("warning.accept.not-needed", {"cause": cause.title})]
            continue
        counts = section
        if id in confirmed:
            counts = bound(section.reason, unanswered, type, input_sha256, section.at)
        elif why := lapses(cause, section, unanswered, type, input_sha256):
            notes += why
            continue
        reasons[id] = counts.model_copy(update={"input": input_sha256, "at": section.at or at})
    accepted = tuple(
        result.id for result in results if result.status in NEED_REASON and find_check(result.id).cause.id in reasons
    )
    blocked = tuple(
        result.id for result in results if result.status in (RED, *NEED_REASON) and result.id not in accepted
    )
    return Decision(not blocked, blocked, accepted, reasons, tuple(notes))
