"""The pages people read, rendered from the report and from the public note."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import groupby
from typing import Any

from jinja2 import Environment, FunctionLoader, StrictUndefined
from markupsafe import Markup

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.registry import all_methods
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.report import report_words as words
from ppdm_desktop.engine.report.charts import Marginal, attack_chart, class_size_chart, identifiable_chart, risk_chart
from ppdm_desktop.engine.report.charts_usefulness import (
    Associations,
    Reconstruction,
    association_charts,
    cluster_chart,
    marginal_chart,
    model_chart,
    reconstruction_chart,
)
from ppdm_desktop.engine.report.model import AttackEntry, ModelEntry, Report, Sentence
from ppdm_desktop.engine.report.public import PublicNote
from ppdm_desktop.engine.report.public.generalised_columns import is_generalised_column
from ppdm_desktop.engine.table.writing.registry import all_writers, find_writer
from ppdm_desktop.engine.texts import Text, all_texts, plural, render
from ppdm_desktop.engine.wording.level_titles import level_title

REPORT_TEMPLATE, NOTE_TEMPLATE = "report.html", "release-note.html"
DECIMALS = {".": "point", ",": "comma"}
_MANY, _TINY = 10_000, 1e-8


@cache
def template_source(name: str) -> str:
    """Return the text of a bundled template."""
    return (resources.files("ppdm_desktop.resources") / "templates" / name).read_text(encoding="utf-8")


def forms() -> tuple[str, ...]:
    """Return what a release note may say of the data file's form."""
    return tuple(writer.form for writer in all_writers().values() if writer.release)


def shown_number(value: float | int) -> str:
    """Write a number for people: in groups as sentences have them, fractions with five digits."""
    if isinstance(value, int) or abs(value) >= _MANY:
        return f"{value:,.0f}"
    text = f"{value:.5g}"
    if "e" not in text or abs(value) < _TINY:
        return text
    return f"{value:.{4 - math.floor(math.log10(abs(value)))}f}"


def shown_limit(value: float | int | str) -> str:
    """Write a number as ``shown_number`` does, and words as they are."""
    return value if isinstance(value, str) else shown_number(value)


def counted(number: int, one: str, many: str) -> str:
    """Write a count with the form of its word: 1 row, 2 rows."""
    return f"{shown_number(number)} {plural(number, one, many)}"


def audience(type: str) -> str:
    """Return what documents call those who get a release of a type."""
    return render(RELEASE_TYPES[type].who).sentence


def method_title(id: str) -> str:
    """Return what a method is called; its id where it is none of this version's."""
    method = all_methods().get(id)
    return id if method is None else method.title


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
        return Text(given["id"], given["id"], "", "")


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


def attack_title(entry: AttackEntry) -> str:
    """Return what an attack is called."""
    return _text(entry.sentence).title


def attack_titles(entries: Sequence[AttackEntry]) -> list[str]:
    """Return what attacks are called; each has its number, for some are made more than once."""
    return [f"{place}. {attack_title(entry)}" for place, entry in enumerate(entries, start=1)]


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
    """Write a setting: lists as their entries, an empty one as a dash, what is very long only by its beginning."""
    if isinstance(value, Mapping):
        value = [f"{name}: {_short(each)}" for name, each in value.items()]
    if isinstance(value, bool):
        value = "yes" if value else "no"
    if isinstance(value, list | tuple):
        value = ", ".join(_short(each) for each in value)
    text = str(value) or "–"
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
        number=shown_limit,
        counted=counted,
        plural=plural,
        method=method_title,
        level_title=level_title,
    )
    return environment


def sentence_of(id: str, arguments: Mapping[str, Any] | None = None) -> str:
    """Return the sentence of a text id; the id itself where it does not exist."""
    return _text({"id": id, "arguments": arguments or {}}).sentence


def page_of(template: str, **given: Any) -> bytes:
    """Return a page of the owner's, with the style sheet in it."""
    page = _environment().get_template(template).render(style=Markup(template_source("style.css")), **given)
    return page.strip().encode("utf-8") + b"\n"


@dataclass(frozen=True)
class Drawn:
    """What the documents need beside the report's figures.

    Attributes
    ----------
    marginals
        Shares of the values of columns worth a chart, before and after.
    associations
        How far columns tell each other, before and after; None where it was not measured.
    reconstructions
        Curves of the columns that got noise.
    """

    marginals: Sequence[Marginal] = ()
    associations: Associations | None = None
    reconstructions: Sequence[Reconstruction] = ()


def render_report(report: Report, drawn: Drawn | None = None) -> bytes:
    """Return report.html.

    Parameters
    ----------
    report
        The one object.
    drawn
        What is drawn beside its figures.
    """
    drawn = drawn or Drawn()
    operator = [
        ("Operator", report.operator.name),
        ("Note", report.operator.note),
        ("Approved by", report.operator.approver),
        ("Look at it again on", report.operator.review_date),
    ]
    return page_of(
        REPORT_TEMPLATE,
        report=report,
        audience=audience(report.release.type),
        operator=[(label, value) for label, value in operator if value],
        titles={check.id: title_of(check.id) for check in report.verdict.checks},
        words=words,
        decision=words.decision_words(report.verdict),
        drawn=drawn,
        generalised=[each.name for each in report.columns if each.released and is_generalised_column(each.treatment)],
        tasks=_tasks(report),
        learners=_learners(report),
        attack_titles=attack_titles(report.verdict.attacks or []),
        class_chart=class_size_chart,
        risk_chart=risk_chart,
        identifiable_chart=identifiable_chart,
        attack_chart=attack_chart,
        marginal_chart=marginal_chart,
        association_charts=association_charts,
        cluster_chart=cluster_chart,
        reconstruction_chart=reconstruction_chart,
    )


def render_note(note: PublicNote) -> bytes:
    """Return release-note.html."""
    page = (
        _environment()
        .get_template(NOTE_TEMPLATE)
        .render(
            note=note,
            style=Markup(template_source("style.css")),
            audience=audience(note.type),
            form=find_writer(note.data_format).form,
            takes_guard=find_writer(note.data_format).takes_guard,
            decimal=DECIMALS[note.decimal],
        )
    )
    return page.encode("utf-8")
