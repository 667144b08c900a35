"""Days on which releases should be reviewed (no Qt here)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path

from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.storage.ledger import LedgerEntry, due_releases
from ppdm_desktop.engine.wording.catalogue import _
from ppdm_desktop.engine.wording.values import Term


def propose_review_day(type: str | None, today: date) -> str:
    """Return the proposed review day of a release (ISO date): in 12 months, or 24 for an internal release.

    A day after the 28th becomes the 28th. ``type`` is the id of the release type; None counts as a release that leaves
    the organisation.
    """
    years = 2 if type is not None and RELEASE_TYPES[type].is_internal else 1
    return today.replace(year=today.year + years, day=min(today.day, 28)).isoformat()


def describe_due_releases(ledger: Path | None, today: date) -> str:
    """Return a text on the releases to be reviewed by ``today`` or expired: their number, then a line on each.

    ``ledger`` is the file that lists releases. Empty if none is due, or without a readable ledger.
    """
    due: Sequence[LedgerEntry] = () if ledger is None else due_releases(ledger, today.isoformat())
    if not due:
        return ""
    head = _("{n} {n:release is|releases are} to be looked at again.", n=len(due))
    return "\n".join([head, *(_describe_due_release(entry, today.isoformat()) for entry in due)])


def _describe_due_release(entry: LedgerEntry, today: str) -> str:
    """Return a line on one release: its data set if recorded, the day it was written, and its recipients.

    If the release has expired, "Expired." follows. "?" stands for the recipients of an unknown release type.
    """
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
