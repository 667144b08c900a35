"""What the report calls its figures: plain words first, the exact term beside."""

from __future__ import annotations

from ppdm_desktop.engine.report.model import AttackEntry, Verdict
from ppdm_desktop.engine.texts import all_texts, render

MARKS = {"green": "✓", "amber": "!", "red": "✕", "not-applicable": "–", "not-run": "?"}
RECOUNTED_FROM = {
    "file": "the released file",
    "file+original": "the released file and the original",
    "run": "a new run with the key",
}
SCOPES = (
    ("quasi_identifiers", "Somebody who knows the describing columns (quasi-identifiers)"),
    ("released", "Somebody who knows every released column but the confidential ones"),
)
MEASURES = (("one_row", "one row of a person"), ("all_rows", "all rows of a person"))
RISK_ROWS = (
    ("records", "Records", "n"),
    ("equivalence_classes", "Groups of records that look the same", "equivalence classes"),
    ("k", "Smallest group", "k"),
    ("unique", "Records alone in their group", "sample uniques"),
    ("prosecutor_max", "Worst chance of being found by somebody who knows you are in", "prosecutor, maximum"),
    ("prosecutor_mean", "The same on average", "prosecutor, mean"),
    ("share_over_threshold", "Share of records in groups that are too small", "share over the threshold"),
    ("marketer", "Expected share found by somebody who tries everybody", "marketer"),
    ("l_distinct", "Fewest different confidential values in a group", "distinct l"),
    ("l_entropy", "The same, rare values counted for less", "entropy l"),
    ("t_closeness", "Largest difference between a group's confidential values and everybody's", "t-closeness"),
    ("journalist_max", "Worst chance for somebody who does not know who is in", "journalist, maximum"),
)
SEVERITIES = {
    "none": "Nothing gained",
    "some": "Something gained",
    "serious": "More gained than the limit allows",
    "total": "Nearly everybody is found",
}
UNSURE = "May gain too much: too few people to tell"
MODEL_KEYS = ("original", "released_true_labels", "released_labels", "baseline")
TABLE_FIGURES = (
    (
        "covariance_compatibility",
        "Variances and relations of numbers kept",
        "covariance compatibility \u03bc",
        "1 when the covariances of all pairs of numeric columns are as before, 0 when they have nothing in common.",
    ),
    (
        "sse_sst",
        "Squared change of the treated values",
        "SSE/SST",
        "0 when nothing changed; 1 when every value became the mean of its column, or moved as far.",
    ),
    (
        "il1s",
        "Mean change of the treated values",
        "IL1s",
        "In standard deviations of the column, times the square root of two.",
    ),
    (
        "pmse",
        "Told apart from the original",
        "propensity score, pMSE",
        "0 when a model cannot tell released from original records.",
    ),
)
UTILITY_KEYS = (
    "mean_before",
    "mean_after",
    "sd_before",
    "sd_after",
    "total_variation",
    "hellinger",
    "ks",
    "wasserstein",
)
ATTACKERS = (
    (
        "prosecutor_max",
        "Knows that you are in, looks for you",
        "prosecutor, maximum",
        "The chance that the most exposed person is found by somebody who knows that this person is in the data.",
    ),
    (
        "prosecutor_mean",
        "The same, averaged over everybody",
        "prosecutor, mean",
        "The chance that a person is found by somebody who knows that this person is in the data.",
    ),
    (
        "journalist_max",
        "Does not know who is in, looks up anybody",
        "journalist, maximum",
        "The chance for the most exposed person where the data are a part of a larger population.",
    ),
    (
        "journalist_mean",
        "The same, averaged over everybody",
        "journalist, mean",
        "The chance for a person where the data are a part of a larger population.",
    ),
    (
        "marketer",
        "Tries to find everybody at once",
        "marketer",
        "The share of people who are found on average by somebody who is content with some right matches.",
    ),
)
"""Each kind of intruder: key of the figure, who it is, the term, and what the figure says."""
_SHARES = (
    ("success", "The snooper is right", "success"),
    ("chance", "By chance alone", ""),
    ("advantage", "More than without the person, or than by chance", "advantage"),
    ("control", "The same attack without the person's own record", "control"),
)
_ERRORS = (
    ("success", "Error of the snooper's estimate", "in units of the noise"),
    ("chance", "Error of guessing the mean", ""),
    ("advantage", "Share of the error that is taken away", "advantage"),
    ("control", "Error from the noisy value alone", "control"),
)
ATTACK_ROWS = {"share": ("Share of people", _SHARES), "noise sd": ("Figure", _ERRORS)}
"""How the figures of an attack are headed and called, by their unit."""


def decision_words(verdict: Verdict) -> str:
    """Return what was decided, in the one sentence that every page and document begins with."""
    decision = verdict.decision
    if decision.status == "blocked":
        names = [
            render(check.sentence.id, check.sentence.arguments).title
            for check in verdict.checks
            if check.id in decision.blocked_by
        ]
        return render("decision.blocked", {"checks": ", ".join(names)}).sentence
    if not decision.released:
        return render("decision.draft").sentence
    if decision.accepted:
        return render("decision.reasons", {"reasons": len(decision.accepted)}).sentence
    return render("decision.released").sentence


def ready_words(verdict: Verdict) -> str:
    """Return what will be decided once the release is written: nothing stands against it."""
    accepted = verdict.decision.accepted
    return render("decision.ready-reasons" if accepted else "decision.ready", {"reasons": len(accepted)}).sentence


def severity_words(entry: AttackEntry) -> str:
    """Return what came of an attack, in its own words where it has some, or that too few people leave it open."""
    own = f"attack.{entry.id}.judged-{entry.severity}"
    if own in all_texts():
        return all_texts()[own].sentence
    low, some = entry.advantage.low, entry.severity in ("some", "serious")
    return UNSURE if some and low is not None and low <= 0 else SEVERITIES[entry.severity]


def further_words(name: str) -> str:
    """Return what a figure of an attack's own is called; one without words is shown by its name in report.json."""
    id = f"attack.further.{name.replace('_', '-')}"
    return all_texts()[id].title if id in all_texts() else name
