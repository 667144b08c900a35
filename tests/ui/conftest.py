"""What the window's tests share: no screen, scripted answers, a window, and a hunt for leaks.

A test that uses ``qapp`` (so every one with ``qtbot``) fails when it leaves a thread, a running
timer or a top-level widget behind; the message says where that was started.
"""

from __future__ import annotations

import gc
import os
import shutil
import threading
import traceback
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

HERE = Path(__file__).resolve().parent

try:
    from measured_threads import measured
    from PySide6.QtCore import QCoreApplication, QEvent, QLocale, QThread, QTimer
    from PySide6.QtWidgets import QApplication, QWidget
    from shiboken6 import isValid
    from swap_support import few_temperatures
    from ui_support import FakeDialogs

    from ppdm_desktop.engine.release.planning.version import Planned
    from ppdm_desktop.ui.look.clipboard import clear_copied
    from ppdm_desktop.ui.look.fonts import set_window_font
    from ppdm_desktop.ui.work.tasks import TaskRunner, Work
except ImportError:
    # The engine is tested on machines without Qt, or without the system libraries Qt needs.
    collect_ignore_glob = ["*.py"]

# What the offscreen platform says of itself; every other warning of Qt fails the test.
HARMLESS = (
    r"^This plugin does not support propagateSizeHints\(\)$",
    r"^This plugin does not support raise\(\)$",
    r"^This plugin does not support grabbing the keyboard$",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make warnings of Qt fail the tests of this folder."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.qt_log_level_fail("WARNING"))
            item.add_marker(pytest.mark.qt_log_ignore(*HARMLESS))


@pytest.fixture(autouse=True)
def _nothing_is_planned(request: pytest.FixtureRequest) -> Iterator[None]:
    """Find no version on Protect, which begins to look by itself, but in tests marked ``plans``: it takes seconds."""
    with pytest.MonkeyPatch.context() as patch:
        if request.node.get_closest_marker("plans") is None:
            patch.setattr("ppdm_desktop.ui.state.version_search.plan", lambda *_: Planned(()))
        yield


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> Iterator[QApplication]:
    """The application in the style of the real one, at a usual text size."""
    set_window_font(qapp, 10)
    qapp.setStyle("Fusion")
    QLocale.setDefault(QLocale(QLocale.Language.English, QLocale.Country.UnitedStates))
    yield qapp
    # As the program does at its end: what is still on the clipboard then outlives Python's part of it, and crashes.
    clear_copied()


# --- leaks ------------------------------------------------------------------------------


class _Started:
    """Objects that were started, each with the place it was started at."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[Any, str]] = {}

    def wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """Return a method that notes its object and then does what it did."""

        def start(target: Any, *arguments: Any) -> Any:
            place = traceback.extract_stack(limit=2)[0]
            self._seen[id(target)] = (target, f"{Path(place.filename).name}:{place.lineno} in {place.name}")
            # A signal hands on what it says; Qt would drop what the slot does not take.
            return original(target, *(each for each in arguments if not isinstance(each, str)))

        return start

    def left(self, still: Callable[[Any], bool]) -> list[str]:
        """Return what is still under way, in words."""
        return [
            f"{type(each).__name__} {each.objectName()!r}, started at {place}"
            for each, place in self._seen.values()
            if isValid(each) and still(each)
        ]


def _delete_what_waits() -> None:
    """Let deferred deletions happen."""
    for _ in range(3):
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
        QCoreApplication.processEvents()


def _top_levels() -> list[QWidget]:
    return [each for each in QApplication.topLevelWidgets() if each.parentWidget() is None]


@pytest.fixture(autouse=True)
def _nothing_is_left(request: pytest.FixtureRequest) -> Iterator[None]:
    if "qapp" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("qapp")
    threads, timers = _Started(), _Started()
    before = set(map(id, _top_levels()))
    with pytest.MonkeyPatch.context() as patch:
        # Plain functions: mock objects in place of Qt's methods crash the interpreter.
        patch.setattr(QThread, "start", threads.wrap(QThread.start))
        patch.setattr(QTimer, "start", timers.wrap(QTimer.start))
        yield
    _delete_what_waits()
    if any(id(each) not in before for each in _top_levels()):
        gc.collect()
        _delete_what_waits()
    found = [f"running thread: {each}" for each in threads.left(lambda thread: thread.isRunning())]
    found += [f"running timer: {each}" for each in timers.left(lambda timer: timer.isActive())]
    found += [
        f"top-level widget: {type(each).__name__} {each.objectName()!r}"
        for each in _top_levels()
        if id(each) not in before
    ]
    assert not found, "left behind by the test:\n" + "\n".join(found)


# --- coverage ---------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def _work_is_measured() -> Iterator[None]:
    """Where coverage is measured, what runs in the window's threads counts."""
    if threading.gettrace() is None:
        yield
        return
    start = TaskRunner.start

    def measured_start(runner: TaskRunner, job: str, work: Work, *rest: Any, **named: Any) -> None:
        start(runner, job, measured(work), *rest, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(TaskRunner, "start", measured_start)
        yield


# --- the window -------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _fresh_theme(request: pytest.FixtureRequest) -> Iterator[None]:
    """Each test begins light and at 100 %."""
    if "qapp" not in request.fixturenames:
        yield
        return
    request.getfixturevalue("qapp")
    from ppdm_desktop.engine.wording.catalogue import set_language
    from ppdm_desktop.ui.look.theme import theme

    if theme().scale != 1.0:
        theme().set_scale(1.0)
    if theme().appearance != "light":
        theme().set_appearance("light")
    yield
    set_language("en")


@pytest.fixture(autouse=True)
def _few_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intruders learn by few trees: pages show what is found; how well is tested with the engine."""
    from few_trees import grow_few_trees

    from ppdm_desktop.engine.retracing import trial

    grow_few_trees(monkeypatch)
    monkeypatch.setattr(trial, "_TREES", 12)


@pytest.fixture(autouse=True)
def _few_temperatures(monkeypatch: pytest.MonkeyPatch) -> None:
    """A swap is calibrated by three temperatures, not thirteen, here and on the command line beside the window."""
    few_temperatures(monkeypatch)


@pytest.fixture
def dialogs() -> Iterator[FakeDialogs]:
    """Dialogs that give scripted answers; a question nobody scripted fails the test, as does an answer left over."""
    fake = FakeDialogs()
    yield fake
    assert not fake.left(), f"answers nobody asked for: {fake.left()}"


@pytest.fixture
def make_window(qapp: QApplication, dialogs: FakeDialogs, tmp_path: Path) -> Iterator[Callable[..., Any]]:
    """Make windows that are closed safely after the test; arguments go into the settings."""
    from ppdm_desktop.ui.app import build_window
    from ppdm_desktop.ui.look.theme import theme
    from ppdm_desktop.ui.state.settings import Settings

    made: list[Any] = []

    def make(width: int = 1280, height: int = 800, **looks: Any) -> Any:
        settings = Settings(**{"appearance": "light", "language": "en", **looks})
        window = build_window(dialogs=dialogs, settings=settings, folder=tmp_path / "settings")
        made.append(window)
        window.resize(width, height)
        window.show()
        QApplication.processEvents()
        return window

    yield make
    for window in made:
        if isValid(window):
            window.runner.stop_all()
            window.session.saved = window.session.decisions
            window.close()
            window.deleteLater()
        shutil.rmtree(window.context.private_folder, ignore_errors=True)
    made.clear()
    _delete_what_waits()
    theme().set_scale(1.0)


@pytest.fixture
def window(make_window: Callable[..., Any]) -> Any:
    """The whole program's window, 1280 x 800, light, with fake dialogs and settings of its own."""
    return make_window()
