"""The bundle's parts that can be checked without building it."""

from __future__ import annotations

import configparser
import shutil
import subprocess
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest

pytestmark = pytest.mark.thorough


def test_every_package_says_something_of_its_licence(licences: ModuleType, repository: Path) -> None:
    text = (repository / "packaging" / "requirements.in").read_text("utf-8")
    runtime = text.partition("# tests and checks")[0]
    names = [line.split(">")[0] for line in runtime.splitlines() if line and line[0] != "#"]
    assert len(names) > 10
    for name in names:
        said = licences.package_text(metadata.distribution(name))
        assert metadata.version(name) in said
        assert len(said) > 400, name


def test_qt_brings_the_whole_lgpl(licences: ModuleType) -> None:
    said = licences.package_text(metadata.distribution("PySide6-Essentials"))
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in said
    assert "GNU GENERAL PUBLIC LICENSE" in said
    assert "may be exchanged" in licences.HEAD


def test_a_package_without_a_word_is_an_error(licences: ModuleType, tmp_path: Path) -> None:
    folder = tmp_path / "silent-1.dist-info"
    folder.mkdir()
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: silent\nVersion: 1\n", "utf-8")
    with pytest.raises(licences.LicenceError, match="silent 1"):
        licences.package_text(metadata.Distribution.at(folder))


def test_the_spec_leaves_out_what_speaks_to_a_network(repository: Path) -> None:
    spec = (repository / "packaging" / "ppdm-desktop.spec").read_text("utf-8")
    for word in (
        '"ssl", "_ssl"',
        '"sqlite3"',
        '"tls"',
        '"networkinformation"',
        '"PySide6.QtNetwork"',
        '"readline"',
        "upx=False",
    ):
        assert word in spec


def test_the_menu_entry_is_complete(repository: Path) -> None:
    project = pytest.importorskip("ppdm_desktop.ui.state.project", exc_type=ImportError)
    path = repository / "packaging" / "delivery" / "linux" / "ppdm-desktop.desktop"
    entry = configparser.ConfigParser(interpolation=None)
    entry.read(path, "utf-8")
    found = entry["Desktop Entry"]
    assert found["Type"] == "Application"
    assert found["Exec"] == "ppdm-desktop %f"
    assert "application/x-ppdm-project" in found["MimeType"]
    types = path.with_name("ppdm-desktop.xml").read_text("utf-8")
    assert 'type="application/x-ppdm-project"' in types
    assert f'pattern="*{project.PROJECT_SUFFIX}"' in types
    if shutil.which("desktop-file-validate"):
        subprocess.run(["desktop-file-validate", str(path)], check=True)
