"""The declaration of data reconstruction: promises, limits, parameters."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.data_reconstruction.classifier_inputs import BOTH, NAIVE_BAYES, TREE
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.genes import ELITES
from ppdm_desktop.engine.methods.algorithms.data_reconstruction.masks import EQUAL_FREQUENCY, MDL
from ppdm_desktop.engine.methods.base.parameters import (
    KNOWN_BY_NUMBER,
    LARGER_HIDES_MORE,
    SMALLER_HIDES_MORE,
    ChoiceParameter,
    ColumnParameter,
    NumberParameter,
    Parameter,
)
from ppdm_desktop.engine.methods.base.step import PAPER, SAFE, Profiles
from ppdm_desktop.engine.wording.catalogue import lazy

PROMISES = (
    lazy(
        "Every released combination of these details is in the file at least k times. "
        "At least k people of the source have it."
    ),
    lazy("Behind every released combination are at least two different people and at least two classes."),
    lazy("k is at least the largest group that any protection level asks for."),
    lazy("If one of these rules cannot be kept, the run fails and nothing is released."),
    lazy(
        "The release has as many rows as the source. Classes keep their shares where enough "
        "people of each can be selected."
    ),
)
LIMITS = (
    lazy("Only about one person in k is in the release, k times. No row can be looked up or linked to another file."),
    lazy(
        "All other columns are released exactly as they are for the selected people. A rare "
        "value still shows, as often as it was copied."
    ),
    lazy(
        "On three public data sets, models learned from it predicted no better than models learned from "
        "groups of people with the same details."
    ),
    lazy(
        "k copies of one record look like k people but are one. Averages and counts are less "
        "certain than the number of rows suggests."
    ),
    lazy("It cannot be used if people have several rows: each released record stands for one person."),
    lazy("The selection favours records that help to predict one column. Other questions may be answered less well."),
    lazy("Texts are exchanged at random within a class. Their relationships to other columns become weaker."),
)
EXPERT = (
    lazy(
        "The fitness of the search is measured on the training records. It is too good and does not measure accuracy."
    ),
    lazy("The sources only outline the steps of the paper. Cuts, shares and weights here are those of this program."),
)
PUBLIC = frozenset({"k", "mask", "swap_share", "class", "classifier"})
PROFILES: Profiles = {PAPER: {"classifier": TREE, "diversity": 0}, SAFE: {}}
"""Only an outline of the paper was available: where it says nothing, both profiles use this program's choice."""
PAPER_FAULT = lazy(
    "The search takes no notice of groups with one value only. In a random selection, 37% of the groups "
    "were like this (Pima data, k = 10). Ranges end at members’ own values."
)
PAPER_PRICE = lazy(
    "Each such group counts like 2% wrong predictions, so a selection that predicts slightly better can lose."
)
PARAMETERS: tuple[Parameter, ...] = (
    NumberParameter(
        name="k",
        label=lazy("Copies and smallest group"),
        help=lazy(
            "How often each selected record is released, and how many people each released combination has at least."
        ),
        effect=LARGER_HIDES_MORE,
        default=5,
        low=2,
        whole=True,
        unit=lazy("records"),
        level_key="group",
    ),
    ColumnParameter(
        name="class",
        label=lazy("Class column"),
        help=lazy(
            "The confidential column that the release should help to predict. If empty, the first suitable one is used."
        ),
        default="",
        of_file=True,
        checked_with={"class": "Other"},
    ),
    ChoiceParameter(
        name="mask",
        label=lazy("How to cut numbers"),
        help=lazy("How ranges are found for numbers and dates that others may know."),
        default=MDL,
        choices={
            MDL: lazy("Where the classes differ most, if that pays; otherwise at the median."),
            EQUAL_FREQUENCY: lazy("Ranges with about the same number of records."),
        },
        names={MDL: lazy("by class"), EQUAL_FREQUENCY: lazy("equal shares")},
        checked_with={"mask": "equal-frequency", "k": 2, "roles": KNOWN_BY_NUMBER},
    ),
    NumberParameter(
        name="ranges",
        label=lazy("Number of ranges"),
        help=lazy("How many ranges with the same number of records."),
        effect=SMALLER_HIDES_MORE,
        default=4,
        low=2,
        whole=True,
        advanced=True,
        checked_with={"ranges": 2, "mask": "equal-frequency", "roles": KNOWN_BY_NUMBER},
    ),
    NumberParameter(
        name="swap_share",
        label=lazy("Texts exchanged"),
        help=lazy("Share of the records of each class whose texts are exchanged, column by column."),
        effect=LARGER_HIDES_MORE,
        default=0.2,
        low=0,
        high=1,
    ),
    ChoiceParameter(
        name="classifier",
        label=lazy("What the selection is good for"),
        help=lazy("The prediction model that the selected records should train well."),
        default=BOTH,
        choices={
            BOTH: lazy("The mean of a decision tree and naive Bayes."),
            TREE: lazy("A decision tree."),
            NAIVE_BAYES: lazy("Naive Bayes; the fastest."),
        },
        names={
            BOTH: lazy("both models"),
            TREE: lazy("decision tree"),
            NAIVE_BAYES: lazy("naive Bayes"),
        },
    ),
    NumberParameter(
        name="population",
        label=lazy("Selections in each round"),
        help=lazy("How many selections the search compares in each round."),
        effect=lazy("A larger number gives better results, but takes longer."),
        default=30,
        low=ELITES + 2,
        whole=True,
        advanced=True,
    ),
    NumberParameter(
        name="generations",
        label=lazy("Rounds of the search"),
        help=lazy("How often selections are combined and changed. You can end the search earlier; the best is kept."),
        effect=lazy("A larger number gives better results, but takes longer."),
        default=40,
        low=1,
        whole=True,
        advanced=True,
        stops_early=True,
    ),
    NumberParameter(
        name="mutation",
        label=lazy("Random change"),
        help=lazy("Share of the selected records that are exchanged at random in each round, plus one record."),
        default=0.02,
        low=0,
        high=0.5,
        advanced=True,
    ),
    NumberParameter(
        name="diversity",
        label=lazy("Weight of mixed classes"),
        help=lazy("What a combination with one class costs a selection, in shares of records predicted correctly."),
        default=0.02,
        low=0,
        high=1,
        advanced=True,
    ),
)
