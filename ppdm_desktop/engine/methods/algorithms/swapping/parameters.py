"""What both swapping methods declare in the same words: paper, parameters, promises and limits."""

from __future__ import annotations

from ppdm_desktop.engine.methods.algorithms.swapping.demands import LARGEST_BALANCED, ONE_MEMBER
from ppdm_desktop.engine.methods.base.parameters import NumberParameter

PAPER = (
    "Xiao-Bai Li and Sumit Sarkar, A Data Perturbation Approach to Privacy Protection in Data Mining, "
    "ICIS 2004, paper 80"
)

PROPORTION = NumberParameter(
    name="proportion",
    label="Per one-of-a-kind record",
    help="Share of the uniquely identifiable records whose value changes.",
    effect="Nearer to (C-1)/C of C categories hides the true value best; less keeps the data more useful.",
    default=0.5,
    low=0,
    high=1,
    low_open=True,
    level_key="swap",
    words={
        LARGEST_BALANCED: "The greatest share that keeps the number of records in each category; "
        "where none does, the share that comes nearest."
    },
)
GROUP_SHARE = NumberParameter(
    name="group_share",
    label="Per look-alike group",
    help="Share of the members that change in each group of equal records that all have one value; "
    "rounded at random by the key, never less than one member.",
    effect="With one member only, the majority of a group of three or more still tells the truth.",
    default=0.5,
    low=0,
    high=1,
    low_open=True,
    words={ONE_MEMBER: "Exactly one member of each group, as in the paper."},
)
COUNTS_KEPT = (
    "Of the uniquely identifiable records of each privacy level exactly the stated share gets another value.",
    "In each group of equal records that all have one value as many members as asked, at least one, get another value.",
    "No other record changes, and no other column.",
)
NOT_PROTECTED = (
    "It does not hide who is in the file: quasi-identifiers stay as they are.",
    "It does not protect records in mixed groups: where nine of ten have one value, a guess stays nine in ten.",
    "Several confidential columns are swapped one by one; how they go together is not kept.",
    "Where people have several rows, people are swapped, and all rows of one change together: it takes only columns "
    "that are the same in all rows of a person.",
)
