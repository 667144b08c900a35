"""The installer for Windows: which files and keys its script puts down and takes away, and that it is made alike."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest
from delivery import installer
from delivery.windows import PROGRAMS

from ppdm_desktop.engine.wording.catalogue import list_languages, speak_language

pytestmark = pytest.mark.thorough

FILES = ("LICENSE", "_internal/a.txt", "_internal/deep/er/b $x.dll", "_internal/deep/c.txt", "two words/d.txt")


def windows_bundle(folder: Path) -> Path:
    """What the installer needs of a bundle."""
    for name in (*FILES, *(f"{name}.exe" for name in PROGRAMS)):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name, "utf-8")
    return folder


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return windows_bundle(tmp_path / "one")


@pytest.fixture(scope="module")
def script() -> str:
    """What makensis reads, without remarks."""
    return re.sub(r"(?m)^\s*;.*$", "", installer.SCRIPT.read_text("utf-8"))


def macro(contents: str, name: str) -> list[str]:
    inside = contents.partition(f"!macro {name}\n")[2].partition("!macroend")[0]
    return [line.strip() for line in inside.splitlines()]


def test_what_is_put_down_is_what_is_removed(bundle: Path) -> None:
    contents = installer.contents_of(bundle, "1.2.3+4")
    put, place = [], ""
    for line in macro(contents, "PutFiles"):
        if line.startswith("SetOutPath "):
            place = line.partition(" ")[2].strip('"')
        else:
            found = re.fullmatch(r'File "/oname=(.+)" "\$\{BUNDLE\}.(.+)"', line)
            assert found, line
            assert (bundle / found[2]).is_file()
            put.append(f"{place}\\{found[1]}")
    removed = macro(contents, "RemoveFiles")
    assert [line for line in removed if line.startswith("Delete ")] == [f'Delete "{each}"' for each in put]
    assert len(put) == len(set(put)) == len(FILES) + len(PROGRAMS)
    assert "$Place\\_internal\\deep\\er\\b $$x.dll" in put, "a dollar is no variable of the script"
    folders = [line.removeprefix("RMDir ").strip('"') for line in removed if line.startswith("RMDir ")]
    assert len(removed) == len(put) + len(folders)
    assert set(folders) == {each.rpartition("\\")[0] for each in put} | {"$Place\\_internal\\deep", "$Place"}
    assert [
        each for each in folders if any(later.startswith(f"{each}\\") for later in folders[folders.index(each) :])
    ] == []


def test_no_folder_is_removed_with_what_it_holds(bundle: Path, script: str) -> None:
    both = script + installer.contents_of(bundle, "1.2.3")
    assert "RMDir" in both
    assert not re.search(r"RMDir\s+/r|Delete\s+.*[*?]", both)


def test_all_keys_are_the_users_and_each_is_taken_away(bundle: Path, script: str) -> None:
    contents = installer.contents_of(bundle, "1.2.3")
    assert "RequestExecutionLevel user" in script
    assert not re.search(r"\b(HKLM|HKCR|HKU|SHCTX|HKEY_\w+)\b", script + contents)
    install, remove = script.split("Section Uninstall")
    written = set(re.findall(r'WriteReg\w+ HKCU "([^"]+)"', install + contents))
    gone = set(re.findall(r'DeleteRegKey (?:/ifempty )?HKCU "([^"]+)"', remove))
    assert written, "nothing is written"
    assert [key for key in written if not any(key == each or key.startswith(f"{each}\\") for each in gone)] == []
    shared = {"${CLASSES}\\${SUFFIX}", "${CLASSES}\\${SUFFIX}\\OpenWithProgids", "${CLASSES}\\Applications"}
    assert gone - set(re.findall(r'DeleteRegKey HKCU "([^"]+)"', remove)) == shared, "others may have written there"


def test_a_spreadsheet_is_named_in_the_programs_own_key_alone(bundle: Path, script: str) -> None:
    contents = installer.contents_of(bundle, "1.2.3")
    lines = macro(contents, "SupportedTypes")
    assert all("Applications\\${WINDOW}\\SupportedTypes" in line for line in lines)
    assert {".csv", ".xlsx", ".ods", ".ppdm"} <= {line.split('"')[3] for line in lines}
    assert '!define SUFFIX ".ppdm"' in contents
    assert not re.search(r"\.(csv|xlsx?|ods)\b", script)


def test_each_sentence_is_there_in_each_language(bundle: Path, script: str) -> None:
    assert set(installer.OF_NSIS) == set(list_languages())
    with speak_language("de"):
        german = installer.texts()
    assert german["IsRunning"] != installer.texts()["IsRunning"]
    lines = re.findall(r'LangString (\w+) \$\{LANG_(\w+)\} "(.+)"', installer.contents_of(bundle, "1.2.3"))
    assert ("IsRunning", "GERMAN", german["IsRunning"]) in lines
    assert len(lines) == len(german) * len(list_languages())
    assert set(re.findall(r"\$\(([A-Z]\w+)\)", script)) == set(german)


@pytest.mark.skipif(shutil.which(installer.TOOL) is None, reason="makensis is not here")
def test_it_is_the_same_bytes_wherever_and_whenever_it_is_made(bundle: Path, tmp_path: Path) -> None:
    pytest.importorskip("PySide6.QtSvg")
    other = windows_bundle(tmp_path / "another place")
    (other / "LICENSE").touch()
    made = []
    for number, folder in enumerate((bundle, other)):
        file = tmp_path / f"{number}.exe"
        installer.write_setup(folder, file, "1.2.3+4", 1_700_000_000)
        made.append(file.read_bytes())
    assert made[0] == made[1]
    assert made[0][:2] == b"MZ"
