"""An argument parser that uses the program's language instead of the English of ``argparse``."""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable
from typing import Any, NoReturn

from ppdm_desktop.cli.language import OPTION
from ppdm_desktop.cli.streams import one_line
from ppdm_desktop.engine.wording.catalogue import Sentence, _, languages, lazy
from ppdm_desktop.engine.wording.values import Quoted, Term

_ARGUMENT = r"argument (?P<argument>.+?): "
_REFUSALS: tuple[tuple[re.Pattern[str], Sentence], ...] = tuple(
    (re.compile(pattern, re.DOTALL), sentence)
    for pattern, sentence in (
        (r"the following arguments are required: (?P<arguments>.+)", lazy("Missing: {arguments}.")),
        (r"unrecognized arguments: (?P<arguments>.+)", lazy("Not known here: {arguments}.")),
        (rf"{_ARGUMENT}expected one argument", lazy("{argument} needs a value.")),
        (rf"{_ARGUMENT}expected at least one argument", lazy("{argument} needs at least one value.")),
        (rf"{_ARGUMENT}expected (?P<n>\d+) arguments", lazy("{argument} needs {n} values.")),
        (
            rf"{_ARGUMENT}invalid choice: (?P<found>.+) \(choose from (?P<known>.+)\)",
            lazy("{argument} cannot be {found}. Choose one of: {known}."),
        ),
        (
            rf"{_ARGUMENT}invalid int value: (?P<found>.+)",
            lazy("{argument} needs a whole number, not {found}."),
        ),
        (rf"{_ARGUMENT}invalid \w+ value: (?P<found>.+)", lazy("{argument} needs a number, not {found}.")),
        (
            rf"{_ARGUMENT}not allowed with argument (?P<other>.+)",
            lazy("{argument} and {other} cannot be used together."),
        ),
        (rf"{_ARGUMENT}ignored explicit argument (?P<found>.+)", lazy("{argument} takes no value.")),
        (
            r"ambiguous option: (?P<found>.+) could match (?P<known>.+)",
            lazy("{found} could mean several options: {known}."),
        ),
        (r"one of the arguments (?P<arguments>.+) is required", lazy("One of these is needed: {arguments}.")),
    )
)
"""What ``argparse`` says of wrong arguments, and how the program says it."""


_MARKS = ("'", '"')
"""What Python puts round a text that it shows."""


class Formatter(argparse.HelpFormatter):
    """Writes the help under the program's own heading."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Add the usage line to the help."""
        super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors on one line with a hint at the help."""

    def __init__(self, **options: Any) -> None:
        super().__init__(**{"formatter_class": Formatter, **options, "add_help": False})
        self._positionals.title = _("arguments")
        self._optionals.title = _("options")
        self.add_argument("-h", "--help", action="help", help=_("show this help and exit"))

    def add_language(self) -> None:
        """Show the language option in the help; its value is read before the parser is built."""
        self.add_argument(
            OPTION,
            metavar="|".join(languages()),
            help=_("language of help and messages (default: that of the window or the system)"),
        )

    def error(self, message: str) -> NoReturn:
        """Print an error with a hint at the help, and exit."""
        self.exit(2, refusal(in_words(message), self.prog))


def refusal(message: str, program: str) -> str:
    """Return the two lines that refuse wrong arguments."""
    error = _("error: {what}", what=Term(one_line(message)))
    return f"{error}\n{_('See: {command}', command=Term(f'{program} --help'))}\n"


def in_words(message: str) -> str:
    """Return a message of ``argparse`` in the program's language; unknown messages unchanged."""
    for pattern, sentence in _REFUSALS:
        if (hit := pattern.fullmatch(message)) is not None:
            return sentence.said(**{name: _value(name, text) for name, text in hit.groupdict().items()})
    return message


def _value(name: str, text: str) -> Term | Quoted:
    """Return a quoted value without Python's quotes: typed text gets the language's quotes, choices none."""
    if name == "known":
        return Term(", ".join(_unquoted(option) for option in text.split(", ")))
    return Quoted(_unquoted(text)) if name == "found" and text[:1] in _MARKS else Term(text)


def _unquoted(text: str) -> str:
    """Return a text without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] in _MARKS and text[-1] == text[0] else text
