"""Docstrings say what a caller needs, by the rules GL08, PR01, PR02 and RT01 of numpydoc's validation.

Read by griffe, which makes the reference on the site of them. Where others build on us all rules hold, and whatever
takes, gives or holds an array says its shape; everywhere else in the engine nothing is undocumented, and no parameter
is described that is not there.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import griffe
import pytest
from cases import case_rows

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "ppdm_desktop"
DECLARATIONS = (
    "engine/methods/base/*.py",
    "engine/release/attack_audit/base.py",
    "engine/release/gate/base.py",
    "engine/table/reading/base.py",
    "engine/table/writing/base.py",
    "engine/samples/base.py",
)
"""What a class of others is derived from, beside the library's own doors."""
HANDED = (
    "engine/progress.py",
    "engine/randomness.py",
    "engine/recipe/release_type.py",
    "engine/table/column.py",
    "engine/table/reading/raw.py",
)
"""What such a class is given, and what it gives back."""
BUILT_ON = ("api.py", "plugins.py", "testing/*.py", *DECLARATIONS, *HANDED)
SEVERAL = 3
"""So many arguments have to be described; fewer may speak for themselves."""
_SAYS_WHAT_COMES_BACK = re.compile(r"\b(returns?|yields?|says?|counts?)\b", re.IGNORECASE)


def faults_of(name: str, path: Path, text: str) -> Iterator[tuple[str, str]]:
    """Yield the rule that a public function breaks, with its name."""
    for function in _public(griffe.visit(name, path, text)):
        yield from ((rule, function.path) for rule in _broken(function))


def _public(parent: griffe.Object) -> Iterator[griffe.Function]:
    for name, member in parent.members.items():
        if name.startswith("_") or member.is_alias:
            continue
        if isinstance(member, griffe.Class):
            yield from _public(member)
        elif isinstance(member, griffe.Function):
            yield member


def _broken(function: griffe.Function) -> Iterator[str]:
    if function.docstring is None:
        yield "GL08"
        return
    arguments = list(function.parameters)
    if isinstance(function.parent, griffe.Class) and "staticmethod" not in function.labels:
        arguments = arguments[1:]
    given = {each.name.lstrip("*") for each in arguments}
    sections = function.docstring.parse("numpy", warnings=False) if "---" in function.docstring.value else []
    described = {
        name.strip().lstrip("*")
        for section in sections
        if section.kind is griffe.DocstringSectionKind.parameters
        for each in section.value
        for name in each.name.split(",")
    }
    if given - described and (described or len(given) >= SEVERAL):
        yield "PR01"
    if described - given:
        yield "PR02"
    kinds = {section.kind for section in sections}
    comes_back = str(function.returns or "None") not in {"None", "Never", "NoReturn"}
    said = {griffe.DocstringSectionKind.returns, griffe.DocstringSectionKind.yields} & kinds
    if comes_back and not said and not _SAYS_WHAT_COMES_BACK.search(function.docstring.value):
        yield "RT01"


_ARRAY = re.compile(r"\b(Floats|Ints|Bools|Codes|Rows|Words|NDArray|ndarray)\b")
_SHAPE = re.compile(r"\bshapes?\b", re.IGNORECASE)


def without_shape(name: str, path: Path, text: str) -> Iterator[str]:
    """Yield each public function and class that has to do with arrays and does not say of which shape."""
    module = griffe.visit(name, path, text)
    for function in _public(module):
        types = [each.annotation for each in function.parameters] + [function.returns]
        if _about_arrays(types) and not _says_shape(function):
            yield function.path
    for each in module.members.values():
        if isinstance(each, griffe.Class) and not each.name.startswith("_"):
            held = [member for key, member in each.members.items() if not key.startswith("_") and member.is_attribute]
            fields = [member for member in held if isinstance(member, griffe.Attribute)]
            for attribute in fields:
                if _about_arrays([attribute.annotation]) and not (_says_shape(attribute) or _says_shape(each)):
                    yield attribute.path


def _about_arrays(types: Iterable[object]) -> bool:
    return any(_ARRAY.search(str(each)) for each in types if each is not None)


def _says_shape(described: griffe.Object) -> bool:
    return described.docstring is not None and bool(_SHAPE.search(described.docstring.value))


def _modules(*patterns: str) -> Iterator[tuple[str, Path, str]]:
    for path in sorted(path for pattern in patterns for path in PACKAGE.glob(pattern)):
        name = ".".join(path.relative_to(ROOT).with_suffix("").parts)
        yield name, path, path.read_text("utf-8")


def _all(*patterns: str) -> Iterator[tuple[str, str]]:
    for module in _modules(*patterns):
        yield from faults_of(*module)


def test_what_others_build_on_is_documented_whole() -> None:
    assert list(_all(*BUILT_ON)) == []


def test_arrays_that_others_meet_name_their_shape() -> None:
    assert [where for module in _modules(*BUILT_ON) for where in without_shape(*module)] == []


@pytest.mark.thorough
def test_nothing_of_the_engine_is_undocumented_or_describes_what_is_not_there() -> None:
    assert [(rule, where) for rule, where in _all("engine/**/*.py") if rule in {"GL08", "PR02"}] == []


@pytest.mark.parametrize(("text", "rules"), case_rows("docstrings-each-rule-is-broken-by-what-breaks-it", lists=True))
def test_each_rule_is_broken_by_what_breaks_it(text: str, rules: list[str]) -> None:
    assert [rule for rule, _ in faults_of("m", Path("m.py"), text)] == rules
