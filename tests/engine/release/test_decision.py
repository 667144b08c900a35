"""From verdicts and reasons to a decision."""

from typing import Any

import pytest

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.release.gate import CheckResult, decide, find_check
from ppdm_desktop.engine.release.gate.decision import RETIRED, check_accepts
from ppdm_desktop.engine.texts import all_texts, explain

INPUT, OTHER, AT = "a" * 64, "b" * 64, "2026-01-02T03:04:05Z"
REASON = "invented data for teaching"


def results(**statuses: str) -> list[CheckResult]:
    checks = [(find_check(id.replace("_", "-")), status) for id, status in statuses.items()]
    return [check.verdict(status, Figure(3, unit="records"), 0) for check, status in checks]


def reason(**more: str) -> AcceptSection:
    return AcceptSection(**{"reason": REASON, **more})


def test_all_green_is_released() -> None:
    found = decide(results(class_size="green", row_order="not-applicable"), {}, INPUT, AT)
    assert found.released
    assert found.blocked_by == found.accepted == ()


@pytest.mark.parametrize("status", ["amber", "not-run"])
def test_amber_needs_a_reason(status: str) -> None:
    assert decide(results(class_size=status), {}, INPUT, AT).blocked_by == ("class-size",)
    found = decide(results(class_size=status), {"class-size": reason()}, INPUT, AT)
    assert found.released
    recorded = found.reasons["class-size"]
    assert (recorded.input, recorded.at, recorded.figure) == (INPUT, AT, 3)


def test_a_reason_for_another_input_does_not_count() -> None:
    found = decide(results(class_size="amber"), {"class-size": reason(input=OTHER)}, INPUT, AT)
    assert found.blocked_by == ("class-size",)
    assert [note.id for note in found.notes] == ["warning.accept.other-input"]
    assert decide(results(class_size="amber"), {"class-size": reason(input=INPUT)}, INPUT, AT).released


def test_red_cannot_be_accepted() -> None:
    found = decide(results(class_size="red"), {"class-size": reason()}, INPUT, AT)
    assert found.blocked_by == ("class-size",)
    assert found.accepted == ()
    assert found.notes[0].id == "warning.accept.red"


def test_accepting_what_is_green_is_a_note() -> None:
    found = decide(results(class_size="green", linkage="not-applicable"), {"linkage": reason()}, INPUT, AT)
    assert found.released
    assert [note.id for note in found.notes] == ["warning.accept.not-needed"]
    assert all(note.id in all_texts() for note in found.notes)


@pytest.mark.parametrize("id", RETIRED)
def test_a_reason_for_a_check_that_is_gone_is_passed_by(id: str) -> None:
    accepts = {id: reason(reason="ok")}
    check_accepts(accepts)
    found = decide(results(class_size="green"), accepts, INPUT, AT)
    assert found.released
    assert [(note.id, note.arguments) for note in found.notes] == [("warning.accept.retired", {"check": id})]
    assert found.reasons == {}


@pytest.mark.parametrize("bad", [{"no-such-check": reason()}, {"class-size": reason(reason="  too short   ")}])
def test_unknown_checks_and_short_reasons_are_refused(bad: dict[str, Any]) -> None:
    with pytest.raises(RecipeError) as raised:
        check_accepts(bad)
    assert raised.value.exit_code == 2
    assert explain(raised.value)
