"""``methods``: print each method with its promises, its limits and its settings."""

from __future__ import annotations

import argparse
import textwrap

from ppdm_desktop.cli.console import Console
from ppdm_desktop.cli.plugins_option import add_plugins_argument, switch_on_all
from ppdm_desktop.engine import plugins
from ppdm_desktop.engine.methods.base.declaration import all_methods, find_method
from ppdm_desktop.engine.wording.catalogue import SOURCE, _, speak_language
from ppdm_desktop.engine.wording.texts import describe_kinds
from ppdm_desktop.plugins import describe_plugin


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command ``methods`` to the parser."""
    parser.add_argument("method", nargs="?", metavar="METHOD", help=_("only this method"))
    add_plugins_argument(parser)
    parser.add_argument("--json", action="store_true", help=_("print one JSON document"))


def run(args: argparse.Namespace, console: Console) -> int:
    """Print the declaration of every method, or of the named one, as text or JSON; return the exit code 0.

    With ``--plugins``, installed plug-ins are enabled first. Raise RecipeError for an unknown method.
    """
    switch_on_all(args, console)
    chosen = [find_method(args.method)] if args.method else list(all_methods().values())
    if console.as_json:
        with speak_language(SOURCE):  # data for other programs reads the same everywhere
            console.document({"methods": [method.describe() for method in chosen]})
        return 0
    heads = (
        (_("Promises"), "promises"),
        (_("does not promise"), "limits"),
        (_("for the statistician"), "expert"),
    )
    for document in (method.describe() for method in chosen):
        console.lines(f"{document['id']}: {document['title']}", f"  {document['paper']}")
        if (owner := plugins.of_method(document["id"])) is not None:
            console.lines(f"  {describe_plugin(owner)}")
        console.lines(*textwrap.wrap(document["summary"], 96, initial_indent="  ", subsequent_indent="  "))
        for head, key in heads:
            for sentence in document[key]:
                console.lines(*_wrap_with_indent(f"  {head}: ", sentence))
        kinds = describe_kinds(document["applies_to"])
        console.lines("  " + _("works on columns of: {kinds}", kinds=kinds))
        for parameter in document["parameters"]:
            console.lines(*_wrap_with_indent(f"  {parameter['name']} = {parameter['default']!r}: ", parameter["help"]))
        console.lines("")
    return 0


def _wrap_with_indent(head: str, text: str) -> list[str]:
    """Return ``head`` and ``text`` in lines of at most 96 characters, broken between words; later lines are indented.

    The list is empty if ``text`` is.
    """
    return textwrap.wrap(text, 96, initial_indent=head, subsequent_indent="      ")
