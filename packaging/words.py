"""The catalogue of sentences: gather them from the code, keep the translations in step, build what is read at run time.

Run it with the Python of the project's .venv, or as ``python3 packaging/dev.py words ...``::

    words.py extract                    gather; merge into each language (a changed sentence is marked fuzzy)
    words.py areas [--before COMMIT]    sentences by area: as they were before, new or reworded, translated
    words.py check                      what is missing, out of step, or said outside the catalogue
    words.py build                      the compiled catalogues
    words.py reword "old" "new" --area A   another wording in code, tests and catalogues; translations are kept, marked
    words.py csv LANG FILE              a table for a translator: context, english, translation
    words.py take LANG FILE             what the translator filled in
    words.py pictures LANG              pictures of the window, and in the catalogue on which of them a sentence stands

Sentences are written where they are said: ``say("compare", "...")`` and ``later(...)`` in the code and the templates,
the parts of ``resources/texts/en.toml``, whose context is ``id#part``, and the blocks of ``resources/help/en``, whose
context is ``help.<topic>#<n>``. The latter stand in ``help.po``, all others in ``messages.po``. Both are read as one:
a translation that was left in the other file, as after joining two branches, moves with the next extract.
"""

from __future__ import annotations

import argparse
import ast
import csv
import difflib
import io
import os
import re
import string
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po
from jinja2 import Environment, nodes

from ppdm_desktop.engine.wording.apostrophes import with_apostrophes
from ppdm_desktop.engine.wording.catalogue import DOMAINS, domain_of
from ppdm_desktop.engine.wording.help import parsed

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "ppdm_desktop"
RESOURCES = ROOT / "resources"
LOCALE = RESOURCES / "locale"
INSTALLER = ROOT / "packaging" / "delivery" / "installer.py"
SAYING = ("say", "later")
PARTS = ("title", "sentence", "remedy", "window")
# A catalogue without a clock: the same sentences make the same bytes.
_BORN = datetime(2026, 1, 1, tzinfo=UTC)
_ALIKE = 0.6
_WIDTH = 100
_SEEN = "seen on "
_MOST_PICTURES = 3

Key = tuple[str, str]
"""Context and English: what a message is found by."""


@dataclass
class Found:
    """A message as it was gathered: where it is said."""

    places: set[str] = field(default_factory=set)
    comments: set[str] = field(default_factory=set)


class Fault(Exception):
    """Something in the code or the catalogues is not as it has to be; the text says what."""


# --- gathering ----------------------------------------------------------------------------


def areas() -> dict[str, dict[str, str]]:
    """Return the areas in which sentences are said, with what a translator has to know of each."""
    return tomllib.loads((LOCALE / "areas.toml").read_text("utf-8"))


def modules() -> list[Path]:
    """Return the modules that say something: the program's, and what writes the installer for Windows."""
    return [*sorted(PACKAGE.rglob("*.py")), INSTALLER]


def gather() -> dict[Key, Found]:
    """Return every message of the program by context and English.

    Raises
    ------
    Fault
        For a sentence that is no literal, an area nobody declared, or places that are not filled.
    """
    found: dict[Key, Found] = {}
    known = areas()
    for path in modules():
        for call in calls_in(path):
            if call.area not in known:
                raise Fault(f"{call.where}: no area {call.area!r} in resources/locale/areas.toml")
            found.setdefault((call.area, call.english), Found()).places.add(_short(path))
    for path in sorted((RESOURCES / "templates").glob("*.html")):
        for area, english in template_messages(path):
            if area not in known:
                raise Fault(f"{_short(path)}: no area {area!r} in resources/locale/areas.toml")
            found.setdefault((area, english), Found()).places.add(_short(path))
    for id, entry in tomllib.loads((RESOURCES / "texts" / "en.toml").read_text("utf-8")).items():
        for part in PARTS:
            if entry.get(part):
                found.setdefault((f"{id}#{part}", entry[part]), Found()).places.add("resources/texts/en.toml")
    for path in sorted((RESOURCES / "help" / "en").glob("*.md")):
        try:
            topic = parsed(path.stem, path.read_text("utf-8"))
        except ValueError as error:
            raise Fault(str(error)) from None
        for block in topic.blocks():
            found.setdefault((block.context, block.english), Found()).places.add(_short(path))
    return found


@dataclass(frozen=True)
class Call:
    """A sentence said in the code."""

    where: str
    area: str
    english: str
    literal: ast.Constant
    declared: bool


def calls_in(path: Path) -> Iterator[Call]:
    """Yield the sentences that a module says.

    Raises
    ------
    Fault
        For a sentence or an area that is put together instead of written out, and for places that do not agree.
    """
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in SAYING):
            continue
        where = f"{_short(path)}:{node.lineno}"
        if len(node.args) != 2 or not all(
            isinstance(each, ast.Constant) and isinstance(each.value, str) for each in node.args
        ):
            raise Fault(f"{where}: area and sentence are written out, not put together")
        area, literal = node.args
        assert isinstance(area, ast.Constant)
        assert isinstance(literal, ast.Constant)
        english = str(literal.value)
        given, wanted = {each.arg for each in node.keywords}, set(places(english))
        if None not in given and (given - wanted or (node.func.id == "say" and wanted - given)):
            raise Fault(f"{where}: places {sorted(wanted)}, values {sorted(map(str, given))}")
        yield Call(where, str(area.value), english, literal, node.func.id == "later")


def template_messages(path: Path) -> Iterator[Key]:
    """Yield what a template says by ``{{ say("area", "...") }}``."""
    tree = Environment(extensions=["jinja2.ext.do"]).parse(path.read_text("utf-8"))
    for node in tree.find_all(nodes.Call):
        if isinstance(node.node, nodes.Name) and node.node.name in SAYING:
            values = [str(each.value) for each in node.args if isinstance(each, nodes.Const)]
            if len(values) != 2 or len(node.args) != 2:
                raise Fault(f"{_short(path)}:{node.lineno}: area and sentence are written out, not put together")
            yield values[0], values[1]


def places(message: str) -> list[str]:
    """Return the names of the places of a message, in their order, each as often as it is there."""
    return [name for _, name, _, _ in string.Formatter().parse(message) if name is not None]


def _short(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


# --- catalogues ---------------------------------------------------------------------------


def empty(language: str | None = None) -> Catalog:
    """Return a catalogue without messages."""
    made = Catalog(
        locale=language, project="PPDM Desktop", charset="utf-8", creation_date=_BORN, revision_date=_BORN, fuzzy=False
    )
    made.header_comment = "# Sentences of PPDM Desktop, by area or text id. Made by packaging/words.py from the code."
    return made


def templates() -> dict[str, Catalog]:
    """Return what there is to translate, by domain."""
    made = {domain: empty() for domain in DOMAINS}
    about = areas()
    for (context, english), found in sorted(gather().items()):
        note = about.get(context, {}).get("about", "")
        comments = [note] if note and "#" not in context else []
        made[domain_of(context)].add(
            english, context=context, locations=[(each, 0) for each in sorted(found.places)], auto_comments=comments
        )
    return made


def template_of(domain: str) -> Path:
    """Return where what there is to translate of a domain is."""
    return LOCALE / f"{domain}.pot"


def languages() -> list[str]:
    """Return the languages that are translated into."""
    return sorted(each.parent.name for each in LOCALE.glob("*/about.toml") if each.parent.name != "en")


def file_of(language: str, domain: str) -> Path:
    """Return where a language's translations of a domain are."""
    return LOCALE / language / "LC_MESSAGES" / f"{domain}.po"


def load(language: str) -> dict[Key, Message]:
    """Return a language's messages of both domains; of one that stands in both files, its own file's if finished."""
    found: dict[Key, tuple[tuple[bool, bool], Message]] = {}
    for domain in DOMAINS:
        for each in _messages_in(file_of(language, domain), language):
            key = (str(each.context), str(each.id))
            rank = (_finished(each), domain_of(key[0]) == domain)
            if key not in found or rank > found[key][0]:
                found[key] = rank, each
    return {key: message for key, (_, message) in found.items()}


def _messages_in(file: Path, language: str) -> list[Message]:
    if not file.exists():
        return []
    with file.open("rb") as source:
        return [each for each in read_po(source, locale=language) if each.id]


def _finished(message: Message) -> bool:
    return bool(message.string) and not message.fuzzy


def merged(language: str, wanted: Catalog, old: Mapping[Key, Message]) -> Catalog:
    """Return a language's catalogue brought in step; what was changed keeps its translation, marked fuzzy."""
    made = empty(language)
    keys = {(str(each.context), str(each.id)) for each in wanted if each.id}
    gone: dict[str, list[Message]] = {}
    for (context, english), message in old.items():
        if (context, english) not in keys and message.string:
            gone.setdefault(context, []).append(message)
    for each in wanted:
        if not each.id:
            continue
        key = (str(each.context), str(each.id))
        said, flags, before = "", set[str](), list[str]()
        if key in old:
            said, flags, before = str(old[key].string), set(old[key].flags), list(old[key].previous_id)
        elif (nearest := _nearest(key[1], gone.get(key[0], []))) is not None:
            said, flags, before = str(nearest.string), {"fuzzy"}, [str(nearest.id)]
        made.add(
            key[1],
            said,
            context=key[0],
            locations=each.locations,
            auto_comments=[*each.auto_comments, *(_seen_of(old[key]) if key in old else ())],
            user_comments=old[key].user_comments if key in old else (),
            flags=flags & {"fuzzy"},
            previous_id=before if "fuzzy" in flags else [],
        )
    return made


def _seen_of(message: Message) -> list[str]:
    """Return the comments of a message that name pictures."""
    return [comment for comment in message.auto_comments if comment.startswith(_SEEN)]


def _nearest(english: str, gone: Iterable[Message]) -> Message | None:
    ranked = [(difflib.SequenceMatcher(None, english, str(each.id)).ratio(), each) for each in gone]
    best = max(ranked, key=lambda each: each[0], default=(0.0, None))
    return best[1] if best[0] > _ALIKE else None


def written(catalog: Catalog, *, previous: bool = True) -> bytes:
    """Return a catalogue as a po file."""
    out = io.BytesIO()
    write_po(
        out, catalog, width=0, sort_output=False, include_previous=previous, ignore_obsolete=True, include_lineno=False
    )
    return out.getvalue()


def compiled(language: str, domain: str) -> bytes:
    """Return what is read at run time: the finished translations of a language and domain."""
    made = empty(language)
    for each in _messages_in(file_of(language, domain), language):
        if _finished(each):
            made.add(each.id, each.string, context=each.context)
    out = io.BytesIO()
    write_mo(out, made)
    return out.getvalue()


# --- what a translation has to be ---------------------------------------------------------


def faults_of(language: str) -> Iterator[str]:
    """Yield what is wrong with a language: messages missing or fuzzy, and places, forms, marks that differ."""
    forms = {"de": 2, "en": 2, "pl": 4}.get(language, 2)
    have = load(language)
    for context, english in sorted(gather()):
        message = have.get((context, english))
        if message is None or not message.string:
            yield f"{context}: not translated: {english}"
        elif message.fuzzy:
            yield f"{context}: to be looked at again: {english}"
        else:
            said = str(message.string)
            yield from (f"{context}: {fault}: {said}" for fault in differing(english, said, forms))


def differing(english: str, said: str, forms: int) -> Iterator[str]:
    """Yield how a translation differs where it must not."""
    try:
        parsed = list(string.Formatter().parse(said))
    except ValueError as error:
        yield f"its places cannot be read ({error})"
        return
    # A word that only goes with a number may need no form of its own in another language.
    shown = {name for _, name, _, _ in parsed if name is not None}
    if missing := set(places(english)) - shown - _only_forms(english):
        yield f"places missing: {sorted(missing)}"
    if more := shown - set(places(english)):
        yield f"places there are not: {sorted(more)}"
    for _, name, form, _ in parsed:
        if name is not None and form and "|" in form and form.count("|") != forms - 1:
            yield f"{{{name}}} has {form.count('|') + 1} forms, not {forms}"
    if kinds_of(english) - kinds_of(said):
        yield f"written otherwise: {sorted(kinds_of(english) - kinds_of(said))}"
    if english.rstrip()[-1:] in ".:?!…" and said.rstrip()[-1:] != english.rstrip()[-1:]:
        yield "another mark at its end"
    if sorted(re.findall(r"</?[a-z]+[^>]*>", english)) != sorted(re.findall(r"</?[a-z]+[^>]*>", said)):
        yield "other tags"


def kinds_of(message: str) -> set[str]:
    """Return how the places of a message are written, as in ``share:people``."""
    return {
        f"{name}:{form}" for _, name, form, _ in string.Formatter().parse(message) if name and form and "|" not in form
    }


def _only_forms(message: str) -> set[str]:
    shown = {name for _, name, form, _ in string.Formatter().parse(message) if name and not (form and "|" in form)}
    return set(places(message)) - shown


# --- how far it is ------------------------------------------------------------------------


def area_of(context: str) -> str:
    """Return the area of a message; of one that is found by id, the first part of the id."""
    return context.partition("#")[0].partition(".")[0]


def first_commit() -> str:
    """Return the last commit before there was a catalogue.

    Raises
    ------
    Fault
        Where this is no checkout with its history.
    """
    catalogue = _short(template_of(DOMAINS[0]))
    added = _git("log", "--diff-filter=A", "--format=%H", "--", catalogue).decode().split()
    if not added:
        raise Fault(f"the history does not say when {catalogue} was added: name a commit with --before")
    return f"{added[-1]}^"


def said_at(commit: str) -> set[str]:
    """Return every text that stood in the program at a commit: in its modules, its texts, its help and templates."""
    found: set[str] = set()
    with tarfile.open(fileobj=io.BytesIO(_git("archive", commit, PACKAGE.name, RESOURCES.name))) as tree:
        for member in tree:
            suffix = Path(member.name).suffix
            if suffix not in (".py", ".toml", ".md", ".html") or (source := tree.extractfile(member)) is None:
                continue
            text = source.read().decode("utf-8")
            if suffix == ".py":
                nodes_of = ast.walk(ast.parse(text))
                found |= {str(each.value) for each in nodes_of if isinstance(each, ast.Constant)}
            elif suffix == ".toml":
                found |= set(_texts_in(tomllib.loads(text)))
            else:
                pieces = re.split(r"<[^>]*>|{[{%].*?[%}]}|\n", text)
                found |= {re.sub(r"^(?:[-*#]|\d+\.) *", "", each.strip()) for each in pieces}
    return found


def _texts_in(tree: object) -> Iterator[str]:
    if isinstance(tree, str):
        yield tree
    elif isinstance(tree, Mapping | list):
        for each in tree.values() if isinstance(tree, Mapping) else tree:
            yield from _texts_in(each)


def _git(*arguments: str) -> bytes:
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    if done.returncode:
        raise Fault(f"git {arguments[0]}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def by_area(before: Iterable[str]) -> list[tuple[str, ...]]:
    """Return a table of the messages by area, with its head and its totals.

    Parameters
    ----------
    before
        The texts that an earlier program had. A message that is none of them, letter by letter, is new or reworded.
    """
    earlier, have = set(before), {language: load(language) for language in languages()}
    counts: dict[str, list[int]] = {}
    for key in sorted(gather()):
        states = [key[1] in earlier, key[1] not in earlier]
        states += [key in messages and _finished(messages[key]) for messages in have.values()]
        for area in (area_of(key[0]), ""):
            row = counts.setdefault(area, [0] * (1 + len(states)))
            for place, counted in enumerate([True, *states]):
                row[place] += counted
    head = ("area", "in catalogue", "as before", "new or reworded", *have)
    names = [*sorted(area for area in counts if area), ""]
    return [head, *((area or "all", *map(str, counts[area])) for area in names if area in counts)]


# --- rewording ----------------------------------------------------------------------------


def reword(area: str, old: str, new: str) -> int:
    """Say a sentence otherwise, in the code, the texts, the tests and the catalogues; returns the places changed.

    Raises
    ------
    Fault
        When the sentence is not there, or its places are others: then the code has to be changed by hand.
    """
    if sorted(set(places(old))) != sorted(set(places(new))):
        raise Fault(f"other places: {sorted(set(places(old)))} and {sorted(set(places(new)))}")
    changed = 0
    if "#" in area:
        changed += _reword_text(area, old, new)
    else:
        for path in modules():
            spans = [call.literal for call in calls_in(path) if (call.area, call.english) == (area, old)]
            changed += _replace(path, spans, new)
        for path in sorted((RESOURCES / "templates").glob("*.html")):
            changed += _reword_template(path, area, old, new)
    if not changed:
        raise Fault(f"{area}: nobody says {old!r}")
    for path in sorted((ROOT / "tests").rglob("*.py")):
        text = path.read_text("utf-8")
        # However it is broken into lines, its first word stands there whole.
        if old.split(" ")[0] not in text:
            continue
        tree = ast.parse(text)
        spans = [each for each in ast.walk(tree) if isinstance(each, ast.Constant) and each.value == old]
        _replace(path, spans, new)
    return changed


def _replace(path: Path, spans: list[ast.Constant], new: str) -> int:
    if not spans:
        return 0
    text = path.read_text("utf-8")
    starts = [0]
    for line in text.splitlines(keepends=True):
        starts.append(starts[-1] + len(line.encode()))
    raw = text.encode()
    for each in sorted(spans, key=lambda each: (each.lineno, each.col_offset), reverse=True):
        assert each.end_lineno is not None
        assert each.end_col_offset is not None
        begin = starts[each.lineno - 1] + each.col_offset
        end = starts[each.end_lineno - 1] + each.end_col_offset
        raw = raw[:begin] + literal(new).encode() + raw[end:]
    path.write_bytes(raw)
    return len(spans)


def _reword_template(path: Path, area: str, old: str, new: str) -> int:
    said, text = f"say({quoted(area)}, {quoted(old)}", path.read_text("utf-8")
    path.write_text(text.replace(said, f"say({quoted(area)}, {quoted(new)}"), "utf-8")
    return text.count(said)


def literal(text: str) -> str:
    """Write a text as it stands in code, in pieces of a line each where it is long."""
    pieces, rest = [], text
    while len(rest) > _WIDTH and (cut := rest.rfind(" ", 0, _WIDTH)) > 0:
        pieces.append(rest[: cut + 1])
        rest = rest[cut + 1 :]
    written = [quoted(each) for each in (*pieces, rest)]
    return written[0] if len(written) == 1 else "(" + "\n".join(written) + ")"


def quoted(text: str) -> str:
    """Write a text in double quotes, as Python and TOML both read it."""
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'


def _reword_text(context: str, old: str, new: str) -> int:
    id, _, part = context.partition("#")
    path = RESOURCES / "texts" / "en.toml"
    text = path.read_text("utf-8")
    if tomllib.loads(text).get(id, {}).get(part) != old:
        return 0
    head = re.search(rf'^\["{re.escape(id)}"\]\n(?:(?!\[).*\n)*', text, re.M)
    if head is None:
        raise Fault(f"{id} is not written as one table")
    block = re.sub(rf"^{part} = .*$", lambda _: f"{part} = {quoted(new)}", head[0], count=1, flags=re.M)
    text = text[: head.start()] + block + text[head.end() :]
    if tomllib.loads(text)[id][part] != new:
        raise Fault(f"{context} is not written on one line")
    path.write_text(text, "utf-8")
    return 1


# --- commands -----------------------------------------------------------------------------


def extract() -> None:
    """Gather the sentences and bring every language in step."""
    wanted = templates()
    LOCALE.mkdir(exist_ok=True)
    for domain, catalog in wanted.items():
        template_of(domain).write_bytes(written(catalog))
    for language in languages():
        _keep(language, wanted, load(language))
    build()


def _keep(language: str, wanted: Mapping[str, Catalog], messages: Mapping[Key, Message]) -> None:
    for domain, catalog in wanted.items():
        file = file_of(language, domain)
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(written(merged(language, catalog, messages)))


def build() -> None:
    """Compile every language."""
    for language in languages():
        for domain in DOMAINS:
            file_of(language, domain).with_suffix(".mo").write_bytes(compiled(language, domain))


def check() -> list[str]:
    """Return what is wrong with the catalogues."""
    found = []
    for domain, catalog in templates().items():
        if not _holds(template_of(domain), written(catalog)):
            found.append(f"{_short(template_of(domain))} is not what the code says: run words extract")
    found += straight_apostrophes(gather())
    for language in languages():
        found += [f"{language}: {fault}" for fault in faults_of(language)]
        for domain in DOMAINS:
            file = file_of(language, domain)
            if not file.exists() or any(
                domain_of(str(each.context)) != domain for each in _messages_in(file, language)
            ):
                found.append(f"{language}: {file.name} does not hold what belongs there: run words extract")
            elif not _holds(file.with_suffix(".mo"), compiled(language, domain)):
                found.append(f"{language}: {domain}.mo is not built: run words build")
    return found


def straight_apostrophes(messages: Iterable[Key]) -> list[str]:
    """Return the sentences whose apostrophe is a straight one; marks around keys and signs are straight."""
    return [
        f"{context}: write ’ for the apostrophe: {english}"
        for context, english in sorted(messages)
        if with_apostrophes(english) != english
    ]


def _holds(file: Path, content: bytes) -> bool:
    return file.exists() and file.read_bytes() == content


def take(language: str, file: Path) -> tuple[int, list[str]]:
    """Take a translator's table; returns how many were taken, and what was not and why.

    Its columns are ``context``, ``english`` and the language's code (or ``translation``); a fourth, ``today``, is what
    the English was until now, and is reworded in the code first.
    """
    with file.open(encoding="utf-8-sig", newline="") as source:
        rows = list(csv.DictReader(source))
    refused = []
    for row in rows:
        today = row.get("today") or row["english"]
        if today != row["english"]:
            try:
                reword(row["context"], today, row["english"])
            except Fault as fault:
                refused.append(f"{row['context']}: {fault}")
    wanted = templates()
    old = load(language)
    known = {(str(each.context), str(each.id)) for catalog in wanted.values() for each in catalog if each.id}
    taken = 0
    for row in rows:
        key, said = (row["context"], row["english"]), row.get(language) or row.get("translation") or ""
        if key not in known:
            refused.append(f"{key[0]}: nobody says: {key[1]}")
        elif said and not (wrong := list(differing(key[1], said, 2))):
            kept = old.get(key)
            comments = (kept.auto_comments, kept.user_comments) if kept is not None else ((), ())
            old[key] = Message(key[1], said, context=key[0], auto_comments=comments[0], user_comments=comments[1])
            taken += 1
        elif said:
            refused.append(f"{key[0]}: {'; '.join(wrong)}: {said}")
    for domain, catalog in wanted.items():
        template_of(domain).write_bytes(written(catalog))
    _keep(language, wanted, old)
    build()
    return taken, refused


def note_pictures(language: str, seen: Mapping[Key, Iterable[str]], *, all_looked_at: bool = True) -> int:
    """Write into a language's catalogue on which pictures its messages stand; return how many have one.

    Parameters
    ----------
    seen
        File names of pictures by message, in the order in which they were taken; the first few are named.
    all_looked_at
        Whether every picture was taken: then a message that stands on none loses the names it had.
    """
    messages = load(language)
    for key, message in messages.items():
        pictures = list(dict.fromkeys(seen.get(key, ())))[:_MOST_PICTURES]
        if pictures or all_looked_at:
            others = [comment for comment in message.auto_comments if not comment.startswith(_SEEN)]
            message.auto_comments = [*others, *(f"{_SEEN}{each}" for each in pictures)]
    _keep(language, templates(), messages)
    return sum(bool(_seen_of(message)) for message in messages.values())


def take_pictures(language: str, out: Path, only: str | None) -> tuple[int, int]:
    """Photograph the window and note where each message stands; return how many pictures and messages there are."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    for place in (ROOT, ROOT / "tests" / "shared"):
        if str(place) not in sys.path:
            sys.path.insert(0, str(place))
    # Only here: all else that is done with the catalogue needs no window.
    from tests.ui.screenshots_words import seen_words

    seen = seen_words(language, out, only)
    noted = note_pictures(language, seen, all_looked_at=only is None)
    return len({picture for pictures in seen.values() for picture in pictures}), noted


def table(language: str, file: Path) -> None:
    """Write a table for a translator, what is missing or fuzzy first."""
    have = load(language)
    with file.open("w", encoding="utf-8-sig", newline="") as out:
        rows = csv.writer(out)
        rows.writerow(("context", "english", language, "state"))
        states = []
        for key in sorted(gather()):
            message = have.get(key)
            state = "missing" if message is None or not message.string else "fuzzy" if message.fuzzy else ""
            states.append((not state, key, str(message.string) if message is not None else "", state))
        rows.writerows((context, english, said, state) for _, (context, english), said, state in sorted(states))


def main(arguments: list[str] | None = None) -> int:
    """Do what was asked."""
    parser = argparse.ArgumentParser(description="Keep the catalogue of sentences.")
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("extract", help="gather the sentences, bring each language in step, build")
    far = commands.add_parser("areas", help="sentences by area: reworded, in the catalogue, translated")
    far.add_argument("--before", help="compare with this commit; without it with the last one that had no catalogue")
    commands.add_parser("check", help="say what is missing or out of step")
    commands.add_parser("build", help="compile the catalogues")
    again = commands.add_parser("reword", help="another wording, everywhere")
    again.add_argument("old")
    again.add_argument("new")
    again.add_argument("--area", required=True, help="the area, or id#part")
    for name in ("csv", "take"):
        each = commands.add_parser(name, help="a table for a translator, and back")
        each.add_argument("language")
        each.add_argument("file", type=Path)
    taken = commands.add_parser("pictures", help="photograph the window, note on which picture each sentence stands")
    taken.add_argument("language", choices=languages())
    taken.add_argument("--out", type=Path, help="folder of the pictures; without it build/words/LANG")
    taken.add_argument("--only", help="only this page, or settings, top-up, help or tour")
    asked = parser.parse_args(arguments)
    try:
        if asked.command == "extract":
            extract()
        elif asked.command == "build":
            build()
        elif asked.command == "areas":
            for area, *counts in by_area(said_at(asked.before or first_commit())):
                print(f"{area:16}" + "".join(f"{count:>17}" for count in counts))
        elif asked.command == "reword":
            print(f"{reword(asked.area, asked.old, asked.new)} places")
            extract()
        elif asked.command == "csv":
            table(asked.language, asked.file)
        elif asked.command == "pictures":
            out = asked.out or ROOT / "build" / "words" / asked.language
            pictures, noted = take_pictures(asked.language, out, asked.only)
            print(f"{pictures} pictures in {out}; {noted} messages name theirs")
        elif asked.command == "take":
            number, refused = take(asked.language, asked.file)
            print(f"{number} taken", *refused, sep="\n")
            return 1 if refused else 0
        else:
            found = check()
            print(*found, f"{len(found)} to be looked at", sep="\n")
            return 1 if found else 0
    except Fault as fault:
        print(fault, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
