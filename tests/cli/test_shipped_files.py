"""``self-test --files``: what of a delivered program is no longer as it was shipped."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import Command

from ppdm_desktop.cli.commands.self_test import LIST, compare, list_of
from ppdm_desktop.engine.errors import InputError


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small delivered program with its list, which takes itself for the one that runs."""
    folder = tmp_path / "ppdm-desktop"
    (folder / "_internal" / "deep").mkdir(parents=True)
    (folder / "ppdm-desktop").write_bytes(b"program")
    (folder / "_internal" / "library.so.1").write_bytes(b"library")
    (folder / "_internal" / "deep" / "with space.txt").write_text("text", "utf-8")
    (folder / "_internal" / "library.so").symlink_to("library.so.1")
    (folder / LIST).write_text(list_of(folder), "utf-8", newline="\n")
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(sys, "executable", str(folder / "ppdm-desktop"))
    return folder


def test_a_program_as_it_was_shipped_is_ok_and_its_list_is_named(installed: Path, command: Command) -> None:
    found = command("self-test", "--files")
    assert found.code == 0, found.err
    assert found.out.splitlines()[-1] == "OK"
    assert "4 files are as in the list." in found.out
    assert hashlib.sha256((installed / LIST).read_bytes()).hexdigest() in found.out


def test_changed_missing_and_added_files_are_named(installed: Path, command: Command) -> None:
    (installed / "_internal" / "library.so.1").write_bytes(b"LIBRARY")
    (installed / "_internal" / "deep" / "with space.txt").unlink()
    (installed / "_internal" / "planted.so").write_bytes(b"planted")
    found = command("self-test", "--files")
    assert found.code == 3
    lines = found.out.splitlines()
    # The link leads to the changed library.
    assert lines[:4] == [
        "changed: _internal/library.so",
        "changed: _internal/library.so.1",
        "missing: _internal/deep/with space.txt",
        "not in the list: _internal/planted.so",
    ]
    assert "OK" not in lines


def test_a_list_that_was_changed_with_the_files_is_caught_by_the_one_of_the_delivery(
    installed: Path, tmp_path: Path, command: Command
) -> None:
    of_the_delivery = tmp_path / "delivery.files.sha256"
    shutil.copy(installed / LIST, of_the_delivery)
    (installed / "ppdm-desktop").write_bytes(b"another program")
    (installed / LIST).write_text(list_of(installed), "utf-8", newline="\n")
    assert command("self-test", "--files").code == 0
    found = command("self-test", "--files", of_the_delivery)
    assert found.code == 3
    assert found.out.splitlines()[0] == "changed: ppdm-desktop"


def test_only_the_first_of_many_are_named(installed: Path, command: Command) -> None:
    for number in range(25):
        (installed / f"added-{number:02}").touch()
    found = command("self-test", "--files")
    assert found.out.count("not in the list: ") == 20
    assert "and 5 more" in found.out


def test_without_a_delivery_there_is_nothing_to_compare(command: Command) -> None:
    found = command("self-test", "--files")
    assert found.code == 2
    assert "no list of shipped files" in found.err


@pytest.mark.parametrize("content", [None, b"", b"no list\n", b"\xff\xfe", b"0" * 64 + b"  a\nand then text\n"])
def test_what_is_no_list_is_refused(installed: Path, content: bytes | None) -> None:
    (installed / LIST).unlink()
    if content is not None:
        (installed / LIST).write_bytes(content)
    with pytest.raises(InputError):
        compare(installed, installed / LIST)


@pytest.mark.skipif(shutil.which("sha256sum") is None, reason="sha256sum is not here")
def test_the_list_is_one_that_the_system_can_check_as_well(installed: Path) -> None:
    done = subprocess.run(
        ["sha256sum", "--check", "--strict", LIST], cwd=installed, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.count(": OK") == 4
