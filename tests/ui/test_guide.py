"""The printable guide: built small in each language, and read back as a reader would."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from delivery.guide import Shown, guide_chapters, guide_title, write_guide
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication
from report_cases import pages_of
from ui_support import FakeDialogs, Person

from ppdm_desktop import __version__
from ppdm_desktop.engine.wording.catalogue import list_languages, speak_language
from ppdm_desktop.ui.pdf.letters import replace_missing_letters
from ppdm_desktop.ui.shell import window as shell_window
from ppdm_desktop.ui.shell.window import guide_file
from ppdm_desktop.ui.state.help_topics import find_topic, topic_ids
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.state.tour import STOPS

CHAPTERS = 8

BESIDE = ("attacks", "gate", "record", "help", "console")


def squeezed(text: str) -> str:
    return re.sub(r"[\s\u200b\u00a0]+", "", text)


def small_picture(number: int) -> QImage:
    """Return a picture unlike any other, with a few letters' worth of colours."""
    image = QImage(64, 40, QImage.Format.Format_RGB32)
    image.fill(QColor(10 + number, 120, 200 - number))
    painter = QPainter(image)
    painter.fillRect(4, 4, 20, 12, QColor("#ffffff"))
    painter.end()
    return image


def small_matter() -> Shown:
    """Return what the guide shows, with small pictures in place of the window's."""
    names = [*(f"stop.{stop.id}" for stop in STOPS), *(f"page.{page}" for page in ("welcome", *STEPS)), *BESIDE]
    pictures = {name: small_picture(number) for number, name in enumerate(names)}
    said = {stop.id: f"Words of {stop.id}." for stop in STOPS}
    return Shown(__version__, said, pictures, [("ppdm-desktop inspect", "look at a file")])


# --- the guide ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", list_languages())
def test_the_guide_is_built(qapp: QApplication, code: str) -> None:
    shown = small_matter()
    with speak_language(code):
        chapters = guide_chapters(shown)
        titles = [find_topic(id).title for id in topic_ids() if not id.startswith("term.")]
        data = write_guide(shown)
        title = guide_title(__version__)
    assert len(chapters) == CHAPTERS
    for chapter in chapters:
        assert 'src="picture:' in chapter.body, chapter.title
        assert len(re.sub("<[^>]*>", "", chapter.body).split()) > 40, chapter.title
    pages = pages_of(data)  # no glyph without a letter
    assert 24 <= len(pages) <= 44
    text = "".join(pages)
    assert not re.search(r"\[U\+|\{", text)
    for chapter in chapters:
        assert not re.search(r"\b(None|nan)\b", re.sub("<[^>]*>", " ", chapter.body)), chapter.title
    assert replace_missing_letters(text) == text
    for name in (title, *titles):
        assert squeezed(name) in text, name
    assert f"/Lang ({code})".encode() in data
    assert data.count(b"/Indexed") == len(shown.pictures)
    for stop in STOPS:
        assert squeezed(f"Words of {stop.id}.") in text


def test_help_opens_the_guide_of_the_language(
    make_window: object, dialogs: FakeDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shell_window, "FOLDER", tmp_path)
    for code in ("de", "en"):
        (tmp_path / f"ppdm-desktop-{code}.pdf").write_bytes(b"%PDF-1.7")
    window = make_window(language="de")  # type: ignore[operator]
    person = Person(window, dialogs)
    person.click("button_help")
    person.click("button_help_guide")
    assert dialogs.shown == [tmp_path / "ppdm-desktop-de.pdf"]
    dialogs.can_show = False
    dialogs.will("ask", "ok")
    person.click("button_help_guide")
    assert str(tmp_path / "ppdm-desktop-de.pdf") in dialogs.asked[-1].text
    assert guide_file("qps") == tmp_path / "ppdm-desktop-en.pdf"
