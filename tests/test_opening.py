"""Every file of the program's own kinds comes in by one door; nothing hangs it, and each refusal has words."""

from __future__ import annotations

import ast
import os
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import fuzz_files
import pytest
from cases import case_rows
from source_trees import nodes_of
from thoroughness import draws

from ppdm_desktop.engine.errors import InputError, PpdmError, RecipeError
from ppdm_desktop.engine.files import opening
from ppdm_desktop.engine.files.opening import (
    HIERARCHY,
    PROJECT,
    RECIPE,
    SETTINGS,
    Kind,
    Refused,
    check_path,
    leads_to_network,
    parse_json,
    parse_toml,
    read_file,
)
from ppdm_desktop.engine.recipe.load import read_recipe
from ppdm_desktop.engine.secret_files import KEY_TEXTS, read_digits
from ppdm_desktop.engine.table.hierarchies import read_hierarchy
from ppdm_desktop.engine.wording.texts import explain

CASES = draws(25, 1_000)
PROGRAM = Path(opening.__file__).resolve().parents[2]


# --- paths -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path", ["\\\\host\\share\\x", "//host/share/x", "\\\\?\\UNC\\host\\x", "//?/unc/host/x", "\\/host/x"]
)
def test_a_path_that_a_file_names_leads_nowhere_over_the_network(path: str) -> None:
    assert leads_to_network(path)
    with pytest.raises(Refused, match="network-path"):
        check_path(Path(path) if path[0] == "/" else _Spelt(path), chosen=False)
    check_path(_Spelt(path), chosen=True)  # Documents on a server are the rule in many a house


class _Spelt(type(Path())):  # type: ignore[misc]
    """A path as Windows has it, on whichever system."""


@pytest.mark.parametrize("path", ["/tmp/x", "x", "C:\\x", "\\\\?\\C:\\very\\long"])
def test_a_path_of_this_computer_is_none_of_the_network(path: str) -> None:
    assert not leads_to_network(path)
    check_path(_Spelt(path), chosen=False)


@pytest.mark.parametrize("path", ["\\\\.\\pipe\\x", "\\\\.\\PhysicalDrive0", "\\\\?\\GLOBALROOT\\x"])
def test_the_names_of_devices_are_no_files_even_where_a_person_types_them(path: str) -> None:
    with pytest.raises(Refused, match="not-a-file"):
        check_path(_Spelt(path))


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "a\x1b[2Jb", "a\x7fb", "a\x85b"])
def test_signs_that_cannot_be_seen_are_refused_in_a_name(tmp_path: Path, name: str) -> None:
    with pytest.raises(RecipeError) as refused:
        read_recipe(tmp_path / name)
    assert refused.value.id == "error.read.odd-name"
    assert "Rename it" in explain(refused.value)


@pytest.mark.parametrize("sort", [each for each in fuzz_files.ODD if each not in ("link to a file of the system",)])
def test_what_is_no_file_of_its_kind_is_refused_at_once(tmp_path: Path, sort: str) -> None:
    path = tmp_path / "r.toml"
    fuzz_files.ODD[sort](path)
    with pytest.raises(PpdmError) as refused:
        read_recipe(path)
    said = explain(refused.value)
    assert str(path) in said
    assert len(said) > len(str(path)) + 30


def test_a_list_of_values_stays_in_the_folder_that_the_recipe_speaks_of(tmp_path: Path) -> None:
    inside, outside = tmp_path / "work", tmp_path / "secret.csv"
    inside.mkdir()
    outside.write_text("planted;*\n", "utf-8")
    names = ["../secret.csv", str(outside), "/etc/passwd"]
    if os.name != "nt":  # where few may make such links
        (inside / "link.csv").symlink_to(outside)
        names.append("link.csv")
    for name in names:
        with pytest.raises(InputError) as refused:
            read_hierarchy(inside / name, "City", within=inside)
        assert refused.value.id == "error.read.outside"
        assert "planted" not in explain(refused.value)
    with pytest.raises(InputError, match="network-path"):
        read_hierarchy(Path("//host/share/h.csv"), "City", within=inside)
    (inside / "sub").mkdir()
    (inside / "sub" / "own.csv").write_text("A;*\n", "utf-8")
    assert read_hierarchy(inside / "sub" / "own.csv", "City", within=inside).height == 1
    if os.name == "nt":
        return
    # The folder itself may be a link, as on a redirected home.
    (tmp_path / "home").symlink_to(inside)
    there = tmp_path / "home"
    assert read_hierarchy(there / "sub" / "own.csv", "City", within=there).height == 1


# --- size, depth, time -------------------------------------------------------------------------


def test_each_kind_has_a_size(tmp_path: Path) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"a" * 100)
    assert read_file(path, Kind(100)) == b"a" * 100
    with pytest.raises(InputError, match="too-large"):
        read_file(path, Kind(99))
    if Path("/proc/self/maps").exists():  # says a size of 0
        with pytest.raises(InputError, match="too-large"):
            read_file(Path("/proc/self/maps"), Kind(99))
    path.write_bytes(b"a" * 5000)
    with pytest.raises(InputError, match=r"error\.key\.malformed"):
        read_digits(path, KEY_TEXTS)


@pytest.mark.parametrize(
    ("deep", "shallow"),
    [
        (b"[" * 33 + b"]" * 33, b"[" * 32 + b"]" * 32),
        (b'{"a":' * 33 + b"1" + b"}" * 33, b'{"a":' * 32 + b"1" + b"}" * 32),
        (b"[" * 100_000, b'"' + b"[" * 100_000 + b'"'),
        (b'["\\"", ' + b"[" * 40, b'["\\"' + b"[" * 40 + b'"]'),
    ],
)
def test_json_is_as_deep_as_its_kind_may_be(deep: bytes, shallow: bytes) -> None:
    with pytest.raises(InputError, match="too-deep"):
        parse_json(deep, PROJECT, Path("p"))
    parse_json(shallow, PROJECT, Path("p"))


@pytest.mark.parametrize(
    ("deep", "shallow"),
    [
        ("a = " + "[" * 33 + "]" * 33, "a = " + "[" * 30 + "]" * 30),
        ("a" + ".a" * 60_000 + " = 1", "a" + ".a" * 30 + " = 1"),
        ("[" + "a." * 40 + "a]", "[" + "a." * 20 + "a]"),
        ("a = '" + "[" * 40 + "'\nb = " + "[" * 40, "a = '" + "[" * 40 + "' # [[[[[" + "[" * 40),
        ('a = """\n' + "[" * 40 + '"""\n' + "[" * 40, 'a = """\n' + "[" * 40 + "." * 40 + '"""'),
        ('a = "\\"" \nb = ' + "{ c = " * 40, 'a = "\\"' + "{" * 40 + '"'),
    ],
)
def test_toml_is_as_deep_as_its_kind_may_be(deep: str, shallow: str) -> None:
    with pytest.raises(InputError, match="too-deep"):
        parse_toml(deep, RECIPE, Path("r"))
    parse_toml(shallow, RECIPE, Path("r"))


def test_half_a_sign_is_no_text() -> None:
    with pytest.raises(ValueError, match="surrogate"):
        parse_json(b'{"a": "\\ud800"}', PROJECT, Path("p"))
    assert parse_json(b'{"a": "\\ud83d\\ude00"}', PROJECT, Path("p")) == {"a": "\U0001f600"}


def test_a_drive_that_never_answers_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, free = tmp_path / "x", threading.Event()
    path.write_bytes(b"{}")
    monkeypatch.setattr(opening, "_SECONDS_BASE", 0.05)

    def never(path: Path) -> int:
        free.wait(60)
        raise OSError

    monkeypatch.setattr(opening, "open_regular", never)
    with pytest.raises(InputError, match="too-slow"):
        read_file(path, SETTINGS)
    free.set()
    for thread in threading.enumerate():
        if thread.name == "opening":
            thread.join(10)


def not_started(*_given: object) -> None:
    raise RuntimeError("can't start new thread")


def dead_at_once(*_given: object) -> int:
    return 1


@pytest.mark.parametrize("start", [not_started, dead_at_once])
def test_a_starved_machine_reads_without_a_thread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, start: Callable[..., object]
) -> None:
    monkeypatch.setattr("_thread.start_new_thread", start)
    monkeypatch.setattr(opening, "_SECONDS_TO_BEGIN", 0.05)
    (tmp_path / "x").write_bytes(b"{}")
    assert read_file(tmp_path / "x", SETTINGS) == b"{}"


def test_a_file_that_grows_for_ever_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x"
    path.write_bytes(b"{}")
    clock = iter(range(0, 10**6, 1000))
    monkeypatch.setattr(time, "monotonic", lambda: float(next(clock)))
    with pytest.raises(InputError, match="too-slow"):
        read_file(path, HIERARCHY)


# --- the only door -----------------------------------------------------------------------------

READING = {
    "engine/files/opening.py": "the door",
    "engine/table/reading/child.py": "speaks with its own child, and reads how much memory it has",
    "engine/methods/algorithms/condensation/statistics.py": "understands bytes that the door read",
    "engine/files/private.py": "locks a file of its own, and reads nothing",
    "engine/files/saving.py": "writes, and flushes folders",
    "engine/release/storage/atomic_folder.py": "holds its own lock, by the descriptor",
    "cli/crash_file.py": "writes and locks a file of its own, and reads nothing",
    "engine/release/storage/disk.py": "reads back what the export has just written",
    "engine/release/writing/disk_and_memory.py": "asks the system how much memory is free",
    "engine/secret_files.py": "makes a new file",
    "ui/shell/start_check.py": "asks the system when this process began",
    # What the program brings along.
    "engine/dossier/agreement.py": "clauses of the agreement",
    "engine/dossier/forms.py": "forms",
    "engine/release/gate/decision.py": "empty reasons",
    "engine/release/reporting/libraries.py": "what an installed library is imported as",
    "engine/samples/base.py": "recipes of samples",
    "engine/samples/life_insurance.py": "a sample",
    "engine/table/reading/word_lists.py": "months, currencies and other words in cells",
    "engine/table/reading/name_lines.py": "words below column names",
    "engine/table/reading/near_types.py": "words for no answer",
    "engine/table/scales.py": "words of scales",
    "engine/table/writing/statistics.py": "reads back what it has just written",
    "engine/wording/catalogue.py": "words",
    "engine/wording/help.py": "help",
    "engine/wording/texts.py": "texts",
    "plugins.py": "the files of an installed distribution, which are hashed",
    "testing/formats.py": "a sample's recipe",
    "ui/look/fonts.py": "letters",
    "ui/look/theme.py": "icons, the style sheet",
    "ui/state/tour.py": "a sample's recipe",
}
"""Modules that may open or understand what lies outside of the program, and why."""
_BY_NAME = {"read_bytes", "read_text", "loads", "load", "fdopen", "memmap", "fromfile", "genfromtxt", "read_csv"}
_MODULES = {"json", "tomllib", "os", "io", "np", "numpy", "pickle", "marshal", "shelve", "codecs", "linecache", "yaml"}


def _reads(code: str) -> list[str]:
    """Return the calls by which code opens files or understands what is in them."""
    if not any(name in code for name in (*_BY_NAME, "open(")):
        return []
    found = []
    for node in nodes_of(code):
        if not isinstance(node, ast.Call):
            continue
        name = ast.unparse(node.func)
        last, head = name.rpartition(".")[2], name.partition(".")[0]
        given = (*node.args, *(each.value for each in node.keywords))
        modes = [str(each.value) for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
        if any(mode[:1] in ("w", "x", "a") and len(mode) <= 3 for mode in modes):
            continue
        of_module = head in _MODULES and last in _BY_NAME | {"open"}
        of_path = last in ("read_bytes", "read_text")
        stream = last == "open" and (name == "open" or bool(modes))
        if (of_module or of_path or stream) and not _of_the_system(node):
            found.append(f"{name} line {node.lineno}")
    return found


def _of_the_system(node: ast.Call) -> bool:
    """Say whether the null device is opened, or a file is made."""
    words = ast.unparse(node)
    return "os.devnull" in words or "O_CREAT" in words or "resources" in words


def test_nothing_else_in_the_program_opens_these_files() -> None:
    found = {}
    for path in sorted(PROGRAM.rglob("*.py")):
        if (reads := _reads(path.read_text("utf-8"))) and (name := path.relative_to(PROGRAM).as_posix()):
            found[name] = reads
    unknown = {name: reads for name, reads in found.items() if name not in READING}
    assert not unknown
    assert set(READING) - set(found) == set(), "the list of exceptions names what needs none"


@pytest.mark.parametrize("code", case_rows("opening-a-second-door-would-be-seen"))
def test_a_second_door_would_be_seen(code: str) -> None:
    assert _reads(code)


# --- cases nobody thought of -------------------------------------------------------------------


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, fuzz_files.Kind]:
    return fuzz_files.kinds(tmp_path_factory.mktemp("kinds"))


NAMES = (
    "recipe",
    "key",
    "recipient's secret",
    "hierarchy",
    "ledger",
    "settings",
    "manifest",
    "report",
    "earlier release",
    "rows of a range",
    "project",
)


@pytest.mark.skipif(sys.platform == "win32", reason="pipes and links are made as on Unix")
@pytest.mark.parametrize("name", NAMES)
def test_damaged_files_are_read_or_refused_in_words(
    kinds: dict[str, fuzz_files.Kind], name: str, tmp_path: Path
) -> None:
    assert set(kinds) <= set(NAMES)
    if name not in kinds:
        pytest.skip("there is no Qt here")
    good = tmp_path / "good"
    (good / kinds[name].name).parent.mkdir(parents=True)
    (good / kinds[name].name).write_bytes(kinds[name].good)
    if (prepare := kinds[name].prepare) is not None:
        prepare(good)
    assert fuzz_files.outcome(kinds[name], good) == (fuzz_files.READ, ""), "the cases begin with a good one"
    ended, by = fuzz_files.fuzz(kinds[name], CASES, 1, tmp_path / "cases")
    assert sum(ended.values()) == CASES
    assert not ended[fuzz_files.UNEXPECTED], by
    assert not ended[fuzz_files.HUNG], by
    assert os.listdir(tmp_path / "cases") == []
