"""Names and explanations of the criteria for comparing candidates: kinds of risk and kinds of usefulness."""

from __future__ import annotations

from ppdm_desktop.engine.wording.catalogue import _


def risk_choices() -> list[tuple[str, str]]:
    """Return the risks to choose from: (key of the criterion, label)."""
    return [
        ("match", _("Found")),
        ("alone", _("Picked out")),
        ("certain", _("Revealed for certain")),
        ("told", _("Revealed by everything else")),
        ("guess", _("Extra correct guesses")),
        ("reversal", _("Values worked out")),
    ]


def use_choices() -> list[tuple[str, str]]:
    """Return the kinds of usefulness to choose from: (key of the criterion, label)."""
    return [
        ("useful", _("Useful")),
        ("columns", _("Columns kept")),
        ("pairs", _("Pairs of columns kept")),
        ("believable", _("Believable rows")),
        ("tree", _("Predictions (decision tree)")),
        ("naive-bayes", _("Predictions (naive Bayes)")),
    ]


def name_criterion(criterion: str) -> str:
    """Return the label of a criterion; an unknown key raises KeyError."""
    return dict(risk_choices() + use_choices())[criterion]
