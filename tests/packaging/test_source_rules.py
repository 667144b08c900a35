"""What the program's own code never does, read from its syntax: run what a file says, or draw what others can guess."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeGuard

import pytest
from source_trees import nodes_of, parse_once

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.attack_audit.base import all_attacks
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.wording.texts import all_texts

RUNS_A_FILE = frozenset(
    {"pickle", "cPickle", "cloudpickle", "dill", "marshal", "shelve", "yaml", "joblib", "QDataStream", "read_pickle"}
    | {"allow_pickle", "runpy", "run_path", "SourceFileLoader", "spec_from_file_location", "load_module"}
    | {"QPluginLoader", "QUiLoader", "QLibrary"}
)
RUNS_A_TEXT = frozenset({"eval", "exec", "compile", "__import__"})
DRAWS = frozenset(
    {"random", "default_rng", "RandomState", "SystemRandom", "getrandbits"}
    | {"secrets", "token_bytes", "token_hex", "randbits", "urandom", "uuid1", "uuid4"}
)
DRAWS_NO_VALUE = {
    "engine/randomness.py": "the key itself",
    "engine/release/writing/disk_and_memory.py": "the name of a file by which a folder is tried",
    "engine/table/stored/code_store.py": "the key of columns on the disk, which goes with the process",
}
"""Where something else is drawn than what is released."""
RELEASED_BY = (
    "engine/methods",
    "engine/randomness.py",
    "engine/release/candidate",
    "engine/release/top_up",
    "engine/release/writing",
    "engine/table",
)
"""What decides over bytes that leave. Attacks and usefulness are measured with fixed draws of NumPy."""
TAKES_A_TEXT_ID = frozenset(
    {"InputError", "Note", "RecipeError", "Sentence.of", "Title", "VerdictText", "declare_text", "render"}
    | {"render_stored", "sentence_of", "title"}
)
"""What is called with a text id as its first argument, among others."""
AREAS = "|".join(sorted({id.partition(".")[0] for id in all_texts()}))
ID_BEGINS = re.compile(rf"(?:{AREAS})\.")
PART_OF_AN_ID = re.compile(rf"(?:{AREAS})\.(?:[a-z0-9.-]*[.-])?(?:$|[{{%])")
"""What is no whole id: a prefix to compare with or to add to, or a text with places."""


DECLARED_IN: dict[str, Callable[[], Mapping[str, object]]] = {
    "engine/methods": all_methods,
    "engine/release/attack_audit": all_attacks,
    "engine/release/gate/checks": all_checks,
}
"""Folders whose classes declare an id. Their properties are read from the class, never decided by the id."""
NAMED_BY_DECLARATIONS = frozenset({"attacks", "unfit_attacks", "judged_by", "also_seen_by"})
"""Attributes by which a class names the attacks that it calls for, or the checks that judge it."""
NOT_AN_ID = {
    ("rank", "engine/methods/algorithms/condensation"): "how a column with ranked values is described",
    ("rank", "engine/release/measures/condensed_models.py"): "the same, read from the statistics",
    ("rank", "engine/release/top_up"): "the same, read from the statistics",
    ("rank", "engine/utility/models/features.py"): "how a column is encoded for learners",
    ("diversity", "engine/methods/algorithms/data_reconstruction/plan.py"): "a parameter",
    ("diversity", "engine/methods/algorithms/data_reconstruction/search.py"): "a parameter",
    ("diversity", "engine/methods/data_reconstruction.py"): "a parameter",
    ("row-order", "engine/release/candidate/pipeline.py"): "a stream of random numbers",
    ("reversal", "engine/release/evaluate/scorecard.py"): "a criterion of the scorecard",
    ("reversal", "engine/release/sweep/run.py"): "a criterion of the scorecard",
    ("reversal", "ui/pages/compare/criteria.py"): "a criterion of the scorecard",
    ("microaggregation", "engine/report/public/columns.py"): "a term of ISO/IEC 20889",
}
"""Literals that are spelled like an id and mean something else, with the file or folder they stand in."""


def names_in(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Give the name of everything that is imported, read from something else, or called, with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, part) for alias in node.names for part in alias.name.split("."))
        elif isinstance(node, ast.ImportFrom):
            yield from ((node.lineno, part) for part in (node.module or "").split("."))
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            yield node.lineno, node.func.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr
        elif isinstance(node, ast.keyword) and node.arg is not None:
            yield node.value.lineno, node.arg


def breaches(source: str, forbidden: frozenset[str]) -> list[int]:
    return sorted({line for line, name in names_in(parse_once(source)) if name in forbidden})


def called_by_name(source: str, forbidden: frozenset[str]) -> list[int]:
    calls = (node for node in nodes_of(source) if isinstance(node, ast.Call))
    return sorted({each.lineno for each in calls if isinstance(each.func, ast.Name) and each.func.id in forbidden})


def texts_in(source: str) -> Iterator[tuple[int, str]]:
    """Give each text literal with its line, but for those by which a class names attacks or checks."""
    classes = [node for node in nodes_of(source) if isinstance(node, ast.ClassDef)]
    assigned = [part for node in classes for part in node.body if isinstance(part, ast.Assign)]
    named = [part for part in assigned if {ast.unparse(target) for target in part.targets} <= NAMED_BY_DECLARATIONS]
    left_out = {node for part in named for node in ast.walk(part)}
    for node in nodes_of(source):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and node not in left_out:
            yield node.lineno, node.value


def ids_put_together(source: str) -> list[int]:
    """Return the lines in which a text id is put together from parts, or compared with the beginning of one."""
    inside = {part for node in nodes_of(source) if isinstance(node, ast.JoinedStr) for part in node.values}
    return sorted({node.lineno for node in nodes_of(source) if node not in inside and builds_an_id(node)})


def builds_an_id(node: ast.AST) -> TypeGuard[ast.expr]:
    match node:
        case ast.JoinedStr(values=[ast.Constant(value=str(text)), *_]):
            return ID_BEGINS.match(text) is not None
        case ast.Constant(value=str(text)):
            return PART_OF_AN_ID.match(text) is not None
        case ast.Call(func=function, args=[ast.JoinedStr() | ast.BinOp(), *_]):
            return ast.unparse(function).removeprefix("model.") in TAKES_A_TEXT_ID
    return False


def sources(repository: Path, *parts: str) -> Iterator[Path]:
    package = repository / "ppdm_desktop"
    for part in parts or ("",):
        place = package / part
        assert place.exists(), place
        yield from sorted(place.rglob("*.py")) if place.is_dir() else [place]


def test_no_file_is_run_by_being_read(repository: Path) -> None:
    found = [
        f"{path}:{line}" for path in sources(repository) for line in breaches(path.read_text("utf-8"), RUNS_A_FILE)
    ]
    assert not found


def test_no_text_is_run(repository: Path) -> None:
    found = [
        f"{path}:{line}"
        for path in sources(repository)
        for line in called_by_name(path.read_text("utf-8"), RUNS_A_TEXT)
    ]
    assert not found


def test_what_is_released_is_drawn_from_the_key_alone(repository: Path) -> None:
    package = repository / "ppdm_desktop"
    allowed = {package / name for name in DRAWS_NO_VALUE}
    read = [(path, path.read_text("utf-8")) for path in sources(repository, *RELEASED_BY)]
    found = {(path, line) for path, text in read for line in breaches(text, DRAWS)}
    assert not [f"{path}:{line}" for path, line in found if path not in allowed]
    assert allowed == {path for path, _ in found} & allowed, "an exception that is none any more"


def test_no_order_of_hashes_and_no_address_decides_what_is_released(repository: Path) -> None:
    read = ((path, path.read_text("utf-8")) for path in sources(repository, *RELEASED_BY))
    assert not [f"{path}:{line}" for path, text in read for line in called_by_name(text, frozenset({"hash", "id"}))]


def test_an_id_stands_only_where_its_class_is_declared(repository: Path) -> None:
    package = repository / "ppdm_desktop"
    homes: dict[str, set[str]] = {}
    for folder, declared in DECLARED_IN.items():
        for id in declared():
            homes.setdefault(id, {"engine/samples"}).add(folder)
    unused, found = set(NOT_AN_ID), []
    for path in sources(repository):
        name = path.relative_to(package).as_posix()
        for line, text in texts_in(path.read_text("utf-8")):
            if text not in homes or name.startswith(tuple(f"{home}/" for home in homes[text])):
                continue
            reasons = {(id, part) for id, part in NOT_AN_ID if id == text and name.startswith(part)}
            unused -= reasons
            found += [] if reasons else [f"{name}:{line}: {text}"]
    assert not found, "declare a property in the class, and read that"
    assert not unused, "an exception that is none any more"


def test_what_a_class_names_by_id_is_declared() -> None:
    attacks, checks = all_attacks(), all_checks()
    assert {id for method in all_methods().values() for id in (*method.attacks, *method.unfit_attacks)} <= set(attacks)
    assert {id for attack in attacks.values() for id in (attack.judged_by, *attack.also_seen_by)} <= set(checks)


def test_no_text_id_is_put_together(repository: Path) -> None:
    """An id stands whole where its text is declared or said, so that a text that is missing is found before a run."""
    read = ((path, path.read_text("utf-8")) for path in sources(repository))
    assert not [f"{path}:{line}" for path, text in read for line in ids_put_together(text)]


@pytest.mark.parametrize(
    ("line", "forbidden"),
    [
        ("import pickle", RUNS_A_FILE),
        ("from joblib import load", RUNS_A_FILE),
        ("table = pandas.read_pickle(path)", RUNS_A_FILE),
        ("rows = numpy.load(path, allow_pickle=True)", RUNS_A_FILE),
        ("spec = importlib.util.spec_from_file_location(name, path)", RUNS_A_FILE),
        ("key = os.urandom(8)", DRAWS),
        ("from secrets import randbelow", DRAWS),
        ("code = uuid.uuid4().hex", DRAWS),
        ("import random", DRAWS),
        ("import numpy.random as r", DRAWS),
        ("x = np.random.default_rng(1)", DRAWS),
        ("from numpy.random import default_rng", DRAWS),
    ],
)
def test_a_planted_breach_is_found(line: str, forbidden: frozenset[str]) -> None:
    assert breaches(f"a = 1\n{line}\n", forbidden) == [2]
