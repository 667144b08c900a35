"""The tools that watch the project notice what they are for: coverage that drops, mutants, pages, local hooks."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from types import SimpleNamespace

import pytest

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks
from ppdm_desktop.engine.release.gate.registry import all_checks
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


def test_the_parts_of_the_suite_are_all_of_it_and_what_one_runs_is_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cover = load_script("cover")
    root = Path(cover.ROOT)
    files = [root / each for part in cover.parts().values() for each in part]
    assert sorted(files) == sorted((root / "tests").rglob("test_*.py"))
    monkeypatch.setattr(cover, "KEPT", tmp_path)
    monkeypatch.setattr(cover, "parts", lambda: {"tests/a:1": ["tests/a"], "tests/b:1": ["tests/b"]})
    monkeypatch.setattr(cover, "fingerprint", lambda: "0123456789abcdef")
    shares = {1: cover.Share(60.0, 70.0, (("x.py", 0.0, 9),)), 2: cover.Share(91.0, 92.0, (("x.py", 50.0, 4),))}
    monkeypatch.setattr(cover, "together", lambda measured: shares[len(measured)])
    run: list[str] = []

    def measure_part(files: list[str], out: Path, workers: int) -> int:
        run.extend(files)
        out.write_bytes(b"")
        return 0

    monkeypatch.setattr(cover, "measure_part", measure_part)
    assert cover.main(["--all", "--part", "tests/b"]) == 1
    said = capsys.readouterr().out
    assert "\nat least 60.0 % of the lines and branches are run (70.0 % without the window), by 1 of 2 parts" in said
    assert said.endswith(", 1 of them whole; 90 are wanted\n")
    assert cover.main(["--all"]) == 0
    assert "\n91.0 % of the lines and branches are run" in capsys.readouterr().out
    assert run == ["tests/b", "tests/a"], "what was measured of these modules is not measured again"
    monkeypatch.setattr(cover, "fingerprint", lambda: "another state of the modules")
    assert cover.main(["--all", "--part", "tests/a"]) == 1, "what was measured of others does not count"


def test_enough_is_measured_by_what_adds_most_and_said_to_be_a_least(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    cover = load_script("cover")
    monkeypatch.setattr(cover, "KEPT", tmp_path)
    monkeypatch.setattr(cover, "parts", lambda: {f"tests/{name}:{n}": [f"{name}{n}"] for name in "ab" for n in (1, 2)})
    monkeypatch.setattr(cover, "fingerprint", lambda: "0123456789abcdef")
    clock, run = [0.0], list[str]()
    shares = {0: 0.0, 1: 10.0, 2: 50.0, 3: 88.0, 4: 90.5}
    monkeypatch.setattr(cover.time, "monotonic", lambda: clock[0])
    monkeypatch.setattr(cover, "together", lambda measured: cover.Share(shares[len(measured)], 95.0, ()))

    def measure_briefly(files: list[str], out: Path, seconds: float) -> int:
        run.extend(files)
        clock[0] += 10.0
        out.write_bytes(b"")
        return 0

    monkeypatch.setattr(cover, "measure_briefly", measure_briefly)
    assert cover.main(["--all", "--enough"]) == 0
    assert run == ["a1", "b1", "b2", "a2"], "each folder once, then the one whose last part added most"
    said = capsys.readouterr().out
    assert (
        "at least 90.5 % of the lines and branches are run (95.0 % without the window), by 4 of 4 parts, 0 of" in said
    )
    assert cover.main(["--all", "--enough"]) == 0
    assert len(run) == 4, "the floor is known to be reached"
    shares[4] = 89.0
    assert cover.main(["--all", "--enough"]) == 1, "all of it was measured and it is not enough"
    whole: list[str] = []

    def measure_part(files: list[str], out: Path, workers: int) -> int:
        clock[0] += 10.0
        whole.extend(files)
        return 0

    monkeypatch.setattr(cover, "measure_part", measure_part)
    cover.main(["--all", "--part", "tests/a"])
    assert whole == ["a1", "a2"], "what was measured briefly is not measured whole"


def test_what_a_group_runs_is_measured_once_as_long_as_nothing_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cover = load_script("cover")
    for name in ("ppdm_desktop/engine/x.py", "tests/x/test_x.py", "tests/test_y.py", "tests/test_other.py"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("", "utf-8")
    monkeypatch.setattr(cover, "ROOT", tmp_path)
    monkeypatch.setattr(cover, "KEPT", tmp_path / "build")
    run: list[list[str]] = []

    def pytest_run(command: list[str], **_: object) -> SimpleNamespace:
        (settings,) = (each.partition("=")[2] for each in command if each.startswith("--cov-config="))
        Path(settings).with_name("data").write_bytes(b"measured")
        run.append(command)
        return SimpleNamespace(returncode=0)

    monkeypatch.setattr(cover.subprocess, "run", pytest_run)
    group = cover.Group(("tests/x", "tests/test_y.py::test_one"), {"x.py": 0})
    data = cover.data_of(group)
    assert data.read_bytes() == b"measured"
    (tmp_path / "tests/test_other.py").write_text("1", "utf-8")
    assert cover.data_of(group) == data
    assert len(run) == 1
    for count, name in enumerate(("ppdm_desktop/engine/x.py", "tests/x/test_x.py", "tests/test_y.py"), 2):
        (tmp_path / name).write_text("1", "utf-8")
        cover.data_of(group)
        assert len(run) == count, name
    monkeypatch.setattr(cover.subprocess, "run", lambda *_, **__: SimpleNamespace(returncode=1))
    (tmp_path / "tests/test_y.py").write_text("2", "utf-8")
    with pytest.raises(SystemExit, match="a test fails"):
        cover.data_of(group)


def test_shares_are_of_lines_and_branches_and_the_worst_come_first() -> None:
    cover = load_script("cover")
    kinds = ("num_statements", "num_branches", "covered_lines", "covered_branches", "missing_lines", "missing_branches")
    summaries = {
        "ppdm_desktop/engine/a.py": dict(zip(kinds, (8, 2, 8, 1, 0, 1), strict=True)),
        "ppdm_desktop/ui/b.py": dict(zip(kinds, (10, 0, 2, 0, 8, 0), strict=True)),
        "ppdm_desktop/engine/__init__.py": dict.fromkeys(kinds, 0),
    }
    found = cover.share_of(summaries)
    assert (found.whole, found.engine) == (55.0, 90.0)
    assert found.modules == (
        ("ppdm_desktop/ui/b.py", 20.0, 8),
        ("ppdm_desktop/engine/a.py", 90.0, 1),
        ("ppdm_desktop/engine/__init__.py", 100.0, 0),
    )


# --- mutation ---------------------------------------------------------------------------

SOURCE = """
def share(hits, of):
    if of < 1 or not hits:
        note()
        return 0
    return hits / of
"""


def test_a_module_or_a_folder_of_modules_is_chosen() -> None:
    mutate = load_script("mutate")
    known = ["figure.py", "gate/base.py", "gate/draws.py", "gate/checks/rank.py"]
    assert mutate.chosen("figure.py", known) == ["figure.py"]
    assert mutate.chosen("gate/", known) == ["gate/base.py", "gate/draws.py"]
    assert mutate.chosen("gate/checks", known) == ["gate/checks/rank.py"]
    assert mutate.chosen("gate/check", known) == []


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


def test_only_the_tests_that_run_the_changed_statement_are_asked() -> None:
    mutate = load_script("mutate")
    source = "LIMIT = 1\n\ndef f(a):\n    if (a >\n            LIMIT):\n        return 0\n    return 1\n"
    by_line = {
        1: frozenset({""}),
        4: frozenset({"t.py::one", "t.py::two"}),
        6: frozenset({"t.py::one"}),
        7: frozenset({"t.py::two", "u.py::three", "u.py"}),
    }
    seconds = {"t.py::one": 5.0, "t.py::two": 2.0, "u.py::three": 0.5, "v.py::four": 0.9, "v.py::five": 1.1}
    found = {line: mutate.that_run(source, line, by_line, seconds) for line in (1, 5, 6, 7)}
    assert found[1] == ["u.py", "v.py::four", "t.py::two", "t.py::one"], "of an import what runs the rest, or is quick"
    assert found[5] == ["t.py::two", "t.py::one"], "the head of a statement over two lines, and not its body"
    assert found[6] == ["t.py::one"]
    assert found[7] == ["u.py", "t.py::two"], "what a fixture runs is asked of the whole file; the quick ones first"
    assert mutate.that_run(source, 5, by_line, seconds, 3.0) == ["t.py::two"], "what takes longer is left out"
    assert mutate.that_run(source, 5, by_line, seconds, 1.0) == ["t.py::two"], "and one is asked in any case"
    assert mutate.that_run(source, 6, {}, seconds) == []
    contexts = ["t.py::one|run", "t.py::two|setup", ""]
    assert set(mutate._tests_of(contexts)) == {"t.py::one", "t.py", ""}
    assert mutate.Measured({}, seconds).of(["t.py", "v.py::five"]) == pytest.approx(8.1)


def test_what_tests_run_is_measured_again_where_they_or_the_module_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    mutate = load_script("mutate")
    package, tests = tmp_path / "package", tmp_path / "tests"
    package.mkdir()
    tests.mkdir()
    (package / "a.py").write_text("A = 1\n", "utf-8")
    for name in ("test_a.py", "test_b.py"):
        (tests / name).write_text("", "utf-8")
    for name, place in (("ROOT", tmp_path), ("PACKAGE", package), ("KEPT", tmp_path)):
        monkeypatch.setattr(mutate, name, place)
    monkeypatch.setattr(mutate, "hashed", lambda paths: str([path.read_text("utf-8") for path in paths]).ljust(99))
    asked: list[list[str]] = []

    def measured(tests: list[str], modules: list[str]) -> object:
        asked.append(tests)
        ran = frozenset({"", *(f"{test}::it" for test in tests)})
        return mutate.Measured({module: {1: ran} for module in modules}, {f"{test}::it": 2.0 for test in tests})

    monkeypatch.setattr(mutate, "_measure", measured)
    group = mutate.Group(("tests",), {"a.py": 0})
    both = mutate.measured_tests(group, ["a.py"])
    assert both.lines == {"a.py": {1: {"", "tests/test_a.py::it", "tests/test_b.py::it"}}}
    assert both.seconds == {"tests/test_a.py::it": 2.0, "tests/test_b.py::it": 2.0}
    assert mutate.measured_tests(group, ["a.py"]) == both
    assert asked == [["tests/test_a.py", "tests/test_b.py"]], "once"
    (tests / "test_b.py").write_text("# other", "utf-8")
    assert mutate.measured_tests(group, ["a.py"]) == both
    assert asked[1:] == [["tests/test_b.py"]]
    (package / "a.py").write_text("A = 2\n", "utf-8")
    mutate.measured_tests(group, ["a.py"])
    assert asked[2:] == [["tests/test_a.py", "tests/test_b.py"]]


def test_a_share_below_what_is_wanted_fails(capsys: pytest.CaptureFixture[str]) -> None:
    mutate = load_script("mutate")
    outcomes = [
        mutate.Outcome("a.py", [], 9, tried=6, killed=3, timeouts=1),
        mutate.Outcome("b.py", [], 9, tried=4, killed=4),
    ]
    assert [mutate.fails(outcomes, least) for least in (0.0, 0.8, 0.81)] == [0, 0, 1]
    assert "8 of 10" in capsys.readouterr().out
    assert mutate.fails([], 0.9) == 0, "what was not tried is no failure"


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


def test_decisions_are_numbered_and_complete() -> None:
    names = sorted(path.name for path in (ROOT / "docs" / "decisions").glob("*.md"))
    assert [name[:4] for name in names] == [f"{number:04d}" for number in range(1, len(names) + 1)]
    for name in names:
        text = (ROOT / "docs" / "decisions" / name).read_text("utf-8")
        headings = re.findall(r"^## (.+)$", text, re.M)
        assert headings == ["What was to be decided", "What was found", "Decision", "What follows"], name


# --- hooks and papers for people --------------------------------------------------------


def test_hooks_are_local_and_need_no_network() -> None:
    text = (ROOT / ".pre-commit-config.yaml").read_text("utf-8")
    assert re.findall(r"repo: (\S+)", text) == ["local"]
    assert "://" not in text
    ids = set(re.findall(r"- id: (\S+)", text))
    assert {"ruff", "ruff-format", "mypy", "lint-imports", "deptry", "codespell", "large-files"} <= ids


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


def test_the_citation_names_the_program_and_the_five_papers() -> None:
    text = (ROOT / "CITATION.cff").read_text("utf-8")
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    assert f"\nversion: {version}\n" in text
    assert text.count("  - type: ") == 5


def test_forms_of_issues_ask_for_no_data() -> None:
    forms = sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.yml"))
    assert [path.stem for path in forms] == ["bug", "config", "method-proposal", "wrong-privacy-claim"]
    for path in forms:
        text = path.read_text("utf-8")
        assert path.stem == "config" or "real data" in text, path.name
    assert "--log" in (ROOT / ".github" / "ISSUE_TEMPLATE" / "bug.yml").read_text("utf-8")
