"""The pin list is complete, hashed and names no place."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path
from types import ModuleType

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from .conftest import load_script


@pytest.fixture(scope="module")
def text(repository: Path) -> str:
    return (repository / "packaging" / "requirements.txt").read_text("utf-8")


@pytest.fixture(scope="module")
def pins(text: str) -> dict[str, tuple[Requirement, list[str]]]:
    found: dict[str, tuple[Requirement, list[str]]] = {}
    lines = "\n".join(line for line in text.splitlines() if line and line[0] != "#")
    for block in re.sub(r"\\\n", " ", lines).splitlines():
        head, *hashes = block.split("--hash=")
        requirement = Requirement(head.strip())
        found[canonicalize_name(requirement.name)] = (requirement, [part.strip() for part in hashes])
    return found


def test_no_address_and_no_option(text: str) -> None:
    assert "://" not in text
    assert " @ " not in text
    assert not [line for line in text.splitlines() if line.startswith("-")]


def test_every_pin_is_exact_and_has_a_hash(pins: dict[str, tuple[Requirement, list[str]]]) -> None:
    assert len(pins) > 30
    for name, (requirement, hashes) in pins.items():
        assert re.fullmatch(r"==[^*,]+", str(requirement.specifier)), name
        assert hashes, name
        assert all(re.fullmatch(r"sha256:[0-9a-f]{64}", one) for one in hashes), name
        assert len(set(hashes)) == len(hashes), name


def test_the_pins_satisfy_both_lists_of_ranges(
    repository: Path, lock: ModuleType, pins: dict[str, tuple[Requirement, list[str]]]
) -> None:
    project = tomllib.loads((repository / "pyproject.toml").read_text("utf-8"))
    extras = project["project"]["optional-dependencies"].values()
    declared = [*project["project"]["dependencies"], *(each for extra in extras for each in extra)]
    ranges = lock.read_ranges((repository / "packaging" / "requirements.in").read_text("utf-8"))
    for wanted in [*map(Requirement, declared), *ranges]:
        pinned = str(pins[canonicalize_name(wanted.name)][0].specifier).removeprefix("==")
        assert wanted.specifier.contains(pinned, prereleases=True), wanted
    runtime = {canonicalize_name(Requirement(one).name) for one in project["project"]["dependencies"]}
    assert runtime <= {canonicalize_name(one.name) for one in ranges}


def test_what_is_installed_is_what_is_pinned(pins: dict[str, tuple[Requirement, list[str]]]) -> None:
    for name, (requirement, _) in pins.items():
        if requirement.marker is None or requirement.marker.evaluate():
            assert requirement.specifier.contains(metadata.version(name), prereleases=True), name


# --- other systems ------------------------------------------------------------------------


def test_a_list_is_read_as_it_was_written(lock: ModuleType, text: str) -> None:
    pins = lock.read_pins(text)
    body = lock.render(pins, {}).partition("\n\n")[2].lstrip("\n")
    assert body == text.partition("\n\n")[2]


def test_conditions_are_judged_for_the_target_and_not_for_the_machine_that_fetches(lock: ModuleType, text: str) -> None:
    fetch = load_script("fetch")
    names = {
        target: {pin.partition("==")[0] for pin in fetch.pins_for(text, "3.11", lock.TARGETS[target])}
        for target in lock.TARGETS
    }
    only_windows = {"pefile", "pywin32-ctypes"}
    assert only_windows <= names["win_amd64"]
    assert only_windows <= names["win_arm64"]
    assert not only_windows & (names["linux_x86_64"] | names["macosx_arm64"])
    assert "macholib" in names["macosx_x86_64"]
    for pin in fetch.pins_for(text, "3.11", lock.TARGETS["win_amd64"]):
        assert ";" not in pin
        assert "--hash=sha256:" in pin


def test_a_system_without_a_wheel_keeps_the_others_and_is_named(
    lock: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As pip does: it names the first package without a wheel, and nothing of the others."""
    everywhere = {(python, "win32") for python in lock.PYTHONS}
    pins = {name: lock.Pin("1", {"0" * 64}, set(everywhere)) for name in ("here", "nowhere")}
    asked: list[list[str]] = []

    def ask(wanted: list[Requirement], *_: object) -> list[object]:
        names = [each.name for each in wanted]
        asked.append(names)
        if "nowhere" in names:
            raise lock.LockError("ERROR: No matching distribution found for nowhere==1")
        return [lock.Wheel(name, "1", "f" * 64, []) for name in names]

    monkeypatch.setattr(lock, "ask_pip", ask)
    assert lock.add_wheels(pins, lock.TARGETS["win_arm64"]) == {"nowhere"}
    assert pins["here"].hashes == {"0" * 64, "f" * 64}
    assert pins["nowhere"].hashes == {"0" * 64}
    assert asked[:2] == [["here", "nowhere"], ["here"]]
    assert "# win_arm64: nowhere" in lock.render(pins, {"win_arm64": {"nowhere"}})
