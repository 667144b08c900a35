"""The texts of the help: topics of four parts, block by block, in the current language.

A topic is one file, ``resources/help/en/<topic>.md``: its title, then the parts ``## what``, ``## read``, ``## bad``
and ``## exact`` in this order (the window shows headings in place of these words), and a line ``see:`` with related
topics. Each heading, paragraph and list item is one line of the file and one block. It is translated as a message of
the catalogue with the context ``help.<topic>``. Braces are plain text: there are no placeholders.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Literal

from ppdm_desktop.engine.wording.catalogue import translate

PARTS = ("what", "read", "bad", "exact")
"""What it is, how to read it, when it is bad, and the exact term with formula and source."""

Kind = Literal["page", "figure", "setting", "guide", "method", "check", "attack", "term"]
"""What a topic is about."""

_MARK = re.compile(r"(###|-|\d+\.) +")


@dataclass(frozen=True)
class Block:
    """A heading, a paragraph or a list item of the help.

    Attributes
    ----------
    context
        Context under which the catalogue has its translation, such as ``help.page.risk``.
    mark
        Markdown sign before the block: ``###``, ``-``, ``1.``; empty for a paragraph.
    english
        Text of the block in English, with braces doubled as in every message.
    """

    context: str
    mark: str
    english: str

    def __str__(self) -> str:
        """Return the block as Markdown in the current language."""
        return f"{self.mark} {translate(self.english, {}, self.context)}".strip()


@dataclass(frozen=True)
class Written:
    """The parts of a help topic that are written in its file; parts generated from the code are absent.

    Attributes
    ----------
    title
        Title of the topic; None where it is taken from the code.
    parts
        The blocks of each written part, by the part's name.
    see
        Ids of related topics.
    """

    title: Block | None
    parts: Mapping[str, tuple[Block, ...]]
    see: tuple[str, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield the title, if there is one, then the blocks of all parts in the order of reading."""
        if self.title is not None:
            yield self.title
        for blocks in self.parts.values():
            yield from blocks

    def part(self, name: str) -> str:
        """Return a part, ``what``, ``read``, ``bad`` or ``exact``, as Markdown in the current language.

        "" if it is not written. Items of a list are on consecutive lines; all else is divided by an empty line.
        """
        text, before = "", ""
        for block in self.parts.get(name, ()):
            item = block.mark not in ("", "###")
            text += ("" if not text else "\n" if item and before == "item" else "\n\n") + str(block)
            before = "item" if item else "other"
        return text


def parse_topic(id: str, text: str) -> Written:
    """Return the help topic written in a file's text: title (None if there is none), parts and related topics.

    A line "# ..." is the title, "see: a, b" lists related topics, "## what" begins a part; each other line is a block.

    Raises
    ------
    ValueError
        For an unknown part, a part out of order, or text before the first part other than title and related topics.
    """
    title: Block | None = None
    parts: dict[str, list[Block]] = {}
    see: tuple[str, ...] = ()
    context = f"help.{id}"
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith("## "):
            name = line.removeprefix("## ")
            if name not in PARTS or any(PARTS.index(name) <= PARTS.index(before) for before in parts):
                raise ValueError(f"{id}: part {name!r}")
            parts[name] = []
            continue
        if line.startswith("see: "):
            see = tuple(name.strip() for name in line.removeprefix("see: ").split(","))
            continue
        if line.startswith("# "):
            title = Block(context, "", _double_braces(line.removeprefix("# ")))
        elif not parts:
            raise ValueError(f"{id}: text before its parts")
        else:
            match = _MARK.match(line)
            mark, rest = (match[1], line[match.end() :]) if match else ("", line)
            parts[list(parts)[-1]].append(Block(context, mark, _double_braces(rest)))
    return Written(title, {name: tuple(blocks) for name, blocks in parts.items()}, see)


def _double_braces(text: str) -> str:
    """Return a text with each brace doubled, so that it is shown as it is when used as a message."""
    return text.replace("{", "{{").replace("}", "}}")


def topic_of(kind: Kind, name: str) -> str:
    """Return the id of a topic, such as ``page.risk``, from its kind and the id of what it explains."""
    return ".".join((kind, name))


def kind_of(topic: str) -> str:
    """Return the kind of a topic, such as ``page``: the part of its id before the first dot."""
    return topic.partition(".")[0]


@cache
def written_topics() -> Mapping[str, Written]:
    """Return all written help topics by id, in the order of the ids; read once."""
    folder = resources.files("ppdm_desktop.resources") / "help" / "en"
    files = {path.name.removesuffix(".md"): path for path in folder.iterdir() if path.name.endswith(".md")}
    return {id: parse_topic(id, files[id].read_text(encoding="utf-8")) for id in sorted(files)}
