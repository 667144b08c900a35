"""The release record of two pages: one to be read, whose first line is the decision, and one to be signed and checked.

Above the decision stands what only the owner of the data knows (data set, controller, purpose); what was not entered
is left blank to be filled in by hand. No other line looks better than the decision. The second page has the
signatures, hashes and ids; with such an id ``verify --figure`` computes a figure again from the written file. Written
reasons are printed in full; where they do not fit, the first page continues on another.

Also states in words what a step of the recipe promised to the people of a privacy level and what was reached. A
privacy level is how much protection a person asked for, such as a group size.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate

from ppdm_desktop.engine.methods.base.declaration import step_title
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES
from ppdm_desktop.engine.report.drawing import cut_name, percent, shorten_text
from ppdm_desktop.engine.report.figures_and_limits import (
    NO_LIMIT,
    check_title,
    describe_measured_figure,
    describe_with_control,
    figure_title,
    format_limit,
    residual_risk,
)
from ppdm_desktop.engine.report.html import (
    counting_as_judged,
    describe_log,
    format_report_count,
    format_typed_day,
    name_recipients,
    page_of,
    sentence_of,
)
from ppdm_desktop.engine.report.model import (
    CheckEntry,
    ColumnEntry,
    DecisionEntry,
    LevelProofEntry,
    Report,
    Status,
    StepEntry,
)
from ppdm_desktop.engine.report.outside_texts import describe_for_record
from ppdm_desktop.engine.report.public.columns import GROUPED, WAYS, is_synthetic
from ppdm_desktop.engine.report.record_fields import record_fields
from ppdm_desktop.engine.report.report_texts import (
    KEY_STATES,
    KEYS_FROM,
    MODES,
    PROMISED,
    FigureLine,
    attack_outcome,
    describe_outcome,
    figure_lines,
    first_demand,
    format_report_number,
)
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.texts import LevelLabels, LevelTitle, Title, level_title, render_stored, render_title
from ppdm_desktop.engine.wording.values import Names, Term, Terms, Value


def proof_cells(proof: LevelProofEntry, demand: str) -> tuple[str, str, str, str]:
    """Return four cells: people of the level, what was promised, what was reached, and whether the promise was kept.

    A dash stands for promised and reached where nothing was promised, or where the promise is no amount, such as to
    leave a column out. Where people of the level asked for another amount than the step gives, both are stated.

    Parameters
    ----------
    demand
        The kind of protection that the step's method offers by level, such as ``group`` or ``swap``, see
        `first_demand`.
    """
    write_figure = percent if demand == "swap" else format_report_number
    promised = format_report_number(None) if proof.demanded is None else write_figure(proof.demanded)
    if proof.asked is not None and proof.demanded is not None and not math.isclose(proof.asked, proof.demanded):
        promised = _("{promised} (asked for: {asked})", promised=Term(promised), asked=Term(write_figure(proof.asked)))
    reached = format_report_number(None) if proof.least_achieved is None else write_figure(proof.least_achieved)
    # To keep a promise that is no amount, such as to leave a column out, is written as 1.
    if _is_no_promise(proof) or (demand not in PROMISED and proof.demanded == 1):
        promised = reached = format_report_number(None)
    return numbers_of(language()).count(proof.records), promised, reached, _describe_promise_kept(proof, demand)


def _is_no_promise(proof: LevelProofEntry) -> bool:
    """Return whether a step promises the people of a level nothing: nobody is covered and nothing was demanded."""
    return not proof.covered and not proof.demanded


def _describe_promise_kept(proof: LevelProofEntry, demand: str) -> str:
    """Return whether the promise to a level was kept, translated: "yes", "NO", or "yes" with a limitation.

    - "yes, for the 12 people concerned": it applies to these only.
    - "yes, rounded to whole people" and "yes, it was less than one person": a share of people to change could not be
      met exactly. "yes, rounded to whole people, for the 12 people concerned" is both.
    - "yes, apart from chance": of noise by intervals a little less was reached than promised.
    - If it applies to nobody of the level, the text of `_describe_uncovered`, such as "applies to nobody".

    ``demand`` is the kind of protection, as in `proof_cells`.
    """
    if not proof.met:
        return _("NO")
    if not proof.covered:
        return _describe_uncovered(proof, demand)
    least, demanded = proof.least_achieved, proof.demanded
    below = least is not None and demanded is not None and least < demanded
    whole = demand == "swap" and below
    if not proof.not_covered:
        if demand == "intervals" and below and format_report_number(least) != format_report_number(demanded):
            return _("yes, apart from chance")
        if not whole:
            return _("yes")
        # Of so few people nobody had to change: 0 % beside the share that was promised would look like a breach.
        return _("yes, rounded to whole people") if least else _("yes, it was less than one person")
    left = (
        lazy("yes, rounded to whole people, for the {n} {n:person|people} concerned")
        if whole
        else lazy("yes, for the {n} {n:person|people} concerned")
    )
    return left.format(n=proof.covered)


def _describe_uncovered(proof: LevelProofEntry, demand: str) -> str:
    """Return in words why a promise applies to nobody of a level.

    "no promise by level" where nothing was promised, "yes" where the level has nobody, "not by this step alone" for
    group sizes (several steps together make the groups), otherwise "applies to nobody".
    """
    if not proof.demanded:
        return _("no promise by level")
    if not proof.not_covered:
        return _("yes")
    # Groups can be made by several steps together, of which no single one makes them large enough.
    return _("not by this step alone") if demand == "group" else _("applies to nobody")


TEMPLATE = "certificate.html"
MOST_STEPS, MOST_LEVELS = 6, 8
_NAME, _NOTE, _SOURCE = 44, 140, 280
_LEVEL, _COLUMNS, _FIELD = 26, 80, 120
_TONES = {"green": "green", "amber": "amber", "not-run": "amber", "red": "red"}


@dataclass(frozen=True)
class Row:
    """A line of a table: a heading, its cells, the tone of the last one (green, amber, red or none), an id."""

    head: str
    cells: tuple[str, ...]
    tone: str = ""
    id: str = ""


@dataclass(frozen=True)
class Part:
    """The shown lines of a table, and the number of lines that did not fit."""

    rows: tuple[Row, ...]
    more: int = 0


@dataclass(frozen=True)
class Answered:
    """A check that a written reason lets pass, with the figure and limit for which the reason was given.

    ``label`` names the figure where the check's title does not.
    """

    check: str
    id: str
    label: str
    figure: str
    limit: str


@dataclass(frozen=True)
class Reason:
    """A written reason for a release: its number on the page, the cause, the checks that it lets pass, and its text."""

    number: int
    cause: str
    id: str
    checks: tuple[Answered, ...]
    text: str


@counting_as_judged
def render_certificate(report: Report) -> bytes:
    """Return the release record as an HTML page (UTF-8) in the current language.

    The page speaks of rows instead of people where nobody confirmed that each row is a different person.
    """
    verdict, numbers, reasons = report.verdict, number_reasons(report.verdict.decision), _list_reasons(report)
    against = [_build_check_row(check) for check in verdict.checks if check.id in verdict.decision.blocked_by]
    figures = tuple(_build_figure_row(line, numbers) for line in figure_lines(verdict, report.original))
    return page_of(
        TEMPLATE,
        report=report,
        verdict=verdict,
        audience=name_recipients(report.release.type),
        source=shorten_text(sentence_of(report.release.threshold_source), _SOURCE),
        decision=describe_outcome(report.release, report.verdict),
        teaching=report.release.teaching_copy,
        tone=_choose_decision_colour(report),
        against=against,
        fields=[(label, shorten_text(value, _FIELD)) for label, value in record_fields(report.operator)],
        person=_list_record_texts(report),
        source_name=shorten_text(report.input.name or "", _NAME),
        residual=residual_risk(report.verdict),
        outside=describe_for_record(report.verdict.outside),
        attacks=_describe_attacks(report),
        succeeded=_describe_successes(report),
        data=next((file for file in report.files if file.sha256 == report.release.data_sha256), None),
        data_name=lambda path: shorten_text(path.rpartition("/")[2], _NAME),
        counted_by=describe_people_and_rows(report),
        codes=describe_codes(report),
        figures=Part(figures),
        ids=_list_titles_and_ids(figures, against, reasons),
        levels=_build_levels_part(report),
        steps=_build_steps_part(report),
        reasons=reasons,
        key_from=str(KEYS_FROM[report.verdict.draws.key]),
        key_state=str(KEY_STATES[report.release.key]),
        libraries=shorten_text(
            ", ".join(f"{name} {version}" for name, version in report.program.libraries.items()), 250
        ),
    )


def describe_people_and_rows(report: Report) -> str:
    """Return in words how rows belong to people, with the numbers of rows and people where a column names the persons.

    Without such a column the text says whether the owner confirmed that each row is a person, or that rows are groups
    of people, or whether this is assumed. With one it says how many people have several rows, and whether an intruder
    knows one or all of a person's rows. Where rows were combined it says instead which row or values stand for each
    person, without the number of people.
    """
    people, reduce = report.input.people, report.input.reduce
    if people is None:
        return sentence_of(_PEOPLE_KNOWN_BY[report.verdict.people_known_by])
    if reduce is None:
        sentence_values: dict[str, Value] = {
            "columns": Names.of(people.columns),
            "rows": people.rows,
            "people": people.count,
            "several": people.with_several,
            "most": people.most_rows,
        }
        return sentence_of(_rows_text_id(report, people.with_several), sentence_values)
    sentence_values = {
        "columns": Names.of(people.columns),
        "rows": people.rows,
        "row": Term(_FIRST_OR_LAST.get(reduce.by, reduce.by)),
        "order": Names.of([reduce.order_by or ""]),
        "others": Terms(
            tuple(f"{cut_name(name, _LEVEL)}: {WAYS.get(way, way)}" for name, way in reduce.columns.items())
        ),
    }
    return sentence_of(_REDUCED[bool(reduce.order_by), bool(reduce.columns)], sentence_values)


_PEOPLE_KNOWN_BY = {
    "person-column": "certificate.people.person-column",
    "confirmed": "certificate.people.confirmed",
    "groups": "certificate.people.groups",
    "assumed": "certificate.people.assumed",
}
_REDUCED = {
    (False, False): "certificate.people.reduced",
    (True, False): "certificate.people.reduced-ordered",
    (False, True): "certificate.people.reduced-otherwise",
    (True, True): "certificate.people.reduced-ordered-otherwise",
}
"""What is said of rows that were combined, by whether they have an order and whether a column is an exception."""


_FIRST_OR_LAST: Mapping[str, Sentence] = {"first": lazy("first row"), "last": lazy("last row")}


def _rows_text_id(report: Report, with_several: int) -> str:
    """Return the id of the sentence on how many rows people have.

    It is that people have one row each if ``with_several`` (people with several rows) is 0. Otherwise it says that an
    intruder knows all rows of a person, if the risk by quasi-identifiers after the steps is judged by all of them
    together, or else one row.
    """
    if not with_several:
        return "certificate.people.rows-single"
    block = report.risk.after.scope.quasi_identifiers
    is_linked = block is not None and block.all_rows is not None and block.all_rows.judges
    return "certificate.people.rows-linked" if is_linked else "certificate.people.rows"


def _describe_attacks(report: Report) -> str:
    """Return in words how many attack tests were made, and how many of their results ended in each way.

    The ways are failed, succeeded, not ruled out (unsure, or failed although the attack's check did not pass) and only
    a forecast. A test may have several results. If there was no test, the text says so.
    """
    made = report.verdict.attacks
    if not made:
        return _("No attack test was made.")
    ended = Counter(attack_outcome(attack, report.verdict.checks) for attack in made)
    return _(
        "Attack tests made: {tests}, with {n} {n:result|results}. Failed: {failed}. Succeeded: {succeeded}. "
        "Not ruled out: {notes}. Only forecasts: {forecasts}.",
        tests=len({attack.id for attack in made}),
        n=len(made),
        failed=ended["withstood"],
        succeeded=ended["works"],
        notes=ended["note"],
        forecasts=ended["forecast"],
    )


def _describe_successes(report: Report) -> str:
    """Return in words which attack tests succeeded, and which figures of the page exceed their limit; "" if none.

    Whether an attack succeeded is decided by its own criterion, or by its severity (serious or total) if it declares
    none; forecasts and unsure results do not count. A figure exceeds its limit if its check is amber or red; figures
    that are stated without being judged do not count.
    """
    attacks = dict.fromkeys(
        Title(entry.labels.title) if entry.labels.title else entry.id
        for entry in report.verdict.attacks or ()
        if attack_outcome(entry, ()) == "works"
    )
    lines = figure_lines(report.verdict, None)
    beyond = [line.title for line in lines if line.is_judged and line.check.status in ("amber", "red")]
    sentences = []
    if attacks:
        listed = Terms(tuple(attacks))
        sentences.append(_("{attacks:Successful attack|Successful attacks}: {attacks}.", attacks=listed))
    if beyond:
        # An intruder needs no attack test for what the checks count.
        figures = Terms(tuple(beyond))
        sentences.append(_("Beyond the limit, in the table above: {n} ({figures}).", n=len(beyond), figures=figures))
    return " ".join(sentences)


def describe_codes(report: Report) -> str:
    """Return a sentence naming the released columns in which codes replace identifiers; "" if there are none."""
    names = [column.name for column in report.columns if column.released and column.role not in ATTRIBUTE_ROLES]
    return sentence_of("certificate.codes", {"columns": Names.of(names)}) if names else ""


def _choose_decision_colour(report: Report) -> str:
    """Return the colour of the decision.

    ``red`` if not released, ``amber`` if released only by written reasons, else ``green``.
    """
    decision = report.verdict.decision
    return "red" if not decision.released else "amber" if decision.accepted else "green"


def _build_check_row(check: CheckEntry) -> Row:
    """Return the table line of a check that did not pass: its title, its sentence, and its status as a colour."""
    text = render_stored(check.sentence.id, check.sentence.arguments)
    return Row(text.title, (text.sentence,), _TONES.get(check.status, ""), check.id)


def _list_titles_and_ids(
    figures: Sequence[Row], against: Sequence[Row], reasons: Sequence[Reason]
) -> list[tuple[str, str]]:
    """Return title and id of every figure, check and cause of a reason that the first page names, without repetition.

    Figures come first, then other checks, then causes of written reasons.
    """
    named = [(row.head, row.id) for row in figures]
    listed_ids = {id for _head, id in named}
    answered = [(check.check, check.id) for reason in reasons for check in reason.checks]
    others = [*((row.head, row.id) for row in against), *answered]
    causes = [(reason.cause, reason.id) for reason in reasons]
    return list(dict.fromkeys([*named, *((head, id) for head, id in others if id not in listed_ids), *causes]))


def _list_record_texts(report: Report) -> dict[str, str]:
    """Return what was entered about a release: ``name``, ``approver``, ``review``, ``expires``, ``log`` and ``note``.

    Texts are shortened to fit the page, and "" if not entered. ``log`` is not entered but made: the number of lines of
    the log of decisions and the hash of the last one; "" without a log.
    """
    operator = report.operator
    return {
        "name": shorten_text(operator.name or "", _NAME),
        "approver": shorten_text(operator.approver or "", _NAME),
        "review": shorten_text(format_typed_day(operator.review_date or ""), 30),
        "expires": shorten_text(format_typed_day(operator.expires or ""), 30),
        "log": "" if report.log is None else describe_log(report.log),
        "note": shorten_text(operator.note or "", _NOTE),
    }


# --- figures --------------------------------------------------------------------------------


def _build_figure_row(line: FigureLine, numbers: dict[str, int]) -> Row:
    """Return the table line of one figure: its value before and after, its limit and its status.

    Before is a dash where the original was not measured. ``numbers`` has the number of the written reason that lets a
    check pass, by the check's id. If the check is about one privacy level, the line names it. A figure that is stated
    without being judged has "No limit applies" as its status. The line is coloured by the check's status, but not where
    the check relies on the agreement with the recipients.
    """
    check, called = line.check, line.title
    cells = (
        line.before or numbers_of(language()).none(cell=True),
        line.after,
        line.limit,
        describe_status(check, numbers) if line.is_judged else _("No limit applies"),
    )
    # Judged at one level, the figure is of that level's people alone.
    level = check.sentence.note.arguments.get("level")
    if isinstance(level, LevelTitle):
        called = _("{figure}, level {level}", figure=Term(called), level=level)
    return Row(called, cells, "" if check.is_agreed else _TONES.get(check.status, ""), check.id)


def describe_status(check: CheckEntry, numbers: Mapping[str, int]) -> str:
    """Return in a few words how a check ended, such as "within the limit"; figure and limit are not named.

    The first of these that applies:

    - "reason 2" if ``numbers`` has the check's id: the number of the written reason that lets it pass, as from
      `number_reasons`;
    - "relies on the agreement" if it passes only because the recipients sign an agreement;
    - "No limit applies" if it is green and has a figure, but no limit;
    - "judged by group size" if it does not apply, but has a figure;
    - else by its status: "within the limit", "beyond the limit: needs a reason", "stops the release", "does not apply"
      or "not checked: needs a reason".
    """
    if check.id in numbers:
        return sentence_of("certificate.status.reason", {"n": numbers[check.id]})
    if check.is_agreed:
        return _("relies on the agreement")
    if check.status == "green" and check.figure is not None and format_limit(check) == NO_LIMIT:
        return _("No limit applies")
    if check.status == "not-applicable" and check.figure is not None:
        return sentence_of("certificate.status.stated")
    return sentence_of(_STATUSES[check.status])


_STATUSES: Mapping[Status, str] = {
    "green": "certificate.status.green",
    "amber": "certificate.status.amber",
    "red": "certificate.status.red",
    "not-applicable": "certificate.status.not-applicable",
    "not-run": "certificate.status.not-run",
}


def number_reasons(decision: DecisionEntry) -> dict[str, int]:
    """Return for each check that a written reason lets pass the number of this reason, from 1, by the check's id."""
    return {check: number for number, reason in enumerate(decision.reasons, start=1) for check in reason.checks}


def _list_reasons(report: Report) -> list[Reason]:
    """Return every written reason with the checks that it lets pass, numbered from 1 in the decision's order."""
    return [
        Reason(
            number,
            render_title(reason.title),
            reason.cause,
            tuple(_build_answered_check(report.verdict.check(id)) for id in reason.checks),
            reason.reason,
        )
        for number, reason in enumerate(report.verdict.decision.reasons, start=1)
    ]


def _build_answered_check(check: CheckEntry) -> Answered:
    """Return a check as a written reason lists it: title, id, label of the figure, figure and limit in words.

    The label is "" unless the figure has its own title; the limit is "" if there is none.
    """
    limit = format_limit(check)
    label = figure_title(check) if check.figure_title else ""
    figure = describe_with_control(check, describe_measured_figure(check))
    return Answered(check_title(check), check.id, label, figure, "" if limit == NO_LIMIT else limit)


# --- levels and steps -----------------------------------------------------------------------


def _build_levels_part(report: Report) -> Part:
    """Return table lines of what was promised to each privacy level by each step and column, and what was reached.

    Broken promises come first, levels that no step uses last. There are at most 8 lines; the result also holds how
    many promises did not fit (levels that no step uses are not counted).
    """
    proofs = sorted(report.verdict.levels, key=lambda proof: proof.met)
    level_labels = report.privacy.level_labels
    steps = {step.index: step for step in report.steps}
    names = {column.name for column in report.columns}
    rows = [
        _build_level_row(proof, level_labels, first_demand(steps.get(proof.step)), names)
        for proof in proofs[:MOST_LEVELS]
    ]
    named = {proof.level for proof in report.verdict.levels}
    rows += [
        Row(
            cut_name(level_title(level.name, level_labels), _LEVEL),
            (
                format_report_count(level.records),
                format_report_number(None),
                _("No step acts by level."),
                format_report_number(None),
            ),
        )
        for level in report.privacy.levels
        if level.name not in named
    ][: max(MOST_LEVELS - len(rows), 0)]
    return Part(tuple(rows), max(len(proofs) - MOST_LEVELS, 0))


def _build_level_row(proof: LevelProofEntry, level_labels: LevelLabels, demand: str, columns: Collection[str]) -> Row:
    """Return the table line of what one step promised to one privacy level in one column, and what was reached.

    It is red if the promise was not kept, green if it was kept for everybody, and without colour if it was kept but
    does not concern everybody. Columns that were treated together are written as "3 columns". ``level_labels`` has the
    file's words for each level, ``columns`` the names of the source's columns, ``demand`` is as in `proof_cells`.
    """
    # Several columns that were treated together are one text.
    several = 0 if proof.column in columns else proof.column.count(", ") + 1
    where = _(
        "{level} (step {n}, {column})",
        level=Term(cut_name(level_title(proof.level, level_labels), _LEVEL)),
        n=proof.step,
        column=Term(_("{n} columns", n=several) if several else cut_name(proof.column, _LEVEL)),
    )
    if (measure := PROMISED.get(demand)) is not None:
        where = f"{where}: {measure}"
    # Who is not covered was promised nothing, which is no success either.
    tone = "red" if not proof.met else "" if proof.not_covered else "green"
    return Row(where, proof_cells(proof, demand), tone)


def _build_steps_part(report: Report) -> Part:
    """Return a table line for each of the first six steps, and the number of further steps.

    If numbers were grouped into ranges before the steps, a line "Before the steps" comes first, in addition to the six.
    """
    by_name = {column.name: column for column in report.columns}
    rows = [_build_step_row(step, by_name, report) for step in report.steps[:MOST_STEPS]]
    # Ranges are no step: numbers were grouped before the first one.
    ranged = [column.name for column in report.columns if column.released and GROUPED.english in column.treatment]
    if ranged:
        rows.insert(0, Row(_("Before the steps"), (_join_column_names(ranged), _("grouped into ranges"))))
    return Part(tuple(rows), max(len(report.steps) - MOST_STEPS, 0))


def _join_column_names(columns: Sequence[str]) -> str:
    """Return column names joined by commas; where they take over 80 characters, those that fit and "and 4 more".

    At least the first name is always written, however long it is.
    """
    lengths = accumulate(len(name) + 2 for name in columns)
    fitting = max(sum(length <= _COLUMNS for length in lengths), 1)
    names = Term(", ".join(columns[:fitting]))
    return (
        _("{columns} and {n} more", columns=names, n=len(columns) - fitting) if fitting < len(columns) else str(names)
    )


def _describe_changed_cells(step: StepEntry, treated: Sequence[ColumnEntry], report: Report) -> str:
    """Return how many cells of these columns were changed, such as "12 cells changed" or "nothing changed".

    "" where that was not counted for some column. Where other steps treat one of these columns, the text says that the
    number includes their effect, also if it is 0: "0 cells changed, with other steps".
    """
    cells = sum(int(column.changed.value or 0) for column in treated)
    if any(column.changed.value is None for column in treated):
        return ""
    others = {name for other_step in report.steps if other_step.index != step.index for name in other_step.columns}
    if not others.isdisjoint(column.name for column in treated):
        return _("{n} {n:cell|cells} changed, with other steps", n=cells)
    return _("{n} {n:cell|cells} changed", n=cells) if cells else _("nothing changed")


def _build_step_row(step: StepEntry, columns: dict[str, ColumnEntry], report: Report) -> Row:
    """Return the line of one step: number, method and mode, its columns, and what it changed.

    The last cell is, in this order of precedence: "5 records removed"; "2 columns left out", the number of all its
    columns, if none is released; a note that all values in its released columns are artificial; "12 cells changed"; ""
    where this was not counted.
    """
    treated = [columns[name] for name in step.columns if name in columns and columns[name].released]
    removed = int(step.detail.get("records", 0)) if step.detail.get("what") == "records" else 0
    if removed:
        text = _("{n} {n:record|records} removed", n=removed)
    elif not treated:
        text = _("{n} {n:column|columns} left out", n=len(step.columns))
    elif all(is_synthetic(column.treatment) for column in treated):
        text = _("all values are artificial")
    else:
        text = _describe_changed_cells(step, treated, report)
    names = _join_column_names(step.columns)
    return Row(f"{step.index}. {step_title(step.method)}, {MODES.get(step.mode, step.mode)}", (names, text))
