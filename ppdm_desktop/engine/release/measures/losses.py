"""What a release no longer shows of its source, in phrases with the columns' names."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np

from ppdm_desktop.engine.arrays import places_among
from ppdm_desktop.engine.methods.base.declaration import Family, Method
from ppdm_desktop.engine.methods.base.losses import broader_losses
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.report.public.columns import shown_count
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Names, Ratio, Spoken, Term, Terms


def lost_words(candidate: Candidate, *, placed: bool = True) -> Sentence:
    """Return the sentence on what is lost, such as "You lose: “City”, “Hired” (month kept) and 61 cells (0.4%).".

    Parameters
    ----------
    candidate
        The candidate release.
    placed
        Whether rows are matched; otherwise emptied cells are not counted.
    """
    losses = losses_of(candidate, placed=placed)
    if not losses.texts:
        return lazy("You lose nothing.")
    return lazy("You lose: {losses}.", losses=losses)


def losses_stated(candidate: Candidate) -> str | None:
    """Return the losses as stated in the note for recipients, in the current language; None without any."""
    losses = losses_of(candidate, counted=False)
    return str(lazy("{losses}", losses=losses)) if losses.texts else None


def losses_of(candidate: Candidate, *, placed: bool = True, counted: bool = True) -> Terms:
    """Return each loss as a short phrase; for recipients without counts below the smallest class.

    Parameters
    ----------
    candidate, placed
        As for `lost_words`.
    counted
        Whether to state the numbers of emptied cells and removed rows; for recipients only that there are some.
    """
    source = candidate.prepared.original.with_role(*ATTRIBUTE_ROLES)
    released = columns_still_told(candidate)
    phrases: list[Spoken] = []
    gone = [column.name for column in source if column.name not in released]
    if gone:
        phrases.append(lazy("{columns}", columns=Names.of(gone)))
    first = candidate.prepared.table
    binned = {
        column.name: phrase
        for column in source
        if column.name in released
        for phrase in broader_losses([column], [first.column(column.name)])
    }
    broader = _made_broader(candidate, binned)
    phrases += [phrase for name, phrase in binned.items() if name not in broader]
    phrases += _losses_of_steps(candidate, released)
    phrases += _counted_losses(candidate, count_cells=placed and candidate.rows_correspond, counted=counted)
    return Terms(tuple(dict.fromkeys(phrases)), all_named=True)


def _made_broader(candidate: Candidate, names: Collection[str]) -> set[str]:
    """Return which of these columns a step generalised, so that of the ranges before the steps nothing is kept."""
    broader_names: set[str] = set()
    for step in candidate.steps:
        for name in {*names}.intersection(step.settings.columns, step.result.table.names):
            before, after = [step.before.column(name)], [step.result.table.column(name)]
            broader = tuple(broader_losses(before, after))
            if broader and tuple(step.method.losses(before, after)) == broader:
                broader_names.add(name)
    return broader_names


def _losses_of_steps(candidate: Candidate, released: set[str]) -> list[Spoken]:
    """Return a phrase for each loss of each step in the released columns, in the order of the steps."""
    inexact: set[str] = set()
    regrouped: set[str] = set()
    phrases: list[Spoken] = []
    for step in reversed(candidate.steps):
        # Of values that a later step changes, an earlier one keeps nothing, such as rounded ones.
        keeps_true_values = step.method.loses is Method.loses and type(step.method).losses is not Method.losses
        told = (released if keeps_true_values else released - inexact) - regrouped
        names = [name for name in step.settings.columns if name in told and name in step.result.table]
        phrases[:0] = step.method.losses(
            [step.before.column(name) for name in names], [step.result.table.column(name) for name in names]
        )
        if step.method.loses is Method.loses and not keeps_true_values:
            inexact.update(names)
        if step.method.family is Family.GROUPS:
            regrouped.update(names)  # of earlier broader values only the groups' ranges are left
    return phrases


def columns_still_told(candidate: Candidate) -> set[str]:
    """Return the released columns about people, without those in which different source values all became one."""
    original = candidate.prepared.original
    columns = [column for column in candidate.released.columns if column.role in ATTRIBUTE_ROLES]
    return {
        column.name
        for column in columns
        if not _is_constant(column) or column.name not in original or _is_constant(original.column(column.name))
    }


def _is_constant(column: Column) -> bool:
    """Return whether all rows of a column have the same value."""
    return not len(column.codes) or column.codes.min() == column.codes.max()


def _counted_losses(candidate: Candidate, *, count_cells: bool, counted: bool) -> list[Sentence]:
    """Return the phrases on emptied cells (if they can be counted) and removed rows, where there are any.

    Counts below the smallest class are not stated exactly, and none are with ``counted`` False.
    """
    original, final, least = candidate.prepared.original, candidate.final, candidate.prepared.type.k_min
    names, cells = candidate.described_names, 0
    if count_cells:
        rows = places_among(original.row_numbers, final.row_numbers)
        emptied = [final.column(name).missing.sum() - original.column(name).missing[rows].sum() for name in names]
        cells = int(np.maximum(emptied, 0).sum())
    removed = original.rows - final.rows
    if not counted:
        lost_amounts = ((cells, lazy("some cells")), (removed, lazy("some rows")))
        return [phrase for count, phrase in lost_amounts if count > 0]
    sentences = []
    if cells:
        share = Ratio(cells / max(final.rows * len(names), 1))
        sentences.append(
            lazy("{n} {n:cell|cells} ({share})", n=cells, share=share)
            if cells >= least
            else lazy("{n} cells", n=Term(shown_count(cells, least)))
        )
    if removed > 0:
        share = Ratio(removed / original.rows)
        sentences.append(
            lazy("{n} {n:row|rows} ({share})", n=removed, share=share)
            if removed >= least
            else lazy("{n} rows", n=Term(shown_count(removed, least)))
        )
    return sentences
