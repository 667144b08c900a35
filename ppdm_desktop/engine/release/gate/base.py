"""The base class `Check`, the registry of all checks, and the function that runs them in order.

A check declares everything about itself in its class. The gate, the decision on written reasons, the Release page, the
report and the certificate read it from there or from the check's result; there is no second list.

The module also holds sentences about fewer than 20 people, where counts replace shares, and readers of the figures of
attacks.
"""

from __future__ import annotations

import difflib
import math
from abc import ABC, abstractmethod
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal, TypeVar

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import Family, KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.release.attack_audit.base import find_attack, select_entries
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import (
    CAUSES,
    GREEN,
    NOT_APPLICABLE,
    Cause,
    CheckResult,
    Direction,
    Remedy,
    VerdictText,
)
from ppdm_desktop.engine.report.model import AttackEntry, Residual
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.numbers import FEW
from ppdm_desktop.engine.wording.texts import Note, PlainTitle, Title, values_declared
from ppdm_desktop.engine.wording.values import Name, Names, Number, Quoted, Ratio, Share, Term, Terms, Value, Versus

# --- few people ---------------------------------------------------------------------------

FEWEST = 20
"""People below which counts alone are given."""
PEOPLE = "people"
SHARE_OR_PEOPLE = f"share or {PEOPLE}"
_ROUNDING = 1e-9
_WHOLE = 1e-6
"""Tolerance within which a share of people counts as a whole number of people."""


def are_few(evidence: Evidence) -> bool:
    """Return whether the release holds fewer than 20 people, which is too few to state a share or an interval."""
    return evidence.candidate.final.persons.count < FEWEST


def compute_limited_share(evidence: Evidence, count: int, people: int, limit: float) -> tuple[Figure, float]:
    """Return the share ``count / people`` and its limit, or both as numbers of people in a release of fewer than 20.

    The release decides, not ``people``. The limit as a number of people is ``limit * people``,
    rounded down: 0.15 of 19 people are 2.

    Parameters
    ----------
    evidence
        The evidence on the release.
    count, people
        Number of people counted, and number of people among whom they were counted.
    limit
        Largest share allowed.
    """
    if are_few(evidence):
        return Figure(count, n=people, unit=PEOPLE), math.floor(limit * people + _ROUNDING)
    return Figure(count / people, n=people, unit="share"), limit


def to_people_count(figure: Figure) -> Figure:
    """Return a figure that is a share as a number of people, without an interval; 0 for a figure without a value.

    The number is the share times ``figure.n``, and may be a fraction.
    """
    return Figure(float(figure.value or 0.0) * (figure.n or 0), n=figure.n, unit=PEOPLE, method=figure.method)


def to_sentence_number(count: float) -> int | Number:
    """Return a count for use in a sentence: as an int if it is within 0.05 of a whole number, else as a `Number`.

    Fractions arise where several people are guessed with equal probability.
    """
    return round(count) if math.isclose(count, round(count), abs_tol=0.05) else Number(count)


def state_right_pair(with_record: Figure, without: Figure) -> tuple[Share | Ratio, Share | Ratio]:
    """Return how many people an attack guesses right with a person's record in the release, and without it.

    Each is a `Share` (a count such as "7 of 20") for a whole number of fewer than 100 people, else a `Ratio`. Each also
    carries the other's probability, so that both are rounded to digits that show the difference between them.
    """
    right_with, right_without = state_right_guesses(with_record), state_right_guesses(without)
    assert not isinstance(right_with, Versus)
    assert not isinstance(right_without, Versus)
    success_pair = float(without.value or 0.0), float(with_record.value or 0.0)
    return replace(right_with, beside=success_pair[0]), replace(right_without, beside=success_pair[1])


def state_right_guesses(figure: Figure, limit: float | None = None) -> Share | Versus | Ratio:
    """Return how many people an attack guesses right: as a count for fewer than 100 people, else as a share.

    The count is a `Share` (such as "7 of 20"); a fraction of people is always stated as a share. The share is a
    `Ratio`, or with a limit a `Versus`.

    Parameters
    ----------
    figure
        The share of people guessed right, with the number of people ``n``.
    limit
        The limit, which decides how many digits are written; None without a limit.
    """
    share, people = float(figure.value or 0.0), figure.n or 0
    hits = share * people
    if 0 < people < FEW and math.isclose(hits, round(hits), abs_tol=_WHOLE):
        return Share(round(hits), people)
    return Ratio(share) if limit is None else Versus(share, limit)


# --- base ---------------------------------------------------------------------------------

LOOKS_AT_EVERY_VALUE = 20
"""Weight of a check that looks at every value: it takes 20 times as long as one that does not."""
MOST_NAMED = 12
"""Number of columns of one list that a written reason is bound to, even if the sentence names more."""

FINDING = "finding"
"""Name of the argument of a check's sentence that holds the sentence of an attack."""

OF_PEOPLE_ONLY = VerdictText.not_applicable("check.rows-are-groups")
"""The result of a check about single people where each row is a group of people: not applicable."""

ATTACK_SUCCEEDS = VerdictText.amber("check.attack-succeeds")
"""The result of a check whose figure is within the limit although an attack that it judges succeeds."""
FILE_UNREAD = VerdictText.not_run("check.file-unread")
"""The result of a check that reads the file where the file is unreadable: not run."""
SHARED_TEXTS = (OF_PEOPLE_ONLY, ATTACK_SUCCEEDS, FILE_UNREAD)
"""The sentences that every check may use."""

SUCCEEDS = ("serious", "total")
"""Ratings of an attack that turn a green check to amber."""


@dataclass(frozen=True)
class Limits:
    """The figures at which a check's result turns from green to amber, and from amber to red.

    Attributes
    ----------
    green
        A figure up to here (or at least this, if the check's direction is a minimum) needs no written reason.
    red
        A figure beyond it is red; None if no figure alone makes it red.
    """

    green: float | int
    red: float | int | None = None


class Check(ABC):
    """Base class of checks: one rule that a release keeps; one subclass in one file, registered by decorator.

    Its sentences are class attributes, each a `VerdictText` or a tuple of several; their texts are in ``en.toml``.

    Attributes
    ----------
    id
        Name in recipes, on the command line and in the report.
    title
        The check's name, as in its texts.
    order
        Place among the others, lowest first.
    cause
        Group of checks with one subject; one written reason answers all checks of a cause.
    source
        Origin of the rule: paper and page; without them it is a rule of this program.
    fix_on
        Id of the page where a finding is usually corrected.
    direction
        Whether its limit is a maximum or a minimum.
    red_for
        Types of release for which any finding is red and not amber: ``none``, the ``public`` one, those ``outside`` the
        organisation, or ``all``. Not used by a check with its own `limits`.
    figure_unit
        Unit of its figure, ``... or ...`` if it measures one of two things; empty if it has no figure.
    reads_file
        Whether it needs the data file as read back; without one its sentence is `FILE_UNREAD`.
    weight
        Its run time, as a multiple of a check that does not look at every value.
    on_certificate
        Whether the certificate names it even if nothing was found.
    residual
        The part of the residual risk that its figure states: ``certain``, ``everything`` or ``found``; empty for none.
    of_history
        Whether it depends on this computer's list of earlier releases (the ledger), so that it cannot be repeated from
        the release alone.
    explains_unread
        Whether it reports an unreadable file, for which other checks did not run.
    by_chance
        Whether its result depends on the random draws, so that another key may change it.
    reads_dependencies
        Whether it reads all dependencies between columns, so that these are computed first.
    most_named
        Number of columns in one list to which its written reason is bound.
    counts_singled
        Whether pages show the number of people singled out as its figure, whatever count it judged.
    figure_title
        Text id of the figure's name if the figure is shown alone; empty if it never is.
    on_protection
        Whether it judges only the protection of people; such a check does not block a teaching copy.
    agreed
        Its sentence if recipients sign an agreement not to use what was found; None if it has none.
    after_others
        Whether it reads the results of all other checks (``Evidence.results``).
    answered_by
        The settings ("knobs") that planning makes stricter if the check is not passed, best first. A setting that is
        named twice is made stricter by one degree at its first place, and further at its second.
    often_failed_by
        The families of versions that fail it most: planning makes settings stricter for it before all other checks are
        judged.
    fails_at_coarsest
        Whether versions that show each person's own numbers may fail it even with all settings at their strictest:
        planning then tries them last.
    """

    id: ClassVar[str]
    title: ClassVar[str]
    order: ClassVar[int]
    cause: ClassVar[Cause]
    source: ClassVar[Sentence] = lazy("Own rule")
    fix_on: ClassVar[str]
    direction: ClassVar[Direction] = "at-most"
    red_for: ClassVar[Literal["none", "public", "outside", "all"]] = "none"
    figure_unit: ClassVar[str]
    reads_file: ClassVar[bool] = True
    weight: ClassVar[int] = 1
    on_protection: ClassVar[bool] = False
    on_certificate: ClassVar[bool] = False
    residual: ClassVar[Residual] = ""
    of_history: ClassVar[bool] = False
    explains_unread: ClassVar[bool] = False
    by_chance: ClassVar[bool] = False
    reads_dependencies: ClassVar[bool] = False
    most_named: ClassVar[int] = MOST_NAMED
    figure_title: ClassVar[str] = ""
    counts_singled: ClassVar[bool] = False
    after_others: ClassVar[bool] = False
    agreed: ClassVar[VerdictText | None] = None
    answered_by: ClassVar[tuple[KnobKind, ...]] = ()
    often_failed_by: ClassVar[frozenset[Family]] = frozenset()
    fails_at_coarsest: ClassVar[bool] = False

    @abstractmethod
    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the check's result for this evidence; equal evidence gives an equal result."""

    def judge_groups(self, evidence: Evidence) -> CheckResult:
        """Return the check's result for a table whose rows are groups of people, such as counts by region.

        By default the result of ``judge``; "not applicable" if the check's cause is about single people.
        """
        if self.cause.about_people:
            return self.verdict(OF_PEOPLE_ONLY, check=self.plain_title)
        return self.judge(evidence)

    @classmethod
    def texts(cls) -> tuple[VerdictText, ...]:
        """Return every sentence that the check's class declares, sorted by text id."""
        texts = {value for value in values_declared(cls) if isinstance(value, VerdictText)}
        return tuple(sorted(texts, key=lambda text: text.id))

    def run(self, evidence: Evidence) -> CheckResult:
        """Return the check's result, completed by its remedies and the columns that its sentence names.

        - The result is ``not-run`` if the check reads the file and the file is unreadable or has other rows or columns
          than the candidate.
        - A table whose rows are groups of people is judged by ``judge_groups``, any other by ``judge``.
        - A green result becomes amber if an attack that this check judges succeeds, unless the result says that an
          agreement with the recipients covers what was found (``agreed``).
        """
        unread = self.reads_file and not evidence.fits
        judge = self.judge_groups if evidence.candidate.prepared.rows_are_groups else self.judge
        result = self._judge_unread_file() if unread else judge(evidence)
        if result.status == GREEN and (self.agreed is None or result.sentence.id != self.agreed.id):
            result = self._turn_amber_if_attacked(result, evidence)
        names = evidence.candidate.prepared.original.names
        named = result.columns or named_columns(result.sentence, names, self.most_named)
        return replace(result, remedies=self.remedy(result, evidence), columns=named)

    def _judge_unread_file(self) -> CheckResult:
        """Return the result ``not-run`` for an unreadable file; its sentence names the checks that must pass first."""
        first = Terms(tuple(title_of_check(id) for id in self.needs))
        return self.verdict(FILE_UNREAD, check=self.plain_title, checks=first)

    @property
    def plain_title(self) -> PlainTitle:
        """The check's name without quotation marks, as a value of the sentences that all checks share."""
        return PlainTitle(self.texts()[0].id)

    @property
    def needs(self) -> tuple[str, ...]:
        """Ids of the checks that must pass before this one can run; empty if it does not read the file."""
        checks = sorted(CHECKS.all().values(), key=lambda check: check.order)
        return tuple(check.id for check in checks if self.reads_file and check.explains_unread)

    def _turn_amber_if_attacked(self, result: CheckResult, evidence: Evidence) -> CheckResult:
        """Return an amber result if an attack that this check judges is rated serious or total.

        Else ``result`` unchanged.
        """
        entry = next(
            (attack for attack in select_entries(self.id, evidence.attacks) if attack.severity in SUCCEEDS), None
        )
        if entry is None:
            return result
        arguments: dict[str, Value] = {
            "check": self.plain_title,
            "attack": Title(find_attack(entry.id).title),
            FINDING: entry.sentence.note,
        }
        counted = None if result.hits is None or result.of is None else (result.hits, result.of)
        return self.verdict(ATTACK_SUCCEEDS, result.figure, None, counted=counted, is_gain=result.is_gain, **arguments)

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the check's limits for a release type and the smallest class size ``k_min`` that it demands.

        By default nothing may be found: a finding is red for the release types in ``red_for`` and amber for others.
        """
        is_red = {"none": False, "public": type.is_public, "outside": not type.is_internal, "all": True}[self.red_for]
        return Limits(0, 0 if is_red else None)

    def limits_of(self, evidence: Evidence) -> Limits:
        """Return the check's limits for the release being judged, by its type and that type's ``k_min``."""
        type = evidence.candidate.prepared.type
        return self.limits(type, type.k_min)

    def direction_of(self, figure: Figure | None) -> Direction:
        """Return whether the limit of this figure is a maximum or a minimum.

        By default the class attribute ``direction``.
        """
        return self.direction

    def remedy(self, result: CheckResult, evidence: Evidence) -> tuple[Remedy, ...]:
        """Return the ways to correct a finding, best first; empty for a green or not applicable result.

        By default there is one: the advice of the result's own sentence, to be followed on the page ``fix_on``.
        """
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
        """Return the check's result with this sentence and figure.

        Parameters
        ----------
        text
            The sentence, which also decides the status (such as green).
        figure, limit
            The figure measured and its limit; None for a result without one.
        counted
            Number of people affected and number of people in all, stored as ``hits`` and ``of``; if None, they are
            taken from a figure that counts people.
        is_gain
            Whether the figure is a difference of two shares.
        **arguments
            Values for the placeholders of the sentence.
        """
        if counted is None and figure is not None and figure.unit == PEOPLE and figure.value is not None:
            counted = (round(figure.value), figure.n) if figure.n is not None else None
        if text.figure_title:
            arguments["figure"] = PlainTitle(text.figure_title)
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
            figure_title=self.figure_title,
        )


def title_of_check(id: str) -> Title:
    """Return a check's name in quotation marks, for a sentence that refers to it; KeyError for an unknown id."""
    return Title(CHECKS.all()[id].texts()[0].id)


def title_and_id(id: str) -> Note:
    """Return a check's name and id as one note, for messages that other programs read too."""
    return Note("check.title-and-id", {"title": title_of_check(id), "id": Term(id)})


def named_columns(sentence: Note, columns: Sequence[str], most: int = MOST_NAMED) -> tuple[str, ...]:
    """Return the columns that a sentence names in its arguments, in the order of ``columns``.

    Parameters
    ----------
    sentence
        The sentence.
    columns
        Names of all columns of the source.
    most
        If an argument is a list of names, only this many of them count.
    """
    texts = _list_texts(sentence, most)
    return tuple(name for name in columns if any(name == text or f'"{name}"' in text for text in texts))


def _list_texts(note: Note, most: int) -> list[str]:
    """Return the names, terms and quoted texts among a sentence's arguments, including those of sentences inside it.

    They are in the order of the arguments. Of a list of names only the first ``most`` are returned. The sentence of an
    attack is left out.
    """
    texts: list[str] = []
    for name, value in note.arguments.items():
        if isinstance(value, Note):
            # What an attack says of its own run names whatever it looked at: no reason is bound to that.
            texts += [] if name == FINDING else _list_texts(value, most)
        elif isinstance(value, Name | Quoted | Term):
            texts += [value.text] if isinstance(value.text, str) else []
        elif isinstance(value, Names):
            texts += value.texts[:most]
    return texts


CHECKS: Registry[Check] = Registry("ppdm_desktop.engine.release.gate.checks")
C = TypeVar("C", bound=type[Check])


def register(declared: C) -> C:
    """Add a check to the registry under its id; a class decorator that returns the class unchanged.

    Raises
    ------
    ValueError
        If another check has this id, or if the check declares no cause or a text that does not exist.
    """
    if not hasattr(declared, "cause"):
        raise ValueError(f"{declared.id} declares no cause")
    return CHECKS.register(declared)


# --- registry -----------------------------------------------------------------------------


def all_checks() -> dict[str, Check]:
    """Return every check by its id, in display order."""
    return CHECKS.all()


def find_check(id: str) -> Check:
    """Return the check with this id; KeyError for an unknown id."""
    return all_checks()[id]


def find_cause(id: str) -> Cause:
    """Return the cause (a group of checks that one written reason answers) with this id.

    Raises
    ------
    RecipeError
        If no cause has this id. If it is the id of a check, the message names that check's cause, else all causes, and
        the most similar one if any is.
    """
    if id in CAUSES:
        return CAUSES[id]
    check = all_checks().get(id)
    if check is not None:
        raise RecipeError(
            "error.accept.is-check", args={"check": Quoted(id), "title": check.cause.title, "id": Term(check.cause.id)}
        )
    near = next(iter(difflib.get_close_matches(id, CAUSES, n=1)), "")
    raise RecipeError(
        "error.accept.unknown-near" if near else "error.accept.unknown",
        args={"cause": Quoted(id), "known": Term(", ".join(CAUSES)), "near": Quoted(near)},
    )


def run_gate(evidence: Evidence, *, only: Collection[str] | None = None) -> tuple[CheckResult, ...]:
    """Return the results of all checks, in display order; checks that read other checks' results run last.

    Parameters
    ----------
    evidence
        The evidence on the release.
    only
        Ids of the checks to run, for which no more than necessary is computed; None for all checks.
    """
    # Measured on a million records: what checks share takes twice as long as the checks, of fewer more.
    to_make_ready, to_check = progress.parts(7.0, 3.0)
    checks = {id: check for id, check in all_checks().items() if only is None or id in only}
    if only is None:
        to_make_ready.run(evidence.make_ready)
    elif evidence.fits and any(check.reads_dependencies for check in checks.values()):
        to_make_ready.run(getattr, evidence, "functional_dependencies")
    total = sum(check.weight for check in checks.values())
    check_results: list[CheckResult] = []
    done = 0
    for check in sorted(checks.values(), key=lambda declared_check: declared_check.after_others):
        if check.after_others and not evidence.results:
            evidence = replace(evidence, results=tuple(check_results))
        with to_check.part(done / total, (done + check.weight) / total):
            done += check.weight
            progress.report(0.0, "doing.gate")
            check_results.append(check.run(evidence))
    order = list(checks)
    return tuple(sorted(check_results, key=lambda check_result: order.index(check_result.id)))


ROUNDING = 1e-9
"""Tolerance: a figure that exceeds its limit by no more than this counts as within the limit."""


def upper_end(figure: Figure) -> float:
    """Return the upper end of a figure's interval; its value if it has no interval, and 0 if it has no value."""
    return float(figure.value or 0.0) if figure.high is None else figure.high


def quotation_of(entry: AttackEntry) -> dict[str, Any] | None:
    """Return an attack's title and sentence under the keys ``attack`` and ``finding``, for the sentence of a check.

    None if a check was written for this attack: that check describes the attack's result itself.
    """
    attack = find_attack(entry.id)
    return None if attack.own_check else {"attack": Title(attack.title), FINDING: entry.sentence.note}
