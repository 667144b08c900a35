"""Check of note and data dictionary: every figure and label in them must be allowed."""

from __future__ import annotations

import re
from functools import cache
from html.parser import HTMLParser
from pathlib import PurePath

from ppdm_desktop.engine.figure import Figure
from ppdm_desktop.engine.release.gate.base import Check, register
from ppdm_desktop.engine.release.gate.evidence import Evidence
from ppdm_desktop.engine.release.gate.results import READING_AND_ROLES, CheckResult, VerdictText
from ppdm_desktop.engine.release.gate.stated_values import (
    allowed_values,
    find_contained_words,
    normalise_blanks,
    select_revealing_words,
)
from ppdm_desktop.engine.release.measures.analysis_kit import asks_for_kit, noise_law
from ppdm_desktop.engine.report.html import CONTENT_POLICY, NOTE_TEMPLATE, note_sentences
from ppdm_desktop.engine.report.public import columns as public
from ppdm_desktop.engine.report.public.analysis_kit import LAW, NoiseLaw, kit_files
from ppdm_desktop.engine.report.template_source import template_source
from ppdm_desktop.engine.table.patterns import find_in
from ppdm_desktop.engine.table.writing.guard import unguard
from ppdm_desktop.engine.wording.catalogue import language as spoken
from ppdm_desktop.engine.wording.catalogue import speak_language


@register
class ReleaseText(Check):
    """Note and data dictionary state nothing that they may not state."""

    id = "release-text"
    title = "Contents of the note"
    order = 320
    cause = READING_AND_ROLES
    fix_on = "columns"
    figure_unit = "texts"
    red_for = "all"
    green = VerdictText.green("gate.release-text.green")
    red = VerdictText.red("gate.release-text.red")

    def judge(self, evidence: Evidence) -> CheckResult:
        """Return the result for the number of faults in the texts for recipients: red from one on.

        Release note and data dictionary may contain only the fixed texts of their templates, in the language of the
        note, and allowed values (`allowed_values`), the analysis kit only the files expected: anything else is a fault.
        So are private words (such as the user's name) in any text, and a typed file name that contains the source's or
        is contained in it.
        """
        with speak_language(evidence.candidate.prepared.recipe.release.note_language):
            strange_texts = self._count_faults(evidence)
        figure = Figure(strange_texts, unit="texts")
        return self.verdict(self.red if strange_texts else self.green, figure, 0, texts=strange_texts)

    def _count_faults(self, evidence: Evidence) -> int:
        """Return the number of statements that are not allowed, in note, dictionary, analysis kit and file name.

        Also counted are private words (such as the user's name) in any text, and a typed file name that contains the
        source's or is contained in it.
        """
        allowed = allowed_values(evidence)
        strange_texts = _count_note_faults(evidence, allowed) + _count_dictionary_faults(evidence, allowed)
        strange_texts += _count_kit_faults(evidence, allowed)
        text = "\n".join(evidence.texts.made).casefold()
        strange_texts += len(
            select_revealing_words(allowed, list(find_contained_words(text, evidence.host_metadata.private_words)))
        )
        source = evidence.candidate.prepared.path
        data_stem = PurePath(evidence.data_name).stem.casefold()
        typed = evidence.candidate.prepared.recipe.release.file_name is not None
        if typed and (data_stem in source.stem.casefold() or source.stem.casefold() in data_stem):
            strange_texts += 1
        return strange_texts


class _Texts(HTMLParser):
    """HTML parser that splits a page into fixed texts, texts marked as values, attributes, and anything else."""

    _VOID = frozenset({"meta", "br", "hr", "link", "img"})

    def __init__(self) -> None:
        """Start with empty lists of fixed texts, values, attributes (name and value) and other content."""
        super().__init__(convert_charrefs=True)
        self.fixed: list[str] = []
        self.values: list[str] = []
        self.attributes: list[tuple[str, str]] = []
        self.unexpected: list[str] = []
        self._open: list[bool] = []
        self._value: list[str] | None = None
        self._depth = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record the attributes of an opened element; if its class is "v" (a value), start to collect its text.

        Of elements without an end, such as ``<br>``, only the attributes are recorded.
        """
        self.attributes += [(name, value or "") for name, value in attrs]
        if tag in self._VOID:
            return
        marked = ("class", "v") in attrs
        self._open.append(marked)
        if marked and self._value is None:
            self._value, self._depth = [], len(self._open)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Record an element without content as something unexpected."""
        self.unexpected.append(tag)

    def handle_endtag(self, tag: str) -> None:
        """Store the text collected as a value if this closes the element that is marked as a value.

        The innermost open element counts as closed, whatever the name of the tag.
        """
        if self._value is not None and len(self._open) == self._depth:
            self.values.append("".join(self._value))
            self._value = None
        if self._open:
            self._open.pop()

    def handle_data(self, data: str) -> None:
        """Add text to the value being read, or to the fixed texts outside of values."""
        if self._value is not None:
            self._value.append(data)
        else:
            self.fixed.append(data)

    def handle_comment(self, data: str) -> None:
        """Record a comment as something unexpected."""
        self.unexpected.append(data)

    def handle_pi(self, data: str) -> None:
        """Record a processing instruction as something unexpected."""
        self.unexpected.append(data)

    def unknown_decl(self, data: str) -> None:
        """Record an unknown declaration as something unexpected."""
        self.unexpected.append(data)


@cache
def _template_pieces(language: str) -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """Return the fixed texts and the (name, value) attributes that the note's template can produce in a language.

    Fixed texts are split at placeholders, with blanks as `normalise_blanks` leaves them.
    """
    source = template_source(NOTE_TEMPLATE).replace("{{ style }}", template_source("style.css"))
    source = source.replace("{{ language }}", language).replace("{{ content_policy }}", CONTENT_POLICY)
    marked = re.sub(r"{%.*?%}|{{.*?}}", "\x00", source, flags=re.DOTALL)
    parser = _Texts()
    parser.feed(marked)
    with speak_language(language):
        sentences = note_sentences()
    pieces = {normalise_blanks(piece) for text in (*parser.fixed, *sentences) for piece in text.split("\x00")}
    return frozenset(pieces), frozenset(parser.attributes)


def _is_fixed(text: str, pieces: frozenset[str]) -> bool:
    """Return whether a text is empty or consists of one or several pieces of the template; blanks do not matter."""
    text = normalise_blanks(text)
    if text in pieces or not text:
        return True
    return any(piece and text.startswith(piece) and _is_fixed(text[len(piece) :], pieces) for piece in pieces)


def _count_note_faults(evidence: Evidence, allowed: frozenset[str]) -> int:
    """Return the number of values, fixed texts and attributes of the note that are not allowed, plus other content.

    Values have to be in ``allowed``, fixed texts and attributes in the template.
    """
    parser = _Texts()
    parser.feed(evidence.texts.note.decode("utf-8"))
    parser.close()
    pieces, attributes = _template_pieces(spoken())
    strange = sum(normalise_blanks(value) not in allowed for value in parser.values)
    strange += sum(not _is_fixed(text, pieces) for text in parser.fixed)
    strange += sum(attribute not in attributes for attribute in parser.attributes)
    return strange + len(parser.unexpected)


def _count_kit_faults(evidence: Evidence, allowed: frozenset[str]) -> int:
    """Return the number of faults in the analysis kit: files that differ from those expected, and names not allowed.

    The files expected follow from the noise law (the file that describes the noise added), computed again from the run;
    its names must be in ``allowed`` and must not be addresses or personal numbers. A noise law that cannot be read is
    one more fault. If the recipe asks for no kit, every file is a fault.
    """
    kit = evidence.texts.kit
    if not asks_for_kit(evidence.candidate):
        return len(kit)
    wanted = kit_files(noise_law(evidence.candidate, evidence.data_name))
    strange = sum(kit.get(name) != wanted.get(name) for name in {*kit, *wanted})
    try:
        law = NoiseLaw.model_validate_json(kit.get(LAW, b""))
    except ValueError:
        return strange + 1
    names = [law.data_file, *law.columns]
    return strange + sum(normalise_blanks(name) not in allowed for name in names) + len(find_in(names))


def _count_dictionary_faults(evidence: Evidence, allowed: frozenset[str]) -> int:
    """Return the number of cells of the data dictionary that are not in ``allowed``; 1 if its header is wrong.

    Empty cells are no faults; blanks and the mark that guards against formulas do not matter. A header is right if it
    has the expected headings in order, of which some may be missing where no column needs them.
    """
    rows = public.read_dictionary(evidence.texts.dictionary, evidence.candidate.released.delimiter)
    needless = public.USED_WHERE_NEEDED
    headings = [
        heading
        for field, heading in public.DICTIONARY.items()
        if field not in needless or (rows and heading in rows[0])
    ]
    if not rows or rows[0] != headings:
        return 1
    return sum(bool(cell) and normalise_blanks(unguard(cell)) not in allowed for row in rows[1:] for cell in row)
