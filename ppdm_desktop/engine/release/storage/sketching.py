"""Computes the keyed sketch of a source's rows (see ``source_sketch``) and the profiles of its columns.

Source: P. Li, A. Owen and C.-H. Zhang, One permutation hashing, NIPS 2012.
"""

from __future__ import annotations

import hashlib

import numpy as np

from ppdm_desktop.engine.recipe.carry_over import HASHES, Profile
from ppdm_desktop.engine.release.storage.source_sketch import NUMBERS, SourceSketch
from ppdm_desktop.engine.table.column import Column, Table

_LONGEST = 24
"""Texts of at most so many characters are hashed all at once."""
_EMPTY = np.uint64(2**64 - 1)
_SHIFT = np.uint64(64 - 7)


def sketch_of(table: Table, key: bytes) -> SourceSketch:
    """Return the sketch of a table: keyed hashes of a sample of its rows, by which versions of a source are recognised.

    It depends on the names of the columns and the texts of the cells, but not on the order of rows and columns. A row
    that occurs three times counts three times.

    Parameters
    ----------
    table
        All rows and columns of the source as read; at least one row.
    key
        Secret bytes of this computer, without which nobody can test whether a row is in the source.
    """
    hashes = np.zeros(table.rows, dtype=np.uint64)
    for column in table.columns:
        hashes += _mix_bits(_hashed_texts(column, key, column.name)[column.codes])
    hashes = np.sort(hashes)
    is_first = np.append(True, hashes[1:] != hashes[:-1])[: table.rows]
    starts = np.flatnonzero(is_first)
    sizes = np.diff(np.append(starts, table.rows))
    # Equal rows get a running number, so that their multiplicity counts.
    number_among_equals = np.arange(table.rows) - np.repeat(starts, sizes)
    members = _mix_bits(hashes + np.uint64(0x9E3779B97F4A7C15) * (number_among_equals + 1).astype(np.uint64))
    smallest = np.full(NUMBERS, _EMPTY)
    np.minimum.at(smallest, (members >> _SHIFT).astype(np.int64), members)
    # Of two Poisson counts about m the smaller one is m - sqrt(m / pi) on average.
    repeated = sizes[sizes > 1]
    by_chance = float((repeated - np.sqrt(repeated / np.pi)).sum() / max(table.rows, 1))
    return SourceSketch(table.rows, smallest.astype(">u8").tobytes().hex(), by_chance)


def profile_of(column: Column, key: bytes | None) -> Profile:
    """Return the profile of a column by which it is found in another file; without a key there are no hashes of values.

    It has the kind, the share of missing cells (0 to 1), the binary logarithm of the number of different values,
    missing ones left out (0 if there is none), and 64 hashes. Each value is hashed in proportion to its share of the
    cells, so that columns with the same few values but other shares differ. The column's name does not count.
    """
    is_missing = np.array([text in column.missing_texts for text in column.texts], dtype=np.bool_)
    counts = np.bincount(column.codes, minlength=len(column.texts))
    used = np.flatnonzero((counts > 0) & ~is_missing)
    present = int(counts[used].sum())
    missing, distinct = 1.0 - present / max(len(column), 1), float(np.log2(max(len(used), 1)))
    if key is None:
        return Profile(column.kind, missing, distinct)
    times = np.maximum(np.round(HASHES * counts[used] / max(present, 1)), 1).astype(np.int64)
    number_among_equals = np.arange(int(times.sum())) - np.repeat(np.cumsum(times) - times, times)
    hashed = np.repeat(_hashed_texts(column, key, "")[used], times)
    members = _mix_bits(hashed + np.uint64(0x9E3779B97F4A7C15) * (number_among_equals + 1).astype(np.uint64))
    smallest = np.full(HASHES, _EMPTY)
    np.minimum.at(smallest, (members >> np.uint64(64 - 6)).astype(np.int64), members)
    return Profile(column.kind, missing, distinct, (smallest >> np.uint64(26)).astype(">u4").tobytes().hex())


def _hashed_texts(column: Column, key: bytes, name: str) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return a keyed hash of each different text of a column together with ``name``, uint64, in the order of its texts.

    The same text has another hash under another name.
    """
    lengths = np.fromiter(map(len, column.texts), dtype=np.int64, count=len(column.texts))
    hashes = np.zeros(len(column.texts), dtype=np.uint64)
    seed = hashlib.blake2b(name.encode("utf-8", "surrogatepass"), key=key).digest()
    short = np.flatnonzero(lengths <= _LONGEST)
    if len(short):
        letters = np.array([column.texts[index] for index in short.tolist()], dtype=f"<U{_LONGEST}")
        weights = np.frombuffer(hashlib.shake_256(seed).digest(8 * (_LONGEST + 1)), dtype="<u8") | np.uint64(1)
        codes = letters.view("<u4").reshape(len(short), _LONGEST).astype(np.uint64)
        hashes[short] = codes @ weights[:-1] + weights[-1]
    for index in np.flatnonzero(lengths > _LONGEST).tolist():
        text = column.texts[index].encode("utf-8", "surrogatepass")
        hashes[index] = int.from_bytes(hashlib.blake2b(text, key=seed, digest_size=8).digest(), "big")
    return hashes


def _mix_bits(values: np.ndarray[tuple[int], np.dtype[np.uint64]]) -> np.ndarray[tuple[int], np.dtype[np.uint64]]:
    """Return hashes with their bits mixed: each bit depends on all bits of the input (end of SplitMix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
