"""The written help: topics of four parts, block by block, in the current language.

A topic is one file, ``resources/help/en/<topic>.md``: its title, then the parts ``## what``, ``## read``, ``## bad``
and ``## exact`` in this order (their headings are the window's), and a line ``see:`` with related topics. A heading, a
paragraph and an item are a line and a block each, and a message of the catalogue with the context ``help.<topic>``.
Braces are text: there are no placeholders.
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
        What its translation is found by together with its text, as in ``help.page.risk``.
    mark
        What Markdown sets before it: ``###``, ``-``, ``1.``; empty for a paragraph.
    english
        Its text, braces doubled as in every message.
    """

    context: str
    mark: str
    english: str

    def __str__(self) -> str:
        """Return the block as Markdown in the current language."""
        return f"{self.mark} {translate(self.english, {}, self.context)}".strip()


@dataclass(frozen=True)
class Written:
    """The written parts of a topic; parts made from a declaration are absent.

    Attributes
    ----------
    title
        None where the declaration has it.
    parts
        The blocks of each part that is written.
    see
        Ids of other topics.
    """

    title: Block | None
    parts: Mapping[str, tuple[Block, ...]]
    see: tuple[str, ...]

    def blocks(self) -> Iterator[Block]:
        """Yield all blocks in the order of reading."""
        if self.title is not None:
            yield self.title
        for blocks in self.parts.values():
            yield from blocks

    def part(self, name: str) -> str:
        """Return a part, ``what``, ``read``, ``bad`` or ``exact``, as Markdown in the current language.

        "" where it is not written. Items of a list stand on lines that follow each other, other blocks after an empty
        line.
        """
        text, before = "", ""
        for block in self.parts.get(name, ()):
            item = block.mark not in ("", "###")
            text += ("" if not text else "\n" if item and before == "item" else "\n\n") + str(block)
            before = "item" if item else "other"
        return text


def parse_topic(id: str, text: str) -> Written:
    """Return the help topic written in a file's text: title, parts and related topics.

    Raises
    ------
    ValueError
        For a part there is not, or one out of its order.
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
    """Return a text with each brace doubled, so that a message shows it as it is."""
    return text.replace("{", "{{").replace("}", "}}")


def topic_of(kind: Kind, name: str) -> str:
    """Return the id of a topic from its kind (page, method and so on) and its own id; the file has the same name."""
    return ".".join((kind, name))


def kind_of(topic: str) -> str:
    """Return the kind of a topic, one of ``Kind``: what stands before the first dot of its id."""
    return topic.partition(".")[0]


@cache
def written_topics() -> Mapping[str, Written]:
    """Return all written help topics by id, in the order of the ids; read once."""
    folder = resources.files("ppdm_desktop.resources") / "help" / "en"
    files = {path.name.removesuffix(".md"): path for path in folder.iterdir() if path.name.endswith(".md")}
    return {id: parse_topic(id, files[id].read_text(encoding="utf-8")) for id in sorted(files)}
