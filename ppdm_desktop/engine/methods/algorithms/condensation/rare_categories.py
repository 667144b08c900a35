"""Categories of fewer people than their group, made broader before artificial records are made from them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.generalised_texts import OTHER, code_length, first_characters, in_generalised_texts


def rare_categories(column: Column, needs: Ints) -> Bools:
    """Say which categories fewer people hold than the strictest of them asks for as a group, shape (categories,).

    Parameters
    ----------
    column
        One row a person.
    needs
        The group each person asks for, shape (rows,).
    """
    return _are_rare(column.categories, column, needs)


def with_common_categories(table: Table, names: Sequence[str], needs: Ints) -> Table:
    """Return the table in which every category of these columns is held by enough people.

    A rare category becomes the narrowest broader value that is common: by the column's hierarchy or, of a code, by its
    first characters. What is rare still is put together under one text, or drawn from the common ones: the next in an
    order, else the most frequent.

    Parameters
    ----------
    table, names
        Columns of names and ordered categories among these are treated; one without rare categories stays itself.
    needs
        The group each person asks for, shape (rows,).
    """
    columns = [column for column in map(table.column, names) if column.kind in ("nominal", "ordinal")]
    return table.replacing(*(_made_common(column, needs) for column in columns if rare_categories(column, needs).any()))


def _are_rare(texts: Sequence[str], column: Column, needs: Ints) -> Bools:
    """Say which categories stand under a text of too few people, where each category is written as one of the texts."""
    _, group = np.unique(np.array(texts, dtype=object).astype(str), return_inverse=True)
    group = group.reshape(-1)
    known = column.category_codes >= 0
    of_row = group[column.category_codes[known]]
    count = np.bincount(of_row, minlength=len(group))
    asked = np.zeros(len(group), dtype=np.int64)
    np.maximum.at(asked, of_row, needs[known])
    return np.asarray((count < asked)[group])


def _made_common(column: Column, needs: Ints) -> Column:
    texts = list(column.categories)
    rare = _are_rare(texts, column, needs)
    for broader in _broader_texts(column):
        for place in np.flatnonzero(rare).tolist():
            texts[place] = broader[place]
        rare = _are_rare(texts, column, needs)
    common = np.flatnonzero(~rare)
    if rare.any() and column.kind == "ordinal" and len(common):
        for place in np.flatnonzero(rare).tolist():
            texts[place] = texts[int(common[np.argmin(np.abs(common - place))])]
    elif rare.any():
        for place in np.flatnonzero(rare).tolist():
            texts[place] = OTHER
        if _are_rare(texts, column, needs).any():
            frequent = texts[int(common[np.argmax(column.category_counts[common])])]
            texts = [frequent if text == OTHER else text for text in texts]
    ordered = tuple(dict.fromkeys(texts)) if column.kind == "ordinal" else None
    return in_generalised_texts(column, tuple(texts), ordered)


def _broader_texts(column: Column) -> list[tuple[str, ...]]:
    """Return the broader texts of all categories, the narrowest first, where the column has a rule for them."""
    if column.kind == "ordinal":
        return []
    tree, names = column.hierarchy, column.categories
    if tree is not None and all(name in tree.generalised for name in names):
        return [tuple(tree.at(name, level) for name in names) for level in range(1, tree.height + 1)]
    length = code_length(column)
    return [] if length is None else [first_characters(column, kept) for kept in range(length - 1, 0, -1)]
