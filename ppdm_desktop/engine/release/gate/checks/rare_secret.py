"""Check that the holders of a rare confidential value are not identified as such."""

from __future__ import annotations

from typing import Any

from ppdm_desktop.engine.arrays import GRID
from ppdm_desktop.engine.attacks.uncertainty import FEWEST_HOLDERS, RareSecret
from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.methods.base.declaration import KnobKind
from ppdm_desktop.engine.recipe.release_type import ReleaseType
from ppdm_desktop.engine.release.gate.base import PEOPLE, SHARE_OR_PEOPLE, Check, Limits, are_few, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import WHAT_IS_LEARNT, CheckResult, Colours, VerdictText
from ppdm_desktop.engine.table.column import Column, to_exact_decimal
from ppdm_desktop.engine.table.public_grid import NumberGrid
from ppdm_desktop.engine.wording.catalogue import lazy, untranslated
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Name, Number, Quoted

METHOD = untranslated("holders who are named as such")
_GREEN_RECALL, _RED_RECALL = 0.25, 0.50


@register
class RareSecretNamed(Check):
    """Nobody who holds a rare value is identified as its holder."""

    id = "rare-secret"
    title = "Rare confidential values"
    order = 116
    cause = WHAT_IS_LEARNT
    answered_by = (KnobKind.ENDS, KnobKind.ROUNDING, KnobKind.EXCHANGE)
    source = lazy("A. Hundepool et al., Statistical Disclosure Control, 2012 (attribute disclosure of rare values)")
    fix_on = "protect"
    on_protection = True
    figure_unit = SHARE_OR_PEOPLE
    on_certificate = True
    figure_title = "figure.rare-secret"
    by_chance = True
    usual = Colours.of("gate.rare-secret.green", "gate.rare-secret.amber", "gate.rare-secret.red")
    of_few = VerdictText.amber("gate.rare-secret.amber-few"), VerdictText.red("gate.rare-secret.red-few")
    not_applicable = VerdictText.not_applicable("gate.rare-secret.not-applicable")

    def limits(self, type: ReleaseType, k_min: int) -> Limits:
        """Return the limits of the share of right ones among the people named as holders of a rare value.

        Green up to 0.80. Red from 0.80 on in a public release and from 0.90 on in research, never within an
        organisation.
        """
        return Limits(0.80, 0.80 if type.is_public else None if type.is_internal else 0.90)

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the rare value, or tail of numbers, whose holders are identified best.

        Judged is the share of right ones among those named as holders; a worse colour goes before a larger share.

        - Green up to 0.80, and where less than a quarter of the holders are named rightly.
        - Red from the red limit on (`limits`), where half of the holders and at least five people are named rightly.
          Else amber.
        - In a release of fewer than 20 people the figure is the count of people named rightly. It is red from the red
          limit on, where half of the holders are named rightly, even if these are fewer than five; else amber, never
          green.
        - Not applicable without rare values.
        """
        limits = self.limits_of(evidence)
        secrets = [(belief.column, rare) for belief in evidence.beliefs for rare in belief.rare if rare.holders]
        if not secrets:
            return self.verdict(self.not_applicable)
        few = are_few(evidence)

        def rank(rare: RareSecret) -> int:
            """Return 0 for green, 1 for amber, 2 for red.

            In a release of fewer than 20 people 0 for amber and 1 for red.
            """
            return int(is_red(rare, limits)) if few else _rank_rare_value(rare, limits)

        column, rare = max(secrets, key=lambda secret: (rank(secret[1]), secret[1].share, secret[1].right))
        arguments: dict[str, Any] = {
            "column": Name(column),
            "right": rare.right,
            "named": rare.named,
            "holders": rare.holders,
            "secret": _format_rare_value(rare, evidence.candidate.prepared.original.column(column)),
        }
        counted = (rare.right, rare.named)
        if few:
            # No interval says anything of so few; the count alone may be red.
            count = Figure(rare.right, n=rare.named, unit=PEOPLE)
            return self.verdict(self.of_few[is_red(rare, limits)], count, counted=counted, **arguments)
        text = self.usual[_rank_rare_value(rare, limits)]
        figure, limit = Figure(rare.share, n=rare.named, unit="share"), limits.green
        if text == self.usual.green and rare.share > limit + GRID:
            # Those who are named are named rightly, but too few of the holders are named.
            figure, limit = Figure(rare.recall, n=rare.holders, unit="share", method=METHOD), _GREEN_RECALL
            counted = (rare.right, rare.holders)
        return self.verdict(text, figure, limit, counted=counted, **arguments)


def _format_rare_value(rare: RareSecret, source: Column) -> Quoted | Note:
    """Return the rare value for a sentence; for a tail of numbers its limit, rounded to round numbers.

    It is rounded down for the upper tail and up for the lower.
    """
    if isinstance(rare.secret, str):
        return Quoted(rare.secret)
    grid, limit = NumberGrid.of(source), to_exact_decimal(rare.secret)
    rounded = grid.down(limit) if rare.above else grid.up(limit)
    value = int(rounded) if rounded == int(rounded) else Number(float(rounded))
    return Note("rare-secret.above" if rare.above else "rare-secret.below", {"limit": value})


def is_red(rare: RareSecret, limits: Limits) -> bool:
    """Return whether the share of right ones among those named reaches the red limit, with half of the holders named.

    False without a red limit. A check may ask for more before it is red, such as five people rightly named.
    """
    return limits.red is not None and rare.share >= limits.red - GRID and rare.recall >= _RED_RECALL


def _rank_rare_value(rare: RareSecret, limits: Limits) -> int:
    """Return how a rare value is judged: 0 green, 1 amber, 2 red.

    Green if the share of right ones among those named is up to the green limit, or if fewer than a quarter of the
    holders are named rightly. Red if the share reaches the red limit and half of the holders, at least five people, are
    named rightly: fewer may be luck.
    """
    if rare.share <= limits.green + GRID or rare.recall < _GREEN_RECALL:
        return 0
    return 2 if is_red(rare, limits) and rare.right >= FEWEST_HOLDERS else 1
