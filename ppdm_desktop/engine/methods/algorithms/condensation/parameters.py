"""What condensation says of itself: promises, limits, parameters."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.split_rule import PAPER_RULE, SAFE
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import BEST, PAPER, TOP_DOWN, TREE
from ppdm_desktop.engine.methods.algorithms.condensation.regenerate import GAUSSIAN, UNIFORM
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnParameter,
    FlagParameter,
    NumberParameter,
    Parameter,
)

PROMISES = (
    "Every record is in a group of at least as many records as its own privacy level asks, and of at least two.",
    "Each group's means, spreads and relations between numbers are kept on average; "
    "groups that the floor treats get a little more spread.",
    "Each group shows exactly the categories its members had, as often; none is invented.",
    "Every released column is treated, and the file has as many records as before.",
)
LIMITS = (
    "Released rows are made up: no row is a person, and none can be looked up or joined to another file.",
    "Made-up numbers can lie outside the range of the true ones, can be negative, "
    "and can be no whole count where the column's grid allows it.",
    "Stopping numbers at declared bounds moves means and relations; they are never stopped at the data's own ends.",
    "Names, places and other categories are exchanged within groups, not changed: "
    "a rare one still shows, and shows which group its owner is in.",
    "Groups by class tell the class of everybody who can be linked to a group.",
    "A group with no more records than columns of numbers gives new records in the plane of the old ones, "
    "unless the floor widens it.",
    "Record by record, a group that is split shares its categories out to its parts in proportion, "
    "and its numbers as if they lay evenly along its longest direction.",
    "The paper's footnote prints the width and the shift of a split wrongly, and its procedure can leave records "
    "in groups smaller than they ask for; here both are put right.",
    "A made-up record stands for a person: where people have several rows it is refused.",
)
PUBLIC = frozenset({"algorithm", "regenerate", "floor", "clip", "per", "class", "categories"})
PARAMETERS: tuple[Parameter, ...] = (
    NumberParameter(
        name="group",
        label="Smallest group",
        help="How many records a group has at least; a record whose privacy level asks for more gets more.",
        effect="Larger groups hide each record better and keep less of the differences.",
        default=2,
        low=2,
        whole=True,
        unit="records",
        level_key="group",
    ),
    ChoiceParameter(
        name="algorithm",
        label="How groups are found",
        help="The search for groups of similar records.",
        effect="Closer groups keep more of the data; every search gives every record its level.",
        default=BEST,
        choices={
            BEST: "All of them, and the closest groups are taken.",
            PAPER: "Segment, Cannibalize and Attrition, as in the paper.",
            TREE: "Cut the table in halves along its longest direction; fastest.",
            TOP_DOWN: "The strictest records first, each with its nearest.",
        },
    ),
    ChoiceParameter(
        name="per",
        label="Groups within",
        help="Whether a group may hold records of several classes.",
        effect="Groups by class serve the training of classifiers and tell the class of a whole group.",
        default="table",
        choices={
            "table": "The whole table.",
            "class": "Each class of the column named under class; too small classes are put together.",
        },
    ),
    ColumnParameter(
        name="class",
        label="Class column",
        help="The column of categories that divides the table, where groups are made by class.",
        effect="Whoever links a person to a group knows this column's value.",
        default="",
    ),
    ChoiceParameter(
        name="regenerate",
        label="Shape of new values",
        help="How new values spread around a group's mean.",
        effect="Both keep means and relations; the bell has rare values further out.",
        default=UNIFORM,
        choices={UNIFORM: "Evenly along the group's axes, as in the paper.", GAUSSIAN: "In a bell shape (normal)."},
        advanced=True,
    ),
    FlagParameter(
        name="floor",
        label="Widen small groups",
        help="Gives groups with no more records than columns of numbers some spread in every direction.",
        effect="Without it new records of such groups lie in the plane of the true ones.",
        default=True,
        advanced=True,
    ),
    ChoiceParameter(
        name="categories",
        label="Categories",
        help="How the values of nominal columns are exchanged within a group.",
        effect="Each by itself hides who has which combination; together keeps combinations as they were.",
        default="independent",
        choices={"independent": "Each column by itself.", "together": "All nominal columns as one."},
        advanced=True,
    ),
    FlagParameter(
        name="clip",
        label="Stop at declared bounds",
        help="Moves made-up numbers beyond a column's declared bounds to the bound.",
        effect="No impossible values; means and relations move a little.",
        default=False,
        advanced=True,
    ),
    FlagParameter(
        name="dynamic",
        label="Record by record",
        help="Groups the first records and lets the others join one by one, in an order drawn by the key; "
        "groups that have grown enough are split.",
        effect="Shows what adding records later keeps; groups are less close than those found all at once.",
        default=False,
        advanced=True,
    ),
    NumberParameter(
        name="first_records",
        label="Records grouped first",
        help="How many records are grouped before the others join; 0 takes a tenth of the table, and ten times "
        "what the strictest record asks for at least.",
        effect="More records first give closer groups.",
        default=0,
        low=0,
        whole=True,
        unit="records",
        advanced=True,
    ),
    ChoiceParameter(
        name="split_rule",
        label="When a group is split",
        help="How large a group has grown before it is split.",
        effect="Only the safe rule keeps every promise; a release by the paper's rule is stopped where it does not.",
        default=SAFE,
        choices={
            SAFE: "At twice what its strictest record asks for.",
            PAPER_RULE: "At twice the average of what its records ask for, as in the paper; only to repeat it.",
        },
        advanced=True,
    ),
)
