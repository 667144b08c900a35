"""Verdicts put together by hand, for what is shown of them: the checks named have figures, all others do not apply."""

from __future__ import annotations

from string import Formatter
from typing import Any

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.evaluate.scorecard import RISKS
from ppdm_desktop.engine.release.gate import all_checks
from ppdm_desktop.engine.release.gate.results import VerdictText
from ppdm_desktop.engine.report.model import (
    CheckEntry,
    DecisionEntry,
    DrawsEntry,
    Sentence,
    SingledEntry,
    UsefulnessEntry,
    Verdict,
)
from ppdm_desktop.engine.report.model.base import Status
from ppdm_desktop.engine.wording.texts import all_texts

PEOPLE = 100
RED: Status = "red"
AMBER: Status = "amber"


def text_of(id: str, status: str) -> VerdictText:
    """Return the first text that a check has for a status; its first of all, where it never comes to that."""
    texts = all_checks()[id].texts()
    return next((text for text in texts if text.status == status), VerdictText(status, texts[0].id))


def sentence_of(id: str, status: Status) -> Sentence:
    """Return a check's sentence with 1 for whatever stands in it."""
    declared = text_of(id, status)
    text = all_texts()[declared.id]
    places = [
        place.split(":")[0]
        for words in (text.title, text.sentence, text.remedy)
        for _, place, _, _ in Formatter().parse(words)
        if place
    ]
    return Sentence.of(declared.id, dict.fromkeys(places, 1))


def check_entry(id: str, status: Status = "not-applicable", **more: Any) -> CheckEntry:
    """Return a check's entry; without a figure it says nothing."""
    check = all_checks()[id]
    found: dict[str, Any] = {
        "cause": check.cause.id,
        "figure": None,
        "limit": None,
        "direction": check.direction,
        "hits": None,
        "of": None,
        "sentence": sentence_of(id, status),
        "fix_on": check.fix_on,
        "on_certificate": check.on_certificate,
        "residual": check.residual,
        "figure_title": check.figure_title,
    }
    return CheckEntry(id=id, status=status, **{**found, **more})


def made_verdict(
    match: float | None = 0.1,
    useful: float = 0.9,
    *,
    red: tuple[str, ...] = (),
    amber: tuple[str, ...] = (),
    short: int = 0,
    people: int = PEOPLE,
    **more: Any,
) -> Verdict:
    """Return the verdict on a table of which so many people are found and is so useful."""
    figures: dict[str, dict[str, Any]] = {
        id: {"figure": Figure(0.0, unit="share"), "hits": 0, "of": people} for id in RISKS.values()
    }
    if match is None:
        figures[RISKS["match"]] = {}
    else:
        found = {"figure": Figure(match, unit="share"), "limit": 0.2, "hits": round(match * people), "of": people}
        figures[RISKS["match"]] = found
    figures["levels-met"] = {"figure": Figure(short, unit="records"), "limit": 0, "hits": short, "of": people}
    status: dict[str, Status] = {**dict.fromkeys(red, RED), **dict.fromkeys(amber, AMBER)}
    checks = [
        check_entry(id, status.get(id, "green" if figures.get(id) else "not-applicable"), **figures.get(id, {}))
        for id in all_checks()
    ]
    share = Figure(1.0, unit="share")
    given: dict[str, Any] = {
        "subject": "candidate",
        "input_sha256": "i",
        "recipe_sha256": "r",
        "data_sha256": "d",
        "type": "research",
        "k_min": 5,
        "people": people,
        "rows": people,
        "rows_released": people,
        "people_known_by": "confirmed",
        "certain_by_others": 0,
        "certain_by_all": 0,
        "beliefs": [],
        "singled": SingledEntry(
            people=people, by_others=0, by_all_but_secret=0, by_all_but_one=0, by_all=0, columns=[], sets=[]
        ),
        "near": [],
        "depends": [],
        "classes": None,
        "attacks": [],
        "levels": [],
        "checks": checks,
        "usefulness": UsefulnessEntry(
            columns=share,
            pairs=share,
            believable=share,
            useful=Figure(useful, unit="share"),
            lost=None,
            learners={},
            analyses=share,
        ),
        "draws": DrawsEntry(number=1, tried=1, since=None, better_than_earlier=[], key="os"),
        "decision": DecisionEntry(
            status="blocked" if red or amber else "released",
            released=False,
            blocked_by=[*red, *amber],
            accepted=[],
        ),
    }
    return Verdict(**{**given, **more})
