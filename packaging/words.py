"""Translate the sentences of the program: gather them from the code, list what is missing, merge what was translated.

Run it as ``python3 packaging/dev.py words ...``::

    words check              list what is not translated, out of date, wrong or no longer used
    words extract            bring the .po files in step with the code; a reworded sentence keeps its translation, fuzzy
    words csv LANG FILE      write a table for a translator: context, english, translation, state
    words take LANG FILE     put the translations of such a table into the .po files

Only translators need it. A new sentence is said in English until it is translated; ``dev.py deliver`` refuses then.

Sentences are written where they are said: ``_("...")`` and ``lazy("...")`` in the code and the templates, the parts
of ``resources/texts/en.toml`` and of ``declare_text("id", ...)``, and the blocks of ``resources/help/en``, whose
context is ``help.<topic>``. The latter stand in ``help.po``, all others in ``messages.po``. A sentence has a context
only where the same English has two meanings. Both files are sorted by context and sentence and hold no positions in
the code, so that a change of code never changes them.
"""

from __future__ import annotations

import argparse
import ast
import csv
import difflib
import re
import string
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import denormalize, read_po, write_po
from jinja2 import Environment, nodes
from translations import compile_translations

from ppdm_desktop.engine.wording.catalogue import DOMAINS, domain_of
from ppdm_desktop.engine.wording.help import parse_topic
from ppdm_desktop.engine.wording.locales import PLURALS

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ppdm_desktop"
RESOURCES = ROOT / "resources"
LOCALE = RESOURCES / "locale"
DELIVERED = [ROOT / "packaging" / "delivery" / name for name in ("guide.py", "installer.py")]
"""Makers of what is delivered with the program, in its words."""
CATALOGUE_FUNCTIONS = ("_", "lazy")
TEXT_PARTS = ("title", "sentence", "remedy")
# A fixed date: the same sentences make the same bytes.
_CREATED = datetime(2026, 1, 1, tzinfo=UTC)
_SIMILAR_ENOUGH = 0.6
_PREVIOUS = "| msgid "
# No text is broken: Babel does not join broken comments again.
_LINE_WIDTH = 10_000

Key = tuple[str, str]
"""Context and English sentence: what a translation is looked up by."""


class Fault(Exception):
    """A sentence in the code cannot be gathered; the text says which and why."""


# --- sentences of the program -------------------------------------------------------------


def gather() -> list[Key]:
    """Return the context and the English of every sentence of the program, sorted, each once.

    Raises
    ------
    Fault
        For a sentence that is no literal, or placeholders that do not match the values passed.
    """
    keys: set[Key] = set()
    for path in [*sorted(PACKAGE.rglob("*.py")), *DELIVERED, *sorted((RESOURCES / "templates").glob("*.html"))]:
        keys.update(template_sentences(path) if path.suffix == ".html" else module_sentences(path))
    for texts in tomllib.loads((RESOURCES / "texts" / "en.toml").read_text("utf-8")).values():
        keys |= {("", texts[part]) for part in TEXT_PARTS if texts.get(part)}
    for path in (RESOURCES / "help" / "en").glob("*.md"):
        try:
            topic = parse_topic(path.stem, path.read_text("utf-8"))
        except ValueError as error:
            raise Fault(str(error)) from None
        keys |= {(block.context, block.english) for block in topic.blocks()}
    return sorted(keys)


def module_sentences(path: Path) -> Iterator[Key]:
    """Yield context and English of each call of ``_`` and ``lazy`` in a module, and each part of a declared text.

    Raises
    ------
    Fault
        For an id or a sentence that is no literal, and for placeholders that do not match the values passed.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name)):
            continue
        if node.func.id == "declare_text":
            yield from _declared_parts(node, path)
        if node.func.id not in CATALOGUE_FUNCTIONS:
            continue
        literals = [arg.value for arg in node.args if isinstance(arg, ast.Constant) and isinstance(arg.value, str)]
        if not literals or len(literals) != len(node.args):
            raise Fault(f"{_short(path)}:{node.lineno}: sentence and context must be literals")
        english, context = literals[0], "".join(literals[1:])
        values, names = {keyword.arg for keyword in node.keywords}, set(placeholders(english))
        if None not in values and (values - names or (node.func.id == "_" and names - values)):
            raise Fault(
                f"{_short(path)}:{node.lineno}: placeholders {sorted(names)}, values {sorted(map(str, values))}"
            )
        yield context, english


def _declared_parts(call: ast.Call, path: Path) -> Iterator[Key]:
    """Yield context and English of each part of a declared text."""
    for keyword in call.keywords:
        match call.args, keyword.value:
            case [ast.Constant(value=str())], ast.Constant(value=str(english)):
                yield "", english
            case _:
                raise Fault(f"{_short(path)}:{call.lineno}: id and text must be literals")


def template_sentences(path: Path) -> Iterator[Key]:
    """Yield context and English of each ``{{ _("...") }}`` in a template.

    Raises
    ------
    Fault
        For a sentence that is no literal.
    """
    tree = Environment(extensions=["jinja2.ext.do"]).parse(path.read_text("utf-8"))
    for call in tree.find_all(nodes.Call):
        if isinstance(call.node, nodes.Name) and call.node.name in CATALOGUE_FUNCTIONS:
            literals = [str(arg.value) for arg in call.args if isinstance(arg, nodes.Const)]
            if not literals or len(literals) != len(call.args):
                raise Fault(f"{_short(path)}:{call.lineno}: sentence and context must be literals")
            yield "".join(literals[1:]), literals[0]


def placeholders(message: str) -> list[str]:
    """Return the names in the braces of a message, in their order, repeated ones as well."""
    return [name for _, name, _, _ in string.Formatter().parse(message) if name is not None]


def _short(path: Path) -> str:
    """Return a path relative to the project's root."""
    return path.relative_to(ROOT).as_posix()


# --- translations -------------------------------------------------------------------------


def languages() -> list[str]:
    """Return the codes of the languages that the program is translated into."""
    return sorted(path.parent.name for path in LOCALE.glob("*/about.toml") if path.parent.name != "en")


def po_file(language: str, domain: str) -> Path:
    """Return the path of a ``.po`` file, which need not exist."""
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def load(language: str) -> dict[Key, Message]:
    """Return all messages of a language's ``.po`` files by context and English."""
    messages: dict[Key, Message] = {}
    for path in filter(Path.exists, (po_file(language, domain) for domain in DOMAINS)):
        with path.open("rb") as file:
            catalog = read_po(file, locale=language, abort_invalid=True)
        messages |= {(message.context or "", str(message.id)): message for message in catalog if message.id}
    for message in messages.values():
        # Babel reads the line "#| msgid", which has the English before it was reworded, as a comment.
        comments = message.user_comments
        message.previous_id = [denormalize(line[len(_PREVIOUS) :]) for line in comments if line.startswith(_PREVIOUS)]
        message.user_comments = [line for line in comments if not line.startswith("|")]
    return messages


def save(language: str, keys: Iterable[Key], messages: Mapping[Key, Message]) -> None:
    """Write a language's ``.po`` files for the given sentences, sorted, and compile them.

    A sentence that moved to another context keeps its translation. A reworded one gets that of the removed sentence of
    its context that reads most like it, marked fuzzy. Other translations of removed sentences are dropped.
    """
    keys = sorted(keys)
    removed = [messages[key] for key in sorted(messages.keys() - set(keys)) if messages[key].string]
    moved = {str(message.id): message for message in removed}
    catalogs = {domain: _new_catalog(language) for domain in DOMAINS}
    for context, english in keys:
        message = messages.get((context, english)) or moved.get(english) or _fuzzy_copy(context, english, removed)
        catalogs[domain_of(context)].add(
            english,
            message.string,
            context=context or None,
            user_comments=message.user_comments,
            flags=message.flags & {"fuzzy"},
            previous_id=message.previous_id if message.fuzzy else [],
        )
    for domain, catalog in catalogs.items():
        path = po_file(language, domain)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("wb") as file:
            write_po(file, catalog, width=_LINE_WIDTH, include_previous=True, ignore_obsolete=True)
    compile_translations(LOCALE, outdated_only=True)


def _new_catalog(language: str) -> Catalog:
    """Return an empty catalogue of a language."""
    catalog = Catalog(
        locale=language,
        project="PPDM Desktop",
        charset="utf-8",
        creation_date=_CREATED,
        revision_date=_CREATED,
        fuzzy=False,
    )
    catalog.header_comment = "# Sentences of PPDM Desktop, sorted: packaging/words.py extract."
    return catalog


def _fuzzy_copy(context: str, english: str, removed: Iterable[Message]) -> Message:
    """Return a message with the translation of the most similar removed sentence, or without a translation."""
    similar = [
        (difflib.SequenceMatcher(None, english, str(message.id)).ratio(), message)
        for message in removed
        if (message.context or "") == context
    ]
    ratio, nearest = max(similar, key=lambda pair: pair[0], default=(0.0, None))
    if nearest is None or ratio < _SIMILAR_ENOUGH:
        return Message(english, "", context=context)
    return Message(english, nearest.string, context=context, flags={"fuzzy"}, previous_id=[str(nearest.id)])


# --- what a translation must satisfy ------------------------------------------------------


def translation_problems(language: str, keys: Iterable[Key]) -> list[str]:
    """Return a line for each sentence that is untranslated, fuzzy or wrongly translated in a language."""
    messages = load(language)
    problems = []
    for context, english in keys:
        message = messages.get((context, english))
        if message is None or not message.string:
            problems.append(f"{language}: {context}: not translated: {english}")
        elif message.fuzzy:
            problems.append(f"{language}: {context}: fuzzy, check the translation: {english}")
        else:
            faults = translation_faults(english, str(message.string), language)
            problems += [f"{language}: {context}: {fault}: {message.string}" for fault in faults]
    return problems


def delivery_problems() -> list[str]:
    """Return a line for each untranslated, fuzzy or wrong translation in any language."""
    keys = gather()
    return [problem for language in languages() for problem in translation_problems(language, keys)]


def unused_translations(language: str, keys: Iterable[Key]) -> list[str]:
    """Return the translated sentences that are not among the given ones; ``extract`` removes them."""
    unused = sorted(load(language).keys() - set(keys))
    return [f"{language}: {context}: no longer used: {english}" for context, english in unused]


def translation_faults(english: str, translation: str, language: str) -> Iterator[str]:
    """Yield how a translation wrongly differs from its sentence: placeholders, marks, tags."""
    try:
        fields = list(string.Formatter().parse(translation))
    except ValueError as error:
        yield f"its placeholders cannot be read ({error})"
        return
    names = {name for _, name, _, _ in fields if name is not None}
    # A name that only chooses a word, as in {n:row|rows}, may be needless in another language.
    if missing := names_of_values(english) - names:
        yield f"placeholders missing: {sorted(missing)}"
    if unknown := names - set(placeholders(english)):
        yield f"unknown placeholders: {sorted(unknown)}"
    plural_forms = len(PLURALS[language].categories)
    for _, name, form, _ in fields:
        if name is not None and form and "|" in form and form.count("|") != plural_forms - 1:
            yield f"{{{name}}} has {form.count('|') + 1} forms, not {plural_forms}"
    if differing := number_formats(english) ^ number_formats(translation):
        yield f"number formats differ: {sorted(differing)}"
    if english.rstrip()[-1:] in ".:?!…" and translation.rstrip()[-1:] != english.rstrip()[-1:]:
        yield "another mark at its end"
    if sorted(re.findall(r"</?[a-z]+[^>]*>", english)) != sorted(re.findall(r"</?[a-z]+[^>]*>", translation)):
        yield "other tags"


def number_formats(message: str) -> set[str]:
    """Return the placeholders of a message that say how their value is written, as in ``share:people``."""
    return {
        f"{name}:{form}" for _, name, form, _ in string.Formatter().parse(message) if name and form and "|" not in form
    }


def names_of_values(message: str) -> set[str]:
    """Return the placeholders of a message whose value is written, not only used to choose a word."""
    return {name for _, name, form, _ in string.Formatter().parse(message) if name and "|" not in (form or "")}


# --- tables for translators ---------------------------------------------------------------


def write_table(language: str, path: Path) -> None:
    """Write a CSV table of all sentences with their translations, untranslated and fuzzy ones first."""
    messages = load(language)
    rows = []
    for context, english in gather():
        message = messages.get((context, english), Message(english, ""))
        state = "fuzzy" if message.fuzzy else "" if message.string else "missing"
        rows.append((context, english, str(message.string), state))
    rows.sort(key=lambda row: not row[3])
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(("context", "english", language, "state"))
        writer.writerows(rows)


def take_table(language: str, path: Path) -> tuple[int, list[str]]:
    """Write the translations of a table into the ``.po`` files; return how many, and why others were refused."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    keys, messages = set(gather()), load(language)
    taken, refused = 0, []
    for row in rows:
        context, english, translation = row["context"], row["english"], row[language]
        faults = list(translation_faults(english, translation, language)) if translation else []
        if (context, english) not in keys:
            refused.append(f"{context}: not a sentence of the program: {english}")
        elif faults:
            refused.append(f"{context}: {'; '.join(faults)}: {translation}")
        elif translation:
            comments = messages[context, english].user_comments if (context, english) in messages else ()
            messages[context, english] = Message(english, translation, context=context, user_comments=comments)
            taken += 1
    save(language, keys, messages)
    return taken, refused


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return 1 where sentences cannot be gathered or translations were refused, else 0."""
    parser = argparse.ArgumentParser(prog="dev.py words", description="Translate the sentences of the program.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("check", help="list what is not translated, out of date, wrong or no longer used")
    commands.add_parser("extract", help="bring the .po files in step with the code")
    for name, summary in (("csv", "write a table for a translator"), ("take", "take a translator's table back")):
        command = commands.add_parser(name, help=summary)
        command.add_argument("language", choices=languages())
        command.add_argument("file", type=Path)
    options = parser.parse_args(arguments)
    try:
        if options.command == "csv":
            write_table(options.language, options.file)
        elif options.command == "take":
            taken, refused = take_table(options.language, options.file)
            print(*refused, f"{taken} taken, {len(refused)} refused", sep="\n")
            return 1 if refused else 0
        else:
            print_state(extract=options.command == "extract")
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


def print_state(*, extract: bool) -> None:
    """Print what is to be translated into each language, after updating its ``.po`` files if asked."""
    keys = gather()
    for language in languages():
        if extract:
            save(language, keys, load(language))
        problems, unused = translation_problems(language, keys), unused_translations(language, keys)
        print(*problems, *unused, f"{language}: {len(problems)} to translate, {len(unused)} unused", sep="\n")


if __name__ == "__main__":
    sys.exit(main())
