"""What a release still shows of its source and what it no longer shows, in phrases with the columns' names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.coarsening_texts import describe_coarsening
from ppdm_desktop.engine.release.measures.kept_shares import list_rough_columns
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import LazyText, Name, Names, Ratio, Terms

_MOST_NAMED, _MOST_NAMED_ON_CARD = 4, 12
"""Of more columns that are gone the first ones are named and the others counted; on a suggestion's card, where they
decide the choice, more are named, also of those that are shown only roughly."""


def describe_kept_columns(candidate: Candidate) -> Sentence:
    """Return the sentence on which columns recipients see and how, without those that are shown only roughly.

    Such as "Kept: “City” and “Hired” (year)."; what all columns have in common is said once, at the end. Without such a
    column the sentence is "Kept: no column in detail.".
    """
    rough = list_rough_columns(candidate)
    how_of = {name: how for name, how in _describe_precision(candidate).items() if name not in rough}
    if not how_of:
        return lazy("Kept: no column in detail.")
    last_words = {str(how[-1]) if how else "" for how in how_of.values()}
    # "All artificial", but not "all 2 ranges".
    said_of_all = {str(step.method.values_label) for step in candidate.steps}
    if len(how_of) > 1 and len(last_words) == 1 and last_words <= said_of_all:
        how = next(iter(how_of.values()))[-1]
        columns = _format_columns({name: how[:-1] for name, how in how_of.items()})
        return lazy("Kept: {columns} (all {how}).", columns=columns, how=how)
    return lazy("Kept: {columns}.", columns=_format_columns(how_of))


def describe_losses(candidate: Candidate) -> Sentence:
    """Return the sentence on what recipients no longer see, or that only detail or nothing is lost.

    Such as "You lose: “City” and 61 cells (0.4%). Only roughly: “Age” (ranges of 50)."; columns that are less exact,
    but not that rough, are not named. Of gone and rough ones up to thirteen each are named.
    """
    losses = _describe_gone_parts(
        candidate, count_cells=candidate.rows_correspond, counted=True, most=_MOST_NAMED_ON_CARD
    )
    how_of = _describe_precision(candidate)
    lost = lazy("You lose no column, only detail.") if any(how_of.values()) else _NO_LOSS
    if losses:
        lost = lazy("You lose: {losses}.", losses=Terms(tuple(losses), all_named=True))
    rough = {name: how for name, how in how_of.items() if name in list_rough_columns(candidate)}
    if not rough:
        return lost
    columns = Terms(tuple(_name_first(_format_columns(rough).texts, _MOST_NAMED_ON_CARD)), all_named=True)
    return lazy("{lost} Only roughly: {columns}.", lost=lost, columns=columns)


def list_lost_marked_columns(candidate: Candidate) -> tuple[str, ...]:
    """Return the columns marked to stay detailed that are gone or shown only roughly, those that say most first."""
    kept = list_informative_columns(candidate) - list_rough_columns(candidate)
    return tuple(name for name in _names_by_worth(candidate) if _is_marked(candidate, name) and name not in kept)


def describe_all_losses(candidate: Candidate, *, placed: bool = True) -> Sentence:
    """Return the sentence on what recipients no longer see and which columns are less exact, or that nothing is lost.

    Parameters
    ----------
    candidate
        The candidate release.
    placed
        Whether its rows are matched with rows of the source; otherwise emptied cells are not counted.
    """
    losses = _list_losses(candidate, placed=placed)
    return lazy("You lose: {losses}.", losses=losses) if losses.texts else _NO_LOSS


def state_losses(candidate: Candidate) -> str | None:
    """Return the losses as stated in the note for recipients, in the current language; None without any.

    Of cells and rows it only says that there are some.
    """
    losses = _list_losses(candidate, counted=False)
    return str(lazy("{how}", how=losses)) if losses.texts else None


_NO_LOSS = lazy("You lose nothing.")


def _list_losses(candidate: Candidate, *, placed: bool = True, counted: bool = True) -> Terms:
    """Return phrases on what is gone, then one on the columns that are less exact; empty if nothing is lost.

    Where a step made groups or synthetic rows, a column is not less exact merely because its values are not the
    people's own.

    Parameters
    ----------
    candidate
        The candidate release.
    placed
        Whether its rows are matched with rows of the source; otherwise emptied cells are not counted.
    counted
        Whether numbers of cells and rows are stated.
    """
    phrases = _describe_gone_parts(candidate, count_cells=placed and candidate.rows_correspond, counted=counted)
    made = int(not candidate.rows_correspond)  # of rows that are not true, it is said that values are not
    less_exact = {name: how for name, how in _describe_precision(candidate).items() if len(how) > made}
    if less_exact:
        phrases.append(lazy("details of {columns}", columns=_format_columns(less_exact)))
    return Terms(tuple(phrases), all_named=True)


def _describe_gone_parts(
    candidate: Candidate, *, count_cells: bool, counted: bool, most: int = _MOST_NAMED
) -> list[str | LazyText]:
    """Return phrases on what is gone: true rows, columns, rare values of columns, emptied cells and removed rows.

    Of more than ``most`` + 1 columns ``most`` are named and the others counted. "True rows" are gone where released
    rows are no source rows. ``count_cells`` says whether cells can be compared with the source, and ``counted`` whether
    numbers are stated.
    """
    still_told = list_informative_columns(candidate)
    gone = [name for name in _names_by_worth(candidate) if name not in still_told]
    phrases: list[str | LazyText] = [] if candidate.rows_correspond else [lazy("true rows")]
    phrases += _name_first([lazy("{column}", column=Name(name)) for name in gone], most)
    less_rich = [
        name for name in _names_by_worth(candidate) if name in still_told and _loses_categories(candidate, name)
    ]
    if less_rich:
        phrases.append(lazy("rare values of {columns}", columns=Names.of(less_rich)))
    return phrases + _describe_counted_losses(candidate, count_cells=count_cells, counted=counted)


def _name_first(columns: Sequence[str | LazyText], most: int) -> list[str | LazyText]:
    """Return the phrases on columns; of more than ``most`` + 1 the first ``most``, and how many more there are."""
    if len(columns) <= most + 1:
        return list(columns)
    return [*columns[:most], lazy("{n} more columns", n=len(columns) - most)]


def _format_columns(how_of: dict[str, list[Sentence]]) -> Terms:
    """Return a phrase for each column: its name, followed in brackets by how it is shown, unless it is exact."""
    return Terms(
        tuple(
            lazy("{column} ({how})", column=Name(name), how=Terms(tuple(how), all_named=True))
            if how
            else lazy("{column}", column=Name(name))
            for name, how in how_of.items()
        )
    )


def _describe_precision(candidate: Candidate) -> dict[str, list[Sentence]]:
    """Return for each released column that still says something how it is shown, in a few words; [] if it is exact.

    Columns in which values are not the people's own come first. In both parts those that the owner marked to stay
    detailed lead, then those that say most (`_names_by_worth`).
    """
    original, released = candidate.prepared.original, candidate.released
    made: dict[str, Sentence] = {}
    bases: dict[str | None, Any] = {}
    for step in candidate.steps:
        # The released numbers may happen to lie a multiple of the base apart.
        bases |= {used.column: used.value for used in step.used if used.parameter == step.method.rounding_parameter}
        if step.method.values_label is not None:
            made |= dict.fromkeys(step.settings.columns, step.method.values_label)
    names = filter(list_informative_columns(candidate).__contains__, _names_by_worth(candidate))
    how_of: dict[str, list[Sentence]] = {}
    for name in sorted(names, key=lambda name: name not in made):
        phrases = describe_coarsening(original.column(name), released.column(name), bases.get(name, 0.0))
        how = [made[name]] if name in made else []
        # New numbers and dates are neither rounded nor cut.
        how_of[name] = how if how and released.column(name).kind in ("numeric", "date") else phrases + how
    return how_of


def _names_by_worth(candidate: Candidate) -> list[str]:
    """Return the names of the source's columns about people, released or not, from those that say most to least.

    Columns that the owner marked to stay detailed come first; among these, and among the others, those with higher
    entropy do.
    """

    def worth(column: Column) -> tuple[bool, float]:
        """Return the sort key of a column: whether it is marked to stay detailed, then its entropy in bits."""
        shares = column.category_counts / max(int(column.category_counts.sum()), 1)
        bits = -float(shares @ np.log2(shares, where=shares > 0, out=np.zeros(len(shares))))
        return _is_marked(candidate, column.name), bits

    columns = candidate.prepared.original.with_role(*ATTRIBUTE_ROLES)
    return [column.name for column in sorted(columns, key=worth, reverse=True)]


def _is_marked(candidate: Candidate, name: str) -> bool:
    """Return whether the owner marked a column to stay detailed."""
    section = candidate.prepared.recipe.columns.get(name)
    return section is not None and section.detail == "keep"


def list_informative_columns(candidate: Candidate) -> set[str]:
    """Return the names of the released columns that describe people and still vary.

    They have the role quasi-identifier, confidential or other. A column that is constant in the release counts only if
    it was so in the source, or is not in it.
    """
    original = candidate.prepared.original
    columns = [column for column in candidate.released.columns if column.role in ATTRIBUTE_ROLES]
    return {
        column.name
        for column in columns
        if not _is_constant(column) or column.name not in original or _is_constant(original.column(column.name))
    }


def _loses_categories(candidate: Candidate, name: str) -> bool:
    """Return whether a nominal or ordinal column shows only some of its categories, and no new, generalised text.

    False for other kinds of columns.
    """
    source, released = candidate.prepared.original.column(name), candidate.released.column(name)
    return source.kind in ("nominal", "ordinal") and {*released.categories} < {*source.categories}


def _is_constant(column: Column) -> bool:
    """Return whether all rows of a column have the same value; True without rows."""
    return not len(column.codes) or column.codes.min() == column.codes.max()


def _describe_counted_losses(candidate: Candidate, *, count_cells: bool, counted: bool) -> list[LazyText]:
    """Return the phrases on emptied cells (if ``count_cells``) and removed rows, where there are any.

    Such as "61 cells (0.4%)"; shares are of all released cells, and of the source's rows. Counts below k_min are not
    stated exactly; with ``counted`` False no number is stated.
    """
    original, final, least = candidate.prepared.original, candidate.final, candidate.prepared.type.k_min
    names, cells = candidate.described_names, 0
    if count_cells:
        emptied = [
            final.column(name).missing.sum() - original.column(name).missing[candidate.source_rows].sum()
            for name in names
        ]
        cells = int(np.maximum(emptied, 0).sum())
    removed = original.rows - final.rows
    phrases: list[LazyText] = []
    if cells:
        share, few = Ratio(cells / max(final.rows * len(names), 1)), lazy("fewer than {k} cells", k=least)
        stated = lazy("{n} {n:cell|cells} ({share})", n=cells, share=share) if cells >= least else few
        phrases.append(stated if counted else lazy("some cells"))
    if removed > 0:
        share, few = Ratio(removed / original.rows), lazy("fewer than {k} rows", k=least)
        stated = lazy("{n} {n:row|rows} ({share})", n=removed, share=share) if removed >= least else few
        phrases.append(stated if counted else lazy("some rows"))
    return phrases
