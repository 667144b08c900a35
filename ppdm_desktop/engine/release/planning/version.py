"""What planning returns: versions that may be released, and what stands in the way where there is none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ppdm_desktop.engine.methods.base.families import Family
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe.models import StepSection
from ppdm_desktop.engine.release.evaluate.scorecard import Scorecard, best_first
from ppdm_desktop.engine.release.gate import Evidence
from ppdm_desktop.engine.release.planning.cures import Cure
from ppdm_desktop.engine.report.model import Verdict
from ppdm_desktop.engine.wording.catalogue import Sentence

Steps = tuple[StepSection, ...]
Signature = tuple[object, ...]


def signature(steps: Steps) -> Signature:
    """Return what tells the steps of two chains apart."""
    used = (step for step in steps if step.enabled)
    return tuple((step.method, step.columns, step.profile, repr(sorted(step.parameters.items()))) for step in used)


def decision_of(verdict: Verdict) -> tuple[bool, int]:
    """Return whether a version is stopped, and how many reasons it asks for."""
    return bool(verdict.blocking), verdict.reasons_to_write


@dataclass(frozen=True)
class Version:
    """A version of the file that may be released, judged on all rows.

    Attributes
    ----------
    family
        What kind of values it shows.
    kept, lost
        What recipients still see, and what they no longer see, each in one sentence.
    steps
        Its steps, ready for a recipe.
    verdict
        The verdict on all rows. Until ``settle`` its learners see fewer rows than those of a release; from then on
        each figure is the one that the release is judged by.
    seconds
        Processor seconds that finding and judging it took.
    key
        The key of its run: the same steps with this key give the same file.
    changed
        Whether it may be released otherwise than was shown before ``settle``: not at all, or with other reasons.
    settled
        Whether the verdict is that of ``settle``; of a small file's versions without reasons it is from the beginning.
    made
        What its steps made of the file, attacks on it among that; gone once it is settled.
    """

    family: Family
    kept: Sentence
    lost: Sentence
    steps: Steps
    verdict: Verdict
    seconds: float
    key: Key
    changed: bool = False
    settled: bool = False
    made: Evidence | None = field(default=None, compare=False, repr=False)

    @property
    def name(self) -> Sentence:
        """What it is called: as all versions of its family."""
        return self.family.title


def best_versions_first(versions: Sequence[Version]) -> list[Version]:
    """Return versions in the order in which they are offered."""
    cards = [Scorecard(version.verdict, version.family is Family.TRUE_VALUES) for version in versions]
    return [versions[index] for index in best_first(cards)]


@dataclass(frozen=True)
class Refusal:
    """One reason why methods refuse the file, and what would change it.

    Attributes
    ----------
    families
        The families that have no version for this reason.
    reason
        What is wrong.
    cure
        What to do about it; None where nothing can be done.
    cures
        Changes of the recipe that do it, the simplest first; none where it takes a person's thought.
    in_window
        The reason as the window says it, which names pages and not keys; empty where it is the same.
    """

    families: tuple[Family, ...]
    reason: str
    cure: str | None = None
    cures: tuple[Cure, ...] = ()
    in_window: str = ""


@dataclass(frozen=True)
class Blocking:
    """What stops every version that was planned.

    Attributes
    ----------
    check
        Id of the check that is red.
    columns
        The columns that it names.
    without
        The version that could be released without these columns; None where there is none either.
    """

    check: str
    columns: tuple[str, ...]
    without: Version | None = None


@dataclass(frozen=True)
class Planned:
    """All that planning found.

    Attributes
    ----------
    versions
        At most six, the best first.
    refusals
        Why families have no version.
    blocking
        What stands in the way where there is no version.
    cancelled
        Whether the work was stopped: what had been found by then is here.
    """

    versions: tuple[Version, ...]
    refusals: tuple[Refusal, ...] = ()
    blocking: tuple[Blocking, ...] = ()
    cancelled: bool = False
