"""Change the program in small ways and see whether its own tests notice: what no test notices is named.

    python3 packaging/dev.py mutate                          every module of tests/perfect_files.toml, half an hour
    python3 packaging/dev.py mutate --module figure.py --minutes 5
    python3 packaging/dev.py mutate --module attacks --changes 3 --seed 7      three changes of each module there
    python3 packaging/dev.py mutate --least 0.8              1 where fewer than four of five changes are noticed

One change at a time is made to the syntax tree of a module: a comparison becomes another one, a whole number one more
or one less, ``and`` becomes ``or``, a condition its opposite, a truth its contrary, a call whose result nobody uses is
left out. Then those tests that ``tests/perfect_files.toml`` names for this module and that run the changed line are
run, until the first one fails: which these are is measured first. What no test runs survives without a trial.
Files are never changed: the process that runs the tests finds the changed module in place of the one on the disk.
What another process imports (the child that reads files) is not changed, so that such code cannot be judged so.

The order of the changes is drawn by a seed that is printed. The outcome is written to ``build/mutation.json``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from types import ModuleType

from cover import Group, data_of, groups

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


@dataclass(frozen=True)
class Change:
    """One change of one node.

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
    """What came of a module's changes."""

    module: str
    tests: list[str]
    changes: int
    tried: int = 0
    killed: int = 0
    timeouts: int = 0
    survivors: list[dict[str, object]] = field(default_factory=list)

    @property
    def share(self) -> float:
        """Share of the changes tried that the tests noticed."""
        return (self.killed + self.timeouts) / self.tried if self.tried else 0.0


def variants(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what a node can become, with words for it; always in the same order."""
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
    """Return every change of a module, in the order of its lines."""
    found = []
    for place, node in enumerate(ast.walk(ast.parse(source))):
        for which, (what, _) in enumerate(variants(node)):
            found.append(Change(place, which, getattr(node, "lineno", 0), what))
    return sorted(found, key=lambda change: (change.line, change.place, change.which))


def changed(source: str, change: Change) -> ast.Module:
    """Return the module's tree with one change."""
    tree = ast.parse(source)
    target = next(node for place, node in enumerate(ast.walk(tree)) if place == change.place)
    _, made = list(variants(target))[change.which]

    class Swap(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> ast.AST:
            return ast.copy_location(made, node) if node is target else self.generic_visit(node)

    Swap().visit(tree)
    return ast.fix_missing_locations(tree)


class _Instead(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives out a changed module in place of the one on the disk."""

    def __init__(self, name: str, path: Path, tree: ast.Module) -> None:
        self._name, self._path, self._tree = name, path, tree

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Answer for this one module only."""
        if fullname != self._name:
            return None
        return importlib.util.spec_from_file_location(fullname, self._path, loader=self)

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed tree."""
        exec(compile(self._tree, str(self._path), "exec"), module.__dict__)


def name_of(module: str) -> str:
    """Return the dotted name of a file of the package."""
    return ".".join(("ppdm_desktop", "engine", *Path(module).with_suffix("").parts)).removesuffix(".__init__")


def run_tests(module: str, tests: Sequence[str], change: Change | None) -> int:
    """Run a module's tests here, with the change made; returns pytest's code."""
    import pytest

    path = PACKAGE / module
    if change is not None:
        sys.meta_path.insert(0, _Instead(name_of(module), path, changed(path.read_text("utf-8"), change)))
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    quiet = ["-x", "-q", "--no-header", "--tb=no", "-p", "no:cacheprovider", "-p", "no:randomly"]
    return int(pytest.main([*quiet, *(str(ROOT / test) for test in tests)]))


ByLine = Mapping[int, frozenset[str]]
"""The tests that run each line of a module."""


def tests_by_line(group: Group) -> tuple[dict[str, ByLine], float]:
    """Return for each module of a group the tests that run each line, and the seconds that all of them took.

    What runs at import is of all tests, and what runs in a fixture is of all tests of that file, which may share it.

    Raises
    ------
    SystemExit
        When a test fails.
    """
    from coverage import CoverageData

    data, seconds = data_of(group)
    measured = CoverageData(str(data))
    measured.read()
    contexts = {module: measured.contexts_by_lineno(str(PACKAGE / module)) for module in group.modules}
    by_line: dict[str, ByLine] = {
        module: {line: frozenset(_tests_of(names, group.tests)) for line, names in lines.items()}
        for module, lines in contexts.items()
    }
    return by_line, seconds


def _tests_of(contexts: Iterable[str], tests: Sequence[str]) -> Iterator[str]:
    for context in contexts:
        test, _, phase = context.rpartition("|")
        if not test:
            yield from tests
        else:
            yield test if phase == "run" else test.partition("::")[0]


def that_run(source: str, line: int, by_line: ByLine) -> list[str]:
    """Return the tests that run the statement in which a line stands; of a statement with a body, its head."""
    begin = end = line
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or node.lineno):
            body = getattr(node, "body", None)
            last = body[0].lineno - 1 if body else node.end_lineno or node.lineno
            if line <= last or not body:
                begin, end = node.lineno, max(last, line)
    found = sorted(set().union(*(by_line.get(each, frozenset()) for each in range(begin, end + 1))))
    whole = {each for each in found if "::" not in each}
    return [each for each in found if each in whole or each.partition("::")[0] not in whole]


def judged(module: str, tests: Sequence[str], change: Change | None, seconds: float) -> str:
    """Run the tests in a process of their own and say what came of it."""
    wanted = json.dumps(None if change is None else asdict(change))
    command = [sys.executable, str(Path(__file__)), "--try", module, "--change", wanted, *tests]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=os.name != "nt"
    ) as process:
        try:
            return SURVIVED if process.wait(seconds) == 0 else KILLED
        except subprocess.TimeoutExpired:
            if os.name == "nt":
                process.kill()
            else:
                os.killpg(process.pid, signal.SIGKILL)  # with the children that read files
            return TIMEOUT


def mutate(
    module: str, tests: Sequence[str], by_line: ByLine, *, most: int | None, until: float, patience: float, seed: int
) -> Outcome:
    """Try the changes of a module, in an order drawn by the seed, until so many were tried or the time is over."""
    source = (PACKAGE / module).read_text("utf-8")
    every = changes_of(source)
    outcome = Outcome(module, list(tests), len(every))
    random.Random(f"{seed} {module}").shuffle(every)
    lines = source.splitlines()
    for change in every[:most]:
        if time.monotonic() > until:
            break
        wanted = that_run(source, change.line, by_line)
        found = judged(module, wanted, change, patience) if wanted else SURVIVED
        outcome.tried += 1
        outcome.killed += found == KILLED
        outcome.timeouts += found == TIMEOUT
        if found == SURVIVED:
            outcome.survivors.append({"line": change.line, "what": change.what, "code": lines[change.line - 1].strip()})
            print(f"  survived: {module}:{change.line} {change.what}: {lines[change.line - 1].strip()}", flush=True)
    return outcome


def fails(outcomes: Sequence[Outcome], least: float) -> int:
    """Say how much was noticed of all changes that were tried; 1 when it is less than is wanted."""
    tried = sum(each.tried for each in outcomes)
    noticed = sum(each.killed + each.timeouts for each in outcomes)
    print(f"all: {noticed} of {tried} noticed")
    return int(noticed < least * tried)


def modules() -> dict[str, Group]:
    """Return the modules that have tests of their own, each with its group."""
    return {module: group for group in groups() for module in group.modules}


def chosen(named: str, known: Iterable[str]) -> list[str]:
    """Return the modules that are meant: one, or all those right in a folder."""
    inside = [each for each in known if each.rpartition("/")[0] == named.rstrip("/")]
    return [each for each in known if each == named] or inside


def main(arguments: list[str] | None = None) -> int:
    """Mutate what was asked for and write down what came of it."""
    parser = argparse.ArgumentParser(prog="dev.py mutate", description="See whether tests notice small changes.")
    parser.add_argument("--module", action="append", metavar="M", help="only this one or those of this folder")
    parser.add_argument("--changes", type=int, metavar="C", help="at most so many changes of each module")
    parser.add_argument("--minutes", type=float, default=30, metavar="N", help="stop after so long (30)")
    parser.add_argument("--seed", type=int, default=None, metavar="S", help="repeat an order; drawn when left out")
    parser.add_argument("--least", type=float, default=0.0, metavar="S", help="fail where a smaller share is noticed")
    parser.add_argument("--try", dest="trial", metavar="M", help=argparse.SUPPRESS)
    parser.add_argument("--change", help=argparse.SUPPRESS)
    parser.add_argument("tests", nargs="*", help=argparse.SUPPRESS)
    given = parser.parse_args(arguments)
    if given.trial:
        wanted = json.loads(given.change)
        return run_tests(given.trial, given.tests, None if wanted is None else Change(**wanted))
    known = modules()
    wanted_modules = list(dict.fromkeys(each for named in given.module or known for each in chosen(named, known)))
    if strange := [named for named in given.module or () if not chosen(named, known)]:
        parser.error(f"not in tests/perfect_files.toml: {', '.join(strange)}")
    seed = random.SystemRandom().randrange(10**6) if given.seed is None else given.seed
    print(f"seed {seed}", flush=True)
    end, outcomes = time.monotonic() + 60 * given.minutes, []
    measured: dict[tuple[str, ...], tuple[dict[str, ByLine], float]] = {}
    for place, module in enumerate(wanted_modules):
        tests = known[module].tests
        if tests not in measured:
            measured[tests] = tests_by_line(known[module])
        # What measuring took is missing to all that are left alike, and what a module does not need is theirs.
        now = time.monotonic()
        until = now + (end - now) / (len(wanted_modules) - place)
        lines, seconds = measured[tests]
        patience = max(_AT_LEAST, _SLOWER * seconds)
        outcome = mutate(module, tests, lines[module], most=given.changes, until=until, patience=patience, seed=seed)
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
