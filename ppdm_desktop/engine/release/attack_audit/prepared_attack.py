"""An attack on single persons made ready: what the whole audit learns of other people, learned once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints, places_among
from ppdm_desktop.engine.attacks.gower import Values
from ppdm_desktop.engine.attacks.inference import Clues, Known, clues
from ppdm_desktop.engine.attacks.nearest_record import FEWEST_TARGETS, MOST_COMPARISONS, MOST_TARGETS
from ppdm_desktop.engine.identifiability.classes import equivalence_classes
from ppdm_desktop.engine.identifiability.people import class_people
from ppdm_desktop.engine.release.attack_audit.column_pairs import few_cells, owners, released_with_role, undone
from ppdm_desktop.engine.release.attack_audit.inverse_attacks import InverseAttack
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseFilter
from ppdm_desktop.engine.release.attack_audit.noise_filter_model import FilteredStep, filtered_steps
from ppdm_desktop.engine.release.attack_audit.people_targets import fitting_people, one_each
from ppdm_desktop.engine.release.attack_audit.registry import all_attacks
from ppdm_desktop.engine.release.attack_audit.truth_in_release import in_released_words
from ppdm_desktop.engine.release.candidate.column_pairing import Compared, compared
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.table.column import Column
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.utility.cells import SharedCells, merged_categories, shared_cells
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.utility.models.features import Records, paired_records

Correspondence = Literal["record", "group", "none"]

NOBODY = -1
"""Owner of a person who has no released record."""


@dataclass(frozen=True, eq=False)
class Taught:
    """What an intruder learns from other people about one confidential column.

    Attributes
    ----------
    name
        The column.
    cells
        Values that are guessed, people beside released records.
    released_codes
        Cell of each released record, -1 where missing.
    rows, clues
        The audit's own sample of people, as places among the people, and what the intruder has on
        them; None where there is nothing to tell apart.
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
        Whose row each row of ``final`` is.
    fit
        int64, shape (people,): people whose released rows are, all together, what is known of this person's.
    own
        bool, same shape: whether the person's own rows are among these.
    shown
        Each confidential column with the number of people, int64 of the same shape, whose released rows show this
        person's true values of it as well.
    """

    people: People
    fit: Ints
    own: Bools
    shown: tuple[tuple[str, Ints], ...]


@dataclass(frozen=True, eq=False)
class RecordAttack:
    """An attack made ready for any person of the source.

    Attributes
    ----------
    candidate
        What is to be released.
    correspondence
        Whether released records are people's own, were made from groups, or come from nobody.
    numbers
        int64: row numbers of the source, rising; those who can be attacked.
    alike
        int64, same shape: how many people of the source have this person's describing values.
    columns, confidential
        Names of the columns the intruder knows, and of those they guess.
    people
        int64, shape (people,): place of each among ``numbers``; those in the release, as in the audit.
    owner
        int64, same shape: the person or group whose records are their own, `NOBODY` without any.
    made_from
        int64, shape (released rows,), rows as in ``final``: owner of each.
    quasi, secret
        Known and confidential columns of the people, in released words, and of the released rows.
    known, released
        The known columns as the attacks read them.
    taught
        One for each confidential column.
    inverses
        Attack, column as it was, as released and as undone, and the tolerance.
    noisy
        One for each step whose noise can be filtered out; rows are people.
    all_rows
        Who fits all rows of a person; None where a row is a person, or nothing is known of people.
    """

    candidate: Candidate
    correspondence: Correspondence
    numbers: Ints
    alike: Ints
    columns: tuple[str, ...]
    confidential: tuple[str, ...]
    people: Ints
    owner: Ints
    made_from: Ints
    quasi: tuple[tuple[Column, Column], ...]
    secret: tuple[tuple[Column, Column], ...]
    known: Known
    released: Known
    taught: tuple[Taught, ...]
    inverses: tuple[tuple[str, Column, Column, Column, float], ...]
    noisy: tuple[FilteredStep, ...]
    all_rows: AllRows | None


def prepare_attack(candidate: Candidate) -> RecordAttack:
    """Return an attack on any person of the source; what it learns from other people is learned only once.

    Raises
    ------
    Cancelled
        When the work was stopped.
    """
    return made_ready(candidate, None)


def made_ready(candidate: Candidate, extra: int | None) -> RecordAttack:
    """Return what is needed to attack any person; ``extra`` is the source row of a person who is not in the release."""
    progress.report(0.0, "doing.audit")
    both, numbers = compared(candidate), candidate.prepared.table.row_numbers
    both = in_released_words(candidate, both)
    people, owner, made_from = _people_and_owners(candidate, numbers, extra)
    quasi, secret = (_pairs(candidate, both, people, role) for role in ("quasi-identifier", "confidential"))
    progress.check()
    known_people, released = _known_and_released(quasi, owner, made_from)
    learners = len(people) - (extra is not None)
    taught = _taught_columns(candidate, secret, known_people, released, learners) if quasi else ()
    columns = tuple(source.name for source, _ in quasi)
    whole = equivalence_classes([candidate.prepared.original.column(name) for name in columns], len(numbers))
    alike = class_people(
        whole,
        candidate.prepared.table.people if candidate.several is not None else None,
        linked=candidate.links_rows,
        ordered=candidate.keeps_order,
    )
    correspondence = _correspondence(candidate, made_from)
    return RecordAttack(
        candidate,
        correspondence,
        numbers,
        alike,
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
        tuple(_inverses(candidate)) if correspondence != "none" else (),
        # Nothing noisy was released of a person left out.
        tuple(progress.part(1.0, 1.0).run(filtered_steps, candidate, NoiseFilter.id)) if extra is None else (),
        _all_rows(candidate, quasi, secret) if extra is None and quasi else None,
    )


Pairs = tuple[tuple[Column, Column], ...]


def _people_and_owners(candidate: Candidate, numbers: Ints, extra: int | None) -> tuple[Ints, Ints, Ints]:
    """Return the source row of each person, the person each was made into, and the person each released row is of."""
    made_from = owners(candidate)
    if made_from is None:
        people = np.arange(len(numbers), dtype=np.int64)
        owner, made_from = np.full(len(people), NOBODY), np.arange(candidate.final.rows, dtype=np.int64)
    else:
        people, owner = places_among(numbers, candidate.final.row_numbers), made_from
    if extra is not None:
        people, owner = np.append(people, extra), np.append(owner, _owner_of(candidate, extra, people, made_from))
    return people, owner, made_from


def _pairs(candidate: Candidate, both: Compared, people: Ints, role: str) -> Pairs:
    """Return the columns of a role, but free text: the true values of ``people``, and the released column."""
    by_name = {source.name: (source, released) for source, released in zip(both.before, both.after, strict=True)}
    wanted = [by_name[name] for name in released_with_role(candidate, role)]
    return tuple(
        (source.take(people), released) for source, released in wanted if "text" not in (source.kind, released.kind)
    )


def _known_and_released(quasi: Pairs, owner: Ints, made_from: Ints) -> tuple[Known, Known]:
    """Return what the intruder knows of the people, and what the released rows show of it."""
    true, released = paired_records([source for source, _ in quasi], [final for _, final in quasi])
    cells = [few_cells(source, final) for source, final in quasi]
    return (
        Known(_values(true, len(owner)), [source_codes for source_codes, _ in cells], owner),
        Known(_values(released, len(made_from)), [released_codes for _, released_codes in cells], made_from),
    )


def _correspondence(candidate: Candidate, made_from: Ints) -> Correspondence:
    """Return what a released row is made from: a person's own row, a group, or nobody's."""
    if any(step.method.correspondence == "none" for step in candidate.steps):
        return "none"
    grouped = candidate.several is None and len(made_from) > 0 and bool((np.bincount(made_from) > 1).any())
    return "group" if grouped else "record"


def _taught_columns(
    candidate: Candidate, secret: Pairs, known_people: Known, released: Known, learners: int
) -> tuple[Taught, ...]:
    """Return what the intruder learns of each confidential column; nothing where no row is released."""
    if not candidate.final.rows:
        return ()
    guessed = len(released_with_role(candidate, "confidential"))
    targets_per_column = MOST_COMPARISONS // max(candidate.final.rows * guessed, 1)
    most = int(np.clip(targets_per_column, FEWEST_TARGETS, MOST_TARGETS))
    taught = []
    for done, pair in enumerate(secret):
        with progress.part(done / len(secret), (done + 1) / len(secret)):
            taught.append(_taught(candidate, pair, known_people, released, learners, most))
    return tuple(taught)


def _all_rows(candidate: Candidate, quasi: Pairs, secret: Pairs) -> AllRows | None:
    """Return who matches all rows of each person, with and without a secret; None where a row is a person."""
    people = candidate.several
    if people is None:
        return None
    known_codes, released = [list(side) for side in zip(*(_both(*pair) for pair in quasi), strict=True)]
    fit, fits_own = fitting_people(candidate, known_codes, released)
    all_rows = []
    for pair in secret:
        true, seen = _both(*pair)
        all_rows.append((pair[0].name, fitting_people(candidate, [*known_codes, true], [*released, seen])[0]))
    return AllRows(people, fit, fits_own, tuple(all_rows))


def _both(before: Column, after: Column) -> tuple[Ints, Ints]:
    """Return both versions of a column in the same codes."""
    return merged_categories(before, after)[:2]


def _owner_of(candidate: Candidate, extra: int, people: Ints, made_from: Ints) -> int:
    """Return the person whose other rows are released when one is left out; ``NOBODY`` where a row is a person."""
    whose = candidate.prepared.table.people
    if whose is None or candidate.several is None:
        return NOBODY
    own_rows = np.flatnonzero(whose.of_row[people] == whose.of_row[extra])
    return int(made_from[own_rows[0]]) if len(own_rows) else NOBODY


def _values(records: Records, rows: int) -> Values:
    if records.width:
        return Values(records.numbers, records.codes)
    return Values(np.zeros((rows, 0)), np.zeros((rows, 0), dtype=np.int64))


def _taught(
    candidate: Candidate, pair: tuple[Column, Column], known_people: Known, released: Known, learners: int, most: int
) -> Taught:
    """Return what is learned of one confidential column, with the clues on the audit's own sample of people."""
    cells = shared_cells(pair[0], undone(candidate, pair[1]))
    categories = cells.count - 1
    draw = np.where(cells.after < categories, cells.after, -1)
    people = one_each(candidate, np.flatnonzero(cells.before[:learners] < categories))
    if categories < 2 or not len(people):
        return Taught(pair[0].name, cells, draw, people[:0], None)
    rows = people[sample_rows(len(people), most)]
    return Taught(pair[0].name, cells, draw, rows, clues(take(known_people, rows), released, draw, categories))


def take(known_people: Known, rows: Ints) -> Known:
    """Return what is known of some people, in the order of ``rows``."""
    return Known(
        known_people.values.take(rows), [codes[rows] for codes in known_people.cells], known_people.owner[rows]
    )


def _inverses(candidate: Candidate) -> list[tuple[str, Column, Column, Column, float]]:
    """Return attack id, source column, released column, undone column and tolerance of each inverse that applies."""
    inverses_tried = []
    inverses = [attack for attack in all_attacks().values() if attack.on_person and isinstance(attack, InverseAttack)]
    for attack in inverses:
        for before, after in attack.undoable(candidate):
            progress.check()
            inverses_tried.append((attack.id, before, after, *attack.undo(candidate, before, after)))
    return inverses_tried
