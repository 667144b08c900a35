"""The vocabulary: the field's words and common ones, the same everywhere."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest
from source_trees import nodes_of
from words import gather, load

from ppdm_desktop.engine.samples import all_samples, sample_files

ROOT = Path(__file__).resolve().parents[3]
# Words that the officer does not know, or that the field has another word for (words.md, section 2).
HOME_MADE = (
    r"snoopers?|nought|coarser|anew|mend(?:s|ed|ing)?|whoever|told|somebody|made-up|describing columns?|"
    r"right match(?:es)?|look-alikes?|passed over|parted by|stays? words"
)
CLAIMS = r"(?<!k-)anonym(?!isation|ised)\w*|guaranteed|compliant|certified|risk-free"
GERMAN_NEVER = r"Schnüffler\w*|Zertifikat\w*|(?<!k-)[Aa]nonym(?!isierung)\w*"


def _found(pattern: str, texts: dict[tuple[str, str], str]) -> dict[tuple[str, str], str]:
    searched = re.compile(rf"\b(?:{pattern})\b", re.IGNORECASE)
    return {key: text for key, text in texts.items() if searched.search(re.sub(r"\{[^}]*\}|`[^`]*`", " ", text))}


@pytest.fixture(scope="module")
def english() -> dict[tuple[str, str], str]:
    """Every message in English."""
    return {key: key[1] for key in gather()}


@pytest.fixture(scope="module")
def german() -> dict[tuple[str, str], str]:
    """Every message in German."""
    return {key: str(message.string) for key, message in load("de").items()}


@pytest.mark.parametrize("pattern", [HOME_MADE, CLAIMS])
def test_no_message_speaks_home_made_words_or_claims_what_nobody_can(
    pattern: str, english: dict[tuple[str, str], str]
) -> None:
    assert list(_found(pattern, english).values()) == []


def test_no_german_message_says_what_it_must_not(german: dict[tuple[str, str], str]) -> None:
    assert list(_found(GERMAN_NEVER, german).values()) == []


FALSE_FRIENDS = {
    r"\bpaper(?:s|’s)?\b": (r"Quelle\b|Veröffentlichung|Papers?\b", {"guide", "tour"}),
    r"\bdata ?sets?\b": (r"Datens[aä]tz", set[str]()),
    r"\bbands?\b": (r"Bänder|Bands?\b", {"help.page.compare"}),
    r"\bfree text\b": (r"[Ff]reie[rnm]? Text", set[str]()),
}
"""German that means another thing elsewhere, by the English it stood for, and contexts where it is right: the paper is
no source file, a data set no record."""


@pytest.mark.parametrize("english", FALSE_FRIENDS)
def test_german_says_no_false_friend(english: str, german: dict[tuple[str, str], str]) -> None:
    wrong, elsewhere = FALSE_FRIENDS[english]
    asked = {key: said for key, said in german.items() if re.search(english, key[1], re.IGNORECASE)}
    assert asked
    found = {key: said for key, said in asked.items() if re.search(wrong, said) and key[0] not in elsewhere}
    assert {key: said for key, said in found.items() if "sources" not in key[1]} == {}


def test_no_german_message_breaks_a_line_before_a_sign(german: dict[tuple[str, str], str]) -> None:
    assert [said for said in german.values() if re.search(r"[\d}] %", said)] == []


def test_no_german_share_stands_in_another_case(german: dict[tuple[str, str], str]) -> None:
    """Percentage points are written "5 Prozentpunkte", which no preposition of the dative may stand before."""
    points = r"\{(?:share|limit|serious|more|most|allowed|points):(?:points|change)\}"
    dative = rf"\b(?:von|mit|bei|aus|nach|zu|seit|innerhalb|Grenzwerts von) {points}"
    right = rf"mehr als {points}|höchstens {points}"
    assert [said for said in german.values() if re.search(dative, re.sub(right, "", said))] == []


def test_a_home_made_word_is_found() -> None:
    assert _found(HOME_MADE, {("x", "y"): "The snooper reads it."})
    assert _found(HOME_MADE, {("x", "y"): "Write coarser values."})
    assert not _found(HOME_MADE, {("x", "y"): "An intruder recommends {told} amendments."})


# --- the code -------------------------------------------------------------------------------


def docstrings(source: str) -> Iterator[str]:
    """Yield the docstrings of a module, its classes, functions and constants, each on one line."""
    for node in nodes_of(source):
        for each in getattr(node, "body", ()) if isinstance(getattr(node, "body", ()), list) else ():
            if (
                isinstance(each, ast.Expr)
                and isinstance(each.value, ast.Constant)
                and isinstance(each.value.value, str)
            ):
                yield " ".join(each.value.value.split())


def comments(source: str) -> Iterator[str]:
    """Yield the comments of a module, those of neighbouring lines together."""
    before, block = -1, ""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            text = token.string.lstrip("# ")
            if token.start[0] == before + 1:
                block += f" {text}"
            else:
                yield block
                block = text
            before = token.start[0]
    yield block


def identifiers(source: str) -> Iterator[str]:
    """Yield the names in a module, and those that its f-strings hold, as words: ``MadeUp`` is ``made up``."""
    for node in nodes_of(source):
        for field in ("id", "attr", "arg", "name", "asname", "module"):
            name = getattr(node, field, None)
            if isinstance(name, str):
                yield _as_words(name)


def _as_words(name: str) -> str:
    return re.sub(r"[_.]+|(?<=[a-z0-9])(?=[A-Z])", " ", name)


# Ids of texts, keys of files and names of random streams are strings: they never change, and are not looked at.
def home_made_in(path: str, source: str) -> list[str]:
    """Return the docstrings, comments and identifiers of a module that hold a home-made word."""
    prose = re.compile(rf"\b(?:{HOME_MADE})\b", re.IGNORECASE)
    names = re.compile(rf"\b(?:{HOME_MADE.replace('-', ' ')})\b", re.IGNORECASE)
    own = path.removesuffix(".py").replace("/", " ").replace("_", " ")
    # To take a file apart is slow: only where one of the words stands at all, over the ends of lines as well.
    plain = re.sub(r"[\s#]+", " ", source)
    if not (prose.search(plain) or names.search(_as_words(plain)) or names.search(own)):
        return []
    found = [text for text in (*docstrings(source), *comments(source)) if prose.search(text)]
    return found + sorted({text for text in (*identifiers(source), own) if names.search(text)})


def test_no_docstring_comment_or_identifier_speaks_home_made_words() -> None:
    found = {}
    for folder in ("ppdm_desktop", "packaging"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            if wrong := home_made_in(name, path.read_text("utf-8")):
                found[name] = wrong
    assert found == {}


@pytest.mark.parametrize(
    "source",
    [
        '"""What a\nsnooper knows."""',
        'class Kind:\n    size: int\n    """How many are passed\n    over."""',
        "x = 1  # told by\n",
        "# values are made\n# anew here\n",
        "class MadeUpRows: ...",
        "def f(told_once): ...",
        "f(rows_told=1)",
        "from a.look_alikes import b",
        'f"{told}"',
    ],
)
def test_a_home_made_word_in_code_is_found(source: str) -> None:
    assert home_made_in("a.py", source)


def test_other_words_in_code_are_left_alone() -> None:
    assert not home_made_in("a.py", 'id = "note.made-anew"  # recommended, amended\nforetold = amend = madeup = id')
    assert home_made_in("engine/made_up.py", "")


@pytest.mark.parametrize("name", ["README.md", "SECURITY.md", "CONTRIBUTING.md", "packaging/README.md"])
def test_no_document_of_the_project_speaks_home_made_words(name: str) -> None:
    paragraphs = re.split(r"\n\s*\n", (ROOT / name).read_text("utf-8"))
    spoken = re.compile(rf"\b(?:{HOME_MADE}|guaranteed|certified|risk-free)\b", re.IGNORECASE)
    assert [each for each in (" ".join(text.split()) for text in paragraphs) if spoken.search(each)] == []


def test_the_reasons_of_the_samples_use_the_words_of_the_field() -> None:
    home_made = re.compile(rf"\b(?:{HOME_MADE}|anybody|everybody)\b", re.IGNORECASE)
    for name in all_samples():
        written = sample_files(name)[1]
        assert [line for line in written.splitlines() if home_made.search(line)] == []
        assert "reason = " in written
