"""What is made for Windows and can be looked at on any system: resources of the programs, and sources of the rig."""

from __future__ import annotations

import ast
from pathlib import Path
from types import ModuleType

import pytest
from delivery.windows import PROGRAMS, version_resource

from .conftest import load_script

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def rig() -> ModuleType:
    return load_script("windows")


@pytest.mark.parametrize(("name", "what"), PROGRAMS.items())
def test_a_program_says_its_name_and_version(name: str, what: str) -> None:
    text = version_resource(name, what, "1.20.3")
    tree = ast.parse(text, mode="eval").body
    assert isinstance(tree, ast.Call)
    numbers = [each.value for each in ast.walk(tree) if isinstance(each, ast.keyword) and each.arg == "filevers"]
    assert [ast.literal_eval(each) for each in numbers] == [(1, 20, 3, 0)]
    said = {
        ast.literal_eval(each.args[0]): ast.literal_eval(each.args[1])
        for each in ast.walk(tree)
        if isinstance(each, ast.Call) and isinstance(each.func, ast.Name) and each.func.id == "StringStruct"
    }
    assert said["FileDescription"] == what
    assert said["OriginalFilename"] == f"{name}.exe"
    assert said["ProductVersion"] == "1.20.3"


def test_the_spec_shows_them_and_leaves_out_what_draws_in_three_dimensions(repository: Path) -> None:
    spec = (repository / "packaging" / "ppdm-desktop.spec").read_text("utf-8")
    for word in ("ppdm-desktop.ico", ".version.txt", '"opengl32sw.dll"', '"libcrypto-3.dll"'):
        assert word in spec
    for name in PROGRAMS:
        assert f'"{name}"' in spec


def test_what_is_still_mounted_is_never_removed(
    rig: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "chroot").mkdir()
    monkeypatch.setattr(Path, "read_text", lambda self, encoding: f"proc {tmp_path}/chroot/proc proc rw 0 0\n")
    with pytest.raises(rig.Stop, match="Unmount"):
        rig.Rig(tmp_path).remove()
    assert (tmp_path / "chroot").is_dir()
