"""Check for columns that work like a name, because nearly everybody has a unique value."""

from __future__ import annotations

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
        ranks = {near.column: _rank_near_identifier(near, evidence, limits) for near in identifiers}

        def severity(near: NearIdentifier) -> tuple[int, int, int]:
            """Return the sort key of a column: its colour, then the people with a unique and with a rare value."""
            return ranks[near.column], near.unique_people, near.few

        worst = max(identifiers, key=severity)
        rank = ranks[worst.column]
        if rank and evidence.others_find_few:
            # What nobody else knows finds nobody; a column that others may know comes before it.
            beyond = [near for near in identifiers if ranks[near.column] and _may_others_know(near, evidence)]
            known = max(beyond, key=severity, default=None)
            if known is None and evidence.relies_on_agreement:
                counted = (worst.unique_people, worst.people)
                figure, _ = compute_limited_share(evidence, *counted, limits.green)
                column = Name(worst.column)
                return self.verdict(self.agreed, figure, None, counted=counted, column=column, alone=Share(*counted))
            worst = known or worst
            rank = min(ranks[worst.column], 2 if known else 1)
        if not rank and (naming_set := _find_revealing_set(evidence)) is not None:
            return self._judge_revealing_set(naming_set, evidence, limits)
        count, allowed = worst.unique_people, limits.green
        if rank and count <= allowed * worst.people:
            # Nobody has a value of their own, but too many share theirs with few.
            count, allowed = worst.few, _FEW
        figure, limit = compute_limited_share(evidence, count, worst.people, allowed)
        return self.verdict(
            self.usual[rank],
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


def _may_others_know(near: NearIdentifier, evidence: Evidence) -> bool:
    """Return whether others may know a column: by its name, as dates or free text, or by what its values look like.

    Values may look like those of an identifier or quasi-identifier.
    """
    column = evidence.disclosed.table.column(near.column)
    suggested = roles_by_values(evidence).get(near.column)
    looks_known = suggested is not None and suggested.role in ("identifier", "quasi-identifier")
    return may_be_known(column) or column.kind in ("date", "text") or looks_known


def _rank_near_identifier(near: NearIdentifier, evidence: Evidence, limits: Limits) -> int:
    """Return how a column that nearly identifies people is judged: 0 green, 1 amber, 2 red.

    The share with a unique value, of the people with any, is compared with ``limits``; in a public release also the
    share with a value that fewer than k_min people have: amber beyond 0.05 and red beyond half. A measured number
    is never red in research, and nothing is red within an organisation.
    """
    type = evidence.candidate.prepared.type
    unique_share, few = near.unique_people / near.people, near.few / near.people
    if unique_share <= limits.green and not (type.is_public and few > _FEW):
        return 0
    if limits.red is None:
        return 1
    if type.is_public:
        return 2 if unique_share > limits.red or few > HALF else 1
    return 2 if unique_share > limits.red and not _is_reading(near.column, evidence) else 1


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
