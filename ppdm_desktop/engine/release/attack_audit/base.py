"""Base class, registry and shared helpers of the privacy attacks that are made on a release before it is written.

Every attack is a class in a module of this package, and all modules are imported to find them. The class declares
everything about the attack: report, window and documents read it, so no other table lists attacks.

`audit` makes every attack that applies. The other functions prepare its input: columns with their true and released
values in equal row order, samples of people, and results by person where a person has several rows.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from ppdm_desktop.engine import plugins, progress
from ppdm_desktop.engine.arrays import AnyInts, Bools, Floats, Ints, to_smallest_int_type
from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.attacks.gower import FEWEST_TARGETS, MOST_COMPARISONS, MOST_TARGETS, Values, to_common_int_type
from ppdm_desktop.engine.attacks.inference import Details
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.identifiability.classes import Classes, classes_of_codes, group_people_by_rows
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.release.attack_audit.truth_in_release import to_released_texts
from ppdm_desktop.engine.release.candidate.model import Candidate, PubliclyReversible, match_source_columns
from ppdm_desktop.engine.report.model import AttackEntry, AttackLabels, AttackTail, Report
from ppdm_desktop.engine.report.model import Outcome as Outcome
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.utility.cells import shared_cells
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.models.features import paired_columns, stack_as_matrix
from ppdm_desktop.engine.utility.whole_table import Compared
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import LazyText, Number, Points, Quoted, Ratio, Share, Term, Versus

# --- column pairs -------------------------------------------------------------------------

# --- people targets -----------------------------------------------------------------------


def take_first_rows(candidate: Candidate, rows: Ints) -> Ints:
    """Return the first of the given rows of each person, ascending; shape (people who have one of the rows,).

    ``rows`` are ascending indices of rows of ``candidate.final``, where they have the order before shuffling.
    """
    return rows[candidate.persons.take(rows).first_rows]


def rows_of_people(candidate: Candidate, most: int) -> Ints:
    """Return the indices of all rows of a fixed sample of at most ``most`` people, ascending, shape (rows,).

    They are indices of rows of ``candidate.final``, where these have the order before shuffling. If there are at most
    ``most`` people, all rows are returned.
    """
    people = candidate.persons
    chosen = np.zeros(people.count, dtype=np.bool_)
    chosen[sample_rows(people.count, most)] = True
    return np.flatnonzero(chosen[people.of_row])


def take_largest_gains(candidate: Candidate, rows: Ints, gains: Floats) -> Floats:
    """Return the largest gain of each person over the given rows; shape (people who have one of the rows,).

    Parameters
    ----------
    candidate
        The candidate under attack.
    rows, gains
        Indices of the rows of ``candidate.final`` that were attacked, and the attack's gain on each; both of shape
        (rows,).
    """
    return np.asarray(-candidate.persons.take(rows).least(-gains))


def count_matching_people(candidate: Candidate, true: Sequence[AnyInts], seen: Sequence[AnyInts]) -> tuple[Ints, Bools]:
    """Return for each person how many released people show the person's known values in all of their rows together.

    A released person matches if their released rows, all together, equal the person's true rows: as many rows with the
    same values, in the same order only if the release keeps the order. Two missing values are equal.

    Parameters
    ----------
    candidate
        A candidate whose people have several rows.
    true, seen
        Codes of each known column with its true and with its released values; equal codes are equal values; each of
        shape (rows,).

    Returns
    -------
    tuple of Ints and Bools
        The number of matching people, and whether the person themself is one of them; each of shape (people,).
    """
    people = candidate.persons
    rows = people.rows
    both = classes_of_codes([np.concatenate(pair) for pair in zip(true, seen, strict=True)], 2 * rows)
    twice = People(
        np.concatenate([people.of_row, people.of_row + people.count]),
        np.concatenate([people.has_no_id, people.has_no_id]),
    )
    sets: Classes = group_people_by_rows(both, twice, ordered=candidate.keeps_order)
    known_sets, released = sets.ids[: people.count], sets.ids[people.count :]
    return np.bincount(released, minlength=sets.count)[known_sets], known_sets == released


# --- column pairs -------------------------------------------------------------------------

FEW_CELLS = 10
NO_CERTAINTY = lazy("this attack guesses numbers, without saying how sure it is")
"""Why an attack has no tail."""
BLIND = lazy("one released record taken at random")
LESS_CHANCE = lazy("right answers of the attack, minus those of a blind guess")


def pair_released_columns(
    candidate: Candidate, names: Sequence[str], *, with_text: bool = False
) -> tuple[list[Column], list[Column]]:
    """Return the named released columns with their true values, and with their released values, in equal row order.

    The two lists have the same columns, with rows as in ``candidate.final``, in the order before shuffling. Where a
    released text stands for several values (a range, a region), the true value is replaced by the text that contains it
    (`to_released_texts`). Cancellation is checked between steps.

    Parameters
    ----------
    candidate
        The candidate release.
    names
        Names of the columns; those not released are passed over.
    with_text
        Whether columns of free text are returned as well.
    """
    both = select_columns(match_source_columns(candidate), names, with_text=with_text)
    return _order_like_final(candidate, to_released_texts(candidate, both))


def paired_values(before: Sequence[Column], after: Sequence[Column]) -> tuple[Values, Values]:
    """Return the columns with true values and with released values as input of an attack.

    Each has two matrices of shape (rows, columns): columns that are numeric in both versions as float64, NaN where
    missing, and the others as codes in the smallest integer type, with the same code for the same value in both
    versions, -1 where missing. If no column was changed (every released column is the source's object), the same object
    is returned twice.
    """
    same = all(source is released for source, released in zip(before, after, strict=True))
    numbers: list[tuple[Floats, ...]] = []
    codes: list[tuple[AnyInts, ...]] = []
    for paired_column in paired_columns(before, after):
        versions = paired_column.sides[:1] if same else paired_column.sides
        if paired_column.names is None:
            numbers.append(versions)
        else:
            codes.append(tuple(map(to_smallest_int_type, versions)))
    versions_read = []
    for side, columns in ((0, before),) if same else ((0, before), (1, after)):
        rows = len(columns[0]) if columns else 0
        kind = np.result_type(np.int8, *(codes_pair[side] for codes_pair in codes))
        versions_read.append(
            Values(
                stack_as_matrix([number[side] for number in numbers], rows, np.float64),
                stack_as_matrix([code[side] for code in codes], rows, kind),
            )
        )
    return versions_read[0], versions_read[-1]


def known_values(
    before: Sequence[Column], after: Sequence[Column], owner: Ints, made_from: Ints
) -> tuple[Details, Details]:
    """Return what an intruder knows of people, and the same columns of the released records.

    Each has the values (`paired_values`), the columns put into few categories (`to_few_categories`), and the owners.

    Parameters
    ----------
    before, after
        The columns with the people's true values, and as released; their rows need not correspond.
    owner, made_from
        int64, shape (rows,): for each row of ``before`` and of ``after`` the number of the person or group it belongs
        to.
    """
    true, released = paired_values(before, after)
    cells = [to_common_int_type(*to_few_categories(source, final)) for source, final in zip(before, after, strict=True)]
    return (
        Details(true, [source_codes for source_codes, _ in cells], owner),
        Details(released, [released_codes for _, released_codes in cells], made_from),
    )


def limit_guessed_people(candidate: Candidate) -> int:
    """Return for how many people at most the attacks guess the value in each confidential column: 300 to 2,000.

    The more released rows times confidential columns, the fewer people.
    """
    compared_pairs = candidate.final.rows * len(released_with_role(candidate, "confidential"))
    return int(np.clip(MOST_COMPARISONS // max(compared_pairs, 1), FEWEST_TARGETS, MOST_TARGETS))


def is_released_unchanged(candidate: Candidate, names: Sequence[str]) -> bool:
    """Return whether all cells of the named columns are released with their source texts; True if none is released.

    Rows that were removed and columns of free text are not compared. Where the recipe groups a column's numbers into
    bins before the first step, the bin is the source text, unless numbers are drawn inside the bins for the release.
    """
    before, after = _order_like_final(candidate, select_columns(match_source_columns(candidate), names))
    for source, released in zip(before, after, strict=True):
        progress.check()
        if not is_untouched(source, released):
            return False
    return True


def select_columns(both: Compared, names: Sequence[str], *, with_text: bool = False) -> Compared:
    """Return only the source and released columns with these names, without pairs of which either column is free text.

    The rows, and the record of which source row is which released row, stay the same.

    Parameters
    ----------
    both
        Pairs of source and released columns.
    names
        Names of the source columns to keep.
    with_text
        Whether pairs with free text stay as well.
    """
    kept = [
        (source, released)
        for source, released in zip(both.before, both.after, strict=True)
        if source.name in names and (with_text or "text" not in (source.kind, released.kind))
    ]
    return replace(both, before=tuple(source for source, _ in kept), after=tuple(released for _, released in kept))


def _order_like_final(candidate: Candidate, both: Compared) -> tuple[list[Column], list[Column]]:
    """Return the source columns with their rows as in ``candidate.final``, and the released columns of ``both``.

    Source rows that were removed are left out.
    """
    before = []
    for column in both.before:
        progress.check()
        before.append(column.take(candidate.source_rows))
    return before, list(both.after)


def released_with_role(candidate: Candidate, *roles: str) -> list[str]:
    """Return the names of the released columns that have one of these roles, in the order of the released table."""
    released = set(candidate.described_names)
    return [column.name for column in candidate.final.with_role(*roles) if column.name in released]


def is_untouched(column: Column, released: Column) -> bool:
    """Return whether a released column has all values of the source column unchanged, with rows in the same order.

    Cells are compared as texts, so "1" and "1.0" differ. False if the numbers of rows differ.
    """
    if column.codes is released.codes and column.texts == released.texts:
        return True
    code_of_text = {text: code for code, text in enumerate(column.texts)}
    into = np.array([code_of_text.get(text, -1) for text in released.texts], dtype=np.int64)
    return len(column) == len(released) and bool((into[released.codes] == column.codes).all())


def find_row_owners(candidate: Candidate) -> Ints | None:
    """Return the number of the person or group that each released row was made from, shape (rows,); None if synthetic.

    Rows are those of ``candidate.final``, in the order before shuffling. Groups are those of the last step that made
    any; without such a step the persons are returned. If anybody has several rows, the persons are returned for all
    rows, not groups.
    """
    people = candidate.persons
    owner = people.of_row
    for step in candidate.steps:
        if step.method.correspondence == "none":
            return None
        groups = step.result.row_groups
        if groups is None or people.with_several:
            continue
        progress.check()
        owner = np.asarray(groups[candidate.rows_in(step.result.table)], dtype=np.int64)
    return owner


def undo_public_steps(candidate: Candidate, column: Column) -> Column:
    """Return a released column after undoing, last step first, each step on it that can be undone without the key.

    The same column is returned where there is no such step.
    """
    for step in reversed(candidate.steps):
        if column.name in step.settings.columns and isinstance(step.method, PubliclyReversible):
            column = step.method.undo(column, step.settings) or column
    return column


def to_few_categories(before: Column, after: Column) -> tuple[Ints, Ints]:
    """Return a column before and after the steps as codes of the same categories, each of shape (rows,).

    A column with at most 20 different values, in both versions together, has a code for each. Of others, numbers are
    put into at most 10 ranges with about equally many values before; other columns keep the 20 values that are most
    frequent before, and the rest share one code. -1 stands for a missing value.
    """
    cells = shared_cells(before, after, number_cells=FEW_CELLS, most_values=2 * FEW_CELLS)
    missing = cells.count - 1
    return tuple(np.where(codes == missing, -1, codes) for codes in (cells.before, cells.after))  # type: ignore[return-value]


def make_empty_tail(why: LazyText = NO_CERTAINTY) -> AttackTail:
    """Return absent figures for the share of people of whom the intruder is sure and right, with the reason ``why``."""
    return AttackTail(share_sure_and_right=Figure.absent(why, unit="share"), control=Figure.absent(why, unit="share"))


def exact_share(value: float, count: int, method: LazyText) -> Figure:
    """Return a share that was counted over all people, as a figure without a confidence interval.

    Parameters
    ----------
    value, count
        The share, and the number of people.
    method
        How it was counted.
    """
    return Figure(value, n=count, unit="share", method=method)


# --- base ---------------------------------------------------------------------------------

Kind = Literal["picking-out", "finding", "guessing", "undoing", "combining", "searching"]
"""What an intruder is after, in the order in which kinds are shown."""
KINDS: Mapping[Kind, str] = {
    "picking-out": "attack.kind.picking-out",
    "finding": "attack.kind.finding",
    "guessing": "attack.kind.guessing",
    "undoing": "attack.kind.undoing",
    "combining": "attack.kind.combining",
    "searching": "attack.kind.searching",
}
"""Text ids of a kind's name and of the question that it answers."""
KINDS_ON_ONE_COLUMN: Mapping[Kind, str] = {"guessing": "attack.kind.guessing-one"}
"""The same where one column alone is confidential, with its name as ``{column}``."""
Unit = Literal["share", "ratio", "count"]

_WHOLE = 1e-6
"""What the product of a share and its people may be off a whole number by, where people were counted."""


@dataclass(frozen=True, eq=False)
class AttackEvidence:
    """The input of an attack: the candidate release and the number of earlier releases.

    Attributes
    ----------
    candidate
        The candidate release.
    earlier
        Number of earlier releases of the same source that the record of releases (ledger) lists, each made with another
        key.
    """

    candidate: Candidate
    earlier: int = 0


@dataclass(frozen=True)
class LargeFigure:
    """The main figure of an attack's result, shown in large type.

    Attributes
    ----------
    figure
        The figure; None where nothing was measured.
    unit
        Unit of the figure; None for a share.
    beside
        A note with a figure for comparison, such as the same figure of the original; None for none.
    """

    figure: Share | Ratio | Versus | Number | int | None
    unit: Note | None = None
    beside: Note | None = None


@dataclass(frozen=True)
class Instead:
    """A note that a report shows in place of, or in addition to, an attack that could not be made.

    Attributes
    ----------
    key
        Key that identifies the note among the lines of the report.
    is_made
        False where the note replaces an attack; True where it only adds a remark.
    note
        A title that names the situation, and a sentence that says why.
    """

    key: str
    is_made: bool
    note: Note


class Attack(ABC):
    """Base class of attacks by an intruder who has everything but the key.

    Each subclass has a file of its own and is registered by a decorator. An attack changes nothing, uses none of the
    release's random streams, and samples by a fixed rule: the same candidate gives the same figures.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    """Text id of what it is called, as a title within a sentence."""
    order: ClassVar[int]
    """Place among all attacks, in the audit, the record and the window."""
    kind: ClassVar[Kind]
    term: ClassVar[str]
    source: ClassVar[str]
    """Text ids of the field's exact term, and of the paper and page it is taken from."""
    knows: ClassVar[str]
    """Text id of what the intruder holds."""
    control: ClassVar[str] = "attack.control.one-guess"
    chance: ClassVar[str] = "attack.chance.blind"
    """Text ids of what the success is compared with."""
    most_gain: ClassVar[float | None] = None
    """By how much the success may exceed the control; None where that is not what is judged."""
    least_residual: ClassVar[float | None] = None
    """The share of the control's error that has to be left; None where no error is estimated."""
    judged_by: ClassVar[str]
    """Id of the one check of the gate that judges it."""
    also_seen_by: ClassVar[tuple[str, ...]] = ()
    """Checks that find the same weakness by themselves, without this attack's figures."""
    own_check: ClassVar[bool] = False
    """Whether that check was written for it: its sentences say what this attack does, and the scorecard shows
    its figures. Of any other attack the check gives the attack's own sentence, and the scorecard says nothing.
    """
    unit: ClassVar[Unit]
    """What is judged: a share of people, the error left as a ratio (``further["ratio"]``), or something counted."""
    sentences: ClassVar[Mapping[Severity, str]]
    """What it can come to, each with the text id of what is said then."""
    figures: ClassVar[str] = ""
    """Text id of what its figures are; empty where they are shares of people, or errors."""
    further: ClassVar[Mapping[str, str]] = {}
    """Text ids of the figures that it adds to every result, by their key there."""
    reads_earlier: ClassVar[bool] = False
    """Whether its figures depend on the number of earlier releases."""
    undoes: ClassVar[bool] = False
    """Whether it takes back, from one release, what was done."""
    always: ClassVar[bool] = False
    """Whether it is made on any release, whatever was done to it or left undone."""
    on_person: ClassVar[bool] = False
    """Whether one person alone can be attacked so."""
    on_foreign: ClassVar[bool] = False
    """Whether it can be made on a file of unknown making whose rows are matched."""
    not_on_foreign: ClassVar[str] = "note.compare.attack-left-out"
    """Text id of why not, where it cannot."""

    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """What a plug-in says by text id: title, sentence and remedy in English. Our own stand in the catalogue."""

    def applies(self, candidate: Candidate) -> str | None:
        """Return None if the attack applies to this candidate, else the id of the text that says why not.

        Parameters
        ----------
        candidate
            A candidate for which the attack is declared, by a step's method or for every release.
        """
        return self.why_not(candidate) if candidate.final.rows else "attack.why-not.no-records"

    def why_not(self, candidate: Candidate) -> str | None:
        """Return None if the attack applies to a candidate that has rows, else the id of the text that says why not."""
        return None

    @abstractmethod
    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Make the attack; return one result for each column, or set of columns, that was attacked.

        Raises
        ------
        Cancelled
            When the work was stopped.
        """

    def outcome(self, result: AttackEntry) -> Outcome:
        """Return how the attack ended: it ``works``, was ``withstood``, or leaves the question open (``note``).

        - It was withstood at severity ``none``.
        - A guessed or undone share is open if the interval of the gain over the control reaches down to 0.
        - Any other undoing works. Other kinds are open at severity ``some``, and work above it.
        """
        if result.severity == "none":
            return "withstood"
        gain = result.advantage.low
        if self.unit == "share" and self.kind in ("guessing", "undoing") and gain is not None and gain <= 0:
            return "note"
        return "works" if self.kind == "undoing" or result.severity != "some" else "note"

    def large_figure(self, result: AttackEntry, report: Report) -> LargeFigure:
        """Return the main figure of a result: a share, or an error in standard deviations of the noise.

        An error comes with the control's error for comparison, if that was measured. The figure is None where the
        success was not measured.
        """
        success, control = result.success, result.control
        if success.value is None:
            return LargeFigure(None)
        if success.unit == "share":
            return LargeFigure(share_of(success))
        control_note = None
        if control.value is not None:
            control_note = Note("attack.beside.alone", {"figure": Number(float(control.value))})
        return LargeFigure(Number(float(success.value)), Note("attack.unit.noise"), control_note)

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the sentence that says how large a gain over the control must be for the attack to count as working.

        If the attack has no such limit, the sentence says that its results are rated.
        """
        if self.most_gain is None:
            return Note("attack.rule.rated")
        return Note("attack.rule.advantage", {"limit": Points(self.most_gain)})

    def limit(self, result: AttackEntry, report: Report) -> float | None:
        """Return the limit of a result's success: the control times `least_residual`, or the control plus `most_gain`.

        None if the attack declares neither, or the result has no control.
        """
        control = result.control.value
        if control is None:
            return None
        if self.least_residual is not None:
            return self.least_residual * float(control)
        return None if self.most_gain is None else float(control) + self.most_gain

    def instead(self, report: Report) -> tuple[Instead, ...]:
        """Return the notes to show where a report's release did not allow this attack; empty by default."""
        return ()

    def labels(self, result: AttackEntry) -> AttackLabels:
        """Return the ids of texts, such as the title, that a report prints with a result, and how the attack ended."""
        return AttackLabels(
            kind=self.kind,
            title=self.title,
            control=self.control,
            chance=self.chance,
            figures=self.figures,
            further=dict(self.further),
            outcome=self.outcome(result),
            judged_by=self.judged_by,
        )


# --- what attacks say alike ---------------------------------------------------------------


def share_of(figure: Figure) -> Share | Ratio:
    """Return a figure as a share of counted people, or as a mean probability (`Ratio`) where people were not counted.

    Example: 0.25 of 400 becomes the share 100 of 400. A `Ratio` is returned where the figure has no value (then it has
    none either) or no count, or where value times count is no whole number.
    """
    value, count = figure.value, figure.n
    if value is None or not count:
        return Ratio(None if value is None else float(value))
    hits = round(float(value) * count)
    return Share(hits, count) if abs(float(value) * count - hits) < _WHOLE else Ratio(float(value))


def has_ownerless_rows(report: Report) -> bool:
    """Return whether a step of a report's release made synthetic rows, which belong to no person and no group."""
    return any(step.correspondence == "none" for step in report.steps)


def list_released_columns(report: Report, *roles: str) -> Sequence[str]:
    """Return the names of a report's released columns that have one of these roles."""
    return [column.name for column in report.columns if column.released and column.role in roles]


# --- registry -----------------------------------------------------------------------------

ATTACKS: Registry[Attack] = Registry("ppdm_desktop.engine.release.attack_audit")
register, forget = ATTACKS.register, ATTACKS.forget


def all_attacks() -> Mapping[str, Attack]:
    """Return every attack by id, in the order in which they are made and shown."""
    return ATTACKS.all()


def find_attack(id: str) -> Attack:
    """Return an attack by id.

    Raises
    ------
    InputError
        When no attack has this id; the error names all ids, and the most similar one if any is.
    """
    attacks = all_attacks()
    if id not in attacks:
        near = ATTACKS.nearest(id)
        raise InputError(
            "error.attack.unknown-near" if near else "error.attack.unknown",
            args={"attack": Quoted(id), "known": Term(", ".join(attacks)), "near": Quoted(near)},
        )
    return attacks[id]


def list_standard_attacks() -> tuple[str, ...]:
    """Return the ids of the attacks that are made on every release, in the order of all attacks."""
    return tuple(id for id, attack in all_attacks().items() if attack.always)


def select_entries(check: str, entries: Iterable[AttackEntry]) -> list[AttackEntry]:
    """Return the attack results that one check of the gate judges, in their order; ``check`` is the check's id."""
    attacks = all_attacks()
    return [entry for entry in entries if entry.id in attacks and attacks[entry.id].judged_by == check]


def audit(
    candidate: Candidate,
    *,
    earlier: int = 0,
    judged_by: Collection[str] | None = None,
    made: Sequence[AttackEntry] = (),
) -> tuple[AttackEntry, ...]:
    """Return the results of all attacks that apply to a candidate, by an intruder who has everything but the key.

    Nothing is drawn at random, and samples are fixed: the same candidate gives the same figures. Results are in the
    order in which the program lists attacks, those of unknown attacks last. Where the source's rows are groups of
    people, only the results of ``made`` are returned.

    Parameters
    ----------
    candidate
        The candidate release.
    earlier
        Number of earlier releases of the same source in the ledger, each made with another key.
    judged_by
        Ids of checks: only attacks that one of these checks judges are made. All attacks if None.
    made
        Results already computed on this candidate. They are returned, whatever ``judged_by`` says, and their attacks
        are not made again. Only results of attacks that depend on earlier releases are dropped when ``earlier`` is
        above 0, and these attacks are made again if ``judged_by`` includes them.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    attacks = all_attacks()
    if earlier:
        made = [entry for entry in made if entry.id not in attacks or not attacks[entry.id].reads_earlier]
    declared = declared_attacks(candidate) - {entry.id for entry in made}
    wanted = [
        attack
        for id, attack in attacks.items()
        if id in declared and (judged_by is None or attack.judged_by in judged_by)
    ]
    evidence = AttackEvidence(candidate, earlier)
    attack_entries: list[AttackEntry] = []
    for done, attack in enumerate(wanted):
        progress.report(done / len(wanted), "doing.audit")
        attack_entries += progress.part(done / len(wanted), (done + 1) / len(wanted)).run(attack.run, evidence)
    number_of = {id: number for number, id in enumerate(attacks)}
    return tuple(
        sorted((*made, *label_entries(attack_entries)), key=lambda entry: number_of.get(entry.id, len(number_of)))
    )


def label_entries(entries: Iterable[AttackEntry]) -> tuple[AttackEntry, ...]:
    """Return the results, in order, each with the texts that its attack declares, such as title, control and outcome.

    Results of unknown attacks are unchanged.
    """
    attacks = all_attacks()
    return tuple(
        entry.model_copy(update={"labels": attacks[entry.id].labels(entry)}) if entry.id in attacks else entry
        for entry in entries
    )


def declared_attacks(candidate: Candidate) -> frozenset[str]:
    """Return the ids of the attacks declared for a candidate: by the methods of its steps, or for every release.

    Left out are attacks that a built-in method of a step declares unfit, and attacks of plug-ins that the recipe does
    not name. The set is empty where the source's rows are groups instead of people.
    """
    if candidate.prepared.rows_are_groups:
        return frozenset()
    declared = {attack for step in candidate.steps for attack in step.method.attacks}
    # A method of others may add attacks; what is always made it cannot take away.
    built_in_methods = (step.method for step in candidate.steps if plugins.of_method(step.method.id) is None)
    unfit = {attack for method in built_in_methods for attack in method.unfit_attacks}
    unnamed = plugins.attacks_of_others(candidate.prepared.recipe.plugins.use)
    return frozenset((declared | set(list_standard_attacks())) - unfit - unnamed)


def list_attacks_not_made(
    candidate: Candidate, entries: Sequence[AttackEntry], *, check: str | None = None
) -> tuple[str, ...]:
    """Return the ids of the attacks that apply to a candidate but have no result, such as those stopped or left out.

    They are in the order in which the program lists attacks.

    Parameters
    ----------
    candidate
        The attacked candidate.
    entries
        The results there are.
    check
        Id of a check; only the attacks that it judges are considered. All when None.
    """
    made = {entry.id for entry in entries}
    declared = declared_attacks(candidate)
    not_made = [
        attack for id, attack in all_attacks().items() if id in declared - made and check in (None, attack.judged_by)
    ]
    missing_attacks = []
    for attack in not_made:
        progress.check()
        if attack.applies(candidate) is None:
            missing_attacks.append(attack.id)
    return tuple(missing_attacks)
