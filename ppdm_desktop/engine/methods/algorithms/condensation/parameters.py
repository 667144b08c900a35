"""What condensation says of itself: promises, limits, parameters."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.split_rule import PAPER_RULE, SAFE
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import BEST, BLOCKS, PAPER, TOP_DOWN, TREE
from ppdm_desktop.engine.methods.algorithms.condensation.regenerate import GAUSSIAN, UNIFORM
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnParameter,
    FlagParameter,
    NumberParameter,
    Parameter,
)
from ppdm_desktop.engine.methods.base.profiles import PAPER as PAPER_PROFILE
from ppdm_desktop.engine.methods.base.profiles import SAFE as SAFE_PROFILE
from ppdm_desktop.engine.methods.base.profiles import Profiles
from ppdm_desktop.engine.wording.catalogue import later

PROMISES = (
    later(
        "method",
        "Every record is in a group at least as large as its protection level asks for, and never smaller than two.",
    ),
    later(
        "method",
        "The averages, spread and relationships of each group are kept on average. Groups that "
        "are widened get a little more spread.",
    ),
    later("method", "Each group shows exactly the categories of its members, equally often; none is invented."),
    later("method", "A category of fewer people than the group size is replaced by a broader or a common one."),
    later(
        "method",
        "Text columns that depend on each other are exchanged together. Numbers and dates keep ranges, steps, orders "
        "and sums of the file.",
    ),
    later("method", "Every released column is treated, and the number of records stays the same."),
)
LIMITS = (
    later(
        "method",
        "The released rows are artificial: each row shows values of several people of one group.",
    ),
    later(
        "method",
        "Names, places and other categories are exchanged within groups, not changed. With the paper’s settings "
        "a rare one still shows, and reveals the group of its owner.",
    ),
    later(
        "method",
        "On four public data sets, predictions were worse than with the original in 13 of 40 trials, 9 of them on "
        "one set.",
    ),
    later("method", "It cannot be used if people have several rows: each artificial record stands for one person."),
    later(
        "method",
        "With the paper’s settings, artificial numbers can be impossible: negative, out of range or out of order.",
    ),
    later("method", "Groups made by class reveal the class of everyone who can be linked to a group."),
    later(
        "method",
        (
            "If a group has no more records than number columns, its artificial records are too close to the "
            "true ones. Widening the group prevents this."
        ),
    ),
    later(
        "method",
        "Numbers kept within their rules change averages, spread and relationships a little.",
    ),
)
EXPERT = (
    later(
        "method",
        "Record by record: a group that is split shares out its categories in proportion. Its "
        "numbers are treated as if spread evenly along the longest direction.",
    ),
    later(
        "method",
        "The paper’s footnote gives the width and the shift of a split wrongly, and its "
        "procedure can leave groups too small. Both are corrected here.",
    ),
)
FIGURE_LABELS = {
    "groups": later("compare", "Groups of records"),
    "ssq_share": later("compare", "Variation lost inside groups"),
    "repairs": later("compare", "Corrected groups"),
    "regenerated": later("compare", "Generated number columns"),
    "small_groups": later("compare", "Groups with no more records than these columns"),
    "small_records": later("compare", "Records in these groups"),
    "floor": later("compare", "Small groups widened"),
}
JOINING_LABELS = {
    "first_records": later("compare", "Records in the first groups"),
    "splits": later("compare", "Groups split as they grew"),
    "waited": later("compare", "Records that did not fit any group at first"),
    "founded": later("compare", "Of these, records that formed new groups"),
    "merges": later("compare", "Groups merged for the rest"),
    "groups_below_demand": later("compare", "Groups smaller than their protection levels require"),
    "records_below_demand": later("compare", "Records in these groups"),
}
"""Labels of what a step reports where records joined groups one by one."""
PUBLIC = frozenset({"algorithm", "regenerate", "floor", "clip", "per", "class", "categories", "common"})
PROFILES: Profiles = {
    PAPER_PROFILE: {
        "algorithm": PAPER,
        "regenerate": UNIFORM,
        "floor": False,
        "split_rule": PAPER_RULE,
        "common": False,
    },
    SAFE_PROFILE: {},
}
"""The paper has both ways to go through the records, all at once and one by one: which is asked for is no setting."""
PAPER_FAULT = later(
    "method",
    "Artificial records of small groups lie on the line or plane through the true ones. Record by record, groups "
    "became too small in 192 of 200 trials.",
)
PAPER_PRICE = later(
    "method",
    "The recommended groups lose 4 to 24% less detail. Widening adds a little spread to groups with no more records "
    "than number columns.",
)
PARAMETERS: tuple[Parameter, ...] = (
    NumberParameter(
        name="group",
        label=later("method", "Smallest group"),
        help=later(
            "method",
            "The smallest number of records in a group. A person with a higher protection level gets a larger group.",
        ),
        effect=later("method", "Larger groups hide each record better, but keep fewer differences."),
        default=2,
        low=2,
        whole=True,
        unit=later("method", "records"),
        level_key="group",
    ),
    ChoiceParameter(
        name="algorithm",
        label=later("method", "How to form groups"),
        help=later("method", "How groups of similar records are searched for."),
        effect=later("method", "Closer groups keep more of the data. Every search respects the protection levels."),
        default=BEST,
        choices={
            BEST: later("method", "Try all of them and use the closest groups."),
            PAPER: later("method", "The three steps of the paper (Segment, Cannibalize, Attrition)."),
            TREE: later("method", "Cut the table in half along its longest direction; this is the fastest."),
            TOP_DOWN: later(
                "method", "Start with the records with the highest protection level, each with its nearest neighbours."
            ),
        },
        names={
            BEST: later("method", "the search with the closest groups"),
            PAPER: later("method", "the three steps of the paper"),
            TREE: later("method", "halving the table"),
            TOP_DOWN: later("method", "highest protection level first"),
            BLOCKS: later("method", "the three steps of the paper, in blocks of records"),
        },
    ),
    ChoiceParameter(
        name="per",
        label=later("method", "Form groups within"),
        help=later("method", "Whether a group may contain records of several classes."),
        effect=later(
            "method",
            "Groups made by class suit the training of prediction models, but reveal the class of a whole group.",
        ),
        default="table",
        choices={
            "table": later("method", "The whole table."),
            "class": later("method", "Each class of the class column; classes that are too small are joined."),
        },
        names={"table": later("method", "whole table"), "class": later("method", "each class")},
    ),
    ColumnParameter(
        name="class",
        label=later("method", "Class column"),
        help=later("method", "The column whose categories divide the table, if groups are made by class."),
        effect=later("method", "Anyone who links a person to a group learns this column’s value."),
        default="",
        of_file=True,
    ),
    ChoiceParameter(
        name="regenerate",
        label=later("method", "Shape of new values"),
        help=later("method", "How new values spread around the average of a group."),
        effect=later("method", "Both keep averages and relationships. The bell shape also gives a few distant values."),
        default=UNIFORM,
        choices={
            UNIFORM: later("method", "Evenly along the directions of the group, as in the paper."),
            GAUSSIAN: later("method", "In a bell shape (normal)."),
        },
        names={UNIFORM: later("method", "even"), GAUSSIAN: later("method", "bell-shaped")},
        advanced=True,
    ),
    FlagParameter(
        name="floor",
        label=later("method", "Widen small groups"),
        help=later("method", "Adds a little spread to groups with no more records than number columns."),
        effect=later("method", "Without it, artificial records of such groups are tied too closely to the true ones."),
        default=True,
        advanced=True,
    ),
    ChoiceParameter(
        name="categories",
        label=later("method", "Categories"),
        help=later("method", "How the values of text columns are exchanged within a group."),
        effect=later("method", "Column by column hides who has which combination. Together keeps the combinations."),
        default="independent",
        choices={
            "independent": later("method", "Each column separately, or with those it depends on."),
            "together": later("method", "All text columns together."),
        },
        names={"independent": later("method", "separately"), "together": later("method", "together")},
        advanced=True,
    ),
    FlagParameter(
        name="common",
        silent_unless_written=True,
        label=later("method", "Common and possible values only"),
        help=later(
            "method",
            "Categories and combinations of fewer people than the group size are replaced. Numbers and dates keep the "
            "rules of the file.",
        ),
        effect=later(
            "method", "Without it, an artificial record can be impossible, or show a value that points at one person."
        ),
        default=True,
        advanced=True,
    ),
    FlagParameter(
        name="clip",
        label=later("method", "Stop at the possible values"),
        help=later("method", "Replaces artificial numbers beyond the lowest or highest possible value by that value."),
        effect=later("method", "There are no impossible values, but averages and relationships change a little."),
        default=False,
        advanced=True,
    ),
    FlagParameter(
        name="dynamic",
        label=later("method", "Record by record"),
        help=later(
            "method",
            "Groups the first records and adds the others one by one in random order. Groups that "
            "have grown enough are split.",
        ),
        effect=later(
            "method",
            "It shows what is kept when records are added later. Groups are less close than those found all at once.",
        ),
        default=False,
        advanced=True,
        of_file=True,
    ),
    NumberParameter(
        name="first_records",
        label=later("method", "Records to group first"),
        help=later(
            "method",
            "How many records are grouped before the others join. 0 means a tenth of the table, but "
            "at least ten of the largest groups.",
        ),
        effect=later("method", "More records first give closer groups."),
        default=0,
        of_file=True,
        low=0,
        whole=True,
        unit=later("method", "records"),
        advanced=True,
    ),
    ChoiceParameter(
        name="split_rule",
        label=later("method", "When to split a group"),
        help=later("method", "How large a group must be before it is split."),
        effect=later(
            "method",
            "Only the recommended rule keeps every promise. A release by the paper’s rule is stopped "
            "where it does not.",
        ),
        default=SAFE,
        choices={
            SAFE: later("method", "At twice the size that its most protected record needs."),
            PAPER_RULE: later(
                "method", "At twice the average size that its records need, as in the paper; only to repeat the paper."
            ),
        },
        names={SAFE: later("method", "recommended"), PAPER_RULE: later("method", "as in the paper")},
        advanced=True,
    ),
)
