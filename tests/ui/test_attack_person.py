"""A person with several rows attacked on Compare: all their rows, what one of them finds and what all of them do."""

from __future__ import annotations

from typing import Any

import pytest

from ppdm_desktop.engine.release.attack_audit.attack_person import AttackedPerson, AttackedRecord, PersonMatches
from ppdm_desktop.engine.release.attack_audit.prepared_attack import RecordAttack
from ppdm_desktop.ui.pages.compare.audit.record_texts import describe_person

# --- the sentences ------------------------------------------------------------------------


def row(number: int, own: int, tied: int, people: int, removed: bool = False) -> AttackedRecord:
    return AttackedRecord(number, removed, (), (), tied, own, people, 1, own / tied, own / tied, None, (), (), ())


class _Known:
    columns = ("age",)


@pytest.mark.parametrize(
    ("rows", "linked", "together", "kind"),
    [
        ((row(2, 1, 1, 1), row(3, 1, 4, 3)), True, PersonMatches(2, 1, True, ()), "amber"),
        ((row(2, 0, 2, 2), row(3, 1, 4, 3)), True, PersonMatches(2, 5, True, ()), "note"),
        ((row(2, 1, 4, 3), row(3, 1, 8, 7)), True, PersonMatches(2, 1, True, ()), "amber"),
        ((row(2, 0, 2, 2), row(3, 0, 4, 3)), False, PersonMatches(2, 1, True, ()), "passed"),
        ((row(2, 0, 2, 2), row(3, 0, 4, 3)), True, PersonMatches(2, 0, False, ()), "passed"),
        ((row(2, 0, 2, 2), row(3, 0, 4, 3, True)), True, PersonMatches(1, 4, False, ()), "passed"),
        ((row(2, 0, 2, 2, True), row(3, 0, 4, 3, True)), True, None, "passed"),
    ],
)
def test_a_person_is_found_by_one_row_or_by_all(
    qapp: Any, rows: Any, linked: bool, together: PersonMatches | None, kind: str
) -> None:
    attack: RecordAttack = _Known()  # type: ignore[assignment]  # only its columns are asked for
    assert describe_person(attack, AttackedPerson(rows, linked, together))[0] == kind
