"""Helpers of the window's tests: scripted dialogs, finding widgets, and sessions filled from data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget


@dataclass(frozen=True)
class Asked:
    """One thing the program asked."""

    kind: str
    title: str
    text: str = ""
    buttons: tuple[str, ...] = ()
    default: str = ""


class FakeDialogs:
    """Answers from a script, in order; keeps what was asked.

    >>> dialogs.will("open_file", path)   # the next file dialog returns path (None = cancelled)
    >>> dialogs.will("ask", "stop")       # the next question is answered with the button "stop"
    """

    def __init__(self) -> None:
        self.asked: list[Asked] = []
        self.shown: list[Path] = []
        self._answers: list[tuple[str, Any]] = []

    def will(self, kind: str, answer: Any) -> None:
        """Script the next answer: ``open_file``, ``save_file``, ``folder`` or ``ask``."""
        self._answers.append((kind, answer))

    def left(self) -> list[tuple[str, Any]]:
        """Return the answers that nobody asked for yet."""
        return list(self._answers)

    def _answer(self, asked: Asked) -> Any:
        self.asked.append(asked)
        if not self._answers:
            raise AssertionError(f"nobody scripted an answer to: {asked}")
        kind, answer = self._answers.pop(0)
        if kind != asked.kind:
            raise AssertionError(f"scripted {kind}, but the program asked: {asked}")
        return answer

    # --- what the program calls ---------------------------------------------------------

    def open_file(self, parent: QWidget, title: str, filters: str) -> Path | None:
        return self._answer(Asked("open_file", title, filters))  # type: ignore[no-any-return]

    def save_file(self, parent: QWidget, title: str, suggestion: Path, filters: str) -> Path | None:
        return self._answer(Asked("save_file", title, str(suggestion)))  # type: ignore[no-any-return]

    def folder(self, parent: QWidget, title: str, start: Path) -> Path | None:
        return self._answer(Asked("folder", title, str(start)))  # type: ignore[no-any-return]

    def ask(self, parent: QWidget, question: str, text: str, buttons: Sequence[tuple[str, str]], default: str) -> str:
        keys = tuple(key for key, _ in buttons)
        answer = self._answer(Asked("ask", question, text, keys, default))
        assert answer in keys, f"{answer} is none of {keys}"
        return str(answer)

    def open_folder(self, path: Path) -> None:
        self.shown.append(path)

    def open_document(self, path: Path) -> None:
        self.shown.append(path)


def find(parent: QObject, name: str) -> Any:
    """Return the one widget of an object name."""
    found = parent.findChildren(QWidget, name)
    assert found, f"no widget is named {name}"
    assert len(found) == 1, f"{len(found)} widgets are named {name}"
    return found[0]
