"""Make a picture of every page, with real data, without a screen.

    .venv/bin/python -m tests.ui.screenshots                    every page in five settings, and with long names
    .venv/bin/python -m tests.ui.screenshots --only risk --out FOLDER
    .venv/bin/python -m tests.ui.screenshots --data visits --every   light and dark, 100 and 200 %
    .venv/bin/python -m tests.ui.screenshots --data sample --look dark-100 --look light-200 --language de

Each picture is looked over for cut words as in the battery of pages; what is found is printed, and how much it was.
The data is UCI Adult (see "The inner loop" in CONTRIBUTING.md for its place). Nothing of it is kept but the pictures.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from fit_support import cut, cut_inside
from PySide6.QtCore import QCoreApplication, QEvent, QLocale
from PySide6.QtWidgets import QAbstractButton, QApplication, QDialog, QMenu, QScrollArea, QTabWidget, QWidget
from ui_support import ADULT_ROLES, FakeDialogs, Person, go_through, let_work

from ppdm_desktop.engine.recipe.models import Condition, LevelSection, RowsRule, Rule, StepSection
from ppdm_desktop.engine.samples import sample_files
from ppdm_desktop.engine.table.levels import LevelMap
from ppdm_desktop.engine.wording.catalogue import list_languages
from ppdm_desktop.engine.wording.pseudo import PSEUDO
from ppdm_desktop.ui.app import build_window
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.look.theme import theme
from ppdm_desktop.ui.state.session import STEPS
from ppdm_desktop.ui.state.settings import Settings
from tests.golden.people import visits_csv
from tests.ui.photographs import photograph, photograph_whole, watched

Look = tuple[str, str, float, int, int]
REPOSITORY = Path(__file__).resolve().parents[2]
# name, appearance, text size, width, height
SETTINGS = (
    ("light-100", "light", 1.0, 1280, 800),
    ("dark-100", "dark", 1.0, 1280, 800),
    ("light-200", "light", 2.0, 1280, 800),
    ("light-150-1280x720", "light", 1.5, 1280, 720),
    ("light-100-900x800", "light", 1.0, 900, 800),
)
PLAIN = SETTINGS[:1]
EVERY = (*SETTINGS[:3], ("dark-200", "dark", 2.0, 1280, 800))
LOOKS = {setting[0]: setting for setting in (*SETTINGS, *EVERY)}
NOISY_ROWS = 2_000
PATIENCE = 3_600.0
SWAPPED = (StepSection(method="bayes-swap"),)
NOISY = (*SWAPPED, StepSection(method="two-phase-noise"))
KINDS = ("adult", "noise", "long", "visits")
SAMPLE_ROLES = {"quasi-identifier": ("Age", "Gender", "Location"), "confidential": ("Amount",)}
VISIT_ROLES = {
    "identifier": ("person_nbr",),
    "quasi-identifier": ("region", "sex", "age"),
    "confidential": ("days", "outcome"),
    "left-out": ("visit_id", "unit"),
}
WORDS = "Umfassend beschriebene Eigenschaft der befragten Person (Selbstauskunft, gerundet) "


def main() -> int:
    """Make the pictures asked for and print where they lie."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--out", type=Path, default=REPOSITORY / "build" / "screenshots")
    parser.add_argument("--only", choices=("welcome", *STEPS), help="only this page")
    parser.add_argument("--data", choices=(*KINDS, "sample"), help="only with this data")
    parser.add_argument("--tab", type=int, help="only this tab of a page that has some, from 1")
    parser.add_argument("--every", action="store_true", help="light and dark, 100 and 200 %%, with each data")
    parser.add_argument("--look", choices=LOOKS, action="append", help="only in this setting, which can be said again")
    parser.add_argument("--language", default="en", choices=(*list_languages(), PSEUDO), help="what the window speaks")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    make_application()
    number, reported, faults = 0, 0, list[str]()
    with tempfile.TemporaryDirectory(prefix="ppdm-pictures-") as place:
        for kind in [given.data] if given.data else KINDS:
            path, roles = make_data(kind, Path(place))
            settings: tuple[Look, ...] = EVERY if given.every else SETTINGS if kind in ("adult", "noise") else PLAIN
            if given.look:
                settings = tuple(LOOKS[name] for name in given.look)
            pictures = take_all(path, roles, Path(place) / kind, settings, given.only, given.tab, given.language)
            with watched(lambda widget: faults.extend(cut_of(widget))):
                for name, picture in pictures:
                    file = given.out / f"{name}-{kind}.png"
                    picture.save(str(file))
                    print(file, *faults[reported:], sep="\n    cut: ", flush=True)
                    number, reported = number + 1, len(faults)
    print(f"{number} pictures; cut: {len(faults)}")
    return 0


def cut_of(widget: QWidget) -> list[str]:
    """Return what is cut of the window, or of a part of it that is photographed alone."""
    return cut(widget) if widget.objectName() == "main_window" else cut_inside(widget)


def data_folder() -> Path:
    """Return where the public data sets lie."""
    folder = Path(os.environ.get("PPDM_DATA") or REPOSITORY.parent / "shared" / "data")
    if not folder.is_dir():
        sys.exit("the public data sets are not here: name their folder in PPDM_DATA")
    return folder


def make_application() -> None:
    """Make the application in the style of the real one, once."""
    app = QApplication.instance() or QApplication(["screenshots"])
    assert isinstance(app, QApplication)
    set_window_font(app, 10)
    app.setStyle("Fusion")
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))


def make_data(kind: str, place: Path) -> tuple[Path, dict[str, tuple[str, ...]]]:
    """Write the bundled sample, or Adult in one of its forms; return the file and the roles of its columns."""
    if kind == "sample":
        path = place / "life-insurance.csv"
        path.write_bytes(sample_files("life-insurance")[0])
        return path, dict(SAMPLE_ROLES)
    if kind == "visits":
        path = place / "stays.csv"
        path.write_text(visits_csv(people=250), encoding="utf-8")
        return path, dict(VISIT_ROLES)
    adult = data_folder() / "adult_train.csv"
    if kind == "adult":
        return adult, dict(ADULT_ROLES)
    with adult.open(encoding="utf-8", newline="") as file:
        head, *rows = csv.reader(file)
    roles = dict(ADULT_ROLES)
    if kind == "noise":
        # Few enough rows that analyses are tried out in seconds.
        rows = rows[:NOISY_ROWS]
        # Numbers to protect.
        roles["quasi-identifier"] = tuple(name for name in roles["quasi-identifier"] if name != "age")
        roles["confidential"] = ("class", "age", "hours-per-week")
    if kind == "long":
        new = {name: WORDS + name for name in head}
        head = [new[name] for name in head]
        roles = {role: tuple(new[name] for name in names) for role, names in roles.items()}
        rows = [
            [f"{cell} – {WORDS}{cell}" if place % 3 else cell for place, cell in enumerate(row)] for row in rows[:400]
        ]
    path = place / f"adult-{kind}.csv"
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([head, *rows])
    return path, roles


def take_all(
    path: Path,
    roles: dict[str, tuple[str, ...]],
    folder: Path,
    settings: Any,
    only: str | None,
    tab: int | None,
    language: str = "en",
) -> Iterator[tuple[str, Any]]:
    """Open one window, take the file through every step, and photograph each page in each setting."""
    dialogs = FakeDialogs()
    window = build_window(dialogs=dialogs, settings=Settings(appearance="light", language=language), folder=folder)
    person = Person(window, dialogs)
    person.patience = PATIENCE
    window.resize(1280, 800)
    window.show()
    try:
        if only in (None, "welcome"):
            yield from in_settings(person, "welcome", settings, tab)
        until = only or "release"
        if until != "welcome":
            try:
                steps = NOISY if path.stem == "adult-noise" else SWAPPED
                go_through(person, path, roles, until=until, steps=steps, several_rows=path.stem == "stays")
            except (AssertionError, TimeoutError) as problem:
                # Some steps refuse some data: picture how they say so.
                print(f"{path.name}: stopped at {window.current}: {problem}", file=sys.stderr)
                yield from in_settings(person, window.current, settings, tab)
            for step in [only] if only else STEPS:
                if window.session.why_not(step) is None:
                    furnish(person, step)
                yield from in_settings(person, step, settings, tab)
    finally:
        window.runner.stop_all()
        window.session.saved = window.session.decisions
        window.close()
        window.deleteLater()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        shutil.rmtree(window.context.private_folder, ignore_errors=True)


def furnish(person: Person, step: str) -> None:
    """Take some decisions first, so that a picture shows a page in use."""
    session = person.session
    if step == "levels":
        privacy = session.decisions.recipe.privacy
        rules = (
            Rule(where=(Condition(status="unique"),), level="cautious"),
            Rule(where=(Condition(status="collective"),), level="Staff"),
        )
        levels = {"Staff": LevelSection(group=15, intervals=80, noise=1.7, swap=0.65, selection_noise=1.0)}
        picked = (RowsRule(rows=(1, "3-9"), level="paranoid"),) if session.reading.table.rows > 9 else ()
        given = session.decisions.recipe.input.model_copy(update={"sha256": session.reading.account.sha256})
        new = privacy.model_copy(update={"rules": rules, "rows": picked, "levels": levels})
        session.decide_recipe(privacy=new, input=given)
        person.window.show_page(step)
        person.settle()
        page = person.window.findChild(object, "page_levels")
        page.rules.select_rule(0)
        page.map.new_level.open(LevelMap())
    if step == "risk":
        person.window.show_page(step)
        person.settle()
        page = person.window.findChild(object, "page_risk")
        if page.head.more.isVisible():
            person.click("button_more_headline", settle=False)
            menu = page.head.more.findChild(QMenu, "menu_levels")
            next(action for action in menu.actions() if action.data() == "extra-cautious").trigger()
            menu.close()
            person.window.activateWindow()
            person.settle()
        if page.heat.view.isVisible() and person.sees("button_show_alike"):
            person.click("button_show_alike")
    if step in ("protect", "compare"):
        person.window.show_page("protect")
        person.settle()
        if step == "compare":
            person.window.findChild(object, "part_versions").run_all()
            person.settle(3600)
            person.window.show_page("compare")
            person.settle()


def in_settings(person: Person, step: str, settings: Any, tab: int | None) -> Iterator[tuple[str, Any]]:
    """Photograph a page, and each of its tabs, in each setting; a scrolled page also from its end."""
    window = person.window
    for name, appearance, scale, width, height in settings:
        theme().set_appearance(appearance)
        theme().set_scale(scale)
        window.resize(width, height)
        window.show_page(step)
        person.settle()
        for part, show in parts(person, step):
            if tab is not None and not part.startswith(f"-{tab}"):
                continue
            show()
            person.settle()
            let_work(30)
            dialog = window.findChild(QDialog)
            if dialog is not None and dialog.isVisible():
                yield f"{step}{part}-{name}", photograph(dialog)
                dialog.close()
                continue
            area = window.findChild(object, f"area_{step}")
            bar = area.verticalScrollBar()
            bar.setValue(0)
            yield f"{step}{part}-{name}", photograph(window)
            inside = whole_of_tab(window, step)
            if inside is not None:
                yield f"{step}{part}-whole-{name}", photograph_whole(inside)
            if bar.maximum() > area.viewport().height():
                # Neither the beginning nor the end shows the middle.
                yield f"{step}{part}-whole-{name}", photograph_whole(area.widget())
            elif bar.maximum() > height / 4:
                bar.setValue(bar.maximum())
                let_work(30)
                yield f"{step}{part}-end-{name}", photograph(window)
                bar.setValue(0)
    theme().set_appearance("light")
    theme().set_scale(1.0)
    window.resize(1280, 800)


def whole_of_tab(window: Any, step: str) -> Any:
    """Return what scrolls inside the tab in front, when it is much higher than what can be seen of it."""
    tabs = window.findChild(object, f"page_{step}").findChildren(QTabWidget)
    area = tabs[0].currentWidget() if tabs else None
    if not isinstance(area, QScrollArea):
        return None
    inside = area.widget()
    return inside if inside is not None and inside.height() > 1.2 * area.viewport().height() else None


def parts(person: Person, step: str) -> list[tuple[str, Callable[[], None]]]:
    """Return what of a page is photographed: each tab or segment of it, and what opens on the audit."""
    window = person.window
    page = window.findChild(object, f"page_{step}")
    tabs = page.findChildren(QTabWidget)
    if tabs:
        found: list[tuple[str, Callable[[], None]]] = []
        for n in range(tabs[0].count()):
            show = partial(tabs[0].setCurrentIndex, n)
            found.append((f"-{n + 1}", show))
            if tabs[0].widget(n).findChild(object, "tab_audit") is not None:
                found.append((f"-{n + 1}-details", lambda: open_details(person)))
                found.append((f"-{n + 1}-record", lambda: attack_one(person)))
        return found
    segments = [
        button
        for button in page.findChildren(QAbstractButton)
        if button.objectName().startswith("tabs_") and button.property("segment")
    ]
    if segments:
        return [(f"-{n + 1}", button.click) for n, button in enumerate(segments)]
    return [("", lambda: None)]


def open_details(person: Person) -> None:
    """Open the details of the first attack of each kind."""
    opened = set()
    for button in person.window.findChildren(QAbstractButton):
        kind = button.objectName().removeprefix("button_details_").rstrip("_0123456789")
        if button.objectName().startswith("button_details_") and button.isVisible() and kind not in opened:
            opened.add(kind)
            if not button.isChecked():
                button.click()
    person.settle()


def attack_one(person: Person) -> None:
    """Attack the first person of the list, in the dialog."""
    person.click("button_attack_record")
    person.click("button_attack_row")
    dialog = person.window.findChild(QDialog, "dialog_attack_record")
    dialog.resize(dialog.width(), 1100)


if __name__ == "__main__":
    sys.exit(main())
