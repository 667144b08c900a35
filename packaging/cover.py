"""Measure whether the tests of the modules that must never fail run every line and every branch of them.

    python3 packaging/dev.py cover                       every group of tests/perfect_files.toml
    python3 packaging/dev.py cover --module figure.py    only the group of this module
    python3 packaging/dev.py cover --write               and write down what fewer lines and branches are missed now
    python3 packaging/dev.py cover --all                 the whole suite; at least nine tenths of the program are run
    python3 packaging/dev.py cover --all --part tests/ui one folder of it, beside what was measured before
    python3 packaging/dev.py cover --all --enough        of it what is quick, until nine tenths are known to be run

The whole suite is measured part by part, each a few files of tests. What a part runs the whole runs, so that after each
part the share that is run is known to be at least so much. What was measured stays in ``build/coverage`` until a
module changes: after a stop the same command goes on. With ``--enough`` the folder whose last part added most per
second comes next, slow tests are left out, and a part is ended after a few minutes; what it ran until then counts.

Each group is run by its own tests and nothing else: what only another test happens to run is not tested by these. The
number beside a module says how many lines and branches they leave out. It may fall, and never rises. A "?" says that
nobody measured it yet: ``--write`` puts the number there.
"""

from __future__ import annotations

import argparse
import contextlib
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import coverage

ROOT = Path(__file__).resolve().parent.parent
ENGINE = Path("ppdm_desktop", "engine")
LIST = ROOT / "tests" / "perfect_files.toml"
_ELSEWHERE = "[report]\nexclude_also =\n    if sys.platform == .win32.:\n"
"""What only Windows runs is no line of other systems."""
FLOOR = 90.0
"""Percent of the lines and branches of the program that the whole suite has to run."""
RESULTS = ROOT / "build" / "coverage"
FILES_AT_ONCE = 8
"""So many files of tests are measured at once: what was measured stays when the work is ended."""
BRIEF = 300.0
"""Seconds after which a part is ended where enough is enough."""
INTERRUPTIONS, BETWEEN = 10, 10.0
"""So often, and with so many seconds between, a part is asked to end."""
SOME = "some"
"""What the name of a part ends in that was measured in part only."""
NO_TESTS = 5
"""What pytest ends with where all its tests are left out."""
WINDOW = "ppdm_desktop/ui/"
LEAST_SHOWN = 30
"""So many modules are printed, of which most is left out first."""


@dataclass(frozen=True)
class Group:
    """Modules with the tests that are theirs.

    Attributes
    ----------
    tests
        Files or folders of tests, from the root of the project.
    modules
        For each module, from ``ppdm_desktop/engine``, how many lines and branches these leave out; "?" where it was not
        measured yet.
    """

    tests: tuple[str, ...]
    modules: Mapping[str, int | str]


@dataclass(frozen=True)
class Missed:
    """The lines and branches of a module that the tests leave out."""

    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        """Return the number of lines and branches."""
        return len(self.lines) + len(self.branches)

    def __str__(self) -> str:
        """Return the lines and branches as text."""
        parts = [str(line) for line in self.lines]
        parts += [f"{start}->{'exit' if end < 0 else end}" for start, end in self.branches]
        return ", ".join(parts)


def groups(text: str | None = None) -> list[Group]:
    """Return the groups in the list of critical modules."""
    listed = tomllib.loads(LIST.read_text("utf-8") if text is None else text)["group"]
    return [Group(tuple(each["tests"]), each["modules"]) for each in listed]


def missed_of(report: Mapping[str, object], module: str) -> Missed:
    """Return what coverage's JSON report lists as left out of a module: all of it where it was not imported."""
    files = report["files"]
    assert isinstance(files, Mapping)
    found = files.get((ENGINE / module).as_posix()) or files.get(str(ENGINE / module))
    if found is None:
        return Missed((0,), ())
    return Missed(
        tuple(found["missing_lines"]), tuple((start, end) for start, end in found.get("missing_branches", ()))
    )


def data_of(group: Group) -> Path:
    """Run a group's tests and return the path of coverage's data, kept until program or tests change.

    Raises
    ------
    SystemExit
        When a test fails.
    """
    tests = [ROOT / each.partition("::")[0] for each in group.tests]
    of_tests = sorted({path for test in tests for path in (test.rglob("*.py") if test.is_dir() else [test])})
    state = f"{hashed([*(ROOT / 'ppdm_desktop').rglob('*.py'), *of_tests])} {group.tests} {sorted(group.modules)}"
    out = RESULTS / f"group-{hashlib.sha256(state.encode()).hexdigest()[:16]}"
    if out.exists():
        return out
    RESULTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ppdm-cover-") as folder:
        settings = Path(folder, "settings")
        include = "\n    ".join(str(ROOT / ENGINE / module) for module in group.modules)
        settings.write_text(f"[run]\nbranch = true\ninclude =\n    {include}\ndata_file = {folder}/data\n", "utf-8")
        options = ["--cov", f"--cov-config={settings}", "--cov-report=", "-q"]
        environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
        command = [sys.executable, "-m", "pytest", *group.tests, *options, "-p", "no:cacheprovider"]
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            raise SystemExit("a test fails, so that nothing was measured")
        shutil.copyfile(Path(folder, "data"), out)
    return out


def measure(group: Group) -> dict[str, Missed]:
    """Return what a group's tests leave out of each module.

    Raises
    ------
    SystemExit
        When a test fails.
    """
    data = data_of(group)
    with tempfile.TemporaryDirectory(prefix="ppdm-cover-") as folder:
        settings, report = Path(folder, "settings"), Path(folder, "out.json")
        settings.write_text(f"[run]\nbranch = true\n{_ELSEWHERE}", "utf-8")
        measured = coverage.Coverage(data_file=str(data), config_file=str(settings))
        measured.load()
        measured.json_report(outfile=str(report))
        found = json.loads(report.read_text("utf-8"))
    return {module: missed_of(found, module) for module in group.modules}


def worse(group: Group, found: Mapping[str, Missed]) -> list[str]:
    """Return a line for each module of which more is left out than is written down."""
    return [
        f"{module}: {len(found[module])} lines and branches are not run, {most} were: {found[module]}"
        for module, most in group.modules.items()
        if not isinstance(most, str) and len(found[module]) > most
    ]


def written(text: str, found: Mapping[str, Missed]) -> str:
    """Return the text of the list with the lower numbers filled in."""
    lines = []
    for line in text.splitlines(keepends=True):
        module, sign, number = line.strip().partition(" = ")
        name = module.strip('"')
        is_new = number == '"?"' or (number.isdecimal() and name in found and len(found[name]) < int(number))
        if sign and name in found and is_new:
            line = f"{module} = {len(found[name])}\n"
        lines.append(line)
    return "".join(lines)


def parts() -> dict[str, list[str]]:
    """Return the parts of the whole suite by name, each a few test files of one folder."""
    folders = sorted({path.parent for path in (ROOT / "tests").rglob("test_*.py")})
    found = {}
    for folder in folders:
        files = [path.relative_to(ROOT).as_posix() for path in sorted(folder.glob("test_*.py"))]
        for begin in range(0, len(files), FILES_AT_ONCE):
            found[f"{folder.relative_to(ROOT).as_posix()}:{begin // FILES_AT_ONCE + 1}"] = files[
                begin : begin + FILES_AT_ONCE
            ]
    return found


def hashed(files: Sequence[Path]) -> str:
    """Return a hash over files and their names."""
    whole = hashlib.sha256()
    for path in sorted(files):
        whole.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT).as_posix()}\n".encode())
    return whole.hexdigest()


def fingerprint() -> str:
    """Return a hash over the program's modules, to recognise measurements of other versions."""
    return hashed([*(ROOT / "ppdm_desktop").rglob("*.py")])


def measure_part(files: Sequence[str], out: Path, workers: int) -> int:
    """Run some test files under coverage and keep the data; return pytest's exit code."""
    with tempfile.TemporaryDirectory(prefix="ppdm-cover-") as folder:
        settings = Path(folder, "settings")
        settings.write_text(f"[run]\nbranch = true\nsource = ppdm_desktop\ndata_file = {folder}/data\n", "utf-8")
        options = ["--cov", f"--cov-config={settings}", "--cov-report=", "-q", "-p", "no:cacheprovider"]
        if workers > 1:
            options += ["-n", str(workers), "--dist", "worksteal"]
        environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
        command = [sys.executable, "-m", "pytest", *files, *options]
        code = subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode
        if Path(folder, "data").exists():
            shutil.copyfile(Path(folder, "data"), out)
    return code


def measure_briefly(files: Sequence[str], out: Path, seconds: float) -> int:
    """Run the quick tests of some files for a limited time and keep coverage's data; return pytest's exit code."""
    with tempfile.TemporaryDirectory(prefix="ppdm-cover-") as folder:
        settings = Path(folder, "settings")
        settings.write_text(f"[run]\nbranch = true\nsource = ppdm_desktop\ndata_file = {folder}/data\n", "utf-8")
        measured = ["-m", "coverage", "run", f"--rcfile={settings}", "-m", "pytest"]
        command = [sys.executable, *measured, *files, "-q", "-m", "not slow", "-p", "no:cacheprovider", "-p", "no:cov"]
        environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
        # A shell has what it runs in the background ignore this signal, and so would what is started here.
        signal.signal(signal.SIGINT, signal.default_int_handler)
        with subprocess.Popen(command, cwd=ROOT, env=environment) as process:
            try:
                code = process.wait(seconds)
            except subprocess.TimeoutExpired:
                code = _ended(process)
        if Path(folder, "data").exists():
            shutil.copyfile(Path(folder, "data"), out)
    return 0 if code == NO_TESTS else code


def _ended(process: subprocess.Popen[bytes]) -> int:
    """Ask pytest to end early and keep its data; return 0, since no test failed by it."""
    for _ in range(INTERRUPTIONS):
        process.send_signal(signal.SIGINT)  # a window that runs just then takes one for a fault of its own
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(BETWEEN)
            return 0
    process.kill()
    return 0


@dataclass(frozen=True)
class Share:
    """How much of the program all measured parts run.

    Attributes
    ----------
    whole
        Percentage of its lines and branches.
    engine
        The same without the window.
    modules
        The percentage of each module and how many lines and branches are not run, most of these first.
    """

    whole: float
    engine: float
    modules: tuple[tuple[str, float, int], ...]


def together(measured: Sequence[Path]) -> Share:
    """Return the share of the program that any of the measured parts runs."""
    with tempfile.TemporaryDirectory(prefix="ppdm-cover-") as folder:
        settings, report = Path(folder, "settings"), Path(folder, "out.json")
        settings.write_text(f"[run]\nbranch = true\nsource = ppdm_desktop\n{_ELSEWHERE}", "utf-8")
        whole = coverage.Coverage(data_file=str(Path(folder, "data")), config_file=str(settings))
        whole.combine([str(each) for each in measured], strict=True, keep=True)
        whole.json_report(outfile=str(report))
        found = json.loads(report.read_text("utf-8"))
    return share_of({name: each["summary"] for name, each in found["files"].items()})


def share_of(summaries: Mapping[str, Mapping[str, float]]) -> Share:
    """Return the share of the program run, from coverage's summary of each module."""

    def percent(each: Mapping[str, float]) -> float:
        """Return the percentage of lines and branches run in one summary."""
        of = each["num_statements"] + each["num_branches"]
        return 100.0 * (each["covered_lines"] + each["covered_branches"]) / of if of else 100.0

    def percent_of(names: Sequence[str]) -> float:
        """Return the percentage of lines and branches run in some modules together."""
        kinds = ("num_statements", "num_branches", "covered_lines", "covered_branches")
        return percent({kind: sum(summaries[name][kind] for name in names) for kind in kinds})

    modules = [
        (name, percent(each), int(each["missing_lines"] + each["missing_branches"])) for name, each in summaries.items()
    ]
    return Share(
        percent_of([*summaries]),
        percent_of([name for name in summaries if not name.startswith(WINDOW)]),
        tuple(sorted(modules, key=lambda each: (-each[2], each[0]))),
    )


def whole_suite(chosen: Sequence[str], workers: int, *, is_enough: bool = False) -> int:
    """Run all tests, or those in some folders; return 1 if the program's share run so far is too low, else 0."""
    state, every = fingerprint()[:12], parts()
    wanted = [part for folder in chosen for part in every if part.startswith((f"{folder}:", f"{folder}/"))] or [*every]
    RESULTS.mkdir(parents=True, exist_ok=True)
    failed: list[str] = []
    found = together(kept) if (kept := _measured(state)) else None
    added: dict[str, float] = {}
    while wanted and not (is_enough and found and found.whole >= FLOOR):
        part = most_promising(wanted, added) if is_enough else wanted[0]
        wanted.remove(part)
        name = f"{part.replace('/', '-').replace(':', '-')}.{state}"
        out, brief = RESULTS / name, RESULTS / f"{name}.{SOME}"
        if out.exists() or (is_enough and brief.exists()):
            continue
        begin, before = time.monotonic(), found.whole if found else 0.0
        code = measure_briefly(every[part], brief, BRIEF) if is_enough else measure_part(every[part], out, workers)
        if code:
            failed.append(part)
        if kept := _measured(state):
            found = together(kept)
            seconds = time.monotonic() - begin
            added[part.partition(":")[0]] = (found.whole - before) / seconds
            print(f"{part} ({seconds:.0f} s): {_so_far(found, kept, every)}", flush=True)
    if found is None:
        raise SystemExit("nothing was measured")
    for module, each, missed in found.modules[:LEAST_SHOWN]:
        print(f"{each:5.1f} %  {missed:4} left out  {module}")
    print(f"{_so_far(found, _measured(state), every)}; {FLOOR:g} are wanted")
    if failed:
        print(f"tests fail in {', '.join(failed)}", file=sys.stderr)
    return 1 if failed or found.whole < FLOOR else 0


def _measured(state: str) -> list[Path]:
    """Return the data files of all parts measured in one state of the program."""
    return sorted(each for end in (state, f"{state}.{SOME}") for each in RESULTS.glob(f"*.{end}"))


def _so_far(found: Share, measured: Sequence[Path], every: Mapping[str, object]) -> str:
    """Return in words how much of the program is run; "at least" where parts were not measured whole."""
    whole = sum(each.suffix != f".{SOME}" for each in measured)
    names = len({each.name.partition(".")[0] for each in measured})
    least = "" if whole == len(every) else "at least "
    return (
        f"{least}{found.whole:.1f} % of the lines and branches are run ({found.engine:.1f} % without the window), "
        f"by {names} of {len(every)} parts, {whole} of them whole"
    )


def most_promising(wanted: Sequence[str], added: Mapping[str, float]) -> str:
    """Return the part to measure next: of an untried folder, else of the one whose last part added most."""
    return max(wanted, key=lambda part: added.get(part.partition(":")[0], float("inf")))


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what the arguments ask for; return 1 when more is left out than before, else 0."""
    parser = argparse.ArgumentParser(prog="dev.py cover", description="Measure what the tests run.")
    parser.add_argument("--module", action="append", metavar="M", help="only the group of this module")
    parser.add_argument("--write", action="store_true", help="write down what fell")
    parser.add_argument("--all", action="store_true", help="the whole suite")
    parser.add_argument("--part", action="append", metavar="DIR", help="with --all: only the tests in this folder")
    parser.add_argument("--enough", action="store_true", help="with --all: what is quick, until the floor is reached")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="with --all: so many processes")
    given = parser.parse_args(arguments)
    for folder in given.part or ():
        if not any(part.startswith((f"{folder}:", f"{folder}/")) for part in parts()):
            parser.error(f"no tests are in {folder}")
    if given.all:
        return whole_suite(given.part or (), given.workers, is_enough=given.enough)
    wanted = [group for group in groups() if not given.module or set(given.module) & set(group.modules)]
    if not wanted:
        parser.error("no such module in tests/perfect_files.toml")
    complaints = []
    for group in wanted:
        found = measure(group)
        for module, missed in found.items():
            print(f"{module}: {'everything is run' if not len(missed) else f'{len(missed)} left out: {missed}'}")
        complaints += worse(group, found)
        if given.write:
            LIST.write_text(written(LIST.read_text("utf-8"), found), "utf-8")
    print("\n".join(complaints), file=sys.stderr)
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
