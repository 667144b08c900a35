"""Generalises categories of fewer people than their group, before artificial records are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.generalised_texts import OTHER, code_length, first_characters, in_generalised_texts


def rare_categories(column: Column, needs: Ints) -> Bools:
    """Return which categories fewer people hold than any of them demands as a group, bool, shape (categories,).

    Parameters
    ----------
    column
        One row a person.
    needs
        The group each person asks for, shape (rows,).
    """
    return _are_rare(column.categories, column, needs)


def common_categories(table: Table, names: Sequence[str], needs: Ints) -> dict[str, dict[str, str]]:
    """Return for each column the text that replaces each category, so that enough people have every text.

    A rare category becomes the narrowest generalised value that is common: by the column's hierarchy or, of a code,
    by its first characters. What is still rare is put together under one text, or replaced by a common category: the
    nearest in an order, else the most frequent.

    Parameters
    ----------
    table, names
        Columns of names and ordered categories among these are treated; those without rare categories are left out.
    needs
        The group each person asks for, shape (rows,).
    """
    columns = [column for column in map(table.column, names) if column.kind in ("nominal", "ordinal")]
    return {
        column.name: dict(zip(column.categories, _common_texts(column, needs), strict=True))
        for column in columns
        if rare_categories(column, needs).any()
    }


def with_replaced(table: Table, replaced: Mapping[str, Mapping[str, str]]) -> Table:
    """Return the table with the replacements of `common_categories`; categories without a replacement stay."""
    columns = []
    for name, texts in replaced.items():
        column = table.column(name)
        written = tuple(texts.get(text, text) for text in column.categories)
        # Of a category that is in no row any more the place in the order is known all the same.
        order = tuple(dict.fromkeys([*texts.values(), *written])) if column.kind == "ordinal" else None
        columns.append(in_generalised_texts(column, written, order))
    return table.replacing(*columns)


def _are_rare(texts: Sequence[str], column: Column, needs: Ints) -> Bools:
    """Return for each category whether too few people have its text, given the text written for each category."""
    _, group = np.unique(np.array(texts, dtype=object).astype(str), return_inverse=True)
    group = group.reshape(-1)
    present = column.category_codes >= 0
    of_row = group[column.category_codes[present]]
    count = np.bincount(of_row, minlength=len(group))
    asked = np.full(len(group), np.iinfo(np.int64).max)
    np.minimum.at(asked, of_row, needs[present])
    return np.asarray(((count > 0) & (count < asked))[group])


def _common_texts(column: Column, needs: Ints) -> list[str]:
    """Return the text that replaces each category, the category itself where it is common."""
    texts = list(column.categories)
    rare = _are_rare(texts, column, needs)
    for broader in _broader_texts(column):
        for code in np.flatnonzero(rare).tolist():
            texts[code] = broader[code]
        rare = _are_rare(texts, column, needs)
    common = np.flatnonzero(~rare)
    if rare.any() and column.kind == "ordinal" and len(common):
        for code in np.flatnonzero(rare).tolist():
            texts[code] = texts[int(common[np.argmin(np.abs(common - code))])]
    elif rare.any():
        for code in np.flatnonzero(rare).tolist():
            texts[code] = OTHER
        if _are_rare(texts, column, needs).any():
            frequent = texts[int(common[np.argmax(column.category_counts[common])])]
            texts = [frequent if text == OTHER else text for text in texts]
    return texts


def _broader_texts(column: Column) -> list[tuple[str, ...]]:
    """Return the generalised texts of all categories, narrowest first; empty where the column has no rule for them."""
    if column.kind == "ordinal":
        return []
    tree, names = column.hierarchy, column.categories
    if tree is not None and all(name in tree.generalised for name in names):
        return [tuple(tree.at(name, level) for name in names) for level in range(1, tree.height + 1)]
    length = code_length(column)
    return [] if length is None else [first_characters(column, kept) for kept in range(length - 1, 0, -1)]
