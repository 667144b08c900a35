"""Pieces of a page: in order, never long in one turn, and dropped when others come."""

from __future__ import annotations

import time

import pytest
from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication
from ui_support import wait_until

from ppdm_desktop.ui.work.chunked_work import ChunkedWork


class Work:
    """Pieces that take some time of the processor and write down their names."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def quick(self) -> None:
        self.done.append("quick")

    def long(self) -> None:
        end = time.thread_time() + 0.02
        while time.thread_time() < end:
            pass
        self.done.append("long")


def test_short_pieces_are_done_at_once(qapp: QApplication) -> None:
    work, pieces = Work(), ChunkedWork(QObject(qapp))
    pieces.start([work.quick, work.quick])
    assert work.done == ["quick", "quick"]
    assert not pieces.at_work


def test_a_long_piece_leaves_the_rest_to_the_next_turns(qapp: QApplication) -> None:
    work, pieces = Work(), ChunkedWork(QObject(qapp))
    pieces.start([work.quick, work.long, work.long, work.quick])
    assert work.done == ["quick", "long"]
    assert pieces.at_work
    wait_until(lambda: not pieces.at_work, 5, "the pieces")
    assert work.done == ["quick", "long", "long", "quick"]


def test_new_pieces_replace_what_was_left_and_stop_drops_it(qapp: QApplication) -> None:
    work, pieces = Work(), ChunkedWork(QObject(qapp))
    pieces.start([work.long, work.long, work.long])
    pieces.start([work.quick])
    assert work.done == ["long", "quick"]
    assert not pieces.at_work
    pieces.start([work.long, work.long])
    pieces.stop()
    assert not pieces.at_work
    assert work.done == ["long", "quick", "long"]


def test_a_piece_that_fails_does_not_hold_up_others(qapp: QApplication) -> None:
    work, pieces = Work(), ChunkedWork(QObject(qapp))
    with pytest.raises(ZeroDivisionError):
        pieces.start([lambda: 1 // 0])
    pieces.start([work.quick])
    assert work.done == ["quick"]
