"""`mondrian`: groups of similar records whose members all show the same quasi-identifiers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, ClassVar

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Ints
from ppdm_desktop.engine.errors import InputError
from ppdm_desktop.engine.identifiability.classes import count_class_people
from ppdm_desktop.engine.methods.algorithms.generalisation.cutting import (
    DISTINCT,
    ENTROPY,
    Diversity,
    Refuses,
    Secret,
    cut_classes,
)
from ppdm_desktop.engine.methods.algorithms.generalisation.labels import CENTRE, RANGES, Grouping, label_classes
from ppdm_desktop.engine.methods.algorithms.generalisation.recount import (
    GROUPS_LARGE_ENOUGH,
    GroupMethod,
    find_demanded_sizes,
    find_released_set_sizes,
    level_proofs,
    make_protections,
    treated_classes,
)
from ppdm_desktop.engine.methods.algorithms.generalisation.scales import scale_of
from ppdm_desktop.engine.methods.algorithms.swapping.recount import same_values
from ppdm_desktop.engine.methods.base.declaration import Family, FigureLine, Knob, KnobKind, labelled_lines, register
from ppdm_desktop.engine.methods.base.parameters import (
    KNOWN_BY_NUMBER,
    LARGER_HIDES_MORE,
    OFF,
    SMALLER_HIDES_MORE,
    ChoiceParameter,
    FlagParameter,
    NumberParameter,
    make_largest_share_parameter,
    make_smallest_group_parameter,
)
from ppdm_desktop.engine.methods.base.step import (
    PAPER,
    SAFE,
    Guarantee,
    Profiles,
    Recount,
    Settings,
    StepResult,
    Suggestion,
    Used,
    suggest_groups,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.table.column import Table
from ppdm_desktop.engine.table.people import People
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Names, Number, Value

_SHOWING = "progress.method.write"


@register
class Mondrian(GroupMethod):
    """Cut the table into classes and show each class's range (LeFevre, DeWitt & Ramakrishnan, ICDE 2006).

    Beyond the paper, each class is as large as its most demanding member's privacy level demands. A column can be cut
    at the allowed position nearest to its middle, or at another share of the class. l-diversity (Machanavajjhala et al.
    2007) and t-closeness (Li et al. 2007) hold for every confidential column.
    """

    id = "mondrian"
    title = lazy("Give people in a group the same details")
    paper = lazy(
        "K. LeFevre, D. J. DeWitt, R. Ramakrishnan, Mondrian Multidimensional K-Anonymity, ICDE 2006; "
        "A. Machanavajjhala et al., l-Diversity, ACM TKDD 1(1), 2007; N. Li, T. Li, S. Venkatasubramanian, "
        "t-Closeness, ICDE 2007"
    )
    summary = lazy(
        "Forms groups of similar people and shows the range or set of values of the whole group "
        "instead of exact details. Nobody can be distinguished from the others in the group by "
        "these details."
    )
    promises = (
        GROUPS_LARGE_ENOUGH,
        lazy(
            "If you ask for it, every group has several confidential values, or nearly the same "
            "mixture as the whole table."
        ),
        lazy("The true value of each record lies in what is shown, and no other column changes."),
    )
    limits = (
        lazy(
            "With l = 1, everyone in a group may have the same confidential value, which is then "
            "revealed for all of them."
        ),
        lazy("Anyone who knows one person’s confidential value learns more about the others in the group."),
        lazy("A second release of the same people with other groups can be combined with this one."),
        lazy("With many columns, ranges become wide. No program can find the best groups of a large table."),
        lazy("Texts without a list of broader values are grouped by how often they occur, not by what they mean."),
        lazy(
            "A range goes from the lowest to the highest value of its group. At the ends of the "
            "whole column it goes to the possible value, or is open."
        ),
        lazy(
            "If people have several rows, groups are counted in people, and a person’s rows can show "
            "different groups. An unusual number of rows can still make a person recognisable."
        ),
    )
    expert = (
        lazy(
            "Entropy l-diversity: the exponential of the entropy of the confidential values in a group is at least l."
        ),
    )
    recipients_learn = lazy("Each value was replaced by a range or a set that contains it.")
    family = Family.GROUPS
    knobs = (
        Knob(KnobKind.VALUES_IN_GROUP, "most", (0.9, 0.8, 0.7)),
        Knob(KnobKind.GROUP_SIZE, "k", (None, 10, 20)),
        Knob(KnobKind.CLOSENESS, "t", (None, 0.3, 0.2)),
        Knob(KnobKind.GROUP_COLUMNS, notches=(None, None)),
    )
    treatment = lazy("generalisation (local, in groups)")
    leaves_values = "true"
    kinds = frozenset({"numeric", "ordinal", "nominal", "date"})
    public_parameters = frozenset({"k", "l", "l_kind", "t", "most", "strict", "show"})
    figure_labels: ClassVar[Mapping[str, Sentence]] = {
        "classes": lazy("Groups with the same details"),
        "smallest": lazy("People in the smallest group"),
        "average": lazy("People in the average group"),
        "largest": lazy("People in the largest group"),
        "cut_classes": lazy("Groups formed, before those with the same values were merged"),
    }
    profiles: ClassVar[Profiles] = {PAPER: {"l": 1}, SAFE: {}}
    paper_fault = lazy(
        "Everyone in a group can have the same confidential value. In the Pima data this reveals it for 18% of the "
        "people with groups of 3."
    )
    paper_price = lazy("Two different values in each group make ranges wider, most of all where one value is rare.")
    parameters = (
        make_smallest_group_parameter(),
        NumberParameter(
            name="l",
            label=lazy("Different confidential values"),
            help=lazy(
                "The smallest number of different values that a group has in each confidential column (l-diversity)."
            ),
            effect=LARGER_HIDES_MORE,
            default=2,
            low=1,
        ),
        ChoiceParameter(
            name="l_kind",
            label=lazy("How to count them"),
            help=lazy("Whether values are only counted, or must also be about equally frequent."),
            default=DISTINCT,
            choices={
                DISTINCT: lazy("Values are counted."),
                ENTROPY: lazy("As uncertain as this many equally frequent values."),
            },
            names={
                DISTINCT: lazy("each value counts once"),
                ENTROPY: lazy("rare values count less (entropy)"),
            },
            advanced=True,
            checked_with={"l_kind": "entropy", "l": 2.98},
        ),
        NumberParameter(
            name="t",
            label=lazy("Distance from the whole table"),
            help=lazy(
                "How far each group’s mixture of confidential values may differ from the whole table (t-closeness)."
            ),
            effect=SMALLER_HIDES_MORE,
            default=OFF,
            low=0,
            high=1,
            words={OFF: lazy("Not required.")},
            names={OFF: lazy("not required")},
            advanced=True,
        ),
        make_largest_share_parameter(
            help=lazy("In every group, fewer people than this share have the same confidential value."),
            effect=SMALLER_HIDES_MORE,
        ),
        FlagParameter(
            name="strict",
            label=lazy("Keep equal values together"),
            help=lazy("Records with the same value always stay on the same side of a cut."),
            effect=lazy(
                "If off, groups can also be cut among equal values, by row number. They become smaller, "
                "and ranges may overlap."
            ),
            default=True,
            advanced=True,
            checked_with={"strict": False, "k": 3, "roles": KNOWN_BY_NUMBER},
        ),
        ChoiceParameter(
            name="show",
            label=lazy("What a group shows"),
            help=lazy("What replaces the values of the members."),
            default=RANGES,
            choices={
                RANGES: lazy("The range or the set of its values."),
                CENTRE: lazy("The mean of numbers, the middle of ranked values, otherwise the most frequent value."),
            },
            names={RANGES: lazy("ranges"), CENTRE: lazy("one middle value")},
            advanced=True,
        ),
    )

    def shows_disjoint_sets(self, settings: Settings) -> bool:
        """Return whether the combinations of values that classes show stand for sets of true ones that do not overlap.

        That is so if records with equal values always stay together (``strict``).
        """
        return bool(settings.values["strict"])

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return a note on confidential columns that a class may reveal.

        Raise an error if no classes can meet the demands. A class may reveal a column if neither ``l`` nor ``most``
        demands several values, or if the column has a single value.

        Raises
        ------
        RecipeError
            When a quasi-identifier is left out, a treated column changes within people whose rows can be linked, or a
            confidential column is treated.
        InputError
            When the table has fewer people than a class needs, or a confidential column has fewer different values than
            an ``l`` set in the recipe demands (a default ``l`` is lowered instead); where rows can be linked, also when
            the people with one number of rows are too few, or not diverse enough.
        """
        self.refuse_too_few_people(table, settings)
        if table.persons.linked:
            _refuse_uniform_row_counts(table, settings, table.persons)
        secrets = _list_secrets(table, table.persons)
        for secret in secrets:
            reached = secret.reachable(str(settings.values["l_kind"]), float(settings.values["l"]))
            if "l" in settings.written and float(settings.values["l"]) > reached + 1e-9:
                arguments: dict[str, Value] = {"l": Number(float(settings.values["l"])), "reached": Number(reached)}
                raise InputError("error.mondrian.too-uniform", column=secret.name, args=arguments)
        wanted = _read_diversity(settings)
        asks_nothing = wanted.l <= 1 and wanted.most is None
        one_valued = [secret.name for secret in secrets if asks_nothing or len(secret.shares) < 2]
        return (Note("note.mondrian.one-valued", {"columns": Names.of(one_valued)}),) if one_valued else ()

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return two suggestions: groups as large as the privacy levels demand, and of four times the least demand."""
        return suggest_groups(table, lambda group: lazy("Same details in groups of {group}", group=group), "k")

    def values_note(self, settings: Settings) -> Sentence:
        """Return what the note for the recipient says: that values are ranges of groups, or single middle values."""
        if settings.values["show"] == CENTRE:
            return lazy("Each value was replaced by one middle value of a group of similar records.")
        return self.recipients_learn

    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note on the smallest number of records that will show the same details.

        If the privacy levels demand different sizes, it also names the largest.
        """
        demands = find_demanded_sizes(table, settings, "k")
        least, most = int(demands.min(initial=demands.max(initial=0))), int(demands.max(initial=0))
        arguments: dict[str, Value] = {"columns": Names.of(settings.columns), "least": least, "most": most}
        return Note("note.mondrian.effect" if least == most else "note.mondrian.effect-levels", arguments)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the group sizes demanded at each privacy level, then l for each column that cannot reach the wanted l.

        The parameter l is the number of different confidential values in each group. Such a column's entry has the
        largest l that it can reach, and the wanted one (``asked``).
        """
        yield from super()._list_used_values(table, settings, detail)
        asked = _read_diversity(settings)
        for secret in _list_secrets(table, table.persons):
            reached = _limit_diversity(asked, secret).l
            if reached < asked.l:
                yield Used("l", reached, "table", column=secret.name, asked=asked.l)

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the names of parameters that have no effect.

        They are ``l``, ``l_kind``, ``t`` and ``most`` if there is no confidential column (free text does not count),
        otherwise ``l_kind``, the way of counting different values, if l is at most 1.
        """
        if not _list_secrets(table, table.persons):
            return frozenset({"l", "l_kind", "t", "most"})
        return frozenset({"l_kind"} if settings.values["l"] <= 1 else ())

    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the table with the values of each record in the step's columns replaced by the range of its class.

        A class is a group of records that are near to each other. Names show a set or a broader value, and a value that
        the whole class has stays. With ``show`` set to one middle value, this is shown instead. It makes no random
        draws. All rows count as protected. The step's figures are the number of classes, the people in the smallest,
        average and largest, and the number of classes before those that show the same were counted as one. The errors
        are those of ``check``, and InputError if a shown text would be read as a missing value.
        """
        self.check(table, settings)
        scales = [scale_of(table.column(name)) for name in settings.columns]
        ids = progress.part(0.0, 0.8).run(
            cut_classes,
            scales,
            find_demanded_sizes(table, settings, "k"),
            strict=bool(settings.values["strict"]),
            refuses=_make_diversity_test(table, settings),
            people=table.persons,
        )
        grouping = Grouping.of(ids)
        columns = []
        for index, scale in enumerate(scales):
            progress.report(0.8 + 0.2 * index / len(scales), _SHOWING)
            columns.append(label_classes(scale, grouping, settings.values["show"]) if table.rows else scale.column)
        after = table.replacing(*columns)
        classes = treated_classes(after, settings)
        sizes = count_class_people(classes, table.persons)
        detail = {
            "classes": classes.count,
            "smallest": int(find_released_set_sizes(classes, table.persons).min(initial=table.rows)),
            "average": float(sizes.mean()) if len(sizes) else 0.0,
            "largest": int(sizes.max(initial=0)),
            "cut_classes": grouping.count,
        }
        progress.report(1.0, _SHOWING)
        everybody = np.ones(table.rows, dtype=np.bool_)
        return StepResult(after, make_protections(settings.columns, classes.ids, everybody), detail)

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return the numbers and sizes of the groups with labels.

        The number of groups before equal ones were merged is left out if it is the same.
        """
        average, cut = Number(detail["average"]), detail["cut_classes"]
        formed = None if cut == detail["classes"] else cut
        return labelled_lines({**detail, "average": average, "cut_classes": formed}, self.figure_labels)

    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether each class is large and diverse enough, and shows its members' true range (or middle value).

        A class is here all records that show the same. Its size must be at least what each member demands, its
        diversity what the settings demand of each confidential column (with l lowered to what the column can reach).
        ``worst`` is the number of people in the smallest class.
        """
        demands = find_demanded_sizes(before, settings, "k")
        classes = treated_classes(after, settings)
        sizes = find_released_set_sizes(classes, before.persons)
        off = int(np.count_nonzero(sizes < demands))
        asked = _read_diversity(settings)
        for secret in _list_secrets(after, before.persons):
            diversity = _limit_diversity(asked, secret)
            if diversity.asks:
                off += int(np.count_nonzero(diversity.broken(secret, classes.ids, classes.count)[classes.ids]))
        grouping = Grouping.of(classes.ids)
        for name in settings.columns:
            if before.rows:
                expected = label_classes(scale_of(before.column(name)), grouping, settings.values["show"])
                off += int(np.count_nonzero(~same_values(expected, after.column(name))))
        proofs = level_proofs(before, settings.columns, demands, sizes, firm=True)
        return Recount(Guarantee("file", off == 0, before.rows, float(sizes.min(initial=before.rows))), proofs)


def _refuse_uniform_row_counts(table: Table, settings: Settings, people: People) -> None:
    """Raise InputError if people with one number of rows lack the required diversity of confidential values.

    Recipients who can link rows see that number. The error names the smallest such number of rows.
    """
    refuses = _make_diversity_test(table, settings)
    uniform = None if refuses is None else refuses(people.sizes[people.of_row], people.most_rows + 1)
    if uniform is not None and uniform.any():
        raise InputError("error.mondrian.uniform-by-number", args={"rows": int(np.argmax(uniform))})


def _list_secrets(table: Table, people: People) -> list[Secret]:
    """Return the values of each confidential column by person, without columns of free text."""
    return [Secret.of(column, people) for column in table.with_role("confidential") if column.kind != "text"]


def _read_diversity(settings: Settings) -> Diversity:
    """Return the diversity that the settings require; its ``t`` and ``most`` are None if they are off."""
    t, most = (None if settings.values[name] == OFF else float(settings.values[name]) for name in ("t", "most"))
    return Diversity(float(settings.values["l"]), str(settings.values["l_kind"]), t, most)


def _limit_diversity(asked: Diversity, secret: Secret) -> Diversity:
    """Return the required diversity with l reduced to what the column can reach.

    An l that the recipe writes is never reduced, because ``check`` refuses it if it is out of reach.
    """
    return replace(asked, l=min(asked.l, secret.reachable(asked.kind, asked.l)))


def _make_diversity_test(table: Table, settings: Settings) -> Refuses | None:
    """Return a function that says which groups lack the required diversity; None if only the size of groups counts.

    The function takes the group of each record (-1 for none) and the number of groups; it returns bool, shape
    (groups,). An l above what a column can reach is lowered for that column.
    """
    asked = _read_diversity(settings)
    pairs = [(_limit_diversity(asked, secret), secret) for secret in _list_secrets(table, table.persons)]
    wanted = [(diversity, secret) for diversity, secret in pairs if diversity.asks]
    if not wanted:
        return None

    def refuses(group: Ints, count: int) -> Bools:
        """Return which groups lack the diversity required of any confidential column, bool, shape (count,)."""
        broken = np.zeros(count, dtype=np.bool_)
        for diversity, secret in wanted:
            broken |= diversity.broken(secret, group, count)
        return broken

    return refuses
