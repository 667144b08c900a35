"""Decisions and texts of the page Columns; no widget here."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.errors import RecipeError
from ppdm_desktop.engine.recipe.models import ROLES, BinsSection, ColumnSection, DetailMark, Recipe, ValueRuleSection
from ppdm_desktop.engine.table.bins import bin_column, find_bins
from ppdm_desktop.engine.table.column import Column, Table
from ppdm_desktop.engine.table.kinds import all_numbers, apply_columns, present_texts
from ppdm_desktop.engine.table.patterns import PATTERNS
from ppdm_desktop.engine.table.reading import Reading
from ppdm_desktop.engine.table.rules import ValueRule, identity_of
from ppdm_desktop.engine.table.rules.numbers import ListRule
from ppdm_desktop.engine.wording.catalogue import _, lazy
from ppdm_desktop.engine.wording.texts import render_title
from ppdm_desktop.engine.wording.values import Name, Names, Term, Terms
from ppdm_desktop.ui.state.column_facts import ColumnFacts
from ppdm_desktop.ui.state.level_column import name_of_level_column
from ppdm_desktop.ui.state.level_words import level_words, read_level_words
from ppdm_desktop.ui.state.session import Session

MOST_ORDERED = 200
_SHOWN = 24
_MOST_WAITING = 3
_FITTING = {
    "order": ("ordinal",),
    "format": ("date",),
    "bounds": ("numeric",),
    "step": ("numeric",),
    "bins": ("numeric",),
    "not_negative": ("numeric",),
    "hierarchy": ("numeric", "ordinal", "nominal", "date"),
    "hierarchy_sha256": ("numeric", "ordinal", "nominal", "date"),
    "texts_read": ("text", "nominal"),
}


def role_counts(session: Session) -> dict[str, int]:
    """Return the number of the file's columns with each role, 0 included, by role in their usual order.

    Columns without a role are not counted; all counts are 0 without a file.
    """
    names = session.reading.table.names if session.reading is not None else ()
    sections = session.decisions.recipe.columns
    counts: Counter[str] = Counter(sections[name].role for name in names if name in sections)
    return {role: counts.get(role, 0) for role in ROLES}


def short_name(name: str) -> str:
    """Return a column's name; of more than 24 letters only the first and last twelve, with "…" between."""
    return name if len(name) <= _SHOWN else f"{name[: _SHOWN // 2]}…{name[-_SHOWN // 2 :]}"


def waiting_words(names: Sequence[str]) -> str:
    """Return a sentence on which columns, at least one, wait for a decision; of more than three only their number."""
    if len(names) <= _MOST_WAITING:
        return _("{names} {names:needs|need} your decision", names=Names.of([short_name(name) for name in names]))
    return _("{n} {n:column needs|columns need} your decision", n=len(names))


@dataclass(frozen=True)
class ColumnNote:
    """A note on a column: severity and sentence."""

    severity: str
    words: str


def find_likely_confidential(session: Session, most: int = 3) -> list[str]:
    """Return the names of up to ``most`` released columns that are likely to be confidential, the likeliest first.

    First columns suggested as confidential that got another role, then those without a suggestion; the last columns of
    the file first, because results and outcomes are usually there. Only columns without a role, or with the role
    ``other`` or ``quasi-identifier``, are returned; none without a file.
    """
    if session.reading is None:
        return []
    sections = session.decisions.recipe.columns
    open_to_all = [
        name
        for name in session.reading.table.names
        if name not in sections or sections[name].role in ("other", "quasi-identifier")
    ]

    def rank(name: str) -> int:
        """Return a column's sort key from 0 (suggested as confidential) to 3 (marked as known to others)."""
        role = session.facts[name].role
        if role == "confidential":
            return 0
        if role is None:
            return 1
        return 2 if name not in sections or sections[name].role == "other" else 3

    return sorted(reversed(open_to_all), key=rank)[:most]  # noqa: C414 - of equals the last comes first


def column_notes(session: Session, name: str) -> list[ColumnNote]:
    """Return the notes that the panel shows on a column, often none.

    They say that cells point to a person, that other released columns have the same information, that the role should
    perhaps be confidential, that values belong to one person each, and that there are no values. Only the first is made
    for a column without a role.
    """
    facts, section = session.facts[name], session.decisions.recipe.columns.get(name)
    notes = []
    if facts.findings and (section is None or section.role not in _KEPT_BACK):
        held = Terms(
            tuple(
                lazy("{kind} in {n} {n:cell|cells}", kind=Term(render_title(PATTERNS[kind].title)), n=n)
                for kind, n in facts.findings
            )
        )
        text = _("Some cells contain details that point to a person: {held}.", held=held)
        notes.append(ColumnNote("amber", text))
    if section is None:
        return notes
    released = _find_repeated_columns(session, name)
    if released and section.role not in _KEPT_BACK:
        text = _(
            "Anyone who knows {name} also knows {others}. To protect one, leave the other out.",
            name=Name(name),
            others=Names.of(released),
        )
        notes.append(ColumnNote("amber", text))
    if section.role == "other" and facts.role == "confidential":
        suggestion = _(
            "Its name suggests something that people may want to keep private. If so, mark it as confidential (C)."
        )
        notes.append(ColumnNote("amber", suggestion))
    if (sentence := _unique_values_sentence(facts, section)) is not None:
        notes.append(ColumnNote("amber", sentence))
    if facts.missing == facts.rows:
        notes.append(ColumnNote("note", _("This column has no values.")))
    return notes


def _find_repeated_columns(session: Session, name: str) -> list[str]:
    """Return the names of other released columns that have the same information as a column, renamed value by value.

    Columns that have no role yet are left out.
    """
    sections = session.decisions.recipe.columns
    repeats = [repeat for repeat in session.facts[name].repeats if repeat != name and repeat in sections]
    return [repeat for repeat in repeats if sections[repeat].role not in _KEPT_BACK]


def _unique_values_sentence(facts: ColumnFacts, section: ColumnSection) -> str | None:
    """Return a sentence that a column's values belong to one person each; None if that is harmless.

    It is said of released, not confidential columns whose values are all different, and of texts or ranked values of
    which more than a twentieth (of the rows) occur once.
    """
    if section.role not in ("quasi-identifier", "other"):
        return None
    unique = facts.rows > 1 and facts.distinct == facts.rows - facts.missing and facts.distinct > 1
    as_names = (section.kind or facts.kind) in ("nominal", "ordinal")
    if not as_names or facts.singles <= _MANY_SINGLES * facts.rows:
        if not unique:
            return None
        return _("Every value is different. It could identify people like a serial number.")
    return _(
        "{singles} of {n} values {singles:belongs|belong} to one person each: shorten or leave out.",
        singles=facts.singles,
        n=facts.distinct,
    )


_MANY_SINGLES = 0.05
_KEPT_BACK = ("identifier", "privacy-level", "left-out")


# --- marks ------------------------------------------------------------------------------


def mark_columns(session: Session, names: Sequence[str], mark: DetailMark | None) -> None:
    """Mark columns as "must stay detailed" or "may lose detail", None removes the mark; nothing without columns.

    Roles are not confirmed by that.
    """
    if not names:
        return
    session.set_column(names, confirm=False, detail=mark)


# --- numbers or codes -------------------------------------------------------------------


def list_undecided_codes(session: Session) -> list[str]:
    """Return the columns of few whole numbers for which it is undecided whether they are numbers or codes.

    The answer is the kind of the column, or the list of its values among the recipe's rules. They are released columns
    read as numbers, without groups, in the order of the recipe.
    """
    recipe = session.decisions.recipe
    answered = {rule.columns for rule in recipe.rules if rule.kind == ListRule.id}
    asked = []
    for name, section in recipe.columns.items():
        facts = session.facts.get(name)  # none of a column that the reduction adds
        if facts is None or facts.codes is None or section.role in _KEPT_BACK or section.kind != "numeric":
            continue
        if section.bins is None and (name,) not in answered:
            asked.append(name)
    return asked


def codes_words(session: Session, asked: Sequence[str]) -> tuple[str, str, str]:
    """Return the question whether a column has numbers or codes, with all its values, and a sentence on what follows.

    The latter says how many whole numbers there are, and that codes are never averaged or given noise.
    """
    assert session.reading is not None
    name = asked[0]
    values = tuple(str(int(value)) for value in session.reading.table.column(name).counted_numbers()[0].tolist())
    question = _(
        "{column}: {values}. Are these numbers or codes?", column=Name(name), values=Terms(values, all_named=True)
    )
    why = _("{n} whole numbers; codes are never averaged or given noise.", n=len(values))
    suggested = {"codes": lazy("Suggested as codes: {names}."), "numbers": lazy("Suggested as numbers: {names}.")}
    parts = []
    for answer, sentence in suggested.items():
        if names := [column for column in asked if session.facts[column].codes == answer]:
            parts.append(sentence.said(names=Names.of(names)))
    return question, why, " ".join(parts)


def are_numbers(session: Session, names: Sequence[str]) -> None:
    """Decide that columns hold numbers, not codes: add the rule that released values are among those of the file.

    The rule can be unticked later.
    """
    rules = tuple(ValueRuleSection(kind=ListRule.id, columns=(name,)) for name in names)
    session.decide_recipe(rules=(*session.decisions.recipe.rules, *rules))


# --- what always holds ------------------------------------------------------------------


def is_kept(recipe: Recipe, rule: ValueRule) -> bool:
    """Return whether releases must obey a rule: as its section in the recipe says, True without a section."""
    wanted = identity_of(rule.section(kept=True))
    return next((section.kept for section in recipe.rules if identity_of(section) == wanted), True)


def keep_rule(session: Session, rule: ValueRule, kept: bool) -> None:
    """Decide whether changed and generated rows have to obey a rule (``kept``); the decision can be undone.

    It replaces the rule's section in the recipe, or is added as the last one.
    """
    section, rules = rule.section(kept=kept), session.decisions.recipe.rules
    same_rule = next((rule for rule in rules if identity_of(rule) == identity_of(section)), None)
    new = section if same_rule is None else same_rule.model_copy(update={"kept": kept})
    other_rules = tuple(rule for rule in rules if rule is not same_rule)
    session.decide_recipe(rules=(*other_rules, new))


# --- values below zero ------------------------------------------------------------------


@dataclass(frozen=True)
class BelowZero:
    """Whether a column of non-negative numbers can never be negative.

    Attributes
    ----------
    marked
        The user's decision; None before there is one.
    proposed
        Whether the program proposes that negative values are impossible.
    """

    marked: bool | None
    proposed: bool

    @property
    def asks(self) -> bool:
        """Whether the proposal waits for an answer; until then the column counts as not marked."""
        return self.proposed and self.marked is None

    @property
    def words(self) -> str:
        """The sentence below the answer: the question if it is only suggested that values are never negative.

        Otherwise it says whether random noise can lead to values below zero: not if the column is marked as not
        negative.
        """
        if self.asks:
            return _("Suggested: the name or the values look like a count, an age or an amount. Is that right?")
        if self.marked:
            return _("Random noise then never leads below zero, and ranges can start at 0.")
        return _("Random noise can lead to values below zero.")


def read_below_zero(session: Session, name: str) -> BelowZero | None:
    """Return for a column of non-negative numbers whether it is marked, and whether it is suggested, as never negative.

    It is None for any other column, and for columns that are not released or are cut into groups.
    """
    facts, section = session.facts.get(name), session.decisions.recipe.columns.get(name)
    if facts is None or section is None or section.role in _KEPT_BACK or section.kind != "numeric":
        return None
    if section.bins is not None or facts.lowest is None or facts.lowest < 0:
        return None
    return BelowZero(section.not_negative, facts.not_negative)


def panel_words(session: Session, name: str) -> str:
    """Return the line below a column's name in the panel: label, numbers of values, rows and missing cells, levels.

    Label and levels are left out where there are none.
    """
    facts = session.facts[name]
    said = _(
        "{n} different {n:value|values} in {rows} {rows:row|rows}, {missing} missing",
        n=facts.distinct,
        rows=facts.rows,
        missing=facts.missing,
    )
    label = session.reading.table.column(name).label if session.reading is not None else ""
    return " · ".join([*filter(None, [label]), said, *_describe_level_texts(session, name)])


def _describe_level_texts(session: Session, name: str) -> list[str]:
    """Return a line on which levels the texts of the level column mean; empty for any other column or without texts."""
    recipe = session.decisions.recipe
    meant = read_level_words(recipe)
    if name != name_of_level_column(recipe) or not meant:
        return []
    levels = Terms(tuple(level_words(level, meant) for level in meant))
    return [_("meaning {levels}", levels=levels)]


# --- kinds ------------------------------------------------------------------------------


def with_kind(section: ColumnSection, column: Column, kind: str) -> ColumnSection:
    """Return a column's section of the recipe with another kind, without keys that do not apply to it.

    A new ordinal column has the order of the file or, without one, its texts in alphabetical order; numbers need no
    order.

    Raises
    ------
    RecipeError
        When a column of more than ``MOST_ORDERED`` different texts is to become ordinal.
    """
    gone = {key: None for key, kinds in _FITTING.items() if kind not in kinds}
    changed = section.model_copy(update={"kind": kind, **gone})
    if kind != "ordinal" or changed.order is not None:
        return changed
    if column.order is not None:
        return changed.model_copy(update={"order": column.order})
    texts = present_texts(column)
    if all_numbers(texts, ".") or all_numbers(texts, ","):
        return changed
    if len(texts) > MOST_ORDERED:
        raise RecipeError("error.columns.too-many-to-order", column=column.name, args={"most": MOST_ORDERED})
    return changed.model_copy(update={"order": tuple(sorted(texts))})


def check_kinds(reading: Reading, sections: Mapping[str, ColumnSection], kind: str) -> dict[str, ColumnSection]:
    """Return the recipe's sections of columns with another kind, by name.

    Raise a PpdmError if the values of a column do not allow it, such as texts as numbers.
    """
    changed_sections: dict[str, ColumnSection] = {}
    for done, (name, section) in enumerate(sections.items()):
        progress.report(done / len(sections), "progress.read.kinds")
        column = reading.table.column(name)
        changed = with_kind(section, column, kind)
        table = Table((column,), reading.table.row_numbers)
        progress.make_silent_progress().run(apply_columns, table, {name: changed}, reading.account.decimal)
        changed_sections[name] = changed
    return changed_sections


def order_of(session: Session, name: str) -> tuple[str, ...]:
    """Return the order of an ordinal column, lowest first: the recipe's, else the file's.

    It is empty for any other column, and where the order is that of numbers.
    """
    section = session.decisions.recipe.columns.get(name)
    if section is None or section.kind != "ordinal" or session.reading is None:
        return ()
    return section.order or session.reading.table.column(name).order or ()


def swap_order_values(order: Sequence[str], index: int, by: int) -> tuple[str, ...]:
    """Return an order with the value at ``index`` exchanged with the one ``by`` positions away.

    It is unchanged if one of the positions does not exist.
    """
    target = index + by
    if not 0 <= index < len(order) or not 0 <= target < len(order):
        return tuple(order)
    new = list(order)
    new[index], new[target] = new[target], new[index]
    return tuple(new)


# --- groups -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Grouping:
    """The groups entered in the editor."""

    bins: BinsSection
    bounds: tuple[float, float] | None = None


def make_group_preview(
    reading: Reading, sections: Mapping[str, ColumnSection], name: str, grouping: Grouping
) -> Callable[[], list[tuple[str, int]]]:
    """Return the work that counts the groups of a column: (label, number of values), lowest first.

    Missing values are left out. The work raises a PpdmError if the groups are not possible.

    Parameters
    ----------
    reading
        The file.
    sections
        The recipe's sections by column.
    name
        The column.
    grouping
        The groups entered in the editor.
    """
    section = sections[name].model_copy(update={"bins": grouping.bins, "bounds": grouping.bounds})
    wanted = {name: section}
    against = grouping.bins.against
    if against is not None and against in sections:
        wanted[against] = sections[against]
    table = reading.table
    rows, decimal = table.row_numbers, reading.account.decimal
    columns = tuple(table.column(column_name) for column_name in wanted)

    def work() -> list[tuple[str, int]]:
        """Return (label, number of values) of each group, lowest first; labels without values are included."""
        progress.report(0.0, "doing.groups")
        cut = progress.make_silent_progress().run(apply_columns, Table(columns, rows), wanted, decimal)
        column = cut.column(name)
        bins = find_bins(column, grouping.bins, cut)
        progress.report(0.6, "doing.groups")
        made = bin_column(column, bins)
        counts = np.bincount(made.codes, minlength=len(made.texts))
        return [(label, int(counts[code])) for code, label in enumerate(made.texts) if label in bins.labels]

    return work


def grouped_section(section: ColumnSection, grouping: Grouping | None) -> ColumnSection:
    """Return a column's section with these groups, or without any for None; groups replace a hierarchy.

    The column becomes a number column.
    """
    if grouping is None:
        return section.model_copy(update={"bins": None})
    changes = {"bins": grouping.bins, "bounds": grouping.bounds, "kind": "numeric"}
    return section.model_copy(update={**changes, "hierarchy": None, "hierarchy_sha256": None})


def class_columns(session: Session, name: str) -> list[str]:
    """Return the names of columns that can serve as classes of an entropy grouping, confidential ones first.

    These are all others with at most 100 different values; none without a file.
    """
    if session.reading is None:
        return []
    sections = session.decisions.recipe.columns
    named = [
        column.name
        for column in session.reading.table.columns
        if column.name != name and session.facts[column.name].distinct <= 100
    ]
    confidential = [column for column in named if column in sections and sections[column].role == "confidential"]
    return [*confidential, *(column for column in named if column not in confidential)]


def sections_of(session: Session, names: Iterable[str]) -> dict[str, ColumnSection]:
    """Return the recipe's sections of those of the columns that have one, by name."""
    sections = session.decisions.recipe.columns
    return {name: sections[name] for name in names if name in sections}
