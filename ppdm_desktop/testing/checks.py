"""The battery of tests for the checks that decide on a release (the gate)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from functools import partial

from ppdm_desktop.engine.recipe.models import AcceptSection
from ppdm_desktop.engine.recipe.release_type import RELEASE_TYPES, ReleaseType
from ppdm_desktop.engine.release.attack_audit.base import select_entries
from ppdm_desktop.engine.release.gate.base import SHARED_TEXTS, SUCCEEDS, Check, Limits, all_checks, are_few
from ppdm_desktop.engine.release.gate.decision import decide
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import AMBER, GREEN, NOT_RUN, RED, CheckResult, Direction
from ppdm_desktop.engine.wording.texts import all_texts, render
from ppdm_desktop.testing.common import check_description, count_cancellation_points, digest_of, hold

_BAD = (AMBER, RED, NOT_RUN)


def check_check(cls: type[Check], evidence: Collection[Evidence], pages: Collection[str]) -> frozenset[str]:
    """Return the statuses that a check of the gate gave, after checking that it keeps the contract of ``Check``.

    The check has to be fully declared, to say what to do in every text that asks for something, and to name an existing
    page for the correction. On each evidence it has to give the same result twice, change nothing, give a status that
    fits its figure and direction, stop when cancelled, and not run without the file that it reads.

    Parameters
    ----------
    cls
        The registered class.
    evidence
        Releases to judge, some with the figure within its limit (green) and some with the figure beyond it.
    pages
        Ids of the window's pages.

    Returns
    -------
    frozenset of str
        The statuses that the check gave.

    Raises
    ------
    AssertionError
        Naming the check and the rule it breaks.
    """
    check = all_checks().get(cls.id)
    if check is None or type(check) is not cls:
        raise AssertionError(f"{cls.id}: is not registered")
    _check_declaration(check, pages)
    _check_texts(check)
    statuses = frozenset(_check_result(check, evidence_case, pages) for evidence_case in evidence)
    looks = sum(count_cancellation_points(check, partial(check.run, evidence_case)) for evidence_case in evidence)
    hold(check, looks > 0 or check.weight == 1 or not evidence, "looks at every value and never at the stop sign")
    return statuses


def _check_declaration(check: Check, pages: Collection[str]) -> None:
    """Check that a check of the gate declares all that is said of it, and names one of ``pages`` for corrections.

    The gate is the set of checks that decide on a release. The check's id must be small letters, digits and hyphens,
    its order number unique, and no release type may make it red before it is amber. Raises AssertionError otherwise.
    """
    check_description(check, {key: getattr(check, key) for key in ("id", "title", "source", "fix_on", "direction")})
    hold(check, bool(type(check).__doc__), "has no sentence that says what rule it is")
    hold(check, check.fix_on in pages, f"is corrected on {check.fix_on}, which is no page")
    hold(check, check.direction in ("at-most", "at-least"), "has no direction")
    hold(check, check.weight >= 1, "has no weight")
    orders = [declared.order for declared in all_checks().values()]
    hold(check, orders.count(check.order) == 1, "has the place of another check")
    for type_ in RELEASE_TYPES.values():
        limits = check.limits(type_, type_.k_min)
        if limits.red is not None:
            beyond = limits.red - limits.green if check.direction == "at-most" else limits.green - limits.red
            hold(check, beyond >= 0, f"is red before it is amber ({type_.id})")


def _check_texts(check: Check) -> None:
    """Check that every text of a check has the check's title and a sentence.

    A text for amber, red or not run must also have a remedy. Raises AssertionError otherwise.
    """
    for declared in check.texts():
        text = all_texts()[declared.id]
        hold(check, text.title == check.title, f"is called otherwise in {declared.id}")
        hold(check, bool(text.sentence.strip()), f"{declared.id} says nothing")
        hold(check, bool(text.remedy.strip()) or declared.status not in _BAD, f"{declared.id} does not say what to do")


def _check_result(check: Check, evidence: Evidence, pages: Collection[str]) -> str:
    """Return the status that a check gives, after checking that its result is complete, consistent and repeatable.

    It must change nothing and, if it reads the written file, have the status ``not-run`` where the file cannot be read.
    Raise AssertionError otherwise.
    """
    before = _hash_evidence(evidence)
    result = check.run(evidence)
    hold(check, check.run(evidence) == result, "says one thing now and another then")
    _check_result_fields(check, result, pages)
    _check_status_fits_figure(check, result)
    _check_few_people(check, result, evidence)
    _check_attacks_heeded(check, result, evidence)
    _check_reason_effect(check, result)
    hold(check, _hash_evidence(evidence) == before, "changes what it judges")
    unread = replace(evidence, as_written=None)
    if check.reads_file:
        hold(check, check.run(unread).status == NOT_RUN, "says something of a file that cannot be read")
        needed = [all_checks()[need].run(unread).status for need in check.needs]
        hold(check, RED in needed, "does not run, and none of what it needs says why")
    return result.status


def _check_result_fields(check: Check, result: CheckResult, pages: Collection[str]) -> None:
    """Check that a result has the check's id, a declared text, a declared unit, and remedies where needed.

    Amber, red and not-run results have remedies, others none; a remedy has to name one of ``pages`` and to have a text.
    Raise AssertionError otherwise.
    """
    id = result.sentence.id
    hold(check, result.id == check.id, "speaks for another check")
    declared = {(text.status, text.id) for text in (*check.texts(), *SHARED_TEXTS)}
    hold(check, (result.status, id) in declared, f"does not declare {id}")
    render(id, result.sentence.arguments)
    units = check.figure_unit.split(" or ") if check.figure_unit else []
    hold(check, result.figure is None or result.figure.unit in units, f"measures something else than {units}")
    hold(check, bool(result.remedies) == (result.status in _BAD), f"{result.status}, with remedies {result.remedies}")
    for remedy in result.remedies:
        hold(check, remedy.page in pages, f"is corrected on {remedy.page}, which is no page")
        hold(check, bool(render(remedy.text.id, remedy.text.arguments).remedy), f"{remedy.text.id} corrects nothing")


def _check_status_fits_figure(check: Check, result: CheckResult) -> None:
    """Check that a result's status agrees with its figure, limit and direction, and that the direction is declared.

    Green needs a figure within the limit (at it counts as within). Amber and red need a figure beyond it or, where the
    limit is a maximum, at least the upper end of the figure's interval beyond it. Raise AssertionError otherwise;
    nothing is checked without a figure or a numeric limit.
    """
    figure, limit = result.figure, result.limit
    if figure is None or figure.value is None or not isinstance(limit, int | float):
        return
    hold(check, result.direction == check.direction_of(figure), "gives a direction that it does not declare")
    worst = figure.value if figure.high is None else max(figure.high, figure.value)
    least = result.direction == "at-least"
    within = figure.value >= limit - 1e-9 if least else figure.value <= limit + 1e-9
    beyond = figure.value < limit if least else worst > limit
    explanation = f"{result.status} at {figure.value} ({result.direction} {limit})"
    hold(check, result.status != GREEN or within, explanation)
    hold(check, result.status not in (AMBER, RED) or beyond, explanation)


def _check_few_people(check: Check, result: CheckResult, evidence: Evidence) -> None:
    """Check that a result about very few people (``are_few``) states neither a share nor an interval, but counts only.

    Shares of few people mislead. Raise AssertionError otherwise; nothing is checked for more people, or without a
    figure.
    """
    figure = result.figure
    if figure is None or not are_few(evidence):
        return
    hold(check, figure.unit != "share", f"tells a share of {evidence.candidate.final.rows} people")
    hold(check, figure.low is None and figure.high is None, "tells an interval of few people")


def _check_attacks_heeded(check: Check, result: CheckResult, evidence: Evidence) -> None:
    """Raise AssertionError if a check is green although an attack that it judges succeeds."""
    severe = [entry for entry in select_entries(check.id, evidence.attacks) if entry.severity in SUCCEEDS]
    hold(check, not severe or result.status != GREEN, "is green beside an attack that succeeds")


def _check_reason_effect(check: Check, result: CheckResult) -> None:
    """Check that a written reason lets an amber result pass, but never a red one; raise AssertionError otherwise.

    Results of other statuses are not checked.
    """
    if result.status not in (AMBER, RED):
        return
    reason = AcceptSection(reason="The recipients work under a contract that forbids looking for anybody in the file.")
    cause = check.cause.id
    decision = decide([result], {cause: reason}, "0" * 64, "2026-01-01T00:00:00Z", type="research", confirmed=(cause,))
    hold(check, decision.released == (result.status == AMBER), f"is {result.status}, and a reason decides otherwise")


@dataclass(frozen=True)
class Dial:
    """Makes releases in which a check's figure has a wanted value.

    Attributes
    ----------
    unit
        The smallest step of the figure.
    at
        Function that returns the evidence for a release type and a figure.
    limits
        Function that returns the limits for a release type; None for those that the check declares.
    direction
        Whether the figure must be ``at-most`` or ``at-least`` the limit.
    """

    unit: float
    at: Callable[[ReleaseType, float], Evidence]
    limits: Callable[[ReleaseType], Limits] | None = None
    direction: Direction = "at-most"


def check_limits(cls: type[Check], dial: Dial) -> None:
    """Check that a check's status changes one step of its figure across each limit, for every release type.

    One step within the limit of green (or at it, if it is a maximum of 0) the check has to be green, and one step
    beyond the limit of red it has to be red. If more than two steps lie between both, it has to be amber one step from
    each. If a type has no limit of red, it has to be amber one step beyond the limit of green. ``dial`` makes releases
    with a wanted figure, and says how large a step is.

    Raises
    ------
    AssertionError
        Naming the check, the type and the figure.
    """
    check = all_checks()[cls.id]
    sign = 1.0 if dial.direction == "at-most" else -1.0
    for kind in RELEASE_TYPES.values():
        limits = check.limits(kind, kind.k_min) if dial.limits is None else dial.limits(kind)
        step = sign * dial.unit

        def status(figure: float, kind: ReleaseType = kind) -> str:
            """Return the status at a figure, after checking that it agrees with the figure; below 0 it is that at 0."""
            result = check.run(dial.at(kind, max(figure, 0.0)))
            hold(check, result.figure is not None, f"measures nothing at {figure} ({kind.id})")
            _check_status_fits_figure(check, result)
            return result.status

        def is_at(figure: float, wanted: tuple[str, ...], kind: ReleaseType = kind) -> None:
            """Raise AssertionError unless the status at a figure is one of the ``wanted`` ones."""
            result = status(figure)
            hold(check, result in wanted, f"is {result} at {figure:.6g} ({kind.id}), not {' or '.join(wanted)}")

        beyond = limits.green + step
        if limits.green > 0 or sign < 0:
            is_at(limits.green - step, (GREEN,))
        else:
            is_at(limits.green, (GREEN,))
        if limits.red is None:
            is_at(beyond, (AMBER,))
            continue
        is_at(limits.red + step, (RED,))
        if (limits.red - beyond) * sign > dial.unit:
            is_at(beyond, (AMBER,))
            is_at(limits.red - step, (AMBER,))


def _hash_evidence(evidence: Evidence) -> str:
    """Return a hash, in hexadecimal digits, of all that a check could change: tables, file, texts."""
    hashed = hashlib.sha256(digest_of(evidence.candidate, evidence.as_written or ()))
    hashed.update(evidence.written.data if evidence.written is not None else b"")
    hashed.update(evidence.texts.note + evidence.texts.dictionary)
    return hashed.hexdigest()
