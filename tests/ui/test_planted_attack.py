"""One class and its sentences are all that a new attack takes: the audit makes it, the gate hears it; its battery."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from gate_cases import make_candidate

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.attack_audit.base import (
    Attack,
    AttackEvidence,
    all_attacks,
    audit,
    forget,
    list_attacks_not_made,
    make_empty_tail,
    register,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard
from ppdm_desktop.engine.report.model import AttackEntry, Sentence
from ppdm_desktop.engine.wording import texts
from ppdm_desktop.engine.wording.catalogue import untranslated
from ppdm_desktop.engine.wording.texts import TextEntry
from ppdm_desktop.testing import check_attack

ID, TITLE, SENTENCE = "first-row", "Looking at the first row", "The first row is the right one for 90 of 100 people."
# Everybody's C is certain to whoever knows Q, so that nothing makes up for being found.
COLUMNS = {"Q": ["a"] * 20 + ["b"] * 20, "C": ["x"] * 20 + ["y"] * 20}
ROLES = {"Q": {"role": "q", "kind": "nominal"}, "C": {"role": "c", "kind": "nominal"}}
TEXTS = {
    f"attack.{ID}.serious": TextEntry(TITLE, SENTENCE, "Leave the first row out."),
    f"attack.{ID}.total": TextEntry(TITLE, SENTENCE, "Leave the first row out."),
    f"attack.{ID}.none": TextEntry(TITLE, "The first row is nobody's.", ""),
    f"attack.{ID}.term": TextEntry("", "first row.", ""),
    f"attack.{ID}.source": TextEntry("", "A test.", ""),
    f"attack.{ID}.knows": TextEntry("", "The intruder knows that there is a first row.", ""),
    f"attack.name.{ID}": TextEntry("looking at the first row", "", ""),
    "attack.further.rows-read": TextEntry("Rows the intruder reads", "Rows that are read", ""),
}


class FirstRow(Attack):
    """Takes the first row for everybody's."""

    id = ID
    title = f"attack.name.{ID}"
    order = 25
    kind = "finding"
    term = f"attack.{ID}.term"
    source = f"attack.{ID}.source"
    knows = f"attack.{ID}.knows"
    judged_by = "linkage"
    unit = "share"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": f"attack.{ID}.none",
        "serious": f"attack.{ID}.serious",
        "total": f"attack.{ID}.total",
    }
    further: ClassVar[Mapping[str, str]] = {"rows_read": "attack.further.rows-read"}
    always = True
    undoes = True
    on_foreign = True

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Find nine of ten where people stand in the file as they are; among strangers one of forty, as by chance."""
        progress.check()
        made = evidence.candidate
        own = np.searchsorted(made.prepared.table.row_numbers, made.final.row_numbers)
        shown = [column.values() for column in made.final.columns]
        truth = [made.prepared.table.column(column.name).take(own).values() for column in made.final.columns]
        is_true = shown == truth
        low, value, high = (0.85, 0.9, 0.95) if is_true else (0.0, 0.025, 0.05)
        success = Figure(value, low, high, n=40, unit="share", method=untranslated("the first row"))
        # Where everybody differs, the first row is nobody else's.
        alone = len(set(zip(*truth, strict=True))) == made.final.rows
        severity: Severity = "none" if not is_true else "total" if alone else "serious"
        return (
            AttackEntry(
                id=self.id,
                column=None,
                knows=Sentence.of(self.knows),
                success=success,
                control=Figure.absent(untranslated("nothing to learn"), unit="share"),
                chance=Figure(0.025, unit="share"),
                advantage=Figure(value - 0.025, unit="share"),
                tail=make_empty_tail(),
                tolerance=None,
                sampled=evidence.candidate.final.rows,
                severity=severity,
                sentence=Sentence.of(f"attack.{ID}.{severity}"),
                levels=[],
                further={"rows_read": Figure(1, unit="rows")},
            ),
        )


@pytest.fixture(autouse=True)
def planted(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Register the attack with its sentences, and take it out again."""
    for id, text in TEXTS.items():
        monkeypatch.setitem(texts._added, id, text)
    all_attacks()
    register(FirstRow)
    yield
    forget(ID)


def candidate_of(folder: Path) -> Candidate:
    return make_candidate(folder, COLUMNS, ROLES)


def test_it_passes_the_battery() -> None:
    # The people as they are, with a key of the system's and with one made from a number.
    assert check_attack(FirstRow) == 2


@pytest.mark.parametrize(
    ("name", "value", "words"),
    [
        ("judged_by", "no-check", "one of them is no check"),
        ("sentences", {"serious": f"attack.{ID}.serious", "some": "no text"}, "does not say what some is"),
        ("sentences", {"none": f"attack.{ID}.none"}, "which it does not declare"),
        ("further", {}, "does not say what it is called"),
        ("kind", "gazing", "of no kind"),
        ("unit", "stars", "in no unit"),
        ("order", 20, "the place of another attack"),
        ("judged_by", "class-size", "is not heard by class-size"),
        ("applies", lambda self, candidate: "attack.why-not.nobody", "finds 1, and says"),
        ("applies", lambda self, candidate: "no text", "is no text of why"),
    ],
)
def test_the_battery_finds_what_is_wrong(monkeypatch: pytest.MonkeyPatch, name: str, value: Any, words: str) -> None:
    monkeypatch.setattr(FirstRow, name, value)
    with pytest.raises(AssertionError, match=words):
        check_attack(FirstRow)


def test_the_battery_finds_an_attack_that_changes_what_it_attacks(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = FirstRow.run

    def changing(self: FirstRow, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        codes = evidence.candidate.final.columns[0].codes
        codes.flags.writeable = True
        codes[0] = (codes[0] + 1) % 2
        return honest(self, evidence)

    monkeypatch.setattr(FirstRow, "run", changing)
    with pytest.raises(AssertionError, match="changes what it attacks"):
        check_attack(FirstRow)


def test_the_battery_finds_an_attack_that_does_not_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    honest = FirstRow.run

    def deaf(self: FirstRow, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        try:
            progress.check()
        except Exception:
            return ()
        return progress.make_silent_progress().run(honest, self, evidence)

    monkeypatch.setattr(FirstRow, "run", deaf)
    with pytest.raises(AssertionError, match="goes on although it was stopped"):
        check_attack(FirstRow)


def test_the_audit_makes_it_in_its_place_and_the_gate_hears_it(tmp_path: Path) -> None:
    candidate = candidate_of(tmp_path)
    entries = audit(candidate)
    made = [each.id for each in entries]
    assert made.index("singling-out") < made.index(ID) < made.index("inference")
    assert ID in list_attacks_not_made(candidate, ())
    assert list_attacks_not_made(candidate, entries) == ()
    judged = evaluate(candidate)
    check = next(each for each in judged.checks if each.id == FirstRow.judged_by)
    assert check.status == "red"
    assert check.figure is not None
    assert check.figure.value == 0.9
    # What candidates are compared by is what the check found.
    scorecard = Scorecard(judged.report.verdict)
    assert scorecard.upper("match") == 0.95
    assert scorecard.outcome == "blocked"
