"""A cache of computed results, by a hash of all data and settings that they depend on.

Candidates made from one table share the figures of the original, and often many of the released table. Because the key
covers everything that a result depends on, a cached result is never that of something else.
"""

from __future__ import annotations

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any, TypeVar

import numpy as np
from pydantic import BaseModel

from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints

Array = TypeVar("Array", Ints, Floats, Bools)
Model = TypeVar("Model", bound=BaseModel)
Thing = TypeVar("Thing")
MOST_BYTES = 48_000_000
"""Limit of the cache; the least recently used results are dropped first."""


class ResultCache:
    """A thread-safe cache of arrays and parts of reports, limited in bytes.

    Parameters
    ----------
    most_bytes
        Limit of the size of all cached results together, in bytes.

    Attributes
    ----------
    used_bytes
        Size of all currently cached results.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Create an empty cache."""
        self._most, self.used_bytes = most_bytes, 0
        self._results: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, find: Callable[[], Array]) -> Array:
        """Return the read-only array cached under a key; if it is not cached, compute it with ``find`` first.

        A copy is cached and returned, so the array that ``find`` returns may be changed later.
        """

        def frozen() -> tuple[Array, int]:
            """Return a read-only copy of the array that ``find`` returns, and its size in bytes."""
            array = find().copy()
            array.flags.writeable = False
            return array, array.nbytes

        return self.sized(key, frozen)

    def report(self, key: Hashable, find: Callable[[], Model]) -> Model:
        """Return the part of a report cached under a key, computed by ``find`` if needed; it must not be changed.

        The number of characters of its JSON text counts as its size in bytes.
        """

        def sized() -> tuple[Model, int]:
            """Return the part of a report that ``find`` computes, and the length of its JSON as its size."""
            model = find()
            return model, len(model.model_dump_json())

        return self.sized(key, sized)

    def sized(self, key: Hashable, find: Callable[[], tuple[Thing, int]]) -> Thing:
        """Return the object cached under a key; if it is not cached, compute it and its size in bytes with ``find``.

        Two threads that ask at the same time may both call ``find``; the first result is cached, each gets its own. If
        the limit is exceeded, the least recently used objects are removed; an object larger than the limit is returned,
        but empties the cache.
        """
        with self._lock:
            entry: tuple[Thing, int] | None = self._results.get(key)
            if entry is not None:
                self._results.move_to_end(key)
                before: Thing = entry[0]
                return before
        # Not under the lock: two threads that want the same find it twice, and the same.
        thing, size = find()
        with self._lock:
            if key not in self._results:
                self._results[key] = thing, size
                self.used_bytes += size
            while self.used_bytes > self._most:
                _, (_, gone) = self._results.popitem(last=False)
                self.used_bytes -= gone
        return thing

    def clear(self) -> None:
        """Empty the cache."""
        with self._lock:
            self._results.clear()
            self.used_bytes = 0


RESULTS = ResultCache()
"""The cache of the whole program: analyses of a candidate use what those of earlier candidates computed."""


def hash_arrays(*arrays: AnyInts | Floats | Bools) -> bytes:
    """Return the SHA-256 hash, 32 bytes, of the values, types and shapes of arrays in their order."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
