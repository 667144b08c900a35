"""What candidates are judged by, in words: risks, sorts of usefulness, and how each is measured."""

from __future__ import annotations

from ppdm_desktop.engine.wording.catalogue import say


def risk_choices() -> list[tuple[str, str]]:
    """Return the risks to choose from: (criterion, words)."""
    return [
        ("match", say("compare", "Found")),
        ("alone", say("compare", "Picked out")),
        ("certain", say("compare", "Revealed for certain")),
        ("told", say("compare", "Revealed by everything else")),
        ("guess", say("compare", "Extra correct guesses")),
        ("reversal", say("compare", "Values worked out")),
    ]


def use_choices() -> list[tuple[str, str]]:
    """Return the sorts of usefulness to choose from."""
    return [
        ("useful", say("compare", "Useful")),
        ("columns", say("compare", "Columns kept")),
        ("pairs", say("compare", "Pairs of columns kept")),
        ("believable", say("compare", "Believable rows")),
        ("tree", say("compare", "Predictions (decision tree)")),
        ("naive-bayes", say("compare", "Predictions (naive Bayes)")),
    ]


def words_of(criterion: str) -> str:
    """Return a criterion in words."""
    return dict(risk_choices() + use_choices() + [("analyses", say("compare", "Predictions"))])[criterion]


def explained(criterion: str) -> str:
    """Return what the figures of an axis count."""
    return {
        "match": say("compare", "found: share of the people whose row an intruder finds"),
        "alone": say("compare", "picked out: share of the people whose released details nobody else has"),
        "certain": say("compare", "share of the people whose confidential value is revealed for certain"),
        "told": say("compare", "share of the people whose confidential value the rest of their row reveals"),
        "guess": say("compare", "extra people guessed correctly because they are in the file"),
        "reversal": say("compare", "share of the values worked out, beyond a blind guess"),
        "useful": say("compare", "useful: columns, pairs and believable rows together"),
        "columns": say("compare", "columns kept"),
        "pairs": say("compare", "pairs of columns kept"),
        "believable": say("compare", "believable rows"),
        "tree": say("compare", "predictions still correct (decision tree)"),
        "naive-bayes": say("compare", "predictions still correct (naive Bayes)"),
    }[criterion]


def printed(criterion: str) -> str:
    """Return how a criterion is measured, in small print."""
    return {
        "match": say("compare", "Found: from the linkage attack (upper end of the 95% interval)."),
        "alone": say(
            "compare",
            "Picked out: no other person has the same released details. Confidential values are not counted.",
        ),
        "certain": say(
            "compare",
            "Revealed for certain: people whose true confidential value follows from the details others may know.",
        ),
        "told": say(
            "compare",
            ("Revealed by everything else: the same for someone who knows every column that is not confidential."),
        ),
        "guess": say(
            "compare",
            (
                "Extra correct guesses: with the person’s record minus without it, worst column (upper end of the "
                "95% interval)."
            ),
        ),
        "reversal": say(
            "compare", "Values worked out: what the strongest attempt to undo the protection gains over a blind guess."
        ),
        "useful": say("compare", "Useful: geometric mean of columns kept, pairs kept and believable rows."),
        "columns": say(
            "compare",
            "Columns kept: 1 minus total variation, average over the source columns. Broader values also count by "
            "granularity. A column left out counts 0.",
        ),
        "pairs": say("compare", "Pairs of columns kept: the same for tables of two columns."),
        "believable": say("compare", "Believable rows: share of rows that break no rule which held in the source."),
        "tree": say(
            "compare",
            (
                "Predictions: a decision tree trained on the release, tested on people it has not seen "
                "(cross-validation)."
            ),
        ),
        "naive-bayes": say(
            "compare",
            ("Predictions: naive Bayes trained on the release, tested on people it has not seen (cross-validation)."),
        ),
    }[criterion]
