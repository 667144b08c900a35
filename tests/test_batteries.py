"""Every registry is put to the batteries of ``ppdm_desktop.testing``: what is declared is tested by being there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from format_files import FILES
from planted_evidence import planted

from ppdm_desktop.engine.release.attack_audit.registry import all_attacks
from ppdm_desktop.engine.release.gate import Evidence, all_checks
from ppdm_desktop.engine.samples import all_samples
from ppdm_desktop.engine.table.reading.registry import all_readers
from ppdm_desktop.engine.table.writing.registry import all_writers
from ppdm_desktop.testing import check_attack, check_check, check_reader, check_sample, check_writer

UI_PAGES = Path(__file__).parents[1] / "ppdm_desktop" / "ui" / "pages"


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Evidence]:
    return planted(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def pages() -> frozenset[str]:
    """Ids of the window's pages, read from their sources: the engine is tested without Qt, too."""
    found = (
        re.search(r'^    step = "([a-z]+)"$', path.read_text("utf-8"), re.M) for path in UI_PAGES.glob("*/page.py")
    )
    return frozenset(match[1] for match in found if match is not None)


@pytest.mark.parametrize("id", all_checks())
def test_every_check_passes_its_battery(id: str, evidence: Mapping[str, Evidence], pages: frozenset[str]) -> None:
    given = check_check(type(all_checks()[id]), tuple(evidence.values()), pages)
    assert given & {"amber", "red"}, "nothing planted turns it"
    assert given & {"green", "not-applicable"}, "nothing planted passes it"


@pytest.mark.parametrize("id", all_readers())
def test_every_reader_passes_its_battery(id: str) -> None:
    check_reader(type(all_readers()[id]), FILES.get(id, []))


@pytest.mark.parametrize("id", all_writers())
def test_every_writer_passes_its_battery(id: str) -> None:
    check_writer(type(all_writers()[id]))


@pytest.mark.parametrize("id", all_samples())
def test_every_sample_passes_its_battery(id: str) -> None:
    check_sample(type(all_samples()[id]))


@pytest.mark.parametrize("id", all_attacks())
def test_every_attack_passes_its_battery(id: str) -> None:
    assert check_attack(type(all_attacks()[id])), "finds nothing among the people of the battery"
