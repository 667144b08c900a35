"""No tracked file names a package registry or a folder of the machine it was written on."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

# Put together from pieces, so that this file passes its own test.
HOSTS = (
    "py" + "pi.org",
    "python" + "hosted.org",
    "registry." + "npmjs",
    "deb." + "debian.org",
    "archive." + "ubuntu.com",
    "crates" + ".io",
)
FOLDERS = ("work", "root", "home/[a-z0-9_-]+", "Users/[A-Za-z0-9_-]+", "opt/(?:wheels|py" + "pi)", "farm")
# The slash first: the search goes from slash to slash, and looks back only there.
_FOLDER = re.compile(rf"/(?<![\w.~/-]/)(?:{'|'.join(FOLDERS)})/".encode())


def forbidden(data: bytes) -> str | None:
    """Return the first thing that must not stand in a file."""
    for host in HOSTS:
        if host.encode() in data:
            return host
    found = _FOLDER.search(data)
    return found.group().decode(errors="replace") if found else None


def tracked(repository: Path) -> list[str]:
    if shutil.which("git") is None or not (repository / ".git").exists():
        pytest.skip("no git checkout here")
    listed = subprocess.run(
        ["git", "-c", "safe.directory=*", "ls-files", "-z"], cwd=repository, capture_output=True, check=True
    )
    return [name for name in listed.stdout.decode().split("\0") if name]


def test_no_registry_and_no_build_path(repository: Path) -> None:
    hits = []
    for name in tracked(repository):
        path = repository / name
        if not path.is_file():
            continue
        data = path.read_bytes()
        if forbidden(data) is not None:
            hits += [
                f"{name}:{n}: {found}" for n, line in enumerate(data.split(b"\n"), 1) if (found := forbidden(line))
            ]
    assert not hits


def test_only_the_fixture_knows_where_the_public_data_lies(repository: Path) -> None:
    """Where the data sets are absent tests are skipped, which only the fixture does."""
    tests = (repository / "tests").rglob("test_*.py")
    assert [path.name for path in tests if '/ "sha' + 'red"' in path.read_text(encoding="utf-8")] == []


def test_every_table_of_cases_is_read(repository: Path) -> None:
    tests = repository / "tests"
    code = "".join(path.read_text("utf-8") for path in tests.rglob("*.py"))
    assert [
        path.name for path in (tests / "cases").iterdir() if f'"{path.name.removesuffix(".jsonl")}"' not in code
    ] == []
