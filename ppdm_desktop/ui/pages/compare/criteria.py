"""Names and explanations of the criteria by which candidates are compared: risks and kinds of usefulness."""

from __future__ import annotations

from ppdm_desktop.engine.report.report_words import HOW_USEFUL
from ppdm_desktop.engine.wording.catalogue import _


def risk_choices() -> list[tuple[str, str]]:
    """Return the risks to choose from as (criterion, label)."""
    return [
        ("match", _("Found")),
        ("alone", _("Picked out")),
        ("certain", _("Revealed for certain")),
        ("told", _("Revealed by everything else")),
        ("guess", _("Extra correct guesses")),
        ("reversal", _("Values worked out")),
    ]


def use_choices() -> list[tuple[str, str]]:
    """Return the kinds of usefulness to choose from as (criterion, label)."""
    return [
        ("useful", _("Useful")),
        ("columns", _("Columns kept")),
        ("pairs", _("Pairs of columns kept")),
        ("believable", _("Believable rows")),
        ("tree", _("Predictions (decision tree)")),
        ("naive-bayes", _("Predictions (naive Bayes)")),
    ]


def name_criterion(criterion: str) -> str:
    """Return the label of a criterion by its key; raise KeyError for an unknown one."""
    return dict(risk_choices() + use_choices())[criterion]


def explain_criterion(criterion: str) -> str:
    """Return the small print that says how a criterion is measured; raise KeyError for an unknown one."""
    return {
        "match": _("Found: from the linkage attack (upper end of the 95% interval)."),
        "alone": _("Picked out: no other person has the same released details. Confidential values are not counted."),
        "certain": _(
            "Revealed for certain: people whose true confidential value follows from the details others may know."
        ),
        "told": _("Revealed by everything else: the same for someone who knows every column that is not confidential."),
        "guess": _(
            "Extra correct guesses: with the person’s record minus without it, worst column (upper end of the "
            "95% interval)."
        ),
        "reversal": _("Values worked out: what the strongest attempt to undo the protection gains over a blind guess."),
        **{key: str(how) for key, how in HOW_USEFUL.items()},
        "tree": _(
            "Predictions: a decision tree trained on the release, tested on people it has not seen (cross-validation)."
        ),
        "naive-bayes": _(
            "Predictions: naive Bayes trained on the release, tested on people it has not seen (cross-validation)."
        ),
    }[criterion]
