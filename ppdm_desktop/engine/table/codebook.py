"""Codes and their labels, as files of statistics programs keep them for the values of a column."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

_LEAST_RANKS = 3


class CodeLabel(NamedTuple):
    """A code of a column and what the file says it means."""

    code: str
    label: str


def shows_labels(codebook: Sequence[CodeLabel], texts: Sequence[str]) -> bool:
    """Return whether all given texts are labels of the codebook, so that the cells hold labels rather than codes.

    ``texts`` are those of the column that are not missing. False without a codebook.
    """
    return bool(codebook) and {label for _, label in codebook}.issuperset(texts)


def codes_shown(codebook: Sequence[CodeLabel], counts: Mapping[str, int], least: int) -> tuple[CodeLabel, ...]:
    """Return the codes of a column of which cells show the code or the label at least so many times.

    Parameters
    ----------
    codebook
        The column's.
    counts
        How many cells hold each text.
    least
        The smallest number of cells.
    """
    return tuple(pair for pair in codebook if max(counts.get(pair.code, 0), counts.get(pair.label, 0)) >= least)


def order_scale_labels(
    codebook: Sequence[CodeLabel], texts: Sequence[str], *, is_ranked: bool
) -> tuple[str, ...] | None:
    """Return the labels of a scale in the order of their codes; None where the codes have no order.

    Taken are the labels that occur. They have an order where the file says so; where three or more are the same as
    their codes; and where one is and half of the labels begin with their code, as "0 none", "1", "2", "10 all".
    None, too, where a text is no label, or fewer than three labels occur.

    Parameters
    ----------
    codebook
        In the order of the codes.
    texts
        The texts that occur and are not missing.
    is_ranked
        Whether the file says that the codes are in an order.
    """
    present = set(texts)
    ranks = [pair for pair in codebook if pair.label in present]
    if len(ranks) < _LEAST_RANKS or len(ranks) < len(present):
        return None
    bare = sum(code == label for code, label in ranks)
    numbered = sum(label.split(" ")[0].rstrip(".:=") == code for code, label in ranks)
    is_scale = bare >= _LEAST_RANKS or (bare > 0 and 2 * numbered >= len(ranks))
    return tuple(label for _, label in ranks) if is_ranked or is_scale else None
