"""The attack that tries keys; it succeeds where the key was made from a small number.

An intruder who knows the source rows of a few people, and values of theirs that are released unchanged, can
recognise the right key: with it the released rows are in the key's order. A key of 256 bits from the operating
system cannot be tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.attacks.comparison import Severity
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.randomness import Key, StepStream
from ppdm_desktop.engine.release.attack_audit.base import (
    LESS_CHANCE,
    Attack,
    AttackEvidence,
    LargeFigure,
    is_untouched,
    make_empty_tail,
    pair_released_columns,
    register,
)
from ppdm_desktop.engine.release.candidate.model import Candidate
from ppdm_desktop.engine.release.candidate.pipeline import ROW_ORDER
from ppdm_desktop.engine.report.model import AttackEntry, Report, Sentence
from ppdm_desktop.engine.utility.cells import merged_categories
from ppdm_desktop.engine.utility.models.crossval import sample_rows
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import Note

# --- seed search --------------------------------------------------------------------------

LOG2_CHANCE_ENOUGH = 40.0
"""The test is conclusive if a wrong key passes it with a chance of at most 2 to the power of minus this."""


def search_seeds(seeds: Sequence[int], fits: Callable[[int], bool]) -> int | None:
    """Return the first number whose key fits what is known; None if none fits.

    Parameters
    ----------
    seeds
        Numbers to try, in this order.
    fits
        Returns whether the release looks as it would with the key made from a number.
    """
    for tried, seed in enumerate(seeds):
        progress.report(tried / len(seeds), "doing.audit")
        if fits(seed):
            return seed
    return None


def people_needed(chances: Sequence[float]) -> int | None:
    """Return how many known people are enough to recognise a key for certain; None if all of them are not.

    The people are taken in the given order until their chances multiplied are at most 2**-40: with chances of 2**-15
    each, 3 are enough and 2 are not. A chance of 0 is enough by itself.

    Parameters
    ----------
    chances
        For each known person, the chance that a record drawn at random shows the same values.
    """
    bits = 0.0
    for count, chance in enumerate(chances, start=1):
        bits += -math.log2(chance) if chance > 0 else LOG2_CHANCE_ENOUGH
        if bits >= LOG2_CHANCE_ENOUGH:
            return count
    return None


# --- seed search --------------------------------------------------------------------------

_HOW = lazy("numbers tried as keys, from 0 upwards")
_WRONG_KEY = lazy("a wrong key passes the test only once in 2^40")
_BLIND = lazy("a key taken at random")
_NO_TAIL = lazy("a key is found or not")

MOST_KNOWN = 200
MOST_DRAWS, FEWEST_SEEDS, MOST_SEEDS = 20_000_000, 50, 2_000
KEY_BITS = 256


@register
class SeedSearch(Attack):
    """Tries the numbers 0, 1, 2 … as seeds from which the key may have been made."""

    id = "seed-search"
    title = "attack.name.seed-search"
    sentences: ClassVar[Mapping[Severity, str]] = {
        "none": "attack.seed-search.none",
        "serious": "attack.seed-search.serious",
        "total": "attack.seed-search.total",
    }
    of_file = "attack.seed-search.none-file"
    """What is said of a key that was read from a file."""
    figures = "attack.seed-search.figures"
    order = 90
    kind = "searching"
    term = "attack.seed-search.term"
    source = "attack.seed-search.source"
    knows = "attack.knows.insider"
    control = "attack.seed-search.control"
    judged_by = "guessable-key"
    own_check = True
    unit = "count"
    not_on_foreign = "note.compare.no-key-known"

    def applies(self, candidate: Candidate) -> str | None:
        """Return None always: the attack applies to every release, as every release has a key."""
        return None

    def run(self, evidence: AttackEvidence) -> tuple[AttackEntry, ...]:
        """Return one result of trying the seeds 0, 1, 2 and so on until one fits: up to 2,000, fewer for more rows.

        The intruder works for the owner: they know the release, the recipe, the source file's fingerprint and a few of
        its rows. At least 50 seeds are tried if none fits. Severity is ``total`` if the seed was found, else
        ``serious``, also where nothing could be tried. A key from the operating system or a file is not tried: severity
        ``none``.
        """
        candidate = evidence.candidate
        if candidate.key.origin != "seed":
            return (_build_entry(0, None, "none", is_file=candidate.key.origin == "file"),)
        known_people = _choose_known_rows(candidate)
        if known_people is None:
            return (_build_entry(0, None, "serious"),)
        seeds = range(int(np.clip(MOST_DRAWS // max(candidate.final.rows, 1), FEWEST_SEEDS, MOST_SEEDS)))
        seed = search_seeds(seeds, _make_seed_test(candidate, *known_people))
        return (_build_entry(len(seeds) if seed is None else seed + 1, seed, "serious" if seed is None else "total"),)

    def large_figure(self, result: AttackEntry, report: Report) -> LargeFigure:
        """Return the number of seeds tried, or the length of the key in bits where none was tried."""
        if not result.sampled:
            return LargeFigure(KEY_BITS, Note("attack.unit.bits"))
        return LargeFigure(result.sampled, Note("attack.unit.tries", {"tried": result.sampled}))

    def rule(self, result: AttackEntry, report: Report) -> Note:
        """Return the sentence that says which keys can be found by trying; the parameters are not used."""
        return Note("attack.seed-search.rule")


def _choose_known_rows(candidate: Candidate) -> tuple[Ints, Ints] | None:
    """Return the indices of the rows that the intruder knows, and a code of the unchanged values of every released row.

    Both serve to test keys; rows are those of ``candidate.final``, in the order before the shuffle. None if even 200
    rows are too few to recognise a key, if released rows are not source rows, or if they are not shuffled.
    """
    if not (candidate.rows_correspond and candidate.prepared.recipe.release.shuffle_rows):
        return None
    before, after = pair_released_columns(candidate, candidate.described_names)
    rows, look = candidate.final.rows, np.zeros(candidate.final.rows, dtype=np.int64)
    for source, released in zip(before, after, strict=True):
        if is_untouched(source, released):
            codes = merged_categories(source, released)[1].astype(np.int64)
            look = np.unique(look * (int(codes.max(initial=-1)) + 2) + codes + 1, return_inverse=True)[1].reshape(-1)
    shares = np.bincount(look) / max(rows, 1)
    people = sample_rows(rows, MOST_KNOWN)
    enough = people_needed(shares[look[people]].tolist())
    return None if enough is None else (people[:enough], look)


def _make_seed_test(candidate: Candidate, people: Ints, look: Ints) -> Callable[[int], bool]:
    """Return a function that says whether the shuffle made from a seed could have given the released order.

    It is True if that shuffle puts every row that the intruder knows where the release shows a row with the same code.
    Other rows are not compared.

    Parameters
    ----------
    candidate
        The candidate release, with its order of rows.
    people
        Indices of the rows that the intruder knows, in the order before the shuffle.
    look
        A code of each row's unchanged values before the shuffle, shape (rows,); rows that look the same share one.
    """
    released = look[candidate.row_order]
    prepared, rows = candidate.prepared, candidate.final.rows

    def fits(seed: int) -> bool:
        """Return whether this seed's shuffle puts each known row where the release shows its unchanged values."""
        streams = StepStream(Key.from_seed(seed), prepared.account.sha256, prepared.draws_sha256, 0)
        positions = np.empty(rows, dtype=np.int64)
        positions[streams.stream(ROW_ORDER).permutation(rows)] = np.arange(rows)
        return bool(np.array_equal(released[positions[people]], look[people]))

    return fits


def _build_entry(tried: int, seed: int | None, severity: Severity, *, is_file: bool = False) -> AttackEntry:
    """Return the audit's entry: the number of seeds tried, and as success 1 if the key's seed was found, else 0.

    ``seed`` is the seed that was found, None if none was. ``is_file`` says that the key was read from a file, and only
    changes the sentence.
    """
    guessed = 0.0 if seed is None else 1.0
    success = Figure(guessed, unit="share", method=_HOW)  # found or not: a share of no people
    return AttackEntry(
        id=SeedSearch.id,
        knows=Sentence.of(SeedSearch.knows),
        success=success,
        control=Figure(0.0, unit="share", method=_WRONG_KEY),
        chance=Figure(0.0, unit="share", method=_BLIND),
        advantage=Figure(guessed, unit="share", method=LESS_CHANCE),
        tail=make_empty_tail(_NO_TAIL),
        sampled=tried,
        severity=severity,
        sentence=Sentence.of(SeedSearch.of_file if is_file else SeedSearch.sentences[severity], {"tried": tried}),
    )
