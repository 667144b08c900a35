"""What data reconstruction says of itself: promises, limits, parameters."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.data_reconstruction.classifier_inputs import BOTH, NAIVE_BAYES, TREE
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.discretising import EQUAL_FREQUENCY, MDL
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.genes import ELITES
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnParameter,
    NumberParameter,
    Parameter,
)

PROMISES = (
    "Every combination of what others may know stands in the file at least k times, and at least k people of the "
    "source have it.",
    "Behind every released combination are at least two different people, and it shows at least two classes.",
    "k is at least the largest group that the privacy level of any record asks for.",
    "Where one of these rules does not hold, the run fails and nothing is released.",
    "The release has as many rows as the source, and the classes keep their shares to within rounding "
    "where enough people of each can be chosen.",
)
LIMITS = (
    "Only about one person in k is in the release, k times; no row can be looked up or joined to another file.",
    "What is no quasi-identifier is released exactly as the chosen people have it: a rare value there still shows, "
    "as often as it was copied.",
    "k copies of one record look like k people and are one: averages and counts are less certain than the number "
    "of rows says.",
    "The choice favours records that teach one classification well; other questions may be answered less well.",
    "The fitness of the search is measured on the records that taught it. It is too good and is no accuracy.",
    "Names change places within a class by chance; relations between such a name and other columns become weaker.",
    "The sources describe the paper's steps in outline; cuts, shares and weights here are this program's own.",
    "A record that is chosen stands for a person: where people have several rows it is refused.",
)
PUBLIC = frozenset({"k", "mask", "swap_share", "class", "classifier"})
PARAMETERS: tuple[Parameter, ...] = (
    NumberParameter(
        name="k",
        label="Copies and smallest group",
        help="How often each chosen record is released, and how many people each released combination has at least.",
        effect="Larger k hides each person better and leaves fewer different records.",
        default=5,
        low=2,
        whole=True,
        unit="records",
        level_key="group",
    ),
    ColumnParameter(
        name="class",
        label="Class column",
        help="The confidential column whose classification the release is to teach; empty for the first that fits.",
        effect="Ranges, swaps and the choice of records keep what predicts this column.",
        default="",
    ),
    ChoiceParameter(
        name="mask",
        label="How numbers are cut",
        help="How ranges are found for numbers and dates that others may know.",
        effect="Cuts against the class keep what predicts it, with few ranges; equal shares keep more of the rest.",
        default=MDL,
        choices={
            MDL: "Where the classes differ most, as long as it pays (Fayyad and Irani); else at the median.",
            EQUAL_FREQUENCY: "Ranges with about equally many records.",
        },
    ),
    NumberParameter(
        name="ranges",
        label="Number of ranges",
        help="How many ranges with equally many records.",
        effect="More ranges keep more detail and leave fewer people in each combination.",
        default=4,
        low=2,
        whole=True,
        advanced=True,
    ),
    NumberParameter(
        name="swap_share",
        label="Names exchanged",
        help="Share of the records of each class whose names change places, column by column.",
        effect="More exchange makes a person's name combination less certain and relations weaker.",
        default=0.2,
        low=0,
        high=1,
    ),
    ChoiceParameter(
        name="classifier",
        label="What the choice is good for",
        help="The classifier that chosen records are to teach.",
        effect="A choice found for one classifier serves it best; the mean serves both well.",
        default=BOTH,
        choices={
            BOTH: "The mean of a decision tree and naive Bayes.",
            TREE: "A decision tree.",
            NAIVE_BAYES: "Naive Bayes; fastest.",
        },
    ),
    NumberParameter(
        name="population",
        label="Choices side by side",
        help="How many choices of records the search keeps.",
        effect="More find better choices and take longer.",
        default=30,
        low=ELITES + 2,
        whole=True,
        advanced=True,
    ),
    NumberParameter(
        name="generations",
        label="Rounds of the search",
        help="How often the choices are crossed and changed. The search can be ended earlier; the best is kept.",
        effect="More rounds find better choices and take longer.",
        default=40,
        low=1,
        whole=True,
        advanced=True,
        stops_early=True,
    ),
    NumberParameter(
        name="mutation",
        label="Change by chance",
        help="Share of a choice's records that are exchanged at random in each round, beside one record more.",
        effect="More change searches wider and settles later.",
        default=0.02,
        low=0,
        high=0.5,
        advanced=True,
    ),
    NumberParameter(
        name="diversity",
        label="Weight of mixed classes",
        help="What a combination with a single class costs a choice, in shares of records rightly classified.",
        effect="More weight keeps the search to choices that need no mending afterwards.",
        default=0.02,
        low=0,
        high=1,
        advanced=True,
    ),
)
