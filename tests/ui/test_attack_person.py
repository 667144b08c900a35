"""A person with several rows attacked on Compare: all their rows, what one of them finds and what all of them do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from audit_support import attacked, dialog_of, rows_of, to_audit
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from ui_support import FakeDialogs, Person, decide_roles, find

from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.attack_audit.attack_person import attack_person
from ppdm_desktop.engine.release.attack_audit.attacked_person import AttackedPerson, AttackedRecord, FoundTogether
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack, prepare_attack
from ppdm_desktop.ui.pages.compare.audit.record_words import person_words
from ppdm_desktop.ui.state.number_words import count
from tests.golden.people import visits, visits_csv

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


def with_most_rows() -> tuple[list[int], int]:
    """Row numbers of the patient who has most stays, and how many patients there are."""
    whose = [row[1] for row in visits(people=150)]
    most = max(set(whose), key=whose.count)
    return [place + 2 for place, each in enumerate(whose) if each == most], len(set(whose))


@pytest.mark.thorough
@pytest.mark.parametrize("coded", [True, False])
def test_all_rows_of_a_person_are_attacked(window: Any, dialogs: FakeDialogs, tmp_path: Path, coded: bool) -> None:
    person = at_audit(window, dialogs, tmp_path, coded=coded)
    numbers, people = with_most_rows()
    assert len(numbers) > 2
    candidate = person.session.candidates[0].candidate
    engine = attack_person(prepare_attack(candidate, silent()), numbers[1], silent())
    assert engine.linked == coded
    assert engine.together is not None
    dialog = dialog_of(person)
    # Everybody stands once in the list, with the number of their rows.
    assert dialog.picker.said.text() == f"{people} people, unique people first."
    listed = {row[0]: row[2] for row in dialog.picker.model.rows}
    assert [listed[count(number)] for number in numbers if count(number) in listed] == [str(len(numbers))]
    attacked(person, dialog, numbers[1])
    lines = rows_of(dialog, "table_person_rows")
    assert [line[0] for line in lines] == [count(number) for number in numbers]
    assert [line[1].startswith("✓") for line in lines] == [bool(each.own_tied) for each in engine.records]
    assert [line[2] for line in lines] == [count(each.tied_people) for each in engine.records]
    said = find(dialog, "strip_attacked_person").text.text()
    assert ("could be linked" in said) == (not coded)
    fit = engine.together.fit
    secrets = find(dialog, "label_person_secrets").text()
    assert secrets.endswith(f"“outcome” {engine.together.shown[0][1]} of {fit}.")
    # The line that is chosen is what stands below.
    table = find(dialog, "table_person_rows")
    for place, number in ((0, numbers[0]), (2, numbers[2])):
        table.select_row(place)
        person.settle()
        assert f"Row {count(number)}:" in find(dialog, "card_nearest").title.text()
        assert [row[0] for row in rows_of(dialog, "table_nearest")] == [
            count(each.row) for each in engine.records[place].nearest
        ]
    table.setFocus()
    QTest.keyClick(table, Qt.Key.Key_Up)
    person.settle()
    assert f"Row {count(numbers[1])}:" in find(dialog, "card_nearest").title.text()
    dialog.close()


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
