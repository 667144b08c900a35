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
    """Return whether each text of a column is a label of the codebook, so that its cells hold labels, not codes.

    ``texts`` are the column's texts that are not missing. False without a codebook, else True without texts.
    """
    return bool(codebook) and {label for _, label in codebook}.issuperset(texts)


def list_codes_in_use(codebook: Sequence[CodeLabel], counts: Mapping[str, int], least: int) -> tuple[CodeLabel, ...]:
    """Return the codebook's entries whose code or whose label stands in at least ``least`` cells of the column.

    Parameters
    ----------
    codebook
        The column's codes and labels.
    counts
        How many cells hold each text.
    least
        The smallest number of cells.
    """
    return tuple(pair for pair in codebook if max(counts.get(pair.code, 0), counts.get(pair.label, 0)) >= least)


def order_scale_labels(
    codebook: Sequence[CodeLabel], texts: Sequence[str], *, is_ranked: bool
) -> tuple[str, ...] | None:
    """Return the labels that occur in a column in the order of their codes; None where the codes do not form a scale.

    The codes form a scale in three cases:

    - the file says so (``is_ranked``);
    - three or more of the labels that occur are the same as their codes;
    - at least one of them is its code, and at least half of them begin with theirs, as in "0 none", "1", "2", "10 all".

    A label of several codes stands at the first of them. None, too, where a text is no label of the codebook, or fewer
    than three codes have a label that occurs.

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
    if len(ranks) < _LEAST_RANKS or not present.issubset(pair.label for pair in ranks):
        return None
    bare = sum(code == label for code, label in ranks)
    numbered = sum(label.split(" ")[0].rstrip(".:=") == code for code, label in ranks)
    is_scale = bare >= _LEAST_RANKS or (bare > 0 and 2 * numbered >= len(ranks))
    return tuple(dict.fromkeys(label for _, label in ranks)) if is_ranked or is_scale else None
