"""Each page shows itself alone on a sample; what takes long runs beside the window."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication
from ui_support import FakeDialogs, wait_until

from ppdm_desktop.engine.errors import PpdmError
from ppdm_desktop.engine.samples import ready_sample
from ppdm_desktop.ui import preview
from ppdm_desktop.ui.page import Page
from ppdm_desktop.ui.pages.registry import PAGES
from ppdm_desktop.ui.preview import PreviewWindow

PAGE = pytest.mark.parametrize("page", PAGES, ids=[page.step for page in PAGES])
Make = Callable[..., PreviewWindow]


@pytest.fixture
def make_preview(qapp: QApplication, dialogs: FakeDialogs, tmp_path: Path) -> Iterator[Make]:
    made: list[PreviewWindow] = []

    def make(page: type[Page], tab: str = "") -> PreviewWindow:
        window = PreviewWindow(page, tmp_path, sample=ready_sample().id, tab=tab, dialogs=dialogs)
        made.append(window)
        window.resize(1000, 720)
        window.show()
        return window

    yield make
    for window in made:
        window.close()
        window.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)


@PAGE
def test_a_page_is_shown_alone_in_each_of_its_tabs(make_preview: Make, page: type[Page]) -> None:
    window = make_preview(page)
    jobs: list[str] = []
    window.runner.started.connect(jobs.append)
    assert not window.page.isVisible()
    window.begin()
    wait_until(lambda: window.is_quiet, 60, f"{page.step} to be shown")
    session = window.page.session
    assert window.page.isVisible()
    assert session.reading is not None
    assert session.why_not(page.step) is None
    assert jobs[0] == "read"
    assert (session.assessment is not None) == ("risk" in jobs)
    assert bool(session.finished()) == ("candidate" in jobs)
    for tab in window.page.tab_names:
        window.page.show_tab(tab)
        wait_until(lambda: window.is_quiet, 60, f"{page.step}, {tab}")
    primary = window.page.primary()
    assert primary is None or primary.words


@PAGE
def test_a_page_has_the_tabs_it_names_and_no_other(make_preview: Make, page: type[Page]) -> None:
    shown = make_preview(page).page
    with pytest.raises(ValueError, match="nowhere"):
        shown.show_tab("nowhere")
    assert len(set(shown.tab_names)) == len(shown.tab_names)


def test_what_cannot_be_done_is_said(make_preview: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: object) -> None:
        raise PpdmError("error.work.memory")

    monkeypatch.setattr(preview, "measure", fails)
    window = make_preview(PAGES[-1])
    said: list[str] = []
    window.failed.connect(said.append)
    window.begin()
    wait_until(lambda: bool(said), 60, "the failure")
    assert "memory" in said[0]
    assert not window.page.isVisible()
    assert not window.is_quiet


def run_preview(*words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "ppdm_desktop.ui.preview", *words]
    return subprocess.run(
        command, env=dict(os.environ), capture_output=True, text=True, check=False, encoding="utf-8", timeout=300
    )


def test_a_picture_of_a_tab_is_saved(tmp_path: Path) -> None:
    file = tmp_path / "audit.png"
    done = run_preview("compare", "--tab", "audit", "--scale", "1.5", "--dark", "--shot", str(file))
    assert done.returncode == 0, done.stderr
    picture = QImage(str(file))
    assert picture.width() >= 1000
    assert picture.pixelColor(2, picture.height() - 2).lightness() < 80


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("compare", "--tab", "nowhere"), 2, "map, rows, charts, analyses, audit"),
        (("nowhere",), 2, "invalid choice"),
        (("open", "--shot", "no-such-folder/open.png"), 1, "cannot be written"),
    ],
)
def test_what_it_cannot_show_ends_with_a_word(words: tuple[str, ...], code: int, said: str) -> None:
    done = run_preview(*words)
    assert done.returncode == code, done.stderr
    assert said in done.stderr
