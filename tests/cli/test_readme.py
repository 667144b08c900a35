"""README as a newcomer follows it: each command is one that the program has, and each link leads somewhere."""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest

from ppdm_desktop.cli.main import PROGRAM, build_parser
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import Recipe, SweepFile
from ppdm_desktop.engine.samples import find_sample

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text("utf-8")
NO_COMMAND = (f"{PROGRAM} people.csv", f"{PROGRAM} COMMAND --help")
"""What opens the window on a file, and what stands for every command."""

_FENCED = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)


def blocks(language: str = "") -> list[str]:
    """Return what stands between fences, of a language."""
    return [text for named, text in _FENCED.findall(README) if named == language]


def commands() -> list[str]:
    """Return the calls of a command, in blocks and within sentences."""
    inside = re.findall(rf"`({PROGRAM} [^`]+)`", _FENCED.sub("", README))
    lines = [line for block in blocks() for line in block.replace("\\\n", "").splitlines()]
    found = [*inside, *(line for line in lines if line.startswith(f"{PROGRAM} "))]
    return [each for each in found if each not in NO_COMMAND]


@pytest.mark.parametrize("line", commands())
def test_a_command_of_the_readme_is_understood(line: str) -> None:
    arguments = shlex.split(line)[1:]
    options = build_parser(arguments[0]).parse_args(arguments)
    assert options.command == arguments[0]


def test_the_commands_of_a_first_release_are_there() -> None:
    named = [line.split()[1] for line in commands()]
    assert {"sample", "inspect", "assess", "release", "verify", "top-up", "compare", "methods"} <= set(named)


def test_what_looks_like_a_recipe_is_one() -> None:
    recipes = [block for block in blocks() if block.startswith("[")]
    first, second, third, fourth, fifth = map(tomllib.loads, recipes)
    assert first == {"sweep": {"over": "proportion=0.2,0.5,0.8", "repeats": 3, "attacks": True, "analyses": False}}
    SweepFile.model_validate(first)
    assert second == {"columns": {"sick_days": {"role": "confidential", "kind": "numeric", "not_negative": True}}}
    Recipe.model_validate({"recipe": 1, **second})
    assert third == {"input": {"person": "patient_nbr"}}
    assert fourth == {"input": {"readings": {"birthday": "second"}}}
    Recipe.model_validate({"recipe": 1, **fourth})
    assert fifth == {"plugins": {"use": ["name-of-the-package"]}}
    Recipe.model_validate({"recipe": 1, **fifth})


def test_every_method_is_in_the_table() -> None:
    table = README[README.index("| paper |") : README.index("## A first release on the command line")]
    assert [id for id in all_methods() if f"`{id}`" not in table] == []


def test_the_notebook_runs_from_the_file_to_the_verified_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    # Any key will do; this one gives the same figures every time, and says that the system drew it.
    monkeypatch.setattr(Key, "fresh", classmethod(lambda cls: cls(bytes(range(3, 35)), "system")))
    monkeypatch.chdir(tmp_path)
    sample = find_sample("employees")
    (tmp_path / "employees.csv").write_bytes(sample.make(sample.settled({"rows": 400})))
    known: dict[str, object] = {}
    for block in blocks("python"):
        exec(compile(block, "README.md", "exec"), known)
    said = capsys.readouterr().out
    assert "people-counted" in said
    assert said.splitlines()[-1] == "identical"
    assert (tmp_path / "handover" / "release" / "data.csv").is_file()


@pytest.mark.parametrize("name", ["README.md", "SECURITY.md", "CONTRIBUTING.md"])
def test_every_link_leads_to_a_file(name: str) -> None:
    links = re.findall(r"\]\(([^)#]+)\)", (ROOT / name).read_text("utf-8"))
    assert [link for link in links if not (ROOT / link).is_file()] == []
    assert links or name == "CONTRIBUTING.md"
