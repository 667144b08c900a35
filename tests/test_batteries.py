"""Every registry is put to the batteries of ``ppdm_desktop.testing``: what is declared is tested by being there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from dials import Dials
from format_files import FILES
from planted_evidence import planted

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.release.attack_audit.base import Attack, AttackEvidence, all_attacks
from ppdm_desktop.engine.release.gate.base import all_checks
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.report.model import AttackEntry
from ppdm_desktop.engine.samples import all_samples
from ppdm_desktop.engine.table.reading.registry import all_readers
from ppdm_desktop.engine.table.writing.registry import all_writers
from ppdm_desktop.engine.wording.texts import all_texts
from ppdm_desktop.testing import (
    Dial,
    check_attack,
    check_check,
    check_limits,
    check_method,
    check_reader,
    check_sample,
    check_writer,
)

UI_PAGES = Path(__file__).parents[1] / "ppdm_desktop" / "ui" / "pages"


@pytest.fixture(scope="module")
def evidence(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Evidence]:
    return planted(tmp_path_factory.mktemp("planted"))


@pytest.fixture(scope="module")
def dials(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Sequence[Dial]]:
    return Dials(tmp_path_factory.mktemp("dials")).all()


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
    coloured = {text.split(".")[2].partition("-")[0] for text in all_texts() if text.startswith(f"gate.{id}.")}
    assert coloured & {"green", "amber", "red"} <= given, "nothing planted gives it one of its colours"


UNTRIED = {
    "level-readback": "its figure is the gain of a tree, and rests on an interval",
    "file-limits": "a worksheet's own limits, which its tests know",
}


@pytest.mark.parametrize("id", all_checks())
def test_one_step_of_the_figure_flips_every_check(id: str, dials: Mapping[str, Sequence[Dial]]) -> None:
    """A check whose limits are other than nothing at all is tried from both sides of each."""
    check = all_checks()[id]
    edges = {edge for type in RELEASE_TYPES.values() for edge in vars(check.limits(type, type.k_min)).values()}
    if id not in dials:
        assert not check.figure_unit or edges <= {0, None} or id in UNTRIED, "has limits that nothing tries"
    for dial in dials.get(id, ()):
        check_limits(type(check), dial)


@pytest.mark.parametrize("id", all_readers())
def test_every_reader_passes_its_battery(id: str) -> None:
    check_reader(type(all_readers()[id]), FILES.get(id, []))


@pytest.mark.parametrize("id", all_writers())
def test_every_writer_passes_its_battery(id: str) -> None:
    check_writer(type(all_writers()[id]))


@pytest.mark.parametrize("id", all_methods())
def test_every_method_passes_its_battery(id: str) -> None:
    assert check_method(type(all_methods()[id])), "promises nothing to anybody"


@pytest.mark.parametrize("id", all_samples())
def test_every_sample_passes_its_battery(id: str) -> None:
    check_sample(type(all_samples()[id]))


@pytest.mark.parametrize("id", all_attacks())
def test_every_attack_passes_its_battery(id: str) -> None:
    assert check_attack(type(all_attacks()[id])), "finds nothing among the people of the battery"


# --- what a battery finds ---------------------------------------------------------------

NEAREST = type(all_attacks()["nearest-record"])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"judged_by": "no-check"}, "one of them is no check"),
        ({"judged_by": "class-size", "own_check": False}, "is not heard by class-size"),
        ({"sentences": {"none": "attack.rank.none", "some": "no text"}}, "does not say what some is"),
        ({"further": {}}, "does not say what it is called"),
        ({"kind": "gazing"}, "of no kind"),
        ({"unit": "stars"}, "in no unit"),
        ({"order": 20}, "the place of another attack"),
        ({"applies": lambda self, candidate: "attack.why-not.nobody"}, "finds 1, and says"),
        ({"applies": lambda self, candidate: "no text"}, "is no text of why"),
    ],
)
def test_the_battery_finds_a_wrong_attack(monkeypatch: pytest.MonkeyPatch, changes: dict[str, Any], words: str) -> None:
    for name, value in changes.items():
        monkeypatch.setattr(NEAREST, name, value)
    with pytest.raises(AssertionError, match=words):
        check_attack(NEAREST)


def test_the_battery_finds_an_attack_that_changes_what_it_attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = NEAREST.run

    def changing(self: Attack, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        codes = evidence.candidate.final.columns[0].codes
        codes.flags.writeable = True
        codes[0] = (codes[0] + 1) % 2
        return honest(self, evidence)

    monkeypatch.setattr(NEAREST, "run", changing)
    with pytest.raises(AssertionError, match="changes what it attacks"):
        check_attack(NEAREST)


def test_the_battery_finds_an_attack_that_does_not_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = NEAREST.run

    def deaf(self: Attack, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        try:
            progress.check()
        except Exception:
            return ()
        return progress.make_silent_progress().run(honest, self, evidence)

    monkeypatch.setattr(NEAREST, "run", deaf)
    with pytest.raises(AssertionError, match="goes on although it was stopped"):
        check_attack(NEAREST)
