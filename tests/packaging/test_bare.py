"""Trying a delivery on a bare Debian: what of it can be seen without laying one."""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType

import pytest
from delivery.problems import Stop

from .conftest import load_script

pytestmark = pytest.mark.thorough


@pytest.fixture(scope="module")
def bare() -> ModuleType:
    return load_script("bare")


@pytest.fixture
def disk(tmp_path: Path) -> Path:
    for name in ("usr/bin/tool", "proc/1/status", "var/lib/dpkg/status", "srv/person/notes"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name, "utf-8")
    return tmp_path


def test_what_is_left_changed_or_gone_is_named(bare: ModuleType, disk: Path) -> None:
    before = bare.Bare(disk).listing()
    assert "usr/bin/tool" in before
    assert not any(name.startswith(("proc", "var/lib/dpkg")) for name in before)
    bare.said_left("it", before, bare.Bare(disk).listing())
    (disk / "usr/share/left").mkdir(parents=True)
    (disk / "usr/bin/tool").write_text("other", "utf-8")
    (disk / "srv/person/notes").unlink()
    with pytest.raises(Stop, match="srv/person/notes, usr/bin/tool, usr/share, usr/share/left"):
        bare.said_left("it", before, bare.Bare(disk).listing())


def test_other_rights_are_a_change(bare: ModuleType, disk: Path) -> None:
    before = bare.Bare(disk).listing()
    os.chmod(disk / "usr/bin/tool", 0o777)
    assert bare.compared(before, bare.Bare(disk).listing()) == ["usr/bin/tool"]


def test_one_archive_has_to_be_there(bare: ModuleType, tmp_path: Path) -> None:
    with pytest.raises(Stop, match="0 files"):
        bare.one(tmp_path, "*.deb")
    (tmp_path / "a.deb").touch()
    assert bare.one(tmp_path, "*.deb") == tmp_path / "a.deb"
