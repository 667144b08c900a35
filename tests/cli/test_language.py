"""Which language the command line speaks, and what never depends on it: documents, JSON, releases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from cases import case_rows
from support import PEOPLE, Command, Job

from ppdm_desktop.cli.app_folder import config_folder
from ppdm_desktop.cli.language import UnknownLanguage, split_language_option, use_language, usual_language
from ppdm_desktop.engine.wording.catalogue import language


@pytest.fixture(autouse=True)
def no_language_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave the machine that the tests run on out of it."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def settings() -> Iterator[Path]:
    """The file of the window's settings, taken away afterwards."""
    folder = config_folder()
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "settings.json"
    yield file
    file.unlink(missing_ok=True)


@pytest.mark.parametrize(
    ("arguments", "kept", "asked"),
    case_rows("language-the-language-is-asked-for-anywhere", lists=True),
)
def test_the_language_is_asked_for_anywhere(arguments: list[str], kept: list[str], asked: str | None) -> None:
    assert split_language_option(arguments) == (kept, asked)


@pytest.mark.parametrize("arguments", [["--language", "xx"], ["--language"], ["inspect", "--language="]])
def test_a_language_there_is_not_is_refused(arguments: list[str]) -> None:
    with pytest.raises(UnknownLanguage):
        split_language_option(arguments)


def test_the_window_goes_before_the_system(tmp_path: Path) -> None:
    (tmp_path / "settings.json").write_text('{"language": "en"}', encoding="utf-8")
    assert usual_language(tmp_path, {"LC_ALL": "de_AT.UTF-8"}) == "en"
    (tmp_path / "settings.json").write_text('{"language": "de"}', encoding="utf-8")
    assert usual_language(tmp_path, {"LC_ALL": "en_GB"}) == "de"


@pytest.mark.parametrize("content", ["", "{", "[]", "{}", '{"language": ""}', '{"language": "xx"}', '{"language": 5}'])
def test_where_the_settings_do_not_say_the_system_counts(tmp_path: Path, content: str) -> None:
    (tmp_path / "settings.json").write_text(content, encoding="utf-8")
    assert usual_language(tmp_path, {"LANG": "de_DE.UTF-8"}) == "de"


@pytest.mark.parametrize(("environment", "code"), case_rows("language-the-system-says-it-in-its-own-order"))
def test_the_system_says_it_in_its_own_order(tmp_path: Path, environment: dict[str, str], code: str) -> None:
    assert usual_language(tmp_path, environment) == code


def test_the_language_is_given_back(command: Command) -> None:
    assert command("--language", "qps", "inspect", "nowhere.csv").code == 2
    assert language() == "en"
    with pytest.raises(RuntimeError), use_language("de"):
        raise RuntimeError
    assert language() == "en"


@pytest.mark.parametrize("code", ["de", "qps"])
def test_json_is_the_same_in_every_language(code: str, job: Job, command: Command) -> None:
    shown = job.folder / "shown.csv"
    lines = [line.split(",") for line in PEOPLE.strip().splitlines()]
    shown.write_text("".join(",".join(line[2:]) + "\n" for line in lines), encoding="utf-8")
    for arguments in (
        ["inspect", job.source],
        ["assess", job.source, "--recipe", job.recipe],
        ["methods"],
        ["compare", job.source, shown, "--recipe", job.recipe],
    ):
        english = command(*arguments, "--json")
        other = command("--language", code, *arguments, "--json")
        assert english.code == other.code == 0
        assert other.out == english.out
        assert json.loads(other.out)
