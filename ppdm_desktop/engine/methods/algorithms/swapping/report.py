"""The report of a swap: figures for the step's detail, notes, protections, labelled lines and used parameter values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

import numpy as np

from ppdm_desktop.engine.methods.algorithms.swapping.calibration import Calibration
from ppdm_desktop.engine.methods.algorithms.swapping.column import Swapped
from ppdm_desktop.engine.methods.algorithms.swapping.demands import ONE_MEMBER, level_demands
from ppdm_desktop.engine.methods.algorithms.swapping.participants import Members
from ppdm_desktop.engine.methods.algorithms.swapping.problem import GROUP_MEMBER
from ppdm_desktop.engine.methods.algorithms.swapping.start import compute_departure, find_relabelled, flows_of
from ppdm_desktop.engine.methods.base.declaration import FigureLine, labelled_lines
from ppdm_desktop.engine.methods.base.step import Protection, Settings, Used, Why
from ppdm_desktop.engine.table.levels import UNIFORM, RecordLevels
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.texts import LevelTitle, Note
from ppdm_desktop.engine.wording.values import Name, Names, Number, Ratio, Share, Term, Value

# With two values a share further than this from one half lets an intruder bet with better odds.
_FAR_FROM_HALF = 0.1
_COUNTS = {
    "unidentifiable": "note.swap.unidentifiable",
    "no_value": "note.swap.no-value",
    "unique": "note.swap.still-unique",
}
"""Text id of the note for each count of records that is not 0."""


def column_detail(done: Swapped, names: Sequence[str], levels: RecordLevels) -> dict[str, Any]:
    """Return the figures of one swapped column as plain data (contract, section 5, ``detail`` of a swap).

    ``objective`` and ``start`` are total costs (sums of true differences of posterior probabilities) after phase II and
    phase I. No choice costs less than ``lower_bound``; ``proven_optimum`` is the least cost. ``minimised`` is the total
    that the search minimised, with selection noise. Each of these three is None if it is not known. ``gap`` is by how
    much ``minimised`` may exceed the least total, None if it is not known. ``ratio`` is ``objective`` /
    ``lower_bound``, None unless this bound is above 0. ``proportion`` and ``group_share`` are those of the level that
    follows ``largest-balanced``, or else of the weakest level; a ``group_share`` of 0 stands for one member. The other
    figures count the people who took part and changed (also by privacy level, under ``levels``), the moves between
    categories (``flows``) and the change of the totals (``departure``). ``p`` is the share of unique people that
    changed, None without any; ``calibration`` is only there after a calibrated search.

    Parameters
    ----------
    done
        The column after both phases.
    names
        Text of each category.
    levels
        The table's privacy levels.
    """
    members, identified = done.members, done.members.identified
    unique = members.demand != GROUP_MEMBER
    weakest = next((at for at, demand in enumerate(members.demands) if demand.follows), 0)
    changed = done.choice != done.truth
    unique_changed = int(np.count_nonzero(changed & unique))
    objective = done.total(done.choice)
    in_groups = int(np.count_nonzero(changed)) - unique_changed
    least = done.lower_bound
    ratio = objective / least if least is not None and least > 0 else None
    return {
        "categories": list(names),
        "unique": len(identified.unique),
        "groups": identified.groups,
        "group_records": len(identified.collective),
        "unidentifiable": identified.unidentifiable,
        "no_value": identified.no_value,
        "levels": _level_details(members, levels),
        "m": unique_changed,
        "p": float(unique_changed / unique.sum()) if unique.any() else None,
        "group_members_changed": in_groups,
        "proportion": float(members.demands[weakest].swap),
        "group_share": float(members.group_shares[weakest]),
        "objective": objective,
        "start": done.total(done.start),
        "lower_bound": least,
        "proven_optimum": done.proven_optimum,
        "ratio": ratio,
        "status": done.status,
        "gap": None if done.value is None or done.bound is None else max(0.0, done.value - done.bound),
        "bound": done.bound,
        "minimised": done.value,
        "flows": flows_of(done.truth, done.choice, len(names)),
        "departure": compute_departure(done.truth, done.choice, len(names)),
        "least_departure": list(done.departures),
        **({} if done.calibration is None else {"calibration": calibration_detail(done.calibration)}),
    }


def _level_details(members: Members, levels: RecordLevels) -> list[dict[str, Any]]:
    """Return, for each privacy level, its unique records, the share demanded and the changes made, as plain data.

    ``asked`` is the level's share and ``demanded`` the used one, which is smaller if fewer records change so that
    values stay open; ``m`` is the number that changed and ``p`` its share, None without unique records. ``open`` says
    whether values were kept open, and ``selection_noise`` is a number or "uniform".
    """
    return [
        {
            "level": level.name,
            "unique": int(size),
            "asked": float(demand.swap),
            "demanded": float(used),
            "open": is_open,
            "m": int(due),
            "p": float(due / size) if size else None,
            "selection_noise": UNIFORM if np.isinf(demand.temperature) else demand.temperature,
        }
        for level, demand, size, due, used, is_open in zip(
            levels.levels,
            members.demands,
            members.level_sizes,
            members.changes,
            members.used,
            members.is_open,
            strict=True,
        )
    ]


def details_of(detail: Mapping[str, Any]) -> list[tuple[str, Mapping[str, Any]]]:
    """Return pairs of name and figures for each swapped column, and one for columns swapped together if there are any.

    The name of the latter is their names joined by ", ". ``detail`` has the figures of the step.
    """
    details = list(detail["columns"].items())
    if "together" in detail:
        details.append((", ".join(detail["together"]["together"]), detail["together"]))
    return details


def calibration_detail(calibration: Calibration) -> dict[str, Any]:
    """Return what the calibrated search chose, and the results of all searches compared, as plain data.

    The choice is given by its ``temperature`` and ``leaning`` (both None if records were chosen without regard to
    relationships), the number of settings ``tried``, and the share of relationships ``kept`` (None if not known). The
    first entry of the comparison (``frontier``) is the chosen setting. Each entry has the name of the search, its
    divergence in nats, whether no attack gains anything (``within_control``), and the attacks ``bayes`` and
    ``boosting``; an attack that was not made is None.
    """
    return {
        "temperature": calibration.temperature,
        "leaning": calibration.leaning,
        "tried": calibration.tried,
        "kept": calibration.kept_share,
        "frontier": [
            {
                "search": point.search,
                "divergence": point.divergence,
                "within_control": point.gains_nothing,
                **{
                    name: None if tried is None else asdict(tried)
                    for name, tried in (("bayes", point.bayes), ("boosting", point.boosting))
                },
            }
            for point in calibration.frontier
        ],
    }


def worst_attack(point: Mapping[str, Any]) -> Mapping[str, float]:
    """Return the attack on a search's result that finds most true values beyond its control, with both shares.

    ``point`` has the attacks ``bayes`` and ``boosting``, of which boosting may be None. The control is the same attack
    without the person's own record.
    """
    attacks = [attack for attack in (point["bayes"], point["boosting"]) if attack is not None]
    return max(attacks, key=lambda attack: float(attack["success"] - attack["control"]))


def calibration_notes(column: str, detail: Mapping[str, Any], *, is_preview: bool) -> list[Note]:
    """Return a list with the note on the relationships that a calibrated swap keeps; empty for other searches.

    If attacks gained something with every setting, the note says that the swap is random; otherwise the list is also
    empty if the share kept is not known. The note also says how many true values an attack finds. ``is_preview``
    chooses the wording for a trial before the run.
    """
    if "calibration" not in detail:
        return []
    calibration = detail["calibration"]
    worst = worst_attack(calibration["frontier"][0])
    both = {"success": Ratio(worst["success"]), "control": Ratio(worst["control"])}
    named: dict[str, Value] = {"column": Name(column), **both}
    if calibration["temperature"] is None:
        id = "note.bayes-swap.foreseen-random" if is_preview else "note.bayes-swap.not-calibrated"
        return [Note(id, named)]
    if calibration["kept"] is None:
        return []
    id = "note.bayes-swap.foreseen" if is_preview else "note.bayes-swap.calibrated"
    return [Note(id, {**named, "kept": Ratio(max(0.0, calibration["kept"]))})]


def _joint_notes(detail: Mapping[str, Any]) -> Iterator[Note]:
    """Yield notes on each of several columns that were swapped together; nothing for a column swapped by itself.

    They say what share of the unique people show another value of the column (if anybody is unique), and how many
    people's values the column reveals by itself (if any).
    """
    for name, people in detail.get("shown_otherwise", {}).items():
        if detail["unique"]:
            share = Share(people, detail["unique"])
            yield Note("note.swap.shown-otherwise", {"column": Name(name), "share": share})
    for name, people in detail.get("left_out", {}).items():
        if people:
            partners = Names.of([partner for partner in detail["together"] if partner != name])
            yield Note("note.swap.left-out", {"column": Name(name), "records": people, "others": partners})


def column_notes(column: str, detail: Mapping[str, Any]) -> list[Note]:
    """Return the notes that the figures of one column require; often none.

    There is a note for each of these cases:

    - Nobody can change, or fewer people change than a privacy level demands.
    - The totals of the values change or, with more than two values, nearly all changed records that show a value come
      from one other value.
    - The column has two values, and the share of unique people that changes is more than 0.1 away from one half.
    - Some people were not changed because others with the same details have different values.
    - Some people have no value.
    - Some people are unique, and still are after the swap.
    - Columns were swapped together, or the search was calibrated.
    - An exact search did not prove its result to be the best possible one (status ``bounded``).

    Parameters
    ----------
    column
        Name of the column.
    detail
        The column's figures from ``column_detail``.
    """
    names = detail["categories"]
    notes = []
    if detail["unique"] + detail["group_records"] == 0:
        notes.append(Note("note.swap.nothing-to-change", {"column": Name(column)}))
    for level in detail["levels"]:
        if level["demanded"] < level["asked"]:
            arguments: dict[str, Value] = {
                "level": LevelTitle(str(level["level"])),
                "asked": Ratio(level["asked"]),
                "used": Ratio(level["demanded"]),
            }
            notes.append(Note("note.swap.less-than-asked", {"column": Name(column), **arguments}))
    if detail["departure"]:
        moved = detail["departure"] // 2
        notes.append(Note("note.swap.departure", {"column": Name(column), "records": moved}))
    if len(names) == 2 and detail["p"] is not None and abs(detail["p"] - 0.5) > _FAR_FROM_HALF:
        share = Ratio(max(detail["p"], 1 - detail["p"]))
        notes.append(Note("note.swap.far-from-half", {"column": Name(column), "share": share}))
    if len(names) > 2 and (swapped := find_relabelled(detail["flows"])):
        values = Names.of([names[code] for code in swapped])
        notes.append(Note("note.swap.relabelled", {"column": Name(column), "values": values}))
    notes += [Note(id, {"column": Name(column), "records": detail[key]}) for key, id in _COUNTS.items() if detail[key]]
    notes += _joint_notes(detail)
    notes += calibration_notes(column, detail, is_preview=False)
    if detail["status"] == "bounded":
        notes.append(Note("note.bayes-swap.bounded", {"column": Name(column), "gap": Number(detail["gap"])}))
    return notes


def protection_of(column: str, done: Swapped, levels: RecordLevels, *, groups_protected: bool = True) -> Protection:
    """Return the protection of a swapped column: which people count as protected, and at which privacy level.

    Unique people and members of groups count, whether or not their value changed. ``protected`` and ``treatment`` have
    one entry for each person; ``treatment`` is the index of the person's level, -1 for those that do not count. The
    protection is traceable if a search that was not calibrated chose the records of some level without selection noise,
    so that its choice can be computed again.

    Parameters
    ----------
    column
        Name of the protected column.
    done
        The column after both phases.
    levels
        The table's privacy levels.
    groups_protected
        Whether groups were promised a change; if not, their members are not protected.
    """
    identified = done.members.identified
    protected = identified.flag_treated(with_groups=groups_protected)
    treatment = np.where(protected, levels.codes.astype(np.int64), -1)
    # A search orders records by posterior; without noise anyone who refits the posteriors can order them too.
    searched = done.status in ("proven", "bounded", "heuristic")
    clear = np.array([demand.temperature == 0 for demand in done.members.demands])
    # A calibrated choice is blurred at every level, and was tried.
    traceable = done.calibration is None and searched and bool(clear[levels.codes[protected]].any())
    return Protection(column, "randomised", protected, treatment, traceable)


_LABELS = {
    "unique": lazy("Unique records"),
    "groups": lazy("Groups where everyone has the same value"),
    "m": lazy("Unique records changed"),
    "group_members_changed": lazy("Records in groups changed"),
    "p": lazy("Share of unique records changed"),
    "status": lazy("Best possible swap"),
    "no_value": lazy("Records without a value"),
    "unidentifiable": lazy("Unchanged records"),
}
_STATUS = {
    "proven": lazy("found and proven"),
    "bounded": lazy("not proven; see the note for the largest possible difference"),
    "heuristic": lazy("good, but not proven to be the best"),
    "random": lazy("not searched: random choice"),
    "nothing": lazy("nothing to swap"),
}
_SEARCHES = {
    "calibrated": lazy("This swap"),
    "random": lazy("A random swap"),
    "exact": lazy("The exact search"),
    "greedy": lazy("The rounds of the paper"),
}
_MOST_FLOWS = 6


def swap_lines(detail: Mapping[str, Any]) -> list[FigureLine]:
    """Return the figures of each swapped column, and of columns swapped together, with labels.

    Lines name the column if there are several.
    """
    swapped = details_of(detail)
    return [
        line._replace(column=name if len(swapped) > 1 else "")
        for name, figures in swapped
        for line in _list_column_figures(figures)
    ]


def _list_column_figures(figures: Mapping[str, Any]) -> Iterator[FigureLine]:
    """Yield the labelled figures of one swapped column: counts, the search, the change of totals and the largest moves.

    Figures that do not exist have no line, nor has the proof of the best swap after a calibrated search.
    """
    calibration, status = figures.get("calibration"), figures.get("status")
    # What the calibrated search proves is the best of blurred costs: it says nothing of what is kept.
    shown_status = None if status is None or calibration is not None else _STATUS.get(status, status)
    yield from labelled_lines({**figures, "status": shown_status}, _LABELS)
    if calibration is not None:
        yield from _list_search_figures(calibration)
    if "departure" in figures:
        yield FigureLine(lazy("Records by which the totals changed"), figures["departure"] // 2)
    yield from _largest_flows(figures)


def _list_search_figures(calibration: Mapping[str, Any]) -> Iterator[FigureLine]:
    """Yield the share of relationships that a calibrated swap kept, if known, and a line for each search compared.

    A share below 0 is shown as 0. The line says how much the search would change relationships, and how many true
    values the strongest attack would find.
    """
    if calibration["kept"] is not None:
        label = lazy("Relationships kept, of those that a random swap loses")
        yield FigureLine(label, Ratio(max(0.0, calibration["kept"])))
    for point in calibration["frontier"]:
        worst = worst_attack(point)
        cost = lazy(
            "divergence {lost}; undoing the swap finds {right} of the true values, {control} without the person’s "
            "record",
            lost=Number(point["divergence"]),
            right=Ratio(worst["success"]),
            control=Ratio(worst["control"]),
        )
        yield FigureLine(_SEARCHES.get(point["search"]) or Term(point["search"]), cost)


def _largest_flows(figures: Mapping[str, Any]) -> list[FigureLine]:
    """Return the largest numbers of records that moved from one value to another, at most six, the largest first.

    They are labelled ``a → b``; equal numbers keep the order of the values. Empty if nothing moved.
    """
    names = figures.get("categories", [])
    moves = [
        (int(moved), f"{names[before]} → {names[after]}")
        for before, row in enumerate(figures.get("flows", []))
        for after, moved in enumerate(row)
        if moved
    ]
    largest = sorted(moves, key=lambda move: -move[0])[:_MOST_FLOWS]
    return [FigureLine(Term(label), moved) for moved, label in largest]


def list_used_values(settings: Settings, levels: RecordLevels, detail: Mapping[str, Any]) -> Iterator[Used]:
    """Yield the values that a swap used for its parameters that privacy levels decide.

    They are, for each column and level, the share of unique people, the share of a group's members (``one-member`` for
    a single one) and, if the method has it, the selection noise (infinite for ``uniform``). If a smaller share of
    unique people was used than demanded, the demanded one is given, too. The column is None if only one unit (a column,
    or several swapped together) was swapped. After a calibrated search, the noise is the temperature that the search
    chose, infinite if it chose none.

    Parameters
    ----------
    settings, levels
        The step's settings, and the table's privacy levels.
    detail
        The figures of the run.
    """
    columns = details_of(detail)
    for name, figures in columns:
        column = None if len(columns) == 1 else name
        demands = level_demands(settings, levels, max(len(figures["categories"]), 1))
        for index, level in enumerate(figures["levels"]):
            asked, demanded = float(level["asked"]), float(level["demanded"])
            follows = demands[index].follows
            why: Why = "program" if follows else "table" if demanded < asked else "levels"
            share = figures["proportion"] if follows else demanded
            yield Used("proportion", share, why, level["level"], column, asked if why == "table" else None)
            group = figures["group_share"] if levels.levels[index].is_weakest else float(demands[index].group_share)
            shared = group or ONE_MEMBER
            raised: Why = "set" if shared == settings.values["group_share"] else "levels"
            yield Used("group_share", shared, raised, level["level"], column)
            if "selection_noise" not in settings.values:
                continue
            if "calibration" in figures:
                noise = figures["calibration"]["temperature"]
                yield Used("selection_noise", math.inf if noise is None else noise, "program", level["level"], column)
            else:
                drawn = level["selection_noise"]
                yield Used("selection_noise", math.inf if drawn == UNIFORM else drawn, "levels", level["level"], column)
