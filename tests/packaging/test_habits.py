"""What the tools that watch the project read is there: listed modules, pages, the workflow, lowest versions."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.attack_audit.base import all_attacks
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.table.reading.registry import all_readers

from .conftest import load_script

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "ppdm_desktop" / "engine"
LISTED = tomllib.loads((ROOT / "tests" / "perfect_files.toml").read_text("utf-8"))

# --- coverage ---------------------------------------------------------------------------


def test_every_file_of_the_gravest_folders_is_listed_once() -> None:
    listed = [module for group in LISTED["group"] for module in group["modules"]]
    there = {
        path.relative_to(ENGINE).as_posix()
        for folder in LISTED["folders"]
        for path in (ENGINE / folder).glob("*.py")
        if path.read_text("utf-8").strip()
    }
    assert len(listed) == len(set(listed))
    assert there <= set(listed), "a new file has to be listed with its tests"
    assert all((ENGINE / module).is_file() for module in listed)
    assert {"release/gate/checks", "release/attack_audit", "attacks", "release/storage"} <= set(LISTED["folders"])
    assert {"randomness.py", "figure.py", "recipe/load.py", "table/writing/guard.py"} <= set(listed)


def test_the_tests_that_are_named_exist() -> None:
    for test in (test for group in LISTED["group"] for test in group["tests"]):
        path, _, name = test.partition("::")
        assert (ROOT / path).exists(), test
        assert not name or f"\ndef {name}(" in (ROOT / path).read_text("utf-8"), test


# --- documentation ----------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    found: dict[str, str] = load_script("docs").pages()
    return found


def test_whatever_is_declared_has_its_page(pages: dict[str, str]) -> None:
    for kind, ids in (("methods", all_methods()), ("attacks", all_attacks()), ("checks", all_checks())):
        for id in ids:
            page = pages[f"reference/{kind}/{id}.md"]
            assert page.startswith("# ")
            assert "## " in page, f"{id} says nothing"
    assert all(f"| `{id}` |" in pages["reference/formats.md"] for id in all_readers())


def test_every_page_has_its_place_and_leads_to_nowhere_outside(pages: dict[str, str]) -> None:
    docs = load_script("docs")
    shown = str(docs.navigation(pages))
    assert [place for place in pages if f"'{place}'" not in shown] == []
    steps = [path.parent.name for path in (ROOT / "ppdm_desktop" / "ui" / "pages").glob("*/page.py")]
    assert sorted(docs.STEPS) == sorted(steps)
    settings = (ROOT / "mkdocs.yml").read_text("utf-8")
    assert "highlightjs: false" in settings
    assert "://" not in settings
    there = {*pages, *docs.drawings()}
    for place, page in pages.items():
        for target in re.findall(r"\]\(([^)#]+)\)", page):
            assert (Path(place).parent / target).as_posix() in there or target in there, f"{place}: {target}"


# --- hooks and papers for people --------------------------------------------------------


def test_the_workflow_pins_what_it_uses_and_may_only_read() -> None:
    text = (ROOT / ".github" / "workflows" / "ci.yml").read_text("utf-8")
    used = re.findall(r"uses: (\S+)", text)
    assert used
    assert [each for each in used if not re.fullmatch(r"[\w/-]+@[0-9a-f]{40}", each)] == []
    assert re.findall(r"^permissions:\n  (.+)$", text, re.M) == ["contents: read"]
    assert {"fast:", "tests:", "oldest:", "no-qt:", "frozen:"} <= set(re.findall(r"^  (\S+:)$", text, re.M))
    assert "Not yet run anywhere" in text
