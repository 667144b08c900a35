"""The base class of all protection methods, in which every method declares what it does, takes and promises.

Validation of recipes, the help, the command line's listing, the window's form and the tests of wrong settings are all
built from these declarations; there is no second list.

The module also has the registry that finds every declared method, the families of versions of a release that the
program plans by itself, the parameters ("knobs") that planning makes stricter until a version passes all checks, and
the labelled figures that a step reports.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import Any, ClassVar, Literal, NamedTuple

from ppdm_desktop.engine.arrays import Ints
from ppdm_desktop.engine.errors import RecipeError, SeveralRowsError
from ppdm_desktop.engine.methods.base.parameters import Parameter
from ppdm_desktop.engine.methods.base.step import (
    PAPER,
    CategoryChances,
    Mode,
    Profiles,
    Proposal,
    Protection,
    Recount,
    Settings,
    StepResult,
    Suggestion,
    Used,
    mark_values_of_recipe,
    mode_of,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, ProfileName, StepSection
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.table.rules.numbers import should_keep_codes
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note, describe_kind, describe_kinds, describe_role, describe_roles
from ppdm_desktop.engine.wording.values import Figure, LazyText, Names, Number, Quoted, Ratio, Term, Value

# --- figure lines -------------------------------------------------------------------------


class FigureLine(NamedTuple):
    """One reported figure of a step with its label; ``column`` is empty unless the step treated several columns."""

    label: Sentence | Term
    figure: Value
    column: str = ""


def figure_value(value: object) -> Value:
    """Return a reported figure in the form in which it is shown: 5 as a count, 0.25 as 25%, 1.75 as 1.75, True as yes.

    Only floats between 0 and 1 become shares; whole floats such as 3.0 become counts. Objects that know how they are
    shown (`Figure`, `LazyText`) come back unchanged; any other value becomes its text.
    """
    if isinstance(value, Figure | LazyText):
        return value
    if isinstance(value, bool):
        return lazy("yes") if value else lazy("no")
    if isinstance(value, float) and 0 < value < 1:
        return Ratio(value)
    if isinstance(value, int | float):
        return int(value) if float(value).is_integer() else Number(value)
    return Term(str(value))


def labelled_lines(figures: Mapping[str, Any], labels: Mapping[str, Sentence], column: str = "") -> list[FigureLine]:
    """Return one line for each label whose figure exists, in the order of the labels.

    Parameters
    ----------
    figures
        The figures by key. Figures that are None, or whose key has no label, are left out.
    labels
        The labels by key.
    column
        The column that all the figures describe; empty where the step treated a single column.
    """
    return [
        FigureLine(label, figure_value(figures[key]), column)
        for key, label in labels.items()
        if figures.get(key) is not None
    ]


def figure_lines(detail: Mapping[str, Any], labels: Mapping[str, Sentence]) -> list[FigureLine]:
    """Return the reported figures of a step as lines with labels.

    If ``detail`` has a table under ``columns``, only the labelled figures of each column are returned, and the lines
    name their column if there are several. Otherwise all texts, numbers, truth values and ``Figure`` objects in
    ``detail`` are returned in its order; other values are left out.

    Parameters
    ----------
    detail
        The step's figures by key; under ``columns``, the figures of each column by the column's name.
    labels
        Labels by key. Without figures by column, a key that has no label is shown as words: "no_value" as "No value".
    """
    columns = detail.get("columns")
    if isinstance(columns, Mapping):
        return [
            line
            for name, figures in columns.items()
            if isinstance(figures, Mapping)
            for line in labelled_lines(figures, labels, name if len(columns) > 1 else "")
        ]
    return [
        FigureLine(labels.get(key) or Term(key.replace("_", " ").capitalize()), figure_value(value))
        for key, value in detail.items()
        if isinstance(value, str | int | float | Figure)
    ]


def make_role_error(method: Sentence, column: Column, roles: Iterable[str]) -> RecipeError:
    """Return the error for a column whose role is not among those that a method works on.

    Parameters
    ----------
    method
        The method's title.
    column
        The column.
    roles
        The roles that the method works on.
    """
    args: dict[str, Value] = {
        "method": Term(method),
        "role": describe_role(column.role),
        "roles": describe_roles(roles),
    }
    return RecipeError("error.step.unfit-role", column=column.name, args=args)


# --- declaration --------------------------------------------------------------------------

# --- families -----------------------------------------------------------------------------


class Family(Enum):
    """A kind of released values, such as averages or noisy numbers; versions are planned in the order of the members.

    Attributes
    ----------
    id
        Name on the command line.
    title
        Name of the family on screen.
    for_whom
        Who gets most out of such a version.
    """

    def __init__(self, id: str, title: Sentence, for_whom: Sentence) -> None:
        """Give the member its id, its title and a sentence about the readers whom it suits."""
        self.id, self.title, self.for_whom = id, title, for_whom

    TRUE_VALUES = (
        "true-values",
        lazy("True values, less detail"),
        lazy("For everybody: each value is true, only less exact."),
    )
    GROUPS = (
        "groups",
        lazy("Groups with the same details"),
        lazy("For statisticians: ranges fit the people in each group."),
    )
    AVERAGES = (
        "averages",
        lazy("Averages of small groups"),
        lazy("For work with numbers: means stay as they are."),
    )
    EXCHANGED = (
        "exchanged",
        lazy("Exchanged values"),
        lazy("For counts of categories: totals stay as they are."),
    )
    NOISE = (
        "noise",
        lazy("Numbers with noise"),
        lazy("For models that can allow for known noise."),
    )
    ARTIFICIAL = (
        "artificial",
        lazy("Artificial records"),
        lazy("For teaching, testing and models: no row is a real person."),
    )


class KnobKind(Enum):
    """What a knob changes; every check declares the kinds of knobs that can help it pass, the best kind first."""

    CLOSENESS = auto()  # confidential values in each group more like those of all people
    GROUP_SIZE = auto()  # larger groups of people with the same details
    VALUES_IN_GROUP = auto()  # more different confidential values in each group
    ALL_COLUMNS = auto()  # groups of people with the same details in all released columns that are not confidential
    GROUP_COLUMNS = auto()  # groups formed by all released columns that are not confidential
    AVERAGED = auto()  # confidential numbers shown as averages within groups; no check asks for it
    FEWER_VALUES = auto()  # fewer different values in a column, in the end none
    ENDS = auto()  # the largest and smallest numbers shown together
    ROUNDING = auto()  # numbers rounded to fewer digits
    LEAVE_OUT = auto()  # a column left out
    ALL_ROWS = auto()  # no records left out of groups of one confidential value; no check asks for it
    GAPS = auto()  # records left out that alone have their pattern of empty cells
    EXCHANGE = auto()  # confidential values exchanged between people
    NOISE = auto()  # more noise on numbers
    SOURCE_GROUP = auto()  # larger groups from which artificial records are made


@dataclass(frozen=True)
class Knob:
    """A parameter of a method whose values planning tries one after another, each stricter than the last.

    Attributes
    ----------
    kind
        What the parameter changes.
    parameter
        Name of the parameter; empty where the only choice is whether the step is made.
    notches
        The values to try, mildest first; None stands for the parameter's default. Most knobs start at the first value.
        A knob that is used for single columns starts without its step, and its first change adds the step with the
        first value.
    """

    kind: KnobKind
    parameter: str = ""
    notches: tuple[object, ...] = (None,)


# --- declaration --------------------------------------------------------------------------

_WRITTEN = {True: "true", False: "false"}
"""Truth values as written in TOML."""
Protects = Literal["identity", "attribute", "both", "nothing"]
Correspondence = Literal["record", "group", "none"]
SeveralRows = Literal["people", "rows", "refused"]
Counted = Literal["records", "values"]
WorstIs = Literal["departures", "group", "privacy", "total"]


class TopUpStep(NamedTuple):
    """The id and title of the step by which a report shows that records were added to an earlier release."""

    id: str
    title: Sentence


class Method(ABC):
    """A privacy-preserving method. Each method is one subclass in a module of its own, registered by `register`."""

    id: ClassVar[str]
    order: ClassVar[int] = 0
    """Position among the methods of a family; all other lists are sorted by id."""
    title: ClassVar[Sentence]
    paper: ClassVar[Sentence]
    summary: ClassVar[Sentence]
    promises: ClassVar[tuple[Sentence, ...]]
    limits: ClassVar[tuple[Sentence, ...]]
    """Weaknesses of the method that a data owner has to know before using it."""
    expert: ClassVar[tuple[Sentence, ...]] = ()
    """Remarks for statisticians: errata of the paper, names of learners, symbols."""
    protects: ClassVar[Protects]
    correspondence: ClassVar[Correspondence] = "record"
    treatment: ClassVar[Sentence]
    """ISO/IEC 20889 family, e.g. ``randomisation (permutation)``; reports and data dictionaries keep its English."""
    leaves_values: ClassVar[Literal["unchanged", "true", "changed"]] = "changed"
    """What happens to values that are still shown: ``unchanged`` if the method only removes records or cells, ``true``
    if it may also show them in a broader form, such as a range.
    """
    kinds: ClassVar[frozenset[str]]
    """Column kinds it takes; a binned column counts as ordinal."""
    reads_levels: ClassVar[tuple[str, ...]] = ()
    public_parameters: ClassVar[frozenset[str]] = frozenset()
    """Parameters a recipient may know."""
    attacks: ClassVar[tuple[str, ...]] = ()
    unfit_attacks: ClassVar[tuple[str, ...]] = ()
    """Ids of attacks that are tried on every other release but would reveal nothing about persons in this method's."""
    missing_attacks: ClassVar[Mapping[str, str]] = {}
    """Attacks of ``attacks`` that do not exist yet, by id, each with the text id of its name."""
    record_by_record: ClassVar[bool] = False
    """Whether the treatment of a record needs only totals of other records: then a table need not fit in memory."""
    several_rows: ClassVar[SeveralRows] = "refused"
    """What happens where one person has several rows: ``people`` keeps the promise for whole persons, ``rows`` treats
    each row separately and promises nothing for groups of rows, ``refused`` refuses such tables.
    """
    roles: ClassVar[frozenset[str]] = ATTRIBUTE_ROLES
    """Roles of the columns that the method accepts. A method that protects the attribute and leaves this default
    accepts only confidential columns.
    """
    adds_known_noise: ClassVar[bool] = False
    """Whether the distribution of the added noise may be published. If so, recipients can reconstruct the distributions
    of the columns and get an analysis kit, and the ``detail`` of its result has the same keys as that of two-phase
    noise.
    """
    coarsens_numbers: ClassVar[bool] = False
    """Whether a released number stands for a range of true numbers, as 40 does for 35 to 45 after rounding to tens;
    attacks and measures then read it as the range.
    """
    keeps_differences: ClassVar[bool] = False
    """Whether all dates of one person are moved by the same time, so that the days between them stay true."""
    chances_follow_details: ClassVar[bool] = False
    """Whether the chance that a value becomes another depends on the person's details: then recipients cannot work out
    the true shares of a group's values from those that it shows.
    """
    broadens_values: ClassVar[bool] = False
    """Whether its parameters are the choices of ``generalisation_options``, by column; then a coarser column that was
    tried on the Risk page can be turned into a step of this method.
    """
    invents_numbers: ClassVar[bool] = False
    """Whether it releases numbers that nobody has. Then it treats columns of codes, such as postcodes, only if they are
    named.
    """
    hides_among_numbers: ClassVar[bool] = False
    """Whether numbers single nobody out, however many there are, because no released number is that of one person."""
    keeps_rules: ClassVar[bool] = False
    """Whether its values keep the rules of `table.rules`: then written rules change its random draws."""
    chosen_for: ClassVar[str | None] = None
    """Key of ``detail`` that holds the name of the column for whose prediction the released records were chosen, or
    None if the method does not choose records by prediction. How well learners trained on the release predict this
    column says nothing.
    """
    unknown_file_parameters: ClassVar[Mapping[str, Any] | None] = None
    """Parameters to assume when a file of unknown origin is attacked as if this method had made it; None if its attacks
    are not tried on such files.
    """
    tells_rows_apart: ClassVar[bool] = False
    """Whether its output shows which rows belong to the same person. Such a step comes before all other steps, no other
    step takes its columns, and it cannot be combined with a step that generates records.
    """
    holds_groups: ClassVar[bool] = False
    """Whether its groups stay valid only if no later step changes quasi-identifiers."""
    counted_by_run: ClassVar[bool] = False
    """Whether the released file alone does not show how well each privacy level is met, so that only the method's own
    recount can tell.
    """
    draws_for_people: ClassVar[bool] = False
    """Whether it draws once for each person, so that the recipe has to say which rows belong to one person."""
    removes_records: ClassVar[bool] = False
    """Whether it only removes whole records, which recipients are told once about the file and not for each column."""
    rounding_parameter: ClassVar[str] = ""
    """Name of the setting with the step to which it rounds numbers; "" if it rounds none."""
    counts: ClassVar[Counted] = "records"
    """The unit that its recount compares."""
    worst_is: ClassVar[WorstIs] = "departures"
    """What the worst figure of its recount measures: the number of departures from the promise, the size of the
    smallest group, the largest privacy loss of a record, or the change of a column's total in steps of its grid.
    """
    compares_searches: ClassVar[bool] = False
    """Whether it has search methods that ``frontier`` can compare on a table before the run."""
    private_parameters: ClassVar[frozenset[str]] = frozenset()
    """Parameters whose texts must not be found in what is handed over."""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    profiles: ClassVar[Profiles] = {}
    """The parameters that are written where a recipe says ``profile = "paper"`` or ``"safe"``: the paper's settings,
    and the recommended ones that the form proposes.
    """
    paper_fault: ClassVar[Sentence | None] = None
    """What is wrong with the paper's settings, with a figure."""
    values_label: ClassVar[Sentence | None] = None
    """How a column's values are shown, in words that follow its name; None where the values speak for themselves."""
    recipients_learn: ClassVar[Sentence]
    """What the note for the recipient says about the values of a treated column, whatever other steps did to it."""
    paper_price: ClassVar[Sentence | None] = None
    """What the recommended settings cost compared with the paper's, with a figure."""
    figure_labels: ClassVar[Mapping[str, Sentence]] = {"no_value": lazy("Records without a value")}
    """Labels of the figures in a step's ``detail``, by key, or by key within each of its ``columns``."""
    family: ClassVar[Family | None] = None
    """The family of automatically planned versions that use the method; None for a method that only people choose."""
    knobs: ClassVar[tuple[Knob, ...]] = ()
    """The parameters that planning makes stricter where a version fails a check."""
    top_up: ClassVar[TopUpStep | None] = None
    """The report's step by which records are later added to a release of this method, whose kept statistics must then
    be those of condensation; None where no records can be added.
    """

    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The English texts of a plug-in by text id: title, sentence and remedy. Methods of the program leave it empty,
    because their texts are in the catalogue.
    """

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of the columns that are treated when the recipe names none, in table order.

        They are the confidential columns if the method protects the attribute, otherwise the quasi-identifiers; columns
        of a kind that the method cannot treat are left out.
        """
        wanted = "confidential" if self.protects == "attribute" else "quasi-identifier"
        return tuple(column.name for column in table.with_role(wanted) if column.kind in self.kinds)

    def suggested_columns(self, table: Table) -> tuple[str, ...]:
        """Return the names of the default columns that the method treats by default (see ``takes``)."""
        return tuple(name for name in self.default_columns(table) if self.takes(table, table.column(name)))

    def takes(self, table: Table, column: Column) -> bool:
        """Return whether the method treats a column by default, judged by the column's kind.

        A method that invents numbers also refuses columns whose numbers must stay in the list of their values: by the
        recipe's rule on this list or, without one, because they are probably codes, such as postcodes.
        """
        return column.kind in self.kinds and not (self.invents_numbers and should_keep_codes(table, column))

    def _check_parameter(self, parameter: Parameter | None, name: str, value: object) -> None:
        """Raise RecipeError for a value that does not fit its parameter, or for an unknown ``name``.

        ``parameter`` is None for an unknown name.
        """
        if parameter is None:
            known = Term(", ".join(declared.name for declared in self.parameters))
            raise RecipeError(
                "error.recipe.unknown-parameter", args={"method": Term(self.id), "key": Quoted(name), "known": known}
            )
        if (problem := parameter.problem(value)) is not None:
            raise RecipeError(
                "error.recipe.bad-parameter",
                args={"method": Term(self.id), "key": Term(name), "reason": problem, "found": _quote_value(value)},
            )

    def _check_column(self, column: Column) -> None:
        """Raise RecipeError if the method cannot treat a column because of the kind of its values or its role.

        A method that protects the attribute and names no roles accepts only confidential columns. Other methods accept
        columns with one of their roles, and columns without a role.
        """
        if column.kind not in self.kinds:
            args: dict[str, Value] = {"method": Term(self.title), "kind": describe_kind(column.kind)}
            args["kinds"] = describe_kinds(self.kinds)
            raise RecipeError("error.step.unfit-kind", column=column.name, args=args)
        wants_confidential = self.protects == "attribute" and self.roles is ATTRIBUTE_ROLES
        roles = frozenset({"confidential"}) if wants_confidential else self.roles
        if column.role not in roles and (wants_confidential or column.role is not None):
            raise make_role_error(self.title, column, roles)

    def settings(self, table: Table, columns: Sequence[str] | None, parameters: Mapping[str, Any]) -> Settings:
        """Return a step's columns and parameters with defaults filled in, after checking them against the declaration.

        Parameters
        ----------
        table
            The step's input.
        columns
            Names of columns in the recipe; None for the default columns.
        parameters
            Values in the recipe, by name.

        Raises
        ------
        RecipeError
            For a parameter that is unknown, has an unfit value or names an untreated column; for columns that are
            unfit, repeated or not in the table; if no column is left to treat. SeveralRowsError, a kind of it, for
            people with several rows if the method refuses these.
        """
        by_name = {parameter.name: parameter for parameter in self.parameters}
        for name, value in parameters.items():
            self._check_parameter(by_name.get(name), name, value)
        chosen = tuple(columns) if columns is not None else self.default_columns(table)
        if not chosen:
            raise RecipeError(
                "error.step.no-columns", args={"method": Term(self.title), "kinds": describe_kinds(self.kinds)}
            )
        for name in chosen:
            self._check_column(table.column(name))
        if len(set(chosen)) != len(chosen):
            raise RecipeError("error.step.column-twice", args={"method": Term(self.title)})
        for name, value in parameters.items():
            for column_name in by_name[name].columns_in(value):
                if column_name not in chosen:
                    raise RecipeError(
                        "error.step.value-for-untreated",
                        column=column_name,
                        args={"method": Term(self.title), "key": Term(name), "columns": Names.of(chosen)},
                    )
        if self.several_rows == "refused" and table.persons.with_several:
            raise SeveralRowsError(
                "error.people.several-rows",
                args={
                    "method": Term(self.title),
                    "people": table.persons.with_several,
                    "most": table.persons.most_rows,
                },
            )
        values = {name: parameters.get(name, parameter.default) for name, parameter in by_name.items()}
        return Settings(chosen, values, frozenset(parameters))

    def merge_profile(self, profile: ProfileName | None, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of a profile, overridden by those that a person wrote.

        Without a profile only the written ones are returned.

        Raises
        ------
        RecipeError
            When the method has no such profile.
        """
        if profile is None:
            return dict(parameters)
        if profile not in self.profiles:
            term = Term(", ".join(self.profiles)) if self.profiles else lazy("none")
            arguments: dict[str, Value] = {"method": Term(self.id), "profile": Quoted(profile), "known": term}
            raise RecipeError("error.recipe.no-profile", args=arguments)
        return {**self.profiles[profile], **parameters}

    @property
    def has_choice(self) -> bool:
        """Whether the paper's settings and the recommended ones differ."""
        return bool(self.profiles) and self.profiles["paper"] != self.profiles["safe"]

    @property
    def new_step(self) -> StepSection:
        """Return a new recipe step of this method with the profile ``safe`` (recommended settings).

        If the defaults are the recommended settings, the step has no profile.
        """
        return StepSection(method=self.id, profile="safe" if self.profiles.get("safe") else None)

    @property
    def step_titles(self) -> dict[str, Sentence]:
        """Titles by id of all report steps that belong to this method: its own, and the later addition of records."""
        return {self.id: self.title, **({} if self.top_up is None else {self.top_up.id: self.top_up.title})}

    def mode_of(self, step: StepSection) -> Mode:
        """Return whose settings a recipe step has: ``paper``, ``safe`` (recommended) or ``own`` (a person's)."""
        return mode_of(self.parameters, self.profiles, self.merge_profile(step.profile, step.parameters))

    def read_step_settings(self, table: Table, step: StepSection) -> Settings:
        """Return the checked columns and parameters of a recipe step, including those of its profile.

        Where the step names no columns, a method that invents numbers leaves out columns of codes (see ``takes``),
        unless the profile is the paper's or no other column is left.

        Raises
        ------
        RecipeError
            When the profile is unknown, or a column or parameter does not fit the method.
        """
        columns = step.columns
        if columns is None and self.invents_numbers and step.profile != PAPER:
            columns = self.suggested_columns(table) or None
        return self.settings(table, columns, self.merge_profile(step.profile, step.parameters))

    def mode(self, settings: Settings) -> Mode:
        """Return whose settings these are: ``paper``, ``safe`` (recommended) or ``own`` (changed by a person)."""
        return mode_of(self.parameters, self.profiles, {name: settings.values[name] for name in settings.written})

    def shows_disjoint_sets(self, settings: Settings) -> bool:
        """Return whether each released value stands for a set of true values that overlaps with no other value's set.

        False by default; emptied cells do not matter. If True, unique people in the release can be counted to judge how
        many people are unique in the population.
        """
        return False

    def with_roles_after(self, table: Table, settings: Settings) -> Table:
        """Return the table with the roles that its columns have after the step; by default the table unchanged."""
        return table

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Raise an error for columns that cannot be treated because people have several rows; by default never.

        The ``check`` of a method raises the same error. It needs no privacy levels, so it can be called before a recipe
        is complete.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        return

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return warnings about settings that work on this table (by default none); raise an error if they cannot work.

        It is called before any random draw.

        Raises
        ------
        RecipeError, InputError
            When the method cannot keep its promise on this table.
        """
        return ()

    def proposal(self, table: Table, settings: Settings) -> Proposal | None:
        """Return other parameters that suit this table better, with the reason; by default None, for no proposal."""
        return None

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return sets of parameters that are worth trying on this table, the usual one first.

        By default there are none; methods that can be undone exactly are not suggested.
        """
        return ()

    def first_notch(self, knob: Knob, table: Table) -> int:
        """Return the index of the knob's value at which planning starts; by default 0, the mildest value.

        A knob is a parameter that planning makes stricter value by value. A method returns a higher index where milder
        values cannot pass the checks that the knob is to satisfy.
        """
        return 0

    def most_notches(self, knob: Knob, table: Table, column: Column) -> int:
        """Return how many of a knob's values planning may try on a column, counted from the mildest; by default all.

        Parameters
        ----------
        knob
            One of the method's knobs, that is, a parameter that planning makes stricter value by value.
        table
            The input of the step.
        column
            The treated column.
        """
        return len(knob.notches)

    def values_note(self, settings: Settings) -> Sentence:
        """Return what the note for the recipient says about values treated with these settings.

        By default it is ``recipients_learn``.
        """
        return self.recipients_learn

    def column_note(self, settings: Settings, detail: Mapping[str, Any], name: str) -> Sentence | None:
        """Return what the note for the recipient says about one column after a run; by default, ``values_note``.

        None where the step did not change the column, or only removed records.

        Parameters
        ----------
        settings, detail
            The step's settings, and the figures of its result.
        name
            The column.
        """
        return None if self.removes_records else self.values_note(settings)

    @abstractmethod
    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a one-sentence note about what the settings will do to this table."""

    def frontier(self, table: Table, settings: Settings) -> Mapping[str, Mapping[str, Any]]:
        """Return, by column, what each search method would keep and how many values could be retraced.

        They are tried with fixed random draws. Empty by default. Only called where ``compares_searches`` is set; values
        drawn here are never released. Columns that are swapped together have one entry, under their joined names. Each
        entry has the form of the report's ``detail.columns[].calibration``.

        Parameters
        ----------
        table, settings
            The step's input and its settings.
        """
        return {}

    def price(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes about what the settings cost in usefulness, tried on the table before the run; by default none.

        Parameters
        ----------
        table, settings
            The step's input and its settings.
        """
        return ()

    @abstractmethod
    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the protected table with its protections and figures; the input table is not changed.

        Parameters
        ----------
        table
            The step's input.
        settings
            Columns and parameters, already checked.
        streams
            The only source of random draws.

        Raises
        ------
        Cancelled
            When the user stopped the work.
        """

    @abstractmethod
    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return whether the promise holds and each privacy level is met, counted from the step's input and output.

        Parameters
        ----------
        before, after
            The step's input, and its output as read back from the file.
        settings
            Columns and parameters of the step.
        detail
            The method's own figures, as the report keeps them.
        """

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return the same as ``recount``, with the help of what the run holds in memory.

        By default, counted from tables.

        Parameters
        ----------
        before, after, settings
            The step's input and output, and its settings.
        result
            What ``run`` returned.
        """
        return self.recount(before, after, settings, result.detail)

    def map_to_output_domain(self, before: Table, settings: Settings, result: StepResult) -> Table:
        """Return the step's input with each value replaced by the range or category that the output would show for it.

        No value is drawn or exchanged, so that input and output can be compared value by value. A method that shows
        values as they are returns its input.

        Parameters
        ----------
        before, settings, result
            The step's input, its settings, and what ``run`` returned.
        """
        return before

    def used(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None = None) -> tuple[Used, ...]:
        """Return the values used for the parameters that the privacy levels, the columns or the program decide.

        A value that equals the one written in the recipe is marked as set by the recipe.

        Parameters
        ----------
        table, settings
            The step's input and its settings.
        detail
            The figures of the step's result; None before the run, when values that only the run finds are left out.
        """
        used_parameters = [*self._list_used_values(table, settings, detail)]
        return mark_values_of_recipe(used_parameters, settings.values, settings.written)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield the value used at each privacy level for each parameter of which a level may demand more.

        Levels come weakest first. Parameters whose value is a word, or whose level demand the method does not read,
        yield nothing. If the table has no levels, all records count as one level. ``detail`` (what the run noted) is
        not used here; methods that need it override this.
        """
        levels = table.levels if table.levels is not None else RecordLevels.same_for_all(table.rows)
        for parameter in self.parameters:
            key = parameter.level_key
            if key is not None and key in self.reads_levels and not isinstance(settings.values[parameter.name], str):
                demanded = settings.demanded(parameter.name, key, levels)
                for level, value in zip(levels.levels, demanded, strict=True):
                    yield Used(parameter.name, value, "levels", level.name)

    def ineffective_parameters(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the names of parameters that change nothing with these settings on this table; by default none."""
        return frozenset()

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return a step's own figures with their labels, as the window shows them.

        Parameters
        ----------
        detail
            The figures of the step's result, as the report keeps them.
        """
        return figure_lines(detail, self.figure_labels)

    def preview(self, table: Table, settings: Settings) -> Mapping[str, Any]:
        """Return those figures of the step's ``detail`` that are known before anything is drawn; by default none.

        They stand in for the detail when a file is judged that another program made by this method.
        """
        return {}

    def category_chances(self, table: Table, settings: Settings) -> dict[str, CategoryChances]:
        """Return, by column name, the probabilities with which categories change that recipients may know.

        Unchanged columns are left out.
        """
        return {}

    def infer_protections(self, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
        """Return the protections found in a file that another program made by this method; by default none.

        Parameters
        ----------
        before, after
            The step's input and output; row i of one belongs to row i of the other.
        settings
            Columns and parameters, as the recipe has them.
        """
        return ()

    def internal_names(self) -> tuple[str, ...]:
        """Return the names of the files that ``internal_files`` makes after a run; by default none."""
        return ()

    def internal_files(
        self, before: Table, settings: Settings, result: StepResult, row_order: Ints | None = None
    ) -> Mapping[str, bytes]:
        """Return the contents, by file name, of files that only the data owner keeps; by default none.

        Parameters
        ----------
        before, settings, result
            The step's input, its settings, and what ``run`` returned.
        row_order
            Shape (rows,): released row j is row ``row_order[j]`` of the step's result; None where nothing is released.
        """
        return {}

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data for listings, with sentences in the current language.

        It has the method's texts, parameters, profiles and attacks, and what columns and tables it takes, by field name
        (the kinds of columns as ``applies_to``).
        """
        return {
            "id": self.id,
            "title": str(self.title),
            "paper": str(self.paper),
            "summary": str(self.summary),
            "promises": [str(promise) for promise in self.promises],
            "limits": [str(limit) for limit in self.limits],
            "expert": [str(parameter) for parameter in self.expert],
            "parameters": [parameter.describe() for parameter in self.parameters],
            "profiles": {name: dict(values) for name, values in self.profiles.items()},
            "paper_fault": None if self.paper_fault is None else str(self.paper_fault),
            "paper_price": None if self.paper_price is None else str(self.paper_price),
            "applies_to": sorted(self.kinds),
            "protects": self.protects,
            "roles": sorted(self.roles),
            "correspondence": self.correspondence,
            "several_rows": self.several_rows,
            "reads_levels": list(self.reads_levels),
            "attacks": list(self.attacks),
            "treatment": str(self.treatment),
        }


def _quote_value(value: object) -> Quoted | Term:
    """Return a parameter's value for a message, as the recipe writes it: text in quotation marks, True as ``true``.

    Other values are written as by ``repr``.
    """
    if isinstance(value, str):
        return Quoted(value)
    return Term(_WRITTEN[value] if isinstance(value, bool) else repr(value))


# --- registry -----------------------------------------------------------------------------

METHODS: Registry[Method] = Registry("ppdm_desktop.engine.methods")
register = METHODS.register


def all_methods() -> dict[str, Method]:
    """Return every method by id, sorted by id."""
    return METHODS.all()


def find_method(id: str) -> Method:
    """Return the method with this id.

    Raises
    ------
    RecipeError
        When no method has this id; the error names all ids, and the one with the nearest spelling if there is one.
    """
    methods = all_methods()
    if id not in methods:
        near = METHODS.nearest(id)
        raise RecipeError(
            "error.recipe.unknown-method-near" if near else "error.recipe.unknown-method",
            args={"method": Quoted(id), "known": Term(", ".join(methods)), "near": Quoted(near)},
        )
    return methods[id]


def methods_of(family: Family) -> tuple[Method, ...]:
    """Return the methods that planned versions of a family use, sorted by their ``order``.

    Empty where there are none.
    """
    methods = (method for method in all_methods().values() if method.family is family)
    return tuple(sorted(methods, key=lambda method: method.order))


def find_step_method(id: str) -> Method | None:
    """Return the method to which a step id in a report belongs; None for an id that this version does not know.

    The step that adds records to an earlier release has its own id, and belongs to the method of that release.
    """
    return next((method for method in all_methods().values() if id in method.step_titles), None)


def step_title(id: str) -> str:
    """Return the title of a report's step in the current language; for an unknown step, the id itself."""
    method = find_step_method(id)
    return id if method is None else str(method.step_titles[id])
