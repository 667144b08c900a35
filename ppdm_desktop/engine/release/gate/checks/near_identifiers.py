"""Check for columns that work like a name, because nearly everybody has a unique value."""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.identifiability.near_identifiers import (
    HALF,
    NearIdentifier,
    RevealingSet,
)
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.disclosure.singled_out import may_be_known, search_smallest_sets
from ppdm_desktop.engine.release.gate.base import SHARE_OR_PEOPLE, Check, Limits, compute_limited_share, register
from ppdm_desktop.engine.release.gate.checks.keys_released import roles_by_values
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHO_IS_FOUND, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Names, Share

_FEW = 0.05


@register
class NearIdentifiers(Check):
    """No column outside the quasi-identifiers shows, unchanged or generalised, a unique value of many people."""

    id = "near-identifiers"
    title = "Columns that work like a name"
    order = 119
    cause = WHO_IS_FOUND
    answered_by = (
        KnobKind.ROUNDING,
        KnobKind.ENDS,
        KnobKind.ROUNDING,
        KnobKind.FEWER_VALUES,
        KnobKind.LEAVE_OUT,
    )
    source = lazy("T. Dalenius, Finding a needle in a haystack, Journal of Official Statistics 2(3), 1986")
    fix_on = "columns"
    figure_unit = SHARE_OR_PEOPLE
    figure_title = "figure.near-identifiers"
    usual = Colours.of("gate.near-identifiers.green", "gate.near-identifiers.amber", "gate.near-identifiers.red")
    amber_set = VerdictText.amber("gate.near-identifiers.amber-set")
    agreed = VerdictText.green("gate.near-identifiers.green-agreed")
    not_applicable = VerdictText.not_applicable("gate.near-identifiers.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the share of people with a unique value.

        Green up to 0 for a public release, else up to 1 / k_min. Red beyond 1 / k_min for a public release and beyond
        half in research, never within an organisation.
        """
        green = 0.0 if type.is_public else 1.0 / k_min
        return Limits(green, None if type.is_internal else 1.0 / k_min if type.is_public else HALF)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the column in which most people have a unique value, or one shared by fewer than k_min.

        - The share with a unique value, of those with any, is judged by `limits`; a worse colour goes before a larger
          number. In a public release it is amber, too, if over 5 % have a value that fewer than k_min people share, and
          red if over half have.
        - If others can find at most 1 in k_min people (`Evidence.others_find_few`), a column beyond its limit that
          others may know is judged instead. Without one, the result is at most amber, and green where the recipients
          signed not to search for people.
        - If no single column is beyond its limit, it is amber where two or three columns together are unique for half
          of the people, except under such an agreement (`Evidence.relies_on_agreement`).
        - Not applicable if there is no column to judge.
        """
        type = evidence.candidate.prepared.type
        identifiers = evidence.near
        if not identifiers:
            return self.verdict(self.not_applicable)
        limits = self.limits_of(evidence)
        worst = max(
            identifiers,
            key=lambda near: (self._rank_near_identifier(near, evidence, limits), near.unique_people, near.few),
        )
        text = self.usual[self._rank_near_identifier(worst, evidence, limits)]
        known_note = "" if text == self.usual.green else self._find_worst_known_column(evidence, identifiers, limits)
        if text != self.usual.green and known_note != worst.column and evidence.others_find_few:
            # What nobody else knows finds nobody; a column that others may know comes before it.
            worst = next((near for near in identifiers if near.column == known_note), worst)
            text = self.usual[min(self._rank_near_identifier(worst, evidence, limits), 2 if known_note else 1)]
            if not known_note and evidence.relies_on_agreement:
                unique_people = Share(worst.unique_people, worst.people)
                figure, _ = compute_limited_share(evidence, worst.unique_people, worst.people, limits.green)
                counted = (worst.unique_people, worst.people)
                column = Name(worst.column)
                return self.verdict(self.agreed, figure, None, counted=counted, column=column, alone=unique_people)
        if text == self.usual.green and (naming_set := _find_revealing_set(evidence)) is not None:
            return self._judge_revealing_set(naming_set, evidence, limits)
        count, allowed = worst.unique_people, limits.green
        if text != self.usual.green and count <= allowed * worst.people:
            # Nobody has a value of their own, but too many share theirs with few.
            count, allowed = worst.few, _FEW
        figure, limit = compute_limited_share(evidence, count, worst.people, allowed)
        return self.verdict(
            text,
            figure,
            limit,
            counted=(count, worst.people),
            column=Name(worst.column),
            alone=Share(worst.unique_people, worst.people),
            few=Share(worst.few, worst.people),
            k_min=type.k_min,
        )

    def _judge_revealing_set(self, revealing_set: RevealingSet, evidence: Evidence, limits: Limits) -> CheckResult:
        """Return the result for a set of columns that together are unique for many people; it is amber."""
        people = evidence.released_people
        figure, limit = compute_limited_share(evidence, revealing_set.unique_people, people, limits.green)
        names, unique_people = Names.of(revealing_set.columns), Share(revealing_set.unique_people, people)
        counted = (revealing_set.unique_people, people)
        return self.verdict(self.amber_set, figure, limit, counted=counted, columns=names, alone=unique_people)

    def _find_worst_known_column(
        self, evidence: Evidence, near_identifiers: Sequence[NearIdentifier], limits: Limits
    ) -> str:
        """Return the name of the worst column beyond the green limit that others may know; "" if there is none.

        Others may know a column by its name, if it holds dates or free text, or if its values look like an identifier
        or quasi-identifier. The worst has the worst colour, then most people with a unique value. Also "" unless
        `Evidence.others_find_few`.
        """
        beyond = [near for near in near_identifiers if self._rank_near_identifier(near, evidence, limits)]
        if not evidence.others_find_few or not beyond:
            return ""
        suggested = roles_by_values(evidence)
        likely = [
            near
            for near in beyond
            if may_be_known(column := evidence.disclosed.table.column(near.column))
            or column.kind in ("date", "text")
            or (near.column in suggested and suggested[near.column].role in ("identifier", "quasi-identifier"))
        ]
        worst = max(
            likely,
            key=lambda near: (self._rank_near_identifier(near, evidence, limits), near.unique_people, near.few),
            default=None,
        )
        return "" if worst is None else worst.column

    def _rank_near_identifier(self, near_identifier: NearIdentifier, evidence: Evidence, limits: Limits) -> int:
        """Return how a column that nearly identifies people is judged: 0 green, 1 amber, 2 red.

        The share with a unique value, of the people with any, is compared with ``limits``; in a public release also the
        share with a value that fewer than k_min people have: amber beyond 0.05 and red beyond half. A measured number
        is never red in research, and nothing is red within an organisation.
        """
        type = evidence.candidate.prepared.type
        unique_share, few = (
            near_identifier.unique_people / near_identifier.people,
            near_identifier.few / near_identifier.people,
        )
        if unique_share <= limits.green and not (type.is_public and few > _FEW):
            return 0
        if limits.red is None:
            return 1
        if type.is_public:
            return 2 if unique_share > limits.red or few > HALF else 1
        return 2 if unique_share > limits.red and not _is_reading(near_identifier.column, evidence) else 1


def _find_revealing_set(evidence: Evidence) -> RevealingSet | None:
    """Return two or three columns that together are unique for half of the people; None without such a set.

    The set is built from the best column by adding the one that makes most people unique, until half are. None also if
    a single column does so, and under an agreement with the recipients (`Evidence.relies_on_agreement`).
    """
    if evidence.relies_on_agreement:
        return None
    sets = search_smallest_sets(evidence.disclosed, evidence.revealing_columns)
    return sets[-1] if len(sets) > 1 and sets[-1].unique_people >= HALF * evidence.released_people else None


def _is_reading(name: str, evidence: Evidence) -> bool:
    """Return whether the column called ``name`` is a measured number: it has decimals, or the owner says so."""
    if evidence.candidate.prepared.column_section(name).measured:
        return True
    column = evidence.disclosed.table.column(name)
    return column.kind == "numeric" and column.style is not None and column.style.step < 1
