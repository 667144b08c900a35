"""Work beside the window makes and asks no object of Qt: it only emits signals.

With objects of Qt in two threads, Qt's locks and Python's can be taken in two orders, and both threads stand still for
ever: one release in some thousands did.
"""

from __future__ import annotations

import sys
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from flow_support import release_with_reasons
from protect_support import at_step
from PySide6.QtCore import QSize, Slot
from ui_support import FakeDialogs

from ppdm_desktop.ui.work import tasks

EMIT = "emit"


class Watched:
    """What a thread called of Qt, other than to emit a signal."""

    def __init__(self) -> None:
        self.calls: set[str] = set()
        self.emitted = 0

    def see(self, frame: FrameType, event: str, called: Any) -> None:
        if event != "c_call":
            return
        owner = getattr(called, "__self__", None)
        kind = owner if isinstance(owner, type) else type(owner)
        if f"{kind.__module__} {called.__module__}".find("PySide6") < 0:
            return
        if called.__name__ == EMIT:
            self.emitted += 1
        else:
            self.calls.add(f"{Path(frame.f_code.co_filename).name}:{frame.f_lineno} {kind.__name__}.{called.__name__}")


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> Watched:
    """Every thread of the window's work is watched."""
    found, original = Watched(), tasks._Worker.run

    def run(worker: tasks._Worker) -> None:  # Qt finds it by its name
        sys.setprofile(found.see)
        try:
            original(worker)
        finally:
            sys.setprofile(None)

    monkeypatch.setattr(tasks._Worker, "run", Slot()(run))
    return found


@pytest.mark.thorough
def test_from_the_file_to_the_release(window: Any, dialogs: FakeDialogs, tmp_path: Path, watched: Watched) -> None:
    person = at_step(window, dialogs, tmp_path, "release")
    person.type("edit_folder", str(tmp_path / "out"))
    release_with_reasons(person)
    assert (tmp_path / "out" / "internal" / "report.pdf").read_bytes().startswith(b"%PDF")
    assert watched.emitted > 20
    assert watched.calls == set()


def test_the_watch_sees_a_call(watched: Watched, qtbot: Any) -> None:
    runner = tasks.TaskRunner()
    runner.start("any", lambda: QSize(1, 2).width(), runner._on_finished)
    qtbot.waitUntil(lambda: not runner.is_running())
    assert [each.partition(" ")[2] for each in watched.calls] == ["QSize.width"]
