"""Names of the report's figures in plain words, and report figures with their intervals as text.

Also figures of how coarse generalised values are and what groups reveal, for report and window.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ppdm_desktop.engine.figure import Figure, Measure
from ppdm_desktop.engine.methods.base.declaration import find_step_method
from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.report.drawing import percent
from ppdm_desktop.engine.report.figures_and_limits import (
    NO_LIMIT,
    check_title,
    describe_measured_figure,
    describe_with_control,
    figure_title,
    find_stated_count,
    format_limit,
)
from ppdm_desktop.engine.report.model import (
    AttackEntry,
    CheckEntry,
    LevelSources,
    Outcome,
    Release,
    Report,
    StepEntry,
    Verdict,
)
from ppdm_desktop.engine.report.scene.shares import count_base_records, recover_count
from ppdm_desktop.engine.wording.catalogue import Sentence, _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.texts import render, render_stored, render_title
from ppdm_desktop.engine.wording.values import Name, Names, Number, Term, Terms

# --- written figures ----------------------------------------------------------------------


def format_report_number(value: float | str | None) -> str:
    """Return a number as text: a whole one in full, others with three significant digits.

    In English, 12345 gives "12,345", 0.123456 "0.123", 1234.567 "1,230". A text comes back unchanged, None as a dash.
    """
    numbers = numbers_of(language())
    if value is None:
        return numbers.none(cell=True)
    if isinstance(value, str):
        return value
    return numbers.count(int(value)) if float(value).is_integer() else numbers.number(value)


def kind_of(figure: Figure) -> str:
    """Return how to write a figure: ``percent`` for a share, ``change`` for a share below 0, ``number`` for all else.

    A share counts as below 0 if its value or the lower end of its interval is: 0.02 with the interval -0.01 to 0.05.
    """
    if figure.unit != "share":
        return "number"
    return "change" if any(end is not None and end < 0 for end in (figure.value, figure.low)) else "percent"


def write_value(value: float, kind: str, of: int = 0) -> str:
    """Return a number as text, in the format that its kind requires; an unknown kind is written as ``number``.

    0.375 gives "38%" as ``percent``, and as ``people`` "6 of 16" with ``of`` 16; 0.05 gives "+5 percentage points" as
    ``change``; 0.5 gives "0.5 × noise" as ``noise``; 12 gives "12" as ``count``; 3.14159 gives "3.14" as ``number``.

    Parameters
    ----------
    kind
        ``count``; ``percent``; ``people`` (a share of people, written as a count if it is a whole number of fewer
        than 100 of them, else as a percentage); ``change`` (a difference of shares); ``noise`` (an error in standard
        deviations of the noise); or ``number``.
    of
        Number of people that the value is a share of, for ``people``.
    """
    numbers = numbers_of(language())
    hits = recover_count(value, of) if kind == "people" else None
    if hits is not None:
        return numbers.share(hits, of)
    if kind in ("percent", "people"):
        return percent(float(value))
    # A gain of nothing is a figure, and no value that stayed as it was.
    if kind == "change":
        return numbers.change(float(value)) if value else numbers.points(0.0)
    if kind == "noise":
        return _("{error} × noise", error=Number(value))
    return format_report_number(value)


def write_interval(figure: Figure, kind: str) -> str:
    """Return the ends of a figure's interval in words, "2% to 5%"; "" where it has none or its ends are equal.

    ``kind`` is the format, see `write_value`, but ``people`` is written in per cent and ``noise`` as a number.
    Percentages and percentage points are rounded outward, other numbers to three significant digits unless whole.
    """
    low, high = figure.low, figure.high
    if low is None or high is None or low >= high:
        return ""
    is_share = kind in ("percent", "people")
    if is_share and 0 <= low <= high <= 1:
        return numbers_of(language()).between(low, high)
    if kind == "change":
        return numbers_of(language()).change_between(low, high)
    ends = (
        (percent(low, "low"), percent(high, "high"))
        if is_share
        else (format_report_number(low), format_report_number(high))
    )
    return _("{low} to {high}", low=Term(ends[0]), high=Term(ends[1]))


def write_figure(figure: Figure, kind: str) -> str:
    """Return a figure as text with its 95 % interval in brackets: "5% (95% interval: 2% to 9%)".

    Without an interval the figure stands alone. "no figure" and the reason where it was not measured. ``kind`` is how
    the number is written, as in `write_value`.
    """
    if figure.value is None:
        return _("no figure: {why}", why=figure.reason)
    text, interval = write_value(float(figure.value), kind, figure.n or 0), write_interval(figure, kind)
    if not interval:
        return text
    return _("{figure} (95% interval: {interval})", figure=Term(text), interval=Term(interval))


def write_measure(figure: Figure, measure: Measure) -> str:
    """Return a figure as text for a table cell, in the format of its measure, without its interval.

    A dash where it was not measured.
    """
    if figure.value is None:
        return numbers_of(language()).none(cell=True)
    return write_value(float(figure.value), measure.kind, count_base_records(figure))


# --- report words -------------------------------------------------------------------------

MARKS = {"green": "✓", "amber": "!", "red": "✕", "not-applicable": "–", "not-run": "?"}
STATUSES = {
    "green": lazy("Passed"),
    "amber": lazy("Needs a reason"),
    "red": lazy("Stops the release"),
    "not-applicable": lazy("Does not apply"),
    "not-run": lazy("Not checked, needs a reason"),
}
OUTCOME_TONES = {"withstood": "green", "forecast": "amber", "note": "amber", "works": "red"}
ROLES = {
    "identifier": lazy("Names a person"),
    "quasi-identifier": lazy("Known to others"),
    "confidential": lazy("Confidential"),
    "other": lazy("Neither"),
    "privacy-level": lazy("Protection level"),
    "left-out": lazy("Left out"),
    PSEUDONYM: lazy("Code in place of an identifier"),
}
KINDS = {
    "numeric": lazy("Number"),
    "ordinal": lazy("Ranked"),
    "nominal": lazy("Category"),
    "date": lazy("Date"),
    "text": lazy("Free text"),
}
MODES = {
    "safe": lazy("recommended settings"),
    "paper": lazy("settings as in the paper"),
    "own": lazy("settings of the recipe"),
}
"""How a method ran."""
SEARCHES = {
    "calibrated": lazy("this swap (calibrated)"),
    "random": lazy("random choice"),
    "exact": lazy("exact search"),
    "greedy": lazy("rounds of the paper"),
    "as-set": lazy("the step as set"),
}
"""The searches of a swap on the frontier."""
RECOUNTED_FROM = {
    "file": lazy("Anyone can check this from the released file."),
    "file+original": lazy("You can check this from the released file and the original."),
    "run": lazy("You can check this by a new run with the secret key."),
}
COUNTED = {
    "records": lazy("Records checked:"),
    "values": lazy("Values checked:"),
}
WORST = {
    "departures": lazy("Breaks of the promise:"),
    "group": lazy("Smallest group found:"),
    "privacy": lazy("How much the range of a true value shrinks, at most:"),
    "total": lazy("Largest change of a total, in steps of its column:"),
}
"""What a recount looked at, and what its worst figure is, by what the method declares."""
KEYS_FROM = {
    "os": lazy("The secret key of this run was drawn by the operating system."),
    "file": lazy("The secret key of this run was read from a file."),
    "seed": lazy("The secret key of this run was made from a number that can be guessed."),
}
KEY_STATES = {
    "kept": lazy("It is kept in the folder “internal”."),
    "destroyed": lazy("It was destroyed."),
    "seed": lazy("It is not kept, but the number makes it again."),
}
SCOPES = (
    ("quasi_identifiers", lazy("An intruder who knows the details others may know")),
    ("released", lazy("An intruder who knows every released column except the confidential ones")),
)
MEASURES = (
    ("one_row", lazy("one row of a person")),
    ("all_rows", lazy("all rows of a person")),
)
RISK_ROWS = (
    ("records", lazy("Records"), "n", "count"),
    (
        "equivalence_classes",
        lazy("Groups of records with the same details"),
        lazy("equivalence classes"),
        "count",
    ),
    ("k", lazy("Smallest group"), "k", "count"),
    ("unique", lazy("Unique: nobody else has the same details"), lazy("sample uniques"), "count"),
    (
        "prosecutor_max",
        lazy("Highest chance of being found by someone who knows that the person is in the file"),
        lazy("prosecutor, maximum"),
        "percent",
    ),
    ("prosecutor_mean", lazy("The same on average"), lazy("prosecutor, mean"), "percent"),
    (
        "share_over_threshold",
        lazy("Share of records in groups that are too small"),
        lazy("share over the threshold"),
        "people",
    ),
    (
        "marketer",
        lazy("Expected share found by someone who tries to find everyone"),
        lazy("marketer"),
        "percent",
    ),
    ("l_distinct", lazy("Fewest different confidential values in a group"), "distinct l", "count"),
    ("l_entropy", lazy("The same, but rare values count less"), "entropy l", "number"),
    (
        "t_closeness",
        lazy("Largest difference between the confidential values of a group and of everyone"),
        "t-closeness",
        "number",
    ),
    (
        "journalist_max",
        lazy("Highest chance of being found by someone who does not know who is in the file"),
        lazy("journalist, maximum"),
        "percent",
    ),
)
"""Key of the figure, what it is called, its term, and how it is written."""
HOW_USEFUL: Mapping[str, Sentence] = {
    "useful": lazy("Useful: geometric mean of columns kept, pairs kept and believable rows."),
    "columns": lazy(
        "Columns kept: 1 minus total variation, average over the source columns. Broader values also count by "
        "granularity. A column left out counts 0."
    ),
    "pairs": lazy("Pairs of columns kept: the same for tables of two columns."),
    "believable": lazy(
        "Believable rows: share of rows that break no rule which held in the source. A rounded number or a limit "
        "breaks one only if no value that it stands for keeps it."
    ),
}
"""How each figure of usefulness is measured."""
OUTCOMES: Mapping[Outcome, Sentence] = {
    "withstood": lazy("Attack failed"),
    "forecast": lazy("Only a forecast"),
    "note": lazy("Not ruled out"),
    "works": lazy("Attack succeeded"),
}
"""How an attack can end, the gravest last."""
_BY_SEVERITY: Mapping[str, Outcome] = {"none": "withstood", "some": "note", "serious": "works", "total": "works"}
ATTACKERS = (
    (
        "prosecutor_max",
        lazy("Knows that a person is in the file and looks for this person"),
        lazy("prosecutor, maximum"),
        lazy("Highest chance of being found by someone who knows that the person is in the file"),
    ),
    (
        "prosecutor_mean",
        lazy("The same on average"),
        lazy("prosecutor, mean"),
        "",
    ),
    (
        "journalist_max",
        lazy("Does not know who is in the file and looks for anyone"),
        lazy("journalist, maximum"),
        lazy("Highest chance of being found by someone who does not know who is in the file"),
    ),
    (
        "journalist_mean",
        lazy("The same on average"),
        lazy("journalist, mean"),
        "",
    ),
    (
        "marketer",
        lazy("Tries to find everyone at once"),
        lazy("marketer"),
        lazy("Expected share found by someone who tries to find everyone"),
    ),
)
"""Each kind of intruder: key of the figure, who it is, the term, and what the figure says."""


PROMISED: Mapping[str, Sentence] = {
    "swap": lazy("share of unique people changed"),
    "group": lazy("people in a group"),
    "intervals": lazy("spread of the noise"),
}
"""What a step promises to a level, by the first demand of the level map that its method reads."""


def first_demand(step: StepEntry | None) -> str:
    """Return the kind of protection that a step's method adapts to privacy levels, such as ``group``; "" for none.

    Parameters
    ----------
    step
        The step of the report; None if there is no such step, which gives "".
    """
    method = None if step is None else find_step_method(step.method)
    return method.reads_levels[0] if method is not None and method.reads_levels else ""


def describe_sources(sources: LevelSources, *, people: bool) -> str:
    """Return in words how many records got their privacy level from each source; "" where there are no records.

    Example: "Of the people: 90 have the default level, 10 get their level from a column." Sources without a record are
    left out.

    Parameters
    ----------
    sources
        Number of records whose level each source decided.
    people
        Whether the records are people, not rows.
    """
    parts = [
        (sources.default, lazy("{n} {n:has|have} the default level")),
        (sources.column, lazy("{n} {n:gets its|get their} level from a column")),
        (sources.rules, lazy("{n} {n:gets its|get their} level from a rule")),
        (sources.rows, lazy("{n} {n:was|were} given a level row by row")),
    ]
    counts_text = tuple(sentence.format(n=count) for count, sentence in parts if count)
    if not counts_text:
        return ""
    template = lazy("Of the people: {parts}.") if people else lazy("Of the records: {parts}.")
    return template.format(parts=Terms(counts_text))


def describe_decision(verdict: Verdict) -> str:
    """Return the decision in words, the first line of every output: blocked, a draft, or released and on what terms.

    - Blocked: which checks stop it or need a reason.
    - Neither blocked nor released: a draft.
    - Released: without conditions, with written reasons (how many), on an agreement with the recipients, or both.

    It is in the current language.
    """
    decision = verdict.decision
    if decision.status == "blocked":
        return render("verdict.blocked", {"checks": _describe_blocking_checks(verdict)}).sentence
    if not decision.released:
        return render("decision.draft").sentence
    is_agreed = any(check.is_agreed for check in verdict.checks)
    if decision.accepted:
        id = "verdict.released-with-reasons-on-agreement" if is_agreed else "verdict.released-with-reasons"
        return render(id, {"n": len(decision.reasons)}).sentence
    return render("verdict.released-on-agreement" if is_agreed else "verdict.released").sentence


def _describe_blocking_checks(verdict: Verdict) -> Sentence:
    """Return a sentence on which checks block a release: red ones stop it, all others need a written reason.

    Example: "“A” and “B” stop it. “C” needs a written reason." The part without a check is left out; at least one check
    must block.
    """
    against = [check for check in verdict.checks if check.id in verdict.decision.blocked_by]
    red, amber = ([check for check in against if (check.status == "red") is is_red] for is_red in (True, False))
    stop = lazy("{checks} {checks:stops|stop} it.", checks=_quote_check_titles(red))
    need = lazy("{checks} {checks:needs|need} a written reason.", checks=_quote_check_titles(amber))
    if not amber:
        return stop
    return need if not red else lazy("{stop} {need}", stop=stop, need=need)


@dataclass(frozen=True)
class FigureLine:
    """One of the figures that every page names, in words.

    Attributes
    ----------
    check
        The check that the figure belongs to.
    title, before, after, limit
        Name of the figure, its value in the original (empty without one) and in the release, and its limit.
    is_judged
        Whether the check compared this figure with its limit; all pages may state another count than it judged.
    """

    check: CheckEntry
    title: str
    before: str
    after: str
    limit: str
    is_judged: bool = True


def figure_lines(verdict: Verdict, original: Verdict | None) -> list[FigureLine]:
    """Return the figures that every page names, each with its limit and, given ``original``, its value in the source.

    They are in the order of the gate. People are counted as on all other pages; if a check judged a different count,
    this line has no limit, and the count that was judged follows in a line of its own, with the limit and without a
    value in the source. A figure of one column has no value in the source if it is of another column there. The limit
    is "by agreement" where the check passes only because of the recipients' agreement.
    """
    original_checks = {check.id: check for check in original.checks} if original is not None else {}
    lines = []
    for check in verdict.figures:
        before, title = "", figure_title(check)
        source_check = original_checks.get(check.id)
        if original is not None and source_check is not None and not _is_of_other_column(check, source_check):
            before = _describe_stated_figure(original, source_check)
        after, limit = (
            _describe_stated_figure(verdict, check),
            _("by agreement") if check.is_agreed else format_limit(check),
        )
        if find_stated_count(verdict, check) is not None:
            lines.append(FigureLine(check, render_title(check.figure_title), before, after, NO_LIMIT, is_judged=False))
            before, after = "", describe_with_control(check, describe_measured_figure(check))
        lines.append(FigureLine(check, title, before, after, limit))
    return lines


def _is_of_other_column(check: CheckEntry, source_check: CheckEntry) -> bool:
    """Return whether both results of a check name a column, and not the same one."""
    column, source_column = (entry.sentence.note.arguments.get("column") for entry in (check, source_check))
    return None not in (column, source_column) and column != source_column


def _describe_stated_figure(verdict: Verdict, check: CheckEntry) -> str:
    """Return in words what all pages state for a check: people counted in the same way for all verdicts, if known.

    Otherwise it is the check's own figure, with its column and control where the check names them.
    """
    stated = verdict.singled_out if check.counts_singled else None
    if (other := find_stated_count(verdict, check)) is not None:
        stated = other.hits, other.of
    if stated is not None:
        return numbers_of(language()).full(*stated)
    return describe_with_control(check, describe_measured_figure(check))


def _quote_check_titles(checks: Sequence[CheckEntry]) -> Terms:
    """Return the titles of checks in full, in their order, each in the current language's quotation marks."""
    opening, closing = numbers_of(language()).locale.quotes
    return Terms(tuple(f"{opening}{check_title(check)}{closing}" for check in checks))


def describe_outcome(release: Release, verdict: Verdict) -> str:
    """Return the decision in words; for a copy made for teaching, only a statement that it is one.

    If the verdict is released but a second person has to approve it, the text says so first.
    """
    if release.teaching_copy:
        return render("decision.teaching-copy").sentence
    decision = describe_decision(verdict)
    if release.four_eyes and verdict.decision.released:
        return _("Only with the approval of a second person: {decision}", decision=Term(decision))
    return decision


def describe_readiness(verdict: Verdict) -> str:
    """Return the words for a release that nothing blocks and that is not written yet.

    They state the number of written reasons, if there are any.
    """
    reasons = len(verdict.decision.reasons)
    return render("decision.ready-reasons" if reasons else "decision.ready", {"reasons": reasons}).sentence


def attack_outcome(entry: AttackEntry, checks: Iterable[CheckEntry]) -> Outcome:
    """Return how an attack ended by its own criterion, or ``note`` if it did not succeed and its check did not pass.

    Parameters
    ----------
    checks
        All checks of the verdict; empty where the release was not judged.
    """
    return "note" if needs_reason(entry, checks) else _find_outcome(entry)


def needs_reason(entry: AttackEntry, checks: Iterable[CheckEntry]) -> bool:
    """Return whether an attack did not work by its own criterion, but its check does not simply pass.

    The check then stops the release, needs a written reason, or did not run. ``checks`` are all checks of the verdict;
    False without the attack's check, as where the release was not judged.
    """
    judged = next((check for check in checks if check.id == entry.labels.judged_by), None)
    is_asked = judged is not None and judged.status in ("red", "amber", "not-run")
    return is_asked and _find_outcome(entry) != "works"


def _find_outcome(entry: AttackEntry) -> Outcome:
    """Return how an attack ended by its own criterion, or by its severity where none was declared."""
    return entry.labels.outcome or _BY_SEVERITY[entry.severity]


def describe_attack_outcome(entry: AttackEntry, checks: Iterable[CheckEntry] = ()) -> str:
    """Return how an attack ended in words, such as "Attack failed"; ``checks`` are as in `attack_outcome`."""
    return str(OUTCOMES[attack_outcome(entry, checks)])


def count_people_attacked(report: Report) -> int:
    """Return how many people an attack can look for in the release.

    It is the number of released rows; where people have several rows in the source it is the number of released people,
    if these were counted.
    """
    verdict = report.verdict
    several = verdict.people < verdict.rows and verdict.singled is not None
    return verdict.singled.people if several and verdict.singled is not None else report.release.rows


def describe_people_looked_for(entry: AttackEntry, report: Report) -> str:
    """Return how many people an attack looked for, of how many: "200 of 1,000"; a dash where it looks for nobody.

    The second number is that of `count_people_attacked`. If the first exceeds it (an attack may try keys instead of
    people), only the first is given.
    """
    numbers, people = numbers_of(language()), count_people_attacked(report)
    if not entry.sampled:
        return numbers.none(cell=True)
    sampled = numbers.count(entry.sampled)
    # Keys are tried, and no people: there may be more of them.
    return sampled if entry.sampled > people else numbers.locale.phrases.of.format(sampled, numbers.count(people))


def attack_titles(entries: Sequence[AttackEntry]) -> list[str]:
    """Return the titles of attacks, in order; attacks with equal titles also name their column.

    Instead of a column, an attack without one states how many columns the intruder knows; a title may then still occur
    twice.
    """
    titles = [render_stored(entry.sentence.id, entry.sentence.arguments).title for entry in entries]
    return [
        _format_attack_title(title, entry) if titles.count(title) > 1 else title
        for title, entry in zip(titles, entries, strict=True)
    ]


def _format_attack_title(title: str, entry: AttackEntry) -> str:
    """Return an attack's name with its column: "Linkage: income".

    Without a column it has the number of columns the intruder knows ("Linkage by 3 columns"), or is unchanged if that
    number is not stated.
    """
    if entry.column is not None:
        return _("{attack}: {column}", attack=Term(title), column=Name(entry.column))
    columns = entry.knows.note.arguments.get("columns")
    if not isinstance(columns, Names):
        return title
    return _("{attack} by {n} {n:column|columns}", attack=Term(title), n=len(columns.texts))


@dataclass(frozen=True)
class AttackFigure:
    """A figure of an attack's result.

    Attributes
    ----------
    key
        Path of the figure below the attack's result in report.json.
    label, term
        Name of the figure in plain words, and the technical term; empty where there is none.
    kind
        Format of the figure, such as ``percent``, see `write_value`.
    """

    key: str
    label: str
    term: str
    figure: Figure
    kind: str

    @property
    def text(self) -> str:
        """The figure with its interval in words; the reason where it was not measured."""
        return write_figure(self.figure, self.kind)


def attack_figures(entry: AttackEntry) -> list[AttackFigure]:
    """Return the figures of an attack that report, window and command line list.

    They are success, control, chance and advantage, then additional figures, then the share of people about whom the
    attack is at least 95 % sure and right. Figures that were not measured are included. If the success is no share, it
    is an error: the first three have the format ``noise``, and the advantage is the share of the error removed.
    """
    is_share = entry.success.unit == "share"
    kind, labels = "people" if is_share else "noise", entry.labels
    control = render(labels.control).sentence if entry.control.value is not None else _("Comparison")
    gain = _("What the attack gains") if is_share else _("Share of the error that is removed")
    chance = labels.chance if entry.chance.unit == "share" else "attack.chance.average"
    success = labels.figures or ("attack.fact.success" if is_share else "attack.fact.error-left")
    return [
        AttackFigure("success", render(success).sentence, _("success"), entry.success, kind),
        AttackFigure("control", control, _("control"), entry.control, kind),
        AttackFigure("chance", render(chance).sentence, "", entry.chance, kind),
        AttackFigure("advantage", gain, _("advantage"), entry.advantage, "change" if is_share else "percent"),
        *(
            AttackFigure(
                f"further.{name}",
                render(labels.further[name]).sentence if name in labels.further else name,
                "",
                figure,
                "people" if figure.unit == "share" else "number",
            )
            for name, figure in entry.further.items()
        ),
        AttackFigure(
            "tail.share_sure_and_right",
            render("attack.fact.sure").sentence,
            _("tail at 95% confidence"),
            entry.tail.share_sure_and_right,
            "people",
        ),
    ]


def levels_are_sampled(entry: AttackEntry) -> bool:
    """Return whether, for any privacy level, an attack looked for fewer people than have this level."""
    return any(level.success.n is not None and level.success.n < level.records for level in entry.levels)


_MEASURES: Mapping[str, tuple[Sentence, str]] = {
    "granularity": (lazy("Detail kept (granularity; 100% means unchanged)"), "percent"),
    "entropy": (lazy("Bits lost per value (non-uniform entropy)"), "number"),
    "discernibility": (lazy("Sum of squared group sizes (discernibility)"), "number"),
    "average_class": (lazy("Average group size, as a multiple of the smallest allowed"), "number"),
}


@dataclass(frozen=True)
class CoarsenessFigure:
    """A figure of how coarse generalised values are, with its key in report.json, its name and its format."""

    key: str
    label: str
    value: float
    kind: str

    @property
    def text(self) -> str:
        """The figure in words, a percentage or a number."""
        return write_value(self.value, self.kind)


def coarseness_figures(coarseness: Mapping[str, Any]) -> list[CoarsenessFigure]:
    """Return figures of how coarse generalised values are and, by confidential column, what the groups reveal.

    The first are granularity, entropy, discernibility and average group size; then each confidential column has three:
    people in a group with a single value, values guessed right by the group's most common one, and by that of all.
    ``coarseness`` holds them by key, from the details of a step in the report. Figures that were not measured are left
    out.
    """
    figures = [
        CoarsenessFigure(key, str(label), coarseness[key]["value"], kind)
        for key, (label, kind) in _MEASURES.items()
        if coarseness[key]["value"] is not None
    ]
    for name, shares in coarseness["homogeneity"].items():
        if shares["one_valued"]["value"] is None:
            continue
        labels = {
            "one_valued": _("People in a group where everyone has the same {column}", column=Name(str(name))),
            "majority": _("{column} guessed right by the most common value of the group", column=Name(str(name))),
            "baseline": _("{column} guessed right by the most common value of all", column=Name(str(name))),
        }
        figures += [
            CoarsenessFigure(f"homogeneity.{name}.{key}", label, shares[key]["value"], "percent")
            for key, label in labels.items()
        ]
    return figures
