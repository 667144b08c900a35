"""What all tests share."""

from __future__ import annotations

import gc
import itertools
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, settings
from snapshots import WRITE_OPTION, compare
from support import Command, Outcome
from translations import compile_translations

from ppdm_desktop.cli.main import run
from ppdm_desktop.engine.wording.catalogue import SOURCE, set_language
from ppdm_desktop.engine.wording.rows import count_rows

# "ci": the same cases on every run, so that a failure there is a failure here; elsewhere more of them, and others.
# "mutation": a change is noticed by the first case that fails, whether or not there is a smaller one.
settings.register_profile("default", deadline=None, print_blob=True)
settings.register_profile(
    "ci",
    max_examples=30,
    deadline=None,
    derandomize=True,
    print_blob=True,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile("mutation", settings.get_profile("ci"), phases=[Phase.explicit, Phase.generate])
settings.register_profile("thorough", deadline=None, max_examples=20_000, print_blob=True)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if os.environ.get("CI") else "default"))


@pytest.fixture(autouse=True)
def _settings_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings and the list of releases lie in a folder of the test, never in a real home."""
    folder = tmp_path_factory.getbasetemp() / f"settings-{next(_NUMBERS)}"
    for name in ("XDG_CONFIG_HOME", "LOCALAPPDATA"):
        monkeypatch.setenv(name, str(folder))
    return folder


@pytest.fixture(autouse=True)
def _english_again() -> Iterator[None]:
    """Whatever a test has spoken, the next one begins in English, and of people."""
    yield
    set_language(SOURCE)
    count_rows(False)


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder in which this test's temporary files lie."""
    folder = tmp_path / "temporary"
    folder.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    return folder


@pytest.fixture
def command(capfd: pytest.CaptureFixture[str]) -> Command:
    """Run the program with arguments."""

    def call(*arguments: object) -> Outcome:
        capfd.readouterr()
        code = run([str(each) for each in arguments])
        found = capfd.readouterr()
        return Outcome(code, found.out, found.err)

    return call


_NUMBERS = itertools.count()
REPOSITORY = Path(__file__).resolve().parent.parent


@pytest.fixture(scope="session")
def repository() -> Path:
    """The checkout."""
    return REPOSITORY


@pytest.fixture
def check_snapshots(request: pytest.FixtureRequest) -> Callable[[Mapping[str, str]], None]:
    """Compare texts with their snapshots by name and fail with all differences, or write them when asked to."""
    write = bool(request.config.getoption(WRITE_OPTION))

    def check(texts: Mapping[str, str]) -> None:
        differences = [compare(name, text, write=write) for name, text in texts.items()]
        if any(differences):
            pytest.fail("\n".join(filter(None, differences)), pytrace=False)

    return check


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of public data sets; tests that ask for it are skipped where it is absent."""
    named = os.environ.get("PPDM_DATA")
    folder = Path(named) if named else REPOSITORY.parent / "shared" / "data"
    if not folder.is_dir():
        pytest.skip("the public data sets are not here: name their folder in PPDM_DATA")
    return folder


def pytest_configure(config: pytest.Config) -> None:
    """Compile translations that were changed since the last run, once and not in every worker."""
    if not hasattr(config, "workerinput"):
        compile_translations(outdated_only=True)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the switches: tests run before a release only, and snapshots written again instead of compared."""
    parser.addoption("--thorough", action="store_true", help="run the tests marked thorough as well")
    parser.addoption(WRITE_OPTION, action="store_true", help="write tests/golden/snapshots again where they differ")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Mark what uses the public data sets, and leave out what is thorough unless it was asked for."""
    for item in items:
        if "data_folder" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.data)
    if config.getoption("--thorough") or any("::" in str(each) for each in config.args):
        return
    left_out = [item for item in items if item.get_closest_marker("thorough")]
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        items[:] = [item for item in items if item not in set(left_out)]


def pytest_collection_finish() -> None:
    """Spare the collector of rubbish what stays to the end: thousands of collected tests and all modules."""
    gc.collect()
    gc.freeze()
