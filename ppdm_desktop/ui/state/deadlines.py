"""Days on which releases are to be looked at again (no Qt here)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.storage.ledger import LedgerEntry, due_releases
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term


def review_day(type: str | None, today: date) -> str:
    """Return the day, ISO, proposed for looking at a release again: in 12 months, or in 24 if it stays inside.

    Days after the 28th become the 28th. ``type`` is the release type's id; None counts as a release that leaves.
    """
    years = 2 if type is not None and RELEASE_TYPES[type].is_internal else 1
    return today.replace(year=today.year + years, day=min(today.day, 28)).isoformat()


def due_words(ledger: Path | None, today: date) -> str:
    """Return how many releases in the ledger are due for another look on ``today``, and below a line on each.

    It is empty if none is due, and without a ledger.
    """
    due: Sequence[LedgerEntry] = () if ledger is None else due_releases(ledger, today.isoformat())
    if not due:
        return ""
    head = _("{n} {n:release is|releases are} to be looked at again.", n=len(due))
    return "\n".join([head, *(_describe_due_release(entry, today.isoformat()) for entry in due)])


def _describe_due_release(entry: LedgerEntry, today: str) -> str:
    """Return the line of one release: its data set if that is kept, its day and recipients, and whether it expired."""
    from ppdm_desktop.engine.report.html import (  # loads NumPy: only where a release is due
        format_iso_day,
        name_recipients,
    )

    day, who = (
        Term(format_iso_day(entry.day)),
        Term(name_recipients(entry.type) if entry.type in RELEASE_TYPES else "?"),
    )
    line = _("Written on {day} for {who}", day=day, who=who)
    line = f"{entry.dataset}: {line}" if entry.dataset else line
    return f"{line}. {_('Expired.')}" if entry.is_expired(today) else line
