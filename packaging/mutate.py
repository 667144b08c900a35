"""Change the program in small ways and see whether its own tests notice: what no test notices is named.

    python3 packaging/dev.py mutate                          every module of tests/perfect_files.toml, half an hour
    python3 packaging/dev.py mutate --module figure.py --minutes 5
    python3 packaging/dev.py mutate --module attacks --changes 3 --seed 7      three changes of each module there
    python3 packaging/dev.py mutate --least 0.8              1 where fewer than four of five changes are noticed

One change at a time is made to the syntax tree of a module: a comparison becomes another one, a whole number one more
or one less, ``and`` becomes ``or``, a condition its opposite, a truth its contrary, a call whose result nobody uses is
left out. Then those tests that ``tests/perfect_files.toml`` names for this module and that run the changed line are
run, the quick ones first, until one fails. Which these are is measured first, and kept in ``build/coverage`` for each
file of tests until it or the module changes. What runs at import is asked of the tests that run anything of the module
and of all that take less than a second. With ``--ask`` only the quickest tests are run, as many as take so many
seconds: what these do not notice a slower one may, so that the share noticed is at least what is said. What no test
runs survives without a trial.
Files are never changed: the process that runs the tests finds the changed module in place of the one on the disk.
What another process imports (the child that reads files) is not changed, so that such code cannot be judged so.

The order of the changes is drawn by a seed that is printed. The outcome is written to ``build/mutation.json``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import hashlib
import importlib.abc
import importlib.machinery
import importlib.util
import json
import math
import multiprocessing
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

from cover import RESULTS, Group, groups, hashed

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ppdm_desktop" / "engine"
OUT = ROOT / "build" / "mutation.json"
KILLED, SURVIVED, TIMEOUT = "killed", "survived", "timeout"
_COMPARISONS: Mapping[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
_SLOWER, _AT_LEAST = 10, 20.0
"""So many times longer than without a change, and so many seconds at least, tests may take."""
_QUICK = 1.0
"""Seconds below which a test is asked of what runs at import, whatever it runs of the module."""
_IMPORT = ""
"""What stands among the tests that run a line for the import of its module."""
_NOT_FOUND = 4
"""What pytest ends with where a test that is named is not there, or where its file cannot be imported."""
_SECONDS = "PPDM_MUTATE_SECONDS"
"""Names the file to which a run of tests writes how long each of them took."""
_PRELOADED = ("numpy", "pandas", "scipy.spatial", "scipy.stats", "PySide6.QtCore")
"""What tests import of others, and what takes long: each trial begins with it."""


@dataclass(frozen=True)
class Change:
    """One possible change of one node in a syntax tree.

    Attributes
    ----------
    place
        Which node it is, counted as ``ast.walk`` meets them.
    which
        Which of the changes of this node.
    line
        Where it stands.
    what
        In words, for people.
    """

    place: int
    which: int
    line: int
    what: str


@dataclass
class Outcome:
    """The result of a module's changes."""

    module: str
    tests: list[str]
    changes: int
    tried: int = 0
    killed: int = 0
    timeouts: int = 0
    survivors: list[dict[str, object]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Return the share of tried changes that the tests noticed."""
        return (self.killed + self.timeouts) / self.tried if self.tried else 0.0


def variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes that can replace a node, each with a description, always in the same order."""
    match node:
        case ast.Compare(ops=ops):
            for place, operator in enumerate(ops):
                for other in _COMPARISONS.get(type(operator), ()):
                    made = copy.deepcopy(node)
                    made.ops[place] = other()
                    yield f"{type(operator).__name__} becomes {other.__name__}", made
        case ast.BoolOp(op=operator):
            made_bool = copy.deepcopy(node)
            made_bool.op = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield f"{type(operator).__name__} becomes {type(made_bool.op).__name__}", made_bool
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not is left out", operand
        case ast.Constant(value=bool() as value):
            yield f"{value} becomes {not value}", ast.Constant(not value)
        case ast.Constant(value=int() as value):
            for near in (value + 1, value - 1):
                yield f"{value} becomes {near}", ast.Constant(near)
        case ast.Constant(value=float() as value):
            yield f"{value} becomes {value + 1}", ast.Constant(value + 1)
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare | ast.BoolOp | ast.UnaryOp):
            made_if = copy.deepcopy(node)
            made_if.test = ast.UnaryOp(ast.Not(), copy.deepcopy(test))
            yield "the condition becomes its opposite", made_if
        case ast.Expr(value=ast.Call(func=called)):
            yield f"{ast.unparse(called)}() is left out", ast.Pass()


def changes_of(source: str) -> list[Change]:
    """Return every possible change of a module, in the order of its lines."""
    found = []
    for place, node in enumerate(ast.walk(ast.parse(source))):
        for which, (what, _) in enumerate(variants(node)):
            found.append(Change(place, which, getattr(node, "lineno", 0), what))
    return sorted(found, key=lambda change: (change.line, change.place, change.which))


def changed(source: str, change: Change) -> ast.Module:
    """Return the module's syntax tree with one change."""
    tree = ast.parse(source)
    target = next(node for place, node in enumerate(ast.walk(tree)) if place == change.place)
    _, made = list(variants(target))[change.which]

    class Swap(ast.NodeTransformer):
        """Replaces the one node in the tree."""

        def visit(self, node: ast.AST) -> ast.AST:
            """Return the node, or its replacement."""
            return ast.copy_location(made, node) if node is target else self.generic_visit(node)

    Swap().visit(tree)
    return ast.fix_missing_locations(tree)


class _Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports a changed module in place of the one on the disk."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self._name, self._path, self._tree = name, path, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Return the specification of this one module; None for all others."""
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Execute the changed syntax tree."""
        exec(compile(self._tree, str(self._path), "exec"), module.__dict__)


def name_of(module: str) -> str:
    """Return the dotted module name of a file of the package."""
    return ".".join(("ppdm_desktop", "engine", *Path(module).with_suffix("").parts)).removesuffix(".__init__")


def run_tests(module: str, tests: Sequence[str], change: Change | None) -> int:
    """Run a module's tests in this process with a change made; return pytest's exit code."""
    import pytest

    path = PACKAGE / module
    if change is not None:
        sys.meta_path.insert(0, _Instead(name_of(module), path, changed(path.read_text("utf-8"), change)))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault("HYPOTHESIS_PROFILE", "mutation")
    quiet = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly"]
    return int(pytest.main([*quiet, *(str(ROOT / test) for test in tests)]))


ByLine = Mapping[int, frozenset[str]]
"""The tests that run each line of a module; a file for all its tests, and "" for its import."""


@dataclass(frozen=True)
class Measured:
    """Which tests of a group run each line, and how long each test takes.

    Attributes
    ----------
    lines
        For each module the tests that run each line.
    seconds
        How long each test takes.
    """

    lines: Mapping[str, ByLine]
    seconds: Mapping[str, float]

    def of(self, tests: Iterable[str]) -> float:
        """Return the seconds that tests take; a file stands for all its tests."""
        wanted = set(tests)
        return sum(s for test, s in self.seconds.items() if test in wanted or test.partition("::")[0] in wanted)


def pytest_runtest_logreport(report: Any) -> None:
    """Record how long a test took (a pytest hook of this file, used where tests are measured)."""
    if wanted := os.environ.get(_SECONDS):
        with Path(wanted).open("a", encoding="utf-8") as out:
            out.write(json.dumps([report.nodeid, report.duration]) + "\n")


def measured_tests(group: Group, modules: Sequence[str]) -> Measured:
    """Return which tests of a group run each line of some of its modules.

    What was measured is kept for each file of tests until it or one of these modules changes. What else of the program
    has changed may move a line to another test: then one test too few is asked, and too much survives.

    Raises
    ------
    SystemExit
        When a test fails.
    """
    texts = {module: hashed([PACKAGE / module]) for module in modules}
    files = {
        path.relative_to(ROOT).as_posix(): path
        for test in group.tests
        for place in (ROOT / test.partition("::")[0],)
        for path in (sorted(place.rglob("test_*.py")) if place.is_dir() else [place])
    }
    found, missing = {}, []
    for name, path in files.items():
        asked = [test for test in group.tests if test.partition("::")[0] == name and "::" in test] or [name]
        state = hashlib.sha256(f"{hashed([path])} {asked}".encode()).hexdigest()[:16]
        kept = RESULTS / f"runs-{name.replace('/', '-')}-{state}.json"
        found[name] = json.loads(kept.read_text("utf-8")) if kept.exists() else {"modules": {}, "seconds": {}}
        if any(found[name]["modules"].get(each, {}).get("text") != text for each, text in texts.items()):
            missing.append((name, asked, kept))
    if missing:
        fresh = _measure([test for _, asked, _ in missing for test in asked], modules)
        for name, _, kept in missing:
            for module, text in texts.items():
                lines = {
                    line: sorted({each for each in tests if each == _IMPORT or each.partition("::")[0] == name})
                    for line, tests in fresh.lines[module].items()
                }
                found[name]["modules"][module] = {"text": text, "lines": {line: t for line, t in lines.items() if t}}
            found[name]["seconds"] = {test: s for test, s in fresh.seconds.items() if test.partition("::")[0] == name}
            kept.write_text(json.dumps(found[name]), "utf-8")
    lines_of: dict[str, dict[int, set[str]]] = {module: defaultdict(set) for module in modules}
    seconds: dict[str, float] = {}
    for each in found.values():
        seconds |= each["seconds"]
        for module in modules:
            for line, tests in each["modules"][module]["lines"].items():
                lines_of[module][int(line)] |= {*tests}
    frozen = {module: {line: frozenset(tests) for line, tests in lines.items()} for module, lines in lines_of.items()}
    return Measured(frozen, seconds)


def _measure(tests: Sequence[str], modules: Sequence[str]) -> Measured:
    """Run tests and return which of them run each line of the modules."""
    from coverage import CoverageData

    RESULTS.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="ppdm-mutate-") as folder:
        settings, times = Path(folder, "settings"), Path(folder, "seconds")
        include = "\n    ".join(str(PACKAGE / module) for module in modules)
        settings.write_text(f"[run]\nbranch = true\ninclude =\n    {include}\ndata_file = {folder}/data\n", "utf-8")
        options = ["--cov", f"--cov-config={settings}", "--cov-context=test", "--cov-report=", "-q"]
        paths = os.pathsep.join([str(Path(__file__).parent), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
        environment = {"QT_QPA_PLATFORM": "offscreen", **os.environ, _SECONDS: str(times), "PYTHONPATH": paths}
        command = [
            sys.executable,
            "-m",
            "pytest",
            *tests,
            *options,
            "-p",
            "no:cacheprovider",
            "-p",
            Path(__file__).stem,
        ]
        if subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode:
            raise SystemExit("a test fails, so that nothing was measured")
        measured = CoverageData(f"{folder}/data")
        measured.read()
        lines = {
            module: {
                line: frozenset(_tests_of(names))
                for line, names in measured.contexts_by_lineno(str(PACKAGE / module)).items()
            }
            for module in modules
        }
        seconds: dict[str, float] = defaultdict(float)
        for text in times.read_text("utf-8").splitlines():
            test, took = json.loads(text)
            seconds[test] += took
    return Measured(lines, dict(seconds))


def _tests_of(contexts: Iterable[str]) -> Iterator[str]:
    """Yield the tests that coverage's contexts name; for a fixture, its whole test file."""
    for context in contexts:
        test, _, phase = context.rpartition("|")
        yield test if phase == "run" else test.partition("::")[0]


def that_run(
    source: str, line: int, by_line: ByLine, seconds: Mapping[str, float], most: float = math.inf
) -> list[str]:
    """Return the tests to run for the statement that contains a line; for a compound statement, those of its head.

    The quick ones come first, as many as take so many seconds together, and one at least; those of one file stay
    together, as they may share what was made for them.
    """
    begin = end = line
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            if line <= last or not body:
                begin, end = node.lineno, max(last, line)
    found = set().union(*(by_line.get(each, frozenset()) for each in range(begin, end + 1)))
    if _IMPORT in found:
        found |= set().union(*by_line.values()) | {test for test, took in seconds.items() if took < _QUICK}
    whole = {each for each in found if each and "::" not in each}
    single = {each for each in found if "::" in each and each.partition("::")[0] not in whole}
    measured = Measured({}, seconds)
    quick_first = sorted((measured.of([test]), test) for test in whole | single)
    files: dict[str, list[str]] = defaultdict(list)
    took = 0.0
    for each, test in quick_first:
        took += each
        if not files or took <= most:
            files[test.partition("::")[0]].append(test)
    return [test for tests in sorted(files.values(), key=lambda tests: (measured.of(tests), tests)) for test in tests]


def judged(module: str, tests: Sequence[str], change: Change | None, seconds: float) -> str:
    """Run the tests on a change in a process of their own; return what came of it in a word.

    Where a test that is named is not there, as its file cannot be imported or its name depends on what was changed, the
    whole files are run.
    """
    code = _ended(module, tests, change, seconds)
    if code == _NOT_FOUND:
        code = _ended(module, sorted({test.partition("::")[0] for test in tests}), change, seconds)
    return TIMEOUT if code is None else KILLED if code else SURVIVED


def _ended(module: str, tests: Sequence[str], change: Change | None, seconds: float) -> int | None:
    """Return the exit code of pytest in a process of its own; None when it was ended after ``seconds``."""
    process = multiprocessing.Process(target=_trial, args=(module, tests, change))
    process.start()
    process.join(seconds)
    code = process.exitcode
    if code is None:
        if os.name == "nt":
            process.kill()
        else:
            os.killpg(process.pid or 0, signal.SIGKILL)  # with the children that read files
        process.join()
    return code


def _trial(module: str, tests: Sequence[str], change: Change | None) -> None:
    """Run in the child process: run the tests silently and exit with their code."""
    if os.name != "nt":
        os.setsid()
    silence = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1, 2):
        os.dup2(silence, stream)
    os.chdir(ROOT)
    sys.exit(run_tests(module, tests, change))


def mutate(
    module: str, tests: Sequence[str], measured: Measured, *, most: int | None, until: float, seed: int, ask: float
) -> Outcome:
    """Return the result of a module's changes, tried in a random order until enough were tried or time is over."""
    source = (PACKAGE / module).read_text("utf-8")
    every = changes_of(source)
    outcome = Outcome(module, list(tests), len(every))
    random.Random(f"{seed} {module}").shuffle(every)
    lines = source.splitlines()
    for change in every[:most]:
        if time.monotonic() > until:
            break
        wanted = that_run(source, change.line, measured.lines[module], measured.seconds, ask)
        patience = max(_AT_LEAST, _SLOWER * measured.of(wanted))
        found = judged(module, wanted, change, patience) if wanted else SURVIVED
        outcome.tried += 1
        outcome.killed += found == KILLED
        outcome.timeouts += found == TIMEOUT
        if found == SURVIVED:
            outcome.survivors.append({"line": change.line, "what": change.what, "code": lines[change.line - 1].strip()})
            print(f"  survived: {module}:{change.line} {change.what}: {lines[change.line - 1].strip()}", flush=True)
    return outcome


def fails(outcomes: Sequence[Outcome], least: float) -> int:
    """Print how much of all tried changes was noticed; return 1 when that is too little, else 0."""
    tried = sum(each.tried for each in outcomes)
    noticed = sum(each.killed + each.timeouts for each in outcomes)
    print(f"all: {noticed} of {tried} noticed")
    return int(noticed < least * tried)


def modules() -> dict[str, Group]:
    """Return the modules with tests of their own, each with its group."""
    return {module: group for group in groups() for module in group.modules}


def chosen(named: str, known: Iterable[str]) -> list[str]:
    """Return the modules that an argument names: one module, or all in a folder."""
    inside = [each for each in known if each.rpartition("/")[0] == named.rstrip("/")]
    return [each for each in known if each == named] or inside


def main(arguments: list[str] | None = None) -> int:
    """Try the changes that the arguments ask for and write the results; return the exit code."""
    parser = argparse.ArgumentParser(prog="dev.py mutate", description="See whether tests notice small changes.")
    parser.add_argument("--module", action="append", metavar="M", help="only this one or those of this folder")
    parser.add_argument("--changes", type=int, metavar="C", help="at most so many changes of each module")
    parser.add_argument("--minutes", type=float, default=30, metavar="N", help="stop after so long (30)")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="repeat an order; drawn when left out")
    parser.add_argument(
        "--ask", type=float, default=math.inf, metavar="S", help="at most so many seconds of tests each"
    )
    parser.add_argument("--least", type=float, default=0.0, metavar="S", help="fail where a smaller share is noticed")
    given = parser.parse_args(arguments)
    known = modules()
    wanted_modules = list(dict.fromkeys(each for named in given.module or known for each in chosen(named, known)))
    if strange := [named for named in given.module or () if not chosen(named, known)]:
        parser.error(f"not in tests/perfect_files.toml: {', '.join(strange)}")
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    # A copy of this process has the libraries already. Elsewhere than on Linux they do not bear to be copied.
    multiprocessing.set_start_method("fork" if sys.platform == "linux" else "spawn", force=True)
    if sys.platform == "linux":
        for library in _PRELOADED:
            if importlib.util.find_spec(library.partition(".")[0]):
                importlib.import_module(library)
    end, outcomes = time.monotonic() + 60 * given.minutes, []
    measured: dict[tuple[str, ...], Measured] = {}
    for place, module in enumerate(wanted_modules):
        tests = known[module].tests
        if tests not in measured:
            measured[tests] = measured_tests(
                known[module], [each for each in wanted_modules if known[each].tests == tests]
            )
        # What measuring took is missing to all that are left alike, and what a module does not need is theirs.
        now = time.monotonic()
        until = now + (end - now) / (len(wanted_modules) - place)
        outcome = mutate(module, tests, measured[tests], most=given.changes, until=until, seed=seed, ask=given.ask)
        outcomes.append(outcome)
        print(
            f"{module}: {outcome.killed + outcome.timeouts} of {outcome.tried} noticed ({outcome.share:.0%}), "
            f"{outcome.changes} possible",
            flush=True,
        )
    OUT.parent.mkdir(exist_ok=True)
    document = {"seed": seed, "modules": [{**asdict(each), "share": round(each.share, 4)} for each in outcomes]}
    OUT.write_text(json.dumps(document, indent=1) + "\n", "utf-8")
    print(f"written: {OUT.relative_to(ROOT)}")
    return fails(outcomes, given.least)


if __name__ == "__main__":
    sys.exit(main())
