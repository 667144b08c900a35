"""The declaration that every method makes of itself, in one place.

Validation, the recipe, help, the command line's listing, the window's form and the negative tests are all built from
a method's class; there is no second list.

The registry of methods, which finds every module of this package that registers one.

Families of versions, and the knobs that planning turns to make a version pass the checks.

The reported figures of a step, as lines of a label and a translatable value.
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
    Mode,
    Profiles,
    Proposal,
    Protection,
    Recount,
    Settings,
    StepResult,
    Suggestion,
    Used,
    mode_of,
    settled,
)
from ppdm_desktop.engine.randomness import StepStream
from ppdm_desktop.engine.recipe.models import ATTRIBUTE_ROLES, ProfileName, StepSection
from ppdm_desktop.engine.registry import Registry
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.levels import RecordLevels
from ppdm_desktop.engine.table.rules.numbers import should_keep_codes
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy
from ppdm_desktop.engine.wording.texts import Note, kind_words, kinds_words, role_words, roles_words
from ppdm_desktop.engine.wording.values import Figure, Names, Number, Quoted, Ratio, Spoken, Term, Value

# --- figure lines -------------------------------------------------------------------------


class FigureLine(NamedTuple):
    """One figure of a step with its label, and its column where the step treated several."""

    label: Sentence | Term
    figure: Value
    column: str = ""


def figure_value(value: object) -> Value:
    """Return a reported figure with its way of writing: 5 as a count, 0.25 as 25%, 1.75 as a number, True as yes.

    Whole floats such as 3.0 become counts; a figure or a sentence comes back unchanged, and anything else as its text.
    """
    if isinstance(value, Figure | Spoken):
        return value
    if isinstance(value, bool):
        return lazy("yes") if value else lazy("no")
    if isinstance(value, float) and 0 < value < 1:
        return Ratio(value)
    if isinstance(value, int | float):
        return int(value) if float(value).is_integer() else Number(value)
    return Term(str(value))


def labelled_lines(figures: Mapping[str, Any], labels: Mapping[str, Sentence], column: str = "") -> list[FigureLine]:
    """Return the figures that have a label and are not None, in the order of the labels.

    Parameters
    ----------
    figures
        Figures by key; None where there is none.
    labels
        Labels by key.
    column
        The column that they are of; empty where the step treated no other.
    """
    return [
        FigureLine(label, figure_value(figures[key]), column)
        for key, label in labels.items()
        if figures.get(key) is not None
    ]


def figure_lines(detail: Mapping[str, Any], labels: Mapping[str, Sentence]) -> list[FigureLine]:
    """Return the figures of a step as lines: by column where ``detail`` has ``columns``, otherwise all figures.

    By column, only figures with a label come, and lines name the column where there are several. Otherwise texts,
    numbers, truth values and ``Figure`` objects come in the order of ``detail``, and anything else is left out.

    Parameters
    ----------
    detail
        The step's figures by key; under ``columns`` those of each column by name.
    labels
        Labels by key. Without figures by column, a key without a label is its own label: "no_value" becomes "No value".
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


# --- declaration --------------------------------------------------------------------------

# --- families -----------------------------------------------------------------------------


class Family(Enum):
    """The kind of values that a version shows, in the order in which versions are planned.

    Attributes
    ----------
    id
        Name on the command line.
    title
        What it is called.
    for_whom
        Who gets most out of such a version.
    """

    def __init__(self, id: str, title: Sentence, for_whom: Sentence) -> None:
        """Give the member its id, its title and for whom it is meant."""
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
    """What a knob changes; a check declares by which kinds it is answered, best first."""

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
    """A parameter of a method that can be made stricter step by step.

    Attributes
    ----------
    kind
        What it changes.
    parameter
        Name of the parameter; empty where the step itself is all that there is to turn.
    notches
        Its values, mildest first; None stands for the parameter's default. Of a knob for single columns, whose step is
        not there before it is turned, the first is used after one turn; of any other it is used from the start.
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
    """The step of a report that added records to an earlier release: its id and its title."""

    id: str
    title: Sentence


class Method(ABC):
    """A privacy-preserving method: one subclass in one file, registered by decorator."""

    id: ClassVar[str]
    order: ClassVar[int] = 0
    """Position among the methods of a family; all other lists are sorted by id."""
    title: ClassVar[Sentence]
    paper: ClassVar[Sentence]
    summary: ClassVar[Sentence]
    promises: ClassVar[tuple[Sentence, ...]]
    limits: ClassVar[tuple[Sentence, ...]]
    """What the method does not do; what a data owner needs to know first."""
    expert: ClassVar[tuple[Sentence, ...]] = ()
    """Remarks for statisticians: errata of the paper, names of learners, symbols."""
    protects: ClassVar[Protects]
    correspondence: ClassVar[Correspondence] = "record"
    treatment: ClassVar[Sentence]
    """ISO/IEC 20889 family, e.g. ``randomisation (permutation)``; reports and data dictionaries keep its English."""
    kinds: ClassVar[frozenset[str]]
    """Column kinds it takes; a binned column counts as ordinal."""
    reads_levels: ClassVar[tuple[str, ...]] = ()
    public_parameters: ClassVar[frozenset[str]] = frozenset()
    """Parameters a recipient may know."""
    attacks: ClassVar[tuple[str, ...]] = ()
    unfit_attacks: ClassVar[tuple[str, ...]] = ()
    """Attacks made on every release that would reveal nothing about persons here."""
    missing_attacks: ClassVar[Mapping[str, str]] = {}
    """Attacks of ``attacks`` that do not exist yet, by id, each with the text id of its name."""
    record_by_record: ClassVar[bool] = False
    """Whether the treatment of a record needs only totals of other records: then a table need not fit in memory."""
    several_rows: ClassVar[SeveralRows] = "refused"
    """Where a person has several rows: ``people`` keeps the promise for people, ``rows`` treats each row separately
    without promising anything to groups, ``refused`` refuses.
    """
    roles: ClassVar[frozenset[str]] = ATTRIBUTE_ROLES
    """Roles of columns that it can take; if it protects the attribute, confidential ones only unless it names more."""
    adds_known_noise: ClassVar[bool] = False
    """Whether the distribution of its noise may be public: then distributions are reconstructed from the release,
    and an analysis kit can be handed over. Its ``detail`` has the keys of two-phase noise.
    """
    coarsens_numbers: ClassVar[bool] = False
    """Whether a number that it shows stands for a range of true numbers, as a rounded one does: then it is read as
    the range, and not as the number.
    """
    keeps_differences: ClassVar[bool] = False
    """Whether the dates of a person in its columns all move together, so that the days between them stay true."""
    chances_follow_details: ClassVar[bool] = False
    """Whether the chance that a value becomes another depends on the person's details: then recipients cannot work out
    the true shares of a group's values from those that it shows.
    """
    broadens_values: ClassVar[bool] = False
    """Whether its parameters are the ways of ``generalisation_options``, by column: then a change that was tried on
    the Risk page can become a step of it.
    """
    invents_numbers: ClassVar[bool] = False
    """Whether it shows numbers that nobody has: then it does not take columns of codes unless they are named."""
    keeps_rules: ClassVar[bool] = False
    """Whether its values keep the rules of `table.rules`: then written rules change its random draws."""
    chosen_for: ClassVar[str | None] = None
    """Key of ``detail`` with the name of the column that the chosen records predict best; None for methods that do
    not choose records so. Figures of learners trained on the release are meaningless for this column.
    """
    unknown_file_parameters: ClassVar[Mapping[str, Any] | None] = None
    """Parameters with which it may have made a file of unknown origin, so that its attacks are tried there; None
    where they are not.
    """
    tells_rows_apart: ClassVar[bool] = False
    """Whether its output identifies whose row each is: then it stands before all other steps, cannot be combined
    with a step that generates records, and no other step takes its columns.
    """
    holds_groups: ClassVar[bool] = False
    """Whether its groups hold only as long as no later step changes quasi-identifiers."""
    counted_by_run: ClassVar[bool] = False
    """Whether the file does not show what each level got: then only its own recount tells it."""
    draws_for_people: ClassVar[bool] = False
    """Whether it draws once for each person: then the recipe has to say who the people of the rows are."""
    counts: ClassVar[Counted] = "records"
    """The unit that its recount compares."""
    worst_is: ClassVar[WorstIs] = "departures"
    """The meaning of the worst figure of its recount: departures from the promise, the smallest group, the largest
    privacy loss of a record, or how far a total moved, in steps of its column.
    """
    compares_searches: ClassVar[bool] = False
    """Whether it has searches that can be compared on a table before it runs."""
    private_parameters: ClassVar[frozenset[str]] = frozenset()
    """Parameters whose texts must not be found in what is handed over."""
    parameters: ClassVar[tuple[Parameter, ...]] = ()
    profiles: ClassVar[Profiles] = {}
    """The parameters that are written where a recipe says ``profile = "paper"`` or ``"safe"``: the paper's settings,
    and the recommended ones that the form proposes.
    """
    paper_fault: ClassVar[Sentence | None] = None
    """What is wrong with the paper's settings, with a figure."""
    shown_as: ClassVar[Sentence | None] = None
    """How a column's values are shown, in a few words that stand after its name; None where the values tell it."""
    recipients_learn: ClassVar[Sentence]
    """What the note for the recipient says about the values of a treated column, whatever other steps did."""
    paper_price: ClassVar[Sentence | None] = None
    """What the recommended settings cost in return, with a figure."""
    figure_labels: ClassVar[Mapping[str, Sentence]] = {"no_value": lazy("Records without a value")}
    """Labels of the figures in a step's ``detail``, by key, or by key within each of its ``columns``."""
    family: ClassVar[Family | None] = None
    """The family of planned versions that uses the method; None where it is only used by hand."""
    knobs: ClassVar[tuple[Knob, ...]] = ()
    """Its parameters that planning makes stricter where a check requires it."""
    top_up: ClassVar[TopUpStep | None] = None
    """The report's step that later adds records to a release of this method, whose statistics have to be those of
    condensation; None where no records can be added.
    """

    texts: ClassVar[Mapping[str, Mapping[str, str]]] = {}
    """The texts of a plug-in by text id: title, sentence and remedy in English. Our own are in the catalogue."""

    def default_columns(self, table: Table) -> tuple[str, ...]:
        """Return the columns it takes when the recipe names none (contract, section 1), in table order.

        These are the confidential ones if it protects the attribute, otherwise the quasi-identifiers, each of a kind it
        takes.
        """
        wanted = "confidential" if self.protects == "attribute" else "quasi-identifier"
        return tuple(column.name for column in table.with_role(wanted) if column.kind in self.kinds)

    def suggested_columns(self, table: Table) -> tuple[str, ...]:
        """Return its default columns without numbers that are likely codes where the method invents numbers."""
        return tuple(name for name in self.default_columns(table) if self.takes(table, table.column(name)))

    def takes(self, table: Table, column: Column) -> bool:
        """Return whether it takes a column of this kind unless told otherwise.

        A method that invents numbers takes no likely codes.
        """
        return column.kind in self.kinds and not (self.invents_numbers and should_keep_codes(table, column))

    def _make_kind_error(self, column: Column) -> RecipeError:
        """Return the error for a column whose kind it cannot treat.

        For a numeric column the message says that it can be grouped.
        """
        args: dict[str, Value] = {"method": Term(self.title), "kinds": kinds_words(self.kinds)}
        if column.kind == "numeric":
            return RecipeError("error.step.unfit-number", column=column.name, args=args)
        return RecipeError("error.step.unfit-kind", column=column.name, args={**args, "kind": kind_words(column.kind)})

    def _make_role_error(self, column: Column) -> RecipeError:
        """Return the error for a column whose role it does not take, such as one that an earlier step left out."""
        args: dict[str, Value] = {
            "method": Term(self.title),
            "role": role_words(column.role),
            "roles": roles_words(self.roles),
        }
        return RecipeError("error.step.unfit-role", column=column.name, args=args)

    def _check_parameter(self, parameter: Parameter | None, name: str, value: object) -> None:
        """Raise RecipeError for a parameter that the method does not have (None), or a value that does not fit it."""
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
        """Raise RecipeError for a column whose kind of values or whose role the method cannot take.

        A method that protects the attribute and names no roles takes only confidential columns; for others, a column
        without a role passes.
        """
        if column.kind not in self.kinds:
            raise self._make_kind_error(column)
        names_no_roles = self.protects == "attribute" and self.roles is ATTRIBUTE_ROLES
        if names_no_roles and column.role != "confidential":
            raise RecipeError(
                "error.step.not-confidential",
                column=column.name,
                args={"method": Term(self.title), "role": role_words(column.role)},
            )
        if column.role is not None and column.role not in self.roles:
            raise self._make_role_error(column)

    def settings(self, table: Table, columns: Sequence[str] | None, parameters: Mapping[str, Any]) -> Settings:
        """Return columns and parameters with defaults filled in, after checking them against the declaration.

        Parameters
        ----------
        table
            The step's input.
        columns
            What the recipe names; the columns that the method takes by itself when None.
        parameters
            What the recipe writes, by name.

        Raises
        ------
        RecipeError
            For a parameter that is unknown, unfit or names an untreated column, a column that the method cannot take or
            that is named twice, no column, or people with several rows where the method refuses these.
        """
        by_name = {parameter.name: parameter for parameter in self.parameters}
        for name, value in parameters.items():
            self._check_parameter(by_name.get(name), name, value)
        chosen = tuple(columns) if columns is not None else self.default_columns(table)
        if not chosen:
            id = "error.step.no-columns" if "numeric" in self.kinds else "error.step.no-categories"
            raise RecipeError(id, args={"method": Term(self.title), "kinds": kinds_words(self.kinds)})
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
            artificial = self.correspondence != "record"
            raise SeveralRowsError(
                "error.people.made-up" if artificial else "error.people.several-rows",
                args={
                    "method": Term(self.title),
                    "people": table.persons.with_several,
                    "most": table.persons.most_rows,
                },
            )
        values = {name: parameters.get(name, parameter.default) for name, parameter in by_name.items()}
        return Settings(chosen, values, frozenset(parameters))

    def written(self, profile: ProfileName | None, parameters: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parameters of the profile and of the person together; where both have one, the person's.

        Without a profile only what the person wrote is returned.

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
        """Return a new step of a recipe with the profile ``safe``.

        Without a profile where the method's defaults are the recommended settings.
        """
        return StepSection(method=self.id, profile="safe" if self.profiles.get("safe") else None)

    @property
    def step_titles(self) -> dict[str, Sentence]:
        """Titles of the report's steps that belong to this method, by id."""
        return {self.id: self.title, **({} if self.top_up is None else {self.top_up.id: self.top_up.title})}

    def mode_of(self, step: StepSection) -> Mode:
        """Return whose settings a step of a recipe has: ``paper``, ``safe`` (recommended) or ``own`` (a person's)."""
        return mode_of(self.parameters, self.profiles, self.written(step.profile, step.parameters))

    def settings_of(self, table: Table, step: StepSection) -> Settings:
        """Return the checked columns and parameters of a step of a recipe, its profile included.

        Where the step names no columns, a method that invents numbers leaves out likely codes, unless the profile is
        the paper's or nothing else is left.

        Raises
        ------
        RecipeError
            As ``written`` and ``settings``.
        """
        columns = step.columns
        if columns is None and self.invents_numbers and step.profile != PAPER:
            columns = self.suggested_columns(table) or None
        return self.settings(table, columns, self.written(step.profile, step.parameters))

    def mode(self, settings: Settings) -> Mode:
        """Return whose settings these are, by the written parameters: ``paper``, ``safe`` (recommended) or ``own``."""
        return mode_of(self.parameters, self.profiles, {name: settings.values[name] for name in settings.written})

    def recodes(self, settings: Settings) -> bool:
        """Return whether every shown value stands for a set of true ones that no other shown value stands for.

        False by default. Emptied cells are allowed. Where it holds, uniqueness in the release says something of the
        whole population.
        """
        return False

    def with_roles_after(self, table: Table, settings: Settings) -> Table:
        """Return a table with the roles that its columns have after the step; by default the table itself."""
        return table

    def refuse_unfit_people(self, table: Table, settings: Settings) -> None:
        """Refuse columns that it cannot treat because people have several rows; by default none.

        ``check`` calls it first. It needs no levels, so that it can be called before a recipe is complete.

        Raises
        ------
        RecipeError
            Naming the column.
        """
        return

    def check(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return warnings (none by default), and refuse what cannot work before anything is drawn.

        Raises
        ------
        RecipeError, InputError
            When the method cannot keep its promise on this table.
        """
        return ()

    def proposal(self, table: Table, settings: Settings) -> Proposal | None:
        """Return other parameters to propose for this table, or None, as by default, when the present ones are good."""
        return None

    def suggestions(self, table: Table) -> tuple[Suggestion, ...]:
        """Return ways to use the method on this table that are worth trying, the usual one first.

        Empty by default: methods that can be undone exactly are not suggested.
        """
        return ()

    def first_notch(self, knob: Knob, table: Table) -> int:
        """Return the index of the value of a knob's parameter that planning begins with; 0, the mildest, by default.

        A method returns a higher index where no milder value passes the checks that the knob answers.
        """
        return 0

    def most_notches(self, knob: Knob, table: Table, column: Column) -> int:
        """Return how many of a knob's values planning can try in a column, mildest first; by default all.

        A knob is a parameter that planning makes stricter step by step.

        Parameters
        ----------
        knob
            One of the method's knobs.
        table
            The input of the step.
        column
            The treated column.
        """
        return len(knob.notches)

    def values_note(self, settings: Settings) -> Sentence:
        """Return what the note for the recipient says about values treated with these settings.

        By default ``recipients_learn``.
        """
        return self.recipients_learn

    def column_note(self, settings: Settings, detail: Mapping[str, Any], name: str) -> Sentence:
        """Return what the note for the recipient says about the values of one column after a run.

        By default what ``values_note`` says.

        Parameters
        ----------
        settings, detail
            The step's settings, and the detail of its result.
        name
            The column.
        """
        return self.values_note(settings)

    @abstractmethod
    def effect(self, table: Table, settings: Settings) -> Note:
        """Return a note that says in one sentence what the settings will do to this table."""

    def frontier(self, table: Table, settings: Settings) -> Mapping[str, Mapping[str, Any]]:
        """Return, by column, what each search would keep and what could be retraced, tried with fixed draws.

        Empty by default. Only called where ``compares_searches`` is set; nothing drawn here is ever released. Columns
        swapped together have one entry by their names. Each entry is like ``detail.columns[].calibration`` of the
        report.

        Parameters
        ----------
        table, settings
            As for ``effect``.
        """
        return {}

    def price(self, table: Table, settings: Settings) -> tuple[Note, ...]:
        """Return notes on what the settings cost, tried on the table before the run; none where it is not known.

        Parameters
        ----------
        table, settings
            As for ``effect``.
        """
        return ()

    @abstractmethod
    def run(self, table: Table, settings: Settings, streams: StepStream) -> StepResult:
        """Return the protected table with its protections and figures; the input is never changed.

        Parameters
        ----------
        table
            The step's input.
        settings
            Columns and parameters, checked before.
        streams
            The only source of random draws.

        Raises
        ------
        Cancelled
            When the work was stopped.
        """

    @abstractmethod
    def recount(self, before: Table, after: Table, settings: Settings, detail: Mapping[str, Any]) -> Recount:
        """Return the guarantee and each level's proof, counted from the step's input and the (read back) output.

        Parameters
        ----------
        before, after
            The step's input and output.
        settings
            As for ``run``.
        detail
            The method's own figures, as the report keeps them.
        """

    def recount_run(self, before: Table, after: Table, settings: Settings, result: StepResult) -> Recount:
        """Return the recount with the help of what the run holds in memory; by default counted from the tables.

        Parameters
        ----------
        before, after, settings
            As for ``recount``.
        result
            What the run gave.
        """
        return self.recount(before, after, settings, result.detail)

    def recoded(self, before: Table, settings: Settings, result: StepResult) -> Table:
        """Return the step's input mapped to the output domain: ranges for numbers, nothing drawn or changed.

        It makes both comparable value by value; a method that keeps its columns' values returns its input.

        Parameters
        ----------
        before, settings, result
            The step as it ran.
        """
        return before

    def used(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None = None) -> tuple[Used, ...]:
        """Return the values used for the parameters that levels, columns or the program decide.

        A value that equals what the recipe wrote is given as set by the recipe.

        Parameters
        ----------
        table, settings
            The step's input and its settings.
        detail
            The step's detail; None before the run, when what only the run finds is left out.
        """
        used_parameters = [*self._list_used_values(table, settings, detail)]
        return settled(used_parameters, settings.values, settings.written)

    def _list_used_values(self, table: Table, settings: Settings, detail: Mapping[str, Any] | None) -> Iterable[Used]:
        """Yield, for each parameter that levels may ask more of, the value used at each protection level.

        Levels come weakest first. Parameters written as a word, and those that the method does not read from the
        levels, yield nothing. Without levels on the table all records have one level.
        """
        levels = table.levels if table.levels is not None else RecordLevels.same_for_all(table.rows)
        for parameter in self.parameters:
            key = parameter.level_key
            if key is not None and key in self.reads_levels and not isinstance(settings.values[parameter.name], str):
                demanded = settings.demanded(parameter.name, key, levels)
                for level, value in zip(levels.levels, demanded, strict=True):
                    yield Used(parameter.name, value, "levels", level.name)

    def idle(self, table: Table, settings: Settings) -> frozenset[str]:
        """Return the names of parameters without effect under these settings on this table; by default none."""
        return frozenset()

    def figure_lines(self, detail: Mapping[str, Any]) -> list[FigureLine]:
        """Return a step's own figures with their labels, as the window shows them.

        Parameters
        ----------
        detail
            The step's figures, as the report keeps them.
        """
        return figure_lines(detail, self.figure_labels)

    def foreseen(self, table: Table, settings: Settings) -> Mapping[str, Any]:
        """Return the part of the step's ``detail`` that is known before anything is drawn; empty by default.

        It replaces the detail where a file is judged that another program made by this method.
        """
        return {}

    def recognised(self, before: Table, after: Table, settings: Settings) -> tuple[Protection, ...]:
        """Return what the method protects in a file that another program made by it, as the tables show it.

        Empty by default.

        Parameters
        ----------
        before, after
            The step's input and output, row beside row.
        settings
            Columns and parameters, as the recipe has them.
        """
        return ()

    def internal_names(self) -> tuple[str, ...]:
        """Return the names of the files that ``internal_files`` returns after a run; none by default."""
        return ()

    def internal_files(
        self, before: Table, settings: Settings, result: StepResult, row_order: Ints | None = None
    ) -> Mapping[str, bytes]:
        """Return files for the owner's folder, by name; never written to what is handed over. None by default.

        Parameters
        ----------
        before, settings, result
            The step as it ran.
        row_order
            Shape (rows,): released row j is row ``row_order[j]`` of the step's result; None where there is no release.
        """
        return {}

    def describe(self) -> dict[str, Any]:
        """Return the declaration as plain data by name, for listings, forms and help, in the current language."""
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
    """Return a parameter's value as written in the recipe: text in quotation marks, True as ``true``.

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
        When no method has this id; the error names all ids, and the one nearest in spelling if there is one.
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
    """Return the methods with which versions of a family are planned, by ascending ``order``.

    Empty where there are none.
    """
    methods = (method for method in all_methods().values() if method.family is family)
    return tuple(sorted(methods, key=lambda method: method.order))


def find_step_method(id: str) -> Method | None:
    """Return the method of a report's step id, or None for an id that no method of this version has.

    A step that adds records to an earlier release has an id of its own, and belongs to the method of that release.
    """
    return next((method for method in all_methods().values() if id in method.step_titles), None)


def step_title(id: str) -> str:
    """Return the title of a report's step in the current language; its id where no method of this version has it."""
    method = find_step_method(id)
    return id if method is None else str(method.step_titles[id])
