"""True values mapped to released texts, for attacks on a release in which values are written in a broader form.

An intruder who knows that a person is 34 looks for 34 in a release of single years, and for ``[30, 40)`` in a release
of ranges. Compared as texts the two never agree, so that an attack would find nobody and prove nothing.

Where one value is written in several ways (here a range, there a wider one), the intruder would consider every range
that holds the value. Only the person's own range is used, which makes the attack no weaker than it is. A wholly
hidden cell (empty, or ``*``) is not looked for; singling out lets it match every value.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.measures.generalised_columns import is_coarsened, is_generalised
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.hierarchies import ANYTHING
from ppdm_desktop.engine.table.ranges import range_ends
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.utility.whole_table import Compared


def to_released_texts(candidate: Candidate, both: Compared) -> Compared:
    """Return the columns with each true value replaced by the released text that contains it, where texts are broader.

    Example: 34 becomes ``[30, 40)``. ``both`` itself is returned where released rows are not source rows:
    `match_source_columns` has already replaced the values it could.
    """
    if both.twins is None:
        return both
    there = np.flatnonzero(both.twins >= 0).astype(np.int64)
    twins = both.twins[there]
    before = tuple(
        _map_to_released_texts(
            source,
            released,
            there,
            twins,
            declared=is_generalised(candidate, released.name),
            coarsened=is_coarsened(candidate, released.name),
        )
        for source, released in zip(both.before, both.after, strict=True)
    )
    return replace(both, before=before)


def _map_to_released_texts(
    column: Column, released: Column, there: Ints, twins: Ints, *, declared: bool, coarsened: bool
) -> Column:
    """Return a source column with its values replaced by the released texts, or the column itself.

    The column itself is returned where released texts may not be broader (`_may_be_generalised`). Unless ``declared``,
    it is also returned where neither each released text visibly contains its value, nor each value has one released
    text that some share. If every released cell is hidden (``*`` or empty), all source cells become hidden as well. If
    each value became one text, it is replaced in all rows. If any became several, values are replaced only in the rows
    whose released cell is not hidden.

    Parameters
    ----------
    column, released
        The column in the source (all rows), and as released.
    there, twins
        Indices of corresponding rows of the source and of the release.
    declared
        Whether the steps are known to have generalised the column and nothing else.
    coarsened
        Whether its numbers are known to be rounded, or grouped at their ends (top and bottom coding).
    """
    if not _may_be_generalised(column, released, coarsened=coarsened):
        return column
    first, second, names = merged_categories(column, released)
    progress.check()
    true, seen = first[there], second[twins]
    hidden = np.array([*(is_hidden(name) for name in names), True])
    present = (true >= 0) & ~hidden[seen]
    if len(there) and not present.any() and (true >= 0).any():
        # Nothing of the column is left, and nobody looks for anything in it.
        return replace(released, codes=np.full(len(column), released.codes[twins[0]], dtype=np.int32))
    size = len(names)
    progress.check()
    pairs = np.unique(true[present] * size + seen[present])
    progress.check()
    values, released_codes = pairs // size, pairs % size
    one_word = len(np.unique(values)) == len(values)
    joined = len(np.unique(released_codes)) < len(released_codes)
    # Another name for every value may be a pseudonym, which nobody can look up.
    if not (declared or (one_word and joined) or _is_every_value_covered(names, values, released_codes)):
        return column
    progress.check()
    codes = first.copy()
    if one_word:
        into = np.arange(size + 1, dtype=np.int64)
        into[-1], into[values] = -1, released_codes
        codes = into[first]
    else:
        codes[there[present]] = seen[present]
    return _build_text_column(column, released, codes, names)


def _may_be_generalised(column: Column, released: Column, *, coarsened: bool) -> bool:
    """Return whether released texts may stand for broader values than the source's.

    They cannot if a column is free text. Apart from that they can if the column is ``coarsened`` (its numbers are known
    to be rounded, or grouped at their ends) or if every released cell is empty. Otherwise they can if one of the
    columns is not numeric and some released text is no value of the source.
    """
    both_numbers = column.kind == released.kind == "numeric" and not released.missing.all()
    if "text" in (column.kind, released.kind) or (both_numbers and not coarsened):
        return False
    progress.check()
    source_values = frozenset(column.categories)
    progress.check()
    return coarsened or not released.categories or not source_values.issuperset(released.categories)


def is_hidden(text: str) -> bool:
    """Return whether a text hides the value wholly, such as ``*``; an empty text does not."""
    return ANYTHING in text and set(text.strip()) == {ANYTHING}


def _is_every_value_covered(names: tuple[str, ...], values: Ints, codes: Ints) -> bool:
    """Return whether each released text visibly contains the value it stands for, as a range contains a number.

    ``values`` and ``codes`` have the same length: the indices into ``names`` of a value, and of its released text.
    """
    return all(
        _is_value_covered(names[word], names[value])
        for value, word in zip(values.tolist(), codes.tolist(), strict=True)
    )


def _is_value_covered(word: str, value: str) -> bool:
    """Return whether the text ``word`` contains the text ``value`` literally, or is a range that covers it.

    "[30, 40)" covers "34" and "[30, 35)", and "A or B" contains "A".
    """
    if value in word:
        return True
    ends, inside = range_ends(word), range_ends(value)
    return ends is not None and inside is not None and ends[0] <= inside[0] and inside[1] <= ends[1]


def _build_text_column(column: Column, released: Column, codes: Ints, names: tuple[str, ...]) -> Column:
    """Return a column whose values are released texts.

    It has the released column's kind and order if every text that occurs is a released one, else it is nominal without
    an order. It is numeric only if both columns are. ``codes`` are indices into ``names`` for each row, -1 where
    missing.
    """
    gap = min(column.missing_texts, default="")
    used = {names[code] for code in np.unique(codes[codes >= 0]).tolist()}
    fits = used <= set(released.categories)
    return replace(
        column,
        codes=np.where(codes < 0, len(names), codes).astype(np.int32),
        texts=(*names, gap),
        missing_texts=column.missing_texts | {gap},
        kind=released.kind if fits and (released.kind != "numeric" or column.kind == "numeric") else "nominal",
        order=released.order if fits else None,
        style=released.style if fits and column.kind == "numeric" else None,
        bounds=None,
        date_format=None,
        labels_ordered=False,
    )
