"""What the report and the note print as a setting is what the run used, whoever decided it."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from cases import case_rows
from gate_cases import make_candidate

from ppdm_desktop.engine.methods.base.declaration import all_methods
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.public_settings import public_settings
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.report.html import render_report
from ppdm_desktop.engine.report.model import Report

ROWS = 120
PEOPLE = {
    "Id": [f"p{n}" for n in range(ROWS)],
    "Area": [f"100{n % 3}" for n in range(ROWS)],
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
STEPS: dict[str, Any] = dict(case_rows("used-settings-steps", lists=True))
every_method = pytest.mark.parametrize("method", sorted(all_methods()))


def made(folder: Path, method: str, parameters: dict[str, Any] | None = None, **privacy: Any) -> Candidate:
    given = STEPS.get(method, {})
    step = {"method": method, **given, "parameters": {**given.get("parameters", {}), **(parameters or {})}}
    left = {"Wish"} if "column" not in privacy else set()
    columns = {name: values for name, values in PEOPLE.items() if name not in left}
    person: dict[str, Any] = {"input": {"person": "Id"}} if method in ("pseudonymise", "date-shift") else {}
    roles = {name: ROLES[name] for name in columns}
    if method == "date-shift":
        columns["Day"] = [f"2015-{1 + row % 12:02}-{1 + row % 28:02}" for row in range(len(PEOPLE["Id"]))]
        roles["Day"] = {"role": "o", "kind": "date"}
    return make_candidate(folder, columns, roles, "internal", steps=[step], privacy=privacy, **person)


def printed(report: Report) -> dict[str, str]:
    """Read the settings of the last step from the page: by key, all that stands beside it."""
    page = render_report(report, in_full=True).decode()
    rows = re.findall(r"<code>([a-z_]+)</code></span></th><td>(.*?)</td></tr>", page)
    return {key: html.unescape(re.sub(r"<[^>]+>", "", words)) for key, words in rows}


@every_method
def test_a_setting_that_changes_nothing_is_not_printed_as_if_it_did(method: str, tmp_path: Path) -> None:
    candidate = made(tmp_path, method)
    (step,), report = candidate.steps, evaluate(candidate, attacks=()).report
    rows, stated = printed(report), {label for label, _ in public_settings(step, step.settings.columns[0])}
    for parameter in step.method.parameters:
        if parameter.name in step.ineffective_parameters:
            assert rows[parameter.name] == "not used with these settings"
            assert parameter.label_for_recipients not in stated


def test_a_written_size_that_a_level_raises_is_printed_beside_what_was_used(tmp_path: Path) -> None:
    candidate = made(tmp_path, "microaggregation", {"group": 4}, column="Wish")
    report = evaluate(candidate, attacks=()).report
    assert printed(report)["group"] == "Basic 4, Raised 10 In the recipe: 4. It comes from the protection levels."
    words = dict(public_settings(candidate.steps[0], "Pay"))["Smallest group"]
    assert words == "4 to 10, depending on the protection that a person needs"


def test_recipients_read_the_limits_of_each_column(tmp_path: Path) -> None:
    candidate = made(tmp_path, "top-bottom-code")
    for name in ("Age", "Pay"):
        shown = candidate.released.column(name).counted_numbers()[0]
        said = dict(public_settings(candidate.steps[0], name))["Limits"]
        assert said.replace(",", "") == f"{shown[0]:g} to {shown[-1]:g}"


def test_nothing_taken_from_the_values_reaches_the_note(tmp_path: Path) -> None:
    candidate = made(tmp_path, "two-phase-noise", default="cautious")
    (step,) = candidate.steps
    report, stated = evaluate(candidate, attacks=()).report, dict(public_settings(step, "Pay"))
    sd = step.result.detail["columns"]["Pay"]["levels"][0]["sd"]
    assert printed(report)["sd"].startswith(f"{sd:.4g}")
    assert stated["Strength of the noise"] == "from the ratio"
    # Half as much again: the ratio of the variances falls to 1 / 2.25.
    assert stated["Spread of the data compared with the noise"] == "0.4444"
