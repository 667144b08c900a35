"""The figures a step reports of itself, in words. No widgets here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ppdm_desktop.engine.methods.algorithms.generalisation.recoding import rule_in_words
from ppdm_desktop.engine.wording.catalogue import language, later, numbers_of, say
from ppdm_desktop.engine.wording.values import Name, Number, Ratio, Term
from ppdm_desktop.ui.charts.numbers import plain_number
from ppdm_desktop.ui.state.number_words import count, percent

Lines = list[tuple[str, str]]


def detail_lines(method: str, detail: Mapping[str, Any]) -> Lines:
    """Return a step's own figures as (words, figure).

    Methods with figures of their own shape have their words here; of the others known figures
    come in words and unknown plain ones under their name.
    """
    own = _OF_METHOD.get(method)
    rest = {key: value for key, value in detail.items() if key not in ("asked", "used")}
    lines = own(rest) if own is not None else _detail(rest)
    if "asked" in detail:
        lines = [
            (say("compare", "Smallest group asked for"), count(detail["asked"])),
            (say("compare", "Smallest group used"), count(detail["used"])),
            *lines,
        ]
    return lines + _coarseness(detail.get("coarseness"))


def _coarseness(found: Any) -> Lines:
    """Return what broader values cost and what groups give away, where the report has it."""
    if not isinstance(found, Mapping):
        return []
    lines = []
    if found["granularity"]["value"] is not None:
        lines.append(
            (say("compare", "Detail kept (granularity; 100% means unchanged)"), percent(found["granularity"]["value"]))
        )
    if found["entropy"]["value"] is not None:
        lines.append(
            (say("compare", "Bits lost per value (non-uniform entropy)"), plain_number(found["entropy"]["value"]))
        )
    lines.append(
        (say("compare", "Sum of squared group sizes (discernibility)"), count(found["discernibility"]["value"]))
    )
    if found["average_class"]["value"] is not None:
        words = say("compare", "Average group size, as a multiple of the smallest allowed")
        lines.append((words, plain_number(found["average_class"]["value"])))
    for name, own in found["homogeneity"].items():
        if own["one_valued"]["value"] is None:
            continue
        sentence = later(
            "compare",
            "{share}. Guessing the most common value of the group is right for {right} (of all people: {base}).",
        )
        figures = {"share": "one_valued", "right": "majority", "base": "baseline"}
        lines.append(
            (
                say("compare", "People in a group where everyone has the same {column}", column=Name(str(name))),
                sentence.said(**{key: Ratio(own[part]["value"]) for key, part in figures.items()}),
            )
        )
    return lines


# --- methods by groups ------------------------------------------------------------------


def _mondrian(detail: Mapping[str, Any]) -> Lines:
    lines = [
        (say("compare", "Groups with the same details"), _plain(detail["classes"])),
        (say("compare", "Records in the smallest group"), _plain(detail["smallest"])),
        (say("compare", "Records in the average group"), plain_number(detail["average"])),
        (say("compare", "Records in the largest group"), _plain(detail["largest"])),
    ]
    if detail["cut_classes"] != detail["classes"]:
        lines.append(
            (
                say("compare", "Groups formed, before those with the same values were merged"),
                _plain(detail["cut_classes"]),
            )
        )
    return lines


def _generalize(detail: Mapping[str, Any]) -> Lines:
    pattern = later("compare", "{how}: {after} different {after:value|values} instead of {before}")
    lines = [
        (str(name), pattern.said(how=Term(rule_in_words(own)), before=int(own["before"]), after=int(own["after"])))
        for name, own in detail["columns"].items()
    ]
    lines.append((say("compare", "Groups with the same details"), _plain(detail["classes"])))
    lines.append((say("compare", "Records in the smallest group"), _plain(detail["smallest"])))
    return lines


def _suppress(detail: Mapping[str, Any]) -> Lines:
    words = (
        say("compare", "Records removed")
        if detail["what"] == "records"
        else say("compare", "Records whose details were hidden")
    )
    people: Lines = []
    if "people" in detail:
        whose = later("compare", "{n} of {all}, of whom {gone} are gone completely")
        numbers = {"n": detail["people"], "all": detail["people_before"], "gone": detail["people_gone"]}
        people = [
            (
                say("compare", "People these rows belong to"),
                whose.said(**{key: int(n) for key, n in numbers.items()}),
            )
        ]
    return [
        (words, numbers_of(language()).full(detail["records"], detail["rows"])),
        *people,
        (say("compare", "Records in the smallest group"), _plain(detail["smallest"])),
    ]


def _reconstruction(detail: Mapping[str, Any]) -> Lines:
    fitness, cells = detail["fitness"], detail["cells"]
    went = say(
        "compare",
        "{start} at the start, {best} after {n} {n:round|rounds}, {released} for the released records",
        start=Number(fitness["start"]),
        best=Number(fitness["best"]),
        n=int(fitness["generations"]),
        released=Number(fitness["released"]),
    )
    lines = [
        (
            say("compare", "Selected records, each released at least {k} {k:time|times}", k=int(detail["k"])),
            _plain(detail["chosen"]),
        ),
        (say("compare", "Training score (not accuracy)"), went),
        (say("compare", "Released combinations"), _plain(cells["cells"])),
        (say("compare", "Rows of the rarest combination"), _plain(cells["least_rows"])),
        (say("compare", "People in the original with a combination, at least"), _plain(cells["least_people"])),
        (say("compare", "Different selected records in a combination, at least"), _plain(cells["least_records"])),
        (
            say(
                "compare", "Different values of {column} in a combination, at least", column=Name(str(detail["class"]))
            ),
            _plain(cells["least_classes"]),
        ),
    ]
    lines += [
        (say("compare", "{column}: ranges or values left", column=Name(str(name))), _plain(n))
        for name, n in detail["ranges"].items()
    ]
    lines.append(
        (say("compare", "Records exchanged so that no combination has only one value"), _plain(detail["mended"]))
    )
    lines.append((say("compare", "People whose combination is not in the release"), _plain(detail["people_left_out"])))
    return lines


def _condensation(detail: Mapping[str, Any]) -> Lines:
    lines = _detail(detail)
    own = detail.get("dynamic")
    if isinstance(own, Mapping):
        known = {
            "first_records": say("compare", "Records in the first groups"),
            "splits": say("compare", "Groups split as they grew"),
            "waited": say("compare", "Records that did not fit any group at first"),
            "founded": say("compare", "Of these, records that formed new groups"),
            "merges": say("compare", "Groups merged for the rest"),
            "groups_below_demand": say("compare", "Groups smaller than their protection levels require"),
            "records_below_demand": say("compare", "Records in these groups"),
        }
        # Without a group below demand there are no records in one.
        none_short = not own.get("groups_below_demand")
        lines += [
            (words, _plain(own[key]))
            for key, words in known.items()
            if own.get(key) is not None and not (key == "records_below_demand" and none_short)
        ]
    return lines


_OF_METHOD: Mapping[str, Callable[[Mapping[str, Any]], Lines]] = {
    "mondrian": _mondrian,
    "generalize": _generalize,
    "suppress": _suppress,
    "data-reconstruction": _reconstruction,
    "condensation": _condensation,
}


# --- all others -------------------------------------------------------------------------


def _known_details() -> dict[str, str]:
    return {
        "unique": say("compare", "Unique records"),
        "groups": say("compare", "Groups where everyone has the same value"),
        "m": say("compare", "Unique records changed"),
        "group_members_changed": say("compare", "Records in groups changed"),
        "p": say("compare", "Share of unique records changed"),
        "status": say("compare", "Best possible swap"),
        "no_value": say("compare", "Records without a value"),
        "unidentifiable": say("compare", "Unchanged records"),
    }


def _group_details() -> dict[str, str]:
    """Return the words for the figures of a step that generates records by groups."""
    return {
        "groups": say("compare", "Groups of records"),
        "ssq_share": say("compare", "Variation lost inside groups"),
        "repairs": say("compare", "Corrected groups"),
        "regenerated": say("compare", "Generated number columns"),
        "small_groups": say("compare", "Groups with no more records than these columns"),
        "small_records": say("compare", "Records in these groups"),
        "floor": say("compare", "Small groups widened"),
    }


def _detail(detail: Mapping[str, Any]) -> Lines:
    """Return a step's own figures: known ones in words, unknown plain ones under their name."""
    known = _known_details()
    lines: Lines = []
    columns = detail.get("columns")
    if isinstance(columns, Mapping):
        joint = detail.get("together")
        if isinstance(joint, Mapping):
            columns = {**columns, ", ".join(joint["together"]): joint}
        for name, own in columns.items():
            if not isinstance(own, Mapping):
                continue
            before = f"{name}: " if len(columns) > 1 else ""
            calibration = own.get("calibration")
            # What the calibrated search proves is the best of blurred costs: it says nothing of what is kept.
            untold = {"status"} if isinstance(calibration, Mapping) else set()
            lines += [
                (before + words, _search(own[key]) if key == "status" else _plain(own[key]))
                for key, words in known.items()
                if own.get(key) is not None and key not in untold
            ]
            if isinstance(calibration, Mapping):
                lines += [(before + words, figure) for words, figure in _frontier(calibration)]
            if isinstance(own.get("departure"), int):
                lines.append(
                    (before + say("compare", "Records by which the totals changed"), count(own["departure"] // 2))
                )
            lines += [(before + words, figure) for words, figure in _flows(own)]
        return lines
    words = {**known, **_group_details()}
    for key, value in detail.items():
        if isinstance(value, str | int | float | bool):
            shown = percent(value) if key == "ssq_share" and isinstance(value, float) else _plain(value)
            lines.append((words.get(key, key.replace("_", " ").capitalize()), shown))
    return lines


def _flows(own: Mapping[str, Any], most: int = 6) -> Lines:
    names, flows = own.get("categories"), own.get("flows")
    if not isinstance(names, list) or not isinstance(flows, list):
        return []
    moves = [
        (int(flow), f"{names[i]} → {names[j]}")
        for i, line in enumerate(flows)
        for j, flow in enumerate(line)
        if flow and i < len(names) and j < len(names)
    ]
    return [(words, count(flow)) for flow, words in sorted(moves, key=lambda each: -each[0])[:most]]


def _frontier(found: Mapping[str, Any]) -> Lines:
    """Return what a calibrated swap kept, and what the other searches would have kept and given away."""
    lines: Lines = []
    if found["kept"] is not None:
        words = say("compare", "Relationships kept, of those that a random swap loses")
        lines.append((words, percent(max(0.0, found["kept"]))))
    names = {
        "calibrated": say("compare", "This swap"),
        "random": say("compare", "A random swap"),
        "exact": say("compare", "The exact search"),
        "greedy": say("compare", "The rounds of the paper"),
    }
    cost = later(
        "compare",
        "divergence {lost}; undoing the swap finds {right} of the true values, {control} without the person’s record",
    )
    for point in found["frontier"]:
        attacks = [each for each in (point["bayes"], point["boosting"]) if each is not None]
        worst = max(attacks, key=lambda each: float(each["success"] - each["control"]))
        figures = {"lost": Number(point["divergence"])}
        shown = cost.said(**figures, right=Ratio(worst["success"]), control=Ratio(worst["control"]))
        lines.append((names.get(point["search"], point["search"]), shown))
    return lines


def _search(status: object) -> str:
    """Return what is known of the swap that was found."""
    return {
        "proven": say("compare", "found and proven"),
        "bounded": say("compare", "not proven; see the note for the largest possible difference"),
        "heuristic": say("compare", "good, but not proven to be the best"),
        "random": say("compare", "not searched: random choice"),
        "nothing": say("compare", "nothing to swap"),
    }.get(str(status), str(status))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return say("compare", "yes") if value else say("compare", "no")
    if isinstance(value, float) and 0 < value < 1:
        return percent(value)
    if isinstance(value, int | float):
        return count(value) if float(value).is_integer() else plain_number(value)
    return str(value)
