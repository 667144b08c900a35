"""The results of planning: versions that may be released, and what prevents them if there are none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppdm_desktop.engine.methods.base.declaration import Family
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, sort_best_first
from ppdm_desktop.engine.release.gate.base import find_check
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.planning.cures import Cure
from ppdm_desktop.engine.report.model import CheckEntry, Verdict
from ppdm_desktop.engine.wording.catalogue import Sentence

Steps = tuple[StepSection, ...]
Signature = tuple[object, ...]


def signature(steps: Steps) -> Signature:
    """Return a hashable value that is equal for equal lists of steps; steps that are not enabled do not matter."""
    used = (step for step in steps if step.enabled)
    return tuple((step.method, step.columns, step.profile, repr(sorted(step.parameters.items()))) for step in used)


def decision_of(verdict: Verdict) -> tuple[bool, int]:
    """Return whether a verdict blocks the release, and the number of written reasons it asks for."""
    return bool(verdict.blocking), verdict.reasons_to_write


def list_checks_to_answer(verdict: Verdict) -> list[CheckEntry]:
    """Return the checks that need a written reason, without those on earlier releases, which every version needs."""
    return [check for check in verdict.to_answer if not find_check(check.id).of_history]


@dataclass(frozen=True)
class Version:
    """A version of the file that may be released, judged on all rows.

    Attributes
    ----------
    family
        The kind of values it shows.
    kept, lost
        Sentences on what recipients still see and on what they no longer see.
    lost_marked
        The columns marked to stay detailed that it does not show, or only roughly.
    steps
        The steps, ready for a recipe.
    verdict
        The verdict on all rows. Until ``settle`` its machine learning uses fewer rows than for a release; from then on
        each figure is the one that the release is judged by.
    seconds
        Seconds by the clock that finding and judging it took.
    key
        The secret key of its run: the same steps with this key give the same file.
    changed
        Whether ``settle`` changed the decision: no release any more, or other reasons.
    settled
        Whether the verdict is that of ``settle``; for a small file's versions without reasons it is from the beginning.
    reasons_if_signed
        The number of reasons it would need if the recipients signed an agreement; None if that was not asked.
    costliest
        The sentence on the confidential column that costs the others most detail; None if no column costs much.
    made
        The evidence on the candidate, attacks included; None for a settled version of a large file.
    """

    family: Family
    kept: Sentence
    lost: Sentence
    steps: Steps
    verdict: Verdict
    seconds: float
    key: Key
    lost_marked: tuple[str, ...] = ()
    changed: bool = False
    settled: bool = False
    reasons_if_signed: int | None = None
    costliest: Sentence | None = None
    made: Evidence | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> Sentence:
        """The name of the version's family, such as "true values"."""
        return self.family.title


def best_versions_first(versions: Sequence[Version]) -> list[Version]:
    """Return versions in the order in which they are offered, the best first by their scorecards."""
    cards = [Scorecard(version.verdict, version.family) for version in versions]
    return [versions[index] for index in sort_best_first(cards)]


@dataclass(frozen=True)
class Refusal:
    """A reason why methods refuse the file, and what would change it.

    Attributes
    ----------
    families
        The families that have no version for this reason; empty if it concerns all versions.
    reason
        The reason as a sentence.
    cure
        Advice; None if nothing can be done.
    cures
        Changes of the recipe that remove the reason, the simplest first; empty if a person must decide.
    in_window
        The reason for display in the window, with pages instead of the recipe's keys; empty if it is the same.
    """

    families: tuple[Family, ...]
    reason: str
    cure: str | None = None
    cures: tuple[Cure, ...] = ()
    in_window: str = ""


@dataclass(frozen=True)
class Blocking:
    """A check that blocks every planned version.

    Attributes
    ----------
    check
        Id of the check that is red.
    columns
        The columns that the check names.
    without
        The version that could be released without these columns; None without one.
    """

    check: str
    columns: tuple[str, ...]
    without: Version | None = None


@dataclass(frozen=True)
class Planned:
    """All results of planning.

    Attributes
    ----------
    versions
        At most six, the best first.
    refusals
        Reasons why families have no version.
    blocking
        The checks that block all versions, if there are no versions.
    cancelled
        Whether the work was stopped; the versions found by then are included.
    """

    versions: tuple[Version, ...]
    refusals: tuple[Refusal, ...] = ()
    blocking: tuple[Blocking, ...] = ()
    cancelled: bool = False
