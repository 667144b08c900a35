"""Rules, spans and demands in plain words; no widget here."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QLocale

from ppdm_desktop.engine.recipe.models import Condition, RowsRule, Rule, Scalar
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.ui.state.level_names import level_words
from ppdm_desktop.ui.state.levels_found import Weaker

_NAMED = 3
_ALL_BUT = 2


def _tr(text: str) -> str:
    return QCoreApplication.translate("Levels", text)


def value_words(value: Scalar) -> str:
    """Write a value as a person does; text is shown as it stands."""
    if isinstance(value, bool):
        return str(value)
    if isinstance(value, int):
        return QLocale().toString(value)
    if isinstance(value, float):
        return QLocale().toString(value, "g", 12)
    return value


def _joined(values: Sequence[str], last: str) -> str:
    return values[0] if len(values) == 1 else last.format(first=", ".join(values[:-1]), last=values[-1])


def condition_words(condition: Condition, column: Column | None = None) -> str:
    """Say what a condition asks, with its column's values at hand for the shortest way to say it."""
    if condition.status == "unique":
        return _tr("is the only one of their kind")
    if condition.status == "collective":
        return _tr("is in a group with one confidential value")
    name = condition.column or ""
    if condition.missing:
        return _tr("{column} is missing").format(column=name)
    if condition.equals is not None:
        return _tr("{column} is {value}").format(column=name, value=value_words(condition.equals))
    if condition.in_ is not None:
        return _one_of(name, condition.in_, column)
    if condition.between is not None:
        low, high = map(value_words, condition.between)
        return _tr("{column} is {low} to {high}").format(column=name, low=low, high=high)
    if condition.at_least is not None:
        return _tr("{column} is at least {value}").format(column=name, value=value_words(condition.at_least))
    return _tr("{column} is at most {value}").format(column=name, value=value_words(condition.at_most or 0))


def _one_of(name: str, wanted: Sequence[Scalar], column: Column | None) -> str:
    words = [value_words(value) for value in wanted]
    if column is not None and column.kind != "numeric" and len(words) > _NAMED:
        others = [text for text in column.categories if text not in set(map(str, wanted))]
        if 0 < len(others) <= _ALL_BUT and len(others) + len(words) == len(column.categories):
            return _tr("{column} is known and not {values}").format(
                column=name, values=_joined(others, _tr("{first} or {last}"))
            )
    if len(words) > _NAMED:
        return _tr("{column} is {first} or one of {n} more").format(
            column=name, first=", ".join(words[:_ALL_BUT]), n=len(words) - _ALL_BUT
        )
    if not words:
        return _tr("{column} is one of no values").format(column=name)
    return _tr("{column} is {values}").format(column=name, values=_joined(words, _tr("{first} or {last}")))


def rule_words(rule: Rule, table: Table | None = None) -> str:
    """Say whom a rule means."""
    parts = []
    for condition in rule.where:
        known = table is not None and condition.column is not None and condition.column in table
        column = table.column(condition.column) if known and table is not None and condition.column else None
        parts.append(condition_words(condition, column))
    return _joined(parts, _tr("{first} and {last}"))


def spans_words(rule: RowsRule) -> str:
    """Write picked rows: "rows 12, 40 to 57"."""
    number = QLocale().toString
    words = [
        number(low) if low == high else _tr("{low} to {high}").format(low=number(low), high=number(high))
        for low, high in rule.spans()
    ]
    if len(words) > 6:
        return _tr("rows {first} and {n} more").format(first=", ".join(words[:5]), n=len(words) - 5)
    first, last = rule.spans()[0] if rule.spans() else (0, 0)
    if len(words) == 1 and first == last:
        return _tr("row {n}").format(n=words[0])
    return _tr("rows {all}").format(all=", ".join(words))


def rules_and_picks(rules: Sequence[Rule], picked: Sequence[RowsRule]) -> str:
    """Say how many rules and sets of picked rows there are; empty without any."""
    some = [
        (_tr("1 rule") if len(rules) == 1 else _tr("{n} rules").format(n=len(rules))) if rules else "",
        (_tr("1 set of picked rows") if len(picked) == 1 else _tr("{n} sets of picked rows").format(n=len(picked)))
        if picked
        else "",
    ]
    return ", ".join(each for each in some if each)


def key_words(key: str) -> str:
    """Return a demand's name on screen."""
    return {
        "group": _tr("At least alike"),
        "noise": _tr("Noise"),
        "swap": _tr("Swapped"),
        "intervals": _tr("Cells"),
        "selection_noise": _tr("Blur of choice"),
        "doubt": _tr("Doubt"),
    }[key]


def demand_words(key: str, value: float | str) -> str:
    """Write a demand with its unit."""
    if isinstance(value, str):
        return _tr("evenly")
    if key == "swap":
        return _tr("{n} %").format(n=f"{100 * value:g}")
    if key == "noise":
        return _tr("× {n}").format(n=f"{value:g}")
    if key == "doubt":
        return _tr("1 in {n}").format(n=f"{value:g}")
    return f"{value:g}"


def weaker_words(found: Weaker) -> str:
    """Say why a map that does not rise is refused."""
    more = {
        "intervals": _tr("Fewer cells hide more."),
        "doubt": _tr("A smaller number leaves more doubt."),
    }.get(found.key, _tr("A stricter level never asks for less."))
    template = _tr("{stricter} would protect less than {weaker} ({key}: {asks} against {than}). {more}")
    return template.format(
        stricter=level_words(found.stricter),
        weaker=level_words(found.weaker),
        key=key_words(found.key),
        asks=demand_words(found.key, found.asks),
        than=demand_words(found.key, found.than),
        more=more,
    )
