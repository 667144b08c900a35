"""What a release no longer shows of its source, in the words of its columns."""

from __future__ import annotations

from ppdm_desktop.engine.arrays import places_among
from ppdm_desktop.engine.methods.base.losses import broader_losses
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.public.phrases import shown_count
from ppdm_desktop.engine.wording.catalogue import Sentence, later, untranslated
from ppdm_desktop.engine.wording.values import Names, Ratio, Spoken, Term, Terms


def lost_words(candidate: Candidate, *, placed: bool = True) -> Sentence:
    """Return the sentence of what is lost.

    An example is "You lose: “City”, “Hired” (month kept) and 61 cells (0.4%)."

    Parameters
    ----------
    candidate
        What is released.
    placed
        Whether it is known whose row is whose: else removed rows and emptied cells are not counted.
    """
    losses = losses_of(candidate, placed=placed)
    if not losses.texts:
        return later("report", "You lose nothing.")
    return later("report", "You lose: {losses}.", losses=losses)


def losses_stated(candidate: Candidate) -> str | None:
    """Return the losses as the note for recipients states them, in the language spoken here; None without any."""
    losses = losses_of(candidate)
    return str(untranslated("{losses}", losses=losses)) if losses.texts else None


def losses_of(candidate: Candidate, *, placed: bool = True) -> Terms:
    """Return each loss in a short phrase, fit for recipients: no count below the smallest class is stated."""
    source = candidate.prepared.original.with_role(*ATTRIBUTE_ROLES)
    released = {column.name for column in candidate.released.columns if column.role in ATTRIBUTE_ROLES}
    phrases: list[Spoken] = []
    gone = [column.name for column in source if column.name not in released]
    if gone:
        phrases.append(untranslated("{columns}", columns=Names.of(gone)))
    grouped = [column.name for column in source if column.name in released]
    first = candidate.prepared.table
    phrases += broader_losses(
        [candidate.prepared.original.column(name) for name in grouped], [first.column(name) for name in grouped]
    )
    for step in candidate.steps:
        names = [name for name in step.settings.columns if name in released and name in step.result.table]
        phrases += step.method.losses(
            [step.before.column(name) for name in names], [step.result.table.column(name) for name in names]
        )
    if placed and candidate.rows_correspond:
        phrases += _counted_losses(candidate)
    return Terms(tuple(dict.fromkeys(phrases)), all_named=True)


def _counted_losses(candidate: Candidate) -> list[Sentence]:
    """Return the emptied cells and the removed rows, where there are any."""
    original, final, least = candidate.prepared.original, candidate.final, candidate.prepared.type.k_min
    rows = places_among(original.row_numbers, final.row_numbers)
    names = candidate.described_names
    cells = sum(
        max(int(final.column(name).missing.sum()) - int(original.column(name).missing[rows].sum()), 0) for name in names
    )
    removed = original.rows - final.rows
    found = []
    if cells:
        share = Ratio(cells / max(final.rows * len(names), 1))
        found.append(
            later("report", "{n} {n:cell|cells} ({share})", n=cells, share=share)
            if cells >= least
            else later("report", "{n} cells", n=Term(shown_count(cells, least)))
        )
    if removed:
        share = Ratio(removed / original.rows)
        found.append(
            later("report", "{n} {n:row|rows} ({share})", n=removed, share=share)
            if removed >= least
            else later("report", "{n} rows", n=Term(shown_count(removed, least)))
        )
    return found
