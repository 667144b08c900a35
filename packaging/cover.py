"""Measure whether the tests of the modules that must never fail run every line and every branch of them.

    python3 packaging/dev.py cover                       every group of tests/perfect_files.toml
    python3 packaging/dev.py cover --module figure.py    only the group of this module
    python3 packaging/dev.py cover --write               and write down what fewer lines and branches are missed now
    python3 packaging/dev.py cover --all                 the whole suite; at least nine tenths of the program are run
    python3 packaging/dev.py cover --all --part tests/ui one folder of it, beside what was measured before

The whole suite is measured part by part, each a few files of tests. What a part runs the whole runs, so that after each
part the share that is run is known to be at least so much. What was measured stays in ``build/coverage`` until a
module changes: after a stop the same command goes on.

Each group is run by its own tests and nothing else: what only another test happens to run is not tested by these. The
number beside a module says how many lines and branches they leave out. It may fall, and never rises. A "?" says that
nobody measured it yet: ``--write`` puts the number there.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
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
KEPT = ROOT / "build" / "coverage"
FILES_AT_ONCE = 8
"""So many files of tests are measured at once: what was measured stays when the work is ended."""
LEAST_SHOWN = 30
"""Of so many modules the share is printed, the least first."""


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
    """What the tests leave out of a module."""

    lines: tuple[int, ...]
    branches: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        """Return the number of lines and branches."""
        return len(self.lines) + len(self.branches)

    def __str__(self) -> str:
        """Name them."""
        parts = [str(line) for line in self.lines]
        parts += [f"{start}->{'exit' if end < 0 else end}" for start, end in self.branches]
        return ", ".join(parts)


def groups(text: str | None = None) -> list[Group]:
    """Read the list."""
    listed = tomllib.loads(LIST.read_text("utf-8") if text is None else text)["group"]
    return [Group(tuple(each["tests"]), each["modules"]) for each in listed]


def missed_of(report: Mapping[str, object], module: str) -> Missed:
    """Read from coverage's JSON what was left out of a module; all of it where it was not even imported."""
    files = report["files"]
    assert isinstance(files, Mapping)
    found = files.get((ENGINE / module).as_posix()) or files.get(str(ENGINE / module))
    if found is None:
        return Missed((0,), ())
    return Missed(
        tuple(found["missing_lines"]), tuple((start, end) for start, end in found.get("missing_branches", ()))
    )


def measure(group: Group) -> dict[str, Missed]:
    """Run a group's tests and return what they leave out of each module.

    Raises
    ------
    SystemExit
        When a test fails.
    """
    with tempfile.TemporaryDirectory(prefix="ppdm-cover-") as folder:
        settings, out = Path(folder, "settings"), Path(folder, "out.json")
        include = "\n    ".join(str(ENGINE / module) for module in group.modules)
        settings.write_text(
            f"[run]\nbranch = true\ninclude =\n    {include}\ndata_file = {folder}/data\n{_ELSEWHERE}", "utf-8"
        )
        options = ["--cov", f"--cov-config={settings}", f"--cov-report=json:{out}", "-q", "-p", "no:cacheprovider"]
        environment = {**os.environ, "QT_QPA_PLATFORM": os.environ.get("QT_QPA_PLATFORM", "offscreen")}
        command = [sys.executable, "-m", "pytest", *group.tests, *options]
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            raise SystemExit("a test fails, so that nothing was measured")
        report = json.loads(out.read_text("utf-8"))
    return {module: missed_of(report, module) for module in group.modules}


def worse(group: Group, found: Mapping[str, Missed]) -> list[str]:
    """Say of which modules more is left out than is written down."""
    return [
        f"{module}: {len(found[module])} lines and branches are not run, {most} were: {found[module]}"
        for module, most in group.modules.items()
        if not isinstance(most, str) and len(found[module]) > most
    ]


def written(text: str, found: Mapping[str, Missed]) -> str:
    """Return the list with the numbers that fell."""
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
    """Return the parts of the whole suite: of each folder a few files of tests, by a name that says which."""
    folders = sorted({path.parent for path in (ROOT / "tests").rglob("test_*.py")})
    found = {}
    for folder in folders:
        files = [path.relative_to(ROOT).as_posix() for path in sorted(folder.glob("test_*.py"))]
        for begin in range(0, len(files), FILES_AT_ONCE):
            found[f"{folder.relative_to(ROOT).as_posix()}:{begin // FILES_AT_ONCE + 1}"] = files[
                begin : begin + FILES_AT_ONCE
            ]
    return found


def fingerprint() -> str:
    """Return a hash over the modules of the program: of others, what was measured says nothing."""
    whole = hashlib.sha256()
    for path in sorted((ROOT / "ppdm_desktop").rglob("*.py")):
        whole.update(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(ROOT).as_posix()}\n".encode())
    return whole.hexdigest()


def measure_part(files: Sequence[str], out: Path, workers: int) -> int:
    """Run some files of tests and keep what they run; return the exit code of pytest."""
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


def together(measured: Sequence[Path]) -> tuple[float, list[tuple[float, str]]]:
    """Return the percentage of lines and branches that any part ran, and that of each module, the least first."""
    with tempfile.TemporaryDirectory(prefix="ppdm-cover-") as folder:
        settings, report = Path(folder, "settings"), Path(folder, "out.json")
        settings.write_text(f"[run]\nbranch = true\nsource = ppdm_desktop\n{_ELSEWHERE}", "utf-8")
        whole = coverage.Coverage(data_file=str(Path(folder, "data")), config_file=str(settings))
        whole.combine([str(each) for each in measured], strict=True, keep=True)
        whole.json_report(outfile=str(report))
        found = json.loads(report.read_text("utf-8"))
    modules = [(float(each["summary"]["percent_covered"]), name) for name, each in found["files"].items()]
    return float(found["totals"]["percent_covered"]), sorted(modules)


def whole_suite(chosen: Sequence[str], workers: int) -> int:
    """Run all tests, or those in some folders, and hold what all that was measured runs against the floor."""
    state, every = fingerprint()[:12], parts()
    wanted = [part for folder in chosen for part in every if part.startswith((f"{folder}:", f"{folder}/"))] or [*every]
    KEPT.mkdir(parents=True, exist_ok=True)
    failed, found = [], None
    for part in wanted:
        out = KEPT / f"{part.replace('/', '-').replace(':', '-')}.{state}"
        if out.exists():
            continue
        if measure_part(every[part], out, workers):
            failed.append(part)
        if measured := sorted(KEPT.glob(f"*.{state}")):
            found = together(measured)
            print(f"{part}: with {len(measured)} of {len(every)} parts {found[0]:.1f} % are run", flush=True)
    share, modules = found or together(sorted(KEPT.glob(f"*.{state}")))
    for each, name in modules[:LEAST_SHOWN]:
        print(f"{each:5.1f} %  {name}")
    print(f"{share:.1f} % of the lines and branches are run; {FLOOR:g} are wanted")
    if failed:
        print(f"tests fail in {', '.join(failed)}", file=sys.stderr)
    return 1 if failed or share < FLOOR else 0


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; 1 when more is left out than before."""
    parser = argparse.ArgumentParser(prog="dev.py cover", description="Measure what the tests run.")
    parser.add_argument("--module", action="append", metavar="M", help="only the group of this module")
    parser.add_argument("--write", action="store_true", help="write down what fell")
    parser.add_argument("--all", action="store_true", help="the whole suite")
    parser.add_argument("--part", action="append", metavar="DIR", help="with --all: only the tests in this folder")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="with --all: so many processes")
    given = parser.parse_args(arguments)
    for folder in given.part or ():
        if not any(part.startswith((f"{folder}:", f"{folder}/")) for part in parts()):
            parser.error(f"no tests are in {folder}")
    if given.all:
        return whole_suite(given.part or (), given.workers)
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
