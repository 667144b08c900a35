"""What the report and the note print as a setting is what the run used, whoever decided it."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from gate_cases import make_candidate

from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.progress import silent
from ppdm_desktop.engine.release.candidate.iso20889 import column_notes, protected_by
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.public_settings import public_settings
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.measures.utility import measure, public_note
from ppdm_desktop.engine.report.html import render_note, render_report
from ppdm_desktop.engine.report.model import Report
from ppdm_desktop.engine.wording.catalogue import speaking

ROWS = 120
PEOPLE = {
    "Id": [f"p{n}" for n in range(ROWS)],
    "Area": [f"a{n % 3}" for n in range(ROWS)],
    "Age": [str(20 + (n * 13) % 50 if n % 5 == 0 else 30) for n in range(ROWS)],
    "Pay": [str(1000 + (n * 37) % 89) for n in range(ROWS)],
    "Illness": [("flu", "cold", "gout")[(n * n) % 7 % 3] for n in range(ROWS)],
    "Wish": ["cautious" if n % 4 == 0 else "" for n in range(ROWS)],
}
ROLES: dict[str, Any] = {
    "Id": "i",
    "Area": "q",
    "Age": {"role": "q", "kind": "numeric"},
    "Pay": {"role": "c", "kind": "numeric", "bounds": [0, 5000]},
    "Illness": "c",
    "Wish": "p",
}
STEPS: dict[str, dict[str, Any]] = {
    "microaggregation": {"columns": ["Pay"]},
    "data-reconstruction": {"parameters": {"generations": 1, "class": "Illness"}},
    "random-swap": {"columns": ["Illness"]},
    "bayes-swap": {"columns": ["Illness"]},
    "two-phase-noise": {"columns": ["Pay"]},
    "suppress": {"parameters": {"most": 1.0}},
    "local-suppression": {"parameters": {"most": 1.0}},
    "additive-noise": {"columns": ["Pay"]},
    "leave-out": {"columns": ["Area"]},
    "bit-plus-plus": {"columns": ["Pay"]},
    "bit-minus-minus": {"columns": ["Pay"]},
}
LEVELS = {"normal": "Basic", "cautious": "Raised"}
every_method = pytest.mark.parametrize("method", sorted(all_methods()))


def made(folder: Path, method: str, parameters: dict[str, Any] | None = None, **privacy: Any) -> Candidate:
    given = STEPS.get(method, {})
    step = {"method": method, **given, "parameters": {**given.get("parameters", {}), **(parameters or {})}}
    left = {"Wish"} if "column" not in privacy else set()
    columns = {name: values for name, values in PEOPLE.items() if name not in left}
    person: dict[str, Any] = {"input": {"person": "Id"}} if method == "pseudonymise" else {}
    roles = {name: ROLES[name] for name in columns}
    return make_candidate(folder, columns, roles, "internal", steps=[step], privacy=privacy, **person)


def printed(report: Report) -> dict[str, str]:
    """Read the settings of the last step from the page: by key, all that stands beside it."""
    page = render_report(report, in_full=True).decode()
    rows = re.findall(r"<code>([a-z_]+)</code></span></th><td>(.*?)</td></tr>", page)
    return {key: html.unescape(re.sub(r"<[^>]+>", "", words)) for key, words in rows}


def as_written(value: float, key: str) -> str:
    return f"{100 * value:g}%" if key == "swap" else f"{value:.4g}"


@pytest.mark.thorough
@every_method
def test_what_is_printed_beside_a_level_is_what_the_level_was_given(method: str, tmp_path: Path) -> None:
    candidate = made(tmp_path, method, column="Wish")
    report = evaluate(candidate, attacks=()).report
    declared, rows = all_methods()[method], printed(report)
    keys = {"group": "group", "swap": "swap", "intervals": "sd"}
    checked = 0
    for parameter in declared.parameters:
        key = keys.get(parameter.level_key or "")
        if key is None or parameter.level_key not in declared.reads_levels[:1]:
            continue
        name = "sd" if key == "sd" else parameter.name
        demanded = {proof.level: proof.demanded for proof in report.verdict.levels if proof.demanded is not None}
        if method == "data-reconstruction":
            demanded = dict.fromkeys(demanded, max(demanded.values()))  # all are copied as often as one asks for
        for level, value in demanded.items():
            checked += 1
            shown = re.escape(as_written(value, key))
            assert re.search(rf"(^|{LEVELS[level]} ){shown}(?![\d.])", rows[name]), (name, rows[name], shown)
    assert checked or declared.reads_levels == () or method == "generalize"


@every_method
def test_a_setting_that_changes_nothing_is_not_printed_as_if_it_did(method: str, tmp_path: Path) -> None:
    candidate = made(tmp_path, method)
    (step,), report = candidate.steps, evaluate(candidate, attacks=()).report
    rows, stated = printed(report), {label for label, _ in public_settings(step)}
    for parameter in step.method.parameters:
        if parameter.name in step.idle:
            assert rows[parameter.name] == "not used with these settings"
            assert parameter.label_for_recipients not in stated


def test_a_written_size_that_a_level_raises_is_printed_beside_what_was_used(tmp_path: Path) -> None:
    candidate = made(tmp_path, "microaggregation", {"group": 4}, column="Wish")
    report = evaluate(candidate, attacks=()).report
    assert printed(report)["group"] == "Basic 4, Raised 10 In the recipe: 4. It comes from the protection levels."
    words = dict(public_settings(candidate.steps[0]))["Smallest group"]
    assert words == "4 to 10, depending on the protection that a person needs"


@pytest.mark.thorough
def test_a_calibrated_search_is_not_said_to_have_used_the_default(tmp_path: Path) -> None:
    candidate = made(tmp_path, "bayes-swap", {"search": "calibrated"})
    (step,) = candidate.steps
    report = evaluate(candidate, attacks=()).report
    assert printed(report)["selection_noise"].endswith("The program chose it.")
    assert dict(public_settings(step))["Randomness of the selection"] == "chosen by the program"


def test_nothing_taken_from_the_values_reaches_the_note(tmp_path: Path) -> None:
    candidate = made(tmp_path, "two-phase-noise", default="cautious")
    (step,) = candidate.steps
    report, stated = evaluate(candidate, attacks=()).report, dict(public_settings(step))
    sd = step.result.detail["columns"]["Pay"]["levels"][0]["sd"]
    assert printed(report)["sd"].startswith(f"{sd:.4g}")
    assert stated["Strength of the noise"] == "from the ratio"
    # Half as much again: the ratio of the variances falls to 1 / 2.25.
    assert stated["Spread of the data compared with the noise"] == "0.4444"


def test_a_column_with_fewer_values_is_said_to_give_fewer(tmp_path: Path) -> None:
    candidate = made(tmp_path, "mondrian", {"k": 5})
    assert "l" not in {each.parameter for each in candidate.steps[0].used}
    one_valued = {**PEOPLE, "Illness": ["flu"] * ROWS}
    del one_valued["Wish"], one_valued["Pay"]
    roles = {name: ROLES[name] for name in one_valued}
    found = make_candidate(tmp_path / "same", one_valued, roles, "internal", steps=[{"method": "mondrian"}])
    report = evaluate(found, attacks=()).report
    assert printed(report)["l"] == "1 The table allows no more."
    assert dict(public_settings(found.steps[0]))["Different confidential values"] == "at most 2"


# --- what a recipient gets ------------------------------------------------------------------


def note_page(candidate: Candidate) -> str:
    note = public_note(candidate, measure(candidate, silent()), data_name="d.csv", data_sha256="0", guarded_cells=0)
    return html.unescape(render_note(note).decode())


def kept_cells(candidate: Candidate, name: str) -> int:
    """Count the cells of a column that show what they did, where rows stay rows."""
    before, after = candidate.prepared.table.column(name), candidate.steps[-1].result.table.column(name)
    return sum(before.texts[one] == after.texts[other] for one, other in zip(before.codes, after.codes, strict=True))


@every_method
def test_each_method_says_what_it_did_to_every_value_or_to_some(method: str, tmp_path: Path) -> None:
    candidate = made(tmp_path, method)
    (step,), notes = candidate.steps, column_notes(candidate)
    said, page = str(step.method.values_note(step.settings)), note_page(candidate)
    columns = protected_by(candidate, 1)
    if not set(columns) & set(candidate.released_names):
        assert str(step.method.title) in page, "of a column that is not there only the step is named"
        return
    assert said in page
    for name in columns:
        assert said in notes[name]
        if said.startswith(("Each value was", "Every digit", "Every value contains")) and name == "Pay":
            # A mean may fall on the value itself; most cells show another.
            assert kept_cells(candidate, name) < ROWS // 2, name
    some = "We do not say" in said
    assert ("We do not say which records were changed" in page) == some
    if some:
        assert all(0 < kept_cells(candidate, name) < ROWS for name in columns)


@pytest.mark.parametrize("language", ["en", "de"])
def test_no_word_of_report_json_stands_on_the_page(language: str, tmp_path: Path) -> None:
    report = evaluate(made(tmp_path, "random-swap", default="paranoid"), attacks=()).report
    with speaking(language):
        page = re.sub(r"<style>.*?</style>", "", render_report(report, in_full=True).decode(), flags=re.DOTALL)
    words = re.sub(r"<[^>]+>", " ", page)
    for id in ("delimited", "utf-8", "uniform", "green", "amber", "not-applicable", "not-run"):
        assert not re.search(rf"(?<![\w-]){id}(?![\w-])", words), id
    assert "UTF-8" in words
