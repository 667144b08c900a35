"""The declaration of the method condensation: its promises, limits and parameters."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.groups import PAPER_RULE, SAFE
from ppdm_desktop.engine.methods.algorithms.condensation.grouping import BEST, BLOCKS, PAPER, TOP_DOWN, TREE
from ppdm_desktop.engine.methods.algorithms.condensation.run import GAUSSIAN, UNIFORM
from ppdm_desktop.engine.methods.base.parameters import (
    ChoiceParameter,
    ColumnParameter,
    FlagParameter,
    NumberParameter,
    Parameter,
    make_smallest_group_parameter,
)
from ppdm_desktop.engine.methods.base.step import PAPER as PAPER_PROFILE
from ppdm_desktop.engine.methods.base.step import SAFE as SAFE_PROFILE
from ppdm_desktop.engine.methods.base.step import Profiles
from ppdm_desktop.engine.wording.catalogue import lazy

PROMISES = (
    lazy("Every record is in a group at least as large as its protection level asks for, and never smaller than two."),
    lazy(
        "The averages, spread and relationships of each group are kept on average. Groups that "
        "are widened get a little more spread."
    ),
    lazy("Each group shows exactly the categories of its members, equally often; none is invented."),
    lazy("A category of fewer people than the group size is replaced by a broader or a common one."),
    lazy(
        "Text columns that depend on each other are exchanged together. Numbers and dates keep ranges, steps, orders "
        "and sums of the file."
    ),
    lazy("Every released column is treated, and the number of records stays the same."),
)
LIMITS = (
    lazy("The released rows are artificial: each row shows values of several people of one group."),
    lazy(
        "Names, places and other categories are exchanged within groups, not changed. With the paper’s settings "
        "a rare one still shows, and reveals the group of its owner."
    ),
    lazy(
        "On four public data sets, predictions were worse than with the original in 13 of 40 trials, 9 of them on "
        "one set."
    ),
    lazy("It cannot be used if people have several rows: each released record stands for one person."),
    lazy("With the paper’s settings, artificial numbers can be impossible: negative, out of range or out of order."),
    lazy("Groups made by class suit the training of prediction models, but reveal the class of a whole group."),
    lazy(
        (
            "If a group has no more records than number columns, its artificial records are too close to the "
            "true ones. Widening the group prevents this."
        ),
    ),
    lazy("Numbers kept within their rules change averages, spread and relationships a little."),
)
EXPERT = (
    lazy(
        "Record by record: a group that is split shares out its categories in proportion. Its "
        "numbers are treated as if spread evenly along the longest direction."
    ),
    lazy(
        "The paper’s footnote gives the width and the shift of a split wrongly, and its "
        "procedure can leave groups too small. Both are corrected here."
    ),
)
FIGURE_LABELS = {
    "groups": lazy("Groups of records"),
    "ssq_share": lazy("Variation lost inside groups"),
    "repairs": lazy("Corrected groups"),
    "regenerated": lazy("Generated number columns"),
    "small_groups": lazy("Groups with no more records than these columns"),
    "small_records": lazy("Records in these groups"),
    "floor": lazy("Small groups widened"),
}
JOINING_LABELS = {
    "first_records": lazy("Records in the first groups"),
    "splits": lazy("Groups split as they grew"),
    "waited": lazy("Records that did not fit any group at first"),
    "founded": lazy("Of these, records that formed new groups"),
    "merges": lazy("Groups merged for the rest"),
    "groups_below_demand": lazy("Groups smaller than their protection levels require"),
    "records_below_demand": lazy("Records in these groups"),
}
"""Labels of the reported figures where records joined groups one by one."""
PUBLIC = frozenset(
    {"algorithm", "regenerate", "floor", "clip", "per", "class", "categories", "common", "mix_confidential"}
)
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
PAPER_FAULT = lazy(
    "Artificial records of small groups lie on the line or plane through the true ones. Record by record, groups "
    "became too small in 192 of 200 trials."
)
PAPER_PRICE = lazy(
    "The recommended groups lose 4 to 24% less detail. Widening adds a little spread to groups with no more records "
    "than number columns."
)
PARAMETERS: tuple[Parameter, ...] = (
    make_smallest_group_parameter(name="group", default=2),
    ChoiceParameter(
        name="algorithm",
        label=lazy("How to form groups"),
        help=lazy("How groups of similar records are searched for."),
        default=BEST,
        choices={
            BEST: lazy("Try all of them and use the closest groups."),
            PAPER: lazy("The three steps of the paper (Segment, Cannibalize, Attrition)."),
            TREE: lazy("Cut the table in half along its longest direction; this is the fastest."),
            TOP_DOWN: lazy(
                "Start with the records with the highest protection level, each with its nearest neighbours."
            ),
        },
        names={
            BEST: lazy("the search with the closest groups"),
            PAPER: lazy("the three steps of the paper"),
            TREE: lazy("halving the table"),
            TOP_DOWN: lazy("highest protection level first"),
            BLOCKS: lazy("the three steps of the paper, in blocks of records"),
        },
    ),
    ChoiceParameter(
        name="per",
        label=lazy("Form groups within"),
        help=lazy("Whether a group may contain records of several classes."),
        effect=lazy(
            "Groups made by class suit the training of prediction models, but reveal the class of a whole group."
        ),
        default="table",
        choices={
            "table": lazy("The whole table."),
            "class": lazy("Each class of the class column; classes that are too small are joined."),
        },
        names={"table": lazy("whole table"), "class": lazy("each class")},
    ),
    ColumnParameter(
        name="class",
        label=lazy("Class column"),
        help=lazy("The column whose categories divide the table, if groups are made by class."),
        default="",
        of_file=True,
        checked_with={"class": "Secret", "per": "class"},
    ),
    FlagParameter(
        name="mix_confidential",
        silent_unless_written=True,
        label=lazy("Mix confidential values"),
        help=lazy("Confidential columns do not count when similar records are searched for a group."),
        effect=lazy("A group then has different confidential values and reveals less about its members."),
        default=False,
        advanced=True,
    ),
    ChoiceParameter(
        name="regenerate",
        label=lazy("Shape of new values"),
        help=lazy("How new values spread around the average of a group."),
        default=UNIFORM,
        choices={
            UNIFORM: lazy("Evenly along the directions of the group, as in the paper."),
            GAUSSIAN: lazy("In a bell shape (normal)."),
        },
        names={UNIFORM: lazy("even"), GAUSSIAN: lazy("bell-shaped")},
        advanced=True,
    ),
    FlagParameter(
        name="floor",
        label=lazy("Widen small groups"),
        help=lazy("Adds a little spread to groups with no more records than number columns."),
        default=True,
        advanced=True,
    ),
    ChoiceParameter(
        name="categories",
        label=lazy("Categories"),
        help=lazy("How the values of text columns are exchanged within a group."),
        effect=lazy("Column by column hides who has which combination. Together keeps the combinations."),
        default="independent",
        choices={
            "independent": lazy("Each column separately, or with those it depends on."),
            "together": lazy("All text columns together."),
        },
        names={"independent": lazy("separately"), "together": lazy("together")},
        advanced=True,
    ),
    FlagParameter(
        name="common",
        silent_unless_written=True,
        label=lazy("Common and possible values only"),
        help=lazy(
            "Categories and combinations of fewer people than the group size are replaced. Numbers and dates keep the "
            "rules of the file."
        ),
        effect=lazy("Without it, an artificial record can be impossible, or show a value that points at one person."),
        default=True,
        advanced=True,
    ),
    FlagParameter(
        name="clip",
        label=lazy("Stop at the possible values"),
        help=lazy("Replaces artificial numbers beyond the lowest or highest possible value by that value."),
        default=False,
        advanced=True,
        checked_with={"clip": True, "algorithm": "segment-cannibalize-attrition", "floor": False, "common": False},
    ),
    FlagParameter(
        name="dynamic",
        label=lazy("Record by record"),
        help=lazy(
            "Groups the first records and adds the others one by one in random order. Groups that "
            "have grown enough are split."
        ),
        default=False,
        advanced=True,
        of_file=True,
    ),
    NumberParameter(
        name="first_records",
        label=lazy("Records to group first"),
        help=lazy(
            "How many records are grouped before the others join. 0 means a tenth of the table, but "
            "at least ten of the largest groups."
        ),
        default=0,
        of_file=True,
        low=0,
        whole=True,
        unit=lazy("records"),
        advanced=True,
        checked_with={"first_records": 2, "dynamic": True},
    ),
    ChoiceParameter(
        name="split_rule",
        label=lazy("When to split a group"),
        help=lazy("How large a group must be before it is split."),
        effect=lazy(
            "Only the recommended rule keeps every promise. A release by the paper’s rule is stopped where it does not."
        ),
        default=SAFE,
        choices={
            SAFE: lazy("At twice the size that its most protected record needs."),
            PAPER_RULE: lazy(
                "At twice the average size that its records need, as in the paper; only to repeat the paper."
            ),
        },
        names={SAFE: lazy("recommended"), PAPER_RULE: lazy("as in the paper")},
        advanced=True,
        checked_with={"split_rule": "paper", "dynamic": True},
    ),
)
