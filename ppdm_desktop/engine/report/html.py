"""Makes the HTML pages: the report, its annex and the release note.

Also the comparison of regressions in words and table cells, used by report, window and terminal.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, wraps
from itertools import groupby
from typing import Any, Concatenate, ParamSpec

from jinja2 import Environment, FunctionLoader, StrictUndefined, nodes
from markupsafe import Markup

from ppdm_desktop.engine.figure import Figure, measures_of
from ppdm_desktop.engine.methods.base.declaration import Counted, WorstIs, all_methods, find_step_method, step_title
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.report import report_texts as words
from ppdm_desktop.engine.report.charts import (
    Marginal,
    attack_chart,
    chart_revealed_values,
    class_size_chart,
    risk_chart,
)
from ppdm_desktop.engine.report.charts_usefulness import (
    Curve,
    association_charts,
    cluster_chart,
    marginal_chart,
    model_chart,
    reconstruction_chart,
)
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.figures_and_limits import (
    check_title,
    describe_measured_figure,
    format_limit,
    residual_risk,
)
from ppdm_desktop.engine.report.model import CheckEntry, LogEntry, ModelEntry, Report, Sentence, StepEntry, Utility
from ppdm_desktop.engine.report.outside_texts import EXPERT_LIMIT, describe_population_risk, expert_rows
from ppdm_desktop.engine.report.public.columns import GROUPED, LEFT_OUT, NO_TREATMENT, is_generalised_column
from ppdm_desktop.engine.report.public.note import PublicNote
from ppdm_desktop.engine.report.record_fields import record_fields
from ppdm_desktop.engine.report.report_texts import (
    coarseness_figures,
    format_report_number,
    kind_of,
    write_interval,
    write_value,
)
from ppdm_desktop.engine.report.scene.model import Scene
from ppdm_desktop.engine.report.scene.svg import as_figures
from ppdm_desktop.engine.report.setting_texts import Setting, step_settings
from ppdm_desktop.engine.report.swap_frontier import list_calibrations, swap_frontier_chart
from ppdm_desktop.engine.report.template_source import template_source
from ppdm_desktop.engine.table.reading.registry import all_readers
from ppdm_desktop.engine.table.writing.base import Writer
from ppdm_desktop.engine.table.writing.delimited import DELIMITERS
from ppdm_desktop.engine.table.writing.registry import all_writers, find_writer
from ppdm_desktop.engine.utility.associations import Associations
from ppdm_desktop.engine.utility.clusters import ClusterAgreement
from ppdm_desktop.engine.utility.conclusions import Coefficient, Conclusions
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.wording.catalogue import (
    _,
    find_translation,
    language,
    lazy,
    list_languages,
    numbers_of,
    speak_language,
    translate,
)
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.texts import LevelLabels, Text, level_title, render, render_stored
from ppdm_desktop.engine.wording.values import Chance, Day, LazyText, Name, Names, Quoted, Ratio, Term, Value


def describe_model(conclusions: Conclusions) -> str:
    """Return a text that names the columns of a regression, such as “y” explained by “a” and “b”."""
    return _("{y} explained by {x}", y=Name(conclusions.y), x=Names.of(conclusions.x))


def conclusions_sentence(conclusions: Conclusions) -> str:
    """Return a sentence on how many of a regression's comparable conclusions stay the same, or that there are none.

    A conclusion is sign and significance of a coefficient; one that could not be estimated is not comparable.
    """
    if not conclusions.of:
        return _("No conclusion could be compared.")
    return _(
        "{k} of {n} {n:conclusion stays|conclusions stay} the same (sign and significance).",
        k=conclusions.kept,
        n=conclusions.of,
    )


def coefficient_headings() -> list[str]:
    """Return the headings of the table of coefficients, in the order of `coefficient_rows`."""
    return [_("Term"), *(str(measure.heading) for measure in measures_of(Coefficient).values()), _("Conclusion")]


def coefficient_rows(conclusions: Conclusions) -> list[tuple[str, ...]]:
    """Return a table row of texts for each coefficient of a regression: its term, its figures, and its conclusion.

    The conclusion is "the same", "changes" or "cannot be estimated", in the current language. The cells are in the
    order of `coefficient_headings`; there is no row for the constant.
    """
    return [
        (
            str(entry.term),
            *(
                _format_figure_cell(getattr(entry, key), measure.kind)
                for key, measure in measures_of(Coefficient).items()
            ),
            _("cannot be estimated") if entry.is_kept is None else _("the same") if entry.is_kept else _("changes"),
        )
        for entry in conclusions.coefficients
    ]


def _format_figure_cell(figure: Figure, kind: str) -> str:
    """Return a figure with its interval in brackets, if it has one; a dash where it was not measured.

    ``kind`` is how the number is written, as in `write_value`.
    """
    if figure.value is None:
        return numbers_of(language()).none(cell=True)
    text, interval = write_value(float(figure.value), kind), write_interval(figure, kind)
    return _("{figure} ({interval})", figure=Term(text), interval=Term(interval)) if interval else text


CONTENT_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
"""What a browser may do with a page: show it, with its own style and pictures; load, send or run nothing."""
MOST_CHANGED = 4
"""Columns whose change of values the report shows; the annex shows all."""
P = ParamSpec("P")
REPORT_TEMPLATE, NOTE_TEMPLATE = "report.html", "release-note.html"
DECIMALS = {".": lazy("point"), ",": lazy("comma")}


@cache
def _note_messages() -> tuple[str, ...]:
    """Return the English of every fixed sentence in the release note's template.

    They are found by parsing the template, which is done once. Names and other inserted values are not among them.
    """
    calls = _build_environment().parse(template_source(NOTE_TEMPLATE)).find_all(nodes.Call)
    translations = [call for call in calls if isinstance(call.node, nodes.Name) and call.node.name == _.__name__]
    return tuple(arg.value for call in translations for arg in call.args if isinstance(arg, nodes.Const))


def note_sentences() -> tuple[str, ...]:
    """Return every fixed sentence of the release note in the current language."""
    return tuple(translate(english, {}) for english in _note_messages())


def list_note_formats() -> tuple[str, ...]:
    """Return every description of a data file's format that a release note can contain, in the current language."""
    writers = [writer for writer in all_writers().values() if writer.release]
    return tuple(dict.fromkeys(_form(writer, sign) for writer in writers for sign in DELIMITERS))


def _form(writer: Writer, delimiter: str) -> str:
    """Return how the release note describes the format of a data file whose columns are separated by ``delimiter``."""
    return writer.form.format(sign=Quoted(delimiter))


def describe_missing_review() -> str:
    """Return the line that warns that no expert has reviewed the translation into the current language.

    "" for a reviewed language, and for a language that the program has no translation for.
    """
    about = list_languages().get(language())
    if about is None or about.reviewed:
        return ""
    return _("{language} (translation not yet reviewed by an expert)", language=Term(about.name))


def name_recipients(type: str) -> str:
    """Return what documents call the recipients of a release type; raise KeyError for an unknown type."""
    return render(RELEASE_TYPES[type].who).sentence


def _read_as(id: str) -> str:
    """Return the display name of a source format; its id if this version does not know it."""
    reader = all_readers().get(id)
    return id if reader is None else reader.title


def _find_format_title(id: str) -> str:
    """Return the display name of an output format; its id if this version does not know it."""
    writer = all_writers().get(id)
    return id if writer is None else writer.title


def _find_counted_unit(id: str) -> Counted:
    """Return what the check of a method's promise counts, ``records`` or ``values``; ``records`` if unknown."""
    method = find_step_method(id)
    return "records" if method is None else method.counts


def find_next_step(steps: Sequence[StepEntry], step: StepEntry) -> StepEntry | None:
    """Return the first later step that changes a column of this step, after which this step's promise may not hold.

    The result is None where no later step changes these columns.
    """
    return next((entry for entry in steps if entry.index > step.index and set(entry.columns) & set(step.columns)), None)


def _find_worst_meaning(id: str) -> WorstIs | None:
    """Return which value of a method's figure is the worst, such as its least; None where the method is unknown."""
    method = find_step_method(id)
    return None if method is None else method.worst_is


# --- figures ------------------------------------------------------------------------------


def format_report_count(number: int) -> str:
    """Return a count as text, its digits grouped."""
    return numbers_of(language()).count(number)


def format_iso_day(written: str) -> str:
    """Return the day of an ISO 8601 date or time in words, "5 March 2024"; raise ValueError for anything else."""
    day = datetime.date.fromisoformat(written[:10])
    return numbers_of(language()).day(day.year, day.month, day.day)


def format_typed_day(written: str) -> str:
    """Return a day typed as "2026-03-01" written out in the current language, in English "1 March 2026".

    Any other text comes back unchanged, also a day that does not exist.
    """
    try:
        return format_iso_day(written) if len(written) == len("2000-01-01") else written
    except ValueError:
        return written


def to_figure_element(value: Any, key: str = "", kind: str = "", of: int = 0) -> Markup:
    """Return a figure as an HTML element with its exact value and its key in report.json.

    ``value`` is a report figure or a plain number and ``key`` its path in report.json. ``kind`` says how the number is
    written (``count``, ``percent``, ``people``, ``change``, ``noise`` or ``number``); when left out it follows from
    the figure's unit, and is ``number`` for a plain number. ``of`` is the number of people that a plain number is a
    share of; a report figure has its own. A figure's interval follows in brackets. For None, and for a figure that was
    not measured, the element says so (with the figure's reason as tooltip) and has no key.
    """
    figure = value if isinstance(value, Figure) else None
    number = figure.value if figure is not None else value
    if number is None:
        note = str(figure.reason) if figure is not None else ""
        template = '<span class="term" title="{}">{}</span>'
        return Markup(template).format(note, numbers_of(language()).none())
    kind = kind or ("number" if figure is None else kind_of(figure))
    text = write_value(number, kind, of if figure is None else figure.n or 0)
    markup = Markup('<data value="{}" data-key="{}">{}</data>').format(repr(number), key, text)
    if figure is not None and (interval := write_interval(figure, kind)):
        markup += Markup(' <span class="term">({})</span>').format(interval)
    return markup


def to_measured_element(check: CheckEntry, key: str) -> Markup:
    """Return a check's measured figure in words as an HTML element that also holds its exact value and its key.

    ``key`` is its path in report.json. A figure without a value gives an element that says so, with the reason as
    tooltip and without the key. Without a figure the markup is empty.
    """
    if check.figure is None:
        return Markup("")
    if check.figure.value is None:
        return to_figure_element(check.figure, key)
    text = '<data value="{}" data-key="{}">{}</data>'
    return Markup(text).format(repr(check.figure.value), key, describe_measured_figure(check))


def _render_text(sentence: Sentence | Mapping[str, Any]) -> Text:
    """Return title, sentence and remedy of a report's sentence, translated.

    If the sentence's id is unknown, title and sentence are the id and the remedy is "".
    """
    stored = sentence.model_dump() if isinstance(sentence, Sentence) else dict(sentence)
    try:
        return render_stored(stored["id"], stored["arguments"])
    except KeyError:  # a fault of the texts; the report is written all the same
        return Text(stored["id"], stored["id"], "", "")


def translate_promise(promise: str) -> str:
    """Return what a step promises, given in English, in the current language; unchanged if there is no translation."""
    return find_translation(promise) or promise


def _describe_demand(index: int, report: Report) -> tuple[str, str]:
    """Return how to write the figures that a step promises to privacy levels, and what they are, in words.

    A privacy level is how much protection some people asked for. ``index`` is the step's number, from 1. Swaps give
    ``percent`` and "share of unique people changed" (in the current language), all others "" and their words. Both are
    "" for a step without promises by privacy level, and if there is no such step.
    """
    demand = words.first_demand(next((step for step in report.steps if step.index == index), None))
    measure = words.PROMISED.get(demand)
    return "percent" if demand == "swap" else "", "" if measure is None else str(measure)


def translate_treatment(codes: str) -> str:
    """Return in the current language what was done to a column, given in English as in the report.

    Several treatments are separated by "; ", such as "generalisation (rounding); suppression (of cells)", and each is
    translated alone; an unknown one is left in English.
    """
    declared = [method.treatment for method in all_methods().values()]
    text_of = {treatment.english: treatment for treatment in (*declared, GROUPED, LEFT_OUT, NO_TREATMENT)}
    return "; ".join(str(text_of.get(code, code)) for code in codes.split("; "))


@dataclass(frozen=True)
class _Task:
    """The learners that predict one column, each with its index in report.json."""

    target: str
    text: LazyText
    entries: tuple[tuple[int, ModelEntry], ...]

    @property
    def chart(self) -> Markup:
        """The chart of the task's learners as HTML."""
        return as_figures(
            model_chart([entry for _, entry in self.entries], [learner_name(entry) for _, entry in self.entries])
        )


def _make_chart_function(chart: Callable[..., Iterable[Scene]]) -> Callable[..., Markup]:
    """Return a function for templates that passes its arguments to ``chart`` and returns the drawings as HTML."""
    return lambda *figures: as_figures(chart(*figures))


def _group_by_task(report: Report) -> list[_Task]:
    """Return the learners of the report grouped by target column and task, in the report's order.

    A task is what is predicted of the column. Only learners that follow each other directly are put in one group.
    Empty where no learners were compared.
    """
    placed = enumerate(report.utility.models or ())
    groups = groupby(placed, key=lambda entry: (entry[1].target, entry[1].task))
    return [_Task(target, task, tuple(entries)) for (target, task), entries in groups]


def learner_name(entry: ModelEntry) -> str:
    """Return a learner's name in the current language."""
    return render(entry.text).title


def _list_learner_texts(report: Report) -> list[Text]:
    """Return the texts about the learners, in the order of their first appearance."""
    return [render(text) for text in dict.fromkeys(entry.text for entry in report.utility.models or ())]


_MARKS = {
    "": lazy("(empty)"),
    "\t": lazy("Tab"),
    " ": lazy("Space"),
    ",": lazy("comma"),
    ";": lazy("semicolon"),
    "|": lazy("bar"),
    ".": lazy("point"),
}


def _replace_invisible(text: str) -> str:
    """Return the name of a character that cannot be seen or is easily missed, such as "Tab" or "comma".

    Any other text is returned unchanged; an empty one is "(empty)".
    """
    return str(_MARKS.get(text, text))


def _describe_settings(step: StepEntry, level_labels: LevelLabels | None = None) -> list[Setting]:
    """Return the settings of a step as it ran, in words; one unknown to this version is shown by its key.

    ``level_labels`` has, by privacy level, the words with which the file asks for it.
    """
    return step_settings(step, find_step_method(step.method), level_labels)


def _mark_number_headings(headings: Iterable[LazyText | str]) -> list[str]:
    """Return table headings, each with "#" in front, by which the template knows columns of numbers."""
    return [f"#{heading}" for heading in headings]


def yes_or_no(value: bool) -> str:
    """Return "yes" or "no" in the current language."""
    return _("yes") if value else _("no")


def _join_names(texts: Sequence[str]) -> str:
    """Return names joined by commas; a dash where there are none."""
    return ", ".join(texts) if texts else "–"


@cache
def _build_environment() -> Environment:
    """Return the template environment with all filters and functions, made once.

    It escapes inserted text for HTML. Rendering fails if a template uses a name that was not given.
    """
    environment = Environment(
        loader=FunctionLoader(template_source),
        autoescape=True,
        undefined=StrictUndefined,
        keep_trailing_newline=True,
    )
    environment.globals["content_policy"] = Markup(CONTENT_POLICY)
    environment.filters.update(
        figure=to_figure_element,
        sentence=lambda text_id: _render_text(text_id).sentence,
        title=lambda text_id: _render_text(text_id).title,
        remedy=lambda text_id: _render_text(text_id).remedy,
        promise=translate_promise,
        visible=_replace_invisible,
        treatment=translate_treatment,
        above_numbers=_mark_number_headings,
        learner=learner_name,
        settings=_describe_settings,
        count=format_report_count,
        number=format_report_number,
        percent=percent,
        day=format_iso_day,
        given_day=format_typed_day,
        names=_join_names,
        yes_or_no=yes_or_no,
        calibrations=list_calibrations,
        found_figure=to_measured_element,
        limit=format_limit,
        demand=_describe_demand,
        method=step_title,
        counts=_find_counted_unit,
        worst=_find_worst_meaning,
        next_step=find_next_step,
        level_title=level_title,
        sources=words.describe_sources,
        people_looked_for=words.describe_people_looked_for,
        attack_figures=words.attack_figures,
        coarseness_figures=coarseness_figures,
        reader=_read_as,
        writer=_find_format_title,
    )
    environment.globals.update({function.__name__: function for function in (_, Chance, Name, Names, Ratio, Term)})
    environment.globals["day_of"] = lambda written: Day(datetime.date.fromisoformat(written[:10]))
    return environment


def sentence_of(id: str, arguments: Mapping[str, Value] | None = None) -> str:
    """Return the sentence of a text id in the current language; the id itself where it does not exist."""
    try:
        return render(id, arguments).sentence
    except KeyError:  # as in _render_text
        return id


def counting_as_judged(render: Callable[Concatenate[Report, P], bytes]) -> Callable[Concatenate[Report, P], bytes]:
    """Return a rendering function whose documents speak of rows instead of people where the report counts rows.

    A report counts rows where nobody confirmed that each row is a different person.
    """

    @wraps(render)
    def rendered(report: Report, /, *args: P.args, **options: P.kwargs) -> bytes:
        """Render the document, speaking of rows or people as the report counts them."""
        with choose_counted_unit(rows=report.verdict.counts_rows):
            return render(report, *args, **options)

    return rendered


def page_of(template: str, **context: Any) -> bytes:
    """Return an HTML page in the current language as UTF-8, made from a template with its style sheet.

    ``context`` are the values that the template inserts.
    """
    return _render_template(template, context).strip().encode("utf-8") + b"\n"


def _render_template(template: str, context: Mapping[str, Any]) -> str:
    """Return a template in the current language, with the values of ``context`` and its style sheet filled in."""
    common = {"style": Markup(template_source("style.css")), "not_reviewed": describe_missing_review()}
    return _build_environment().get_template(template).render(context, language=language(), **common)


@dataclass(frozen=True)
class Drawn:
    """What the charts of the documents need besides the report's figures.

    Attributes
    ----------
    marginals
        Distributions of the columns that get a chart, before and after.
    associations
        Associations between pairs of columns, before and after; None where they were not measured.
    reconstructions
        Original, released and reconstructed distributions of the columns that got noise.
    """

    marginals: Sequence[Marginal] = ()
    associations: Associations | None = None
    reconstructions: Sequence[Curve] = ()


def _choose_most_changed(report: Report, generalised: Sequence[str]) -> list[tuple[int, ColumnUtility]]:
    """Return the 4 most changed columns, each with its index in report.json (from 0); all if there are fewer.

    First come generalised columns (named in ``generalised``), then the others, each by total variation (difference of
    value shares before and after) from the largest; 0 where not measured, and ties in the report's order.
    """

    def change(item: tuple[int, ColumnUtility]) -> tuple[bool, float]:
        """Return a sort key: generalised columns first, then by size of the change."""
        return item[1].name in generalised, float(item[1].total_variation.value or 0.0)

    return sorted(enumerate(report.utility.columns), key=change, reverse=True)[:MOST_CHANGED]


def _list_operator_fields(report: Report) -> list[tuple[str, str]]:
    """Return label and text of these fields, in this order: who released, note, who approves, review, expiry, log.

    Fields that were not entered, and the log of decisions where there is none, are left out.
    """
    operator = report.operator
    entries = [
        (_("Released by"), operator.name),
        (_("Note"), operator.note),
        (_("To be approved by"), operator.approver),
        (_("Review on"), format_typed_day(operator.review_date or "")),
        (_("Not to be used after"), format_typed_day(operator.expires or "")),
        (_("Log of decisions"), "" if report.log is None else describe_log(report.log)),
    ]
    return [(label, value) for label, value in entries if value]


def describe_log(log: LogEntry) -> str:
    """Return the number of lines of the log of decisions and the hash of its last line, in words."""
    return _("{n} {n:line|lines}, the last one has the hash {head}", n=log.length, head=Term(log.head))


@counting_as_judged
def render_report(report: Report, drawn: Drawn | None = None, *, in_full: bool = False) -> bytes:
    """Return report.html, or its annex, as bytes.

    It is in the current language, and speaks of rows instead of people where nobody confirmed that each row is a
    different person.

    Parameters
    ----------
    report
        The report.
    drawn
        What some charts need besides the report's figures; without it those of distributions (also reconstructed
        ones) and of associations between columns are left out.
    in_full
        Whether to make the annex, with every setting, figure and check.
    """
    drawn = drawn or Drawn()
    generalised = [
        column.name for column in report.columns if column.released and is_generalised_column(column.treatment)
    ]
    return page_of(
        REPORT_TEMPLATE,
        report=report,
        audience=name_recipients(report.release.type),
        operator=_list_operator_fields(report),
        titles={check.id: check_title(check) for check in report.verdict.checks},
        words=words,
        column_measures=measures_of(ColumnUtility),
        model_measures=measures_of(ModelEntry),
        table_measures=measures_of(Utility),
        cluster_measures=measures_of(ClusterAgreement),
        describe_model=describe_model,
        conclusions_sentence=conclusions_sentence,
        coefficient_headings=coefficient_headings(),
        coefficient_rows=coefficient_rows,
        decision=words.describe_outcome(report.release, report.verdict),
        fields=[(label, value or _("not stated")) for label, value in record_fields(report.operator)],
        residual=residual_risk(report.verdict),
        outside=[] if report.verdict.outside is None else describe_population_risk(report.verdict.outside),
        expert=expert_rows(report.verdict.outside) if in_full else [],
        expert_limit=EXPERT_LIMIT,
        drawn=drawn,
        in_full=in_full,
        shown_columns=list(enumerate(report.utility.columns)) if in_full else _choose_most_changed(report, generalised),
        untreated=NO_TREATMENT.english,
        generalised=generalised,
        ranged=[
            column.name for column in report.columns if column.released and str(GROUPED.english) in column.treatment
        ],
        tasks=_group_by_task(report),
        learners=_list_learner_texts(report),
        attack_titles=[
            f"{number}. {title}"
            for number, title in enumerate(words.attack_titles(report.verdict.attacks or []), start=1)
        ],
        class_chart=_make_chart_function(class_size_chart),
        risk_chart=_make_chart_function(risk_chart),
        identifiable_chart=_make_chart_function(chart_revealed_values),
        attack_chart=_make_chart_function(attack_chart),
        swap_frontier_chart=_make_chart_function(swap_frontier_chart),
        marginal_chart=_make_chart_function(marginal_chart),
        association_charts=_make_chart_function(association_charts),
        cluster_chart=_make_chart_function(cluster_chart),
        reconstruction_chart=_make_chart_function(reconstruction_chart),
    )


def render_note(note: PublicNote) -> bytes:
    """Return release-note.html, in the note's language, as bytes."""
    with speak_language(note.language):
        context = {
            "note": note,
            "audience": name_recipients(note.type),
            "form": _form(find_writer(note.data_format), note.delimiter),
            "takes_guard": find_writer(note.data_format).takes_guard,
            "decimal": str(DECIMALS[note.decimal]),
        }
        return _render_template(NOTE_TEMPLATE, context).encode("utf-8")
