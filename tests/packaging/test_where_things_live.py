"""What CONTRIBUTING and packaging/README say is where: no part of the project is forgotten there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
ENGINE = ROOT / "ppdm_desktop" / "engine"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
NOT_LISTED = {"__pycache__", "licence-texts", "README.md"}


def packages(folder: Path) -> list[str]:
    """The packages in a folder, by name."""
    return sorted(each.parent.name for each in folder.glob("*/__init__.py"))


def section(name: str) -> str:
    """What the tree says of a folder and of those inside it: its line, and the lines that are further in."""
    tree = CONTRIBUTING.partition("## Where things live")[2].partition("## ")[0].splitlines()
    start = next((number for number, line in enumerate(tree) if re.match(rf" *{name}/(?= )", line)), None)
    if start is None:
        return ""
    indent = len(tree[start]) - len(tree[start].lstrip())
    inside = [tree[start]]
    for line in tree[start + 1 :]:
        if len(line) - len(line.lstrip()) <= indent:
            break
        inside.append(line)
    return "\n".join(inside)


@pytest.mark.parametrize("part", packages(ENGINE))
def test_each_part_of_the_engine_is_listed_with_what_is_inside_it(part: str) -> None:
    said = section(part)
    assert said, f"{part} is not listed in CONTRIBUTING"
    missing = [each for each in packages(ENGINE / part) if not re.search(rf"(?<![\w-]){each}[/,]", said)]
    assert missing == []


def test_the_tree_is_read_by_its_indents() -> None:
    assert "disclosure/" in section("release")
    assert "disclosure/" not in section("methods")
    assert section("no_such_folder") == ""


def test_each_folder_of_resources_is_listed() -> None:
    said = section("resources")
    folders = {each.name for each in (ROOT / "resources").iterdir() if each.is_dir()} - NOT_LISTED
    assert [each for each in sorted(folders) if not re.search(rf"(?<![\w-]){each}\b", said)] == []


def test_each_file_of_packaging_is_listed() -> None:
    said = (ROOT / "packaging" / "README.md").read_text("utf-8").partition("## ")[0]
    files = {each.name for each in (ROOT / "packaging").iterdir()} - NOT_LISTED
    assert [each for each in sorted(files) if f"`{each}`" not in said] == []


def test_each_command_of_dev_is_listed() -> None:
    source = (ROOT / "packaging" / "dev.py").read_text("utf-8")
    row = next(
        line
        for line in (ROOT / "packaging" / "README.md").read_text("utf-8").splitlines()
        if line.startswith("| `dev.py`")
    )
    choices = re.search(r'"command",\s*choices=\(([^)]*)\)', source)
    assert choices is not None
    commands = re.findall(r'"([a-z]+)"', choices[1])
    assert "run" in commands
    assert [each for each in commands if f"`{each}`" not in row] == []


def test_each_benchmark_is_listed() -> None:
    said = CONTRIBUTING.partition("- Benchmarks are programs")[2].partition("\n\n")[0]
    programs = [
        each.stem for each in (ROOT / "tests" / "benchmarks").glob("*.py") if "__main__" in each.read_text("utf-8")
    ]
    assert programs
    assert [each for each in sorted(programs) if f"`{each}`" not in said and f"benchmarks.{each}`" not in said] == []
