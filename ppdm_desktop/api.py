"""The library: everything the program does to a table, for notebooks and other programs.

Only the names in ``__all__``, with what their docstrings say, are stable; all else of ``ppdm_desktop`` may change.
Nothing here needs Qt, and pandas is imported only when a DataFrame comes in or goes out.

A DataFrame is read like the CSV file it would be written to: its columns as exact texts, with kinds by their types.
Numbers with more than 15 significant digits stay texts, as in a file; round them first.

>>> from ppdm_desktop import api
>>> table = api.read(people)
>>> recipe = api.suggest(table).recipe(type="research").with_role("Amount", "confidential")
>>> candidate = api.protect(table, recipe.with_step("random-swap", proportion=0.3), seed=1)
>>> evaluation = api.judge(candidate)
>>> evaluation.passes
False
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TypeAlias, Union

import numpy as np

from ppdm_desktop.engine.errors import GateBlocked, InputError, PpdmError, RecipeError
from ppdm_desktop.engine.figure import brief_measures
from ppdm_desktop.engine.files.opening import RECIPE, parse_toml
from ppdm_desktop.engine.identifiability.risk import RiskFigures, table_risk
from ppdm_desktop.engine.methods.base.declaration import all_methods, find_method
from ppdm_desktop.engine.plugins import of_reader, switched_on
from ppdm_desktop.engine.progress import Progress
from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.recipe import models
from ppdm_desktop.engine.recipe.load import parse_recipe, read_recipe, write_recipe
from ppdm_desktop.engine.release.approval import Decided
from ppdm_desktop.engine.release.approval import approve as _approved
from ppdm_desktop.engine.release.attack_audit.base import AttackEvidence, declared_attacks, find_attack
from ppdm_desktop.engine.release.candidate.model import JUDGING_INPUT_KEYS, Prepared
from ppdm_desktop.engine.release.candidate.model import Candidate as _Candidate
from ppdm_desktop.engine.release.candidate.pipeline import (
    prepare,
    prepare_reading,
    refuse_without_type,
    run_candidate,
    with_steps,
)
from ppdm_desktop.engine.release.evaluate.evaluate import Evaluation as _Evaluation
from ppdm_desktop.engine.release.evaluate.evaluate import evaluate
from ppdm_desktop.engine.release.foreign.comparing import Comparison as _Comparison
from ppdm_desktop.engine.release.foreign.comparing import compare as _compared
from ppdm_desktop.engine.release.gate.decision import check_accepts
from ppdm_desktop.engine.release.planning.plan import plan as _plan
from ppdm_desktop.engine.release.reporting.risk import risk_scopes
from ppdm_desktop.engine.release.two_releases import compare_releases as _side_by_side
from ppdm_desktop.engine.release.verify import Verification as _Verification
from ppdm_desktop.engine.release.verify import read_named_plugins
from ppdm_desktop.engine.release.verify import verify as _verified
from ppdm_desktop.engine.release.writing.export import Renderer, export
from ppdm_desktop.engine.report.model import AttackEntry, CheckEntry, Verdict
from ppdm_desktop.engine.table.column import Table as _Table
from ppdm_desktop.engine.table.frames import FRAME, from_frame, to_frame
from ppdm_desktop.engine.table.inspect import KindSuggestion, suggest_kinds
from ppdm_desktop.engine.table.reading import Reading, read_source
from ppdm_desktop.engine.table.reading.memory_source import MemorySource, Source
from ppdm_desktop.engine.table.roles import RoleSuggestion, suggest_roles
from ppdm_desktop.engine.table.writing.delimited import write_delimited
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.utility.distributions import ColumnUtility
from ppdm_desktop.engine.wording.catalogue import SOURCE, speak_language
from ppdm_desktop.engine.wording.rows import choose_counted_unit
from ppdm_desktop.engine.wording.texts import Note, explain, render, render_stored
from ppdm_desktop.engine.wording.values import Reason
from ppdm_desktop.plugins import switch_on

if TYPE_CHECKING:
    import pandas as pd

__all__ = [
    "Assessment",
    "AttackResult",
    "Candidate",
    "Comparison",
    "Data",
    "Decided",
    "Evaluation",
    "ExportOptions",
    "GateBlocked",
    "MethodInfo",
    "Original",
    "Recipe",
    "Release",
    "Suggestions",
    "Table",
    "Verification",
    "approve",
    "assess",
    "attack",
    "candidates",
    "compare",
    "compare_releases",
    "judge",
    "methods",
    "protect",
    "read",
    "release",
    "suggest",
    "verify",
]

_READ_OPTIONS = ("sheet", "encoding", "delimiter", "decimal", "header_row", "missing")
"""Keys of ``[input]`` that a reading settles and a recipe that says nothing of them takes over."""
Listener: TypeAlias = Callable[[float, str], None]


@contextmanager
def _explain_errors() -> Iterator[None]:
    """Add a readable message, as a note, to a PpdmError raised in the ``with`` block; write texts in English there."""
    try:
        with speak_language(SOURCE):
            yield
    except PpdmError as error:
        message = explain(error)
        if message not in getattr(error, "__notes__", ()):
            error.add_note(message)
        raise


# --- tables -----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Table(_Table):
    """A table: columns of exact texts with kinds and roles, and the source's row number of each row.

    Tables are never changed; functions return new tables. ``read`` makes a table from a file, ``from_frame`` from a
    DataFrame.

    Attributes
    ----------
    path, reading
        Path of the file, and how it was read; None for a table that came from no file.
    """

    path: Path | None = None
    reading: Reading | None = None

    @classmethod
    def from_frame(cls, df: pd.DataFrame, roles: Mapping[str, str] | None = None) -> Self:
        """Return the table of a DataFrame.

        Parameters
        ----------
        df
            The data, one row for each record. The index becomes a column only if it has a name.
        roles
            Role by column; columns left out get no role.

        Raises
        ------
        InputError
            For a DataFrame without rows or columns, and for a column with an infinite number or with values other than
            numbers, texts, booleans, categories, or dates without a time zone.
        RecipeError
            For an unknown role or column.

        Examples
        --------
        >>> import pandas as pd
        >>> table = Table.from_frame(pd.DataFrame({"age": [34, None], "town": ["Bonn", "Ghent"]}))
        >>> [(column.name, column.kind, column.values()) for column in table.columns]
        [('age', 'numeric', ['34', '']), ('town', 'nominal', ['Bonn', 'Ghent'])]
        """
        with _explain_errors():
            made = from_frame(df, roles)
            return cls(made.columns, made.row_numbers)

    def to_frame(self) -> pd.DataFrame:
        """Return the table as a DataFrame: numbers, ordered categories, dates and texts, missing values as ``NA``.

        Examples
        --------
        >>> read(people).to_frame().shape
        (16, 4)
        """
        return to_frame(self)

    @classmethod
    def _from_engine(cls, table: _Table) -> Self:
        """Return an engine's table as a table of this library, without path and reading."""
        return cls(table.columns, table.row_numbers, table.levels, table.people)

    @property
    def _is_as_read(self) -> bool:
        """Whether the table has the unchanged columns that were read from its file."""
        return self.reading is not None and self.columns is self.reading.table.columns


Data: TypeAlias = Union[_Table, "pd.DataFrame", str, Path]
"""What the functions take: a ``Table``, a DataFrame, or the path of a file."""


def _to_memory_source(table: _Table) -> MemorySource:
    """Return a table in memory as the source of a release, with the bytes of its CSV form.

    Rows are numbered from 2, because number 1 is the header.
    """
    numbers = np.arange(2, table.rows + 2, dtype=np.int64)
    memory_table = _Table(table.columns, numbers)
    return MemorySource(memory_table, write_delimited(memory_table, guarded=False), Path(FRAME))


def _to_source(data: Data) -> Source:
    """Return the source for the engine: a path, or a table in memory with the bytes of its CSV form.

    It is the path of a file or of an unchanged table that was read from one. A DataFrame, a table that was changed and
    a table that came from no file become a table in memory.
    """
    if isinstance(data, str | Path):
        return Path(data)
    if isinstance(data, Table) and data._is_as_read and data.path is not None:
        return data.path
    return _to_memory_source(data if isinstance(data, _Table) else from_frame(data))


def _read_data(data: Data) -> Reading:
    """Return the data as read from their source.

    That is the stored reading of a `Table` that was read and not changed since. Anything else is read now, with default
    options: a file from its path, a table in memory or a DataFrame by way of its CSV form. Raise InputError or
    RecipeError if they cannot be read.
    """
    if isinstance(data, Table) and data._is_as_read and data.reading is not None:
        return data.reading
    return read_source(_to_source(data), models.InputSection(), plugins=_list_enabled_plugins())


def _list_enabled_plugins() -> tuple[str, ...]:
    """Return the names of the plug-ins that are enabled now."""
    return tuple(plugin.name for plugin in switched_on())


def _prepare_data(data: Data, recipe: models.Recipe, *, need_type: bool = False) -> Prepared:
    """Return the data prepared by the recipe: columns with their roles and kinds, and the release type.

    The path of a file is read. A `Table` that was read from a file and not changed is read again only if the recipe's
    reading options differ; options that the recipe leaves open are taken from that reading. With ``need_type``, raise
    RecipeError if the recipe has no release type. The other errors are those of `prepare`.
    """
    if need_type:
        refuse_without_type(recipe)
    if isinstance(data, Table) and data._is_as_read and data.reading is not None and data.path is not None:
        options = data.reading.options
        missing = {key: getattr(options, key) for key in _READ_OPTIONS if getattr(recipe.input, key) is None}
        recipe = recipe.model_copy(update={"input": recipe.input.model_copy(update=missing)})
        if _is_same_reading(recipe.input, options):
            return prepare_reading(data.path, data.reading, recipe)
    return prepare(_to_source(data), recipe, need_type=need_type)


def _is_same_reading(wanted: models.InputSection, done: models.InputSection) -> bool:
    """Return whether two sets of reading options (``[input]``) give the same table for a file.

    Options that only say who a person or household is or how the rows of a person are ordered and reduced, and options
    that only the checks read, are not compared.
    """
    after = {"person": None, "household": None, "one_row_per_person": False, "order_by": None, "reduce": None}
    after |= {key: models.InputSection.model_fields[key].default for key in JUDGING_INPUT_KEYS}
    return wanted.model_copy(update=after) == done.model_copy(update=after)


def read(
    path: str | Path,
    *,
    sheet: str | None = None,
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    missing: Sequence[str] | None = ("",),
) -> Table:
    """Return the table in a file, whose format is recognised by its content.

    Parameters
    ----------
    path
        The file; it is opened read-only.
    sheet, encoding, delimiter, decimal
        Reading options, instead of a guess; an option that the file's format does not have is ignored.
    missing
        The texts that mean "missing"; the empty text always does, and for None it is the only one.

    Returns
    -------
    Table
        The table, with guessed kinds and without roles; ``table.reading.account`` says how the file was read.

    Raises
    ------
    InputError
        When the file cannot be read; the message names file, line or sheet, and the remedy.
    RecipeError
        When ``decimal`` is neither a point nor a comma, or ``missing`` holds anything but texts; other options that do
        not fit raise InputError.

    Examples
    --------
    >>> table = read(people)
    >>> table.rows, table.names
    (16, ('Age', 'Gender', 'Location', 'Amount'))
    """
    with _explain_errors():
        document = {"sheet": sheet, "encoding": encoding, "delimiter": delimiter, "decimal": decimal}
        asked = {key: value for key, value in document.items() if value is not None}
        if missing is not None and tuple(missing) != ("",):
            asked["missing"] = list(missing)  # type: ignore[assignment]
        options = parse_recipe({"recipe": 1, "input": asked}).input
        reading = read_source(Path(path), options, plugins=_list_enabled_plugins())
        return Table(reading.table.columns, reading.table.row_numbers, path=Path(path), reading=reading)


# --- recipes ----------------------------------------------------------------------------------


class Recipe(models.Recipe):
    r"""All decisions about one table: how it is read, what its columns are, which methods run, who gets it.

    Recipes are never changed: each ``with_…`` returns another recipe. The file format is described in the guide.

    Examples
    --------
    >>> recipe = Recipe.loads('recipe = 1\n[release]\ntype = "research"')
    >>> recipe = recipe.with_role("age", "quasi-identifier").with_step("suppress", most=1)
    >>> [step.method for step in recipe.steps], recipe.columns["age"].role
    (['suppress'], 'quasi-identifier')
    >>> Recipe.loads(recipe.dumps()) == recipe
    True
    """

    @classmethod
    def _from_engine(cls, recipe: models.Recipe) -> Self:
        """Return an engine's recipe as a recipe of this library."""
        return cls(**{name: getattr(recipe, name) for name in models.Recipe.model_fields})

    @classmethod
    def load(cls, path: str | Path, *, plugins: bool = False) -> Self:
        """Return the recipe in a file.

        Parameters
        ----------
        path
            Path of the recipe's file.
        plugins
            Whether to enable the installed plug-ins that the recipe names; their code then runs.

        Raises
        ------
        RecipeError
            When the file cannot be read, or has a key or value that the format does not know; with ``plugins`` also
            when a plug-in is not installed or is refused.
        """
        with _explain_errors():
            return cls._from_engine(read_recipe(Path(path), formats=release_formats()))._enable_plugins(plugins)

    def _enable_plugins(self, plugins: bool) -> Self:
        """Return the recipe itself, after enabling the plug-ins that it names if ``plugins`` is True."""
        if plugins:
            switch_on(self.plugins.use)
        return self

    @classmethod
    def loads(cls, text: str, *, plugins: bool = False) -> Self:
        """Return the recipe in a TOML text.

        Parameters
        ----------
        text
            Content of a recipe's file.
        plugins
            Whether to enable the installed plug-ins that the recipe names; their code then runs.

        Raises
        ------
        RecipeError
            When the text is not TOML, is nested too deeply, or has a key or value that the format does not know; with
            ``plugins`` also when a plug-in is not installed or is refused.
        """
        with _explain_errors():
            try:
                document = parse_toml(text, RECIPE, Path("recipe"))
            except InputError as error:
                raise RecipeError(error.id, args=error.arguments) from error
            except ValueError as error:
                raise RecipeError("error.recipe.not-toml", args={"reason": Reason(str(error))}) from error
            return cls._from_engine(parse_recipe(document, formats=release_formats()))._enable_plugins(plugins)

    def dumps(self) -> str:
        """Return the recipe as TOML text, the content of its file."""
        return write_recipe(self)

    def with_step(
        self, method: str, columns: Sequence[str] | None = None, *, profile: str | None = None, **parameters: object
    ) -> Self:
        """Return the recipe with one more step at its end.

        Parameters
        ----------
        method
            Id of a method (``methods()`` lists them).
        columns
            The columns to treat; when left out, the method chooses.
        profile
            Default settings to use, if the method has both: ``safe`` (recommended) or ``paper`` (as published).
        parameters
            Settings by name; settings left out have their defaults.

        Raises
        ------
        RecipeError
            When there is no such method or profile, or when the name of a column is no text. ``protect`` checks whether
            columns and settings fit the method and the table.
        """
        with _explain_errors():
            find_method(method)
            step: dict[str, Any] = {"method": method, "parameters": parameters}
            step |= {"columns": list(columns)} if columns is not None else {}
            step |= {"profile": profile} if profile is not None else {}
            made = parse_recipe({"recipe": 1, "steps": [step]}).steps
            return self.model_copy(update={"steps": (*self.steps, *made)})

    def with_role(self, column: str, role: str) -> Self:
        """Return the recipe with another role for one column.

        Parameters
        ----------
        column
            Name of the column; whether the table has it is checked only when the recipe is used.
        role
            ``identifier``, ``quasi-identifier``, ``confidential``, ``other``, ``privacy-level`` or ``left-out``.

        Raises
        ------
        RecipeError
            When there is no such role.
        """
        with _explain_errors():
            made = parse_recipe({"recipe": 1, "columns": {column: {"role": role}}}).columns[column]
            known = self.columns.get(column)
            section = made if known is None else known.model_copy(update={"role": made.role})
            return self.model_copy(update={"columns": {**self.columns, column: section}})


# --- what a table is --------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Suggestions:
    """Suggested roles and kinds of a table's columns, for a person to decide.

    Attributes
    ----------
    roles
        Suggested role by column; None if a person has to decide without a suggestion.
    kinds
        Suggested kind by column.
    reasons
        Why the role is suggested, as a sentence, by column.
    missing
        Texts that may mean that a value is missing.
    """

    roles: Mapping[str, str | None]
    kinds: Mapping[str, str]
    reasons: Mapping[str, str]
    missing: tuple[str, ...]
    _reading: Reading = field(repr=False)
    _result: Mapping[str, RoleSuggestion] = field(repr=False)
    _kinds: Mapping[str, KindSuggestion] = field(repr=False)

    @property
    def undecided(self) -> tuple[str, ...]:
        """The columns without a suggested role, to which a person has to give a role, in the order of the table."""
        return tuple(name for name, role in self.roles.items() if role is None)

    def recipe(self, type: str | None = None) -> Recipe:
        """Return a recipe with the suggested roles and kinds, and the options with which the table was read.

        It has no entry for columns without a suggested role; use ``with_role`` for them. Ordered categories have their
        order, and a plug-in that read the file is named.

        Parameters
        ----------
        type
            Who will get the release: ``public``, ``public-high-harm``, ``research`` or ``internal``. A release needs a
            type.

        Raises
        ------
        RecipeError
            When there is no such type.
        """
        columns: dict[str, Any] = {}
        for column in self._reading.table.columns:
            if (role := self.roles[column.name]) is None:
                continue
            columns[column.name] = {"role": role, "kind": self.kinds[column.name]}
            order = self._kinds[column.name].order or column.order
            if order is not None and self.kinds[column.name] == "ordinal":
                columns[column.name]["order"] = list(order)
        options = self._reading.options
        stated = {key: getattr(options, key) for key in _READ_OPTIONS if getattr(options, key) is not None}
        document: dict[str, Any] = {"recipe": 1, "input": {**stated, "missing": list(options.missing or ("",))}}
        document |= {"columns": columns, "release": {} if type is None else {"type": type}}
        if (owner := of_reader(self._reading.account.format)) is not None:
            document["plugins"] = {"use": [owner.name]}
        with _explain_errors():
            return Recipe._from_engine(parse_recipe(document, formats=release_formats()))

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each column of the table: ``column``, ``role``, ``kind``, ``strength`` and ``reason``.

        ``role`` is missing if none is suggested; ``strength`` is ``strong`` or, for an uncertain suggestion, ``weak``.
        """
        import pandas as pd

        rows = [
            (name, role, self.kinds[name], self._result[name].strength, self.reasons[name])
            for name, role in self.roles.items()
        ]
        return pd.DataFrame(rows, columns=["column", "role", "kind", "strength", "reason"])


def suggest(data: Data) -> Suggestions:
    """Return the suggested role and kind of each column of a table.

    Parameters
    ----------
    data
        A table, a DataFrame or the path of a file.

    Returns
    -------
    Suggestions
        Roles, kinds, reasons, and texts that may mean "missing".

    Raises
    ------
    InputError
        When the table cannot be read.

    Examples
    --------
    >>> found = suggest(people)
    >>> found.roles["Age"], found.undecided
    ('quasi-identifier', ())
    >>> found.recipe(type="research").release.type
    'research'
    """
    with _explain_errors():
        reading = _read_data(data)
        suggestions = suggest_roles(reading.table)
        kinds = suggest_kinds(reading.table, suggestions, reading.account.decimal)
        roles = {column.name: suggestions[column.name].role for column in reading.table.columns}
        reasons = {name: render(suggestions[name].reason, suggestions[name].arguments).sentence for name in roles}
        marks = tuple(suggestion.mark for suggestion in reading.account.suggested_missing)
    kind_names = {name: kind.kind for name, kind in kinds.items()}
    return Suggestions(roles, kind_names, reasons, marks, reading, suggestions, kinds)


@dataclass(frozen=True, eq=False)
class Assessment:
    """How identifiable the people in a table are, before any method is applied.

    Attributes
    ----------
    document
        Figures as in ``risk.before`` of report.json: equivalence classes and what they reveal, to someone who knows the
        quasi-identifiers (``scope.quasi_identifiers``) and to someone who knows all released columns that are not
        confidential (``scope.released``).
    """

    document: Mapping[str, Any]
    _rows: np.ndarray = field(repr=False)
    _risk: RiskFigures = field(repr=False)

    @property
    def k(self) -> int:
        """Size of the smallest equivalence class: the smallest number of people who share their quasi-identifiers."""
        return self._risk.k

    @property
    def unique_people(self) -> int:
        """Number of people who are unique by their quasi-identifiers."""
        return self._risk.unique_people

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each record, in the order of the table, with these columns.

        The table is without rows that the recipe leaves out, and has one row a person if it reduces people's rows.

        - ``row``: the row number in the source, as a spreadsheet program shows it.
        - ``alike``: number of people with the same quasi-identifiers, the person included; the same in all
          rows of a person.
        - ``chance``: the chance of being found, one divided by ``alike``.
        - ``unique``, ``collective``: whether the person's confidential value is revealed, because nobody else has these
          quasi-identifiers, or because all who have them share the value. Without a confidential column ``unique`` says
          whether nobody else has these quasi-identifiers, and ``collective`` is False.
        """
        import pandas as pd

        alike = self._risk.matches
        return pd.DataFrame(
            {
                "row": self._rows,
                "alike": alike,
                "chance": 1.0 / np.maximum(alike, 1),
                "unique": self._risk.unique,
                "collective": self._risk.collective,
            }
        )


def assess(data: Data, recipe: Recipe) -> Assessment:
    """Return figures on how identifiable the people in a table are; nothing is changed.

    Parameters
    ----------
    data
        A table, a DataFrame or the path of a file.
    recipe
        The recipe with the roles of the columns. Its steps are not run.

    Raises
    ------
    InputError, RecipeError
        When the table cannot be read as the recipe says, or no column is a quasi-identifier.

    Examples
    --------
    >>> found = assess(people, recipe)
    >>> found.k, found.unique_people
    (1, 6)
    >>> found.to_frame().shape
    (16, 5)
    """
    with _explain_errors():
        prepared = _prepare_data(data, recipe)
        rule = prepared.recipe.risk.missing
        risk = table_risk(prepared.table, rule)
        scopes = risk_scopes(prepared.table, rule, prepared.type.k_min)
    return Assessment({"scope": scopes.model_dump(mode="json")}, prepared.table.row_numbers, risk)


# --- methods ----------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class MethodInfo:
    """The declaration of a protection method.

    Attributes
    ----------
    id, title, paper
        Name in recipes, name for people, and the paper it is published in.
    promises, limits
        What the method guarantees and what it does not.
    parameters
        Default value of each setting, by name.
    document
        The whole declaration, as ``ppdm-desktop methods --json`` prints it.
    """

    id: str
    title: str
    paper: str
    promises: tuple[str, ...]
    limits: tuple[str, ...]
    parameters: Mapping[str, Any]
    document: Mapping[str, Any] = field(repr=False)


def methods() -> dict[str, MethodInfo]:
    """Return the declaration of every method, by id of the method.

    Examples
    --------
    >>> methods()["condensation"].title
    'Replace groups of people by artificial records'
    """
    with _explain_errors():
        parameters = {}
        for id, method in all_methods().items():
            described = method.describe()
            defaults = {parameter["name"]: parameter["default"] for parameter in described["parameters"]}
            parameters[id] = MethodInfo(
                id,
                described["title"],
                described["paper"],
                tuple(described["promises"]),
                tuple(described["limits"]),
                defaults,
                described,
            )
        return parameters


# --- candidates -------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Original:
    """The original table of a candidate, converted to a DataFrame only on request.

    It is the table before bins and steps, but with people's rows reduced, or columns made equal within people, if the
    recipe asks for it.

    Attributes
    ----------
    names
        Names of all columns, including those that are not released.
    rows
        Number of rows, without those that the recipe leaves out; one a person if it reduces people's rows to one.
    """

    _table: _Table = field(repr=False)

    @property
    def names(self) -> tuple[str, ...]:
        """Names of all columns, including those that are not released."""
        return self._table.names

    @property
    def rows(self) -> int:
        """Number of rows, without those that the recipe leaves out; one a person if it reduces people's rows to one."""
        return self._table.rows

    def to_frame(self, *, unsafe: bool = False) -> pd.DataFrame:
        """Return the unprotected table as a DataFrame.

        Parameters
        ----------
        unsafe
            True confirms knowing that this is the original, which must not be handed over.

        Raises
        ------
        InputError
            When ``unsafe`` is not True.
        """
        if not unsafe:
            with _explain_errors():
                raise InputError("error.frame.original")
        return to_frame(self._table)


@dataclass(frozen=True, eq=False)
class Candidate:
    """A table protected with one key, ready to be evaluated and released; nothing is drawn again for that.

    Attributes
    ----------
    name
        What the steps do, in a few words; empty unless ``candidates`` made it.
    """

    _made: _Candidate = field(repr=False)
    name: str = ""

    @property
    def recipe(self) -> Recipe:
        """The recipe by which the candidate was made."""
        return Recipe._from_engine(self._made.prepared.recipe)

    @property
    def key(self) -> bytes:
        """The 32 bytes of the key; anybody who has it and the original can repeat the release."""
        return self._made.key.bytes_

    @property
    def released(self) -> Table:
        """The table that a recipient would get: released columns only, rows in release order."""
        return Table._from_engine(self._made.released)

    @property
    def original(self) -> Original:
        """The original table; it becomes a DataFrame only on explicit request."""
        return Original(self._made.prepared.original)

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the preparation and on the steps, as English sentences, in this order."""
        all_notes: list[Note] = [*self._made.prepared.notes]
        for step in self._made.steps:
            all_notes += [*step.warnings, *step.result.notes]
        with _explain_errors():
            return tuple(render(note.id, note.arguments).sentence for note in all_notes)

    def to_frame(self) -> pd.DataFrame:
        """Return the table that a recipient would get as a DataFrame."""
        return to_frame(self._made.released)


def protect(
    data: Data,
    recipe: Recipe,
    *,
    key: bytes | str | None = None,
    seed: int | None = None,
    progress: Listener | None = None,
) -> Candidate:
    """Return a candidate for a release: the table after the steps of a recipe.

    Parameters
    ----------
    data
        A table, a DataFrame or the path of a file; it is never changed.
    recipe
        The roles of the columns and the methods to run.
    key
        The key of the random draws, as 32 bytes or 64 hexadecimal digits; when left out, the system draws it.
    seed
        A number to derive the key from. Anyone can guess it: for teaching and tests only.
    progress
        Called with (share of the work done, 0 to 1, id of what is being done).

    Raises
    ------
    InputError, RecipeError
        When the recipe does not fit the table or has no release type, a method cannot keep its promise on the table,
        key and seed are both given, or the key has another length or a simple pattern.

    Examples
    --------
    >>> candidate = protect(people, recipe.with_step("random-swap", proportion=0.3), seed=1)
    >>> candidate.to_frame().shape
    (16, 4)
    """
    with _explain_errors():
        chosen = _choose_key(key, seed)
        watch = Progress(progress)
        prepared = watch.part(0.0, 0.3).run(_prepare_data, data, recipe, need_type=True)
        return Candidate(watch.part(0.3, 1.0).run(run_candidate, prepared, chosen))


def _choose_key(key: bytes | str | None, seed: int | None) -> Key:
    """Return the given key, else one derived from the seed, else a new one drawn by the system.

    Raise InputError if both are given, if ``key`` is no key, or if it has a simple pattern, so that it was not drawn.
    """
    if key is None:
        return Key.fresh() if seed is None else Key.from_seed(seed)
    if seed is not None:
        raise InputError("error.key.and-seed")
    derived = Key.from_hex(key if isinstance(key, str) else bytes(key).hex())
    if derived.is_regular():
        raise InputError("error.key.regular")
    return derived


def candidates(data: Data, recipe: Recipe, *, most: int = 8, progress: Listener | None = None) -> list[Candidate]:
    """Return versions of a table that may be released, as the window suggests them, all with one fresh key.

    Parameters
    ----------
    data
        A table, a DataFrame or the path of a file.
    recipe
        The recipe with the roles of the columns; its steps are ignored.
    most
        The largest number of versions; there are never more than six.
    progress
        Called with (share of the work done, 0 to 1, id of what is being done).

    Returns
    -------
    list of Candidate
        The best first: versions that need no written reason come first, then by usefulness. Empty if no version can be
        released.

    Raises
    ------
    InputError, RecipeError
        When the recipe does not fit the table, or has no release type.

    Examples
    --------
    >>> [each.name for each in candidates(people, recipe, most=1)]
    ['True values, less detail']
    """
    with _explain_errors():
        watch = Progress(progress)
        plain_recipe = recipe.model_copy(update={"steps": ()})
        prepared = watch.part(0.0, 0.1).run(_prepare_data, data, plain_recipe, need_type=True)
        key = Key.fresh()
        versions = watch.part(0.1, 0.9).run(_plan, prepared, (), lambda version: None, key).versions[:most]
        parts = watch.part(0.9, 1.0).parts(*[1.0] * len(versions))
        return [
            Candidate(part.run(run_candidate, with_steps(prepared, version.steps), key), str(version.name))
            for version, part in zip(versions, parts, strict=True)
        ]


# --- attacks and judgement --------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class AttackResult:
    """The result of one attack, on one column or on all at once.

    Attributes
    ----------
    entry
        The result as in ``attacks`` of report.json: success, the same on a control, and by chance.
    """

    entry: AttackEntry

    @property
    def id(self) -> str:
        """Id of the attack."""
        return self.entry.id

    @property
    def column(self) -> str | None:
        """Name of the attacked column; None if it is not a single column."""
        return self.entry.column

    @property
    def severity(self) -> str:
        """Severity of the result: ``none``, ``some``, ``serious`` or ``total``."""
        return self.entry.severity

    @property
    def sentence(self) -> str:
        """The result as an English sentence."""
        with _explain_errors():
            return render_stored(self.entry.sentence.id, self.entry.sentence.arguments).sentence

    def to_frame(self) -> pd.DataFrame:
        """Return one row: attack, column, severity, success, low, high, control, chance and sentence.

        ``low`` and ``high`` are the ends of the 95 % interval of ``success``; ``control`` is the success of the same
        attack without the person's record, ``chance`` that of guessing. Figures that were not measured are missing.
        """
        import pandas as pd

        row = {
            "attack": self.id,
            "column": self.column,
            "severity": self.severity,
            "success": self.entry.success.value,
            "low": self.entry.success.low,
            "high": self.entry.success.high,
            "control": self.entry.control.value,
            "chance": self.entry.chance.value,
            "sentence": self.sentence,
        }
        return pd.DataFrame([row])


def attack(
    candidate: Candidate, *, only: Collection[str] | None = None, progress: Listener | None = None
) -> list[AttackResult]:
    """Return the results of attacks on a candidate, by an intruder who has everything but the key.

    They are in the attacks' fixed order; an attack may have several results, one for each column, or none.

    Parameters
    ----------
    candidate
        The candidate for release.
    only
        Ids of the attacks to run; when left out, all that the candidate's steps call for.
    progress
        Called with (share of the work done, 0 to 1, id of what is being done).

    Raises
    ------
    InputError
        When there is no such attack.

    Examples
    --------
    >>> found = attack(candidate, only=["singling-out"])
    >>> {each.id for each in found}
    {'singling-out'}
    """
    with _explain_errors():
        made = candidate._made
        called = declared_attacks(made)
        chosen = [find_attack(id) for id in (called if only is None else only)]
        chosen.sort(key=lambda declared: (declared.order, declared.id))
        evidence, watch = AttackEvidence(made), Progress(progress)
        attack_entries: list[AttackEntry] = []
        for index, declared in enumerate(chosen):
            watch.report(index / len(chosen), "doing.audit")
            attack_entries += watch.part(index / len(chosen), (index + 1) / len(chosen)).run(declared.run, evidence)
        return [AttackResult(attack_entry) for attack_entry in attack_entries]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """The evaluation of a candidate as a release: figures, attacks, and checks on the bytes of the file.

    Attributes
    ----------
    candidate
        The evaluated candidate.
    accept
        The written reasons given in ``judge``, by cause.
    """

    candidate: Candidate
    accept: Mapping[str, str]
    _result: _Evaluation = field(repr=False)
    _attacks: tuple[AttackEntry, ...] = field(repr=False)

    @property
    def passes(self) -> bool:
        """Whether the candidate may be released: no check is red, and all that ask for a reason have a valid one."""
        return self._result.decision.released

    @property
    def verdict(self) -> Verdict:
        """The verdict: all figures, attack results and checks, from which all pages and documents are written."""
        return self._result.report.verdict

    @property
    def checks(self) -> tuple[CheckEntry, ...]:
        """Every check: id, status (green, amber, red, not-applicable, not-run), figure, limit and sentence."""
        return tuple(self.verdict.checks)

    @property
    def report(self) -> dict[str, Any]:
        """The content of report.json, as for a draft release."""
        return self._result.report.document()

    @property
    def blocked_by(self) -> tuple[str, ...]:
        """Ids of the checks that stop the release: red ones, and those that lack a written reason."""
        return tuple(self._result.decision.blocked_by)

    @property
    def attacks(self) -> list[AttackResult]:
        """The results of the attacks that were taken into account, in their order."""
        return [AttackResult(entry) for entry in self._attacks]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each check: check, cause, title, status, figure, limit, sentence and reason.

        Figure, limit and reason are missing if the check has none.
        """
        import pandas as pd

        with _explain_errors(), choose_counted_unit(rows=self.verdict.counts_rows):
            rows = [
                {
                    "check": check.id,
                    "cause": check.cause,
                    "title": render_stored(check.sentence.id, check.sentence.arguments).title,
                    "status": check.status,
                    "figure": None if check.figure is None else check.figure.value,
                    "limit": check.limit,
                    "sentence": render_stored(check.sentence.id, check.sentence.arguments).sentence,
                    "reason": None if reason_entry is None else reason_entry.reason,
                }
                for check in self.checks
                for reason_entry in [self.verdict.decision.reason_for(check.id)]
            ]
        return pd.DataFrame(rows)


def judge(
    candidate: Candidate,
    *,
    attacks: Sequence[AttackResult] | None = None,
    accept: Mapping[str, str] | None = None,
) -> Evaluation:
    """Return the evaluation of a candidate as its release would get it without a ledger; nothing is written.

    So earlier releases of the source are not considered.

    Parameters
    ----------
    candidate
        The candidate for release.
    attacks
        Results of attacks on the candidate; when left out, they are run here. The check ``audit-complete`` fails if an
        attack that the steps call for is not among them.
    accept
        Your written reasons, by id of the cause they are for (the ``cause`` of the checks they answer). They replace
        the recipe's reasons for the same causes.

    Returns
    -------
    The result of every check, the verdict, and the report that the release would have.

    Raises
    ------
    RecipeError
        For an unacceptable reason, or for an unknown cause.

    Examples
    --------
    >>> evaluation = judge(candidate)
    >>> evaluation.passes, "class-size" in evaluation.blocked_by
    (False, True)
    >>> list(evaluation.to_frame().columns)
    ['check', 'cause', 'title', 'status', 'figure', 'limit', 'sentence', 'reason']
    """
    with _explain_errors():
        made, accepted = candidate._made, dict(accept or {})
        reasons = {
            **made.prepared.recipe.accept,
            **{id: models.AcceptSection(reason=text) for id, text in accepted.items()},
        }
        check_accepts(reasons, tuple(accepted))
        entries = tuple(result.entry for result in (attack(candidate) if attacks is None else attacks))
        return Evaluation(
            candidate, accepted, evaluate(made, reasons, attacks=entries, confirmed=tuple(accepted)), entries
        )


# --- releases ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class ExportOptions:
    """Options for writing a release, if the defaults are not wanted.

    Attributes
    ----------
    replace
        Whether to replace an earlier release in the folder.
    draft
        Whether to write only ``internal/``, whatever the checks say.
    created
        The time written in the files of ``internal/``; the present time when left out.
    renderers
        Function that makes a PDF from an HTML page, by file name of the document; empty for no PDFs.
    """

    replace: bool = False
    draft: bool = False
    created: datetime | None = None
    renderers: Mapping[str, Renderer] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class Release:
    """A release that was written.

    Attributes
    ----------
    path
        The folder of the release, with ``release/`` to hand over and ``internal/`` to keep.
    report
        The content of report.json.
    notes
        What else the owner should know, as English sentences.
    """

    path: Path
    report: Mapping[str, Any]
    notes: tuple[str, ...]

    @property
    def files(self) -> tuple[Path, ...]:
        """Paths of the files to hand over."""
        return tuple(self.path / file["path"] for file in self.report["files"])

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each file to hand over: ``path``, ``sha256`` and ``bytes`` (its size)."""
        import pandas as pd

        return pd.DataFrame(self.report["files"], columns=["path", "sha256", "bytes"])


def release(
    evaluation: Evaluation,
    out: str | Path,
    *,
    format: str | None = None,
    keep_key: bool = True,
    ledger: str | Path | None = None,
    options: ExportOptions | None = None,
) -> Release:
    """Write an evaluated candidate to a folder, completely or not at all; return the release.

    Nothing is drawn or attacked again. The written files are read back from the disk, and the checks are run on them.

    Parameters
    ----------
    evaluation
        The result of ``judge``, whose attack results and reasons are used.
    out
        Folder to create. A release that has to be approved by a second person gets another name; see the ``path`` that
        comes back.
    format
        Format of the data file: ``csv``, ``xlsx``, ``sav`` or ``dta``; the recipe's format when left out.
    keep_key
        Whether to keep the key in ``internal/``, so that the release can be repeated and verified.
    ledger
        File that lists releases and random draws. Earlier ones of the same source are taken into account. This draw is
        entered, even if a check stops the release, and so is the release (no draft or teaching copy); ``notes`` of the
        result says so if that fails. Without the file, other releases are not considered.
    options
        Further options; None for the defaults.

    Raises
    ------
    GateBlocked
        When a check is red or lacks a reason, except for a draft, and for a teaching copy if the check is on
        protection; the error's ``report`` is the report. Nothing is written to the folder.
    InputError
        When the folder cannot or must not be written.
    RecipeError
        For an unknown format, for a teaching copy that is a draft or not for internal use, or when a second person has
        to approve and the recipe does not name the first.

    Examples
    --------
    >>> release(evaluation, folder)
    Traceback (most recent call last):
        ...
    ppdm_desktop.engine.errors.GateBlocked: ...
    """
    options = options or ExportOptions()
    with _explain_errors():
        candidate = evaluation.candidate._made
        if format is not None and format != candidate.prepared.recipe.release.format:
            candidate = _change_format(candidate, format)
        done = export(
            candidate,
            Path(out),
            keep_key=keep_key,
            accepts=evaluation.accept,
            attacks=evaluation._attacks,
            original=evaluation._result.report.original,
            draws=evaluation._result.draws[:-1],
            ledger=None if ledger is None else Path(ledger),
            replace=options.replace,
            draft=options.draft,
            created=options.created,
            renderers=options.renderers,
        )
        sentences = tuple(render(note.id, note.arguments).sentence for note in done.notes)
        return Release(done.path, done.report, sentences)


def _change_format(candidate: _Candidate, format: str) -> _Candidate:
    """Return a copy of a candidate with another format of its data file, which changes no random draw.

    Raise RecipeError for an unknown format.
    """
    parse_recipe({"recipe": 1, "release": {"format": format}}, formats=release_formats())

    def changed(recipe: models.Recipe) -> models.Recipe:
        """Return a copy of the recipe with the other format."""
        return recipe.model_copy(update={"release": recipe.release.model_copy(update={"format": format})})

    prepared = candidate.prepared
    return replace(
        candidate, prepared=replace(prepared, recipe=changed(prepared.recipe), complete=changed(prepared.complete))
    )


@dataclass(frozen=True, eq=False)
class Verification:
    """The result of repeating and comparing a release with ``verify``.

    Attributes
    ----------
    result
        ``identical``, ``different`` or ``not possible``.
    sentence
        Why, as an English sentence.
    cells
        Number of cells in which the data file differs from the repeated run; None if they were not compared.
    """

    result: str
    sentence: str
    cells: int | None
    _result: _Verification = field(repr=False)

    @property
    def identical(self) -> bool:
        """Whether the release is what its recipe, key and original produce."""
        return self.result == "identical"

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each file that differs from the manifest: ``path`` and ``state``.

        The manifest is the list of the release's files with their hashes; ``state`` is ``changed``, ``missing`` or
        ``extra``.
        """
        import pandas as pd

        rows = [(file.path, file.state) for file in self._result.files]
        return pd.DataFrame(rows, columns=["path", "state"])


def verify(folder: str | Path, original: Data, *, plugins: bool = False) -> Verification:
    """Run a release's recipe again with its key on the original, and return whether the same files come out.

    Parameters
    ----------
    folder
        Folder that ``release`` wrote.
    original
        The table, DataFrame or file that was released.
    plugins
        Whether to enable the installed plug-ins with which the release was made; their code then runs. Without them
        such a release cannot be repeated.

    Returns
    -------
    Verification
        ``not possible`` if the release cannot be repeated, for example because its key was not kept.

    Raises
    ------
    InputError
        When the folder has no release, or the original is another file or table.
    RecipeError
        When the recipe kept in the folder does not work any more; with ``plugins`` also when a plug-in is not installed
        or is refused.

    Examples
    --------
    >>> done = release(judge(candidate, accept=reasons), folder)
    >>> verify(folder, people).result
    'identical'
    """
    with _explain_errors():
        if plugins:
            switch_on(read_named_plugins(Path(folder)))
        result = _verified(Path(folder), _to_source(original))
        text = render(result.reason.id, result.reason.arguments)
        return Verification(result.result, text.sentence, result.cells, result)


def approve(
    folder: str | Path,
    by: str,
    *,
    note: str = "",
    refuse: bool = False,
    original: Data | None = None,
    ledger: str | Path | None = None,
) -> Decided:
    """Approve or refuse a release that waits for a second person; return its present folder and what was checked.

    Before that, the files and figures in the folder are checked. The decision is added to the release's log, and the
    papers in the folder are written anew, after an approval with the name of the second person. An approved release is
    then moved out of its waiting folder; a refused one stays there. If the same decision was logged before but not
    completed, it is completed, and ``by`` and ``note`` do not matter.

    Parameters
    ----------
    folder
        Folder that ``release`` wrote from a recipe with ``four_eyes``.
    by
        Name of the second person.
    note
        A sentence for the log of decisions.
    refuse
        Whether the release is refused instead.
    original
        The table, DataFrame or file that was released, to run the recipe again as well; for None only the files and
        figures are checked.
    ledger
        File that lists releases; the status of this release is changed in it. Other releases are not considered.

    Raises
    ------
    GateBlocked
        When something in the folder is not as it was written, or running the recipe again gives another release;
        nothing is decided then.
    InputError
        When no release waits in the folder, the opposite was decided before, ``original`` is another file or table, the
        log or the ledger cannot be read or written, or the folder cannot be moved.
    RecipeError
        When ``by`` is empty, or the name of the person who made the release, or the kept recipe does not work any more.

    Examples
    --------
    >>> approve(folder, "Bo Bell")
    Traceback (most recent call last):
        ...
    ppdm_desktop.engine.errors.InputError: ...
    """
    with _explain_errors():
        source = None if original is None else _to_source(original)
        list_of_releases = None if ledger is None else Path(ledger)
        return _approved(Path(folder), by, note=note, refuse=refuse, source=source, ledger=list_of_releases)


def compare_releases(first: str | Path, second: str | Path, *, ledger: str | Path | None = None) -> pd.DataFrame:
    """Return a row for each figure or setting of two releases: ``group``, ``what``, ``first``, ``second``, ``differs``.

    Nothing is measured again.

    Parameters
    ----------
    first, second
        Folders of the earlier and the later release.
    ledger
        File that lists releases; it may say how many rows the sources of both releases share.

    Raises
    ------
    InputError
        When a folder has no release, or the ledger cannot be read.

    Examples
    --------
    >>> done = release(judge(candidate, accept=reasons), folder)
    >>> bool(compare_releases(folder, folder)["differs"].any())
    False
    """
    import pandas as pd

    with _explain_errors():
        lines = _side_by_side(Path(first), Path(second), None if ledger is None else Path(ledger))
        return pd.DataFrame([line.document() for line in lines])


@dataclass(frozen=True, eq=False)
class Comparison:
    """The comparison of an original with a table made from it by any tool: usefulness kept and risk left.

    Attributes
    ----------
    matched
        Number of released rows whose original row is known; None if rows were not matched.
    changed_cells
        Number of cells with another value than in the original, by column; None if rows were not matched.
    notes
        How columns and rows were matched, and what could not be done, as English sentences.
    """

    matched: int | None
    changed_cells: Mapping[str, int] | None
    notes: tuple[str, ...]
    _result: _Comparison = field(repr=False)

    @property
    def document(self) -> dict[str, Any]:
        """The sections ``input``, ``verdict``, ``original``, ``risk`` and ``utility`` of report.json."""
        return self._result.document()

    @property
    def attacks(self) -> list[AttackResult]:
        """The results of the attacks on the released table.

        If rows were not matched, there is only an upper bound on the people singled out.
        """
        return [AttackResult(entry) for entry in self._result.verdict.attacks or ()]

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each compared column: ``column``, ``kind``, ``changed_cells`` and the main figures.

        ``changed_cells``, the number of changed cells, is missing if unknown. The figures compare the column before and
        after; those that were not measured are missing.
        """
        import pandas as pd

        changed = self.changed_cells or {}
        rows = [
            {
                "column": column.name,
                "kind": column.kind,
                "changed_cells": changed.get(column.name),
                **{key: getattr(column, key).value for key in brief_measures(ColumnUtility)},
            }
            for column in self._result.utility.columns
        ]
        return pd.DataFrame(rows)


def compare(original: Data, released: Data, recipe: Recipe, *, rows: str = "aligned") -> Comparison:
    """Return the comparison of an original with a table that any tool made from it; nothing is written.

    Parameters
    ----------
    original, released
        Tables, DataFrames or paths of files.
    recipe
        The recipe with the roles of the columns. Its steps say by which method the release was made, if that is known,
        and are not run.
    rows
        How rows are matched: ``aligned`` (by their order), ``by=COLUMN`` (by the values of a column) or ``none``.

    Raises
    ------
    InputError, RecipeError
        When a table cannot be read, has a column that the recipe does not release, or rows cannot be matched in this
        way.

    Examples
    --------
    >>> found = compare(people, people, recipe)
    >>> found.matched, sum(found.changed_cells.values())
    (16, 0)
    """
    with _explain_errors():
        result = _compared(_to_source(original), _to_source(released), recipe, rows)
        sentences = tuple(render(note.id, note.arguments).sentence for note in result.notes)
        return Comparison(result.matched, result.changed_cells, sentences, result)
