"""Which sentence of the catalogue stands on which picture.

While sentences are looked for, each ends in a mark of letters that are never drawn and have no width. What a widget
draws is drawn once more as vectors, which keep their texts, and the marks are read from these.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from html import unescape
from pathlib import Path
from typing import Any

from PySide6.QtCore import QBuffer, QByteArray
from PySide6.QtGui import QPixmap
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtWidgets import QWidget

from ppdm_desktop.engine.wording import catalogue
from ppdm_desktop.ui.state.session import STEPS
from tests.ui.photographs import watched

Key = tuple[str, str]
"""Context and English of a message."""
_DIGITS = "\u2061\u2062\u2063\u2064"
"""Invisible operators: no glyph, no width, and no line is broken at them."""
_LENGTH = 7
_MARK = re.compile(f"[{_DIGITS}]{{{_LENGTH}}}")
_CHANGING = ("-running", "-writing")
"""States under way: what they show hangs on the moment."""


class Marks:
    """Numbers the messages that are said, and finds them again in texts."""

    def __init__(self) -> None:
        self._numbers: dict[Key, int] = {}
        self._keys: list[Key] = []

    def of(self, key: Key) -> str:
        """Return the mark of a message."""
        if key not in self._numbers:
            self._numbers[key] = len(self._keys)
            self._keys.append(key)
        number, letters = self._numbers[key], ""
        for _ in range(_LENGTH):
            number, digit = divmod(number, len(_DIGITS))
            letters = _DIGITS[digit] + letters
        return letters

    def found(self, text: str) -> set[Key]:
        """Return the messages whose marks stand in a text."""
        numbers = (
            sum(_DIGITS.index(letter) * len(_DIGITS) ** place for place, letter in enumerate(reversed(mark)))
            for mark in _MARK.findall(text)
        )
        return {self._keys[number] for number in numbers if number < len(self._keys)}


@contextmanager
def marked(marks: Marks) -> Iterator[None]:
    """Have all that the window says end in its mark; documents, which speak a language of their own, do not."""
    unmarked: Callable[..., str] = catalogue.said

    def said(context: str, english: str, values: Any) -> str:
        words = unmarked(context, english, values)
        is_document = catalogue.language() != catalogue.program_language()
        return words if is_document or not words else words + marks.of((context, english))

    holders = [
        module
        for name, module in list(sys.modules.items())
        if name.startswith("ppdm_desktop.") and getattr(module, "said", None) is unmarked
    ]
    for module in holders:
        vars(module)["said"] = said
    try:
        yield
    finally:
        for module in holders:
            vars(module)["said"] = unmarked


def drawn_texts(widget: QWidget) -> str:
    """Return every text that a widget and what is in it draw."""
    kept = QByteArray()
    buffer = QBuffer(kept)
    paper = QSvgGenerator()
    paper.setOutputDevice(buffer)
    paper.setSize(widget.size())
    widget.render(paper)
    buffer.close()
    return unescape("\n".join(re.findall(r"<text[^>]*>(.*?)</text>", bytes(kept.data()).decode("utf-8"), re.S)))


def picture_name(name: str, setting: str) -> str:
    """Return the file of a picture: the pages by their numbers, whatever the setting."""
    name = name.replace(f"-{setting}", "")
    pages = ("welcome", *STEPS)
    place = next((place for place, page in enumerate(pages) if name.split("-")[0] == page), None)
    return f"{name}.png" if place is None else f"{place:02d}-{name}.png"


def seen_words(language: str, out: Path, only: str | None = None) -> dict[Key, list[str]]:
    """Photograph the window on the bundled sample; return on which pictures each message stands, in their order.

    Parameters
    ----------
    language
        What the window speaks.
    out
        Folder of the pictures.
    only
        A page, or the settings, the help, the tour; all without one.
    """
    from tests.ui.screenshots import PLAIN, make_application, make_data, take_all

    make_application()
    out.mkdir(parents=True, exist_ok=True)
    marks, places = Marks(), dict[Key, list[str]]()
    texts: list[str] = []
    with tempfile.TemporaryDirectory(prefix="ppdm-words-") as folder, marked(marks):
        path, roles = make_data("sample", Path(folder))
        for part in [only] if only is not None else [None, "tour"]:
            with watched(lambda widget: texts.append(drawn_texts(widget))):
                for name, picture in take_all(path, roles, Path(folder) / "window", PLAIN, part, None, language):
                    file = picture_name(name, PLAIN[0][0])
                    if not any(state in name for state in _CHANGING):
                        _keep(picture, out / file)
                        for key in sorted(marks.found("\n".join(texts))):
                            places.setdefault(key, []).append(file)
                    texts.clear()
    return places


def _keep(picture: QPixmap, file: Path) -> None:
    if not picture.save(str(file)):
        raise OSError(f"{file} could not be written")
