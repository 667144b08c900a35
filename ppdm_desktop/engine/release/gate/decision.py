"""From verdicts and written reasons to a decision."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.gate.base import title_of_check
from ppdm_desktop.engine.release.gate.reasons import bound, fault_of, is_bound, lapsed
from ppdm_desktop.engine.release.gate.registry import find_check
from ppdm_desktop.engine.release.gate.results import AMBER, NOT_RUN, RED, CheckResult
from ppdm_desktop.engine.wording.texts import Note


@dataclass(frozen=True)
class Decision:
    """Whether the release may be written.

    Attributes
    ----------
    released
        Nothing blocks.
    blocked_by
        Red checks, and amber or not-run ones without a reason.
    accepted
        Amber or not-run checks that a written reason lets pass.
    reasons
        The reasons that count, by check, as they will be recorded.
    notes
        Reasons that changed nothing, by text id.
    """

    released: bool
    blocked_by: tuple[str, ...]
    accepted: tuple[str, ...]
    reasons: Mapping[str, AcceptSection]
    notes: tuple[Note, ...]


def check_accepts(accepts: Mapping[str, AcceptSection], confirmed: Collection[str] = ()) -> None:
    """Refuse reasons for checks that do not exist, and texts that are no reason.

    Parameters
    ----------
    accepts
        Written reasons by check. One that is neither bound nor confirmed is only shown, so it may be anything.
    confirmed
        Checks whose reason was given or confirmed for this very release.

    Raises
    ------
    RecipeError
        Naming the check, and the rule that the text breaks.
    """
    for id in (*confirmed, *accepts):
        find_check(id)
    texts = {id: section.reason for id, section in accepts.items() if id in confirmed or is_bound(section)}
    for id, text in texts.items():
        if (fault := fault_of(id, text, texts)) is not None:
            raise RecipeError(fault.id, args=fault.arguments)


def decide(
    results: Sequence[CheckResult],
    accepts: Mapping[str, AcceptSection],
    input_sha256: str,
    at: str,
    *,
    type: str,
    confirmed: Collection[str] = (),
) -> Decision:
    """Weigh the verdicts against the written reasons.

    Parameters
    ----------
    results
        The gate's verdicts.
    accepts
        Written reasons by check; each counts for what it was given for (``reasons.lapsed``).
    input_sha256
        Hash of the input.
    at
        Time to record for reasons that have none.
    type
        Type of the release.
    confirmed
        Checks whose reason was given or confirmed for this very release: it is bound to what was found.

    Raises
    ------
    RecipeError
        For an unknown check or a text that is no reason.
    """
    check_accepts(accepts, confirmed)
    blocked, accepted, notes = [], [], []
    reasons: dict[str, AcceptSection] = {}
    for result in results:
        section = accepts.get(result.id)
        if result.status == RED:
            blocked.append(result.id)
            if section is not None:
                notes.append(Note("warning.accept.red", {"check": title_of_check(result.id)}))
        elif result.status in (AMBER, NOT_RUN):
            if section is not None and result.id in confirmed:
                section = bound(section.reason, result, type, input_sha256, section.at)
            elif section is not None and (why := lapsed(section, result, type, input_sha256)) is not None:
                notes.append(why)
                section = None
            if section is None:
                blocked.append(result.id)
                continue
            accepted.append(result.id)
            reasons[result.id] = section.model_copy(update={"input": input_sha256, "at": section.at or at})
        elif section is not None:
            notes.append(Note("warning.accept.not-needed", {"check": title_of_check(result.id)}))
    return Decision(not blocked, tuple(blocked), tuple(accepted), reasons, tuple(notes))
