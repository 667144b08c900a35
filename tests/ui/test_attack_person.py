"""A person with several rows attacked on Compare: all their rows, what one of them finds and what all of them do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audit_support import to_audit
from ui_support import FakeDialogs, Person, decide_roles

from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedPerson, AttackedRecord, FoundTogether
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.ui.pages.compare.audit.record_words import person_words
from tests.golden.people import visits_csv

ROLES = {
    "identifier": ("person_nbr",),
    "quasi-identifier": ("region", "sex", "age"),
    "confidential": ("outcome",),
    "left-out": ("visit_id", "unit", "days"),
}


def at_audit(window: Any, dialogs: FakeDialogs, folder: Path, *, coded: bool) -> Person:
    """Compare, with stays of 150 patients who keep all their rows; with codes, these can be put together."""
    person = Person(window, dialogs)
    source = folder / "stays.csv"
    source.write_text(visits_csv(people=150), "utf-8")
    window.open_path(source)
    person.settle()
    person.click("answer_person_1")
    decide_roles(person.session, ROLES)
    release = person.session.decisions.recipe.release.model_copy(update={"type": "internal"})
    person.session.decide_recipe("who", release=release)
    for step in ("columns", "levels", "risk", "protect"):
        window.go_to(step)
        person.settle()
    if coded:
        person.session.add_step(StepSection(method="pseudonymise"))
    if person.sees("button_build_own"):
        person.click("button_build_own")
    person.click("button_add_to_queue")
    window.go_to("compare")
    person.settle()
    to_audit(person)
    return person


# --- the sentences ------------------------------------------------------------------------


def row(number: int, own: int, tied: int, people: int, removed: bool = False) -> AttackedRecord:
    return AttackedRecord(number, removed, (), (), tied, own, people, 1, own / tied, own / tied, None, (), (), ())


class _Known:
    columns = ("age",)


@pytest.mark.parametrize(
    ("rows", "linked", "together", "kind"),
    [
        ((row(2, 1, 1, 1), row(3, 1, 4, 3)), True, FoundTogether(2, 1, True, ()), "amber"),
        ((row(2, 0, 2, 2), row(3, 1, 4, 3)), True, FoundTogether(2, 5, True, ()), "note"),
        ((row(2, 1, 4, 3), row(3, 1, 8, 7)), True, FoundTogether(2, 1, True, ()), "amber"),
        ((row(2, 0, 2, 2), row(3, 0, 4, 3)), False, FoundTogether(2, 1, True, ()), "passed"),
        ((row(2, 0, 2, 2), row(3, 0, 4, 3)), True, FoundTogether(2, 0, False, ()), "passed"),
        ((row(2, 0, 2, 2), row(3, 0, 4, 3, True)), True, FoundTogether(1, 4, False, ()), "passed"),
        ((row(2, 0, 2, 2, True), row(3, 0, 4, 3, True)), True, None, "passed"),
    ],
)
def test_a_person_is_found_by_one_row_or_by_all(
    qapp: Any, rows: Any, linked: bool, together: FoundTogether | None, kind: str
) -> None:
    attack: RecordAttack = _Known()  # type: ignore[assignment]  # only its columns are asked for
    assert person_words(attack, AttackedPerson(rows, linked, together))[0] == kind
