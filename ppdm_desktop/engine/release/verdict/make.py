"""Making the verdict from the measures of the written file; no figure of disclosure is measured here again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from ppdm_desktop.engine.attacks.uncertainty import Uncertainty, worst_secret
from ppdm_desktop.engine.identifiability.classes import find_anonymity_set_sizes
from ppdm_desktop.engine.methods.base.step import LevelProof
from ppdm_desktop.engine.release.attack_audit.noise_filter import NoiseFilter, with_best_guess
from ppdm_desktop.engine.release.disclosure.column_belief import ColumnBelief
from ppdm_desktop.engine.release.gate.base import all_checks, find_check
from ppdm_desktop.engine.release.gate.decision import Decision
from ppdm_desktop.engine.release.gate.draws import find_improved_checks
from ppdm_desktop.engine.release.gate.evidence import Evidence, is_quasi_regenerated
from ppdm_desktop.engine.release.gate.results import CAUSES, CheckResult
from ppdm_desktop.engine.report import model

_NOTHING_KNOWN = "no column counts as known to others"


def verdict_of(
    evidence: Evidence,
    results: Sequence[CheckResult],
    decision: Decision | None,
    usefulness: model.UsefulnessEntry,
    *,
    subject: str = model.CANDIDATE,
    draft: bool = False,
    placed: bool = True,
) -> model.Verdict:
    """Return what a table discloses about people, and whether it may be released.

    Figures about people are empty or None where rows cannot be compared with the source's: where rows are groups of
    people, where no file can be read back, or without ``placed``. Sizes of classes do not need ``placed``. The two
    numbers of people of whom an intruder is certain are also None without a confidential column.

    Parameters
    ----------
    evidence
        The evidence on the written file, with attacks.
    results, decision
        The gate's results and decision. Without a decision (a file made elsewhere) the verdict has no figures of
        privacy levels, because the guarantees of its steps are not known.
    usefulness
        The figures of usefulness.
    subject
        ``original`` or ``candidate``.
    draft
        True when nothing to hand over is written, whatever the gate says.
    placed
        Whether it is known which source row each released row is.
    """
    candidate = evidence.candidate
    prepared = candidate.prepared
    written = evidence.written
    rows_fit = evidence.fits and not prepared.rows_are_groups
    fits = rows_fit and placed
    unknown = (), (), (), None
    measured = (
        (evidence.beliefs, evidence.near, evidence.functional_dependencies, evidence.outside) if fits else unknown
    )
    beliefs, near, dependencies, outside = measured
    certain_by_others, certain_by_all = (
        (int(evidence.certain_people.sum()), int(evidence.certain_by_all.sum()))
        if fits and evidence.confidential
        else (None, None)
    )
    return model.Verdict(
        subject=subject,  # type: ignore[arg-type]
        input_sha256=prepared.account.sha256,
        recipe_sha256=prepared.recipe_sha256,
        data_sha256=None if written is None else written.sha256,
        type=prepared.type.id,
        k_min=prepared.type.k_min,
        people=prepared.table.persons.count,
        rows=prepared.table.rows,
        rows_released=candidate.released.rows,
        people_known_by=_find_people_basis(evidence),  # type: ignore[arg-type]
        certain_by_others=certain_by_others,
        certain_by_all=certain_by_all,
        beliefs=[_build_belief_entry(belief, evidence) for belief in beliefs],
        singled=_build_singled_entry(evidence) if fits else None,
        near=[
            model.NearEntry.copy_of(near_identifier, alone=near_identifier.unique_people) for near_identifier in near
        ],
        depends=[model.DependencyEntry.copy_of(dependency) for dependency in dependencies],
        classes=_build_classes_entry(evidence) if rows_fit else None,
        outside=outside,
        attacks=_list_attack_entries(evidence, fits=fits),
        levels=level_proofs(evidence) if decision is not None else [],
        checks=[check_entry(result) for result in results],
        try_first=_try_first(evidence, subject) if fits else None,
        usefulness=usefulness,
        draws=_build_draws_entry(evidence, results),
        decision=_build_decision_entry(decision, draft),
    )


def _list_attack_entries(evidence: Evidence, *, fits: bool) -> list[model.AttackEntry]:
    """Return the attacks' results, for noise with the Bayes estimate's figures where it is closer than the filter.

    The Bayes estimate is the best guess of a value from its noisy one. ``fits`` says whether the file can be compared
    with the source row by row; if not, all results are unchanged.
    """
    beliefs = {belief.column: belief for belief in evidence.beliefs if belief.ratio is not None} if fits else {}
    attack_entries = []
    for entry in evidence.attacks:
        belief = beliefs.get(entry.column or "")
        if (
            entry.id == NoiseFilter.id
            and belief is not None
            and belief.residual_error is not None
            and belief.ratio is not None
        ):
            entry = with_best_guess(entry, belief.residual_error, belief.ratio, str(belief.prior), belief.people)
        attack_entries.append(entry)
    return attack_entries


def _find_people_basis(evidence: Evidence) -> str:
    """Return how it is known which person each row belongs to.

    The first that applies. ``groups``: rows are groups of people. ``person-column``: the recipe names a column with the
    person. ``confirmed``: the owner said that each row is a different person. ``assumed``: nobody said so.
    """
    input_section = evidence.candidate.prepared.complete.input
    if input_section.rows is not None:
        return "groups"
    if input_section.person is not None:
        return "person-column"
    return "confirmed" if input_section.one_row_per_person else "assumed"


def _build_belief_entry(column_belief: ColumnBelief, evidence: Evidence) -> model.BeliefEntry:
    """Return what intruders believe about one confidential column, in the form of the report.

    It has the figures for intruders who know the quasi-identifiers and who know all other columns, the worst-case
    person, a rare value (None where there is none), and the figures by privacy level.
    """
    return model.BeliefEntry.copy_of(
        column_belief,
        people=len(column_belief.of),
        by_others=_build_certainty_entry(column_belief, column_belief.others),
        by_all=_build_certainty_entry(column_belief, column_belief.all),
        exposed=model.WorstCaseEntry.copy_of(column_belief.worst_case),
        left=column_belief.residual_error,
        rare=worst_secret(column_belief.rare),
        by_level=_count_certain_by_level(column_belief, evidence),
    )


def _build_certainty_entry(column_belief: ColumnBelief, uncertainty: Uncertainty) -> model.CertaintyEntry:
    """Return three counts of people of whose value an intruder is certain: rightly, rightly and proved, and wrongly.

    - Rightly (``certain``): the intruder is certain of a value that is the person's own.
    - Proved: only that one value is possible; these people are among the first.
    - Wrongly: the intruder is as certain of a value that is not the person's.

    People with a value that at least nine in ten have do not count among the first two. Those wrongly taken for people
    with a rare value do count among the last. ``uncertainty`` is that of one of the intruders.
    """
    certain = column_belief.certain(uncertainty)
    return model.CertaintyEntry(
        certain=int(certain.sum()),
        proved=int((certain & uncertainty.confirmed).sum()),
        wrong=int(uncertainty.certain_but_wrong.sum()),
    )


def _count_certain_by_level(column_belief: ColumnBelief, evidence: Evidence) -> list[model.LevelBeliefEntry]:
    """Return how many people each privacy level has, and of how many an intruder is rightly certain, weakest first.

    There is one number for an intruder who knows the quasi-identifiers, and one for all columns that are not
    confidential. Only people who were judged for this column count. Empty without levels.
    """
    levels = evidence.candidate.final.levels
    if levels is None:
        return []
    codes, count = levels.codes[column_belief.of], len(levels.levels)

    def counted(chosen: np.ndarray) -> list[int]:
        """Return the number of chosen people at each level; ``chosen`` has a flag for each judged person."""
        return [int(count_at_level) for count_at_level in np.bincount(codes[chosen], minlength=count)]

    everybody = counted(np.ones(len(codes), dtype=np.bool_))
    certain_by_others = counted(column_belief.certain(column_belief.others))
    everything = counted(column_belief.certain(column_belief.all))
    return [
        model.LevelBeliefEntry(level=level.name, people=of, certain_by_others=by_others, certain_by_all=two)
        for level, of, by_others, two in zip(levels.levels, everybody, certain_by_others, everything, strict=True)
    ]


def _build_singled_entry(evidence: Evidence) -> model.SingledEntry:
    """Return the numbers of unique people and the column sets that single them out, in the form of the report.

    A unique person has a combination of values that nobody else has; ``alone`` of a set is how many people it makes so.
    """
    counts = evidence.singled_out
    sets = [model.SetEntry.copy_of(revealing_set, alone=revealing_set.unique_people) for revealing_set in counts.sets]
    return model.SingledEntry.copy_of(counts, sets=sets)


_MOST_TRIED = 20


def _try_first(evidence: Evidence, subject: str) -> list[model.TryFirstEntry] | None:
    """Return at most 20 people whom an intruder learns most of or finds most easily, each with the reason.

    A person is named by the number of their first source row, from 1. First come those of whom an intruder is certain
    by quasi-identifiers (``by_others``), then by all columns that are not confidential (``by_all``), then those singled
    out by what others may know (``singled``); each group in the order of rows, each person once. None for the source
    itself, and where released rows are not source rows; empty if there is nobody.
    """
    if subject != model.CANDIDATE or not evidence.rows_correspond:
        return None
    persons, rows = evidence.candidate.persons, evidence.candidate.final.row_numbers
    marks = {"by_others": evidence.certain_people, "by_all": evidence.certain_by_all}
    if len(evidence.singled_out.unique_by_known) == len(rows):
        marks["singled"] = evidence.singled_out.unique_by_known
    first_why: dict[int, str] = {}
    for why, marked in marks.items():
        for person in persons.of_row[marked].tolist():
            first_why.setdefault(person, why)
    chosen = list(first_why.items())[:_MOST_TRIED]
    return [
        model.TryFirstEntry(row=int(rows[persons.first_rows[person]]), why=why)  # type: ignore[arg-type]
        for person, why in chosen
    ]


def _build_classes_entry(evidence: Evidence) -> model.ClassesEntry:
    """Return the sizes of classes by the quasi-identifiers, or the reason why there are none.

    - ``k`` is the size of the smallest class; ``below`` the number of people in classes smaller than the release type
      asks for, and ``of`` the number of all people.
    - Where somebody has several rows, these come twice, by one row and by all rows of a person, with which of them is
      judged.
    - ``k`` and ``below`` are None, and ``why`` has the reason, without quasi-identifiers or people, or where the
      quasi-identifiers were generated.
    """
    people, why = evidence.released_people, None
    has_known_columns = bool(evidence.judged.with_role("quasi-identifier"))
    if not evidence.rows_correspond and (is_quasi_regenerated(evidence) or not has_known_columns):
        why = model.ARTIFICIAL
    elif not has_known_columns:
        why = _NOTHING_KNOWN
    if why is not None or people == 0:
        return model.ClassesEntry(k=None, below=None, of=people, why=why or _NOTHING_KNOWN)
    least = evidence.candidate.prepared.type.k_min
    measures = {name: _measure_class_sizes(evidence, least, linked=linked) for name, linked in _MEASURES.items()}
    judged: Literal["one_row", "all_rows"] = "all_rows" if evidence.candidate.links_rows else "one_row"
    measured = measures[judged]
    if not evidence.disclosed.people.with_several:
        return model.ClassesEntry(k=measured.k, below=measured.below, of=people, why=None)
    return model.ClassesEntry(k=measured.k, below=measured.below, of=people, why=None, judged=judged, **measures)


_MEASURES = {"one_row": False, "all_rows": True}


def _measure_class_sizes(evidence: Evidence, least: int, *, linked: bool) -> model.ClassSizeEntry:
    """Return the smallest anonymity set, the number of people in sets below ``least``, and the number of unique people.

    An anonymity set is all people who look the same as a person; somebody in a set of 1 is unique. Sets are by all rows
    of a person where ``linked`` (in their order, if the release keeps it), else by one row, the rarest of a person.
    """
    ordered = linked and evidence.candidate.keeps_order
    set_sizes = find_anonymity_set_sizes(evidence.classes, evidence.disclosed.people, linked=linked, ordered=ordered)
    below, alone = (evidence.people_among(set_sizes < most) for most in (least, 2))
    return model.ClassSizeEntry(k=int(set_sizes.min()), below=below, alone=alone)


def check_entry(result: CheckResult) -> model.CheckEntry:
    """Return one check's result in the form of the report, with what the check itself declares.

    That is its cause, the page of the window where it can be corrected, whether it counts people singled out, and
    whether it passed only because of the agreement with the recipients.
    """
    check = find_check(result.id)
    return model.CheckEntry.copy_of(
        result,
        cause=check.cause.id,
        sentence=model.Sentence.of(result.sentence.id, result.sentence.arguments),
        fix_on=check.fix_on,
        counts_singled=check.counts_singled,
        is_agreed=check.agreed is not None and result.sentence.id == check.agreed.id,
    )


def _build_decision_entry(decision: Decision | None, draft: bool) -> model.DecisionEntry:
    """Return the decision in the form of the report, with its reasons in the order of causes.

    The status is ``blocked``, ``released-with-reasons`` or ``released``; it is ``not-judged`` if ``decision`` is None.
    A draft is never marked as released (``released`` is False), whatever its status.
    """
    if decision is None:
        return model.DecisionEntry(status="not-judged", released=False, blocked_by=[], accepted=[])
    status = "blocked" if not decision.released else "released-with-reasons" if decision.accepted else "released"
    return model.DecisionEntry(
        status=status,  # type: ignore[arg-type]
        released=decision.released and not draft,
        blocked_by=list(decision.blocked_by),
        accepted=list(decision.accepted),
        reasons=[_build_reason_entry(id, decision) for id in CAUSES if id in decision.reasons],
    )


def _build_reason_entry(cause: str, decision: Decision) -> model.ReasonEntry:
    """Return a written reason for one cause, with the figure of each check that it let pass.

    Figures are those at the time when the reason was given. Checks of other causes, and those that the reason does not
    let pass, are left out.
    """
    section = decision.reasons[cause]
    answered = [id for id in decision.accepted if find_check(id).cause.id == cause]
    return model.ReasonEntry(
        cause=cause,
        title=CAUSES[cause].text,
        reason=section.reason,
        at=section.at,
        checks={id: section.checks[id].figure for id in answered},
    )


def _build_draws_entry(evidence: Evidence, results: Sequence[CheckResult]) -> model.DrawsEntry:
    """Return what is known of earlier random draws from the source, in the form of the report.

    It has the number of this draw (from 1), the number of draws tried, this one included, and since when (None if
    nothing was recorded), the checks depending on the draw whose result is better than in an earlier draw for the same
    release type that did not pass them, and where the key comes from (``os``, ``file`` or ``seed``). Only draws by the
    same methods on the same columns count.
    """
    draws = evidence.draws
    by_chance = [id for id, check in all_checks().items() if check.by_chance]
    better = find_improved_checks(draws, results, by_chance, evidence.candidate.prepared.type.id)
    origin = evidence.candidate.key.origin
    return model.DrawsEntry(
        number=draws.number,
        tried=draws.tried,
        since=draws.since,
        better_than_earlier=[model.BetterEntry.copy_of(draw) for draw in better],
        key="os" if origin == "system" else origin,  # type: ignore[arg-type]
    )


def level_proofs(evidence: Evidence) -> list[model.LevelProofEntry]:
    """Return an entry for each privacy level, step and column: what its people were promised and what they got.

    It is as counted in the released file; as counted during the run where no file can be read, or where a step was not
    counted in the file. The privacy loss is always that of the run. Entries are in the order of steps; figures that are
    infinite or not known are None.
    """
    counts = evidence.level_counts if evidence.fits else ()
    entries = []
    for step in evidence.candidate.steps:
        step_counts = [count for count in counts if count.step == step.index]
        proofs = step.recount.levels
        losses = {(proof.column, proof.level): proof.privacy_loss for proof in proofs}
        entries += [
            model.LevelProofEntry.copy_of(
                count,
                records=count.people,
                not_covered=count.people - count.covered,
                demanded=to_finite(count.demand),
                least_achieved=to_finite(count.least),
                privacy_loss=to_finite(losses.get((count.column, count.level))),
                asked=to_finite(count.asked),
            )
            for count in step_counts
        ]
        entries += [_run_proof(step.index, proof) for proof in proofs if not step_counts]
    return entries


def _run_proof(step: int, proof: LevelProof) -> model.LevelProofEntry:
    """Return a privacy level's guarantee as counted during the run of a step, in the form of the report.

    The number of records that fall short is 0 if the guarantee is met; if not, it is the number of all covered records,
    because the run does not count them one by one. What the level asks for (``asked``) is what the step had to give.
    Infinite figures become None.
    """
    return model.LevelProofEntry.copy_of(
        proof,
        step=step,
        demanded=to_finite(proof.demanded),
        least_achieved=to_finite(proof.least_achieved),
        privacy_loss=to_finite(proof.privacy_loss),
        asked=to_finite(proof.demanded),
        short=0 if proof.met else int(proof.covered),
    )


def to_finite(value: float | None) -> float | None:
    """Return a number as a float for the report; None for None, NaN and infinity."""
    return float(value) if value is not None and np.isfinite(value) else None
