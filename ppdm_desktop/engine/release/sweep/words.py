"""What is said of a sweep, in the window and on the command line."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ppdm_desktop.engine.release.sweep.curves import Proposal
from ppdm_desktop.engine.release.sweep.grid import Value
from ppdm_desktop.engine.release.sweep.run import BLOCKED, REFUSED, RELEASED, WITH_REASONS
from ppdm_desktop.engine.wording.catalogue import Sentence, later
from ppdm_desktop.engine.wording.texts import title
from ppdm_desktop.engine.wording.values import Ratio, Term, Terms

OUTCOMES = {
    RELEASED: later("sweep", "may be released"),
    WITH_REASONS: later("sweep", "needs reasons"),
    BLOCKED: later("sweep", "stopped"),
    REFUSED: later("sweep", "cannot be run"),
}
"""Each outcome of a trial, in words."""


def proposal_words(proposal: Proposal, write: Callable[[Value], str] | None = None) -> Sentence:
    """Say which value is proposed, or what stops all of them; ``write`` writes a value, as a recipe has it if None."""
    if proposal.value is None:
        if not proposal.blocking:
            return later("sweep", "No value is proposed: none can be run on this file.")
        return later(
            "sweep",
            "No value is proposed, because each is stopped by: {checks}",
            checks=stopping_checks(proposal.blocking),
        )
    value = Term((write or written_value)(proposal.value))
    if proposal.keeps is None:
        return later("sweep", "Proposed: {value}. It stays within the limits.", value=value)
    keeps = Ratio(proposal.keeps)
    if proposal.reasons:
        return later(
            "sweep",
            "Proposed: {value}. It keeps most within the limits ({keeps} on average), but needs written reasons.",
            value=value,
            keeps=keeps,
        )
    return later(
        "sweep",
        "Proposed: {value}. It keeps most within the limits ({keeps} on average) and needs no written reason.",
        value=value,
        keeps=keeps,
    )


def stopping_checks(ids: Sequence[str]) -> Terms:
    """Return the titles of checks, in the language spoken here."""
    return Terms(tuple(title(f"gate.{id}.red") for id in ids))


def written_value(value: Value) -> str:
    """Write a value as a recipe has it."""
    return str(value).lower() if isinstance(value, bool) else str(value)
