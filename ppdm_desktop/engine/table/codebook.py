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
    """Return whether the cells of a column hold labels rather than codes; ``texts`` are those that are not missing."""
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

    A scale is what the file calls one, or a column with labels that are their own codes, as where only the ends of a
    scale from 0 to 10 have words. It is None, too, where a text is no label or there are too few.

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
