"""Make a picture of every page, filled with the bundled sample, without a screen.

    .venv/bin/python -m tests.ui.screenshots                    every page in five looks
    .venv/bin/python -m tests.ui.screenshots --only risk --look dark-100 --look light-200 --language de --out FOLDER

Each picture is looked over for cut words as in the battery of pages; what is found is printed, and how much it was.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from fit_support import cut
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QApplication
from ui_support import FakeDialogs, Person, go_through, let_work

from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.engine.wording.catalogue import list_languages
from ppdm_desktop.engine.wording.pseudo import PSEUDO
from ppdm_desktop.ui.app import build_window
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.state.settings import Settings

REPOSITORY = Path(__file__).resolve().parents[2]
LOOKS = {
    "light-100": ("light", 1.0, 1280, 800),
    "dark-100": ("dark", 1.0, 1280, 800),
    "light-200": ("light", 2.0, 1280, 800),
    "light-150-1280x720": ("light", 1.5, 1280, 720),
    "light-100-900x800": ("light", 1.0, 900, 800),
}
"""Appearance, text size, width and height by name."""
PATIENCE = 3_600.0
ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}


def main() -> int:
    """Make the pictures asked for and print where they lie."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=REPOSITORY / "build" / "screenshots")
    parser.add_argument("--only", choices=("welcome", *STEPS), help="only this page")
    parser.add_argument("--look", choices=LOOKS, action="append", help="only in this look, which can be said again")
    parser.add_argument("--language", default="en", choices=(*list_languages(), PSEUDO), help="what the window speaks")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    make_application()
    pictures = cut_texts = 0
    with tempfile.TemporaryDirectory(prefix="ppdm-pictures-") as folder:
        for name, picture, faults in take_all(Path(folder), options):
            file = options.out / f"{name}.png"
            picture.save(str(file))
            print(file, *faults, sep="\n    cut: ", flush=True)
            pictures, cut_texts = pictures + 1, cut_texts + len(faults)
    print(f"{pictures} pictures; cut: {cut_texts}")
    return 0


def make_application() -> None:
    """Make the application in the style of the real one, once."""
    app = QApplication.instance() or QApplication(["screenshots"])
    assert isinstance(app, QApplication)
    set_window_font(app, 10)
    app.setStyle("Fusion")
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))


def take_all(folder: Path, options: argparse.Namespace) -> Iterator[tuple[str, QPixmap, list[str]]]:
    """Open one window, take the sample through every step, and yield a picture of each page in each look."""
    source, dialogs = folder / "life-insurance.csv", FakeDialogs()
    source.write_bytes(sample_files("life-insurance")[0])
    settings = Settings(appearance="light", language=options.language)
    window = build_window(dialogs=dialogs, settings=settings, folder=folder / "settings")
    person = Person(window, dialogs)
    person.patience = PATIENCE
    window.show()
    try:
        if options.only != "welcome":
            go_through(person, source, ROLES, until=options.only or "release")
        for step in [options.only] if options.only else ("welcome", *STEPS):
            for look in options.look or LOOKS:
                yield from in_look(person, step, look)
    finally:
        window.runner.stop_all()
        window.session.saved = window.session.decisions
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        shutil.rmtree(window.context.private_folder, ignore_errors=True)


def in_look(person: Person, step: str, look: str) -> Iterator[tuple[str, QPixmap, list[str]]]:
    """Yield name, picture and cut texts of a page in a look, for each of its tabs, a scrolled one also from its end."""
    window = person.window
    appearance, scale, width, height = LOOKS[look]
    theme().set_appearance(appearance)
    theme().set_scale(scale)
    window.resize(width, height)
    window.show_page(step)
    person.settle()
    for part, show in parts(window, step):
        show()
        person.settle()
        let_work(30)
        bar = window.findChild(object, f"area_{step}").verticalScrollBar()
        for end, position in (("", 0), ("-end", bar.maximum())):
            if end and not position:
                continue
            bar.setValue(position)
            let_work(30)
            yield f"{step}{part}{end}-{look}", window.grab(), cut(window)


def parts(window: Any, step: str) -> list[tuple[str, Callable[[], None]]]:
    """Return what of a page is shown one after another: each tab, or the page alone."""
    page = window.findChild(object, f"page_{step}")
    return [(f"-{tab}", partial(page.show_tab, tab)) for tab in page.tab_names] or [("", lambda: None)]


if __name__ == "__main__":
    sys.exit(main())
