"""The analysis kit, with which a recipient corrects results for the noise in the released numbers.

It holds the law of the noise, which the method makes public, two scripts that are the same in every release (one in
Python, one in R, with the same functions), and an explanation. Everything that differs from release to release stands
in the law.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from importlib import resources

import numpy as np

from ppdm_desktop.engine.report.public.columns import Public
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.values import Name, Names, Number, Ratio, Terms

KIT = "analysis-kit"
README, LAW, SCRIPT, R_SCRIPT = "README.txt", "noise-law.json", "noise_kit.py", "noise_kit.R"


class NoiseGroup(Public):
    """Columns whose noise was drawn in one step.

    Attributes
    ----------
    columns
        Their names; where the lists below have one entry a column, it is in this order.
    law
        ``gaussian`` or ``uniform``.
    shares
        Share of the people whose noise has the same strength, in hundredths.
    sd
        By column, the standard deviation of the noise for each share, four significant digits.
    band
        By column, the width of the band inside which a value was drawn again, for each share; 0 where the strength
        of the noise holds it already.
    step
        By column, the grid of the released values.
    bounds
        By column, declared lowest and highest value; None where none are stated.
    correlation
        Of the noise, three decimals.
    reflected_at
        By column, where noise is turned back below; None where it is simply added.
    reflected_above
        By column, where noise is turned back above; None where it is not.
    """

    columns: list[str]
    law: str
    shares: list[float]
    sd: list[list[float]]
    band: list[list[float]]
    step: list[float]
    bounds: list[tuple[float, float] | None]
    correlation: list[list[float]]
    reflected_at: list[float | None]
    reflected_above: list[float | None]

    @property
    def reflected(self) -> list[str]:
        """The names of the columns whose noise is turned back at a lower end."""
        return [name for name, at in zip(self.columns, self.reflected_at, strict=True) if at is not None]


class ChangedCategories(Public):
    """A column whose categories were changed by chance.

    Attributes
    ----------
    column
        Its name.
    redrawn
        Chance that a value was drawn again, three decimals.
    shares
        Share in which each value was then drawn, three decimals; without values that few people have.
    """

    column: str
    redrawn: float
    shares: dict[str, float]


class NoiseLaw(Public):
    """The public description of the noise in a release, and of categories that were changed by chance."""

    format: int = 1
    data_file: str
    decimal: str
    delimiter: str
    rows_are_people: bool
    noise: list[NoiseGroup]
    categories: list[ChangedCategories]

    @property
    def columns(self) -> list[str]:
        """Return the names of the columns with noise, and then of those with changed categories."""
        changed = [entry.column for entry in self.categories]
        return [*(name for group in self.noise for name in group.columns), *changed]


@cache
def kit_script(name: str = SCRIPT) -> bytes:
    """Return the bytes of a kit script by its file name; the script is the same in every release."""
    return (resources.files("ppdm_desktop.resources") / KIT / name).read_bytes()


def kit_scripts() -> dict[str, bytes]:
    """Return the bytes of all kit scripts by file name."""
    return {name: kit_script(name) for name in (SCRIPT, R_SCRIPT)}


def kit_files(law: NoiseLaw) -> dict[str, bytes]:
    """Return the bytes of all kit files by name: explanation (in the current language), law of the noise, and scripts.

    The scripts are left out where only categories were changed.
    """
    return {
        README: render_readme(law).encode("utf-8"),
        LAW: (json.dumps(law.model_dump(mode="json"), ensure_ascii=False, indent=2) + "\n").encode("utf-8"),
        **(kit_scripts() if law.noise else {}),
    }


TITLE = lazy("Analysis kit: correct results for the noise")
FIXED: tuple[Sentence, ...] = (
    lazy("Some numbers of this release contain random noise. It protects the people in the data."),
    lazy("The noise has mean 0, so means are right, but less certain."),
    lazy("Spreads are too large. Relationships are mostly too weak, and slopes too flat."),
    lazy("The strength of the noise is public, so its effect on results can be removed."),
    lazy("This corrects results about many people. It does not correct the value of one person."),
)
"""What a recipient has to know first."""
USES: tuple[tuple[str, Sentence], ...] = (
    ("", lazy("Means, standard deviations and covariances:")),
    ("--regression Y X1 X2", lazy("Linear regression of Y on X1 and X2:")),
    ("--naive-bayes C X1 X2", lazy("Naive Bayes, one normal distribution for each value of C:")),
    ("--histogram X --bars 20", lazy("Shares of equal bars of the true values:")),
)
"""What the script can do, each with its arguments."""
LIMITS: tuple[Sentence, ...] = (
    lazy("Intervals are 95% intervals. They include the noise and the sample."),
    lazy("A reconstructed distribution is smoothed on purpose. Narrow peaks come out lower and wider."),
    lazy("Corrected models are for data without noise. Do not use them on the released rows."),
    lazy("Small groups have wide intervals. Do not draw conclusions from very small groups."),
)
NEEDS = lazy("The script needs Python 3.9 or newer and NumPy, and no network. Run it in this folder.")
IN_R = lazy("The same in R, without packages. We ran this script in R 4.2:")
REFLECTED = lazy(
    "{columns} {columns:stays|stay} in a public range. Noise that would lead beyond an end was turned back there."
)
NOT_SUBTRACTED = lazy(
    "That moves values near the ends, so their noise cannot be subtracted. Only the histogram is corrected for it."
)
SEVERAL = lazy("Some people have several rows. The intervals take rows for people, so they are too narrow.")
COLUMNS = lazy("Columns with noise:")
CATEGORIES: tuple[Sentence, ...] = (
    lazy("Some categories of this release were changed by chance. This protects the people in the data."),
    lazy("In the whole table, the share of each value is right on average. In a part of it, shares are too even."),
    lazy("Correct the share t of a value in a part of the table by the two numbers a and p of noise-law.json:"),
    lazy("Here a is the chance of a new draw (redrawn), and p the share in which the value is drawn (shares)."),
    lazy("With n people in the part, the standard error is the square root of t (1 - t) / n, divided by 1 - a."),
)
"""What a recipient has to know of changed categories; the formula stands after the third sentence."""
_FORMULA = "    (t - a p) / (1 - a)"


def kit_sentences() -> list[str]:
    """Return every sentence that a kit's explanation can contain unchanged, in the current language.

    Sentences with inserted names or numbers are not among them.
    """
    return [
        str(sentence)
        for sentence in (
            TITLE,
            *FIXED,
            *(sentence for _, sentence in USES),
            *LIMITS,
            NEEDS,
            IN_R,
            SEVERAL,
            COLUMNS,
            NOT_SUBTRACTED,
            *CATEGORIES,
        )
    ]


def render_readme(law: NoiseLaw) -> str:
    """Return the kit's explanation as plain text in the current language.

    Below the title it has a part for changed categories and one for noise, where there are any, and a warning if
    people have several rows.
    """
    title = str(TITLE)
    lines = [title, "=" * len(title), ""]
    if law.categories:
        categories = [str(sentence) for sentence in CATEGORIES]
        lines += [*categories[:3], "", _FORMULA, "", *categories[3:], ""]
    if law.noise:
        lines += _describe_noise(law)
    if not law.rows_are_people:
        lines.append(str(SEVERAL))
    return "\n".join(lines) + "\n"


def _describe_noise(law: NoiseLaw) -> list[str]:
    """Return the lines of the kit's explanation for noisy columns: the noise, the scripts and their limits."""
    lines = [*map(str, FIXED), "", str(COLUMNS), ""]
    for group in law.noise:
        lines += _describe_noise_group(group)
    turned = [name for group in law.noise for name in group.reflected]
    if turned:
        lines += ["", REFLECTED.format(columns=Names.of(turned)), str(NOT_SUBTRACTED)]
    lines += ["", str(NEEDS), ""]
    for arguments, sentence in USES:
        lines += [str(sentence), "", f"    python {SCRIPT} {arguments}".rstrip(), ""]
    lines += [str(IN_R), "", f"    Rscript {R_SCRIPT} {USES[1][0]}", ""]
    return [*lines, *map(str, LIMITS)]


def _describe_noise_group(group: NoiseGroup) -> Sequence[str]:
    """Return a sentence for each column of a group on strength and shape of its noise.

    The strength is one standard deviation in the column's unit, or one for each share of the people where these got
    different noise. A last sentence follows if the noise of the columns is correlated.
    """
    shape = (
        lazy("even, up to 1.7 standard deviations")
        if group.law == "uniform"
        else lazy("bell-shaped (normal distribution)")
    )
    sentences = []
    for name, sds in zip(group.columns, group.sd, strict=True):
        strength = [
            lazy("{sd} for {share} of the people", sd=Number(sd), share=Ratio(share))
            for share, sd in zip(group.shares, sds, strict=True)
        ]
        parts = Terms(tuple(strength)) if len(strength) > 1 else Number(sds[0])
        sentence = lazy("{column}: {shape}, standard deviation {parts}")
        sentences.append(sentence.format(column=Name(name), shape=shape, parts=parts))
    if np.any(np.array(group.correlation) != np.eye(len(group.columns))):
        sentence = lazy("The noise of {columns} goes together, so relationships among them change little.")
        sentences.append(sentence.format(columns=Names.of(group.columns)))
    return sentences
