"""Count the project's size and compare it with the limits in ``pyproject.toml``.

    python3 packaging/dev.py lint                 all checks, this one among them
    .venv/bin/python packaging/yardstick.py       only this table
    .venv/bin/python packaging/yardstick.py --lower   write today's figures, where they are lower, as the limits

Limits stand in ``[tool.ppdm.limits]``. A figure above its limit fails the check; lower figures become the new limits
by ``--lower``, so that the project can only shrink unless a limit is raised on purpose.
A line counts as code unless it is blank or part of a comment or docstring.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from words import gather

from ppdm_desktop.engine.wording.catalogue import domain_of

ROOT = Path(__file__).resolve().parent.parent
SETTINGS = ROOT / "pyproject.toml"
TEST_REPORT = ROOT / "build" / "tests.xml"
"""What the last whole run of the tests wrote: the seconds of each test (``dev.py test``)."""
PACKAGE_DEPTH = {"engine": 3, "ui": 3}
"""How many folders of a path name a package of the table, by the second folder; two elsewhere."""
SLOWEST_TESTS = 20
LONGEST_BODY, MOST_BRANCHES = 50, 15
VAGUE_NAMES = frozenset(
    "each found place words shown known own one other others some beside these".split()  # noqa: SIM905
)
"""Names that say nothing about what they hold."""
NOT_CODE = (
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER,
    tokenize.ENCODING,
)  # fmt: skip
BRANCHES = (
    ast.If, ast.For, ast.AsyncFor, ast.While, ast.ExceptHandler, ast.IfExp, ast.Assert, ast.comprehension,
    ast.match_case,
)  # fmt: skip


@dataclass(frozen=True)
class ModuleSize:
    """The size of one module: its lines of code, its bound names, and how many of its functions are too large."""

    path: Path
    lines: int
    names: int
    vague_names: int
    long_functions: int
    complex_functions: int


def measure_module(path: Path) -> ModuleSize:
    """Return the size of a Python module."""
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    code_lines: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in NOT_CODE:
            code_lines.update(range(token.start[0], token.end[0] + 1))
    docstring_lines: set[int] = set()
    names: list[str] = []
    long_functions = complex_functions = 0
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            docstring_lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.append(node.id)
        elif isinstance(node, ast.arg):
            names.append(node.arg)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            long_functions += _body_lines(node) > LONGEST_BODY
            complex_functions += _complexity(node) > MOST_BRANCHES
    vague = sum(name in VAGUE_NAMES for name in names)
    return ModuleSize(path, len(code_lines - docstring_lines), len(names), vague, long_functions, complex_functions)


def _body_lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the lines from the first statement after the docstring to the end of a function."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return (function.end_lineno or 0) - body[0].lineno + 1 if body else 0


def _complexity(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    """Return the cyclomatic complexity of a function, nested functions left out (McCabe 1976)."""
    count = 1
    waiting: list[ast.AST] = list(function.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            continue
        count += isinstance(node, BRANCHES)
        count += len(node.values) - 1 if isinstance(node, ast.BoolOp) else 0
        waiting.extend(ast.iter_child_nodes(node))
    return count


def tracked_modules(folder: str) -> Iterator[Path]:
    """Return the Python modules below a folder that git tracks, or all of them where there is no git."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "-co", "--exclude-standard", "-z", "--", folder],
            cwd=ROOT, capture_output=True, text=True, check=True,
        ).stdout.split("\0")  # fmt: skip
        paths = [ROOT / name for name in listed if name.endswith(".py")]
    except (OSError, subprocess.CalledProcessError):
        paths = sorted((ROOT / folder).rglob("*.py"))
    return (path for path in paths if path.is_file())


def package_of(path: Path) -> str:
    """Return the package of a module as the table names it, such as ``ppdm_desktop/engine/release``."""
    parts = path.relative_to(ROOT).parts[:-1]
    depth = PACKAGE_DEPTH.get(parts[1], 2) if len(parts) > 1 else 1
    return "/".join(parts[:depth])


def figures(product: list[ModuleSize], tests: list[ModuleSize]) -> dict[str, float]:
    """Return the measured figures that have a limit, by their key in ``[tool.ppdm.limits]``."""
    names = sum(module.names for module in product)
    return {
        "product_code_lines": sum(module.lines for module in product),
        "test_code_lines": sum(module.lines for module in tests),
        "sentences": sum(domain_of(context) == "messages" for context, _ in gather()),
        "functions_over_50_lines": sum(module.long_functions for module in product),
        "functions_over_complexity_15": sum(module.complex_functions for module in product),
        "vague_names_percent": round(100 * sum(module.vague_names for module in product) / max(names, 1), 1),
        "contributing_bytes": (ROOT / "CONTRIBUTING.md").stat().st_size,
        "changelog_bytes": (ROOT / "CHANGELOG.md").stat().st_size,
    }


def slowest_tests() -> list[tuple[float, str]]:
    """Return the slowest tests of the last whole run with their seconds; empty where none was run here."""
    if not TEST_REPORT.is_file():
        return []
    cases = ElementTree.parse(TEST_REPORT).getroot().iter("testcase")  # our own file, written by pytest
    timed = [(float(case.get("time", 0)), f"{case.get('classname')}::{case.get('name')}") for case in cases]
    return sorted(timed, reverse=True)[:SLOWEST_TESTS]


def lower_limits(measured: dict[str, float], limits: dict[str, float]) -> None:
    """Write each figure below its limit into ``pyproject.toml`` as the new limit."""
    text = SETTINGS.read_text("utf-8")
    for key, limit in limits.items():
        if measured[key] < limit:
            text = re.sub(rf"(?m)^{key} = .*$", f"{key} = {measured[key]:g}".replace("e+", "e"), text)
    SETTINGS.write_text(text, "utf-8")


def main(arguments: list[str] | None = None) -> int:
    """Print the table; return 1 where a figure is above its limit, else 0."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lower", action="store_true", help="write lower figures as the new limits")
    options = parser.parse_args(arguments)
    product = [measure_module(path) for path in tracked_modules("ppdm_desktop")]
    tests = [measure_module(path) for path in tracked_modules("tests")]
    by_package: Counter[str] = Counter()
    for module in (*product, *tests):
        by_package[package_of(module.path)] += module.lines
    print("Lines of code by package:")
    for package, lines in sorted(by_package.items()):
        print(f"  {lines:7,}  {package}")
    if timed := slowest_tests():
        print("Slowest tests of the last whole run, seconds:")
        for seconds, name in timed:
            print(f"  {seconds:7.1f}  {name}")
    limits = tomllib.loads(SETTINGS.read_text("utf-8"))["tool"]["ppdm"]["limits"]
    measured = figures(product, tests)
    print("Figures and their limits:")
    for key, value in measured.items():
        print(f"  {value:9,}  of {limits[key]:9,}  {key}")
    if options.lower:
        lower_limits(measured, limits)
    above = [key for key, value in measured.items() if value > limits[key]]
    if above:
        print("Above their limits: " + ", ".join(above))
    return 1 if above else 0


if __name__ == "__main__":
    sys.exit(main())
