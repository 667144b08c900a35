"""The verdict: the protection of people in one table, measured once on its bytes, and the decision about it.

Maps, tables, gate, certificate, report and command line print from this object; none of them works out a figure of
protection of its own.
"""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from ppdm_desktop.engine.figure import Figure, Message
from ppdm_desktop.engine.report.model.attacks import AttackEntry
from ppdm_desktop.engine.report.model.base import Part
from ppdm_desktop.engine.report.model.gate import CheckEntry, DecisionEntry, DrawsEntry
from ppdm_desktop.engine.report.model.outside import OutsideEntry
from ppdm_desktop.engine.report.model.protection import LevelProofEntry
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.values import Ratio, Spoken, Terms

ORIGINAL, CANDIDATE = "original", "candidate"
ARTIFICIAL = "released rows are nobody's"
"""Why there is no class size where rows are artificial."""


class KnownEntry(Part):
    """How many people's values one intruder is sure of.

    Attributes
    ----------
    certain
        People whose value the intruder is sure of and right about.
    proved
        Those of them for whom only one value is possible.
    wrong
        People whose value the intruder is sure of and wrong about, counted separately.
    """

    certain: int
    proved: int
    wrong: int


class ExposedEntry(Part):
    """The people whose values are least uncertain.

    How many, and how many are guessed right, with and without their rows.
    """

    people: int
    right: int
    control: int


class RareEntry(Part):
    """A rare value, and how well its holders are named.

    Attributes
    ----------
    secret
        The category, or the limit of a tail of numbers.
    above
        For a tail: whether it lies above the limit; None for a category.
    holders, named, right
        People who hold it, people named as holders, and the holders among them.
    recall
        Share of the holders that is named.
    """

    secret: str | float
    above: bool | None
    holders: int
    named: int
    right: int
    recall: float


class LevelBeliefEntry(Part):
    """What an intruder believes of the people of one privacy level."""

    level: str
    people: int
    certain_by_others: int
    certain_by_all: int


class BeliefEntry(Part):
    """What an intruder believes of one confidential column.

    Attributes
    ----------
    column, family
        Name of the column, and the kind of protection that its released values show.
    people
        Number of people among whom these figures were counted: all who have a value, or a sample of them.
    by_others, by_all
        What intruders are sure of who know the quasi-identifiers, and who know all else that is released.
    exposed, rare
        The people most at risk, and the rare value whose holders are named best.
    left, ratio, prior
        Of noise: error of the best guess in standard deviations of the noise, the same over that of the linear
        guess, and what the intruder started from.
    by_level
        The beliefs about people of each level; empty without levels.
    """

    column: str
    family: str
    people: int
    by_others: KnownEntry
    by_all: KnownEntry
    exposed: ExposedEntry
    rare: RareEntry | None
    left: float | None
    ratio: float | None
    prior: str | None
    by_level: list[LevelBeliefEntry]


class SetEntry(Part):
    """A set of columns, and how many people are unique in it."""

    columns: list[str]
    alone: int


class SingledEntry(Part):
    """How many people are the only ones with their values, by what an intruder knows, and of how many."""

    people: int
    by_others: int
    by_all_but_secret: int
    by_all_but_one: int
    by_all: int
    columns: list[str]
    sets: list[SetEntry]


class NearEntry(Part):
    """A column that may work like a name: people unique in it, and people who share their value with few."""

    column: str
    alone: int
    few: int
    people: int


class TryFirstEntry(Part):
    """A person of the release who is easiest to find, by a row of the source, and why."""

    row: int
    why: Literal["by_others", "by_all", "singled"]


class DependsEntry(Part):
    """A column that unchanged released columns predict: which columns, by which rule, and for how many people.

    ``share`` is the share predicted correctly less chance, or R² of a learner.
    """

    column: str
    manner: str
    givers: list[str]
    words: str
    share: float
    right: int
    people: int


class ClassSizeEntry(Part):
    """The size of equivalence classes by one measure: smallest class, people below the limit, and unique people."""

    k: int
    below: int
    alone: int


class ClassesEntry(Part):
    """Equivalence classes of quasi-identifiers, counted in people.

    Attributes
    ----------
    k, below, of
        People in the smallest, people below the limit, and of how many; by the measure that judges. The first two are
        None where class sizes say nothing.
    why
        Why they say nothing.
    judged
        Which measure judges: ``all_rows`` where the release allows a person's rows to be put together.
    one_row, all_rows
        What is found by someone who knows one row of a person, and by someone who knows all of them; None where
        nobody has several.
    """

    k: int | None
    below: int | None
    of: int
    why: str | None
    judged: Literal["one_row", "all_rows"] = "one_row"
    one_row: ClassSizeEntry | None = None
    all_rows: ClassSizeEntry | None = None

    @property
    def artificial(self) -> bool:
        """Whether the released rows are synthetic, so that their equivalence classes say nothing about people."""
        return self.why == ARTIFICIAL


class UsefulnessEntry(Part):
    """The usefulness of the release in one figure for each aspect; every page shows these and no other.

    Attributes
    ----------
    columns, pairs
        Mean over source columns, and over their pairs, of what the release keeps of each: 0 nothing to 1 all.
    believable
        Share of released rows that break no rule which held in the source.
    useful
        Geometric mean of the three, as far as they are counted.
    lost
        What the release no longer shows, in one sentence with the names of the columns; None where it is not known.
    learners
        How often each kind of learner tells the confidential columns rightly, by its id; empty before it was tried.
    analyses
        The same as a share of what the original gives, in the mean.
    marked_lost
        How many columns that must stay detailed are left out or show broader values; no part of report.json.
    """

    columns: Figure
    pairs: Figure
    believable: Figure
    useful: Figure
    lost: Message | None
    learners: dict[str, Figure]
    analyses: Figure
    marked_lost: int = Field(default=0, exclude=True)

    @property
    def parts(self) -> Terms:
        """Return the figures that were measured with their base: ``92% of 13 columns, 83% of 78 pairs``.

        Empty if none was.
        """
        said: list[Spoken] = []
        if self.columns.value is not None:
            kept = Ratio(float(self.columns.value))
            said.append(lazy("{share} of {n} {n:column|columns}", share=kept, n=self.columns.n or 0))
        if self.pairs.value is not None:
            kept = Ratio(float(self.pairs.value))
            said.append(lazy("{share} of {n} {n:pair|pairs} of columns", share=kept, n=self.pairs.n or 0))
        if self.believable.value is not None:
            kept = Ratio(float(self.believable.value))
            said.append(lazy("{share} of the rows believable", share=kept))
        return Terms(tuple(said))

    @property
    def figures_said(self) -> str:
        """The figures in one sentence in the current language; "" where the overall figure is not known."""
        if self.useful.value is None:
            return ""
        useful = Ratio(float(self.useful.value))
        return _("Useful: {share}. It keeps {parts}.", share=useful, parts=self.parts)

    @property
    def said(self) -> str:
        """Return the figures and the losses in two sentences in the current language; empty where none is known."""
        return " ".join(filter(None, (self.figures_said, "" if self.lost is None else str(self.lost))))


class Verdict(Part):
    """What one table reveals, and whether it may be released.

    Attributes
    ----------
    subject
        ``original``: the source as it is, or ``candidate``: what its steps made of it.
    input_sha256, recipe_sha256, data_sha256
        Digests of the source, of the effective recipe and of the very bytes judged (None where the data file could
        not be written).
    type, k_min
        The release type it is judged under.
    people, rows, rows_released
        People and rows of the source, and the rows that leave.
    people_known_by
        ``person-column``, ``confirmed`` (each row is another person, the owner says), ``groups`` (each is a group of
        people, the owner says) or ``assumed``.
    certain_by_others, certain_by_all
        People of whom at least one confidential value is certain to those who know what others know, and to those
        who know all else that is released; None where no confidential column is, or nobody's rows are known.
    beliefs, singled, near, depends, classes, attacks, levels, checks
        The measured figures, one list for each kind.
    outside
        The people outside the file; None where the recipe does not say who they are. No check reads it.
    try_first
        Worst-case people, with whom somebody who tests the release should begin; None where rows are nobody's.
    usefulness, draws, decision
        Usefulness kept, number of attempts, and the decision.
    """

    subject: Literal["original", "candidate"]
    input_sha256: str
    recipe_sha256: str
    data_sha256: str | None
    type: str
    k_min: int
    people: int
    rows: int
    rows_released: int
    people_known_by: Literal["person-column", "confirmed", "groups", "assumed"]
    certain_by_others: int | None
    certain_by_all: int | None
    beliefs: list[BeliefEntry]
    singled: SingledEntry | None
    near: list[NearEntry]
    depends: list[DependsEntry]
    classes: ClassesEntry | None
    outside: OutsideEntry | None = None
    attacks: list[AttackEntry] | None
    levels: list[LevelProofEntry]
    checks: list[CheckEntry]
    try_first: list[TryFirstEntry] | None = None
    usefulness: UsefulnessEntry
    draws: DrawsEntry
    decision: DecisionEntry

    def check(self, id: str) -> CheckEntry:
        """Return the verdict of one check by its id.

        Raises
        ------
        KeyError
            When the gate has no such check.
        """
        for entry in self.checks:
            if entry.id == id:
                return entry
        raise KeyError(id)

    @property
    def figures(self) -> list[CheckEntry]:
        """The checks whose figures every page shows, whatever the result, in the order of the gate."""
        return [check for check in self.checks if check.on_certificate]

    @property
    def picked_out(self) -> tuple[int, int] | None:
        """Return how many people nobody else has the released details of, confidential values aside, and of how many.

        None where that was not counted.
        """
        singled = self.singled
        return None if singled is None or not singled.people else (singled.by_all_but_secret, singled.people)

    @property
    def blocking(self) -> list[CheckEntry]:
        """The checks with status ``red``, which block the release and which no written reason can answer."""
        return [check for check in self.checks if check.status == "red"]

    @property
    def to_answer(self) -> list[CheckEntry]:
        """The checks that need a written reason: status ``amber`` or ``not-run``."""
        return [check for check in self.checks if check.status in ("amber", "not-run")]

    @property
    def reasons_to_write(self) -> int:
        """How many written reasons are needed: one for each cause of the checks `to_answer`, written already or not."""
        return len({check.cause for check in self.to_answer})

    @property
    def counts_rows(self) -> bool:
        """Return whether rows are counted instead of people, since nobody confirmed that each row is another person."""
        return self.people_known_by in ("assumed", "groups")
