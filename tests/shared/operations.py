"""A recorder of file operations: what was written, flushed, renamed, in which order."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ppdm_desktop.engine.files import exchange as exchanging
from ppdm_desktop.engine.release.storage import disk


@dataclass
class Recorder:
    """Operations in their order: (``write`` | ``sync`` | ``rename`` | ``swap``, path, new path)."""

    events: list[tuple[str, str, str]] = field(default_factory=list)
    _open: dict[int, str] = field(default_factory=dict)

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Note what goes through the operating system's own calls."""
        with pytest.MonkeyPatch.context() as patch:
            self._watch(patch)
            yield

    def _watch(self, patch: pytest.MonkeyPatch) -> None:
        opened, closed, wrote, synced = os.open, os.close, os.write, os.fsync
        moved, replaced, swapped = os.rename, os.replace, exchanging.exchange

        def open_(path: object, *given: Any, **named: Any) -> int:
            number = opened(path, *given, **named)  # type: ignore[arg-type]
            self._open[number] = os.path.abspath(str(path))
            return number

        def close(number: int) -> None:
            self._open.pop(number, None)
            closed(number)

        def write(number: int, data: bytes) -> int:
            self._note("write", number)
            return wrote(number, data)

        def fsync(number: int) -> None:
            synced(number)
            self._note("sync", number)

        def rename(old: Path, new: Path) -> None:
            moved(old, new)
            self._move("rename", old, new)

        def replace(old: Path, new: Path) -> None:
            replaced(old, new)
            self._move("rename", old, new)

        def swap(one: Path, other: Path) -> bool:
            done = swapped(one, other)
            if done:
                self._move("swap", one, other)
            return done

        for name, ours in (("open", open_), ("close", close), ("write", write), ("fsync", fsync)):
            patch.setattr(os, name, ours)
        patch.setattr(os, "rename", rename)
        patch.setattr(os, "replace", replace)
        patch.setattr(disk, "exchange", swap)

    def _note(self, what: str, number: int) -> None:
        if number in self._open:
            self.events.append((what, self._open[number], ""))

    def _move(self, what: str, old: object, new: object) -> None:
        self.events.append((what, os.path.abspath(str(old)), os.path.abspath(str(new))))

    def unsafe(self) -> list[str]:
        """Return what a power cut could lose: files renamed before they were flushed, names never flushed."""
        found, on_windows = [], os.name == "nt"
        for at, (what, old, new) in enumerate(self.events):
            if what not in ("rename", "swap") or Path(new).suffix == ".old":
                continue
            before, after = self.events[:at], self.events[at + 1 :]
            written = {path for kind, path, _ in before if kind == "write"}
            wrote = {path for path in written if path == old or Path(old) in Path(path).parents}
            for path in sorted(wrote):
                last = max(n for n, (kind, each, _) in enumerate(before) if kind == "write" and each == path)
                if ("sync", path, "") not in before[last:]:
                    found.append(f"{path} was put in its place before it was flushed")
                # Windows flushes no folders.
                if path != old and not on_windows and ("sync", str(Path(path).parent), "") not in before[last:]:
                    found.append(f"the folder of {path} was put in its place before it was flushed")
            if wrote and not on_windows and ("sync", str(Path(new).parent), "") not in after:
                found.append(f"the name {new} was never flushed")
        return found
