"""Names of privacy levels, their rules, ranges of rows and demands as texts; no widget here.

A privacy level says how strongly a person is protected; its demands are the smallest group, the noise and so on.
"""

from __future__ import annotations

from collections.abc import Sequence

from ppdm_desktop.engine.recipe.models import Condition, Recipe, RowsRule, Rule, Scalar
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import DEFAULT_LEVELS, Level, LevelMap
from ppdm_desktop.engine.wording.catalogue import _, language, lazy, numbers_of
from ppdm_desktop.engine.wording.numbers import Numbers
from ppdm_desktop.engine.wording.texts import LevelLabels, level_title, list_level_labels
from ppdm_desktop.engine.wording.values import Name, Names, Term, Terms
from ppdm_desktop.ui.state.level_counts import LevelCounts, Weaker


def label_level(name: str | int, level_labels: LevelLabels | None = None) -> str:
    """Return a privacy level's name on screen, with the file's own words for it in brackets if there are any.

    ``level_labels`` has these words by level; for None there are none. A number is the name of a demanded group size.
    """
    return level_title(name, level_labels)


def read_level_labels(recipe: Recipe) -> LevelLabels:
    """Return the file's own words for each privacy level, from a recipe."""
    return list_level_labels(recipe.privacy.words)


def level_bars(level: Level, levels: LevelMap) -> int:
    """Return how many of the four bars of a privacy level's mark are filled, at least 1.

    For a built-in level it is its rank, 1 (weakest) to 4. For an added one it is the rank of the strictest built-in
    level that demands no larger group: 2 for groups of 12 between levels of 10 and 20.
    """
    places = {default_level.name: number for number, default_level in enumerate(DEFAULT_LEVELS, start=1)}
    if level.name in places:
        return places[level.name]
    lesser = [named for named in levels.named if named.name in places and named.demand.group <= level.demand.group]
    return places[lesser[-1].name] if lesser else 1


def level_choices(levels: LevelMap, more: Sequence[str | int] = ()) -> list[tuple[str, str, int]]:
    """Return (key, label, filled bars) of each named privacy level, then of other levels in use (``more``), each once.

    An example of the latter is "7" for groups of 7 people. Unknown levels are left out.
    """
    choices = [(named.name, label_level(named.name), level_bars(named, levels)) for named in levels.named]
    for key in more:
        level = levels.find(str(key))
        if level is not None and all(str(key) != choice for choice, _, _ in choices):
            choices.append((str(key), label_level(str(key)), level_bars(level, levels)))
    return choices


_NAMED = 3
_ALL_BUT = 2


def _find_number_writer() -> Numbers:
    """Return the object that writes numbers in the present language."""
    return numbers_of(language())


def format_exactly(value: float) -> str:
    """Return a number in the user's language with all its decimals."""
    return _find_number_writer().ticks((value,))[0]


def format_value(value: Scalar) -> str:
    """Return a value as text: a text in quotation marks, a number with all its decimals, or "True" or "False".

    Of a text with more than 36 letters the middle is left out.
    """
    if isinstance(value, bool):
        return str(value)
    return _find_number_writer().name(value) if isinstance(value, str) else format_exactly(value)


def describe_condition(condition: Condition, column: Column | None = None) -> str:
    """Return a rule's condition in words, such as "age is at least 80" or "is unique".

    If ``column`` is given, a list of more than three texts that is all but one or two of its values becomes "any value
    except …".
    """
    if condition.status == "unique":
        return _("is unique")
    if condition.status == "collective":
        return _("is in a group with the same confidential value")
    name = Name(condition.column or "")
    if condition.missing:
        return _("{column} is missing", column=name)
    if condition.equals is not None:
        return _("{column} is {value}", column=name, value=Term(format_value(condition.equals)))
    if condition.in_ is not None:
        return _describe_wanted_values(name, condition.in_, column)
    if condition.between is not None:
        low, high = (Term(format_value(bound)) for bound in condition.between)
        return _("{column} lies between {low} and {high}", column=name, low=low, high=high)
    if condition.at_least is not None:
        return _("{column} is at least {value}", column=name, value=Term(format_value(condition.at_least)))
    return _("{first} is at most {second}", first=name, second=Term(format_value(condition.at_most or 0)))


def _describe_wanted_values(name: Name, wanted: Sequence[Scalar], column: Column | None) -> str:
    """Return in words that a column has one of these values, such as "color is one of red, blue".

    If more than three values are listed, and all but one or two categories of ``column`` are, it is "any value except
    …".
    """
    if column is not None and column.kind != "numeric" and len(wanted) > _NAMED:
        other_values = [text for text in column.categories if text not in set(map(str, wanted))]
        if 0 < len(other_values) <= _ALL_BUT and len(other_values) + len(wanted) == len(column.categories):
            return _("{column} has any value except {values}", column=name, values=Names.of(other_values))
    if not wanted:
        return _("{column} is in a list without values", column=name)
    if len(wanted) == 1:
        return _("{column} is {value}", column=name, value=Term(format_value(wanted[0])))
    values = Terms(tuple(format_value(value) for value in wanted))
    return _("{column} is one of {values}", column=name, values=values)


def describe_conditions(rule: Rule, table: Table | None = None) -> str:
    """Return a rule's conditions as a text, such as "age is at least 80 and sex is female".

    With a table, a list of more than three texts that is all but one or two values of its column becomes "any value
    except …".
    """
    parts = []
    for condition in rule.where:
        has_column = table is not None and condition.column is not None and condition.column in table
        column = table.column(condition.column) if has_column and table is not None and condition.column else None
        parts.append(describe_condition(condition, column))
    return _find_number_writer().list(parts)


def describe_spans(rule: RowsRule) -> str:
    """Return the rows that a rule selects as text, such as "row 12" or "rows 12 and 40–57"."""
    spans, ordinal = rule.spans(), _find_number_writer().place
    if len(spans) == 1 and spans[0][0] == spans[0][1]:
        return _("row {row:place}", row=int(spans[0][0]))
    span_texts = tuple(ordinal(low) if low == high else f"{ordinal(low)}–{ordinal(high)}" for low, high in spans)
    return _("rows {rows}", rows=Terms(span_texts))


def describe_rule_counts(rules: Sequence[Rule], rows_rules: Sequence[RowsRule]) -> list[str]:
    """Return texts such as "2 rules" and "1 set of selected rows"; a text with the count 0 is left out."""
    counts = (rules, lazy("{n} {n:rule|rules}")), (rows_rules, lazy("{n} {n:set|sets} of selected rows"))
    return [sentence.format(n=len(counted)) for counted, sentence in counts if counted]


def describe_raised(level_counts: LevelCounts) -> str:
    """Return a sentence on how many people have a stricter privacy level than the weakest, which it names.

    For example: "20 of 300 people have more than the level Normal."
    """
    return _(
        "{n} of {total} {total:person has|people have} more than the level {least}.",
        n=level_counts.raised,
        total=level_counts.basis.people,
        least=Term(label_level(level_counts.level_map.named[0].name)),
    )


def label_demand(key: str) -> str:
    """Return the name of one of a privacy level's demands, such as "Noise", as shown in the table of levels."""
    return {
        "group": _("Smallest group"),
        "noise": _("Noise"),
        "swap": _("Swapped"),
        "intervals": _("Bands"),
        "selection_noise": _("Randomness of the selection"),
        "doubt": _("Doubt"),
    }[key]


def format_demand(key: str, value: float | str) -> str:
    """Return the value of a privacy level's demand with its unit, as shown in the table of levels.

    A swap of 0.2 gives "20%", noise of 2 "× 2", a doubt of 4 "1 in 4", and a group of 5 just "5". A text instead of a
    number gives "evenly".
    """
    if isinstance(value, str):
        return _("evenly")
    if key == "swap":
        return _("{n}%", n=Term(format_exactly(round(100 * value, 9))))
    if key == "noise":
        return _("× {n}", n=Term(format_exactly(value)))
    if key == "doubt":
        return _("1 in {n}", n=Term(format_exactly(value)))
    return format_exactly(value)


def describe_weaker(weaker: Weaker) -> str:
    """Return why a demand that is weaker in a stricter privacy level is refused.

    The first sentence has the demand, both levels and their values. The second says that a stricter level never asks
    for less or, for the demand ``doubt``, that a smaller number leaves more doubt.
    """
    more = _("A stricter level never asks for less.")
    if weaker.key == "doubt":
        more = _("A smaller number leaves more doubt.")
    less = _(
        "The level {stricter} would protect less than {weaker} ({key}: {asks} instead of {than}).",
        stricter=Term(label_level(weaker.stricter)),
        weaker=Term(label_level(weaker.weaker)),
        key=Term(label_demand(weaker.key)),
        asks=Term(format_demand(weaker.key, weaker.asks)),
        than=Term(format_demand(weaker.key, weaker.than)),
    )
    return f"{less} {more}"
