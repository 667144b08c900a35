"""What an officer waits for in the window: from opening a file to its suggested versions with attacks and analyses.

The file is opened, its columns get their roles, suggestions are asked for until the first is shown and until all are,
all are queued and run, and the analyses of all are worked out, each by its button. Every stage is printed with its
processor seconds (of all threads and children), the seconds that passed, the longest time in which the window could not
answer and how much of that its own thread worked, and on Linux the most memory. With ``--method`` no suggestions are
looked for: one version of that method is made, attacked and judged, compared and released, as far as its checks allow
it. Run from the repository's root; without a screen it draws offscreen:

    python -m tests.benchmarks.suggested                    Adult, where the public data sets are
    python -m tests.benchmarks.suggested --rows 100000      the table of fifteen columns of ``tests.benchmarks.release``
    python -m tests.benchmarks.suggested --rows 10000000 --method additive-noise
    python -m tests.benchmarks.suggested --rows 1000000 --method generalize --known sex marital

With ``--planned`` there is no window: for a generated table of each size, processor seconds until the first version and
until all, each version with its reasons, all settled, and from the file to a written and verified release:

    python -m tests.benchmarks.suggested --planned 2000x15 30000x25 100000x50
"""

from __future__ import annotations

import argparse
import csv
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
from flow_support import write_reasons
from PySide6.QtCore import QElapsedTimer, QObject, QTimer
from PySide6.QtWidgets import QApplication
from ui_support import ADULT_ROLES, FakeDialogs, Person, decide_roles, wait_until

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.load import parse_recipe
from ppdm_desktop.engine.recipe.models import Recipe
from ppdm_desktop.engine.release.candidate.pipeline import prepare, run_candidate, with_steps
from ppdm_desktop.engine.release.planning.plan import plan, settle
from ppdm_desktop.engine.release.planning.version import best_versions_first
from ppdm_desktop.engine.release.verify import verify
from ppdm_desktop.engine.release.writing.export import export
from ppdm_desktop.ui.app import build_window
from ppdm_desktop.ui.look.fonts import set_window_font
from ppdm_desktop.ui.pages.protect.versions import VersionsPart
from ppdm_desktop.ui.state.settings import Settings
from ppdm_desktop.ui.state.version_search import JOB
from tests.benchmarks.release import ROLES
from tests.benchmarks.release_parts import most_held
from tests.benchmarks.stored import write_blocks

PATIENCE = 4 * 3600.0


def processor() -> float:
    """Return the processor seconds of this process and its ended children, user and system."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)


class Heartbeat(QObject):
    """Beats every few milliseconds in the UI thread and keeps the longest pause between two beats.

    Attributes
    ----------
    longest
        The longest pause, in milliseconds.
    busiest
        The most processor seconds of the UI thread between two beats: where other work shares the processors, a pause
        is that many times as long.
    """

    def __init__(self) -> None:
        super().__init__()
        self._clock = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._on_beat)
        self.longest, self.busiest = 0, 0.0

    def start(self) -> None:
        """Begin to listen."""
        self.longest, self.busiest, self._used = 0, 0.0, time.thread_time()
        self._clock.start()
        self._timer.start(5)

    def stop(self) -> int:
        """Return the longest pause in milliseconds."""
        self._timer.stop()
        return self.longest

    def _on_beat(self) -> None:
        now = time.thread_time()
        self.busiest, self._used = max(self.busiest, now - self._used), now
        self.longest = max(self.longest, self._clock.restart())


def measure(path: Path, roles: Mapping[str, Sequence[str]], settings: Path, method: str | None) -> None:
    """Take a file to twelve versions, or to the release of one, and print what each stage took."""
    dialogs = FakeDialogs()
    window = build_window(dialogs=dialogs, settings=Settings(appearance="light"), folder=settings)
    person, heart = Person(window, dialogs), Heartbeat()
    person.patience = PATIENCE
    window.resize(1280, 800)
    window.show()
    # What a start does after its first paint is over before anybody has found their file.
    person.settle()
    begun = processor(), time.monotonic()

    def stage(words: str, act: Callable[[], object], *, settle: bool = True) -> None:
        used, passed = processor(), time.monotonic()
        heart.start()
        act()
        if settle:
            person.settle()
        pause, busy = heart.stop(), heart.busiest
        used, passed = processor() - used, time.monotonic() - passed
        held = most_held() or 0
        print(f"{words:46}{used:10.1f}{passed:10.1f}{pause:10}{busy * 1000:10.0f}{held / 1e6:10.0f}", flush=True)

    print(f"{path.name}, {path.stat().st_size / 1e6:.1f} MB")
    print(f"{'':46}{'processor':>10}{'passed':>10}{'pause, ms':>10}{'busy, ms':>10}{'peak, MB':>10}")
    stage("opened and its columns told", lambda: window.open_path(path))
    decide_roles(person.session, roles)
    release = person.session.decisions.recipe.release.model_copy(update={"type": "research"})
    person.session.decide_recipe(release=release)
    stage("Risk", lambda: window.go_to("risk"))
    if (why := person.session.why_not("protect")) is not None:
        sys.exit(f"{path.name} does not reach Protect: {why}")
    if method is not None:
        _one_version(person, stage, method, settings.parent / "out")
        print(f"{'from opening to the end':46}{processor() - begun[0]:10.1f}{time.monotonic() - begun[1]:10.1f}")
        dialogs.will("ask", "drop")
        window.close()
        return

    def versions_part() -> VersionsPart:
        part = window.findChild(VersionsPart, "part_versions")
        assert part is not None
        return part

    def first() -> None:
        window.go_to("protect")
        part = versions_part()
        wait_until(lambda: bool(part.versions) or not window.runner.is_running(JOB), PATIENCE)

    stage("Protect and the first version", first, settle=False)
    stage("all versions", person.settle)
    wanted = len(versions_part().versions)
    stage(f"Compare: {wanted} versions made, attacked and judged", lambda: person.click("button_next"))
    entries = person.session.candidates
    print(f"{'from opening to the last analysis':46}{processor() - begun[0]:10.1f}{time.monotonic() - begun[1]:10.1f}")
    for entry in entries:
        analysed = "analysed" if entry.analyses is not None else "not analysed"
        print(f"    {entry.title}: {entry.status}, {analysed}, {entry.seconds:.1f} s passed")
    dialogs.will("ask", "drop")
    window.close()


def _one_version(person: Person, stage: Callable[[str, Callable[[], object]], None], method: str, out: Path) -> None:
    """Make one version, compare it and write its release where the checks allow it."""

    def add() -> None:
        person.window.go_to("protect")
        person.click("button_stop_search", settle=False)
        person.click("button_build_own")
        person.click(f"method_{method}")
        person.click("button_use_method", settle=False)

    stage(f"{method} put into the chain", add)
    stage("one version made, attacked and judged", lambda: person.click("button_add_to_queue", settle=False))
    entry = person.session.candidates[0]
    if entry.status != "done":
        print(f"    {entry.status}: {entry.error}")
        return
    stage("Compare", lambda: person.window.go_to("compare"))
    stage("the version chosen", lambda: person.click("button_choose_candidate", settle=False))
    stage("Release", lambda: person.window.go_to("release"))

    def write() -> None:
        person.type("edit_folder", str(out))
        write_reasons(person)
        button = person.see("button_write_release")
        if button.isEnabled():
            person.click("button_write_release", settle=False)

    stage("reasons given, the release written", write)
    written = sorted(each for each in out.rglob("*") if each.is_file()) if out.exists() else []
    if written:
        print(f"    {len(written)} files, {sum(each.stat().st_size for each in written) / 1e6:.1f} MB")
    else:
        print(f"    not written: {person.window.label_status.text()}")
        for check in entry.judged.report.verdict.checks:
            if check.status in ("red", "not-run"):
                print(f"        {check.id}: {check.status}")


def write_related(path: Path, rows: int, columns: int) -> Recipe:
    """Write a table whose columns depend on each other, and return the recipe that gives their roles."""
    draw = np.random.default_rng(4)
    age, region, sex = draw.integers(18, 90, rows), draw.integers(0, 12, rows), draw.integers(0, 2, rows)
    job = (3 * region + draw.integers(0, 9, rows)) % 30
    school = np.clip(job // 6 + draw.integers(-1, 2, rows), 0, 5)
    pay = np.round(draw.lognormal(7.5, 0.5, rows) * (1 + 0.15 * school) * (0.8 + age / 100), -1).astype(int)
    known = {"age": age, "sex": sex, "region": region, "job": job, "school": school}
    secret = {
        "pay": pay,
        "tax": np.round(0.2 * pay + draw.normal(0, 60, rows), -1).astype(int).clip(0),
        "illness": np.array(["none", "flu", "cold", "gout", "asthma"])[np.minimum(draw.geometric(0.45, rows) - 1, 4)],
    }
    kinds = (
        lambda: draw.poisson(2 + school),
        lambda: (draw.random(rows) < 0.2 + 0.5 * (age > 50)).astype(int),
        lambda: (school + draw.integers(0, 3, rows)) % 4,
    )
    others = {f"x{place}": kinds[place % 3]() for place in range(columns - len(known) - len(secret))}
    values = {**known, **secret, **others}
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(values)
        writer.writerows(zip(*(column.tolist() for column in values.values()), strict=True))
    roles = {"quasi-identifier": known, "confidential": secret, "other": others}
    sections = {name: {"role": role} for role, names in roles.items() for name in names}
    release = {"type": "research", "agreement": True}
    return parse_recipe({"recipe": 1, "input": {"one_row_per_person": True}, "columns": sections, "release": release})


def measure_planning(path: Path, recipe: Recipe, out: Path) -> None:
    """Plan versions of a file, settle them and release the best one; print what each stage took."""
    begun, times, key = processor(), [], Key(bytes(range(32)), "system")
    prepared = prepare(path, recipe, need_type=True)
    read = processor()
    planned = plan(prepared, (), lambda version: times.append(processor() - read), key)
    total = processor() - read
    print(f"{prepared.table.rows:,} x {len(prepared.table.columns)}: read {read - begun:.1f}", end="")
    print(f", first {times[0] if times else total:.1f}, all {total:.1f}")
    done = []
    for version in planned.versions:
        used = processor()
        settled, asked = settle(prepared, version), [check.id for check in version.verdict.to_answer]
        done.append(settled)
        changed = ", changed" if settled.changed else ""
        print(f"    {version.family.id:14}{version.seconds:8.1f} settled {processor() - used:6.1f}{changed} {asked}")
    best = next(iter(best_versions_first([version for version in done if not version.verdict.blocking])), None)
    if best is not None:
        used = processor()
        reasons = {check.cause: f"These values are invented ({check.cause})." for check in best.verdict.to_answer}
        export(run_candidate(with_steps(prepared, best.steps), key), out, accepts=reasons)
        outcome = verify(out, path).result
        released = f"released with {len(reasons)} reasons and {outcome}"
        print(f"    {released} in {processor() - used:.1f}, whole way {processor() - begun:.1f}")


def main() -> None:
    """Print the table of one file."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, help="of the generated table, instead of Adult")
    parser.add_argument("--method", help="one version of this method, instead of suggestions")
    parser.add_argument("--planned", nargs="+", metavar="ROWSxCOLUMNS", help="plan, without a window")
    given = parser.parse_args()
    for size in given.planned or ():
        with tempfile.TemporaryDirectory(prefix="ppdm-benchmark-") as name:
            recipe = write_related(Path(name) / "related.csv", *map(int, size.split("x")))
            measure_planning(Path(name) / "related.csv", recipe, Path(name) / "out")
    if given.planned:
        return
    rows: int | None = given.rows
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    set_window_font(app, 10)
    app.setStyle("Fusion")
    with tempfile.TemporaryDirectory(prefix="ppdm-benchmark-") as name:
        place = Path(name)
        if rows is None:
            root = Path(__file__).resolve().parents[2]
            data = Path(os.environ.get("PPDM_DATA", root.parent / "shared" / "data"))
            measure(data / "adult_train.csv", ADULT_ROLES, place / "settings", given.method)
        else:
            write_blocks(place / "mix.csv", rows)
            measure(place / "mix.csv", ROLES, place / "settings", given.method)


if __name__ == "__main__":
    main()
