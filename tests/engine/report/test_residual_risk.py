"""The residual risk in one sentence: its figures are the verdict's, and what was not measured is said not to be."""

from __future__ import annotations

import re
from typing import Any

import pytest
from report_cases import judged_candidate, reasons_for_each_cause, with_verdict

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.certificate import render_certificate
from ppdm_desktop.engine.report.figures_and_limits import figure_title, residual_risk
from ppdm_desktop.engine.report.html import render_report
from ppdm_desktop.engine.report.model import CheckEntry, Report, Sentence
from ppdm_desktop.engine.wording.catalogue import speak_language
from ppdm_desktop.engine.wording.texts import PlainTitle, render_title
from ppdm_desktop.engine.wording.values import Names, Share, as_data


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> Report:
    return judged_candidate(tmp_path_factory.mktemp("residual")).report


def given(
    report: Report, *, certain: dict[str, Any] | None, found: dict[str, Any] | None, everything: Any = None, **more: Any
) -> Report:
    """The report with these figures of the two checks; None was not measured."""

    def changed(check: CheckEntry) -> CheckEntry:
        if not check.residual:
            return check
        update = {"certain": certain, "everything": everything, "found": found}[check.residual]
        return check.model_copy(update=update or {"figure": None, "status": "not-run", "hits": None, "of": None})

    return with_verdict(report, checks=[changed(each) for each in report.verdict.checks], **more)


def certain(hits: int, of: int) -> dict[str, Any]:
    return {"figure": Figure(hits, n=of, unit="records"), "hits": hits, "of": of, "status": "amber"}


def found(value: float, high: float | None, hits: int, of: int, status: str = "green") -> dict[str, Any]:
    figure = Figure(value, None if high is None else 0.0, high, of, "share")
    return {"figure": figure, "hits": hits, "of": of, "status": status}


FEW = ("others may know: 4 of 16 people. ", "may know: at most 6 of 16 people.")
MANY = (
    "Revealed for certain by what others may know: 0% of the people. ",
    "know: at most 12% of the people. Basis of these percentages: 8,000 counted, 2,000 looked for.",
)
COMMON = Sentence(
    id="gate.certain-disclosure.green-common",
    arguments={"share": as_data(Share(88, 900)), "common": as_data(Names(("C",)))},
)


@pytest.mark.parametrize(
    ("one", "other", "words"),
    [
        (certain(4, 16), found(6 / 16, None, 6, 16), FEW),
        (certain(0, 8000), found(0.09, 0.12, 180, 2000), MANY),
        (certain(800, 8000), found(0.5, None, 11, 16, "not-applicable"), ("10% of the people", "11 of 16 people on")),
        (
            certain(0, 16),
            found(0.5, None, 11, 16, "not-applicable"),
            ("know: 0 of 16 people.", "on average."),
        ),
        (
            certain(4, 16),
            None,
            ("Revealed for certain by what others may know: 4 of 16 people.", "How many are found"),
        ),
        (certain(0, 16), None, ("know: 0 of 16 people.", "not measured.")),
        (
            None,
            found(0.09, 0.12, 180, 2000),
            ("know: at most 12% of the people. Basis of these percentages: 2,000 looked for.",),
        ),
        (None, None, ("was not measured, because",)),
        (
            {**certain(88, 900), "sentence": COMMON},
            None,
            ("only the value of “C” that nine in ten people hold is certain, of 10% of the people",),
        ),
    ],
)
def test_the_sentence_holds_the_figures_of_the_verdict(
    report: Report, one: dict[str, Any] | None, other: dict[str, Any] | None, words: tuple[str, ...]
) -> None:
    changed = given(report, certain=one, found=other, people_known_by="confirmed")
    said = residual_risk(changed.verdict)
    for each in words:
        assert each in said
    record = re.sub("&#39;", "'", render_certificate(changed).decode())
    assert said in record
    assert ("“C”: 88 of 900 (10%)" in record) == ("nine in ten" in said)
    assert said in re.sub("&#39;", "'", render_report(changed).decode())
    with speak_language("de"):
        german = residual_risk(changed.verdict)
    figures = re.compile(r"\d+")
    assert sorted(figures.findall(german)) == sorted(figures.findall(said))


def test_each_half_is_the_figure_of_one_check(report: Report) -> None:
    parts = [each.residual for each in report.verdict.checks if each.residual]
    assert sorted(parts) == ["certain", "everything", "found"]
    assert "residual" not in report.model_dump(mode="json")["verdict"]["checks"][0]


ALSO = "Also explained by a written reason: "


@pytest.mark.parametrize(
    ("field", "wanted", "unique", "part"),
    [
        # The holders of one value are others than the people who are counted.
        ("residual", "everything", 0, f"{ALSO}{{title}}: 77 of 93."),
        ("id", "rare-values", 0, f"{ALSO}People with something rare: 77 of 93."),
        # The same name never stands over two numbers.
        ("counts_singled", True, 3, f"{ALSO}Picked out by all columns but one confidential one: 77 of 93."),
        # What is said already is not repeated.
        ("counts_singled", True, 0, "Picked out by all columns but one confidential one: 77 of 93 people."),
        ("residual", "certain", 0, "Revealed for certain by what others may know: 77 of 93 people."),
    ],
)
def test_each_figure_with_a_written_reason_is_in_the_sentence(
    report: Report, field: str, wanted: object, unique: int, part: str
) -> None:
    reasoned = {**found(77 / 93, None, 77, 93, "amber"), "limit": 0.0}
    if field == "counts_singled":
        values = {"figure": PlainTitle("figure.singling-out-one"), "share": Share(77, 93), "columns": Names(("C",))}
        arguments = {key: as_data(value) for key, value in values.items()}
        reasoned["sentence"] = Sentence(id="gate.singling-out.amber-one", arguments=arguments)
    counted = {"certain": certain(100, 800)}
    checks = [
        check.model_copy(update=reasoned if getattr(check, field) == wanted else counted.get(check.residual, {}))
        for check in report.verdict.checks
    ]
    chosen = next(check for check in checks if check.hits == 77)
    decision = report.verdict.decision.model_copy(update={"reasons": reasons_for_each_cause([chosen], "because")})
    assert report.verdict.singled is not None
    singled = report.verdict.singled.model_copy(update={"people": 93, "by_all_but_secret": unique})
    changed = with_verdict(report, checks=checks, decision=decision, singled=singled, people_known_by="confirmed")
    said = residual_risk(changed.verdict)
    assert part.format(title=figure_title(chosen)) in said
    assert said.count("77 of 93") == 1
    # A figure that was not judged has no reason and no limit.
    line = render_title(chosen.figure_title) + r"</th>(<td>[^<]*</td>)*<td class=\"status \">No limit applies"
    assert bool(re.search(line, render_report(changed).decode())) == (field == "counts_singled")
