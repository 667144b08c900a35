"""From verdicts and reasons to a decision."""

import re
from dataclasses import replace
from typing import Any

import pytest
from cases import case_rows
from verdict_cases import text_of

from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import AcceptedCheck, AcceptSection
from ppdm_desktop.engine.release.gate.base import all_checks, find_check, named_columns
from ppdm_desktop.engine.release.gate.decision import Decision, check_accepts, decide, fault_of, round_judged_figure
from ppdm_desktop.engine.release.gate.results import CAUSES, CheckResult
from ppdm_desktop.engine.wording.texts import Note, all_texts, explain
from ppdm_desktop.engine.wording.values import Name, Names, Term

INPUT, OTHER, AT = "a" * 64, "b" * 64, "2026-01-02T03:04:05Z"

TYPE = "research"

REASON = "The recipients have signed that they look up nobody"


def results(**statuses: str) -> list[CheckResult]:
    checks = [(find_check(id.replace("_", "-")), status) for id, status in statuses.items()]
    return [check.verdict(text_of(check.id, status), Figure(3, unit="records"), 0) for check, status in checks]


def bound_to(*checks: str, **more: Any) -> dict[str, AcceptSection]:
    """A reason given for 3 records where 0 are allowed in each check, in a release for research, of this input."""
    names = checks or ("certain-disclosure",)
    of_check = {
        "figure": 3,
        "limit": 0,
        **{key: more.pop(key) for key in ("figure", "limit", "columns") if key in more},
    }
    given: dict[str, Any] = {"reason": REASON, "input": INPUT, "type": TYPE, **more}
    accepted = {name: AcceptedCheck(**{"figure": 3, "limit": 0, **of_check}) for name in names}
    return {cause_of(names[0]): AcceptSection(checks=accepted, **given)}


def cause_of(check: str) -> str:
    return find_check(check).cause.id


def decided(found: list[CheckResult], accepts: dict[str, AcceptSection], *confirmed: str) -> Decision:
    return decide(found, accepts, INPUT, AT, type=TYPE, confirmed=confirmed)


def test_all_green_is_released() -> None:
    found = decided(results(class_size="green", row_order="not-applicable"), {})
    assert found.released
    assert found.blocked_by == found.accepted == ()


@pytest.mark.parametrize("status", ["amber", "not-run"])
def test_amber_needs_a_reason(status: str) -> None:
    assert decided(results(certain_disclosure=status), {}).blocked_by == ("certain-disclosure",)
    found = decided(results(certain_disclosure=status), bound_to())
    assert found.released
    recorded = found.reasons["what-is-learnt"]
    assert (recorded.input, recorded.at, recorded.type) == (INPUT, AT, TYPE)
    assert recorded.checks == {"certain-disclosure": AcceptedCheck(figure=3, limit=0)}


@pytest.mark.parametrize(("rule", "changed"), case_rows("decision-a-reason-lapses-when-anything-it-belongs-to-is"))
def test_a_reason_lapses_when_anything_it_belongs_to_is_another(rule: str, changed: dict[str, Any]) -> None:
    accepts = bound_to(**changed)
    found = decided(results(certain_disclosure="amber"), accepts)
    assert found.blocked_by == ("certain-disclosure",)
    assert [note.id for note in found.notes] == [f"warning.accept.{rule}"]
    # Confirmed, it belongs to what is found now.
    again = decided(results(certain_disclosure="amber"), accepts, "what-is-learnt")
    assert again.released
    assert again.reasons == bound_to(at=AT)


@pytest.mark.parametrize(("was", "counts"), [(0.123, True), (0.124, True), (1, True), (0.1224, False), (0.122, False)])
def test_a_share_is_compared_as_it_is_printed(was: float, counts: bool) -> None:
    check = find_check("rare-secret")
    found = [check.verdict(text_of(check.id, "amber"), Figure(0.12349, unit="share"), 0.8)]
    assert decided(found, bound_to("rare-secret", figure=was, limit=0.8)).released is counts
    confirmed = decided(found, bound_to("rare-secret"), "what-is-learnt")
    assert confirmed.reasons["what-is-learnt"].checks["rare-secret"].figure == 0.123


def test_of_an_interval_the_end_that_is_judged_counts() -> None:
    figure = Figure(0.01, low=-0.1, high=0.2, unit="share")
    found = [find_check("inference").verdict(text_of("inference", "amber"), figure, 0.05)]
    assert round_judged_figure(found[0].figure) == 0.2
    assert not decided(found, bound_to("inference", figure=0.19, limit=0.05)).released
    left = Figure(0.8, low=0.7, high=0.95, unit="ratio")
    assert round_judged_figure(left) == 0.8


def test_where_the_least_is_wanted_less_is_worse() -> None:
    found = [find_check("class-size").verdict(text_of("class-size", "amber"), Figure(3, unit="records"), 5)]
    assert decided(found, bound_to("class-size", limit=5, figure=2)).released
    assert decided(found, bound_to("class-size", limit=5, figure=3)).released
    assert not decided(found, bound_to("class-size", limit=5, figure=4)).released


def test_a_bound_that_its_owner_wrote_stays_what_it_is() -> None:
    found = decided(results(certain_disclosure="amber"), bound_to(figure=10))
    assert found.reasons["what-is-learnt"].checks["certain-disclosure"].figure == 10


def test_the_columns_that_a_sentence_names_belong_to_its_reason() -> None:
    check = find_check("certain-disclosure")
    found = [replace(check.verdict(text_of(check.id, "amber"), Figure(3, unit="records"), 0), columns=("Pay", "Tax"))]
    assert decided(found, bound_to(columns=("Tax", "Pay"))).released
    less = decided(found, bound_to(columns=("Pay",)))
    assert [(note.id, note.arguments["was"], note.arguments["now"]) for note in less.notes] == [
        ("warning.accept.other-finding", Names(("Pay",)), Names(("Pay", "Tax")))
    ]
    assert less.blocked_by == ("certain-disclosure",)
    # Given for more columns, it holds for fewer.
    assert decided(found, bound_to(columns=("Pay", "Tax", "Age"))).released
    confirmed = decided(found, bound_to(), "what-is-learnt").reasons["what-is-learnt"]
    assert confirmed.checks["certain-disclosure"].columns == ("Pay", "Tax")


def test_a_check_says_which_columns_it_names() -> None:
    note = Note(
        "x",
        {
            "column": Term('"Pay"'),
            "more": Note("y", {"columns": Names(("Age", "Town hall"))}),
            "n": 3,
            "who": Name("Sex"),
        },
    )
    names = ("Town", "Age", "Pay", "Town hall", "Sex", "n")
    assert named_columns(note, names) == ("Age", "Pay", "Town hall", "Sex")


def test_red_cannot_be_accepted() -> None:
    for confirmed in ((), ("who-is-found",)):
        found = decided(results(class_size="red"), bound_to("class-size"), *confirmed)
        assert found.blocked_by == ("class-size",)
        assert found.accepted == ()
        assert found.notes[0].id == "warning.accept.red"


def test_accepting_what_is_green_is_a_note() -> None:
    found = decided(results(class_size="green", linkage="not-applicable"), bound_to("linkage"))
    assert found.released
    assert [note.id for note in found.notes] == ["warning.accept.not-needed"]
    assert all(note.id in all_texts() for note in found.notes)


def test_a_reason_that_is_not_bound_may_be_anything_until_it_is_confirmed() -> None:
    unbound = {"who-is-found": AcceptSection(reason="ok"), "what-is-learnt": AcceptSection(reason="ok")}
    check_accepts(unbound)
    assert decided(results(class_size="amber"), unbound).blocked_by == ("class-size",)
    with pytest.raises(RecipeError):
        decided(results(class_size="amber"), unbound, "who-is-found")


# --- one reason for each cause ----------------------------------------------------------------

TWO = {"class_size": "amber", "linkage": "not-run"}


def test_one_reason_answers_every_check_of_its_cause_and_no_other() -> None:
    found = decided(results(**TWO, rare_secret="amber"), bound_to("class-size", "linkage"), "who-is-found")
    assert found.accepted == ("class-size", "linkage")
    assert found.blocked_by == ("rare-secret",)
    assert set(found.reasons["who-is-found"].checks) == {"class-size", "linkage"}


@pytest.mark.parametrize(
    ("accepts", "note"),
    [
        (bound_to("class-size"), "warning.accept.other-check"),
        (bound_to("class-size", "linkage", limit=9), "warning.accept.other-finding"),
    ],
)
def test_a_reason_lapses_for_its_whole_cause(accepts: dict[str, AcceptSection], note: str) -> None:
    found = decided(results(**TWO), accepts)
    assert found.blocked_by == ("class-size", "linkage")
    assert {each.id for each in found.notes} == {note}
    # A check that needs no reason any more takes none from the others.
    assert decided(results(class_size="amber", linkage="green"), bound_to("class-size", "linkage")).released


def test_a_promise_to_a_person_is_named_first_in_its_cause() -> None:
    first = {check.cause.id: check.id for check in reversed(all_checks().values())}
    assert first[find_check("levels-met").cause.id] == "levels-met"
    assert set(first) == set(CAUSES)


def test_a_check_in_the_place_of_a_cause_is_refused_and_its_cause_named() -> None:
    with pytest.raises(RecipeError) as raised:
        check_accepts({"class-size": AcceptSection(reason=REASON)})
    assert raised.value.id == "error.accept.is-check"
    assert "--accept who-is-found=REASON" in explain(raised.value)


FAULTS = (
    ("letters", "We know it all well"),
    ("words", "Recipients contractually bound elsewhere"),
    ("says-nothing", "Anna Hannah Anna nannah aha hahaha anna"),
    ("says-nothing", "Aaaaa reason for people who publish weekly"),
    ("says-nothing", "Recipients of it go by an agreement of us"),
    ("says-nothing", "nobody nobody nobody reads this document"),
    ("says-nothing", "Accepted as agreed, approved by me, because I say so"),
    ("like-another", f"{REASON} ever again"),
)


@pytest.mark.parametrize(("rule", "reason"), FAULTS)
@pytest.mark.parametrize("given", ["bound", "confirmed"])
def test_what_is_no_reason_is_refused_by_the_rule_it_breaks(rule: str, reason: str, given: str) -> None:
    others = bound_to("rare-secret") if rule == "like-another" else {}
    more = {} if given == "bound" else {"type": None}
    accepts = {**others, **bound_to("class-size", reason=reason, **more)}
    with pytest.raises(RecipeError) as raised:
        check_accepts(accepts, ["who-is-found"] if given == "confirmed" else [])
    assert raised.value.exit_code == 2
    assert raised.value.id == f"error.accept.{rule}"
    assert {"who-is-found", "what-is-learnt"} & set(re.findall(r"[a-z-]+", explain(raised.value)))


@pytest.mark.parametrize(
    "text",
    [
        REASON,
        "Ünser Kreis hat unterschrieben, niemanden zu suchen",
        "k = 4 in Delft: four neighbours who all agreed, in writing",
        f"{REASON}, and each paid a deposit",
    ],
)
def test_a_sentence_of_ones_own_is_a_reason(text: str) -> None:
    assert fault_of("who-is-found", text, {"what-is-learnt": REASON} if "deposit" in text else {}) is None


def test_neither_the_checks_own_words_nor_empty_ones_are_a_reason() -> None:
    echo = "Nobody has confirmed that each row is a different person."
    assert fault_of("reading-and-roles", echo, {}).id == "error.accept.says-nothing"  # type: ignore[union-attr]
    assert fault_of("who-is-found", echo, {}) is None
    german = "Wurde geprüft, passt so, wie vereinbart, bitte freigeben"
    assert fault_of("who-is-found", german, {}).id == "error.accept.says-nothing"  # type: ignore[union-attr]


def test_unknown_causes_are_refused() -> None:
    for id in ("no-such-cause", "who-is-fond"):
        with pytest.raises(RecipeError) as raised:
            check_accepts({id: AcceptSection(reason=REASON)})
        assert raised.value.exit_code == 2
        assert explain(raised.value)
