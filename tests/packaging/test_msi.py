"""The installer for all users of a Windows: which files and keys it names, and that it is made alike."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from xml.etree.ElementTree import Element

import pytest
from delivery import msi
from delivery.windows import OLDEST, PROGRAMS
from optional import existing

from ppdm_desktop.engine.table.reading.registry import list_readable_suffixes

from .test_installer import FILES, windows_bundle

pytestmark = pytest.mark.thorough

VERSION = "1.2.3+202311142213.c0ffee"


@pytest.fixture
def bundle(tmp_path: Path) -> Path:
    return windows_bundle(tmp_path / "one")


@pytest.fixture
def product(bundle: Path) -> Element:
    root = existing(msi.description(bundle, VERSION).getroot())
    (found,) = root
    return found


def test_each_component_is_installed_and_has_an_identity_of_its_own(product: Element) -> None:
    components = list(product.iter("Component"))
    (feature,) = product.iter("Feature")
    assert sorted(str(each.get("Id")) for each in components) == sorted(str(each.get("Id")) for each in feature)
    identities = {each.get("Guid") for each in components}
    assert len(identities) == len(components) == len(FILES) + len(PROGRAMS) + 1
    assert all(each.get("Win64") == "yes" for each in components)
    assert all(len([part for part in each if part.get("KeyPath")]) == 1 for each in components)


def test_a_file_keeps_its_identity_in_the_next_version_and_the_product_does_not(bundle: Path) -> None:
    def identities(version: str) -> tuple[str, str, dict[str, str]]:
        root = existing(msi.description(bundle, version).getroot())
        (product,) = root
        files = {str(file.get("Source")): each for each in product.iter("Component") for file in each.findall("File")}
        return (
            str(product.get("Id")),
            str(product.get("UpgradeCode")),
            {name: str(each.get("Guid")) for name, each in files.items()},
        )

    first, second = identities("1.2.3+1"), identities("1.2.3+2")
    assert first[0] != second[0], "Windows would repair the old one in place of taking the new one"
    assert first[1:] == second[1:]


def test_it_is_for_all_users_and_takes_no_spreadsheet_over(product: Element) -> None:
    values = list(product.iter("RegistryValue"))
    assert {each.get("Root") for each in values} == {"HKLM"}
    assert all(str(each.get("Key")).startswith("Software\\Classes\\") for each in values)
    types = {str(each.get("Name")) for each in values if str(each.get("Key")).endswith("SupportedTypes")}
    assert types == {*list_readable_suffixes(), ".ppdm"}
    named = [
        each for each in values for suffix in list_readable_suffixes() if f"Classes\\{suffix}" in str(each.get("Key"))
    ]
    assert named == []


def test_an_old_windows_and_an_old_version_are_met(product: Element) -> None:
    (condition,) = product.iter("Condition")
    assert condition.text == f"Installed OR BUILDOFWINDOWS >= {OLDEST}"
    (earlier,) = product.iter("UpgradeVersion")
    assert (earlier.get("Minimum"), earlier.get("IncludeMinimum")) == ("0.0.0", "yes")
    assert not {"Maximum", "OnlyDetect"} & set(earlier.keys()), "two versions would share one folder"


@pytest.mark.skipif(shutil.which(msi.TOOL) is None, reason="wixl is not here")
def test_it_is_the_same_bytes_wherever_and_whenever_it_is_made(bundle: Path, tmp_path: Path) -> None:
    pytest.importorskip("PySide6.QtSvg")
    other = windows_bundle(tmp_path / "another place")
    for path in other.rglob("*"):
        os.utime(path, (5, 5))
    made = []
    for number, folder in enumerate((bundle, other)):
        file = tmp_path / f"{number}.msi"
        msi.write_msi(folder, file, VERSION, 1_700_000_000)
        made.append(file.read_bytes())
    assert made[0] == made[1]
    if shutil.which("msiextract"):
        subprocess.run(
            ["msiextract", "-C", str(tmp_path / "out"), str(tmp_path / "0.msi")], check=True, capture_output=True
        )
        (top,) = (path.parent for path in (tmp_path / "out").rglob("LICENSE"))
        assert {name: (top / name).read_text("utf-8") for name in FILES} == {name: name for name in FILES}
