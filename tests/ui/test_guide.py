"""The printable guide: built small in each language, and read back as a reader would."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QColor, QImage, QPainter
from PySide6.QtWidgets import QApplication
from report_cases import pages_of
from ui_support import FakeDialogs, Person

from ppdm_desktop import __version__
from ppdm_desktop.engine.wording.catalogue import languages, speaking
from ppdm_desktop.ui.pdf.booklet import Chapter, write_booklet
from ppdm_desktop.ui.pdf.continuing import number_after, objects_of
from ppdm_desktop.ui.pdf.guide import Shown, guide_chapters, guide_title, write_guide
from ppdm_desktop.ui.pdf.letters import writable
from ppdm_desktop.ui.pdf.pictures import reduced
from ppdm_desktop.ui.shell import guide
from ppdm_desktop.ui.shell.guide import guide_file
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


def toc_of(data: bytes) -> list[tuple[int, str, int]]:
    """Return level, title and page of each bookmark, walked as a reader does."""
    known = objects_of(data)
    root = int(re.findall(rb"/Root (\d+) 0 R", data)[-1])
    tree = int(re.search(rb"/Pages (\d+) 0 R", known[root])[1])  # type: ignore[index]
    pages = [int(each) for each in re.findall(rb"(\d+) 0 R", re.search(rb"/Kids\s*\[(.*?)\]", known[tree], re.S)[1])]  # type: ignore[index]
    top = int(re.search(rb"/Outlines (\d+) 0 R", known[root])[1])  # type: ignore[index]

    def below(number: int, level: int) -> Iterator[tuple[int, str, int]]:
        first = re.search(rb"/First (\d+) 0 R", known[number])
        at = int(first[1]) if first else 0
        before = 0
        while at:
            body = known[at]
            assert f"/Parent {number} 0 R".encode() in body
            assert (f"/Prev {before} 0 R".encode() in body) == bool(before)
            title = bytes.fromhex(re.search(rb"/Title <(\w+)>", body)[1].decode())  # type: ignore[index]
            aim = int(re.search(rb"/Dest \[(\d+) 0 R", body)[1])  # type: ignore[index]
            yield level, title.decode("utf-16"), pages.index(aim)
            yield from below(at, level + 1)
            following = re.search(rb"/Next (\d+) 0 R", body)
            before, at = at, int(following[1]) if following else 0

    return list(below(top, 0))


def pictures_in(data: bytes) -> dict[tuple[int, int], bytes]:
    """Return the pictures with a palette by size, unpacked."""
    found = {}
    for body in objects_of(data).values():
        if b"/Indexed" in body[:400]:
            head, _, rest = body.partition(b"stream\n")
            size = number_after(head, b"Width"), number_after(head, b"Height")
            found[size] = zlib.decompress(rest.removesuffix(b"\nendstream"))
    return found


def assert_offsets(data: bytes) -> None:
    """Check that every table of objects of the file says where its objects are."""
    tables = re.findall(rb"(?s)xref\n((?:\d+ \d+\n(?:\d{10} \d{5} [nf] ?\r?\n)+)+)", data)
    assert len(tables) >= 2
    for table in tables:
        for first, lines in re.findall(rb"(\d+) \d+\n((?:\d{10} \d{5} [nf] ?\r?\n)+)", table):
            for number, line in enumerate(lines.splitlines(), start=int(first)):
                if line.rstrip().endswith(b"n"):
                    assert data[int(line[:10]) :].startswith(b"%d 0 obj" % number), number


# --- the parts --------------------------------------------------------------------------------


def test_chapters_begin_on_a_page_and_headings_are_bookmarks(qapp: QApplication) -> None:
    long = "<h2>Late</h2>" + "<p>x</p>" * 70 + "<h3>Deep &amp; last</h3><p>y</p>"
    chapters = [
        Chapter("First", "<h3>Small</h3><p>words</p>"),
        Chapter("Second “ä”", long),
        Chapter("Third", "<p>z</p>"),
    ]
    data = write_booklet("A booklet", "under", "Contents", "de", chapters, {})
    pages = pages_of(data)
    assert [squeezed(page)[:5] for page in pages] == ["Aboo" + "k", "First", "Secon", pages[3][:5], "Third"]
    assert toc_of(data) == [
        (0, "A booklet", 0),
        (0, "First", 1),
        (1, "Small", 1),
        (0, "Second “ä”", 2),
        (1, "Late", 2),
        (2, "Deep & last", 3),
        (0, "Third", 4),
    ]
    for title, start in (("First", 2), ("Second“ä”", 3), ("Third", 5)):
        assert f"{title}{start}" in pages[0]
    assert b"/Lang (de)" in data
    assert_offsets(data)
    assert write_booklet("A booklet", "under", "Contents", "de", chapters, {}) == data


def test_a_picture_takes_the_place_of_its_stand_in(qapp: QApplication) -> None:
    image = small_picture(1)
    data = write_booklet("T", "", "C", "en", [Chapter("One", '<p><img src="picture:a" width="50"></p>')], {"a": image})
    _, pixels = reduced(image)
    assert pictures_in(data) == {(64, 40): pixels.tobytes()}
    assert_offsets(data)
    with pytest.raises(ValueError, match="no image"):
        write_booklet("T", "", "C", "en", [Chapter("One", "<p>none</p>")], {"a": image})


# --- the guide ----------------------------------------------------------------------------------


@pytest.mark.parametrize("code", languages())
def test_the_guide_is_built(qapp: QApplication, code: str) -> None:
    shown = small_matter()
    with speaking(code):
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
    assert writable(text) == text
    marks = toc_of(data)
    assert [name for level, name, _ in marks if level == 0] == [title, *(each.title for each in chapters)]
    for name in titles:
        assert squeezed(name) in text, name
    assert f"/Lang ({code})".encode() in data
    assert len(pictures_in(data)) == 1, "all small pictures have one size"
    assert data.count(b"/Indexed") == len(shown.pictures)
    for stop in STOPS:
        assert squeezed(f"Words of {stop.id}.") in text


def test_a_stop_without_words_or_a_picture_is_missed(qapp: QApplication) -> None:
    whole = small_matter()
    with pytest.raises(KeyError):
        write_guide(Shown(__version__, {}, whole.pictures, whole.commands))
    with pytest.raises(KeyError):
        write_guide(Shown(__version__, whole.said, {}, whole.commands))


def test_help_opens_the_guide_of_the_language(
    make_window: object, dialogs: FakeDialogs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(guide, "FOLDER", tmp_path)
    for code in ("de", "en"):
        (tmp_path / f"ppdm-desktop-{code}.pdf").write_bytes(b"%PDF-1.7")
    window = make_window(language="de")  # type: ignore[operator]
    person = Person(window, dialogs)
    person.click("button_help")
    person.click("button_help_guide")
    assert dialogs.shown == [tmp_path / "ppdm-desktop-de.pdf"]
    dialogs.can_show = False
    dialogs.will("ask", "close")
    person.click("button_help_guide")
    assert str(tmp_path / "ppdm-desktop-de.pdf") in dialogs.asked[-1].text
    assert guide_file("qps") == tmp_path / "ppdm-desktop-en.pdf"
