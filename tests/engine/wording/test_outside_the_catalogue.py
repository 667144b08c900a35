"""No words reach a person outside the catalogue: strings of two words and more are said, or stand in the list below."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from functools import cache
from pathlib import Path

import pytest
from cases import case_rows
from source_trees import parse_once
from words import gather

PACKAGE = Path(__file__).resolve().parents[3] / "ppdm_desktop"
ROOMS = {
    **dict.fromkeys(("ui", "cli", "engine/report", "engine/methods"), ()),
    **dict.fromkeys(("engine/release", "engine/utility", "engine/attacks"), ("unit",)),
}
"""Folders, and the arguments whose texts are ids there: a figure's unit is one in report.json."""
PLACE = "{}"
_WORDS = re.compile(r"(?:[^\W\d_]{2,}[,;:.]?|\{\}) [^\W\d_]{2,}")
# What takes a text that nobody is shown: errors of the program, patterns, style sheets, names of Qt's own.
_UNSEEN = {
    "_", "lazy", "untranslated", "ValueError", "RuntimeError", "TypeError", "KeyError", "AssertionError",
    "LookupError", "NotImplementedError", "OSError", "compile", "TypeVar", "findChild", "getLogger", "warn",
    "setStyleSheet",
}  # fmt: skip
_STYLE = re.compile(r"[{};]|\bpx\b|\bborder\b|solid ")


def unsaid(path: Path, ids: Collection[str] = ()) -> Iterator[tuple[int, str]]:
    """Yield the strings of a module that are words for people and go through no catalogue, with their lines.

    An f-string is one text, with `PLACE` for whatever it holds.

    Parameters
    ----------
    path
        The module.
    ids
        Names of arguments whose texts are ids, which no page shows.
    """
    tree = parse_once(path.read_text(encoding="utf-8"))
    parents = {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)}
    for node in ast.walk(tree):
        text = _text(node, parents)
        if text is None or not _WORDS.search(text):
            continue
        if isinstance(parents.get(node), ast.Expr) or _STYLE.search(text.replace(PLACE, "")):
            continue
        if not _is_unseen(node, parents, ids):
            assert isinstance(node, ast.expr)
            yield node.lineno, text


def _text(node: ast.AST, parents: dict[ast.AST, ast.AST]) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(str(each.value) if isinstance(each, ast.Constant) else PLACE for each in node.values)
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and not isinstance(parents[node], ast.JoinedStr):
        return node.value
    return None


def _is_unseen(node: ast.AST, parents: dict[ast.AST, ast.AST], ids: Collection[str]) -> bool:
    while (parent := parents.get(node)) is not None and not (isinstance(node, ast.stmt)):
        if isinstance(parent, ast.Call) and node is not parent.func:
            called = parent.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            if name in _UNSEEN:
                return True
        if isinstance(parent, ast.keyword) and parent.arg in ids:
            return True
        if isinstance(parent, ast.Assert | ast.Raise) or (isinstance(parent, ast.Subscript) and node is parent.slice):
            return True
        if isinstance(parent, ast.AnnAssign) and node is parent.annotation:
            return True
        node = parent
    return False


_MARKUP = re.compile(r"[<>]|font-family|class=")
# Rooms and files whose strings nobody reads in the program, each with what they are instead.
TOOLS = {
    "engine/release/disclosure/value_groups.py": "answers in the languages of the role lists",
    "ui/shell/start_check.py": "what the bundle's own check prints",
    "ui/look/fonts.py": "names of fonts",
    "ui/pdf/letters.py": "names of fonts",
    "cli/main.py": "what argparse says, to be said otherwise",
}
EXCEPTIONS: dict[str, str] = dict(case_rows("outside-the-catalogue"))
"""Strings that stay as they are in every language, each with the reason."""
_PAPERS = re.compile(r"\b(?:19|20)\d\d\b")


@pytest.mark.parametrize("room", ROOMS)
def test_all_words_are_said_by_the_catalogue(room: str) -> None:
    found = [
        f"{path.relative_to(PACKAGE).as_posix()}:{line}: {text}"
        for path in sorted((PACKAGE / room).rglob("*.py"))
        for line, text in unsaid(path, ROOMS[room])
        if path.relative_to(PACKAGE).as_posix() not in TOOLS and not _may_stay(text)
    ]
    assert found == []


def _may_stay(text: str) -> bool:
    return bool(text in EXCEPTIONS or text in _messages() or _MARKUP.search(text) or _PAPERS.search(text))


@cache
def _messages() -> frozenset[str]:
    return frozenset(english for _, english in gather())
