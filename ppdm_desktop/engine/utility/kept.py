"""What was worked out before, kept by the content of what it was worked out from: nothing is learned twice.

Candidates of one table share the original's side, and often much of the released one. The key holds a hash of
everything that a result follows from, so what is kept can never be that of something else.
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

Found = TypeVar("Found", Ints, Floats)
Said = TypeVar("Said", bound=BaseModel)
Thing = TypeVar("Thing")
MOST_BYTES = 48_000_000
"""What is kept at most; what was asked for longest ago goes first."""


class Kept:
    """Arrays, and parts of reports, by key, up to so many bytes; threads may ask at the same time.

    Parameters
    ----------
    most_bytes
        Of all together.
    """

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        self._most, self._held = most_bytes, 0
        self._found: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Hashable, find: Callable[[], Found]) -> Found:
        """Return what is kept under a key, found and kept now where it is not; what raises leaves nothing behind."""

        def frozen() -> tuple[Found, int]:
            array = find().copy()
            array.flags.writeable = False
            return array, array.nbytes

        return self.sized(key, frozen)

    def report(self, key: Hashable, find: Callable[[], Said]) -> Said:
        """Return the part of a report that is kept under a key, as ``get`` does; nobody may change it."""

        def sized() -> tuple[Said, int]:
            model = find()
            return model, len(model.model_dump_json())

        return self.sized(key, sized)

    def sized(self, key: Hashable, find: Callable[[], tuple[Thing, int]]) -> Thing:
        """Return what is kept under a key, found with its size in bytes where it is not; nobody may change it."""
        with self._lock:
            entry: tuple[Thing, int] | None = self._found.get(key)
            if entry is not None:
                self._found.move_to_end(key)
                before: Thing = entry[0]
                return before
        # Not under the lock: two threads that want the same find it twice, and the same.
        thing, size = find()
        with self._lock:
            if key not in self._found:
                self._found[key] = thing, size
                self._held += size
            while self._held > self._most:
                _, (_, gone) = self._found.popitem(last=False)
                self._held -= gone
        return thing

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._found.clear()
            self._held = 0

    @property
    def held(self) -> int:
        """Bytes that are kept now."""
        return self._held


KEPT = Kept()
"""For the whole program: a candidate's analyses find what those of the candidates before it learned."""


def content_of(*arrays: AnyInts | Floats | Bools) -> bytes:
    """Return a hash of arrays: of their values, types and shapes."""
    digest = hashlib.sha256()
    for array in arrays:
        digest.update(f"{array.dtype.str}{array.shape}".encode())
        digest.update(np.ascontiguousarray(array).data)
    return digest.digest()
