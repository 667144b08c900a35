"""What runs in the window's threads is followed where coverage is measured (tests/shared/measured_threads.py)."""

from __future__ import annotations

import sys
import threading
from types import FrameType
from typing import Any

from measured_threads import measured
from PySide6.QtCore import QThread


def _double(number: int) -> int:
    return 2 * number


class _Thread(QThread):
    def run(self) -> None:
        self.found = measured(_double)(21)
        self.after = sys.gettrace()


def test_what_runs_in_a_thread_of_qt_is_followed_and_nothing_after_it() -> None:
    seen: list[str] = []

    def follow(frame: FrameType, event: str, argument: Any) -> None:
        seen.append(frame.f_code.co_name)

    before = threading.gettrace()
    threading.settrace(follow)
    try:
        thread = _Thread()
        thread.start()
        assert thread.wait(20_000)
    finally:
        threading.settrace(before)
    assert "_double" in seen
    assert (thread.found, thread.after) == (42, None)


def test_work_stays_as_it_is_where_nothing_is_measured() -> None:
    before = threading.gettrace()
    threading.settrace(None)
    try:
        assert measured(_double) is _double
    finally:
        threading.settrace(before)
