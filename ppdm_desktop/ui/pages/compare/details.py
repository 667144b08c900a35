"""The figures a step reports of itself, in words. No widgets here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from PySide6.QtCore import QCoreApplication

from ppdm_desktop.ui.state.number_words import count, percent

Lines = list[tuple[str, str]]


def _tr(text: str) -> str:
    return QCoreApplication.translate("Compare", text)


def detail_lines(method: str, detail: Mapping[str, Any]) -> Lines:
    """Return a step's own figures as (words, figure).

    Methods with figures of their own shape have their words here; of the others known figures
    come in words and unknown plain ones under their name.
    """
    own = _OF_METHOD.get(method)
    lines = own(detail) if own is not None else _detail(detail)
    return lines + _coarseness(detail.get("coarseness"))


def _coarseness(found: Any) -> Lines:
    """Return what coarser values cost and what groups give away, where the report has it."""
    if not isinstance(found, Mapping):
        return []
    lines = []
    if found["granularity"]["value"] is not None:
        lines.append((_tr("Fineness kept (granularity, 100 % = as before)"), percent(found["granularity"]["value"])))
    if found["entropy"]["value"] is not None:
        lines.append((_tr("Bits lost for each value (non-uniform entropy)"), f"{found['entropy']['value']:.2f}"))
    lines.append((_tr("Sum of squared group sizes (discernibility)"), count(found["discernibility"]["value"])))
    if found["average_class"]["value"] is not None:
        words = _tr("Average group, as a multiple of the smallest allowed")
        lines.append((words, f"{found['average_class']['value']:.2f}"))
    for name, own in found["homogeneity"].items():
        if own["one_valued"]["value"] is None:
            continue
        told = _tr("{share}; guessing the commonest of the group is right for {right} (for everybody: {base})")
        figures = {"share": "one_valued", "right": "majority", "base": "baseline"}
        lines.append(
            (
                _tr("People whose group shows one single {column}").format(column=name),
                told.format(**{key: percent(own[part]["value"]) for key, part in figures.items()}),
            )
        )
    return lines


# --- methods by groups ------------------------------------------------------------------


def _mondrian(detail: Mapping[str, Any]) -> Lines:
    lines = [
        (_tr("Look-alike groups"), _plain(detail["classes"])),
        (_tr("Records in the smallest"), _plain(detail["smallest"])),
        (_tr("Records in the average one"), f"{detail['average']:.1f}"),
        (_tr("Records in the largest"), _plain(detail["largest"])),
    ]
    if detail["cut_classes"] != detail["classes"]:
        lines.append(
            (_tr("Groups cut, before those that show the same were put together"), _plain(detail["cut_classes"]))
        )
    return lines


def _generalize(detail: Mapping[str, Any]) -> Lines:
    pattern = _tr("{how}; {after} different values instead of {before}")
    lines = [
        (str(name), pattern.format(how=own["how"], before=count(own["before"]), after=count(own["after"])))
        for name, own in detail["columns"].items()
    ]
    lines.append((_tr("Look-alike groups"), _plain(detail["classes"])))
    lines.append((_tr("Records in the smallest"), _plain(detail["smallest"])))
    return lines


def _suppress(detail: Mapping[str, Any]) -> Lines:
    words = (
        _tr("Records removed") if detail["what"] == "records" else _tr("Records whose describing values were emptied")
    )
    share = detail["records"] / detail["rows"] if detail["rows"] else 0.0
    pattern = _tr("{n} of {all} ({share})")
    people: Lines = []
    if "people" in detail:
        whose = _tr("{n} of {all}, {gone} of them altogether")
        numbers = {"n": detail["people"], "all": detail["people_before"], "gone": detail["people_gone"]}
        people = [(_tr("People whose rows these are"), whose.format(**{key: count(n) for key, n in numbers.items()}))]
    return [
        (words, pattern.format(n=count(detail["records"]), all=count(detail["rows"]), share=percent(share))),
        *people,
        (_tr("Records in the smallest look-alike group"), _plain(detail["smallest"])),
    ]


def _reconstruction(detail: Mapping[str, Any]) -> Lines:
    fitness, cells = detail["fitness"], detail["cells"]
    went = _tr("{start} at the start, {best} after {n} rounds, {released} for the records released").format(
        start=f"{fitness['start']:.3f}",
        best=f"{fitness['best']:.3f}",
        n=count(fitness["generations"]),
        released=f"{fitness['released']:.3f}",
    )
    lines = [
        (_tr("Records chosen, each released {k} times or more").format(k=detail["k"]), _plain(detail["chosen"])),
        (_tr("Training fitness (not accuracy)"), went),
        (_tr("Combinations released"), _plain(cells["cells"])),
        (_tr("Rows of the rarest combination"), _plain(cells["least_rows"])),
        (_tr("People of the original who have it, at least"), _plain(cells["least_people"])),
        (_tr("Different chosen records in a combination, at least"), _plain(cells["least_records"])),
        (
            _tr("Classes of {column} in a combination, at least").format(column=detail["class"]),
            _plain(cells["least_classes"]),
        ),
    ]
    lines += [
        (_tr("{column}: ranges or names left").format(column=name), _plain(n)) for name, n in detail["ranges"].items()
    ]
    lines.append((_tr("Records exchanged so that no combination shows one class"), _plain(detail["mended"])))
    lines.append((_tr("People whose combination is not in the release"), _plain(detail["people_left_out"])))
    return lines


def _condensation(detail: Mapping[str, Any]) -> Lines:
    lines = _detail(detail)
    own = detail.get("dynamic")
    if isinstance(own, Mapping):
        known = {
            "first_records": _tr("Records grouped first"),
            "splits": _tr("Groups divided as they grew"),
            "waited": _tr("Records that found no group when they came"),
            "founded": _tr("Of them, records that formed groups of their own"),
            "merges": _tr("Groups put together for the rest of them"),
            "groups_below_demand": _tr("Groups smaller than their records ask for"),
            "records_below_demand": _tr("Records in them"),
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
        "unique": _tr("Records that stand alone"),
        "groups": _tr("Look-alike groups with one value"),
        "m": _tr("Lone records changed"),
        "group_members_changed": _tr("Group members changed"),
        "p": _tr("Share of lone records changed"),
        "status": _tr("Best swap there is"),
        "no_value": _tr("Records without a value"),
        "unidentifiable": _tr("Records left as they are"),
    }


def _group_details() -> dict[str, str]:
    """Return the words for the figures of a step that makes records anew by groups."""
    return {
        "groups": _tr("Groups of records"),
        "ssq_share": _tr("Differences lost inside groups"),
        "repairs": _tr("Groups put right"),
        "regenerated": _tr("Columns of numbers made anew"),
        "small_groups": _tr("Groups with no more records than such columns"),
        "small_records": _tr("Records in them"),
        "floor": _tr("Small groups widened"),
    }


def _detail(detail: Mapping[str, Any]) -> Lines:
    """Return a step's own figures: known ones in words, unknown plain ones under their name."""
    known = _known_details()
    lines: Lines = []
    columns = detail.get("columns")
    if isinstance(columns, Mapping):
        for name, own in columns.items():
            if not isinstance(own, Mapping):
                continue
            before = f"{name}: " if len(columns) > 1 else ""
            lines += [
                (before + words, _search(own[key]) if key == "status" else _plain(own[key]))
                for key, words in known.items()
                if own.get(key) is not None
            ]
            if isinstance(own.get("departure"), int):
                lines.append((before + _tr("Records by which the totals moved"), count(own["departure"] // 2)))
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


def _search(status: object) -> str:
    """Return what is known of the swap that was found."""
    return {
        "proven": _tr("found and proven"),
        "bounded": _tr("not proven: a note below says how far off at most"),
        "heuristic": _tr("a good one, not proven to be it"),
        "random": _tr("not looked for: drawn at random"),
        "nothing": _tr("nothing to swap"),
    }.get(str(status), str(status))


def _plain(value: object) -> str:
    if isinstance(value, bool):
        return _tr("yes") if value else _tr("no")
    if isinstance(value, float) and 0 < value < 1:
        return percent(value)
    if isinstance(value, int | float):
        return count(value) if float(value).is_integer() else f"{value:.4g}"
    return str(value)
