"""How easily the officer's texts are read: a published index for each language, and how long the sentences are.

English: reading ease of Flesch (1948), 206.835 - 1.015 words a sentence - 84.6 syllables a word. German: the same of
Amstad (1978), 180 - words a sentence - 58.5 syllables a word. Higher is easier; 60 to 70 is called standard.
Syllables are counted as groups of vowels, which is near enough to compare two versions of the same texts, and no more.
Run from the repository's root:

    python -m tests.benchmarks.readability
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from babel.messages.catalog import Message
from babel.messages.pofile import read_po

from ppdm_desktop.engine.wording.catalogue import DOMAINS

LOCALE = Path(__file__).resolve().parents[2] / "resources" / "locale"
LONG, TOO_LONG = 20, 24
_SENTENCE = re.compile(r"[^.!?…:]+[.!?…:]*")
_WORD = re.compile(r"[^\W\d_]+(?:[-’'][^\W\d_]+)*")
_VOWELS = {"en": re.compile(r"[aeiouy]+"), "de": re.compile(r"[aeiouyäöü]+")}
_INDEX = {"en": (206.835, 1.015, 84.6), "de": (180.0, 1.0, 58.5)}


@dataclass(frozen=True)
class Reading:
    """What was counted of some texts; ``long`` and ``too_long`` are the sentences themselves."""

    sentences: int
    words: int
    syllables: int
    long: tuple[str, ...]
    too_long: tuple[str, ...]
    language: str

    @property
    def ease(self) -> float:
        """The reading ease of the language."""
        base, by_sentence, by_word = _INDEX[self.language]
        return base - by_sentence * self.words / self.sentences - by_word * self.syllables / self.words


def plain(message: str) -> str:
    """Return a message with a word of one syllable in each of its places, and the many of its forms."""
    parts = []
    for text, name, form, _ in string.Formatter().parse(message):
        parts.append(text)
        if name is not None:
            parts.append(form.split("|")[-1] if form and "|" in form else "ten")
    return re.sub(r"<[^>]*>|`[^`]*`", " ", "".join(parts))


def syllables(word: str, language: str) -> int:
    """Count the groups of vowels of a word; a silent e at its end is none in English."""
    found = len(_VOWELS[language].findall(word.lower()))
    if language == "en" and word.lower().endswith("e") and not word.lower().endswith(("le", "ee")):
        found -= 1
    return max(found, 1)


def read(messages: Iterable[str], language: str) -> Reading:
    """Count sentences, words and syllables; a label of fewer than three words is no sentence."""
    sentences = words = told = 0
    long, too_long = [], []
    for message in messages:
        for sentence in _SENTENCE.findall(plain(message)):
            found = _WORD.findall(sentence)
            if len(found) < 3:
                continue
            sentences += 1
            words += len(found)
            told += sum(syllables(word, language) for word in found)
            long += [sentence.strip()] * (len(found) > LONG)
            too_long += [sentence.strip()] * (len(found) > TOO_LONG)
    return Reading(sentences, words, told, tuple(long), tuple(too_long), language)


def _messages(folder: Path, suffix: str) -> list[Message]:
    found = []
    for domain in DOMAINS:
        with (folder / f"{domain}.{suffix}").open("rb") as file:
            found += [each for each in read_po(file) if each.id]
    return found


def readings() -> Iterator[tuple[str, Reading]]:
    """Yield what is counted of the present texts: of the English ones, and of each language with an index."""
    yield "English", read([str(each.id) for each in _messages(LOCALE, "pot")], "en")
    for folder in sorted(LOCALE.glob("*/LC_MESSAGES")):
        code = folder.parent.name
        said = [str(each.string) for each in _messages(folder, "po") if each.string and not each.fuzzy]
        if said and code in _INDEX:
            yield code, read(said, code)


def main() -> None:
    """Print the figures."""
    columns = list(readings())
    print(f"{'':34}" + "".join(f"{name:>16}" for name, _ in columns))
    lines: tuple[tuple[str, Callable[[Reading], str]], ...] = (
        ("sentences", lambda each: f"{each.sentences:,}"),
        ("words a sentence", lambda each: f"{each.words / each.sentences:.1f}"),
        (f"sentences above {LONG} words", lambda each: f"{len(each.long) / each.sentences:.1%}"),
        (f"sentences above {TOO_LONG} words", lambda each: f"{len(each.too_long):,}"),
        ("reading ease (Flesch, Amstad)", lambda each: f"{each.ease:.0f}"),
    )
    for words, figure in lines:
        print(f"{words:34}" + "".join(f"{figure(each):>16}" for _, each in columns))


if __name__ == "__main__":
    main()
