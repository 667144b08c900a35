"""The tools that watch the project notice what they are for: coverage that drops, mutants, pages, local hooks."""

from __future__ import annotations

import ast
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


def test_what_is_left_out_may_fall_and_never_rises() -> None:
    cover = load_script("cover")
    text = 'folders = []\n\n[[group]]\ntests = ["a"]\n\n[group.modules]\n"x.py" = 2\n"y.py" = 0\n'
    (group,) = cover.groups(text)
    report = {
        "files": {
            "ppdm_desktop/engine/x.py": {"missing_lines": [7], "missing_branches": []},
            "ppdm_desktop/engine/y.py": {"missing_lines": [], "missing_branches": [[3, -1]]},
        }
    }
    found = {module: cover.missed_of(report, module) for module in group.modules}
    assert [str(each) for each in found.values()] == ["7", "3->exit"]
    (complaint,) = cover.worse(group, found)
    assert complaint.startswith("y.py: 1 lines and branches are not run, 0 were")
    assert cover.written(text, found) == text.replace('"x.py" = 2', '"x.py" = 1')
    unknown = text.replace('"y.py" = 0', '"y.py" = "?"')
    (group,) = cover.groups(unknown)
    assert cover.worse(group, found) == []
    assert '"y.py" = 1\n' in cover.written(unknown, found)
    assert len(cover.missed_of(report, "z.py")) == 1, "a module that no test imports is left out"


# --- mutation ---------------------------------------------------------------------------

SOURCE = """
def share(hits, of):
    if of < 1 or not hits:
        note()
        return 0
    return hits / of
"""


def test_each_operator_makes_another_module() -> None:
    mutate = load_script("mutate")
    changes = mutate.changes_of(SOURCE)
    said = {change.what for change in changes}
    assert said == {
        *("Lt becomes LtE", "Lt becomes GtE", "Or becomes And", "not is left out", "note() is left out"),
        *("1 becomes 2", "1 becomes 0", "0 becomes 1", "0 becomes -1"),
    }
    made = {ast.unparse(mutate.changed(SOURCE, change)) for change in changes}
    assert len(made) == len(changes)
    assert ast.unparse(ast.parse(SOURCE)) not in made


@pytest.mark.parametrize(("tests", "outcome"), [("assert share(1, 2) == 0.5 and share(1, 0) == 0", "killed"),
                                                ("assert share(1, 2) == 0.5", "survived")])  # fmt: skip
def test_a_change_that_a_test_notices_is_killed_and_another_survives(
    tests: str, outcome: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Through the finder that gives out the changed module, in this process."""
    mutate = load_script("mutate")
    path = tmp_path / "shares.py"
    path.write_text("def share(hits, of):\n    if of < 1:\n        return 0\n    return hits / of\n", "utf-8")
    change = next(each for each in mutate.changes_of(path.read_text("utf-8")) if each.what == "0 becomes 1")
    finder = mutate._Instead("shares", path, mutate.changed(path.read_text("utf-8"), change))
    monkeypatch.setattr("sys.meta_path", [finder, *__import__("sys").meta_path])
    monkeypatch.syspath_prepend(str(tmp_path))
    module = __import__("importlib").import_module("shares")
    try:
        exec(tests, {"share": module.share})
        found = "survived"
    except AssertionError:
        found = "killed"
    finally:
        __import__("sys").modules.pop("shares")
    assert found == outcome


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


def test_the_lowest_versions_are_those_of_the_ranges() -> None:
    found = load_script("oldest").oldest((ROOT / "pyproject.toml").read_text("utf-8"))
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    assert len(found) == len(project["dependencies"]) + len(project["optional-dependencies"]["statistics"])
    assert "numpy==2.0" in found
