"""Apply a recipe file to the open file, as far as it fits, and say in words what does not fit (no Qt here)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import Cancelled, PpdmError, RecipeError
from ppdm_desktop.engine.methods.base.declaration import find_method
from ppdm_desktop.engine.recipe.load import read_recipe, read_sweep_section
from ppdm_desktop.engine.recipe.models import ColumnSection, PrivacySection, Recipe, StepSection, SweepSection
from ppdm_desktop.engine.release.candidate.model import JUDGING_INPUT_KEYS
from ppdm_desktop.engine.release.candidate.pipeline import prepare_reading
from ppdm_desktop.engine.release.start_like import Started, read_earlier_decisions, refuse_unknown_methods, start_like
from ppdm_desktop.engine.release.storage.ledger import machine_key
from ppdm_desktop.engine.release.sweep.run import read_grid
from ppdm_desktop.engine.table.reading import Reading, hash_file, read_source
from ppdm_desktop.engine.table.writing.registry import release_formats
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy
from ppdm_desktop.engine.wording.texts import explain
from ppdm_desktop.engine.wording.values import Name, Names, Term
from ppdm_desktop.ui.state.person_answer import Answer, apply_person_answer, find_row_count_column
from ppdm_desktop.ui.state.reading import Opened, describe_reading, open_code_store
from ppdm_desktop.ui.state.session import Session


@dataclass(frozen=True, eq=False)
class FittedRecipe:
    """The part of a recipe file that fits a source.

    Attributes
    ----------
    name
        Name of the recipe file.
    opened
        The source, read with the options of the recipe.
    recipe
        The part of the recipe that fits.
    named
        Columns whose decisions come from the recipe (by their names or by its entry ``*``) and count as confirmed; with
        an earlier file's decisions only those matched with certainty.
    notes
        Sentences on what does not fit.
    problem
        Why the recipe cannot be run on this source; None if it can.
    to_try
        The range of settings that the recipe file proposes to try, if it fits.
    """

    name: str
    opened: Opened
    recipe: Recipe
    named: frozenset[str]
    notes: tuple[Sentence, ...]
    problem: PpdmError | None = None
    to_try: SweepSection | None = None

    @property
    def fits(self) -> bool:
        """Whether the whole recipe fits the source."""
        return not self.notes and self.problem is None


def read_for(source: Path, recipe_file: Path) -> FittedRecipe:
    """Return the part of a recipe that fits a source, with the source as read and notes on what does not fit.

    The source is read with the recipe's options. Raises a ``PpdmError`` if either file cannot be read, or if the recipe
    names an unknown method.
    """
    recipe = read_recipe(recipe_file, formats=release_formats())
    to_try = read_sweep_section(recipe_file)
    refuse_unknown_methods(recipe)
    recipe, notes = progress.part(0.0, 0.5).run(_remove_foreign_rows, recipe, source)
    reading = progress.part(0.1, 0.6).run(
        read_source, source, recipe.input, plugins=recipe.plugins.use, store=open_code_store(source)
    )
    opened = progress.part(0.6, 0.8).run(describe_reading, source, reading)
    fitted = _fit_recipe(recipe, reading, notes)
    fitted_recipe = FittedRecipe(recipe_file.name, opened, fitted, frozenset(fitted.columns), tuple(notes))
    return progress.part(0.8, 1.0).run(_check_fitted_recipe, fitted_recipe, to_try)


def read_like(
    source: Path,
    earlier: Path,
    ledger: Path | None,
    undone: Collection[str] = (),
    chosen: Mapping[str, str] | None = None,
) -> tuple[FittedRecipe, Started]:
    """Return last year's decisions as far as they fit this year's file, and what became of each earlier column.

    Columns that were not matched with certainty are not in ``named`` of the result, so the user has to confirm them.
    Raises a PpdmError if one of the files cannot be read.

    Parameters
    ----------
    source
        The file of this year.
    earlier
        Project or recipe of last year.
    ledger
        File of releases, beside which the key for column summaries is kept; None without one.
    undone
        Earlier columns whose decisions are not used.
    chosen
        The new column by earlier column, where the user chose it.
    """
    key = None if ledger is None else machine_key(ledger)
    recipe, profiles = read_earlier_decisions(earlier)
    started = progress.part(0.0, 0.6).run(
        start_like, source, recipe, profiles, key, undone=undone, chosen=chosen, store=open_code_store(source)
    )
    notes = list[Sentence]()
    opened = progress.part(0.6, 0.8).run(describe_reading, source, started.reading)
    fitted = _fit_recipe(started.recipe, started.reading, notes)
    fitted_recipe = FittedRecipe(earlier.name, opened, fitted, started.sure, tuple(notes))
    return progress.part(0.8, 1.0).run(_check_fitted_recipe, fitted_recipe, None), started


def apply_recipe(session: Session, fitted_recipe: FittedRecipe) -> None:
    """Adopt a fitted recipe and its reading of the file in the session, as one decision.

    Columns that the recipe does not mention keep their decisions. Those in ``named`` of the fitted recipe count as
    confirmed.
    """
    decisions, opened = session.decisions, fitted_recipe.opened
    kept = {name: column for name, column in decisions.recipe.columns.items() if name in opened.reading.table}
    recipe = fitted_recipe.recipe.model_copy(update={"columns": {**kept, **fitted_recipe.recipe.columns}})
    confirmed = (decisions.confirmed & set(kept)) | (fitted_recipe.named & set(opened.reading.table.names))
    session.proposals = opened.proposals
    session.adopt(opened.reading, opened.facts, recipe, confirmed, fitted_recipe.to_try)


def describe_fitted_recipe(session: Session, fitted_recipe: FittedRecipe) -> list[str]:
    """Return lines that say what of a recipe was applied, what does not fit, and what the user still has to decide.

    They also say why the recipe cannot be run, and that it proposes a range to try, where that is so.
    """
    undecided = session.unconfirmed()
    lines = [
        _(
            "The recipe {name} is used for this file: {columns} {columns:column|columns}, {steps} {steps:step|steps}.",
            name=Name(fitted_recipe.name),
            columns=len(fitted_recipe.named),
            steps=len(fitted_recipe.recipe.steps),
        ),
        *map(str, fitted_recipe.notes),
    ]
    if undecided:
        lines.append(_("Please decide these columns on the Columns page: {names}.", names=Names.of(undecided)))
    if fitted_recipe.problem is not None:
        lines += [_("It cannot be run on this file yet:"), explain(fitted_recipe.problem, window=True)]
    if fitted_recipe.to_try is not None:
        lines.append(_("It proposes a range of values. You can run it on Protect, under “Try a range”."))
    return lines


def _remove_foreign_rows(recipe: Recipe, source: Path) -> tuple[Recipe, list[Sentence]]:
    """Return the recipe without rows that were selected by number in another file, and sentences on what was left out.

    These are rows left out, rows said to be people, and rows with a protection level; the other file's hash goes with
    them. The recipe is unchanged if it selects no rows and names no file hash, or if the hash is that of ``source``.
    """
    options = recipe.input
    by_number = [section for section in options.leave_out if section.rows is not None]
    picked = bool(by_number or options.people or recipe.privacy.rows)
    if options.sha256 is None and not picked:
        return recipe, []
    if options.sha256 == hash_file(source):
        return recipe, []
    changes: dict[str, object] = {"sha256": None, "people": ()}
    changes["leave_out"] = tuple(section for section in options.leave_out if section.rows is None)
    left = recipe.model_copy(
        update={
            "input": options.model_copy(update=changes),
            "privacy": recipe.privacy.model_copy(update={"rows": ()}),
        }
    )
    remark = lazy("Its row numbers belong to another file and are not used.")
    return left, [remark] if picked else []


def _fit_recipe(recipe: Recipe, reading: Reading, notes: list[Sentence]) -> Recipe:
    """Return the part of a recipe that fits a table; sentences on the rest are appended to ``notes``.

    The entry ``*`` is copied for each column of the table that has no entry. Targets of trial analyses that the table
    lacks are dropped without a sentence.
    """
    names = set(reading.table.names)
    recipe = _fit_people(recipe, names, notes)
    rows = find_row_count_column(recipe.input)
    missing = [name for name in recipe.columns if name not in names and name not in ("*", rows)]
    if missing:
        notes.append(lazy("Columns of the recipe that are not in this file: {names}.", names=Names.of(missing)))
    every = recipe.columns.get("*")
    columns: dict[str, ColumnSection] = {}
    for name in (*reading.table.names, *((rows,) if rows is not None else ())):
        section = recipe.columns.get(name, every)
        if section is not None:
            columns[name] = section
    options = reading.options.model_copy(update={**_list_people_options(recipe), "sha256": reading.account.sha256})
    targets = tuple(target for target in recipe.utility.targets or () if target in names) or None
    return recipe.model_copy(
        update={
            "input": options,
            "columns": columns,
            "privacy": _fit_privacy(recipe.privacy, names, notes),
            "steps": tuple(_fit_step(step, names, notes) for step in recipe.steps),
            "utility": recipe.utility.model_copy(update={"targets": targets}),
        }
    )


def _list_people_options(recipe: Recipe) -> dict[str, object]:
    """Return, by key, the recipe's reading options on people, households and repairs, which are used unchanged."""
    keys = ("person", "household", "one_row_per_person", *JUDGING_INPUT_KEYS, "order_by", "reduce", "repair")
    return {key: getattr(recipe.input, key) for key in keys}


def _fit_people(recipe: Recipe, names: set[str], notes: list[Sentence]) -> Recipe:
    """Return the recipe without settings on people that need columns the table lacks; ``notes`` gets sentences on them.

    ``names`` are the table's columns. If a column that identifies people is lacking, the whole answer to who is a
    person is removed; if the column of households is lacking, only that.
    """
    options = recipe.input
    gone = [name for name in options.person or () if name not in names]
    if gone:
        notes.append(
            lazy(
                "The recipe tells people apart by {names}, which {n:is|are} not in this file. Please answer below who "
                "a person is.",
                names=Names.of(gone),
                n=len(gone),
            )
        )
        return apply_person_answer(recipe, Answer())
    if options.household is not None and options.household not in names:
        notes.append(
            lazy("Columns of the recipe that are not in this file: {names}.", names=Names.of([options.household]))
        )
        return recipe.model_copy(update={"input": options.model_copy(update={"household": None})})
    return recipe


def _fit_privacy(privacy: PrivacySection, names: set[str], notes: list[Sentence]) -> PrivacySection:
    """Return the recipe's privacy settings without the level column and rules if they need columns the table lacks.

    ``names`` are the table's columns. Sentences on what was removed are appended to ``notes``.
    """
    changes: dict[str, object] = {}
    if privacy.column is not None and privacy.column not in names:
        changes |= {"column": None, "words": {}}
        notes.append(
            lazy(
                "The recipe takes protection levels from {name}, which is not in this file. Everyone has the usual "
                "level.",
                name=Name(privacy.column),
            )
        )
    kept = tuple(
        rule
        for rule in privacy.rules
        if all(condition.column is None or condition.column in names for condition in rule.where)
    )
    lost = len(privacy.rules) - len(kept)
    if lost:
        changes["rules"] = kept
        notes.append(
            lazy(
                "{n} {n:rule|rules} for protection levels {n:names|name} a missing column and {n:is|are} not used. "
                "Those people may have less protection.",
                n=lost,
            )
        )
    return privacy.model_copy(update=changes)


def _fit_step(step: StepSection, names: set[str], notes: list[Sentence]) -> StepSection:
    """Return a step without the columns that the table lacks; a step that would lose all its columns is switched off.

    A step that names no columns is unchanged. ``names`` are the table's columns. A sentence on what was left out is
    appended to ``notes``.
    """
    gone = [name for name in step.columns or () if name not in names]
    if not gone:
        return step
    title, missing = Term(find_method(step.method).title), Names.of(gone)
    kept = tuple(name for name in step.columns or () if name in names)
    if kept:
        notes.append(lazy("The step {title} leaves out {names}.", title=title, names=missing))
        return step.model_copy(update={"columns": kept})
    notes.append(lazy("The step {title} is switched off: its columns are not in this file.", title=title))
    return step.model_copy(update={"columns": None, "enabled": False})


def _check_fitted_recipe(fitted_recipe: FittedRecipe, to_try: SweepSection | None) -> FittedRecipe:
    """Return the fitted recipe with the problem that prevents running it, if any, and its range to try if that fits.

    If the range does not fit, a note says so. Raises Cancelled if the work is cancelled.
    """
    problem: PpdmError | None = None
    try:
        prepare_reading(fitted_recipe.opened.path, fitted_recipe.opened.reading, fitted_recipe.recipe)
    except Cancelled:
        raise
    except PpdmError as error:
        problem = error
    notes = list(fitted_recipe.notes)
    if to_try is not None:
        try:
            read_grid(fitted_recipe.recipe, to_try.over)
        except RecipeError:
            notes.append(lazy("The range of values that it proposes does not fit this file."))
            to_try = None
    return replace(fitted_recipe, notes=tuple(notes), problem=problem, to_try=to_try)
