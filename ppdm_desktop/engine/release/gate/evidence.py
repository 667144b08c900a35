"""The evidence that checks judge: the written file read back, in source order, together with the true values."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.identifiability.classes import (
    Classes,
    find_anonymity_set_sizes,
    quasi_identifier_classes,
)
from ppdm_desktop.engine.identifiability.groups_of_people import GroupCounts
from ppdm_desktop.engine.identifiability.near_identifiers import NearIdentifier, near_identifiers
from ppdm_desktop.engine.methods.algorithms.pseudonyms.codes import are_codes
from ppdm_desktop.engine.methods.base.step import Protection, Recount
from ppdm_desktop.engine.recipe.models import PSEUDONYM
from ppdm_desktop.engine.release.candidate.date_intervals import column_of_intervals
from ppdm_desktop.engine.release.candidate.model import Candidate, StepRecord
from ppdm_desktop.engine.release.disclosure.beliefs import belief_of
from ppdm_desktop.engine.release.disclosure.column_belief import (
    ColumnBelief,
    Side,
    find_certain_rows,
    take_uncertainty_by_all,
    take_uncertainty_by_quasi,
)
from ppdm_desktop.engine.release.disclosure.dependencies import Dependency, list_dependencies
from ppdm_desktop.engine.release.disclosure.groups_of_people import count_released_people
from ppdm_desktop.engine.release.disclosure.released import Released
from ppdm_desktop.engine.release.disclosure.singled_out import (
    SingledOutCounts,
    count_singled_out,
    count_unique_by_known,
    list_unreplaced_columns,
)
from ppdm_desktop.engine.release.disclosure.unprotected import (
    Learnt,
    build_findable_classes,
    find_learnt_by_flags,
    find_learnt_people,
    has_rare_value,
    true_columns,
)
from ppdm_desktop.engine.release.gate.draws import Draws
from ppdm_desktop.engine.release.gate.results import CheckResult
from ppdm_desktop.engine.release.measures.level_recount import LevelCount, recount_levels
from ppdm_desktop.engine.release.measures.outside import assess_outside
from ppdm_desktop.engine.release.storage.ledger import History
from ppdm_desktop.engine.report.model import AttackEntry, OutsideEntry
from ppdm_desktop.engine.report.public.analysis_kit import kit_scripts
from ppdm_desktop.engine.table.column import Column, Table, assign_text_numbers
from ppdm_desktop.engine.table.kinds import present_texts
from ppdm_desktop.engine.table.writing.base import LimitBreach, WrittenFile
from ppdm_desktop.engine.table.writing.guard import unguard_columns
from ppdm_desktop.engine.table.writing.limits import ExcelLimits
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.wording.values import Names

_DOING = "doing.gate"
_OF_COLUMNS = ("disclosed", "functional_dependencies", "singled_out", "learnt", "_beliefs")
"""Slow results that depend only on the released columns, so that they stay valid once these columns are in a file."""


@dataclass(frozen=True, eq=False)
class ReleaseTexts:
    """The texts in the release folder, as written.

    Attributes
    ----------
    note, dictionary
        Release note and data dictionary.
    kit
        Files of the analysis kit (scripts for the recipient) by name; empty where there is no kit.
    """

    note: bytes
    dictionary: bytes
    kit: Mapping[str, bytes] = field(default_factory=dict)

    @property
    def made(self) -> tuple[str, ...]:
        """The texts written for this release, decoded: note, dictionary and kit, without the bundled scripts."""
        kit = [data for data in self.kit.values() if data not in kit_scripts().values()]
        return tuple(data.decode("utf-8", "replace") for data in (self.note, self.dictionary, *kit))


@dataclass(frozen=True, eq=False)
class HostMetadata:
    """Words about this computer, its user and the source, none of which may be in a release.

    Attributes
    ----------
    private_words
        User, host, home and source paths, source file and folder names, sheet names, the key, secret settings of
        methods, names and values of columns that are not released, and values behind codes.
    machine_words
        The part of them that belongs to the computer (for ``metadata``).
    """

    private_words: tuple[str, ...]
    machine_words: tuple[str, ...]


@dataclass(frozen=True, eq=False)
class Evidence:
    """A candidate (an anonymised table), its written files, and everything computed from them that the checks read.

    Attributes
    ----------
    candidate
        The previewed candidate.
    written
        The data file's bytes as stored on disk; None when its format cannot hold the table.
    as_written
        The columns of the data file, in release order, with texts exactly as in the file; None if it cannot be read.
    limits
        Whether the table exceeds a worksheet's limits on rows, columns and text lengths.
    data_name
        Name of the data file.
    texts
        Release note and dictionary as written.
    source_sha256
        Hash of the source file now; None when the file can no longer be read.
    host_metadata
        Words that must not be in the release.
    attacks
        Results of the attack audit.
    history
        The ledger's earlier releases of the source; None without a ledger.
    earlier
        The columns of an earlier release that the owner names; None if the owner names none.
    breaches
        The ways in which the table exceeds the limits of the data file's format.
    draws
        Known earlier random draws by the same methods on the same columns.
    results
        The results of all checks that run before those with ``after_others``.
    previewed
        The released table that was previewed, if it differs from the candidate's; None if it is the candidate's.
    draft
        Whether machine learning and estimates of intruders use fewer rows; only planning does that, never a release.
    """

    candidate: Candidate
    written: WrittenFile | None
    as_written: tuple[Column, ...] | None
    limits: ExcelLimits
    data_name: str
    texts: ReleaseTexts
    source_sha256: str | None
    host_metadata: HostMetadata
    attacks: tuple[AttackEntry, ...] = ()
    history: History | None = None
    earlier: tuple[Column, ...] | None = None
    breaches: tuple[LimitBreach, ...] = ()
    draws: Draws = Draws()
    results: tuple[CheckResult, ...] = ()
    previewed: Table | None = None
    draft: bool = False
    # Kept by column: several checks and the report ask for the same.
    truths: dict[str, Column] = field(default_factory=dict, init=False, repr=False)
    _is_true_value: dict[str, Bools] = field(default_factory=dict, init=False, repr=False)
    _beliefs: dict[object, ColumnBelief] = field(default_factory=dict, init=False, repr=False)

    def knowing(self, earlier: Evidence) -> Evidence:
        """Return this object after copying slow results from evidence on the same columns before a file was written.

        Nothing is copied unless the file fits, both are about the same candidate with the same ``draft``, and they hold
        the very same column objects.
        """
        is_same_table = self.fits and self.candidate is earlier.candidate and self.draft == earlier.draft
        columns = zip(self.exported.columns, earlier.exported.columns, strict=True) if is_same_table else ()
        if is_same_table and all(column is before for column, before in columns):
            vars(self).update({name: vars(earlier)[name] for name in _OF_COLUMNS if name in vars(earlier)})
        return self

    def make_ready(self) -> None:
        """Compute what several checks need now, with progress; otherwise it would be computed at first use.

        Only the file is read where it does not have the candidate's rows and columns, or where rows are groups of
        people.
        """
        self._compute_property("read_back")
        if not self.fits or self.candidate.prepared.rows_are_groups:
            return
        to_order, to_look, to_compare, to_tell, to_believe, to_recount, to_pick = progress.parts(
            9.0, 5.0, 5.0, 27.0, 44.0, 4.0, 6.0
        )
        to_order.run(self._compute_property, "exported")
        columns = self.judged.columns
        for index, column in enumerate(columns):
            to_look.report(index / len(columns), _DOING)
            _ = column.category_codes
        progress.check()
        _ = self.classes
        for index, name in enumerate(self.confidential):
            to_compare.report(index / len(self.confidential), _DOING)
            self.is_true_value(name)
            progress.check()
        to_tell.run(self._compute_property, "functional_dependencies")
        to_believe.run(self._compute_property, "beliefs")
        to_recount.run(self._compute_property, "recounts")
        to_pick.run(self._compute_property, "singled_out")

    def _compute_property(self, name: str) -> None:
        """Compute the cached property with this name now, and report progress."""
        progress.report(0.0, _DOING)
        getattr(self, name)

    # --- the exported table in source order ---------------------------------------------

    @cached_property
    def read_back(self) -> tuple[Column, ...] | None:
        """The file's columns, in release order, without the mark that guards formulas.

        None if the file cannot be read.
        """
        if self.as_written is None or self.written is None or not self.written.guarded:
            return self.as_written
        return unguard_columns(self.as_written)

    @cached_property
    def fits(self) -> bool:
        """Whether the file could be read back and has the number of rows and the columns of the candidate.

        Columns must have the same names in the same order; values are not compared.
        """
        back = self.read_back
        return (
            back is not None
            and len(back) == len(self.candidate.released.columns)
            and all(len(column) == self.candidate.final.rows for column in back)
            and tuple(column.name for column in back) == self.candidate.released.names
        )

    @cached_property
    def exported(self) -> Table:
        """The released columns as read back from the file, with rows in the order of the final table.

        A column that equals that of the final table is the same object. Fails if the file cannot be read or has fewer
        rows or another number of columns (`fits`).
        """
        assert self.read_back is not None
        final, file_position = self.candidate.final, self.candidate.row_in_file
        columns: list[Column] = []
        for back, released in zip(self.read_back, self.candidate.released.columns, strict=True):
            progress.report(len(columns) / len(self.read_back), _DOING)
            columns.append(
                _reuse_equal_column(_copy_metadata(back.take(file_position), released), final.column(released.name))
            )
        return Table(tuple(columns), final.row_numbers, final.levels, final.people)

    @cached_property
    def judged(self) -> Table:
        """The written columns without generated codes for identifiers.

        Numbers drawn inside a range are replaced by the range.
        """
        final, exported = self.candidate.final, self.exported.without_role(PSEUDONYM)
        return exported.replacing(*(final.column(name) for name in exported.names if self.is_drawn(name)))

    @cached_property
    def code_columns(self) -> frozenset[str]:
        """Names of the columns of replaced identifiers in which every text of the file has the form of a code."""
        made = self.candidate.released.with_role(PSEUDONYM)
        return frozenset(column.name for column in made if are_codes(present_texts(self.exported.column(column.name))))

    def is_drawn(self, name: str) -> bool:
        """Return whether the release shows, for this column, numbers drawn at random inside its bins (ranges)."""
        bins = self.candidate.prepared.column_section(name).bins
        return bins is not None and bins.release == "draw"

    # --- the truth --------------------------------------------------------------------------

    @cached_property
    def rows_correspond(self) -> bool:
        """Whether each released row is one source row; False if some step made groups or synthetic rows."""
        return self.candidate.rows_correspond

    @property
    def source_rows(self) -> Ints:
        """For each row of ``final``, the index of the row of ``prepared.table`` it comes from; shape (rows,)."""
        return self.candidate.source_rows

    @cached_property
    def truth(self) -> Callable[[str], Column]:
        """A function that returns a column as before the first step, but with bins applied; rows as in ``final``.

        If rows are synthetic, they are in the source's order. Columns are kept for later calls. The function does not
        refer to the evidence, so that the evidence does not refer to itself.
        """
        candidate, columns = self.candidate, self.truths

        def read_true_column(name: str) -> Column:
            """Return the true column with this name."""
            if name not in columns:
                column = candidate.prepared.table.column(name)
                columns[name] = column.take(candidate.source_rows) if candidate.rows_correspond else column
            return columns[name]

        return read_true_column

    def is_true_value(self, name: str) -> Bools:
        """Return for each row of ``final`` whether its released value is the true one, bool, shape (rows,).

        Changes that anyone can undo (such as a fixed recoding) are undone first. A missing value counts as not true.
        All are True if rows are synthetic. The result is computed once for a column and must not be changed.
        """
        if not self.rows_correspond:
            return np.ones(self.candidate.final.rows, dtype=np.bool_)
        if name not in self._is_true_value:
            before, after, _ = merged_categories(self.truth(name), self.disclosed.undone(name))
            self._is_true_value[name] = np.asarray((before == after) & (before >= 0))
            self._is_true_value[name].flags.writeable = False
        return self._is_true_value[name]

    @cached_property
    def people_in_rows(self) -> GroupCounts:
        """The number of people that each row stands for, where rows are groups of people."""
        return count_released_people(self.disclosed, self.candidate.prepared.complete.input)

    # --- classes and protection -------------------------------------------------------------

    @cached_property
    def classes(self) -> Classes:
        """The rows grouped by equal quasi-identifiers, as written to the file; missing counts as a value of its own."""
        return quasi_identifier_classes(self.judged)

    @cached_property
    def known_people(self) -> Ints:
        """How many people, itself included, each row's person cannot be told from by quasi-identifiers, shape (rows,).

        It is the same in all rows of a person. The intruder knows one row of a person, or all of them if the release
        links them.
        """
        return self.anonymity_set_sizes(self.classes)

    def anonymity_set_sizes(self, classes: Classes) -> Ints:
        """Return for each row how many people an intruder cannot tell apart from its person, that person included.

        Shape (rows,). If the release links a person's rows, people are compared by all their rows (and by the rows'
        order if it is shown); else by that row of the person that the fewest people share.

        Parameters
        ----------
        classes
            The rows grouped by equal values of what the intruder knows.
        """
        linked, ordered = self.candidate.links_rows, self.candidate.keeps_order
        return find_anonymity_set_sizes(classes, self.disclosed.people, linked=linked, ordered=ordered)

    @property
    def released_people(self) -> int:
        """Number of people whose rows were written.

        The number of rows if each is a person, or if rows are synthetic.
        """
        return self.candidate.persons.count

    @property
    def first_rows(self) -> Ints:
        """The index of each person's first row in ``final``, shape (people,)."""
        return self.candidate.persons.first_rows

    def people_among(self, rows: Bools) -> int:
        """Return the number of people who have at least one marked row; ``rows`` is bool of shape (rows,)."""
        return self.disclosed.people.among(rows)

    @property
    def confidential(self) -> tuple[str, ...]:
        """Names of the released confidential columns."""
        return tuple(column.name for column in self.exported.with_role("confidential"))

    def find_protected_rows(self, name: str) -> Bools:
        """Return which rows have a value in the column ``name`` that some step protects as much as the person asked.

        The result is bool, shape (rows,), in the order of ``final``. It is as the steps declared when they ran, whether
        or not they changed the cell.
        """
        is_protected = np.zeros(self.candidate.final.rows, dtype=np.bool_)
        for step in self.candidate.steps:
            for protection in step.result.protections:
                if protection.column == name:
                    is_protected |= self._to_final_order(step, protection.protected)
        return is_protected

    # --- what is disclosed, measured on what was written ------------------------------------

    @cached_property
    def disclosed(self) -> Released:
        """The written table together with the true values, from which measures of disclosure are computed.

        The number of days between dates that were moved together stays true, and is added as one more column.
        """
        intervals, truth = column_of_intervals(self.candidate, self.judged), self.truth
        if intervals is None:
            return Released(self.candidate, self.judged, truth, self.draft)
        table = replace(self.judged, columns=(*self.judged.columns, intervals))
        own = intervals.name
        return Released(self.candidate, table, lambda name: intervals if name == own else truth(name), self.draft)

    @cached_property
    def functional_dependencies(self) -> tuple[Dependency, ...]:
        """Functional dependencies by which unchanged columns reveal the values of changed ones, the strongest first.

        Those too weak to reveal them are among these (`Dependency.reveals_column`). Empty if rows are synthetic.
        """
        return list_dependencies(self.disclosed)

    @cached_property
    def outside(self) -> OutsideEntry | None:
        """Estimate of how many people who are unique in the file are also unique in the population.

        None if the recipe does not ask for it or rows are groups of people, for a version during planning, and for an
        unreadable file.
        """
        return (
            None
            if self.draft or not self.fits
            else assess_outside(self.candidate.prepared, self.candidate, self.judged)
        )

    @cached_property
    def confidential_dependencies(self) -> tuple[Dependency, ...]:
        """The `functional_dependencies` of confidential columns, together with those of other columns.

        In planning (``draft``) the latter are missing, unless they were computed before.
        """
        if not self.draft or "functional_dependencies" in self.__dict__:
            return self.functional_dependencies
        return list_dependencies(self.disclosed, self.confidential)

    @cached_property
    def beliefs(self) -> tuple[ColumnBelief, ...]:
        """What intruders can conclude about each released confidential column, in the order of the columns."""
        parts = progress.parts(*(1.0 for _ in self.confidential))
        return tuple(part.run(self._compute_belief, name) for name, part in zip(self.confidential, parts, strict=True))

    def _compute_belief(self, name: str) -> ColumnBelief:
        """Return what intruders can conclude about one column, given the dependencies that reveal it.

        Stored for later calls.
        """
        dependencies = [
            dependency
            for dependency in self.confidential_dependencies
            if dependency.column == name and dependency.reveals_column
        ]
        key = name, *((giver.manner, giver.givers, giver.share, giver.right) for giver in dependencies)
        if key not in self._beliefs:
            self._beliefs[key] = belief_of(self.disclosed, name, dependencies)
        return self._beliefs[key]

    @cached_property
    def singled_out(self) -> SingledOutCounts:
        """Numbers of people who are unique by values that the release shows truly or generalised."""
        return count_singled_out(self.disclosed)

    @cached_property
    def revealing_columns(self) -> list[Column]:
        """The columns shown truly or generalised that are not quasi-identifiers, but could serve to search for people.

        Numbers that a step replaced, as averages do, are left out, except in synthetic rows.
        """
        return [column for column in list_unreplaced_columns(self.disclosed) if column.role != "quasi-identifier"]

    @cached_property
    def near(self) -> list[NearIdentifier]:
        """How many people have a unique or rare value in each of the `revealing_columns`; most unique people first.

        An entry has the numbers of people whose value is unique, of those whose value fewer than k_min people share
        (the unique ones included), and of those with a value. Columns without rare values are listed with zeros; those
        without any value are left out.
        """
        k_min = self.candidate.prepared.type.k_min
        identifiers = near_identifiers(self.revealing_columns, k_min, self.disclosed.people)
        return [identifier for identifier in identifiers if identifier.people]

    @cached_property
    def others_find_few(self) -> bool:
        """Whether at most 1 in k_min people is unique by the columns that others may know.

        They may know quasi-identifiers, columns with the name of one, whatever their role, and dates that are not
        confidential. If true, an agreement with the researchers can forbid them to search for people by further
        columns. False for release types that do not rely on an agreement, for synthetic rows, and for copies of chosen
        records.
        """
        type = self.candidate.prepared.type
        if not type.relies_on_agreement or not self.rows_correspond:
            return False
        return count_unique_by_known(self.disclosed) * type.k_min <= self.disclosed.people_count

    @cached_property
    def relies_on_agreement(self) -> bool:
        """Whether recipients agree in writing not to search for people, and `others_find_few` holds."""
        return self.others_find_few and self.candidate.prepared.recipe.release.agreement

    @cached_property
    def learnt(self) -> tuple[Learnt, ...]:
        """What unchanged columns of role ``other`` reveal about people found by their quasi-identifiers.

        There is one entry for each such column (`true_columns`); in a public release others follow on what columns of
        two values reveal together. Empty for a release within an organisation, for synthetic rows and without rows. In
        a release for research, columns that the owner calls measured do not count.
        """
        type, released = self.candidate.prepared.type, self.disclosed
        if type.is_internal or not self.rows_correspond or not self.judged.rows:
            return ()
        columns = [
            column
            for column in self.true_columns
            if column.role == "other"
            and (type.is_public or not self.candidate.prepared.column_section(column.name).measured)
        ]
        if not columns:
            return ()
        classes = build_findable_classes(released)
        people = self.anonymity_set_sizes(classes)
        learnt = [
            find_learnt_people(released, column, classes, people, in_large_classes=type.is_public) for column in columns
        ]
        return (*learnt, *(find_learnt_by_flags(released, columns, classes) if type.is_public else ()))

    @cached_property
    def true_columns(self) -> list[Column]:
        """The columns, neither confidential nor in bins, that show the source's own values in over 90 % of the cells.

        Empty cells count as such. The list is empty if rows are synthetic.
        """
        return true_columns(self.disclosed)

    @cached_property
    def learnt_people(self) -> Bools:
        """The people about whom `learnt` makes a value certain, marked at their first row; bool, shape (rows,).

        Nobody is marked if the release is not public and there are at most `limit_chance_certain` such people.
        """
        rows = np.logical_or.reduce(
            [np.zeros(self.judged.rows, dtype=np.bool_), *(column_learnt.certain for column_learnt in self.learnt)]
        )
        people, first = self.disclosed.people, np.zeros_like(rows)
        first[people.first_rows[people.with_any(rows)]] = True
        few = int(first.sum()) <= limit_chance_certain(self.people)
        return np.zeros_like(first) if few and not self.candidate.prepared.type.is_public else first

    @cached_property
    def certain_confidential(self) -> Bools:
        """The people of whom a confidential value is certain to someone who knows their quasi-identifiers.

        Each is marked at one row, bool, shape (rows,).
        """
        return find_certain_rows(self.beliefs, self.judged.rows, take_uncertainty_by_quasi)

    @cached_property
    def certain_people(self) -> Bools:
        """The people of whom an intruder learns for certain a value, or that it is one of several with one meaning.

        The value is a confidential one, or an unchanged one of role ``other``; `certain_records` says when the latter
        counts. Each person is marked at one row, bool, shape (rows,).
        """
        return self.certain_confidential | self.learnt_people | self.certain_meanings

    @cached_property
    def certain_meanings(self) -> Bools:
        """Rows where no single value is certain, but one of several values with one meaning; bool, shape (rows,).

        For example "influenza A or influenza B", or "this value or missing".
        """
        meant = [belief.meant for belief in self.beliefs if belief.meant is not None]
        rows = np.logical_or.reduce([np.zeros(self.judged.rows, dtype=np.bool_), *meant])
        return np.asarray(rows & ~self.certain_confidential)

    @cached_property
    def certain_by_all(self) -> Bools:
        """The people of whom a confidential value is certain to someone who knows all columns but confidential ones.

        Each is marked at one row, bool, shape (rows,).
        """
        return find_certain_rows(self.beliefs, self.judged.rows, take_uncertainty_by_all)

    def common_certain(self, side: Side) -> tuple[int, Names]:
        """Return the number of people of whom only a value is certain that at least nine in ten people have.

        The result has the names of the columns with such a value, too. ``side`` takes from a belief the conclusions of
        one kind of intruder (who knows quasi-identifiers, or all columns).
        """
        rows, columns = np.zeros(self.judged.rows, dtype=np.bool_), []
        for belief in self.beliefs:
            is_certain = side(belief).certain
            rows[belief.of] |= is_certain
            columns += [belief.column] if bool((is_certain & ~belief.certain(side(belief))).any()) else []
        count = int(np.count_nonzero(rows & ~find_certain_rows(self.beliefs, self.judged.rows, side)))
        return count, Names.of(columns)

    @cached_property
    def people(self) -> int:
        """Number of people among whom certain ones are counted: everybody in the release.

        For synthetic rows with a confidential column it is the number of people on whom the attack was tried.
        """
        if self.rows_correspond or not self.beliefs:
            return self.disclosed.people_count
        asked = np.zeros(self.judged.rows, dtype=np.bool_)
        for belief in self.beliefs:
            asked[belief.of] = True
        return int(asked.sum())

    @property
    def certain_records(self) -> int:
        """Number of people of whom an intruder learns something for certain.

        This is a confidential value; or that it is one of several values with one meaning, such as "influenza A or
        influenza B"; or the value of an unchanged column of role ``other``. That a value was released unchanged is not
        enough: the intruder must find the person by the quasi-identifiers. Unchanged columns do not count within an
        organisation and, except in a public release, if at most `limit_chance_certain` people are certain by them.
        """
        return int(self.certain_people.sum())

    def is_tolerated(self, side: Side) -> bool:
        """Return whether chance explains how many people are certain: at most 2 or 1 in 1,000, and no value proved.

        In a public release none of them may have a rare true value, either (`are_tolerated`). ``side`` takes from a
        belief the conclusions of one kind of intruder (who knows quasi-identifiers, or all columns).
        """
        confirmed = any(belief.confirmed(side(belief)) for belief in self.beliefs)
        return not confirmed and self.are_tolerated(find_certain_rows(self.beliefs, self.judged.rows, side))

    def are_tolerated(self, certain: Bools) -> bool:
        """Return whether ``certain`` marks at most `limit_chance_certain` people: 2, or one in 1,000 if that is more.

        False for a public release if one of them has, in one of the `true_columns`, a value that fewer than ``k_min``
        people share.

        Parameters
        ----------
        certain
            Marks one row of each person about whom something is certain, bool, shape (rows,).
        """
        count = int(certain.sum())
        if count == 0 or count > limit_chance_certain(self.people) or not self.candidate.prepared.type.is_public:
            return count <= limit_chance_certain(self.people)
        return not has_rare_value(self.disclosed, self.true_columns, certain)

    @property
    def protected_columns(self) -> frozenset[str]:
        """Names of the columns that some step declares to protect and has changed (exceptions as in `protections`)."""
        return frozenset(protection.column for _, protection in self.protections)

    @cached_property
    def protections(self) -> tuple[tuple[StepRecord, Protection], ...]:
        """Pairs of a step and a protection it declares, where the step changed some cell of the protected column.

        All pairs if rows are synthetic or the file cannot be read.
        """
        return tuple(
            (step, protection)
            for step in self.candidate.steps
            for protection in step.result.protections
            if not self.rows_correspond or not self.fits or step in self.disclosed.changing_steps(protection.column)
        )

    def _to_final_order(self, step: StepRecord, flags: Bools) -> Bools:
        """Return a step's flags of rows in the order of ``final``; False for rows the step did not have.

        All are False if ``flags`` does not have one entry for each row of the step's result.
        """
        rows, final = step.result.table.row_numbers, self.candidate.final.row_numbers
        if len(flags) == len(final) and (rows is final or np.array_equal(rows, final)):
            return flags
        return np.isin(final, rows[flags]) if len(flags) == len(rows) else np.zeros(len(final), dtype=np.bool_)

    # --- the steps, recounted -----------------------------------------------------------------

    @cached_property
    def recounts(self) -> tuple[Recount, ...]:
        """Each step's guarantee and levels, counted again in the written columns that no later step changed.

        There is one entry for each step. Numbers drawn inside bins are not taken from the file. The count made when the
        step ran is taken over if later steps changed the number of rows, or if writing changed none of these columns.
        Fails if the file cannot be read.
        """
        recounts: list[Recount] = []
        for step in self.candidate.steps:
            progress.report(len(recounts) / len(self.candidate.steps), _DOING)
            after, untouched = step.result.table, self._list_untouched_columns(step)
            if after.rows != self.exported.rows or all(column is after.column(column.name) for column in untouched):
                recounts.append(step.recount)
                continue
            after = after.replacing(*untouched)
            recounts.append(step.method.recount_run(step.before, after, step.settings, step.result))
        return tuple(recounts)

    @cached_property
    def level_counts(self) -> tuple[LevelCount, ...]:
        """How well each step kept what each privacy level demands, counted again in the written file."""
        return recount_levels(self.candidate, self.judged)

    def _list_untouched_columns(self, step: StepRecord) -> Sequence[Column]:
        """Return the written columns that no step after ``step`` changed, without numbers drawn inside bins."""
        later_steps = [later_step for later_step in self.candidate.steps if later_step.index > step.index]
        touched = {
            column.name
            for later_step in later_steps
            for column in later_step.result.table.columns
            if column is not later_step.before.column(column.name)
        }
        return [
            column for column in self.exported.columns if column.name not in touched and not self.is_drawn(column.name)
        ]


def limit_chance_certain(people: int) -> int:
    """Return how many of ``people`` may seem certain by chance alone: 2, or one in 1,000 if that is more."""
    return max(2, people // 1_000)


def _reuse_equal_column(back: Column, column: Column) -> Column:
    """Return ``column`` if the file's column ``back`` equals it, so that its cached results are reused.

    Otherwise ``back`` is returned.
    """
    same = all(
        getattr(back, field.name) == getattr(column, field.name) for field in fields(back) if field.name != "codes"
    )
    return column if same and np.array_equal(back.codes, column.codes) else back


def _copy_metadata(back: Column, released: Column) -> Column:
    """Return a column read back from the file with the metadata and the order of texts of the released column.

    Texts that the released column does not have come last. A column of numbers with a text that is no number, or has
    more decimals than the released ones, becomes nominal.
    """
    code_of_text: dict[str, int] = {}
    assign_text_numbers(released.texts, code_of_text)
    progress.check()
    into = assign_text_numbers(back.texts, code_of_text).astype(np.int32)
    codes = into[back.codes] if len(into) else back.codes
    with_metadata = replace(released, codes=codes, texts=tuple(code_of_text))
    progress.check()
    if with_metadata.kind == "numeric":
        try:
            _ = with_metadata.text_values
        except (ValueError, OverflowError):  # damaged file: no number any more, judged as text
            return replace(with_metadata, kind="nominal", style=None)
    return with_metadata


def is_quasi_regenerated(evidence: Evidence) -> bool:
    """Return whether some step replaced all released quasi-identifiers by synthetic values or those of groups.

    False if no quasi-identifier is released.
    """
    quasi = {column.name for column in evidence.judged.with_role("quasi-identifier")}
    return bool(quasi) and any(
        step.method.correspondence != "record" and quasi <= set(step.settings.columns)
        for step in evidence.candidate.steps
    )
