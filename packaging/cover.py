"""Measure whether the tests of the modules that must never fail run every line and every branch of them.

    python3 packaging/dev.py cover                       every group of tests/perfect_files.toml
    python3 packaging/dev.py cover --module figure.py    only the group of this module
    python3 packaging/dev.py cover --write               and write down what fewer lines and branches are missed now
    python3 packaging/dev.py cover --all                 the whole suite; at least nine tenths of the program are run

Each group is run by its own tests and nothing else: what only another test happens to run is not tested by these. The
number beside a module says how many lines and branches they leave out. It may fall, and never rises. A "?" says that
nobody measured it yet: ``--write`` puts the number there.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = Path("ppdm_desktop", "engine")
LIST = ROOT / "tests" / "perfect_files.toml"
_ELSEWHERE = "[report]\nexclude_also =\n    if sys.platform == .win32.:\n"
"""What only Windows runs is no line of other systems."""
FLOOR = 90.0
"""Percent of the lines and branches of the program that the whole suite has to run."""


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


def whole_suite() -> int:
    """Run all tests and hold what they run against the floor."""
    options = ["--cov=ppdm_desktop", "--cov-branch", "--cov-report=term:skip-covered", f"--cov-fail-under={FLOOR}"]
    return subprocess.run([sys.executable, "-m", "pytest", "-q", *options], cwd=ROOT, check=False).returncode


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure what was asked for; 1 when more is left out than before."""
    parser = argparse.ArgumentParser(prog="dev.py cover", description="Measure what the tests run.")
    parser.add_argument("--module", action="append", metavar="M", help="only the group of this module")
    parser.add_argument("--write", action="store_true", help="write down what fell")
    parser.add_argument("--all", action="store_true", help="the whole suite")
    given = parser.parse_args(arguments)
    if given.all:
        return whole_suite()
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
