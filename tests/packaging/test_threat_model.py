"""Threats, and what is promised of failures and deliveries: each once, with tests that exist and an honest state."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path

import pytest
from source_trees import parse_once

PAGES = {
    "threat-model.md": {"A": 19, "B": 9, "C": 8, "D": 13, "E": 12},
    "failures-and-delivery.md": {"R": 5, "F": 6, "N": 7, "L": 5, "W": 16, "P": 11},
}
ROW = re.compile(r"\| (?P<id>[A-Z]\d+) \| (?P<what>.+?) \|(?P<tests>.*?) \| (?P<state>.+?) \|")
STATES = re.compile(r"holds(: .{10,})?|partly: .{10,}|not testable here: .{10,}")


@dataclass(frozen=True)
class Threat:
    id: str
    tests: tuple[str, ...]
    state: str


def threats(text: str) -> list[Threat]:
    rows = [ROW.fullmatch(line) for line in text.splitlines() if re.match(r"\| [A-Z]\d", line)]
    assert None not in rows, "a row that cannot be read"
    return [Threat(row["id"], tuple(re.findall(r"`(.+?)`", row["tests"])), row["state"]) for row in rows if row]


@pytest.fixture(scope="module", params=PAGES)
def page(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def table(repository: Path, page: str) -> list[Threat]:
    return threats((repository / "docs" / page).read_text("utf-8"))


def missing(table: list[Threat], tests: Path) -> list[str]:
    """Return the tests that are named and do not exist."""
    found = []
    for name in {name for threat in table for name in threat.tests}:
        file, _, function = name.partition("::")
        path = tests / file
        there = set()
        if path.is_file():
            there = {
                node.name for node in parse_once(path.read_text("utf-8")).body if isinstance(node, ast.FunctionDef)
            }
        if function not in there:
            found.append(name)
    return sorted(found)


def test_every_threat_is_there_once_in_its_place(table: list[Threat], page: str) -> None:
    ids = [f"{area}{n}" for area, most in PAGES[page].items() for n in range(1, most + 1)]
    assert [each.id for each in table] == ids


def test_the_tests_it_names_exist(table: list[Threat], repository: Path) -> None:
    assert missing(table, repository / "tests") == []


def test_what_does_not_hold_says_why_and_what_holds_is_tested(table: list[Threat]) -> None:
    assert [each.id for each in table if not STATES.fullmatch(each.state)] == []
    assert [each.id for each in table if not each.tests and not each.state.startswith("not testable")] == []
