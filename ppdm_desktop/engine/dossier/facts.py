"""The facts that fields of papers ask for: each function formats figures of the report, and none computes a figure.

Paths of figures are JSON pointers into report.json: ``/verdict/checks/3/figure/value``. A fact that was not tested has
no blocks, and its field is left for people to fill in.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from ppdm_desktop.engine.dossier.agreement import agreement_clauses, list_all_names
from ppdm_desktop.engine.dossier.blocks import Block, Cell, make_paragraph, make_table
from ppdm_desktop.engine.methods.base.declaration import step_title
from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES
from ppdm_desktop.engine.report.certificate import describe_codes, describe_people_and_rows, proof_cells
from ppdm_desktop.engine.report.figures_and_limits import (
    NO_LIMIT,
    check_title,
    describe_measured_figure,
    figure_title,
    format_limit,
    residual_risk,
)
from ppdm_desktop.engine.report.html import (
    find_next_step,
    format_iso_day,
    format_report_count,
    name_recipients,
    sentence_of,
    translate_promise,
    translate_treatment,
)
from ppdm_desktop.engine.report.model import (
    AttackEntry,
    CheckEntry,
    Report,
    SafeHarborEntry,
    StepEntry,
    Verdict,
)
from ppdm_desktop.engine.report.report_texts import (
    KEY_STATES,
    KEYS_FROM,
    KINDS,
    MEASURES,
    ROLES,
    attack_figures,
    attack_titles,
    describe_attack_outcome,
    describe_outcome,
    describe_people_looked_for,
    figure_lines,
    first_demand,
    write_figure,
)
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.texts import level_title, render_stored, render_title
from ppdm_desktop.engine.wording.values import Name, Term, Terms

Blocks = list[Block]
Fact = Callable[[Report], Blocks]
Column = tuple[str, Callable[[Any], str]]
INTERNAL_FACTS = frozenset({"try-first"})
"""Facts that name rows of the source, and stand in the internal copy of a paper alone."""
SAFE_HARBOR = "safe-harbor"


def _format_people_cell(hits: int, of: int, *paths: str) -> Cell:
    """Return a cell such as "3 of 120 (2.5 %)": how many people of how many."""
    return Cell(numbers_of(language()).full(hits, of), paths)


def _build_pair_table(pairs: Mapping[str, tuple[str, str]]) -> Block:
    """Return a table of labels and texts, given by the paths of their figures; empty texts are left out."""
    rows = [(Cell(label), Cell(text, tuple(paths.split()))) for paths, (label, text) in pairs.items() if text]
    return make_table([_("What"), _("Value")], rows)


def _build_table_or_text(heads: Iterable[str], rows: Sequence[Sequence[Cell]], none: str = "") -> Blocks:
    """Return a table with these heads and rows; without rows, a paragraph with the text ``none``, or "None."."""
    return [make_table(tuple(heads), rows) if rows else make_paragraph(none or _("None."))]


def _build_entry_table(
    path: str, entries: Iterable[tuple[int, Any]], columns: Mapping[str, Column], none: str = ""
) -> Blocks:
    """Return a table with a row for each entry of a list of report.json, or a paragraph where there is no entry.

    Parameters
    ----------
    path
        Path of the list in report.json; ``entries`` have their numbers in this list.
    columns
        For each heading, the keys of an entry that the column's text is made from, divided by blanks, and the function
        that makes it.
    none
        Text of the paragraph if there is no entry; "" for "None.".
    """
    rows = [
        [Cell(write(entry), tuple(f"{path}/{n}/{key}" for key in keys.split())) for keys, write in columns.values()]
        for n, entry in entries
    ]
    return _build_table_or_text(columns, rows, none)


def _check_paths(verdict: Verdict, side: str, check: CheckEntry) -> tuple[str, ...]:
    """Return the paths in report.json of a check’s figure, counts of people, limit and sentence arguments.

    If the check counts people who are singled out, the path of these counts is included. ``side`` is "verdict", or
    "original" for the figures before the release; ``verdict`` is the verdict of that side and has the check.
    """
    path = f"/{side}/checks/{[entry.id for entry in verdict.checks].index(check.id)}"
    singled = (f"/{side}/singled",) if check.counts_singled else ()
    return (*(f"{path}/{key}" for key in ("figure", "hits", "of", "limit", "sentence/arguments")), *singled)


# --- the source and what was done ---------------------------------------------------------


def _describe_audience(report: Report) -> Blocks:
    """Return a paragraph that names the recipients and how many people at least must share the same details (k_min)."""
    who = _(
        "For {who}. At least {k} {k:person|people} must share the same details.",
        who=Term(name_recipients(report.release.type)),
        k=report.release.k_min,
    )
    return [make_paragraph(who, "/release/type", "/release/k_min")]


def _describe_people(report: Report) -> Blocks:
    """Return a paragraph with the number of people and how rows belong to people."""
    number = _("{n} {n:person|people}", n=report.verdict.people)
    paths = ("/verdict/people", "/verdict/people_known_by", "/input/people", "/input/reduce")
    return [make_paragraph(f"{number}. {describe_people_and_rows(report)}", *paths)]


def _describe_source(report: Report) -> Blocks:
    """Return a table on the source file: name (or "not known"), SHA-256, size, and the rows and columns read."""
    source = report.input
    pairs = {
        "/input/name": (_("Source file"), source.name or _("not known")),
        "/input/sha256": (_("SHA-256"), source.sha256),
        "/input/bytes": (_("Size"), numbers_of(language()).size(source.bytes)),
        "/input/rows_read": (_("Rows"), format_report_count(source.rows_read)),
        "/input/columns_read": (_("Columns"), format_report_count(source.columns_read)),
    }
    return [_build_pair_table(pairs)]


def _describe_versions(report: Report) -> Blocks:
    """Return two tables: program version, rules version and recipe hash; and the release's files with hashes.

    A draft (a release without files to hand over) has a paragraph "None." in place of the second table.
    """
    pairs = {
        "/program/version": (_("Version of the program"), report.program.version),
        "/program/rules": (_("Version of its rules"), format_report_count(report.program.rules)),
        "/recipe_sha256": (_("Recipe, SHA-256"), report.recipe_sha256),
    }
    columns = {_("File"): ("path", lambda file: file.path), _("SHA-256"): ("sha256", lambda file: file.sha256)}
    return [_build_pair_table(pairs), *_build_entry_table("/files", enumerate(report.files), columns)]


def _describe_columns(report: Report) -> Blocks:
    """Return a table of all columns of the source with kind, role (or "not decided") and treatment."""
    columns = {
        _("Column"): ("name", lambda column: column.name),
        _("Kind"): ("kind", lambda column: str(KINDS[column.kind])),
        _("Role"): ("role", lambda column: str(ROLES.get(column.role or "", _("not decided")))),
        _("Treatment"): ("treatment", lambda column: translate_treatment(column.treatment)),
    }
    return _build_entry_table("/columns", enumerate(report.columns), columns)


def _describe_minimisation(report: Report) -> Blocks:
    """Return a table of the columns that are left out of the release, and of those generalised or suppressed.

    If there is no such column, the result is a sentence that says so.
    """
    coarser = [
        (n, column)
        for n, column in enumerate(report.columns)
        if not column.released or any(word in column.treatment for word in ("generalisation", "suppression"))
    ]
    columns = {
        _("Column"): ("name", lambda column: column.name),
        _("Treatment"): ("treatment", lambda column: translate_treatment(column.treatment)),
    }
    return _build_entry_table("/columns", coarser, columns)


def _describe_left_out(report: Report) -> Blocks:
    """Return a table of what was left out: rows released of all rows, columns not released, and further counts.

    If synthetic rows make the release longer than the source, only the number of released rows is stated. The further
    counts are those that are not 0 among hidden rows, columns and sheets, rows left out or unreadable, and repaired
    cells by column.
    """
    source, verdict = report.input, report.verdict
    rows = numbers_of(language()).full(verdict.rows_released, verdict.rows)
    paths = "/verdict/rows_released /verdict/rows"
    if verdict.rows_released > verdict.rows:  # artificial rows may be more than there were
        rows, paths = format_report_count(verdict.rows_released), "/verdict/rows_released"
    counted = {
        "/input/hidden/rows": (_("Hidden rows"), source.hidden.rows),
        "/input/hidden/columns": (_("Hidden columns"), source.hidden.columns),
        "/input/hidden/sheets": (_("Hidden sheets"), source.hidden.sheets),
        "/input/rows_left_out": (_("Rows left out by the owner"), len(source.rows_left_out)),
        "/input/rows_unread": (_("Rows that could not be read"), len(source.rows_unread)),
    }
    for n, repair in enumerate(source.repairs):
        label = _("Cells repaired in {column}", column=Name(repair.column))
        counted[f"/input/repairs/{n}/cells"] = (label, repair.cells)
    columns = {
        f"/columns/{n}/name": (_("Column not released"), column.name)
        for n, column in enumerate(report.columns)
        if not column.released
    }
    counts = {path: (label, format_report_count(n) if n else "") for path, (label, n) in counted.items()}
    return [_build_pair_table({paths: (_("Rows released"), rows), **columns, **counts})]


def _describe_steps(report: Report) -> Blocks:
    """Return a table of the steps with columns, promise and whether it is kept; a sentence if there is no step."""
    columns = {
        _("Step"): ("method", lambda step: step_title(step.method)),
        _("Columns"): ("columns", lambda step: ", ".join(step.columns)),
        _("Promise"): ("promise", lambda step: translate_promise(step.promise) if step.promise else _("nothing")),
        _("Kept", "promise"): ("guarantee/holds", lambda step: _describe_promise(report, step)),
    }
    return _build_entry_table("/steps", enumerate(report.steps), columns)


def _describe_promise(report: Report, step: StepEntry) -> str:
    """Return in words whether a step kept its promise: "NO", "yes", or "yes, then changed again" by a later step."""
    if not step.guarantee.holds:
        return _("NO")
    return _("yes, then changed again") if find_next_step(report.steps, step) else _("yes")


def _describe_usefulness(report: Report) -> Blocks:
    """Return a table of the usefulness figures in percent, and a paragraph on what was lost if that is known.

    Figures without a value are left out. The result is empty where the overall figure has no value.
    """
    useful = report.verdict.usefulness
    if useful.useful.value is None:
        return []
    parts = {
        "columns": _("Columns kept"),
        "pairs": _("Pairs of columns kept"),
        "believable": _("Believable rows"),
        "useful": _("Useful"),
        "analyses": _("Analyses kept"),
    }
    pairs = {
        f"/verdict/usefulness/{key}": (label, "" if figure.value is None else write_figure(figure, "percent"))
        for key, label in parts.items()
        for figure in [getattr(useful, key)]
    }
    lost = [] if useful.lost is None else [make_paragraph(str(useful.lost), "/verdict/usefulness/lost", "/columns")]
    return [_build_pair_table(pairs), *lost]


# --- limits, figures and the decision -----------------------------------------------------


def _describe_levels(report: Report) -> Blocks:
    """Return a table of the privacy levels with their number of people and the group size that each demands.

    If there are no levels, the result is a sentence that says so.
    """
    privacy = report.privacy
    columns = {
        _("Level"): ("name", lambda level: level_title(level.name, privacy.level_labels)),
        _("People"): ("records", lambda level: format_report_count(level.records)),
        _("Group size demanded"): ("demand/group", lambda level: format_report_count(level.demand.group)),
    }
    return _build_entry_table("/privacy/levels", enumerate(privacy.levels), columns)


def _describe_level_proofs(report: Report) -> Blocks:
    """Return a table of the protection promised and reached for each privacy level and column.

    It also has the number of people and whether the promise was kept. If no step treats levels differently, the result
    is a sentence that says so.
    """
    steps = {step.index: step for step in report.steps}
    rows = []
    for n, proof in enumerate(report.verdict.levels):
        level = level_title(proof.level, report.privacy.level_labels)
        texts = (level, proof.column, *proof_cells(proof, first_demand(steps.get(proof.step))))
        rows.append([Cell(text, (f"/verdict/levels/{n}",)) for text in texts])
    heads = [_("Level"), _("Column"), _("People"), _("Promised"), _("Reached"), _("Kept", "promise")]
    return _build_table_or_text(heads, rows)


def _describe_limits(report: Report) -> Blocks:
    """Return a paragraph on where the limits come from, and a table of limits, of the figures that every page names.

    Figures without a limit are left out.
    """
    rows = [
        (Cell(figure_title(check)), Cell(limit, _check_paths(report.verdict, "verdict", check)))
        for check in report.verdict.figures
        if (limit := format_limit(check)) != NO_LIMIT
    ]
    origin = make_paragraph(sentence_of(report.release.threshold_source), "/release/threshold_source", "/release/k_min")
    return [origin, make_table([_("Figure"), _("Limit")], rows)]


def _describe_figures(report: Report) -> Blocks:
    """Return a table of the figures that every page names: title, before, after, limit.

    The value before is a dash where the original was not judged, or has no such figure.
    """
    original, none = report.original, numbers_of(language()).none(cell=True)
    rows = []
    for line in figure_lines(report.verdict, original):
        paths, before = _check_paths(report.verdict, "verdict", line.check), Cell(none)
        if line.before and original is not None:
            before = Cell(line.before, _check_paths(original, "original", original.check(line.check.id)))
        rows.append((Cell(line.title), before, Cell(line.after, paths), Cell(line.limit, paths)))
    return [make_table([_("Figure"), _("Before"), _("After"), _("Limit")], rows)]


def _describe_reasons(report: Report) -> Blocks:
    """Return a table of the checks that pass because of a written reason: cause, check, figure with limit, reason.

    If no reason was needed, the result is a sentence that says so.
    """
    rows = []
    for n, reason in enumerate(report.verdict.decision.reasons):
        for id in reason.checks:
            check = report.verdict.check(id)
            paths = _check_paths(report.verdict, "verdict", check)
            measured = Cell(describe_measured_figure(check), paths), Cell(format_limit(check), paths)
            written = Cell(reason.reason, (f"/verdict/decision/reasons/{n}/reason",))
            rows.append((Cell(render_title(reason.title)), Cell(check_title(check)), *measured, written))
    heads = [_("Cause"), _("Check"), _("Figure"), _("Limit"), _("Reason")]
    return _build_table_or_text(heads, rows)


def _describe_residual_risk(report: Report) -> Blocks:
    """Return a paragraph on the risk that remains, with the paths of its figures in report.json."""
    verdict = report.verdict
    paths = [
        path
        for check in verdict.checks
        if check.residual or check.counts_singled or verdict.decision.reason_for(check.id)
        for path in _check_paths(verdict, "verdict", check)
    ]
    return [make_paragraph(residual_risk(verdict), *paths)]


def _describe_decision(report: Report) -> Blocks:
    """Return a paragraph with the decision on the release."""
    return [make_paragraph(describe_outcome(report.release, report.verdict), "/verdict/decision", "/verdict/checks")]


def _describe_assumptions(report: Report) -> Blocks:
    """Return paragraphs on the columns known to an intruder, checks that rely on an agreement, and further assumptions.

    The paragraph on the agreement is left out where no check relies on one.
    """
    known = [column.name for column in report.columns if column.released and column.role == "quasi-identifier"]
    text = _(
        "Assumptions: an intruder knows the details marked as known to others, the method, its settings and the "
        "released file. The intruder has neither the key nor the original. This is a measured risk, not a legal "
        "opinion. No method used here gives differential privacy."
    )
    more = _("Two figures assume more: that the intruder also knows all columns that are not confidential.")
    details = (
        _("Known to others: {columns}.", columns=list_all_names(known)) if known else _("No column is known to others.")
    )
    agreed = [check_title(check) for check in report.verdict.checks if check.is_agreed]
    relying = _(
        "Passed only because the recipients sign an agreement: {checks}.", checks=Terms(tuple(agreed), all_named=True)
    )
    on_agreement = [make_paragraph(relying, "/verdict/checks")] if agreed else []
    return [make_paragraph(details, "/columns"), *on_agreement, make_paragraph(f"{text} {more}")]


def _describe_key(report: Report) -> Blocks:
    """Return two paragraphs: on where the random key came from and went, and on codes that replace identifiers.

    If no column contains such codes, the second paragraph says so.
    """
    key = f"{KEYS_FROM[report.verdict.draws.key]} {KEY_STATES[report.release.key]}"
    codes = describe_codes(report) or _("No codes stand in place of people.")
    return [make_paragraph(key, "/verdict/draws/key", "/release/key"), make_paragraph(codes, "/columns")]


def _describe_earlier_releases(report: Report) -> Blocks:
    """Return a table of earlier releases of the source with day and recipe hash; a sentence if there are none.

    The result is empty where the list of releases was not read.
    """
    if report.earlier_releases is None:
        return []
    columns = {
        _("Day"): ("date", lambda release: format_iso_day(release["date"])),
        _("Recipe, SHA-256"): ("recipe_sha256", lambda release: release["recipe_sha256"]),
    }
    none = _("This computer’s list names no earlier release of this source.")
    return _build_entry_table("/earlier_releases", enumerate(report.earlier_releases), columns, none)


def _describe_agreement(report: Report) -> Blocks:
    """Return a note and a table of the agreement's clauses with the assumption that each protects.

    For a public release, which nobody signs for, the result is a paragraph, and a table of the figures whose limits
    must hold without a contract.
    """
    if RELEASE_TYPES[report.release.type].is_public:
        text = _(
            "Anyone may get the data, so no contract binds those who use them. These figures must hold without one:"
        )
        return [make_paragraph(text, "/release/type"), *_describe_figures(report)]
    paths = ("/release/k_min", "/columns", "/verdict/singled", "/verdict/near")
    rows = [(Cell(clause.text, paths), Cell(clause.protects)) for clause in agreement_clauses(report)]
    note = _("What your contract should say; not legal advice.")
    return [make_paragraph(note), make_table([_("Clause"), _("The assumption it protects")], rows)]


# --- what an intruder learns --------------------------------------------------------------


def _describe_classes(report: Report) -> Blocks:
    """Return a table of equivalence class sizes before and after protection, by what the intruder knows.

    The result is empty without such figures. The column of unique people is left out where no row has a figure for it.
    For synthetic values a paragraph says why there is no class size after protection.
    """
    if report.verdict.classes is None:
        return []
    rows = _make_class_rows(report.verdict, _("after"), "/verdict/classes")
    if report.original is not None:
        rows = _make_class_rows(report.original, _("before"), "/original/classes") + rows
    heads = ["", _("Known to the intruder"), _("Smallest group"), _("People below the limit"), _("Unique people")]
    if not any(row[-1].paths for row in rows):  # unique people are counted only where somebody may have several rows
        heads, rows = heads[:-1], [row[:-1] for row in rows]
    blocks = [make_table(heads, rows)] if rows else []
    if report.verdict.classes.artificial:
        blocks.append(
            make_paragraph(_("Group sizes say nothing about artificial values, so none are given after protection."))
        )
    return blocks


def _make_class_rows(verdict: Verdict, when: str, path: str) -> list[tuple[Cell, ...]]:
    """Return a table row for each way of counting equivalence classes, by what the intruder is assumed to know.

    The cells of a row are ``when`` (before or after), what is known, the smallest class, the people in classes below
    the limit, and the unique people (a dash where only one count was made, for all details that others may know). The
    result is empty where the verdict has no class sizes. ``path`` is the path of the classes in report.json.
    """
    classes = verdict.classes
    if classes is None or classes.k is None:
        return []
    counts = [(f"{path}/{key}", str(known), getattr(classes, key)) for key, known in MEASURES]
    counts = [count for count in counts if count[2] is not None]
    if not counts and classes.below is not None:
        counts = [(path, _("all details that others may know"), classes)]
    rows: list[tuple[Cell, ...]] = []
    for where, known, counted in counts:
        size = Cell(format_report_count(counted.k), (f"{where}/k",))
        below = _format_people_cell(counted.below, classes.of, f"{where}/below", f"{path}/of")
        unique = Cell(numbers_of(language()).none(cell=True))
        if counted is not classes:
            unique = _format_people_cell(counted.alone, classes.of, f"{where}/alone", f"{path}/of")
        rows.append((Cell(when), Cell(known), size, below, unique))
    return rows


def _find_question(attack: AttackEntry) -> str:
    """Return which of the three questions of WP216 an attack tests: "singled", "linked" or "inferred".

    WP216 is the opinion of the European data protection authorities on anonymisation. Attacks that single people out
    are "singled"; of the others, those without an attacked column are "linked", and those on one column "inferred".
    """
    if attack.labels.kind == "picking-out":
        return "singled"
    return "linked" if attack.column is None else "inferred"


def _make_attack_table(report: Report, question: str = "") -> Blocks:
    """Return a table of attacks with their results, and a paragraph: all, or those for one question of WP216.

    WP216 is the opinion of the European data protection authorities on anonymisation. ``question`` is "singled",
    "linked", "inferred", or "" for all. The result is empty where attacks were not made or none tests the question.
    Each row has the attack's success, its control (or guessing by chance where there is no control), the people looked
    for and the result.
    """
    attacks = report.verdict.attacks
    if attacks is None:
        return []
    rows = []
    for n, (entry, name) in enumerate(zip(attacks, attack_titles(attacks), strict=True)):
        if question in ("", _find_question(entry)):
            path = f"/verdict/attacks/{n}"
            knows = render_stored(entry.knows.id, entry.knows.arguments).sentence
            success, control, chance = attack_figures(entry)[:3]
            compared = chance if entry.control.value is None else control
            people = (f"{path}/sampled", "/release/rows", "/verdict/singled")
            figures = [
                Cell(success.text, (f"{path}/{success.key}",)),
                Cell(f"{compared.text}\n{compared.label}", (f"{path}/{compared.key}",)),
                Cell(describe_people_looked_for(entry, report), people),
            ]
            named = Cell(
                f"{name}\n{knows}", (f"{path}/knows/arguments", f"{path}/sentence/arguments", f"{path}/column")
            )
            rows.append((named, *figures, Cell(describe_attack_outcome(entry, report.verdict.checks))))
    heads = [_("Attack test"), _("The intruder is right"), _("Comparison"), _("People looked for"), _("Result")]
    note = _("An attack fails where it gains next to nothing over the comparison.")
    return [make_table(heads, rows), make_paragraph(note)] if rows else []


def _describe_singling_out(report: Report) -> Blocks:
    """Return a table of unique people before and after, by what the intruder knows, and the singling-out attacks.

    The result is empty where unique people were not counted. The number before is a dash where the original was not
    judged.
    """
    known = {
        "by_others": _("The details that others may know"),
        "by_all_but_secret": _("Every released column that is not confidential"),
        "by_all": _("Every released column"),
    }
    after = report.verdict.singled
    if after is None:
        return []
    sides = {"original": None if report.original is None else report.original.singled, "verdict": after}
    rows = []
    for key, label in known.items():
        unique = [
            Cell(numbers_of(language()).none(cell=True))
            if singled is None
            else _format_people_cell(
                getattr(singled, key), singled.people, f"/{side}/singled/{key}", f"/{side}/singled/people"
            )
            for side, singled in sides.items()
        ]
        rows.append([Cell(label), *unique])
    heads = [_("Known to the intruder"), _("Unique people, before"), _("Unique people, after")]
    return [make_table(heads, rows), *_make_attack_table(report, "singled")]


def _describe_linking(report: Report) -> Blocks:
    """Return the attacks that link rows to people, a paragraph on released codes, and the earlier releases.

    The result is empty where no attack was made.
    """
    if not report.verdict.attacks:
        return []
    codes = [column.name for column in report.columns if column.released and column.role == PSEUDONYM]
    text = _("No codes stand in place of people.")
    if codes:
        text = _("Codes by which rows can be linked: {columns}.", columns=list_all_names(codes))
    return [
        *_make_attack_table(report, "linked"),
        make_paragraph(text, "/columns"),
        *_describe_earlier_releases(report),
    ]


def _describe_inference(report: Report) -> Blocks:
    """Return a table of people whose confidential values are certain, by column, and the attacks that infer values.

    Without figures on certainty the result has only the attacks.
    """
    full = numbers_of(language()).full
    columns = {
        _("Confidential column"): ("column", lambda belief: belief.column),
        _("Revealed for certain by what others may know"): (
            "by_others/certain people",
            lambda belief: full(belief.by_others.certain, belief.people),
        ),
        _("Revealed for certain by all columns that are not confidential"): (
            "by_all/certain people",
            lambda belief: full(belief.by_all.certain, belief.people),
        ),
    }
    beliefs = report.verdict.beliefs
    certain = _build_entry_table("/verdict/beliefs", enumerate(beliefs), columns) if beliefs else []
    return [*certain, *_make_attack_table(report, "inferred")]


def _describe_near_identifiers(report: Report) -> Blocks:
    """Return a table of released columns and sets of columns that make people unique; a sentence without any.

    The result is empty where unique people were not counted.
    """
    verdict = report.verdict
    if verdict.singled is None:
        return []
    rows = []
    for n, near in enumerate(verdict.near):
        if near.alone:
            path = f"/verdict/near/{n}"
            people = _format_people_cell(near.alone, near.people, f"{path}/alone", f"{path}/people")
            rows.append((Cell(near.column, (f"{path}/column",)), people))
    for n, entry in enumerate(verdict.singled.sets):
        if entry.alone and (len(entry.columns) > 1 or entry.columns[0] not in {near.column for near in verdict.near}):
            path = f"/verdict/singled/sets/{n}"
            people = _format_people_cell(
                entry.alone, verdict.singled.people, f"{path}/alone", "/verdict/singled/people"
            )
            rows.append((Cell(", ".join(entry.columns), (f"{path}/columns",)), people))
    heads = [_("Columns"), _("Unique people")]
    return _build_table_or_text(heads, rows)


_WHY = {
    "by_others": lazy("a confidential value is certain by what others may know"),
    "by_all": lazy("a confidential value is certain by all columns that are not confidential"),
    "singled": lazy("nobody else has these details"),
}


def _try_first(report: Report) -> Blocks:
    """Return a table of the source rows that an intruder would try first, and why; a sentence if there are none.

    If the released rows do not correspond to rows of the source, a different sentence says so. The table names rows,
    so it is for the internal copy only.
    """
    people = report.verdict.try_first
    if people is None:
        text = _("The released rows are not rows of the source, so none is named here. Anybody may be tried.")
        return [make_paragraph(text, "/verdict/try_first")]
    columns = {
        _("Row of the source"): ("row", lambda person: format_report_count(person.row)),
        _("Why"): ("why", lambda person: str(_WHY[person.why])),
    }
    none = _("Nobody stands out by the details that others may know, and no confidential value is certain.")
    return _build_entry_table("/verdict/try_first", enumerate(people), columns, none)


def safe_harbor_row(report: Report, row: str, *, can_be_seen: bool) -> Blocks:
    """Return which columns hold what one row of the Safe Harbor form (HIPAA) asks for, and what happened to each.

    The result is a table of these columns, in which a column that still shows it is marked as amber, or a sentence that
    there is none. It is empty, so that people fill in the field, where ``can_be_seen`` is False; also where free texts,
    which may hold it, are released, but none of these columns is.

    Parameters
    ----------
    row
        Id of the row of the form.
    can_be_seen
        Whether the program can recognise by name or values that a column is what the row asks for.
    """
    entries = [(n, entry) for n, entry in enumerate(report.safe_harbor) if entry.row == row]
    still = [entry for _n, entry in entries if entry.cells]
    has_texts = any(column.released and column.kind == "text" for column in report.columns)
    if not can_be_seen or (has_texts and not still and all(entry.cells is None for _n, entry in entries)):
        return []
    if not entries:
        return [make_paragraph(_("None found by column names and patterns of text."))]
    rows = []
    for n, entry in entries:
        paths = (f"/safe_harbor/{n}/cells", f"/safe_harbor/{n}/characters")
        state = Cell(_describe_shown_cells(entry), paths, bool(entry.cells))
        rows.append((Cell(entry.column, (f"/safe_harbor/{n}/column",)), state))
    return [make_table([_("Column"), _("What happened to it")], rows)]


def _describe_shown_cells(entry: SafeHarborEntry) -> str:
    """Return in words in how many released cells a column still shows what the Safe Harbor wants removed.

    The text says that the column is left out, that no cell shows it, or the number of cells and, if known, the length
    of the longest text.
    """
    if not entry.cells:
        return _("Left out") if entry.cells is None else _("none in the release")
    if entry.characters is None:
        return _("still there in {n} {n:cell|cells}", n=entry.cells)
    return _(
        "still there in {n} {n:cell|cells}, with up to {characters} {characters:character|characters}",
        n=entry.cells,
        characters=entry.characters,
    )


FACTS: Mapping[str, Fact] = {
    "audience": _describe_audience,
    "people": _describe_people,
    "source": _describe_source,
    "versions": _describe_versions,
    "columns": _describe_columns,
    "minimised": _describe_minimisation,
    "left-behind": _describe_left_out,
    "steps": _describe_steps,
    "usefulness": _describe_usefulness,
    "levels": _describe_levels,
    "proof": _describe_level_proofs,
    "limits": _describe_limits,
    "figures": _describe_figures,
    "reasons": _describe_reasons,
    "residual": _describe_residual_risk,
    "decision": _describe_decision,
    "assumptions": _describe_assumptions,
    "key": _describe_key,
    "earlier": _describe_earlier_releases,
    "agreement": _describe_agreement,
    "classes": _describe_classes,
    "attacks": _make_attack_table,
    "singled": _describe_singling_out,
    "linked": _describe_linking,
    "inferred": _describe_inference,
    "near": _describe_near_identifiers,
    "try-first": _try_first,
}
"""What each fact that a form may ask for is made by; rows of the Safe Harbor are asked for one by one."""
