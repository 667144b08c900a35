"""Which lines of the log of decisions a change of the user's decisions makes (no Qt here)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ppdm_desktop.engine.decision_log import Entry

if TYPE_CHECKING:
    from ppdm_desktop.ui.state.session import Decisions


def entries_between(before: Decisions, after: Decisions) -> list[Entry]:
    """Return a line for each column, level, version and reason that was decided otherwise."""
    return [*_roles(before, after), *_others(before, after)]


def _roles(before: Decisions, after: Decisions) -> Iterator[Entry]:
    """Yield the columns whose role changed or was confirmed."""
    if before.recipe.columns is after.recipe.columns and before.confirmed == after.confirmed:
        return
    for name, section in after.recipe.columns.items():
        earlier = before.recipe.columns.get(name)
        is_confirmed = name in after.confirmed and name not in before.confirmed
        if is_confirmed or (name in after.confirmed and (earlier is None or earlier.role != section.role)):
            yield Entry("roles", name, section.role)


def _others(before: Decisions, after: Decisions) -> Iterator[Entry]:
    """Yield changes of levels, of the chosen version and of reasons."""
    if before.recipe.privacy != after.recipe.privacy:
        yield Entry("levels", "", after.recipe.privacy.model_dump_json(exclude_defaults=True))
    if before.chosen != after.chosen:
        yield Entry("version", after.chosen or "", ", ".join(step.method for step in after.recipe.steps))
    reasons = ({cause: section.reason for cause, section in side.recipe.accept.items()} for side in (before, after))
    old, new = reasons
    for cause in {**old, **new}:
        if old.get(cause) != new.get(cause):
            yield Entry("reason", cause, new.get(cause, ""))
