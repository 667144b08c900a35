"""What an officer waits for in the window: from opening a file to twelve suggested versions with attacks and analyses.

The file is opened, its columns get their roles, suggestions are asked for, twelve (or as many as there are) are queued
and run, and the analyses of all are worked out, each by its button. Every stage is printed with its processor seconds
(of all threads and children), the seconds that passed, and the longest time in which the window could not answer. Run
from the repository's root; without a screen it draws offscreen:

    python -m tests.benchmarks.suggested                    Adult, where the public data sets are
    python -m tests.benchmarks.suggested --rows 100000      the table of fifteen columns of ``tests.benchmarks.release``
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication
from ui_support import ADULT_ROLES, FakeDialogs, Person, decide_roles

from ppdm_desktop.ui.app import build_window
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.state.settings import Settings
from tests.benchmarks.release import ROLES, write_mix
from tests.benchmarks.window import Heartbeat

VERSIONS = 12
PATIENCE = 4 * 3600.0


def processor() -> float:
    """Return the processor seconds of this process and its ended children, user and system."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


def measure(path: Path, roles: Mapping[str, Sequence[str]], settings: Path) -> None:
    """Take a file to twelve versions and print what each stage took."""
    dialogs = FakeDialogs()
    window = build_window(dialogs=dialogs, settings=Settings(appearance="light"), folder=settings)
    person, heart = Person(window, dialogs), Heartbeat()
    person.patience = PATIENCE
    window.resize(1280, 800)
    window.show()
    begun = processor(), time.monotonic()

    def stage(words: str, act: Callable[[], object]) -> None:
        used, passed = processor(), time.monotonic()
        heart.start()
        act()
        person.settle()
        pause = heart.stop()
        used, passed = processor() - used, time.monotonic() - passed
        print(f"{words:46}{used:10.1f}{passed:10.1f}{pause:10}", flush=True)

    print(f"{path.name}, {path.stat().st_size / 1e6:.1f} MB")
    print(f"{'':46}{'processor':>10}{'passed':>10}{'pause, ms':>10}")
    stage("opened and its columns told", lambda: window.open_path(path))
    decide_roles(person.session, roles)
    release = person.session.decisions.recipe.release.model_copy(update={"type": "research"})
    person.session.decide_recipe("who", release=release)
    for step, title in (("risk", "Risk"), ("protect", "Protect")):
        stage(title, lambda step=step: window.go_to(step))  # type: ignore[misc]  # the step is bound now
        if window.current != step:
            sys.exit(f"{path.name} does not reach {title}: {person.session.why_not(step)}")
    stage("suggestions looked for", lambda: person.click("button_suggest"))
    wanted = min(VERSIONS, sum(line[:1].isdigit() for line in person.words("label_suggested").splitlines()))
    stage(f"{wanted} versions made, attacked and judged", lambda: person.click("button_queue_suggested"))
    stage("Compare", lambda: window.go_to("compare"))
    stage("analyses of all", lambda: person.click("button_analyse_all"))
    entries = person.session.candidates
    print(f"{'from opening to the last analysis':46}{processor() - begun[0]:10.1f}{time.monotonic() - begun[1]:10.1f}")
    for entry in entries:
        analysed = "analysed" if entry.analyses is not None else "not analysed"
        print(f"    {entry.title}: {entry.status}, {analysed}, {entry.took:.1f} s passed")
    dialogs.will("ask", "drop")
    window.close()


def main() -> None:
    """Print the table of one file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, help="of the generated table, instead of Adult")
    rows: int | None = parser.parse_args().rows
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    set_window_font(app, 10)
    app.setStyle("Fusion")
    with tempfile.TemporaryDirectory(prefix="ppdm-benchmark-") as name:
        place = Path(name)
        if rows is None:
            root = Path(__file__).resolve().parents[2]
            data = Path(os.environ.get("PPDM_DATA", root.parent / "shared" / "data"))
            measure(data / "adult_train.csv", ADULT_ROLES, place / "settings")
        else:
            write_mix(place / "mix.csv", rows)
            measure(place / "mix.csv", ROLES, place / "settings")


if __name__ == "__main__":
    main()
