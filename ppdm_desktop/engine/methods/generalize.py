"""`generalize`: replaces all values of a column by broader ones, by the same rule for every record."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.identifiability.classes import quasi_identifier_classes
from ppdm_desktop.engine.methods.algorithms.generalisation import recoding
from ppdm_desktop.engine.methods.algorithms.generalisation.recoding import Recoding
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    GeneralisingMethod,
    find_released_set_sizes,
    level_proofs,
    make_protections,
)
from ppdm_desktop.engine.methods.algorithms.swapping.recount import levels_of, same_values
from ppdm_desktop.engine.methods.base.declaration import Family, FigureLine, labelled_lines, register
from ppdm_desktop.engine.methods.base.parameters import (
    LARGER_HIDES_MORE,
    SMALLER_HIDES_MORE,
    ColumnBoundsParameter,
    ColumnNumbersParameter,
)
from ppdm_desktop.engine.methods.base.step import Guarantee, Recount, Settings, StepResult, Suggestion, Used
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.generalised_texts import code_length
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note, describe_kind, describe_kinds
from ppdm_desktop.engine.wording.values import Name, Names, Term, Terms, Value

AUTOMATIC = "automatic"
_DOING = "progress.method.write"
_RARE, _RARE_SHARE = "rare", 0.1
_FEWEST = "fewest"
# What a parameter can do to which kinds of column; the first that names a column decides.
_FITTING: Mapping[str, frozenset[str]] = {
    "level": frozenset({"numeric", "ordinal", "nominal", "date"}),
    "width": frozenset({"numeric"}),
    "ranges": frozenset({"numeric", "ordinal"}),
    "weeks": frozenset({"date"}),
    "months": frozenset({"date"}),
    "characters": frozenset({"nominal", "ordinal"}),
    _RARE: frozenset({"nominal"}),
}

_PERIODS: Mapping[str, tuple[int, ...]] = {"weeks": (1,), "months": recoding.MONTHS}


@register
class Generalize(GeneralisingMethod):
    """Generalise values column by column, with the same rule for every record (Samarati 2001; Sweeney 2002)."""

    id = "generalize"
    title = lazy("Use broader values")
    paper = lazy("P. Samarati, Protecting Respondents’ Identities in Microdata Release, IEEE TKDE 13(6), 2001")
    summary = lazy(
        "Replaces each value of a column by a broader one: numbers by ranges, dates by months or "
        "years, postcodes by their first characters, places by regions."
    )
    promises = (
        lazy("Every released value is a broader form of the true one, by the same rule for all records."),
        lazy("No other column changes, and missing values stay missing."),
    )
    limits = (
        lazy("It does not make sure that enough people have the same details. A later step must remove rare records."),
        lazy("One rule applies to everyone, so common values become broader than they need to be."),
        lazy(
            "Without a rule of your own, the ranges follow the values in the file. Their ends are "
            "round numbers or open."
        ),
        lazy("Texts without a list of broader values are only grouped if they are rare."),
        lazy("If people have several rows, each row is treated separately."),
    )
    recipients_learn = lazy("Each value was replaced by a broader one that contains it.")
    family = Family.TRUE_VALUES
    record_by_record = True
    broadens_values = True
    treatment = lazy("generalisation (one rule for the column)")
    leaves_values = "true"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date"})
    public_parameters = frozenset({"level", "width", "ranges", "ends", "weeks", "months", _FEWEST, "characters", _RARE})
    counts = "values"
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "classes": lazy("Groups with the same details"),
        "smallest": lazy("People in the smallest group"),
    }
    parameters = (
        ColumnNumbersParameter(
            name="width",
            label=lazy("Width of ranges"),
            help=lazy("Numbers become ranges of this width, which start at its multiples."),
            effect=LARGER_HIDES_MORE,
            default=AUTOMATIC,
            words={AUTOMATIC: lazy("A round width that gives about ten ranges.")},
            names={AUTOMATIC: lazy("automatic")},
            checked_with={"width": 50, "roles": {"Number": "quasi-identifier"}},
        ),
        ColumnNumbersParameter(
            name="ranges",
            label=lazy("Number of ranges"),
            help=lazy(
                "Numbers and ranked values become this many ranges, with about the same number of records in each."
            ),
            effect=SMALLER_HIDES_MORE,
            default=AUTOMATIC,
            words={
                AUTOMATIC: lazy("Numbers by width; ranked values in five ranges, or half as many as there are values.")
            },
            names={AUTOMATIC: lazy("automatic")},
            checked_with={"ranges": 3, "roles": {"Number": "quasi-identifier"}},
        ),
        ColumnBoundsParameter(
            name="ends",
            label=lazy("Limits for extreme values"),
            help=lazy(
                "Numbers below the first limit are shown as one value, and so are numbers from the second limit up."
            ),
            default={},
        ),
        ColumnNumbersParameter(
            name="weeks",
            label=lazy("Weeks together"),
            help=lazy("Dates become weeks from Monday to Sunday (1)."),
            default=AUTOMATIC,
            words={AUTOMATIC: lazy("Dates become months or longer periods.")},
            names={AUTOMATIC: lazy("automatic")},
            silent_unless_written=True,
            advanced=True,
            checked_with={"weeks": 1, "roles": {"Day": "quasi-identifier"}},
        ),
        ColumnNumbersParameter(
            name="months",
            label=lazy("Months together"),
            help=lazy("Dates become months (1), quarters (3), years (12) or 5, 10 or 20 years (60, 120, 240)."),
            effect=LARGER_HIDES_MORE,
            default=AUTOMATIC,
            words={AUTOMATIC: lazy("Depends on how many years the dates cover.")},
            names={AUTOMATIC: lazy("automatic")},
            checked_with={"months": 1, "roles": {"Day": "quasi-identifier"}},
        ),
        ColumnNumbersParameter(
            name=_FEWEST,
            label=lazy("Fewest records in a period"),
            help=lazy("Neighbouring weeks, months or longer periods are joined until each has this many records."),
            effect=LARGER_HIDES_MORE,
            default=1,
            silent_unless_written=True,
            advanced=True,
            checked_with={"fewest": 20, "months": 1, "roles": {"Day": "quasi-identifier"}},
        ),
        ColumnNumbersParameter(
            name="characters",
            label=lazy("First characters kept"),
            help=lazy("Codes such as postcodes keep this many characters. Each of the others becomes *."),
            effect=SMALLER_HIDES_MORE,
            default=AUTOMATIC,
            words={AUTOMATIC: lazy("All but the last two, if all codes have the same length and are mostly digits.")},
            names={AUTOMATIC: lazy("automatic")},
        ),
        ColumnNumbersParameter(
            name="level",
            label=lazy("Level of broader values"),
            help=lazy(
                "Values are replaced by those of this level; 1 is closest to the values. Dates, numbers "
                "and codes have a list of broader values by themselves."
            ),
            effect=LARGER_HIDES_MORE,
            default=AUTOMATIC,
            words={AUTOMATIC: lazy("1, if there is a list of broader values.")},
            names={AUTOMATIC: lazy("automatic")},
        ),
        ColumnNumbersParameter(
            name=_RARE,
            label=lazy("Group rare texts"),
            help=lazy(
                "In texts without a list of broader values, the rarest become one value. Together they "
                "make up at most this share of the records."
            ),
            effect=LARGER_HIDES_MORE,
            default=_RARE_SHARE,
            is_share=True,
            advanced=True,
            checked_with={"rare": 0.5, "roles": {"Other": "quasi-identifier"}},
        ),
    )

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note on columns that stay unchanged; refuse rules that do not fit a column.

        Raises
        ------
        RecipeError
            For a rule that names a column of another kind or has an unfit number, or two rules for one column.
        InputError
            When a rule would leave one range or more than 10,000, or names a level the hierarchy does not have.
        """
        same = []
        for name in settings.columns:
            column = table.column(name)
            if _choose_rule(column, settings).texts == tuple(column.categories) and column.categories:
                same.append(name)
        return (Note("note.generalize.unchanged", {"columns": Names.of(same)}),) if same else ()

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return two suggestions: the default rules, and broader ones with four ranges and more rare texts grouped."""
        return (
            Suggestion(lazy("Broader values")),
            Suggestion(lazy("Much broader values"), {"ranges": 4, "rare": 0.25}),
        )

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the rule of each column, and how many different values it has before and after.

        The errors are those of ``check``.
        """
        parts = []
        for name in settings.columns:
            column = table.column(name)
            rule = _choose_rule(column, settings)
            parts.append(
                lazy(
                    "{column}: {how} ({before} → {after})",
                    column=Name(name),
                    how=rule.how,
                    before=len(column.categories),
                    after=len(set(rule.texts)),
                )
            )
        return Note("note.generalize.effect", {"columns": Terms(tuple(parts))})

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the names of parameters that have no effect on any of the step's columns.

        The limits for extreme values (``ends``) have none where a level decides, and the fewest records in a period
        (``fewest``) none unless the recipe sets them for a column of dates in periods. RecipeError if a rule names a
        column of another kind, or two rules name one column.
        """
        effective, fewest = set[str](), settings.values[_FEWEST]
        for name in settings.columns:
            column = table.column(name)
            decided = _find_deciding_parameter(column, settings)
            key = _RARE if decided is None and column.kind == "nominal" else decided and decided[0]
            effective |= {key} if key else set()
            if name in settings.values["ends"] and key != "level":
                effective.add("ends")
            if key in _PERIODS and _FEWEST in settings.written and (not isinstance(fewest, Mapping) or name in fewest):
                effective.add(_FEWEST)
        return frozenset({*_FITTING, "ends", _FEWEST} - effective)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield, for each column, the parameter that decides its rule, its value, and who set it: recipe or data.

        Columns whose rule no parameter decides are left out. The entry has no column name if the step treats only one.
        """
        for name in settings.columns:
            decided = _find_deciding_parameter(table.column(name), settings)
            if decided is not None:
                key, value, is_set = decided
                number = int(value) if value.is_integer() else value
                column = None if len(settings.columns) == 1 else name
                yield Used(key, number, "set" if is_set else "data", column=column)

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with the values of each column generalised; it makes no random draws.

        A row counts as protected if as many people as its privacy level demands have the same quasi-identifiers. The
        step's figures are, by column, the rule and the number of values before and after, then the number of groups
        with equal quasi-identifiers and the size of the smallest. The errors are those of ``check``, and InputError if
        a broader text would be read as a missing value.
        """
        self.check(table, settings)
        changed, detail = [], {}
        for index, name in enumerate(settings.columns):
            progress.report(index / len(settings.columns), _DOING)
            column = table.column(name)
            rule = _choose_rule(column, settings)
            changed.append(rule.applied(column))
            counts = {"before": len(column.categories), "after": len(set(rule.texts))}
            detail[name] = {"how": rule.how_as_data, "rule": rule.how_by_parts, **counts}
        after = table.replacing(*changed)
        classes = quasi_identifier_classes(after)
        set_sizes = find_released_set_sizes(classes, table.persons)
        protected = set_sizes >= levels_of(table).of("group")
        progress.report(1.0, _DOING)
        figures = {"columns": detail, "classes": classes.count, "smallest": int(set_sizes.min(initial=after.rows))}
        return StepResult(after, make_protections(settings.columns, classes.ids, np.asarray(protected)), figures)

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return the figures of a step with labels.

        They are, for each column, the rule and the number of different values before and after, then the number of
        groups with equal quasi-identifiers, and how many people the smallest has.
        """
        rules = [
            FigureLine(
                Term(name),
                lazy(
                    "{how}: {after} different {after:value|values} instead of {before}",
                    how=Term(recoding.describe_rule(figures)),
                    before=int(figures["before"]),
                    after=int(figures["after"]),
                ),
            )
            for name, figures in detail["columns"].items()
        ]
        return [*rules, *labelled_lines(detail, self.figure_labels)]

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether each released value is the generalised true one, with the group sizes at each privacy level.

        The promise is only that values are generalised: small groups do not break it. ``worst`` is the number of people
        in the smallest group with equal quasi-identifiers.
        """
        off = 0
        for name in settings.columns:
            column = before.column(name)
            expected = _choose_rule(column, settings).applied(column)
            off += int(np.count_nonzero(~same_values(expected, after.column(name))))
        classes = quasi_identifier_classes(after)
        demands = levels_of(before).of("group").astype(np.int64)
        set_sizes = find_released_set_sizes(classes, before.persons)
        proofs = level_proofs(before, settings.columns, demands, set_sizes, firm=False)
        checked = before.rows * len(settings.columns)
        worst = float(set_sizes.min(initial=before.rows))
        return Recount(Guarantee("file+original", off == 0, checked, worst), proofs)


def _choose_rule(column: Column, settings: Settings) -> Recoding:
    """Return the rule for a column: the one that the parameters set, or else the default for its kind.

    Limits for extreme values (``ends``) can be combined with a width or a number of ranges. Without another parameter,
    only the values beyond the limits are grouped. With a level, the limits have no effect. Without any, the rule is
    that of ``_choose_usual_parameter``; if there is no such parameter, numbers and ordered categories stay unchanged,
    and texts keep their frequent values, while the rarest ones, together at most the share ``rare`` of the records (0.1
    by default) but at least two values, become one; fewer than three values stay.

    Raises
    ------
    RecipeError
        When a parameter or its number does not fit the column, two parameters name it, or there are limits for a column
        that is not numeric.
    InputError
        When the rule would leave a single range or more than 10,000, or names a level that the hierarchy does not have.
    """
    asked = _find_set_parameter(column, settings)
    ends = _read_end_limits(column, settings)
    if asked is not None:
        return _make_rule(column, settings, *asked, ends)
    if not column.categories:
        return Recoding((), None, lazy("no values"))
    if ends is not None:
        return recoding.recode_ends(column, ends)
    usual = _choose_usual_parameter(column)
    if usual is not None:
        return _make_rule(column, settings, *usual, None)
    if column.kind in _FITTING["ranges"]:
        return Recoding(tuple(column.categories), None, lazy("left as it is"))
    share = settings.values[_RARE]
    return recoding.recode_rare_names(column, _RARE_SHARE if isinstance(share, Mapping) else float(share))


def _make_rule(
    column: Column, settings: Settings, key: str, value: Decimal | float, ends: tuple[Decimal, Decimal] | None
) -> Recoding:
    """Return the rule that one parameter, such as ``width``, makes of its value for a column, within limits ``ends``.

    RecipeError if the value is not one that the parameter can have, or the parameter ``fewest``, which dates use, is
    not a whole number from 1.
    """
    if key == "width":
        cuts = recoding.width_cuts(column, Decimal(str(value)), ends)
        return recoding.recode_by_cuts(column, cuts, recoding.describe_range_width(value))
    if key == _RARE:
        return recoding.recode_rare_names(column, float(value))
    whole = _to_whole_number(column, key, float(value))
    if key == "level":
        return recoding.recode_by_level(column, whole)
    if key in _PERIODS:
        if whole not in _PERIODS[key]:
            possible = Term(", ".join(map(str, _PERIODS[key])))
            arguments: dict[str, Value] = {"key": Term(key), "found": whole, "possible": possible}
            raise RecipeError("error.generalize.period", column=column.name, args=arguments)
        return _make_period_rule(column, settings, None if key == "weeks" else whole)
    if key == "characters":
        return recoding.recode_by_prefix(column, whole)
    if column.kind == "ordinal":
        return recoding.recode_ordered_groups(column, whole)
    cuts = recoding.frequency_cuts(column, whole)
    inner = cuts if ends is None else sorted({*(cut for cut in cuts if ends[0] < cut < ends[1]), *ends})
    how = lazy("{n} ranges with about the same number of records", n=len(inner) + 1)
    return recoding.recode_by_cuts(column, inner, how)


def _find_set_parameter(column: Column, settings: Settings) -> tuple[str, float] | None:
    """Return the name and value of the parameter that the recipe sets for a column; None if it sets none that fits.

    A parameter that names the column takes precedence over one for all columns; of several for all columns, the first
    that suits the column is taken, in the order level, width, ranges, weeks, months, characters. A share of rare texts
    for all columns does not count, nor do ``ends`` and ``fewest``. RecipeError if a parameter that names the column is
    for another kind, or if two name it.
    """
    named, general = [], []
    for key, kinds in _FITTING.items():
        value = settings.values[key]
        if isinstance(value, Mapping):
            if column.name in value:
                if column.kind not in kinds:
                    raise _make_kind_error(column, key, kinds)
                named.append((key, float(value[column.name])))
        elif isinstance(value, int | float) and column.kind in kinds and key != _RARE:
            general.append((key, float(value)))
    if len(named) > 1:
        arguments: dict[str, Value] = {"one": Term(named[0][0]), "other": Term(named[1][0])}
        raise RecipeError("error.generalize.two-rules", column=column.name, args=arguments)
    return named[0] if named else _find_fitting_parameter(column, general)


def _find_fitting_parameter(column: Column, general: list[tuple[str, float]]) -> tuple[str, float] | None:
    """Return the name and value of the first of some parameters that suits a column; None if none does.

    ``general`` are the names and values of parameters set for all columns that fit this column's kind. A level suits
    columns with a hierarchy, or whose values (dates, numbers, codes) imply one, a number of characters suits codes that
    all have the same length, and any other parameter suits.
    """
    for key, value in general:
        if key == "level" and column.hierarchy is None and not recoding.inferred_levels(column):
            continue
        if key == "characters" and code_length(column) is None:
            continue
        return key, value
    return None


def _make_kind_error(column: Column, key: str, kinds: Iterable[str]) -> RecipeError:
    """Return the error for a parameter that names a column of another kind than those it is for."""
    kind = describe_kind(column.kind)
    arguments: dict[str, Value] = {"key": Term(key), "kind": kind, "kinds": describe_kinds(kinds)}
    return RecipeError("error.generalize.unfit", column=column.name, args=arguments)


def _read_end_limits(column: Column, settings: Settings) -> tuple[Decimal, Decimal] | None:
    """Return the limits (low, high) beyond which a column's values are grouped; None if the settings have none for it.

    With 18 and 65, values below 18 are grouped, and values from 65 on. RecipeError if there are limits for a column
    that is not numeric.
    """
    pair = settings.values["ends"].get(column.name)
    if pair is None:
        return None
    if column.kind != "numeric":
        raise _make_kind_error(column, "ends", ["numeric"])
    return Decimal(repr(pair[0])), Decimal(repr(pair[1]))


def _make_period_rule(column: Column, settings: Settings, months: int | None) -> Recoding:
    """Return the rule that replaces dates by periods of some months, or by weeks if ``months`` is None.

    Neighbouring periods are joined until each has at least as many records as the parameter ``fewest`` says. If it has
    numbers for single columns and none for this one, it counts as 1. RecipeError if it is not a whole number from 1.
    """
    asked = settings.values[_FEWEST]
    number = asked.get(column.name, 1) if isinstance(asked, Mapping) else asked
    fewest = _to_whole_number(column, _FEWEST, float(number))
    if months is None:
        return recoding.recode_by_weeks(column, fewest)
    return recoding.recode_by_months(column, months, fewest)


def _to_whole_number(column: Column, key: str, value: float) -> int:
    """Return a parameter's value as a whole number; RecipeError for fractions, and for values below the minimum.

    The minimum is 2 for ``ranges`` and 1 for all other parameters.
    """
    least = 2 if key == "ranges" else 1
    if not float(value).is_integer() or value < least:
        arguments: dict[str, Value] = {"key": Term(key), "least": least, "found": Term(f"{value:g}")}
        raise RecipeError("error.generalize.whole", column=column.name, args=arguments)
    return int(value)


def _choose_usual_parameter(column: Column) -> tuple[str, Decimal | int] | None:
    """Return the parameter that decides a column's default rule, and its value; None if no parameter does.

    - A column with a hierarchy: level 1.
    - Numbers: a width that gives about ten ranges; None if they have too few values for ranges.
    - Dates: 1, 3 or 12 months, the more the longer their span.
    - Ordered categories: half as many ranges, rounded up, at most five (5 categories give 3); None for fewer than
      three.
    - Other texts: codes of one length lose their last two characters (of 5 characters, 3 are kept); None if they are no
      codes of one length.
    """
    if column.hierarchy is not None:
        return "level", 1
    if column.kind == "numeric":
        width = recoding.nice_width(column)
        return ("width", width) if recoding.width_cuts(column, width, None) else None
    if column.kind == "date":
        return "months", recoding.choose_months(column)
    if column.kind == "ordinal":
        count = min(5, (len(column.categories) + 1) // 2)
        return ("ranges", count) if count > 1 else None
    length = code_length(column)
    return None if length is None else ("characters", length - 2)


def _find_deciding_parameter(column: Column, settings: Settings) -> tuple[str, float, bool] | None:
    """Return the parameter that decides a column's rule, its value, and whether the recipe sets it; None if none does.

    None is the result for a column without values, with limits for extreme values only, or with a default rule that
    needs no parameter.
    """
    asked = _find_set_parameter(column, settings)
    if asked is not None:
        return *asked, True
    usual = None if not column.categories or column.name in settings.values["ends"] else _choose_usual_parameter(column)
    return None if usual is None else (usual[0], float(usual[1]), False)
