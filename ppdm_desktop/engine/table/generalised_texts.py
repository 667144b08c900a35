"""Writing a column in coarser texts, one for each of its categories."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppdm_desktop.engine.table.column import Column


def in_generalised_texts(column: Column, texts: tuple[str, ...], order: tuple[str, ...] | None) -> Column:
    """Return a column with another text for each category; missing cells keep theirs.

    Parameters
    ----------
    column
        The column before.
    texts
        The coarser text of each of ``column.categories``; several may be alike.
    order
        All coarser texts, lowest first, where they are ordered; else None.
    """
    present = set(texts)
    names = [text for text in order or sorted(present) if text in present]
    gone = [text for text in column.texts if text in column.missing_texts]
    place = {text: code for code, text in enumerate([*names, *gone])}
    of_category = np.array([place[text] for text in texts] or [0], dtype=np.int32)
    of_text = np.array([place.get(text, 0) for text in column.texts] or [0], dtype=np.int32)
    codes = np.where(column.missing, of_text[column.codes], of_category[np.maximum(column.category_codes, 0)])
    return replace(
        column,
        codes=codes.astype(np.int32),
        texts=tuple(place),
        kind="ordinal" if order is not None else "nominal",
        order=tuple(names) if order is not None else None,
        style=None,
        bounds=None,
        date_format=None,
        hierarchy=None,
        labels_ordered=False,
    )
