"""Check of how many people are unique by what is released of them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ppdm_desktop.engine.arrays import Bools
from ppdm_desktop.engine.identifiability.near_identifiers import HALF, RevealingSet
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.column_belief import take_uncertainty_by_all
from ppdm_desktop.engine.release.disclosure.singled_out import SingledOutCounts
from ppdm_desktop.engine.release.gate.base import SHARE_OR_PEOPLE, Check, Limits, compute_limited_share, register
from ppdm_desktop.engine.release.gate.checks.certain_by_all import CertainByAll
from ppdm_desktop.engine.release.gate.checks.certain_disclosure import ONE_IN_UNDER_AGREEMENT
from ppdm_desktop.engine.release.gate.checks.rare_secret import RareSecretNamed, is_red
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHO_IS_FOUND, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Names, Share

PUBLIC_SHARE = 0.01


@register
class SinglingOut(Check):
    """Not too many people are unique by their released values."""

    id = "singling-out"
    title = "Picking out one person"
    order = 118
    cause = WHO_IS_FOUND
    answered_by = (
        KnobKind.ALL_COLUMNS,
        KnobKind.GROUP_COLUMNS,
        KnobKind.ROUNDING,
        KnobKind.FEWER_VALUES,
        KnobKind.LEAVE_OUT,
    )
    source = lazy("Article 29 Working Party, Opinion 05/2014 (WP 216), singling out")
    fix_on = "columns"
    on_protection = True
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    counts_singled = True
    figure_title = "figure.singling-out"
    by_chance = True
    fails_at_coarsest = True
    most_named = 6
    usual = Colours.of("gate.singling-out.green", "gate.singling-out.amber", "gate.singling-out.red")
    amber_one = VerdictText.amber("gate.singling-out.amber-one", "figure.singling-out-one")
    amber_set = VerdictText.amber("gate.singling-out.amber-set")
    red_set = VerdictText.red("gate.singling-out.red-set")
    red_known = VerdictText.red("gate.singling-out.red-known", "figure.singling-out-known")
    red_unprotected = VerdictText.red("gate.singling-out.red-unprotected", "figure.singling-out-known")
    agreed = VerdictText.green("gate.singling-out.green-agreed")
    not_applicable = VerdictText.not_applicable("gate.singling-out.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits as shares of people who are unique.

        Green up to 1 % in a public release, else up to 1 / k_min. Red beyond 1 / k_min in a public release and beyond
        half in research, never within an organisation.
        """
        green = PUBLIC_SHARE if type.is_public else 1.0 / k_min
        return Limits(green, None if type.is_internal else 1.0 / k_min if type.is_public else HALF)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for people who are unique by all released columns that are not confidential.

        - Amber beyond the green limit, or if all columns but one confidential column make more than 1 in k_min people
          unique.
        - Beyond the red limit, red if a confidential value becomes known or there is no confidential column; not in
          research if others can find at most 1 in k_min people (`Evidence.others_find_few`).
        - In a public release also red if too many people are unique by what others may know; in research if over half
          are and their confidential values are not protected.
        - Where nothing of this is red, green if others can find so few and the recipients signed not to search for
          people.
        - Not applicable without such columns or people.
        """
        counts = evidence.singled_out
        if not counts.people or not counts.columns:
            return self.verdict(self.not_applicable)
        type, limits = evidence.candidate.prepared.type, self.limits_of(evidence)
        share = counts.by_all_but_secret / counts.people
        unique_share, most = counts.by_all_but_one / counts.people, 1.0 / type.k_min
        arguments: dict[str, Any] = {"columns": Names.of(counts.columns)}
        red = self._is_red(evidence, share)
        if not red and (by_known := self._judge_quasi_identifiers(evidence)) is not None:
            return by_known
        if evidence.relies_on_agreement and (share > limits.green or unique_share > most):
            return self._agreed_result(evidence, limits.green)
        if share <= limits.green and unique_share > most:
            counted = (counts.by_all_but_one, counts.people)
            figure, limit = compute_limited_share(evidence, *counted, most)
            verdict = self.verdict(self.amber_one, figure, limit, counted=counted, share=Share(*counted), **arguments)
            # Without the confidential columns few are unique, so that it is these that have to be coarser.
            return replace(verdict, columns=evidence.confidential)
        text = self.usual.green if share <= limits.green else self.usual.red if red else self.usual.amber
        counted = (counts.by_all_but_secret, counts.people)
        figure, limit = compute_limited_share(evidence, *counted, limits.green)
        if text != self.usual.green and (least := _find_revealing_set(counts)) is not None:
            arguments |= {"set": Names.of(least.columns), "alone": Share(least.unique_people, counts.people)}
            text = self.red_set if red else self.amber_set
        return self.verdict(text, figure, limit, counted=counted, share=Share(*counted), **arguments)

    def _agreed_result(self, evidence: Evidence, allowed: float) -> CheckResult:
        """Return the green result of a release whose recipients signed not to search for people.

        It counts people who are unique by all columns that are not confidential; if those are at most the share
        ``allowed``, people who are unique by all columns but one confidential column.
        """
        counts = evidence.singled_out
        text, counted, names = self.agreed, (counts.by_all_but_secret, counts.people), counts.columns
        if counts.by_all_but_secret <= allowed * counts.people:
            text = replace(self.agreed, figure_title=self.amber_one.figure_title)
            counted, names = (counts.by_all_but_one, counts.people), counts.columns_but_one
        figure, _ = compute_limited_share(evidence, *counted, allowed)
        return self.verdict(text, figure, None, counted=counted, share=Share(*counted), columns=Names.of(names))

    def _judge_quasi_identifiers(self, evidence: Evidence) -> CheckResult | None:
        """Return the red result if columns that others may know make too many people unique, else None.

        They are quasi-identifiers by role or name, and dates that are not confidential. Too many are more than 1 /
        k_min of the people in a public release, and in research more than half, unless their confidential values are
        protected. None within an organisation.
        """
        counts, type = evidence.singled_out, evidence.candidate.prepared.type
        allowed = 1.0 / type.k_min if type.is_public else HALF
        if type.is_internal or counts.by_known <= allowed * counts.people:
            return None
        if not type.is_public and _are_protected(evidence, counts.unique_by_known):
            return None
        counted = (counts.by_known, counts.people)
        figure, limit = compute_limited_share(evidence, *counted, allowed)
        text = self.red_known if type.is_public else self.red_unprotected
        known_names = Names.of(counts.known_columns)
        return self.verdict(text, figure, limit, counted=counted, share=Share(*counted), columns=known_names)

    def _is_red(self, evidence: Evidence, share: float) -> bool:
        """Return whether a share of unique people is red.

        It is beyond the red limit, a confidential value becomes known (or there is none), and others can find more than
        1 in k_min people.
        """
        edge = self.limits_of(evidence).red
        return edge is not None and share > edge and self._is_value_revealed(evidence) and not evidence.others_find_few

    def _is_value_revealed(self, evidence: Evidence) -> bool:
        """Return whether confidential values of too many people become known, or there is no confidential column.

        Known is a value that is certain to someone who knows all columns but confidential ones. Too many are in a
        public release more people than are tolerated (`Evidence.is_tolerated`: no proved or rare value, and as few as
        chance explains), else a share beyond the red limit of `CertainByAll`. Within an organisation there are never
        too many.
        """
        if not evidence.confidential:
            return True
        type = evidence.candidate.prepared.type
        if type.is_public:
            return not evidence.is_tolerated(take_uncertainty_by_all)
        red = CertainByAll().limits(type, type.k_min).red
        return red is not None and int(evidence.certain_by_all.sum()) / evidence.people > red


def _find_revealing_set(counts: SingledOutCounts) -> RevealingSet | None:
    """Return the largest set of columns found, if it makes at least half of the people unique and is not all columns.

    Else None.
    """
    least = counts.sets[-1] if counts.sets else None
    if least is None or least.unique_people < HALF * counts.people or len(least.columns) >= len(counts.columns):
        return None
    return least


def _are_protected(evidence: Evidence, unique: Bools) -> bool:
    """Return whether the confidential columns meet the research limits for the people marked in ``unique`` alone.

    ``unique`` is bool, shape (rows,). An intruder who finds a unique person knows the whole row, so all released
    columns count as known. The limits: a value is certain for at most a fifth of them, and no rare value is named
    beyond its red limit. True for synthetic rows, which other checks judge.
    """
    if not evidence.rows_correspond:
        return True
    people = evidence.candidate.persons
    asked = people.with_any(unique)
    certain = evidence.certain_by_all[evidence.first_rows] & asked
    if int(certain.sum()) * ONE_IN_UNDER_AGREEMENT > int(asked.sum()):
        return False
    limits = RareSecretNamed().limits_of(evidence)
    asked_rows = asked[people.of_row]
    for belief in evidence.beliefs:
        # A rare secret counts all rows, all people, or, behind noise, only the people who have a value.
        by_length = {len(asked_rows): asked_rows, len(asked): asked, len(belief.of): asked_rows[belief.of]}
        if any(is_red(rare.among(by_length[len(rare.is_named)]), limits) for rare in belief.rare_by_all):
            return False
    return True
