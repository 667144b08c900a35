"""Verification of the figures of a certificate, computed again from the written file.

The key restores the order of rows and the settings of steps; every value comes from the file.
"""

from __future__ import annotations

import dataclasses
import difflib
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.files.opening import RELEASED, REPORT, read_file, read_json
from ppdm_desktop.engine.randomness import Key, RecipientSecret
from ppdm_desktop.engine.release.attack_audit.base import all_attacks, audit, label_entries
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.release.evaluate.release_files import (
    DICTIONARY,
    NOTE,
    build_evidence,
    data_bytes,
    data_file_name,
    kit_of,
    mark_teaching_name,
    name_data_folder,
)
from ppdm_desktop.engine.release.gate.base import all_checks, find_check, run_gate, title_of_check
from ppdm_desktop.engine.release.gate.draws import Draws
from ppdm_desktop.engine.release.gate.evidence import Evidence, ReleaseTexts
from ppdm_desktop.engine.release.storage.atomic_folder import INTERNAL
from ppdm_desktop.engine.release.verdict.make import check_entry
from ppdm_desktop.engine.release.verify import (
    DIFFERENT,
    IDENTICAL,
    NOT_POSSIBLE,
    Verification,
    report_differing_files,
    rerun,
)
from ppdm_desktop.engine.release.writing.export import REPORT_JSON
from ppdm_desktop.engine.report.certificate import describe_status, number_reasons
from ppdm_desktop.engine.report.documents import to_plain_json
from ppdm_desktop.engine.report.figures_and_limits import (
    NO_LIMIT,
    describe_measured_figure,
    describe_with_control,
    format_limit,
    percent,
)
from ppdm_desktop.engine.report.model import AttackEntry, CheckEntry, Verdict
from ppdm_desktop.engine.report.public.analysis_kit import KIT
from ppdm_desktop.engine.report.report_texts import describe_attack_outcome
from ppdm_desktop.engine.table.bins import bin_column, find_bins
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.writing import read_as_written
from ppdm_desktop.engine.table.writing.base import UnreadableFile, WrittenFile
from ppdm_desktop.engine.table.writing.registry import find_writer
from ppdm_desktop.engine.wording.catalogue import language, numbers_of
from ppdm_desktop.engine.wording.texts import Note, Title
from ppdm_desktop.engine.wording.values import Quoted, Term, Value

_FORMAT = 3
_CLOSE = 1e-9
"""Two figures that differ by less, as a share, are one: sums on another machine round otherwise."""


@dataclass(frozen=True)
class FigureLine:
    """A figure as the certificate prints it: the figure, its limit, and how it was judged, as texts."""

    found: str
    limit: str
    judged: str


@dataclass(frozen=True)
class FigureVerification:
    """The result of ``verify --figure``: whether a printed figure is the one computed again.

    Attributes
    ----------
    result
        ``identical``, ``different`` or ``not possible``.
    reason
        The reason, as a note.
    id
        Id of the check or attack.
    found, printed
        The figure's lines as computed again, and as in the release's report; empty where it was not computed.
    """

    result: str
    reason: Note
    id: str
    found: tuple[FigureLine, ...] = ()
    printed: tuple[FigureLine, ...] = ()

    def document(self) -> dict[str, Any]:
        """Return the result as plain data for ``--json``, one key for each field.

        ``reason`` is the id of a sentence and its arguments; ``found`` and ``printed`` are lists with a dict for each
        line.
        """
        reason = {"id": self.reason.id, "arguments": dict(self.reason.arguments)}
        plain: dict[str, Any] = to_plain_json({**asdict(self), "reason": reason})
        return plain


@dataclass(frozen=True)
class Refigured:
    """Every figure of a release, printed and computed again.

    Attributes
    ----------
    checks, printed
        Each check as computed again, and as in the release's report, by id.
    attacks, printed_attacks
        Each attack's results as computed again, and as in the release's report, in order.
    reasons
        Number that the certificate gives to the written reason of each check.
    """

    checks: Mapping[str, CheckEntry]
    printed: Mapping[str, CheckEntry]
    attacks: tuple[AttackEntry, ...]
    printed_attacks: tuple[AttackEntry, ...]
    reasons: Mapping[str, int]

    def verified(self, id: str) -> FigureVerification:
        """Return the comparison of one figure, computed again, with the printed one.

        ``id`` is that of a check, or else of an attack; an id of neither gives ``not possible``.
        """
        if id in all_checks():
            return self._verify_check(id)
        return self._verify_attack(id)

    def _verify_check(self, id: str) -> FigureVerification:
        """Return the comparison of a check's figure, computed again, with the one printed in the report.

        The result is ``identical`` or ``different``, or ``not possible`` for a check that depends on earlier releases,
        or that the report does not print. Both figures come with it, except where it is not possible.
        """
        if find_check(id).of_history:
            return FigureVerification(NOT_POSSIBLE, Note("verify.figure.history", {"title": title_of_check(id)}), id)
        if id not in self.printed:
            return FigureVerification(NOT_POSSIBLE, Note("verify.figure.not-printed", {"id": Term(id)}), id)
        recomputed, printed_check = self.checks[id], self.printed[id]
        lines = [
            FigureLine(
                describe_with_control(entry, describe_measured_figure(entry)),
                format_limit(entry),
                describe_status(entry, self.reasons),
            )
            for entry in (recomputed, printed_check)
        ]
        same = _is_same_check(recomputed, printed_check)
        arguments: dict[str, Value] = {"title": title_of_check(id), "id": Term(id), **_to_terms(lines[0])}
        if not same:
            arguments |= {f"printed_{name}": term for name, term in _to_terms(lines[1]).items()}
        text = "verify.figure.identical" if same else "verify.figure.different"
        ours, printed = ((line,) for line in lines)
        return FigureVerification(IDENTICAL if same else DIFFERENT, Note(text, arguments), id, ours, printed)

    def _verify_attack(self, id: str) -> FigureVerification:
        """Return the comparison of an attack's figures, computed again, with those printed in the report.

        The result is ``identical`` or ``different``, or ``not possible`` where the report prints no result of this
        attack. Both figures come with it, a line for each result, except where it is not possible. A printed attack
        that was not made again is ``different``.
        """
        ours = [attack for attack in self.attacks if attack.id == id]
        theirs = [printed_attack for printed_attack in self.printed_attacks if printed_attack.id == id]
        if not theirs:
            return FigureVerification(NOT_POSSIBLE, Note("verify.figure.not-printed", {"id": Term(id)}), id)
        sides = [tuple(_attack_line(entry, self.printed.values()) for entry in side) for side in (ours, theirs)]
        same = len(ours) == len(theirs) and all(map(_is_same_attack, ours, theirs))
        title = Title(all_attacks()[id].title)
        recomputed_text, printed = ("; ".join(f"{line.found} ({line.judged})" for line in side) for side in sides)
        arguments: dict[str, Value] = {"title": title, "id": Term(id), "found": Term(recomputed_text)}
        arguments |= {} if same else {"printed": Term(printed)}
        text = "verify.attack.identical" if same else "verify.attack.different"
        return FigureVerification(IDENTICAL if same else DIFFERENT, Note(text, arguments), id, *sides)


def verify_figure(
    directory: Path, input_path: Path, id: str, *, recipient: RecipientSecret | None = None
) -> FigureVerification:
    """Return the comparison of one figure, computed again from the written file, with the printed one.

    If it cannot be computed again, the result says why, without figures.

    Parameters
    ----------
    directory
        The release folder.
    input_path
        The original file.
    id
        Id of a check or an attack.
    recipient
        The kept secret that codes were made with, where it is at hand.

    Raises
    ------
    InputError
        When no check or attack has this id (the error names the most similar id), the folder holds no release of this
        program, or the input is another file.
    RecipeError
        When the recipe kept in the folder does not work any more.
    """
    known_ids = [*all_checks(), *all_attacks()]
    if id not in known_ids:
        near = difflib.get_close_matches(id, known_ids, n=1)
        text = "error.verify.unknown-figure-near" if near else "error.verify.unknown-figure"
        raise InputError(
            text,
            file="--figure",
            args={"id": Quoted(id), "near": Quoted("".join(near)), "known": Term(", ".join(known_ids))},
        )
    refigured = recompute_figures(directory, input_path, recipient=recipient)
    if isinstance(refigured, Verification):
        return FigureVerification(refigured.result, refigured.reason, id)
    return refigured.verified(id)


def recompute_figures(
    directory: Path, input_path: Path, *, recipient: RecipientSecret | None = None
) -> Refigured | Verification:
    """Return all checks and attacks of a release, computed again from its data file, with those printed in its report.

    If they cannot be computed, a `Verification` that says why comes back instead.

    That is so where the recipe cannot be run again, a file differs from the manifest (``different``), the report has
    another format (``not possible``), or the data file cannot be read (``different``). ``attacks`` is empty if the data
    file has other rows or columns than were released.

    Raises
    ------
    InputError, RecipeError
        When the folder is no release, its report has no verdict that can be read, the input is another file, or the
        kept recipe does not work any more.
    """
    directory = Path(directory)
    ran = progress.part(0.0, 0.3).run(rerun, directory, input_path, recipient=recipient)
    if isinstance(ran, Verification):
        return ran
    if ran.findings:
        return report_differing_files(ran.findings, None)
    printed = printed_verdict(directory)
    if printed is None:
        return Verification(NOT_POSSIBLE, Note("verify.figure.other-version"), None, ())
    verdict, earlier = printed
    origin = "system" if verdict.draws.key == "os" else verdict.draws.key
    candidate = dataclasses.replace(ran.candidate, key=Key(ran.candidate.key.bytes_, origin))
    evidence = progress.part(0.3, 0.5).run(evidence_on_file, directory, candidate)
    if evidence is None:
        return Verification(DIFFERENT, Note("verify.different.unreadable"), None, ())
    attacks: tuple[AttackEntry, ...] = ()
    if evidence.fits:
        attacks = progress.part(0.5, 0.75).run(audit, evidence.candidate, earlier=earlier)
    evidence = dataclasses.replace(
        evidence, attacks=attacks, draws=Draws(tried=verdict.draws.tried, since=verdict.draws.since)
    )
    results = progress.part(0.75, 1.0).run(run_gate, evidence)
    return Refigured(
        checks={result.id: check_entry(result) for result in results},
        printed={check.id: check for check in verdict.checks},
        attacks=attacks,
        printed_attacks=label_entries(verdict.attacks or ()),
        reasons=number_reasons(verdict.decision),
    )


def printed_verdict(directory: Path) -> tuple[Verdict, int] | None:
    """Return the verdict in report.json and the number of earlier releases it lists; None for another format.

    Raises
    ------
    InputError
        When there is no verdict that can be read.
    """
    try:
        document = read_json(directory / INTERNAL / REPORT_JSON, REPORT)
        if document["format"] != _FORMAT:
            return None
        return Verdict.model_validate(document["verdict"]), len(document["earlier_releases"] or ())
    except (OSError, ValueError, KeyError, TypeError) as error:  # what the model refuses is a ValueError
        raise InputError("error.verify.not-a-release", file=str(directory)) from error


# --- the candidate as the file has it ----------------------------------------------------------


def evidence_on_file(directory: Path, candidate: Candidate) -> Evidence | None:
    """Return the evidence for the gate, with every released value read from the file.

    Parameters
    ----------
    directory
        The release folder.
    candidate
        The candidate from running the recipe again, for the order of rows and the settings of steps.

    Returns
    -------
    Evidence or None
        None where the file cannot be read as a table, or the note, the dictionary or a file of the analysis kit is
        missing. If the file has other rows or columns than were released, ``fits`` of the evidence is False, and no
        figure can be computed from it; its candidate is then the repeated run's. Otherwise ``previewed`` has the table
        of the repeated run.
    """
    recipe = candidate.prepared.recipe
    name, folder = data_file_name(candidate), name_data_folder(recipe)
    made = progress.part(0.0, 0.4).run(data_bytes, candidate)
    try:
        written = dataclasses.replace(made, data=read_file(directory / folder / name, RELEASED))
        as_written = progress.part(0.4, 0.8).run(read_as_written, written)
        note, dictionary = (
            read_file(directory / folder / mark_teaching_name(recipe, file), RELEASED) for file in (NOTE, DICTIONARY)
        )
        kit = {file: read_file(directory / folder / KIT / file, RELEASED) for file in kit_of(candidate, name)}
        texts = ReleaseTexts(note, dictionary, kit)
    except (OSError, UnreadableFile):
        return None
    file = WrittenFile.of(written, find_writer(written.format), lambda: written.data)
    read = build_evidence(candidate, name, file, as_written, texts)
    if not read.fits:
        return read
    on_file = build_evidence(_on_file(candidate, read.exported), name, file, as_written, texts)
    return dataclasses.replace(on_file, previewed=candidate.released)


def _on_file(candidate: Candidate, released_table: Table) -> Candidate:
    """Return a candidate whose final and released tables have the file's values, and whose steps have some of them.

    The table before or after a step gets a column of the file if up to there a step changed this column or removed
    rows, and no step does so after it. Otherwise the whole column stays as in the repeated run. Numbers that were drawn
    inside bins are only in the released table; the other tables have the bins' labels. ``released_table`` has the
    file's values, with rows in the order before shuffling.
    """
    final = candidate.final.replacing(*(_replace_drawn_by_bins(candidate, column) for column in released_table.columns))
    source = candidate.prepared.table
    changed = {
        id(candidate.final.column(name)): final.column(name)
        for name in released_table.names
        if name not in source or candidate.final.column(name) is not source.column(name)
    }

    def replace_by_released(table: Table) -> Table:
        """Return a table with the file's columns in place of those that the final table has unchanged."""
        return table.replacing(*(changed[id(column)] for column in table.columns if id(column) in changed))

    steps: list[StepRecord] = []
    for step in candidate.steps:
        result = dataclasses.replace(step.result, table=replace_by_released(step.result.table))
        steps.append(dataclasses.replace(step, before=replace_by_released(step.before), result=result))
    columns = tuple(column.take(candidate.row_order) for column in released_table.columns)
    released = Table(columns, candidate.released.row_numbers, people=candidate.released.people)
    return dataclasses.replace(candidate, steps=tuple(steps), final=final, released=released)


def _replace_drawn_by_bins(candidate: Candidate, column: Column) -> Column:
    """Return a column of the file with numbers drawn inside bins replaced by the bins' labels.

    Unchanged are columns for which the recipe does not ask for drawn numbers, and columns that are not numeric.
    """
    bins = candidate.prepared.column_section(column.name).bins
    if bins is None or bins.release != "draw" or column.kind != "numeric":
        return column
    original = candidate.prepared.original
    binned = bin_column(column, find_bins(original.column(column.name), bins, original))
    final = candidate.final.column(column.name)
    return dataclasses.replace(binned, role=final.role, header=final.header, label=final.label)


# --- comparing ---------------------------------------------------------------------------------


def _is_same_check(check_entry: CheckEntry, printed: CheckEntry) -> bool:
    """Return whether two results of a check agree in status, limit, direction, counts and figure with its interval.

    The figure and the ends of its interval may differ by rounding; all else must be equal.
    """
    sides = [(entry.status, entry.limit, entry.hits, entry.of, entry.direction) for entry in (check_entry, printed)]
    return sides[0] == sides[1] and _is_same_figure(check_entry.figure, printed.figure)


def _is_same_attack(attack_entry: AttackEntry, printed: AttackEntry) -> bool:
    """Return whether an attack's column, severity, sample size, success, control and advantage agree.

    Figures and their intervals may differ by rounding.
    """
    sides = [(entry.column, entry.severity, entry.sampled) for entry in (attack_entry, printed)]
    return sides[0] == sides[1] and all(
        _is_same_figure(getattr(attack_entry, name), getattr(printed, name))
        for name in ("success", "control", "advantage")
    )


def _is_same_figure(first: Figure | None, second: Figure | None) -> bool:
    """Return whether two figures agree up to rounding in value and interval; None counts as one without a value."""
    ends = ("value", "low", "high")
    return all(_is_almost_equal(getattr(first, end, None), getattr(second, end, None)) for end in ends)


def _is_almost_equal(first: float | None, second: float | None) -> bool:
    """Return whether two numbers agree up to rounding, or both are None; False if only one of them is None.

    They may differ by 1e-9 of the larger one, or by 1e-9 where both lie between -1 and 1.
    """
    if first is None or second is None:
        return first is second
    return abs(first - second) <= _CLOSE * max(abs(first), abs(second), 1.0)


def _attack_line(entry: AttackEntry, checks: Iterable[CheckEntry]) -> FigureLine:
    """Return an attack's success and how the attack ended, as a line of the certificate.

    The success is a share ("12%"), a number with its unit, or "not measured" where there is no figure; with a column
    before it, "income: 12%". The limit is always a dash. ``checks`` are all of the verdict: an attack that did not
    work is a note if the check that judges it was not passed.
    """
    figure = entry.success
    numbers = numbers_of(language())
    if figure.value is None:
        figure_text = numbers.none()
    elif figure.unit == "share":
        figure_text = percent(figure.value)
    else:
        figure_text = f"{numbers.number(figure.value)} {figure.unit or ''}".strip()
    return FigureLine(
        f"{entry.column}: {figure_text}" if entry.column else figure_text,
        NO_LIMIT,
        describe_attack_outcome(entry, checks),
    )


def _to_terms(line: FigureLine) -> dict[str, Term]:
    """Return each field of a line as a term for a sentence, by the field's name."""
    return {name: Term(phrase) for name, phrase in asdict(line).items()}
