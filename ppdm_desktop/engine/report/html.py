"""The pages people read, rendered from the report and from the public note."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.report.charts import Marginal, class_size_chart, marginal_chart, model_chart
from ppdm_desktop.engine.report.model import ModelEntry, Report, Sentence
from ppdm_desktop.engine.report.public import PublicNote
from ppdm_desktop.engine.texts import Text, all_texts, render

REPORT_TEMPLATE, NOTE_TEMPLATE = "report.html", "release-note.html"
AUDIENCES = {
    "public": "the public",
    "public-high-harm": "the public (sensitive contents)",
    "research": "research under an agreement",
    "internal": "named people inside the organisation",
}
FORMS = {
    "csv": "CSV: UTF-8 text without a byte-order mark, columns separated by commas, lines ended by CR LF",
    "xlsx": "Excel workbook (XLSX), one sheet called data",
}
DECIMALS = {".": "point", ",": "comma"}
MARKS = {"green": "✓", "amber": "!", "red": "✕", "not-applicable": "–", "not-run": "?"}
SCOPES = (
    ("quasi_identifiers", "Somebody who knows the describing columns (quasi-identifiers)"),
    ("released", "Somebody who knows every released column but the confidential ones"),
)
RISK_ROWS = (
    ("records", "Records", "n"),
    ("equivalence_classes", "Groups of records that look the same", "equivalence classes"),
    ("k", "Smallest group", "k"),
    ("unique", "Records alone in their group", "sample uniques"),
    ("prosecutor_max", "Worst chance of being found by somebody who knows you are in", "prosecutor, maximum"),
    ("prosecutor_mean", "The same on average", "prosecutor, mean"),
    ("share_over_threshold", "Share of records in groups that are too small", "share over the threshold"),
    ("marketer", "Expected share found by somebody who tries everybody", "marketer"),
    ("l_distinct", "Fewest different confidential values in a group", "distinct l"),
    ("l_entropy", "The same, rare values counted for less", "entropy l"),
    ("t_closeness", "Largest difference between a group's confidential values and everybody's", "t-closeness"),
    ("journalist_max", "Worst chance for somebody who does not know who is in", "journalist, maximum"),
)
SEVERITIES = {
    "none": "Nothing gained",
    "some": "Something gained, within the limit",
    "serious": "More gained than the limit allows",
    "total": "Nearly everybody is found",
}
ATTACK_FIGURES = {
    "own_group": "The record taken comes from the person's own group",
    "ratio": "Error of guessing from all columns, as a share of guessing from the noisy value alone",
    "shown_true": "The released value is the true one",
}
"""What an attack's own figures are called; one that is not here is shown by its name in report.json."""
MODEL_KEYS = ("original", "released_true_labels", "released_labels", "baseline")
TABLE_FIGURES = (
    (
        "covariance_compatibility",
        "Variances and relations of numbers kept",
        "covariance compatibility \u03bc",
        "1 when the covariances of all pairs of numeric columns are as before, 0 when they have nothing in common.",
    ),
    (
        "sse_sst",
        "Squared change of the treated values",
        "SSE/SST",
        "0 when nothing changed; 1 when every value became the mean of its column, or moved as far.",
    ),
    (
        "il1s",
        "Mean change of the treated values",
        "IL1s",
        "In standard deviations of the column, times the square root of two.",
    ),
    (
        "pmse",
        "Told apart from the original",
        "propensity score, pMSE",
        "0 when a model cannot tell released from original records.",
    ),
)
UTILITY_KEYS = (
    "mean_before",
    "mean_after",
    "sd_before",
    "sd_after",
    "total_variation",
    "hellinger",
    "ks",
    "wasserstein",
)


@cache
def template_source(name: str) -> str:
    """Return the text of a bundled template."""
    return (resources.files("ppdm_desktop.resources") / "templates" / name).read_text(encoding="utf-8")


def shown_number(value: float | int) -> str:
    """Write a number for people: whole numbers with thin groups, others with five digits."""
    if isinstance(value, int):
        return f"{value:,}".replace(",", "\u202f")
    return f"{value:.5g}"


def shown_figure(value: Any, key: str = "") -> Markup:
    """Return a figure as an element that carries its exact value, and its key in report.json."""
    figure = value if isinstance(value, Figure) else None
    number = figure.value if figure is not None else value
    if number is None:
        note = figure.note if figure is not None and figure.note else "not computed"
        return Markup('<span class="term" title="{}">not computed</span>').format(note)
    shown = Markup('<data value="{}" data-key="{}">{}</data>').format(repr(number), key, shown_number(number))
    if figure is not None and figure.low is not None and figure.high is not None:
        shown += Markup(' <span class="term">({} to {})</span>').format(
            shown_number(figure.low), shown_number(figure.high)
        )
    return shown


def _text(sentence: Sentence | Mapping[str, Any]) -> Text:
    given = sentence.model_dump() if isinstance(sentence, Sentence) else dict(sentence)
    try:
        return render(given["id"], given["arguments"])
    except KeyError:  # a fault of the texts; the report is written all the same
        return Text(given["id"], given["id"], "")


def title_of(check: str) -> str:
    """Return the title of a check of the gate, whatever its status."""
    return next(
        (text.title for id, text in all_texts().items() if id.startswith(f"gate.{check}.") and text.title), check
    )


def _promise(promise: str) -> str:
    return render(promise).sentence if promise in all_texts() else promise


@dataclass(frozen=True)
class _Task:
    """The learners of one task, each with its place in report.json."""

    target: str
    words: str
    entries: tuple[tuple[int, ModelEntry], ...]

    @property
    def chart(self) -> Markup:
        return model_chart([each for _, each in self.entries], [learner_name(each.learner) for _, each in self.entries])


def _tasks(report: Report) -> list[_Task]:
    placed = enumerate(report.utility.models or ())
    groups = groupby(placed, key=lambda each: (each[1].target, each[1].task))
    return [_Task(target, words, tuple(entries)) for (target, words), entries in groups]


def learner_name(learner: str) -> str:
    """Return what a learner is called."""
    return render(f"learner.{learner}").title


def _learners(report: Report) -> list[Text]:
    """Return the texts of the learners that were tried, in the order they first appear."""
    used = dict.fromkeys(each.learner for each in report.utility.models or ())
    return [render(f"learner.{learner}") for learner in used]


def _visible(text: str) -> str:
    return {"": "(empty)", "\t": "tab", " ": "space", ",": "comma", ";": "semicolon", "|": "bar"}.get(text, text)


def _short(value: Any) -> str:
    text = str(value)
    return text if len(text) <= 300 else text[:299] + "…"


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=FunctionLoader(template_source),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.filters.update(
        figure=shown_figure,
        sentence=lambda each: _text(each).sentence,
        title=lambda each: _text(each).title,
        remedy=lambda each: _text(each).remedy,
        promise=_promise,
        visible=_visible,
        learner=learner_name,
        short=_short,
    )
    return environment


def render_report(report: Report, marginals: Sequence[Marginal] = ()) -> bytes:
    """Return report.html.

    Parameters
    ----------
    report
        The one object.
    marginals
        Shares of the values of columns worth a chart, before and after.
    """
    operator = [
        ("Operator", report.operator.name),
        ("Note", report.operator.note),
        ("Approved by", report.operator.approver),
        ("Look at it again on", report.operator.review_date),
    ]
    page = (
        _environment()
        .get_template(REPORT_TEMPLATE)
        .render(
            report=report,
            style=Markup(template_source("style.css")),
            operator=[(label, value) for label, value in operator if value],
            titles={check.id: title_of(check.id) for check in report.gate},
            marks=MARKS,
            scopes=SCOPES,
            risk_rows=RISK_ROWS,
            utility_keys=UTILITY_KEYS,
            model_keys=MODEL_KEYS,
            table_figures=TABLE_FIGURES,
            severities=SEVERITIES,
            further_names=ATTACK_FIGURES,
            tasks=_tasks(report),
            learners=_learners(report),
            class_chart=class_size_chart,
            marginal_chart=marginal_chart,
            marginals=marginals,
        )
    )
    return page.strip().encode("utf-8") + b"\n"


def render_note(note: PublicNote) -> bytes:
    """Return release-note.html."""
    page = (
        _environment()
        .get_template(NOTE_TEMPLATE)
        .render(
            note=note,
            style=Markup(template_source("style.css")),
            audience=AUDIENCES[note.type],
            form=FORMS[note.data_format],
            decimal=DECIMALS[note.decimal],
        )
    )
    return page.encode("utf-8")
