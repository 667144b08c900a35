"""What candidates are judged by, in words: risks, sorts of usefulness, and how each is measured."""

from __future__ import annotations

from PySide6.QtCore import QCoreApplication


def _tr(text: str) -> str:
    return QCoreApplication.translate("Map", text)


def risk_choices() -> list[tuple[str, str]]:
    """Return the risks to choose from: (criterion, words)."""
    return [
        ("match", _tr("Right match")),
        ("alone", _tr("Picked out")),
        ("certain", _tr("Read off for certain")),
        ("told", _tr("Read off by all the rest")),
        ("guess", _tr("Better guess")),
        ("reversal", _tr("Values retraced")),
    ]


def use_choices() -> list[tuple[str, str]]:
    """Return the sorts of usefulness to choose from."""
    return [
        ("detail", _tr("Detail kept")),
        ("relations", _tr("Relations kept")),
        ("tree", _tr("Decision tree")),
        ("naive-bayes", _tr("Naive Bayes")),
    ]


def words_of(criterion: str) -> str:
    """Return a criterion in words."""
    return dict(risk_choices() + use_choices() + [("analyses", _tr("Analyses"))])[criterion]


def explained(criterion: str) -> str:
    """Return what the figures of an axis count."""
    return {
        "match": _tr("right match: of 100 people a snooper picks the right row for"),
        "alone": _tr("picked out: of 100 people, those who are the only ones with their values"),
        "certain": _tr("of 100 people, those whose secret can be read off"),
        "told": _tr("of 100 people, those whose secret can be read off by who knows the rest of their row"),
        "guess": _tr("of 100 people, those guessed right only because they are in the file"),
        "reversal": _tr("of 100 values, those got back beyond what a guess gives"),
        "detail": _tr("detail kept, of 100"),
        "relations": _tr("relations kept, of 100"),
        "tree": _tr("told right by a decision tree, of 100"),
        "naive-bayes": _tr("told right by naive Bayes, of 100"),
    }[criterion]


def printed(criterion: str) -> str:
    """Return how a criterion is measured, in small print."""
    return {
        "match": _tr("Right match: linkage attack, upper end of its 95 % interval."),
        "alone": _tr(
            "Picked out: people who are the only ones with their released values, the secret itself left out."
        ),
        "certain": _tr("Certain: people whose true confidential value follows from what others may know of them."),
        "told": _tr("Certain by the rest: the same for somebody who knows all else that is released of them."),
        "guess": _tr("Better guess: inference attack less its control, worst column, upper end of the 95 % interval."),
        "reversal": _tr("Retraced: what the strongest way back gains over a guess, or takes off the noise."),
        "detail": _tr(
            "Detail: mean over released columns of granularity where values were made coarser, else of 1 less total "
            "variation."
        ),
        "relations": _tr("Relations: 1 less the mean change of the correlation of two columns."),
        "tree": _tr("Tree: cross-validated on people it was not grown on, learnt from the release."),
        "naive-bayes": _tr("Naive Bayes: cross-validated on people it did not see, learnt from the release."),
    }[criterion]
