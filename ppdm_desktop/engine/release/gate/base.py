"""What every check declares of itself, once.

The gate, the decision on written reasons, the rows of the Release page, the report and the
certificate read it from the check or from what it returns; there is no second list.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.families import KnobKind
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES, ReleaseType
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.release.attack_audit.registry import entries_for, find_attack
from ppdm_desktop.engine.release.gate.causes import Cause
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.few_people import PEOPLE
from ppdm_desktop.engine.release.gate.results import (
    GREEN,
    NOT_APPLICABLE,
    CheckResult,
    Direction,
    Remedy,
    VerdictText,
)
from ppdm_desktop.engine.report.model.base import Residual
from ppdm_desktop.engine.wording.catalogue import Sentence
from ppdm_desktop.engine.wording.texts import Note, PlainTitle, Title, values_declared
from ppdm_desktop.engine.wording.values import Name, Names, Quoted, Term, Terms, Value

LOOKS_AT_EVERY_VALUE = 20
"""Weight of a check that looks at every value: so many times as long does it take."""
MOST_NAMED = 12
"""So many columns of one list a reason is bound to, however many the sentence names."""

FINDING = "finding"
"""Place of a check's sentence in which an attack's own sentence stands."""

OF_PEOPLE_ONLY = VerdictText.not_applicable("check.rows-are-groups")
"""What a check about people says where each row is a group of people."""

SUCCEEDS = ("serious", "total")
"""What an attack is rated that no check stays green beside."""


@dataclass(frozen=True)
class Limits:
    """The figures at which a verdict turns from green to amber, and from amber to red.

    Attributes
    ----------
    green
        A figure up to here (or from here on, as the check's direction says) needs no reason.
    red
        A figure beyond it is red; None where no figure alone makes it red.
    """

    green: float | int
    red: float | int | None = None


class Check(ABC):
    """One rule that a release keeps: one subclass in one file, registered by decorator.

    What it says are class attributes of its own, each a `VerdictText` or several in a tuple; they stand in ``en.toml``.

    Attributes
    ----------
    id
        Name in recipes, on the command line and in the report.
    title
        What it is called, as its texts have it.
    order
        Place among the others, lowest first.
    cause
        What it is about; one written reason answers all checks of a cause.
    source
        Where the rule comes from: paper and page, or why it is a rule of this program.
    fix_on
        Id of the page where it is usually corrected.
    direction
        Whether its limit is the most that is allowed, or the least that is wanted.
    figure_unit
        Unit of what it measures, ``... or ...`` where it measures one of two things; empty
        where it measures nothing.
    not_run
        What it says where it reads the file and the file cannot be read, with the place ``{checks}``.
    severe
        What it says where its figure is within the limit and an attack that it judges succeeds all the same.
    reads_file
        Whether it needs the data file as read back; without one it says ``not_run``.
    weight
        How long it takes, as a multiple of a check that does not look at every value.
    on_certificate
        Whether the certificate names it even where nothing was found.
    residual
        Which part of the residual risk its figure is: ``certain``, ``everything`` or ``found``; empty, none.
    of_history
        Whether it measures what this computer knows of earlier work; no file of the release tells that again.
    explains_unread
        Whether it says why the file cannot be read: then the checks that read it did not run.
    by_chance
        Whether its verdict hangs on what was drawn: another key, and it may be another.
    most_named
        So many columns of one list its reason is bound to.
    counts_singled
        Whether pages give who is picked out as its figure, whatever count it judged.
    figure_title
        Id of the text by which its figure is called where that stands alone; empty where it never does.
    on_protection
        Whether it judges how well people are protected, and nothing else: then it does not hold back a teaching copy.
    agreed
        What it says where its finding is an assumption: recipients sign that they will not make use of it.
    after_others
        Whether it looks at what all others found (``Evidence.results``).
    answered_by
        The knobs that planning turns where it is not passed, best first.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int]
    cause: ClassVar[Cause]
    source: ClassVar[Sentence]
    fix_on: ClassVar[str]
    direction: ClassVar[Direction] = "at-most"
    figure_unit: ClassVar[str]
    not_run: ClassVar[VerdictText]
    severe: ClassVar[VerdictText]
    reads_file: ClassVar[bool] = True
    weight: ClassVar[int] = 1
    on_protection: ClassVar[bool] = False
    on_certificate: ClassVar[bool] = False
    residual: ClassVar[Residual] = ""
    of_history: ClassVar[bool] = False
    explains_unread: ClassVar[bool] = False
    by_chance: ClassVar[bool] = False
    most_named: ClassVar[int] = MOST_NAMED
    figure_title: ClassVar[str] = ""
    counts_singled: ClassVar[bool] = False
    after_others: ClassVar[bool] = False
    agreed: ClassVar[VerdictText | None] = None
    answered_by: ClassVar[tuple[KnobKind, ...]] = ()

    @abstractmethod
    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the verdict on the evidence, which stays as it is; the same evidence gets the same verdict."""

    def judge_groups(self, evidence: Evidence) -> CheckResult:
        """Return the verdict where each row is a group of people, in which nobody can be found."""
        if self.cause.about_people:
            return self.verdict(OF_PEOPLE_ONLY, check=PlainTitle(self.texts()[0].id))
        return self.judge(evidence)

    @classmethod
    def texts(cls) -> tuple[VerdictText, ...]:
        """Return every sentence that it may say, in the order of their text ids."""
        texts = {value for value in values_declared(cls) if isinstance(value, VerdictText)}
        return tuple(sorted(texts, key=lambda text: text.id))

    def run(self, evidence: Evidence) -> CheckResult:
        """Return the verdict with what corrects it; ``not-run`` where the file it reads cannot be read."""
        unread = self.reads_file and not evidence.fits
        judge = self.judge_groups if evidence.candidate.prepared.rows_are_groups else self.judge
        first = Terms(tuple(title_of_check(id) for id in self.needs))
        result = self.verdict(self.not_run, checks=first) if unread else judge(evidence)
        if result.status == GREEN and (self.agreed is None or result.sentence.id != self.agreed.id):
            result = self._not_beside_an_attack(result, evidence)
        named = named_columns(result.sentence, evidence.candidate.prepared.original.names, self.most_named)
        return replace(result, remedies=self.remedy(result, evidence), columns=named)

    @property
    def needs(self) -> tuple[str, ...]:
        """Ids of the checks that have to pass before this one can run; none where it does not read the file."""
        checks = sorted(CHECKS.all().values(), key=lambda check: check.order)
        return tuple(check.id for check in checks if self.reads_file and check.explains_unread)

    def _not_beside_an_attack(self, result: CheckResult, evidence: Evidence) -> CheckResult:
        """Return the verdict, amber instead of green where an attack that this check judges succeeds."""
        entry = next((attack for attack in entries_for(self.id, evidence.attacks) if attack.severity in SUCCEEDS), None)
        if entry is None:
            return result
        arguments: dict[str, Value] = {
            "attack": Title(find_attack(entry.id).title),
            FINDING: entry.sentence.note,
        }
        counted = None if result.hits is None or result.of is None else (result.hits, result.of)
        return self.verdict(self.severe, result.figure, None, counted=counted, is_gain=result.is_gain, **arguments)

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the edges of the colours for a type of release; a check that says nothing else allows nothing."""
        return Limits(0)

    def limits_of(self, evidence: Evidence) -> Limits:
        """Return the limits that hold for the release in hand."""
        type = evidence.candidate.prepared.type
        return self.limits(type, type.k_min)

    def direction_of(self, figure: Figure | None) -> Direction:
        """Return the direction of the limit that a figure was held against."""
        return self.direction

    def remedy(self, result: CheckResult, evidence: Evidence) -> tuple[Remedy, ...]:
        """Return what corrects a finding, the best first; nothing where nothing is to be corrected."""
        if result.status in (GREEN, NOT_APPLICABLE):
            return ()
        return (Remedy(result.sentence, self.fix_on),)

    def verdict(
        self,
        text: VerdictText,
        figure: Figure | None = None,
        limit: float | str | None = None,
        *,
        counted: tuple[int, int] | None = None,
        is_gain: bool = False,
        **arguments: Value,
    ) -> CheckResult:
        """Return what the check comes to.

        Parameters
        ----------
        text
            What it says, and so its status.
        figure, limit
            What was measured, and what it was held against.
        counted
            The people it speaks of, and of how many; read from the figure where that counts people.
        is_gain
            The figure is a share less another.
        **arguments
            Values of the sentence.
        """
        if counted is None and figure is not None and figure.unit == PEOPLE and figure.value is not None:
            counted = (round(figure.value), figure.n) if figure.n is not None else None
        return CheckResult(
            self.id,
            text.status,
            figure,
            limit,
            Note(text.id, arguments),
            direction=self.direction_of(figure),
            on_certificate=self.on_certificate,
            residual=self.residual,
            is_gain=is_gain,
            hits=None if counted is None else counted[0],
            of=None if counted is None else counted[1],
            figure_title=text.figure_title or self.figure_title,
        )

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data."""
        types = RELEASE_TYPES.values() if self.figure_unit else ()
        limits = {type.id: self.limits(type, type.k_min) for type in types}
        return {
            "id": self.id,
            "title": self.title,
            "order": self.order,
            "cause": self.cause.id,
            "source": self.source.english,
            "fix_on": self.fix_on,
            "direction": self.direction,
            "figure_unit": self.figure_unit,
            "reads_file": self.reads_file,
            "weight": self.weight,
            "on_certificate": self.on_certificate,
            "needs": list(self.needs),
            "by_chance": self.by_chance,
            "after_others": self.after_others,
            "limits": {id: {"green": limit.green, "red": limit.red} for id, limit in limits.items()},
        }


def title_of_check(id: str) -> Title:
    """Return what a check is called, for a sentence of another; all its texts have one title."""
    return Title(CHECKS.all()[id].texts()[0].id)


def title_and_id(id: str) -> Note:
    """Return what a check is called and its id, for a message that other programs read, too."""
    return Note("check.title-and-id", {"title": title_of_check(id), "id": Term(id)})


def named_columns(sentence: Note, columns: Sequence[str], most: int = MOST_NAMED) -> tuple[str, ...]:
    """Return the columns that stand in a sentence: as names, in quotation marks, or as a whole argument.

    Parameters
    ----------
    sentence
        The sentence.
    columns
        The source's columns.
    most
        So many names of a list count.
    """
    texts = _texts_in(sentence, most)
    return tuple(name for name in columns if any(name == text or f'"{name}"' in text for text in texts))


def _texts_in(note: Note, most: int) -> list[str]:
    texts: list[str] = []
    for name, value in note.arguments.items():
        if isinstance(value, Note):
            # What an attack says of its own run names whatever it looked at: no reason is bound to that.
            texts += [] if name == FINDING else _texts_in(value, most)
        elif isinstance(value, Name | Quoted | Term):
            texts += [value.text] if isinstance(value.text, str) else []
        elif isinstance(value, Names):
            texts += value.texts[:most]
    return texts


CHECKS: Registry[Check] = Registry("ppdm_desktop.engine.release.gate.checks")
C = TypeVar("C", bound=type[Check])


def register(declared: C) -> C:
    """Class decorator: make a check known by its id.

    Raises
    ------
    ValueError
        When another check has this id, when it declares no cause or a text that does not exist, or when it reads the
        file and does not say what is wrong where that cannot be read.
    """
    if not hasattr(declared, "cause"):
        raise ValueError(f"{declared.id} declares no cause")
    if declared.reads_file and not hasattr(declared, "not_run"):
        raise ValueError(f"{declared.id} reads the file and has no text for when it cannot be read")
    return CHECKS.register(declared)
