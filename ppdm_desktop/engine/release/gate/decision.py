"""From verdicts and written reasons to a decision."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.gate.registry import find_check
from ppdm_desktop.engine.release.gate.results import AMBER, NOT_RUN, RED, CheckResult
from ppdm_desktop.engine.texts import Note

SHORTEST_REASON = 15
RETIRED = ("marginal-shift", "suppression")
"""Checks of version 0.1.0 that judged usefulness, which blocks nothing: a recipe's reason for one is passed by."""


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


def check_accepts(accepts: Mapping[str, AcceptSection]) -> None:
    """Refuse reasons for checks that do not exist and reasons that are too short.

    Raises
    ------
    RecipeError
        Naming the check.
    """
    for id, section in accepts.items():
        if id in RETIRED:
            continue
        find_check(id)
        if len(section.reason.strip()) < SHORTEST_REASON:
            raise RecipeError("error.accept.too-short", args={"check": id, "least": SHORTEST_REASON})


def decide(
    results: Sequence[CheckResult], accepts: Mapping[str, AcceptSection], input_sha256: str, at: str
) -> Decision:
    """Weigh the verdicts against the written reasons.

    Parameters
    ----------
    results
        The gate's verdicts.
    accepts
        Written reasons by check. One bound to another input does not count; one bound to
        none is bound to this input now.
    input_sha256
        Hash of the input.
    at
        Time to record for reasons that have none.

    Raises
    ------
    RecipeError
        For an unknown check or a reason that is too short.
    """
    check_accepts(accepts)
    blocked, accepted, notes = [], [], []
    reasons: dict[str, AcceptSection] = {}
    notes += [Note("warning.accept.retired", {"check": id}) for id in RETIRED if id in accepts]
    for result in results:
        section = accepts.get(result.id)
        counts = section is not None and section.input in (None, input_sha256)
        if section is not None and not counts:
            notes.append(Note("warning.accept.other-input", {"check": result.id}))
        if result.status == RED:
            blocked.append(result.id)
            if counts:
                notes.append(Note("warning.accept.red", {"check": result.id}))
        elif result.status in (AMBER, NOT_RUN):
            if section is None or not counts:
                blocked.append(result.id)
                continue
            accepted.append(result.id)
            figure = result.figure.value if result.figure is not None else None
            reasons[result.id] = section.model_copy(
                update={"input": input_sha256, "at": section.at or at, "figure": figure}
            )
        elif counts:
            notes.append(Note("warning.accept.not-needed", {"check": result.id}))
    return Decision(not blocked, tuple(blocked), tuple(accepted), reasons, tuple(notes))
