"""Families of versions, and the knobs that planning turns to make a version pass the checks."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, auto

from ppdm_desktop.engine.wording.catalogue import Sentence, lazy


class Family(Enum):
    """The kind of values that a version shows, in the order in which versions are planned.

    Attributes
    ----------
    id
        Name on the command line.
    title
        What it is called.
    for_whom
        Who gets most out of such a version.
    """

    def __init__(self, id: str, title: Sentence, for_whom: Sentence) -> None:
        self.id, self.title, self.for_whom = id, title, for_whom

    TRUE_VALUES = (
        "true-values",
        lazy("True values, less detail"),
        lazy("For everybody: each value is true, only less exact."),
    )
    GROUPS = (
        "groups",
        lazy("Groups with the same details"),
        lazy("For statisticians: ranges fit the people in each group."),
    )
    AVERAGES = (
        "averages",
        lazy("Averages of small groups"),
        lazy("For work with numbers: means stay as they are."),
    )
    EXCHANGED = (
        "exchanged",
        lazy("Exchanged values"),
        lazy("For counts of categories: totals stay as they are."),
    )
    NOISE = (
        "noise",
        lazy("Numbers with noise"),
        lazy("For models that can allow for known noise."),
    )
    ARTIFICIAL = (
        "artificial",
        lazy("Artificial records"),
        lazy("For teaching, testing and models: no row is a real person."),
    )


class KnobKind(Enum):
    """What a knob changes; a check declares by which kinds it is answered, best first."""

    CLOSENESS = auto()  # confidential values in each group more like those of all people
    GROUP_SIZE = auto()  # larger groups of people with the same details
    VALUES_IN_GROUP = auto()  # more different confidential values in each group
    ALL_COLUMNS = auto()  # groups of people with the same details in all released columns that are not confidential
    GROUP_COLUMNS = auto()  # groups formed by all released columns that are not confidential
    AVERAGED = auto()  # confidential numbers shown as averages within groups; no check asks for it
    FEWER_VALUES = auto()  # fewer different values in a column, in the end none
    ENDS = auto()  # the largest and smallest numbers shown together
    ROUNDING = auto()  # numbers rounded to fewer digits
    LEAVE_OUT = auto()  # a column left out
    ALL_ROWS = auto()  # no records left out of groups of one confidential value; no check asks for it
    GAPS = auto()  # records left out that alone have their pattern of empty cells
    EXCHANGE = auto()  # confidential values exchanged between people
    NOISE = auto()  # more noise on numbers
    SOURCE_GROUP = auto()  # larger groups from which artificial records are made


@dataclass(frozen=True)
class Knob:
    """A parameter of a method that can be made stricter step by step.

    Attributes
    ----------
    kind
        What it changes.
    parameter
        Name of the parameter; empty where the step itself is all that there is to turn.
    notches
        Its values, mildest first; None stands for the parameter's default. Of a knob for single columns, whose step is
        not there before it is turned, the first is used after one turn; of any other it is used from the start.
    """

    kind: KnobKind
    parameter: str = ""
    notches: tuple[object, ...] = (None,)
