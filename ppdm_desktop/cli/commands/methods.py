"""``methods``: every method with what it promises, what it does not, and its parameters."""

from __future__ import annotations

import argparse
import textwrap

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.methods.base.registry import all_methods, find_method

DESCRIPTION = "List every privacy-preserving method with its promises, limits and parameters."


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("method", nargs="?", metavar="METHOD", help="only this method")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(given: argparse.Namespace, console: Console) -> int:
    """Print the declarations."""
    chosen = [find_method(given.method)] if given.method else list(all_methods().values())
    documents = [method.describe() for method in chosen]
    console.document({"methods": documents})
    for document in documents:
        console.lines(f"{document['id']}: {document['title']}", f"  {document['paper']}")
        console.lines(*textwrap.wrap(document["summary"], 96, initial_indent="  ", subsequent_indent="  "))
        for head, key in (("promises", "promises"), ("does not", "limits")):
            for sentence in document[key]:
                console.lines(*_hanging(f"  {head}: ", sentence))
        console.lines(f"  works on: {', '.join(document['applies_to'])} columns")
        for parameter in document["parameters"]:
            console.lines(*_hanging(f"  {parameter['name']} = {parameter['default']!r}: ", parameter["help"]))
        console.lines("")
    return 0


def _hanging(head: str, text: str) -> list[str]:
    return textwrap.wrap(text, 96, initial_indent=head, subsequent_indent="      ")
