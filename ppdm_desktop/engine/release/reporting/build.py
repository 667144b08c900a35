"""Building the report's data from a candidate, its measures, the results of the gate and the decision.

Parts of it are usefulness (columns, pairs of columns, analyses) and the columns that the rows of a form such as the
Safe Harbor checklist ask for, with what the written file still shows of each.
"""

from __future__ import annotations

import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ppdm_desktop import __version__
from ppdm_desktop.engine import plugins, progress
from ppdm_desktop.engine.dossier.forms import FormField, all_forms
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.recipe.models import PSEUDONYM, Operator
from ppdm_desktop.engine.release.candidate.model import Candidate, Prepared, list_column_steps, list_treatment_terms
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.measures.analyses import Analyses
from ppdm_desktop.engine.release.measures.rules import count_broken_rules
from ppdm_desktop.engine.release.measures.utility import Measures
from ppdm_desktop.engine.release.reporting.libraries import libraries_used
from ppdm_desktop.engine.release.reporting.risk import compute_risk
from ppdm_desktop.engine.release.verdict.make import to_finite
from ppdm_desktop.engine.report import model
from ppdm_desktop.engine.report.documents import to_plain_json
from ppdm_desktop.engine.report.model import SafeHarborEntry, Verdict
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.column_names import is_in_list
from ppdm_desktop.engine.table.patterns import PATTERNS
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.table.reading.import_log import RepairDone
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.utility.clusters import NOT_SOURCE_ROWS
from ppdm_desktop.engine.wording.catalogue import SOURCE, lazy, speak_language, untranslated
from ppdm_desktop.engine.wording.texts import list_level_labels

_YEARS = re.compile(r"\D{0,2}[0-9]{4}(\D{1,4}[0-9]{4})?\D{0,2}")
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]+)?")
_OLDEST = 89
_WIDEST = "*xX "
"""Signs that stand for digits which a place no longer shows."""


def _is_too_old(text: str) -> bool:
    """Return whether a text shows an age over 89 more precisely than one group "90+" does.

    True for a number above 89 alone, such as "91", and for any other text whose lowest number is above 90. False for
    "90+" and "85-94", and without a number.
    """
    numbers = [float(number) for number in _NUMBER.findall(text)]
    is_only_number = _NUMBER.fullmatch(text.strip()) is not None
    return bool(numbers) and min(numbers) > _OLDEST + (0 if is_only_number else 1)


def _is_fine_date(text: str) -> bool:
    """Return whether a text may show a day or month: it is neither a year of four digits nor a range of two such years.

    Up to two signs may stand before and after these, as in "≥ 1950" and "[1950, 1960]".
    """
    return _YEARS.fullmatch(text.strip()) is None


_SHOWN: Mapping[str, Callable[[str], bool]] = {"age": _is_too_old, "date": _is_fine_date}
"""Whether a released text still shows what a row asks for, by the list of column names; of other lists each does."""
_MEASURED_IN_CHARACTERS = "place"


def safe_harbor_entries(evidence: Evidence, verdict: Verdict) -> list[SafeHarborEntry]:
    """Return the columns that the rows of forms ask for, with how many written cells still show it.

    An entry is one column for one row of the form; `_build_form_entry` says what counts as shown. A row asks for
    columns whose name is in one of its lists, or in which checks found one of its patterns, such as telephone numbers.
    The last row asks for

    - identifiers, and columns whose name is in one of its lists, that no other row asks for;
    - columns with a pattern that no other row has;
    - codes in place of identifiers, and columns in which some value belongs to a single person.

    Entries are in the order of the source's columns, those of the last row at the end; a column may have several.
    """
    *rows, last = [field for form in all_forms().values() for field in form.rows if field.words]
    patterns, near = _find_column_patterns(verdict), [entry.column for entry in verdict.near if entry.alone]
    other_patterns = set(PATTERNS).difference(*(field.patterns for field in rows))
    entries: list[SafeHarborEntry] = []
    for column in evidence.candidate.prepared.original.columns:
        kinds = patterns.get(column.name, set())
        names = {field.id: name for field in rows if (name := _find_list_name(field, column))}
        asking = [field.id for field in rows if field.id in names or kinds.intersection(field.patterns)]
        entries += [_build_form_entry(id, column, names.get(id, ""), evidence) for id in asking]
        is_key = not asking and (column.role == "identifier" or bool(_find_list_name(last, column)))
        if is_key or column.name in {*near, *evidence.code_columns} or kinds & other_patterns:
            entries.append(_build_form_entry(last.id, column, "", evidence, is_row_of_codes=True))
    return sorted(entries, key=lambda entry: entry.row == last.id)


def _find_list_name(field: FormField, column: Column) -> str:
    """Return the first of a form row's lists of column names that has the column's name; "" for none."""
    return next((name for name in field.words if is_in_list(column.name, name)), "")


def _find_column_patterns(verdict: Verdict) -> dict[str, set[str]]:
    """Return the kinds of text patterns, such as e-mail addresses, that checks found, by column.

    Kinds are ids of ``PATTERNS``. Columns without a pattern are left out.
    """
    kinds: dict[str, set[str]] = {}
    for check in verdict.checks:
        findings = check.sentence.arguments.get("found")
        for finding in findings if isinstance(findings, list) else ():
            if isinstance(finding, dict) and "kind" in finding:
                kinds.setdefault(str(finding["column"]), set()).add(str(finding["kind"]))
    return kinds


def _build_form_entry(
    row: str, column: Column, named: str, evidence: Evidence, *, is_row_of_codes: bool = False
) -> SafeHarborEntry:
    """Return an entry with the number of written cells of a column that still show what a form row asks for.

    The number is None where the column is not released or the file cannot be read whole. It is 0 where codes stand in
    place of the values, unless the row asks for codes. With the list "place" a counted entry also has the most
    characters that a cell shows, without signs such as "*" or "x" at its end; otherwise ``characters`` is None.

    Parameters
    ----------
    row
        Id of the row.
    column
        The source column.
    named
        The list of names that the column is in, "" for none. With "age" and "date" only cells that are too precise
        count, otherwise all cells that are not missing.
    evidence
        The evidence that was judged.
    is_row_of_codes
        Whether the row asks for codes.
    """
    candidate = evidence.candidate
    if column.name not in candidate.released_names or not evidence.fits:
        return SafeHarborEntry(row=row, column=column.name, cells=None)
    released = evidence.exported.column(column.name)
    if released.role == PSEUDONYM and not is_row_of_codes:
        return SafeHarborEntry(row=row, column=column.name, cells=0)
    shows = _SHOWN.get(named, bool)
    texts = [text not in released.missing_texts and shows(text) for text in released.texts]
    cells = int(np.count_nonzero(np.array([*texts, False], dtype=np.bool_)[released.codes]))
    lengths = [len(text.rstrip(_WIDEST)) for text, counts in zip(released.texts, texts, strict=True) if counts]
    characters = max(lengths, default=0) if named == _MEASURED_IN_CHARACTERS else None
    return SafeHarborEntry(row=row, column=column.name, cells=cells, characters=characters)


def utility_of(candidate: Candidate, measures: Measures) -> model.Utility:
    """Return the report's part on usefulness, without analyses: columns, pairs and the number of suppressed rows.

    This is by how many rows the release is shorter than the source, also where rows are synthetic; 0 if it is not.
    """
    suppressed = candidate.prepared.table.rows - candidate.final.rows
    return model.Utility(columns=list(measures.columns), pairs=measures.pairs, rows_suppressed=max(suppressed, 0))


def with_analyses(report: model.Report, analyses: Analyses) -> model.Report:
    """Return a copy of the report with the analyses, and with the list of all libraries used including theirs."""
    libraries = libraries_used(report.input.format, report.release.format)
    return report.model_copy(
        update={
            "utility": fill_in_analyses(report.utility, analyses),
            "program": report.program.model_copy(update={"libraries": libraries}),
        }
    )


def fill_in_analyses(utility: model.Utility, analyses: Analyses) -> model.Utility:
    """Return a copy of the report's part on usefulness with the analyses filled in.

    They are figures of the whole table, models, regressions (conclusions) and clusters.
    """
    filled = {
        **dict(analyses.table),
        "models": [model.ModelEntry.copy_of(result, **vars(result.scores)) for result in analyses.models],
        "conclusions": list(analyses.conclusions),
        "clusters": list(analyses.clusters),
    }
    return utility.model_copy(update=filled)


_NOT_RELEASED = lazy("not released")


@speak_language(SOURCE)  # the report is the same in every language; each page says it in its own
def build_report(
    evidence: Evidence,
    measures: Measures,
    verdict: model.Verdict,
    original: model.Verdict | None,
    *,
    created: str,
    key: str,
    files: Mapping[str, tuple[str, int]],
    draft: bool,
) -> model.Report:
    """Return the report that every page and document shows, with sentences in English and without analyses.

    Parameters
    ----------
    evidence, measures
        The evidence that was judged, and the measures.
    verdict, original
        The verdict on the candidate, and on the untouched source (None where it was not computed).
    created
        UTC time of the release, such as "2026-03-01T14:05:00Z".
    key
        What becomes of the key: ``kept``, ``destroyed`` or ``seed``.
    files
        SHA-256 and size in bytes of each file of the release, by path inside the output folder.
    draft
        True when nothing to hand over is written; the report then has no files and no hash of the data.
    """
    candidate = evidence.candidate
    prepared = candidate.prepared
    data = next((sha for path, (sha, _) in files.items() if path.rpartition("/")[2] == evidence.data_name), None)
    data = None if draft else data
    source = describe_input(prepared)
    return model.Report(
        format=3,
        created=created,
        program=_describe_program(prepared),
        operator=Operator.model_validate(prepared.recipe.operator.model_dump(exclude={"release_day"})),
        input=source,
        recipe_sha256=prepared.recipe_sha256,
        release=model.Release(
            type=prepared.type.id,
            k_min=prepared.type.k_min,
            threshold_source=prepared.type.threshold_source,
            format=prepared.recipe.release.format,
            rows=candidate.released.rows,
            columns=len(candidate.released.columns),
            shuffled=candidate.is_shuffled,
            data_sha256=data,
            key=key,  # type: ignore[arg-type]
            draws_of_this_recipe=evidence.draws.tried,
            teaching_copy=prepared.recipe.release.teaching_copy,
            four_eyes=prepared.recipe.release.four_eyes,
        ),
        columns=progress.part(0.0, 0.2).run(_list_column_entries, evidence),
        privacy=_describe_privacy(candidate),
        steps=_list_step_entries(evidence, measures),
        verdict=verdict,
        original=original,
        risk=progress.part(0.2, 1.0).run(compute_risk, evidence),
        utility=utility_of(candidate, measures),
        rules=count_broken_rules(candidate),
        files=[]
        if draft
        else [model.FileEntry(path=path, sha256=sha, bytes=size) for path, (sha, size) in files.items()],
        earlier_releases=_list_earlier_releases(evidence),
        safe_harbor=safe_harbor_entries(evidence, verdict),
    )


def _list_earlier_releases(evidence: Evidence) -> list[dict[str, Any]] | None:
    """Return ``date`` and ``recipe_sha256`` of each earlier release of the source; None without a readable ledger.

    These are the releases in `History.others`; empty if there are none.
    """
    history = evidence.history
    if history is None or not history.is_readable:
        return None
    return [{"date": entry.day, "recipe_sha256": entry.recipe_sha256} for entry in history.others]


def _describe_program(prepared: Prepared) -> model.Program:
    """Return the report's part on this program: version, rules, Python, libraries used, platform and plug-ins."""
    source, release = prepared.account.format, prepared.recipe.release.format
    return model.Program(
        version=__version__,
        rules=model.RULES,
        python=platform.python_version(),
        libraries=libraries_used(source, release),
        platform_class=f"{sys.platform}-{_find_processor_kind()}",
        self_test=None,
        plugins=_list_plugins(prepared.recipe.plugins.use),
    )


def _list_plugins(named: Iterable[str]) -> list[model.PluginEntry]:
    """Return the report's entries of the plug-ins that the recipe names, in its order; unknown names are left out."""
    used = (plugins.find(name) for name in named)
    return [model.PluginEntry.copy_of(plugin, distribution=plugin.name) for plugin in used if plugin is not None]


def _find_processor_kind() -> str:
    """Return the kind of processor in small letters, such as "x86_64"; "" where the system does not say.

    Python's own function is not used, because it starts another program on Windows.
    """
    if hasattr(os, "uname"):
        return os.uname().machine.lower()
    # The second is that of the computer, where a program made for another kind runs.
    return (os.environ.get("PROCESSOR_ARCHITEW6432") or os.environ.get("PROCESSOR_ARCHITECTURE", "")).lower()


def describe_input(prepared: Prepared) -> model.Input:
    """Return the report's part on the source: how it was read, its repairs, and the number of people in it.

    The number of people is the number of rows if the recipe says that each row is a person, the number of different
    people with a person column, and None where neither is said. With a person column it also says how many rows people
    have, and how they were combined into one row, if they were.
    """
    input_section = prepared.complete.input
    repairs = [RepairDone(notes.column, "within-person", notes.cells, 0) for notes in prepared.made_same]
    facts = {
        **prepared.account.as_report(),
        "name": prepared.path.name,
        "repairs": [*prepared.account.repairs, *repairs],
        "person_column": None,
        "persons": prepared.original.rows if input_section.one_row_per_person else None,
    }
    people = prepared.reduced or prepared.original.people
    if people is None or input_section.person is None:
        return model.Input.model_validate(facts)
    columns, reduce = list(input_section.person), input_section.reduce
    facts |= {
        "person_column": ", ".join(columns),
        "persons": people.count,
        "people": model.PeopleEntry.copy_of(people, columns=columns, household=input_section.household),
        "reduce": None if reduce is None else model.ReduceEntry.copy_of(reduce, order_by=input_section.order_by),
    }
    return model.Input.model_validate(facts)


def _list_column_entries(evidence: Evidence) -> list[model.ColumnEntry]:
    """Return the report's entry for each source column, released or not, in the source's order.

    An entry has role, kind, treatment, the number of the last step that changed the column (from 1; None if none did or
    it is not released), the counts of missing values in the source, of different values before and after, and of
    changed cells. Counts of the released values are None or an absent figure where the column is not released or the
    file cannot be read whole.
    """
    candidate = evidence.candidate
    treated = list_treatment_terms(candidate)
    entries: list[model.ColumnEntry] = []
    for column in candidate.prepared.original.columns:
        progress.report(len(entries) / len(candidate.prepared.original.columns), "doing.risk")
        released, steps = column.name in candidate.released_names, list_column_steps(candidate, column.name)
        entries.append(
            model.ColumnEntry(
                name=column.name,
                role=column.role,
                kind=column.kind,
                treatment=treated[column.name],
                step=max((step.index for step in steps), default=None) if released else None,
                missing=int(column.missing.sum()),
                distinct_before=len(column.categories),
                distinct_after=len(evidence.exported.column(column.name).categories)
                if released and evidence.fits
                else None,
                changed=_count_changed_cells(evidence, column.name) if released else Figure.absent(_NOT_RELEASED),
                released=released,
                within_person=describe_within_person(column, candidate.prepared.original.people),
            )
        )
    return entries


def describe_within_person(column: Column, people: People | None) -> model.WithinPerson | None:
    """Return whether a column is constant in the rows of each person, and the number of people for whom it is not.

    A missing value counts as a value of its own. None if ``people`` (the person of each row) is None.
    """
    if people is None:
        return None
    varying = people.varying(column.category_codes)
    return model.WithinPerson(constant=not varying, people_varying=varying)


def _count_changed_cells(evidence: Evidence, name: str) -> Figure:
    """Return the number of cells of a released column that differ from the source.

    Values drawn inside bins are compared by their bins. The figure is absent, with the reason, where the file cannot be
    read whole, released rows are not source rows, or codes are released.
    """
    if not evidence.fits:
        return Figure.absent(lazy("the data file could not be read back"))
    if not evidence.rows_correspond:
        return Figure.absent(NOT_SOURCE_ROWS)
    if name not in evidence.judged:
        return Figure.absent(lazy("codes stand in place of the values"))
    before, after, _ = merged_categories(evidence.truth(name), evidence.judged.column(name))
    how = untranslated("bins compared") if evidence.is_drawn(name) else None
    return Figure(int((before != after).sum()), n=len(after), unit="cells", method=how)


def _describe_privacy(candidate: Candidate) -> model.Privacy:
    """Return the report's part on privacy levels: where they come from, and each level's demands, people and words.

    A level's words are the texts of the source that ask for it. People are counted in the input of the first step, also
    those not released. Without levels the list is empty and all counts are 0.
    """
    prepared = candidate.prepared
    levels = prepared.table.levels
    level_labels = list_level_labels(prepared.recipe.privacy.words)
    privacy = []
    if levels is not None:
        for level, count in zip(levels.levels, levels.people_at(prepared.table.persons).tolist(), strict=True):
            privacy.append(
                model.LevelEntry(
                    name=level.name,
                    demand=level.demand,
                    records=int(count),
                    words=list(level_labels.get(level.name, ())),
                )
            )
    sources = levels.sources if levels is not None else {}
    return model.Privacy(
        default=prepared.recipe.privacy.default,
        sources=model.LevelSources(**{key: int(sources.get(key, 0)) for key in ("default", "column", "rules", "rows")}),
        levels=privacy,
    )


def _list_step_entries(evidence: Evidence, measures: Measures) -> list[model.StepEntry]:
    """Return the report's entry for each step, in order.

    A step's guarantee is as recounted in the written file, or as counted during the run if the file cannot be read.
    Where they were measured, the detail also has the figures of the table after the step (``after``) and, for the last
    step that generalised or suppressed quasi-identifiers, how coarse the release is (``coarseness``).
    """
    more: dict[int, dict[str, Any]] = {
        after_step.step: {"after": after_step.document()} for after_step in measures.after_steps
    }
    if measures.coarseness is not None:
        more.setdefault(measures.coarseness.step, {})["coarseness"] = measures.coarseness.document()
    recounts = evidence.recounts if evidence.fits else [step.recount for step in evidence.candidate.steps]
    entries = []
    for step, recount in zip(evidence.candidate.steps, recounts, strict=True):
        entries.append(
            model.StepEntry(
                index=step.index,
                method=step.method.id,
                mode=step.mode,
                columns=list(step.settings.columns),
                parameters=to_plain_json(dict(step.settings.values)),
                correspondence=step.method.correspondence,
                protects=step.method.protects,
                promise=step.method.promises[0].english if step.method.promises else None,
                guarantee=replace(recount.guarantee, worst=to_finite(recount.guarantee.worst)),
                notes=[model.Sentence.of(note.id, note.arguments) for note in (*step.warnings, *step.result.notes)],
                seconds=round(step.seconds, 3),
                detail=to_plain_json({**step.result.detail, **more.get(step.index, {})}),
                written=sorted(step.settings.written),
                used=[
                    replace(entry, value=to_plain_json(entry.value), asked=to_plain_json(entry.asked))
                    for entry in step.used
                ],
                idle=sorted(step.ineffective_parameters),
            )
        )
    return entries
