"""Preparation of the attack on single persons: everything that depends on other people is computed once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.attacks.inference import Clues, Details, collect_clues
from ppdm_desktop.engine.identifiability.classes import equivalence_classes, find_anonymity_set_sizes
from ppdm_desktop.engine.release.attack_audit.base import (
    all_attacks,
    count_matching_people,
    find_row_owners,
    known_values,
    limit_guessed_people,
    released_with_role,
    take_first_rows,
    undo_public_steps,
)
from ppdm_desktop.engine.release.attack_audit.inverse_attacks import InverseAttack
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseFilter
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import NoisyStep, filtered_steps
from ppdm_desktop.engine.release.attack_audit.truth_in_release import to_released_texts
from ppdm_desktop.engine.release.candidate.model import Candidate, match_source_columns
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.utility.cells import SharedCells, merged_categories, shared_cells
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.whole_table import Compared

Correspondence = Literal["record", "group", "none"]

NO_PERSON = -1
"""Owner of a person who has no released record."""


@dataclass(frozen=True, eq=False)
class Taught:
    """What an intruder learns from other people about one confidential column.

    Attributes
    ----------
    name
        The column.
    cells
        The true and released values of the column, in the cells (categories or ranges) that are guessed.
    released_codes
        Cell of each released record, -1 where missing.
    rows, clues
        Indices of the audit's sample of people, and the evidence about these; empty and None where the column has
        fewer than two values or none of these people has one.
    """

    name: str
    cells: SharedCells
    released_codes: Ints
    rows: Ints
    clues: Clues | None


@dataclass(frozen=True, eq=False)
class AllRows:
    """For each released person, how many people match when all of the person's rows are known.

    Attributes
    ----------
    people
        The person of each released row.
    fit
        int64, shape (people,): number of people whose released rows together equal this person's known values.
    is_own
        bool, same shape: whether the person themself is one of these people.
    values
        Each confidential column with the number of people, int64 of the same shape, whose released rows also show this
        person's true values of the column.
    """

    people: People
    fit: Ints
    is_own: Bools
    values: tuple[tuple[str, Ints], ...]


@dataclass(frozen=True, eq=False)
class RecordAttack:
    """An attack prepared for any person of the source.

    Attributes
    ----------
    candidate
        The candidate release.
    correspondence
        Whether released records are people's own, were made from groups, or come from nobody.
    numbers
        int64: row numbers of the source, ascending; each of them can be attacked.
    set_sizes
        int64, same shape: number of source people who have the same quasi-identifiers as the person of the row.
    columns, confidential
        Names of the columns the intruder knows, and of those they guess.
    people
        int64, shape (people,): index in ``numbers`` of each person in the release, in the audit's order.
    owner
        int64, same shape: number of the person or group whose records are the person's own, -1 (`NO_PERSON`) without
        any.
    made_from
        int64, shape (released rows,): number of the person or group that each released row was made from.
    quasi, secret
        Known and confidential columns: true values of the people, as released texts, and the released column.
    known, released
        The known columns of the people and of the released rows, as the attacks read them.
    taught
        What is learned about each confidential column; empty without a known column or without a released row.
    inverses
        Attack id, column with true values, as released and as undone, and the tolerance, for each undone column.
    noisy
        The fitted filter of each step whose noise can be filtered out; rows are people.
    all_rows
        Matches by all rows of a person; None where each person has one row, or no column is known to the intruder.
    """

    candidate: Candidate
    correspondence: Correspondence
    numbers: Ints
    set_sizes: Ints
    columns: tuple[str, ...]
    confidential: tuple[str, ...]
    people: Ints
    owner: Ints
    made_from: Ints
    quasi: tuple[tuple[Column, Column], ...]
    secret: tuple[tuple[Column, Column], ...]
    known: Details
    released: Details
    taught: tuple[Taught, ...]
    inverses: tuple[tuple[str, Column, Column, Column, float], ...]
    noisy: tuple[NoisyStep, ...]
    all_rows: AllRows | None


def prepare_attack(candidate: Candidate, extra: int | None = None) -> RecordAttack:
    """Return an attack that can be made on any person of the source.

    What the intruder learns from other people is computed here, once for all people whose rows are released. For any
    other row `attack_record` computes it again, with that row added.

    It has the known and confidential values of people and records and their owners, what is learned of each
    confidential column, the columns that inverses undo (none for synthetic rows), the noise filters, and matches by all
    rows of a person.

    Parameters
    ----------
    candidate
        The candidate release.
    extra
        Index of the source row of a person who is added, because no row of theirs is released. The person is then the
        last of the attack's people, and noise filters and matches by all rows are not prepared.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    progress.report(0.0, "doing.audit")
    both, numbers = match_source_columns(candidate), candidate.prepared.table.row_numbers
    both = to_released_texts(candidate, both)
    people, owner, made_from = _find_people_and_owners(candidate, numbers, extra)
    quasi, secret = (_pair_columns(candidate, both, people, role) for role in ("quasi-identifier", "confidential"))
    progress.check()
    known_people, released = known_values([true for true, _ in quasi], [final for _, final in quasi], owner, made_from)
    learners = len(people) - (extra is not None)
    taught = _learn_about_columns(candidate, secret, known_people, released, learners) if quasi else ()
    columns = tuple(source.name for source, _ in quasi)
    whole = equivalence_classes([candidate.prepared.original.column(name) for name in columns], len(numbers))
    persons = candidate.prepared.table.persons
    set_sizes = find_anonymity_set_sizes(whole, persons, linked=candidate.links_rows, ordered=candidate.keeps_order)
    correspondence = _find_correspondence(candidate, made_from)
    return RecordAttack(
        candidate,
        correspondence,
        numbers,
        set_sizes,
        columns,
        tuple(source.name for source, _ in secret),
        people,
        owner,
        made_from,
        quasi,
        secret,
        known_people,
        released,
        taught,
        tuple(_list_undone_columns(candidate)) if correspondence != "none" else (),
        # Nothing noisy was released of a person left out.
        tuple(progress.part(1.0, 1.0).run(filtered_steps, candidate, NoiseFilter.id)) if extra is None else (),
        _count_matches_of_each_person(candidate, quasi, secret) if extra is None and quasi else None,
    )


Pairs = tuple[tuple[Column, Column], ...]


def _find_people_and_owners(candidate: Candidate, numbers: Ints, extra: int | None) -> tuple[Ints, Ints, Ints]:
    """Return the source row index and the owner number of each person, and the owner number of each released row.

    An owner is the person or group that a row was made from. Each released row counts as a person here; ``extra``, a
    source row that is not in the release, is appended if given; its owner is that of the person's other released rows,
    or -1 (`NO_PERSON`). For synthetic rows the people are all source rows, with the owner -1 (`NO_PERSON`), and every
    released row has an owner number of its own.

    All three are int64: the first two have shape (people,), the last one (released rows,).
    """
    made_from = find_row_owners(candidate)
    if made_from is None:
        people = np.arange(len(numbers), dtype=np.int64)
        owner, made_from = np.full(len(people), NO_PERSON), np.arange(candidate.final.rows, dtype=np.int64)
    else:
        people, owner = candidate.source_rows, made_from
    if extra is not None:
        people, owner = np.append(people, extra), np.append(owner, _find_owner(candidate, extra, people, made_from))
    return people, owner, made_from


def _pair_columns(candidate: Candidate, both: Compared, people: Ints, role: str) -> Pairs:
    """Return for each released column with a role the true values of ``people``, and the released column with all rows.

    Columns that are free text in the source or in the release are left out. ``people`` are row indices of
    ``both.before``.
    """
    by_name = {source.name: (source, released) for source, released in zip(both.before, both.after, strict=True)}
    wanted = [by_name[name] for name in released_with_role(candidate, role)]
    return tuple(
        (source.take(people), released) for source, released in wanted if "text" not in (source.kind, released.kind)
    )


def _find_correspondence(candidate: Candidate, made_from: Ints) -> Correspondence:
    """Return how released rows correspond to people: "none", "group" or "record".

    It is "none" where a step made synthetic rows, and "group" where people have one row each and some released rows
    have the same owner. ``made_from`` is the owner number of each released row.
    """
    if any(step.method.correspondence == "none" for step in candidate.steps):
        return "none"
    grouped = not candidate.persons.with_several and bool((np.bincount(made_from) > 1).any())
    return "group" if grouped else "record"


def _learn_about_columns(
    candidate: Candidate, secret: Pairs, known_people: Details, released: Details, learners: int
) -> tuple[Taught, ...]:
    """Return what the intruder learns about each confidential column of ``secret``; empty where no row is released.

    Parameters
    ----------
    candidate
        The candidate release.
    secret
        True values of the people and released column, for each confidential column.
    known_people, released
        The known columns of the people, and of the released rows.
    learners
        The intruder learns from this many people, the first ones.
    """
    if not candidate.final.rows:
        return ()
    most = limit_guessed_people(candidate)
    taught = []
    for done, pair in enumerate(secret):
        with progress.part(done / len(secret), (done + 1) / len(secret)):
            taught.append(_learn_about_column(candidate, pair, known_people, released, learners, most))
    return tuple(taught)


def _count_matches_of_each_person(candidate: Candidate, quasi: Pairs, secret: Pairs) -> AllRows | None:
    """Return for each person how many people match all of the person's rows; None where each person has one row.

    A released person matches by the columns of ``quasi`` (`count_matching_people`); also returned is whether the person
    themself does. The matching people are counted again with each single column of ``secret`` added. None too where a
    step made groups or synthetic rows.
    """
    people = candidate.persons
    if not people.with_several:
        return None
    known_codes, released = [list(side) for side in zip(*(merged_categories(*pair)[:2] for pair in quasi), strict=True)]
    fit, fits_own = count_matching_people(candidate, known_codes, released)
    all_rows = []
    for pair in secret:
        true, seen, _ = merged_categories(*pair)
        all_rows.append((pair[0].name, count_matching_people(candidate, [*known_codes, true], [*released, seen])[0]))
    return AllRows(people, fit, fits_own, tuple(all_rows))


def _find_owner(candidate: Candidate, extra: int, people: Ints, made_from: Ints) -> int:
    """Return the owner number of the released rows of the person to whom an unreleased row belongs.

    An owner is the person or group that a released row was made from. -1 (``NO_PERSON``) if no row of the person is
    released.

    Parameters
    ----------
    candidate
        The candidate release, whose source table says which person each row belongs to.
    extra
        Index of the source row that is not released.
    people
        Source row index of each released row.
    made_from
        Owner number of each released row.
    """
    whose = candidate.prepared.table.persons.of_row
    own_rows = np.flatnonzero(whose[people] == whose[extra])
    return int(made_from[own_rows[0]]) if len(own_rows) else NO_PERSON


def _learn_about_column(
    candidate: Candidate,
    pair: tuple[Column, Column],
    known_people: Details,
    released: Details,
    learners: int,
    most: int,
) -> Taught:
    """Return what the intruder learns about one confidential column, with the evidence on the audit's sample of people.

    The sample has at most ``most`` people: a fixed sample of those of the first ``learners`` who have a value. ``pair``
    is the column with true values of the people, and as released. There is no evidence, and no sample, where the column
    has fewer than two values or nobody has one.
    """
    cells = shared_cells(pair[0], undo_public_steps(candidate, pair[1]))
    categories = cells.count - 1
    draw = np.where(cells.after < categories, cells.after, -1)
    people = np.flatnonzero(cells.before[:learners] < categories)
    if candidate.rows_correspond:  # otherwise the people may be those of the source, and each has one row
        people = take_first_rows(candidate, people)
    if categories < 2 or not len(people):
        return Taught(pair[0].name, cells, draw, people[:0], None)
    rows = people[sample_rows(len(people), most)]
    return Taught(pair[0].name, cells, draw, rows, collect_clues(known_people.take(rows), released, draw, categories))


def _list_undone_columns(candidate: Candidate) -> list[tuple[str, Column, Column, Column, float]]:
    """Return for each inverse and column it applies to: attack id, source, released and undone column, tolerance.

    Where the inverse changes nothing, the undone column is the released one.
    """
    inverses_tried = []
    inverses = [attack for attack in all_attacks().values() if attack.on_person and isinstance(attack, InverseAttack)]
    for attack in inverses:
        for before, after in attack.undoable(candidate):
            progress.check()
            inverses_tried.append((attack.id, before, after, *attack.undo(candidate, before, after)))
    return inverses_tried
