"""The text that all records of a class show in a column: a range, a set, a node of a hierarchy, or a middle value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.methods.algorithms.digits.scaled import scaled_texts, step_units, style_of
from ppdm_desktop.engine.methods.algorithms.generalisation.scales import Scale
from ppdm_desktop.engine.methods.algorithms.grouping.centres import compute_centres
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.generalised_texts import OR_MISSING, choose_separator, set_of, span_of
from ppdm_desktop.engine.table.hierarchies import ANYTHING
from ppdm_desktop.engine.table.public_grid import PublicGrid, public_grid

RANGES, CENTRE = "ranges", "centre"
_WORD = 62  # values of a set held in one whole number


@dataclass(frozen=True, eq=False)
class Grouping:
    """The records of each class.

    Attributes
    ----------
    ids
        Class of each record, from 0 to count - 1, none empty.
    count
        Number of classes.
    order, starts
        Records sorted by class, and where each class begins in this order.
    """

    ids: Ints
    count: int
    order: Ints
    starts: Ints

    @classmethod
    def of(cls, ids: Ints) -> Grouping:
        """Return the records sorted by class; ``ids`` is the class of each record, from 0 on."""
        sizes = np.bincount(ids)
        return cls(ids, len(sizes), np.argsort(ids, kind="stable"), np.cumsum(sizes) - sizes)

    def least(self, values: Ints) -> Ints:
        """Return the smallest value of each class, shape (classes,); ``values`` has one for each record."""
        return np.asarray(np.minimum.reduceat(values[self.order], self.starts))

    def most(self, values: Ints) -> Ints:
        """Return the largest value of each class, shape (classes,); ``values`` has one for each record."""
        return np.asarray(np.maximum.reduceat(values[self.order], self.starts))


def label_classes(scale: Scale, grouping: Grouping, how: str) -> Column:
    """Return the column in which all records of a class show the same text: a range, or with ``CENTRE`` a middle value.

    - A class with a single value keeps it.
    - A column of any kind whose hierarchy has all its values shows the lowest node above all values of the class.
    - Other numbers and dates show ``[low, high]`` of the class's values, rounded outwards to round numbers. The
      column's own lowest and highest value are never shown as the end of a range: the declared bound stands there, 0
      as the lower end of numbers that cannot be negative, or nothing (``≤ high``, ``≥ low``, ``*``).
    - Other ordered categories show ``[low, high]``, the ends included.
    - Other names show the set ``{a, b}`` of those present; ``*`` if all names of the column are present.

    If some of a class have no value, `` (?)`` is added to the text (not with ``CENTRE``); if none has, missing stays
    missing, and a column without values is returned as it is. The middle value is the mean of numbers (rounded to the
    column's step), the lower median of dates and ordered categories, and otherwise the most frequent value. With
    ``CENTRE``, the column keeps its kind. Otherwise, it becomes ordinal if it shows ranges, else nominal.

    Raises
    ------
    InputError
        When a text would be read as a missing value.
    """
    if not scale.texts:
        return scale.column
    missing = scale.ranks < 0
    beyond = len(scale.texts)
    low = grouping.least(np.where(missing, beyond, scale.ranks))
    high = grouping.most(scale.ranks)
    empty = high < 0
    gaps = grouping.most(missing.astype(np.int64)).astype(np.bool_) & ~empty
    low = np.where(empty, 0, low)
    high = np.where(empty, 0, high)
    if how == CENTRE:
        return _build_central_column(scale, grouping, empty)
    if scale.ancestors is not None:
        keys, texts = _label_nodes(scale, low, high)
    elif scale.is_ordered:
        keys, texts = _label_ranges(scale, low, high)
    else:
        keys, texts = _label_sets(scale, grouping, missing)
    # Twice as many texts: with and without members whose value is missing.
    both = [text for plain in texts for text in (plain, plain + OR_MISSING)]
    return _build_released_column(scale, grouping, 2 * keys + gaps, both, empty, ordered=scale.is_ordered)


def _label_ranges(scale: Scale, low: Ints, high: Ints) -> tuple[Ints, list[str]]:
    """Return for each class the index of its range, shape (classes,), and the text of every range.

    Classes with the same lowest and highest rank (``low``, ``high``, shape (classes,)) share a range. Ranges are sorted
    by the lowest rank, then by the highest. `_Ends.text` may round their ends or leave them open, so that two ranges
    may have the same text.
    """
    width = max(len(scale.texts), 1)
    distinct, keys = np.unique(low * width + high, return_inverse=True)
    ends = _Ends.of(scale)
    return keys.reshape(-1), [ends.text(int(key) // width, int(key) % width) for key in distinct]


@dataclass(frozen=True)
class _Ends:
    """How the ranges of one column are written.

    Attributes
    ----------
    texts
        Text of each rank.
    between
        Separator of the two ends.
    outer
        Text at the lowest and at the highest rank; None for an open end.
    is_open
        Whether ranges at the lowest or highest rank show the outer end or are open.
    grid
        Grid of round numbers or dates to which ends are rounded outwards; None for no rounding.
    """

    texts: Sequence[str]
    between: str
    outer: tuple[str | None, str | None]
    is_open: bool
    grid: PublicGrid | None = None

    @classmethod
    def of(cls, scale: Scale) -> _Ends:
        """Return how the ranges of a column are written: its texts, separator, outer ends and rounding.

        The outer ends are the declared bounds of numbers, or 0 for numbers that cannot be negative, else open. Ordered
        categories have neither outer ends nor a grid.
        """
        column = scale.column
        if column.kind == "ordinal":
            return cls(scale.texts, "", (None, None), False)
        outer: tuple[str | None, str | None] = (None, None)
        between = ", "
        if column.kind == "numeric":
            mark = style_of(column).decimal
            between = "; " if mark == "," else ", "
            if column.bounds is not None:
                outer = tuple(f"{bound:.15g}".replace(".", mark) for bound in column.bounds)  # type: ignore[assignment]
            elif column.not_negative:
                outer = ("0", None)  # that follows from its meaning, and from nobody's value
        return cls(scale.texts, between, outer, True, public_grid(column))

    def text(self, low: int, high: int) -> str:
        """Return the text of the range from one rank to another, both included.

        A single rank has its own text; several ordered categories become ``[low, high]``. Numbers and dates become
        ``[low, high]``, rounded outwards to the grid if there is one. At the lowest or highest rank, the outer end is
        shown instead; without one the range is open (``≤ 20``, ``≥ 90``, ``*`` for all).
        """
        if low == high:
            return self.texts[low]
        least, most = self.texts[low], self.texts[high]
        if not self.is_open:
            return span_of(least, most)
        if self.grid is not None:
            least, most = self.grid.text_down(least), self.grid.text_up(most)
        first = self.outer[0] if low == 0 else least
        last = self.outer[1] if high == len(self.texts) - 1 else most
        if first is None and last is None:
            return ANYTHING
        if first is None:
            return f"≤ {last}"
        return f"≥ {first}" if last is None else f"[{first}{self.between}{last}]"


def _label_nodes(scale: Scale, low: Ints, high: Ints) -> tuple[Ints, list[str]]:
    """Return for each class the index of its text, and the texts: the lowest node above all its values.

    The nodes are those of the column's hierarchy; for a class with one value it is the value itself. ``low`` and
    ``high`` are the lowest and highest rank of each class, shape (classes,).
    """
    tree, ancestors = scale.column.hierarchy, scale.ancestors
    assert tree is not None
    assert ancestors is not None
    level = np.argmax(np.array([row[low + 1] == row[high + 1] for row in ancestors]), axis=0)
    width = max(len(scale.texts), 1)
    first = np.zeros(len(low), dtype=np.int64)
    for at in range(len(ancestors)):
        mine = level == at
        first[mine] = np.searchsorted(ancestors[at, 1:], ancestors[at, low[mine] + 1])
    distinct, keys = np.unique(level * width + first, return_inverse=True)
    texts = [tree.at(scale.texts[int(key) % width], int(key) // width) for key in distinct]
    return keys.reshape(-1), texts


def _label_sets(scale: Scale, grouping: Grouping, missing: Bools) -> tuple[Ints, list[str]]:
    """Return for each class the index of its set of values, and the texts of the sets.

    An empty set has an empty text, a single value its own text, and the set of all values the text ``*``; others list
    their values in alphabetical order. ``missing`` marks rows without a value, which are in no set.
    """
    rank_of = {text: rank for rank, text in enumerate(sorted(scale.texts))}
    by_text = np.array([rank_of[text] for text in scale.texts] or [0], dtype=np.int64)
    bits = by_text[np.maximum(scale.ranks, 0)]
    bit_words, keys = [], np.zeros(grouping.count, dtype=np.int64)
    for first in range(0, max(len(scale.texts), 1), _WORD):
        progress.check()
        inside = ~missing & (bits >= first) & (bits < first + _WORD)
        flags = np.where(inside, np.int64(1) << np.where(inside, bits - first, 0), 0)
        word = np.bitwise_or.reduceat(flags[grouping.order], grouping.starts)
        bit_words.append(word)
        distinct, code = np.unique(word, return_inverse=True)
        _, keys = np.unique(keys * len(distinct) + code.reshape(-1), return_inverse=True)
        keys = keys.reshape(-1).astype(np.int64)
    count = int(keys.max(initial=-1)) + 1
    group_of_key = np.zeros(count, dtype=np.int64)
    group_of_key[keys] = np.arange(grouping.count)
    names, between = sorted(scale.texts), choose_separator(scale.texts)
    texts = []
    for members in progress.each(list(zip(*(word[group_of_key].tolist() for word in bit_words), strict=True))):
        member_names = [
            names[index * _WORD + bit] for index, word in enumerate(members) for bit in _list_set_bits(word)
        ]
        if len(member_names) < 2:
            texts.append("".join(member_names))
        else:
            texts.append(ANYTHING if len(member_names) == len(names) else set_of(member_names, between))
    return keys, texts


def _list_set_bits(word: int) -> Iterator[int]:
    """Yield the positions of the set bits of a number, lowest first."""
    while word:
        lowest = word & -word
        yield lowest.bit_length() - 1
        word ^= lowest


def _build_central_column(scale: Scale, grouping: Grouping, empty: Bools) -> Column:
    """Return the column in which each class shows the mean, the median or the most frequent of its values.

    Numbers show the mean, rounded half up to the column's step, dates and ordered categories the median, names the most
    frequent value. The column keeps its kind. The median of an even number of values is the lower one. Of names equally
    frequent in the class, the one most frequent in the whole column counts (with a hierarchy, the first in its order).
    Classes without a value, marked in ``empty``, stay missing. A column without any value is returned unchanged.
    InputError if a shown value would be read as a missing one.
    """
    column, has_value = scale.column, scale.ranks >= 0
    keys = np.zeros(grouping.count, dtype=np.int64)
    if not has_value.any():
        return column
    class_ids = grouping.ids[has_value]
    present, dense = np.unique(class_ids, return_inverse=True)
    dense = dense.reshape(-1)
    if column.kind == "numeric":
        style = style_of(column)
        values = compute_centres(column.scaled[has_value], dense, step_units(style), "mean")
        distinct, distinct_index = np.unique(values, return_inverse=True)
        keys[class_ids] = distinct_index.reshape(-1)
        texts = scaled_texts(distinct.tolist(), style.decimals, style.decimal)
        made = _build_released_column(scale, grouping, keys, texts, empty, ordered=False)
        return replace(made, kind="numeric", order=None, style=column.style, bounds=column.bounds)
    width = len(scale.texts)
    if column.kind == "nominal":
        cells, counts = np.unique(dense * width + scale.ranks[has_value], return_counts=True)
        order = np.lexsort((cells, -counts, cells // width))
        first = np.unique((cells // width)[order], return_index=True)[1]
        keys[present] = cells[order[first]] % width
    else:
        order = np.lexsort((scale.ranks[has_value], dense))
        sizes = np.bincount(dense)
        keys[present] = scale.ranks[has_value][order][np.cumsum(sizes) - sizes + (sizes - 1) // 2]
    made = _build_released_column(scale, grouping, keys, list(scale.texts), empty, ordered=False)
    return replace(made, kind=column.kind, order=column.order, date_format=column.date_format)


def missing_text(column: Column) -> str:
    """Return the text that most missing cells of a column have; empty if it has no text for missing values.

    Of equally frequent texts, it is the empty text if that is among them, otherwise the first in the alphabet.
    """
    uses = np.bincount(column.codes, minlength=len(column.texts))
    marks = sorted(column.missing_texts, key=lambda text: (text != "", text))
    uses_of = {text: int(uses[code]) for code, text in enumerate(column.texts) if text in column.missing_texts}
    return max(marks, key=lambda text: uses_of.get(text, 0)) if marks else ""


def _build_released_column(
    scale: Scale, grouping: Grouping, keys: Ints, texts: Sequence[str], empty: Bools, *, ordered: bool
) -> Column:
    """Return the column in which each class shows ``texts[keys[class]]``; classes marked in ``empty`` stay missing.

    ``keys`` and ``empty`` have shape (classes,). All missing cells get the text of `missing_text`. The column becomes
    ordinal in the order of ``texts`` if ``ordered``, else nominal. InputError if a shown text would be read as a
    missing value.
    """
    column = scale.column
    used = np.zeros(len(texts) + 1, dtype=np.bool_)
    used[keys[~empty]] = True
    if empty.any():
        used[-1] = True
    kept = [texts[code] for code in np.flatnonzero(used[:-1]).tolist()]
    if not column.missing_texts.isdisjoint(kept):
        raise InputError("error.numeric.becomes-missing", column=column.name)
    text_index = np.cumsum(used, dtype=np.int64) - 1
    codes = np.where(empty, text_index[-1], text_index[keys])[grouping.ids].astype(np.int32)
    everything = [*kept, missing_text(column)] if used[-1] else kept
    index: dict[str, int] = {}
    merged = np.array([index.setdefault(text, len(index)) for text in everything], dtype=np.int32)
    return replace(
        column,
        codes=merged[codes] if len(merged) else codes,
        texts=tuple(index),
        missing_texts=column.missing_texts or frozenset({""}) if used[-1] else column.missing_texts,
        kind="ordinal" if ordered else "nominal",
        order=tuple(dict.fromkeys(kept)) if ordered else None,
        style=None,
        bounds=None,
        date_format=None,
        hierarchy=None,
        labels_ordered=False,
    )
