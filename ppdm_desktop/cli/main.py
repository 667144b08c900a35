"""The entry point of the command line, with argument errors in the program's language.

Exit codes: 0 done, 1 unexpected error, 2 wrong use or input, 3 blocked or different.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import traceback
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ppdm_desktop import __version__
from ppdm_desktop.cli.app_folder import config_folder, ledger_file
from ppdm_desktop.cli.commands import COMMANDS
from ppdm_desktop.cli.console import Console, error_line
from ppdm_desktop.cli.display_check import explain_missing_window
from ppdm_desktop.cli.language import OPTION, UnknownLanguage, split_language_option, use_language, usual_language
from ppdm_desktop.cli.streams import escape_to_one_line, prepare_streams, show_collected_messages
from ppdm_desktop.engine.errors import Cancelled, PpdmError, lacks_memory
from ppdm_desktop.engine.wording.catalogue import Sentence, _, lazy, list_languages
from ppdm_desktop.engine.wording.texts import Note
from ppdm_desktop.engine.wording.values import Quoted, Term

_ARGUMENT = r"argument (?P<argument>.+?): "
_REFUSALS: tuple[tuple[re.Pattern[str], Sentence], ...] = tuple(
    (re.compile(pattern, re.DOTALL), sentence)
    for pattern, sentence in (
        (r"the following arguments are required: (?P<arguments>.+)", lazy("Missing: {arguments}.")),
        (r"unrecognized arguments: (?P<arguments>.+)", lazy("Not known here: {arguments}.")),
        (rf"{_ARGUMENT}expected (one|at least one) argument", lazy("{argument} needs a value.")),
        (
            rf"{_ARGUMENT}invalid choice: (?P<found>.+) \(choose from (?P<known>.+)\)",
            lazy("{argument} cannot be {found}. Choose one of: {known}."),
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
    """Writes the help of a command under headings in the program's language."""

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        """Add the usage line to the help, headed in the program's language unless ``prefix`` is given."""
        super().add_usage(usage, actions, groups, _("usage: ") if prefix is None else prefix)


class Parser(argparse.ArgumentParser):
    """An argument parser that reports errors in the program's language, with a hint at the help."""

    def __init__(self, **options: Any) -> None:
        """Create the parser with headings and help option in the program's language."""
        super().__init__(**{"formatter_class": Formatter, **options, "add_help": False})
        self._positionals.title = _("arguments")
        self._optionals.title = _("options")
        self.add_argument("-h", "--help", action="help", help=_("show this help and exit"))

    def add_language(self) -> None:
        """Add the language option to the help; its value is read before the parser is built."""
        self.add_argument(
            OPTION,
            metavar="|".join(list_languages()),
            help=_("language of help and messages (default: that of the window or the system)"),
        )

    def error(self, message: str) -> NoReturn:
        """Print an error in the program's language with a hint at the help, and exit with code 2."""
        self.exit(2, format_refusal(translate_argument_error(message), self.prog))


def format_refusal(message: str, program: str) -> str:
    """Return two lines, each with a line feed, for wrong arguments: what is wrong, and the command for help."""
    error = _("error: {what}", what=Term(escape_to_one_line(message)))
    return f"{error}\n{_('See: {command}', command=Term(f'{program} --help'))}\n"


def translate_argument_error(message: str) -> str:
    """Return an error message of ``argparse`` in the program's language; an unknown message is unchanged.

    "the following arguments are required: --out" becomes "Missing: --out.".
    """
    for pattern, sentence in _REFUSALS:
        if (hit := pattern.fullmatch(message)) is not None:
            return sentence.format(**{name: _format_quoted_value(name, text) for name, text in hit.groupdict().items()})
    return message


def _format_quoted_value(name: str, text: str) -> Term | Quoted:
    """Return a value from a message of ``argparse`` without Python's quotes, to be put into a sentence.

    If ``name`` is ``known``, the value is a list of choices and has no quotes; if it is ``found`` and has quotes, it is
    typed text and gets the language's quotes instead; any other value is unchanged.
    """
    if name == "known":
        return Term(", ".join(_strip_quotes(option) for option in text.split(", ")))
    return Quoted(_strip_quotes(text)) if name == "found" and text[:1] in _MARKS else Term(text)


def _strip_quotes(text: str) -> str:
    """Return a text without the single or double quotes around it; unchanged if it has none."""
    return text[1:-1] if len(text) > 1 and text[0] in _MARKS and text[-1] == text[0] else text


PROGRAM = "ppdm-desktop"


def build_parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """Return the argument parser with the names of all commands, and the arguments of the ``chosen`` command.

    Other commands have no arguments, because only the chosen command's module is imported; None imports none.
    """
    parser = Parser(
        prog=PROGRAM,
        usage="%(prog)s [FILE] | %(prog)s COMMAND ...",
        description=_(
            "Release a dataset without exposing anyone in it. Works offline and never changes the source. "
            "Without a COMMAND the window opens, with FILE if one is named."
        ),
        epilog=_(
            "Exit codes: 0 done; 2 wrong use or wrong input; 3 the release is stopped or verify found a difference; "
            "1 anything unexpected."
        ),
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"PPDM Desktop {__version__}",
        help=_("show the version and exit"),
    )
    parser.add_language()
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=Parser, prog=parser.prog)
    for command in COMMANDS:
        if command.name != chosen:
            commands.add_parser(command.name, help=str(command.help))
            continue
        module = command.load()
        described = str(getattr(module, "DESCRIPTION", command.help))
        sub = commands.add_parser(command.name, help=str(command.help), description=described)
        module.arguments(sub)
        sub.add_argument(
            "--log", type=Path, metavar="FILE", help=_("add ids, counts and positions to FILE (no values)")
        )
        sub.add_language()
        sub.set_defaults(run=module.run)
    return parser


def run(arguments: Sequence[str]) -> int:
    """Run one command, or open the window, as the arguments say, and return the exit code.

    If there is no terminal (on Windows), messages of a failure appear in a message box.
    """
    prepare_streams()
    code = _run_in_language(arguments)
    if code:
        show_collected_messages("PPDM Desktop")
    return code


def _run_in_language(arguments: Sequence[str]) -> int:
    """Run the command in the language of the option, else of the settings or the system; return its exit code.

    The code is 2 for an unknown language, and 1 if the user stops the command before its work begins.
    """
    usual = usual_language(config_folder(), os.environ)
    try:
        arguments, asked = split_language_option(arguments)
    except UnknownLanguage as unknown:
        with use_language(usual):
            sys.stderr.write(format_refusal(_explain_bad_language(str(unknown)), PROGRAM))
        return 2
    with use_language(asked or usual):
        try:
            return _run_command(arguments, asked)
        except KeyboardInterrupt:
            sys.stderr.write(error_line(f"{_('Stopped')}. {_('No release was written, and the source is unchanged.')}"))
            return 1


def _explain_bad_language(asked: str) -> str:
    """Return the message for an unknown or missing language (``asked``), with the known ones."""
    term = Term(", ".join(list_languages()))
    option = Term("--language")
    return _("{argument} cannot be {found}. Choose one of: {known}.", argument=option, found=Quoted(asked), known=term)


def _run_command(arguments: Sequence[str], asked_language: str | None) -> int:
    """Parse the arguments and run the command, or open the window; print errors, and return the exit code.

    The code is 1 if the user stops the command, or if the program that reads its output has ended.
    """
    try:
        parsed = _parse_arguments(arguments, asked_language)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    if isinstance(parsed, int):
        return parsed
    console = Console(as_json=getattr(parsed, "json", False), log=parsed.log)
    try:
        console.open_log([value for name, value in vars(parsed).items() if name != "log" and isinstance(value, Path)])
        _bring_back(parsed, console)
        code = int(console.progress.run(parsed.run, parsed, console))
        sys.stdout.flush()
    except KeyboardInterrupt:
        if console.released is None:
            console.error(Cancelled())
        else:
            sys.stderr.write(error_line(f"{_('Stopped')}. {_describe_leftovers(console)}"))
        return 1
    except BrokenPipeError:
        # The reader of our output went away; keep Python from complaining once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:
        return _report_failure(error, console)
    finally:
        console.close()
    return code


def _parse_arguments(arguments: Sequence[str], asked_language: str | None) -> argparse.Namespace | int:
    """Return the parsed arguments or, if no command is named, open the window and return its exit code.

    Raise SystemExit for an option before any command and for wrong arguments, after printing help or an error. A
    leading ``--`` is left out; what follows it is a command or a file, even if it begins with a dash.
    """
    names = [command.name for command in COMMANDS]
    first, literal = arguments[0] if arguments else "", False
    if first == "--":  # what follows is a command or a file, however it begins
        arguments, literal = arguments[1:], True
        first = arguments[0] if arguments else ""
    if not literal and first.startswith("-") and first != "-":
        _answer_lone_option(first)
    if first not in names:
        return _open_window(arguments, names, asked_language)
    return build_parser(first).parse_args(arguments)


def _report_failure(error: Exception, console: Console) -> int:
    """Print why a command failed and what it left on the disk; return the exit code.

    A PpdmError has its own exit code, and only a complete release is told after it. The code is 1 for lack of memory
    and for an unexpected error.
    """
    if isinstance(error, PpdmError):
        console.error(error)
        if console.released is not None:
            sys.stderr.write(f"{_describe_leftovers(console)}\n")
        return error.exit_code
    if isinstance(error, MemoryError | ImportError | OSError | RuntimeError) and lacks_memory(error):
        console.error(PpdmError("error.work.memory"))
        sys.stderr.write(f"{_describe_leftovers(console)}\n")
    else:
        _print_unexpected_error(error, console)
    return 1


def _bring_back(args: argparse.Namespace, console: Console) -> None:
    """Move each release back to its folder if an interrupted run had moved it aside, and print a note.

    Such releases are looked for in the ledger (the list of releases) and beside the folders that the command names.
    """
    ledger = ledger_file()
    parents = [Path(getattr(args, name)).absolute().parent for name in ("out", "directory") if _has_path(args, name)]
    if not parents and not ledger.exists():
        return
    # Only here: commands that touch no release need none of what makes them.
    from ppdm_desktop.engine.release.storage.unfinished import move_back_releases

    for out in move_back_releases(ledger, parents):
        console.warn(Note("note.unfinished.brought-back", {"folder": Term(str(out))}))


def _has_path(args: argparse.Namespace, name: str) -> bool:
    """Return whether the argument ``name`` was given and is a path without a null character."""
    value = getattr(args, name, None)
    return isinstance(value, Path) and "\0" not in str(value)


def _answer_lone_option(option: str) -> NoReturn:
    """Answer an option before any command, and end the program (SystemExit).

    Help or version is printed with exit code 0; any other option is refused with exit code 2.
    """
    parser = build_parser()
    parser.parse_known_args([option])
    parser.error(
        _(
            "{option} is not an option here. Write the options of a command after its name, as in COMMAND --json.",
            option=Term(option),
        )
    )


def _open_window(arguments: Sequence[str], commands: Sequence[str], asked_language: str | None) -> int:
    """Open the window, with a file if one is named, and return its exit code.

    Print the reason and return 2 if the first argument is no existing file, if there are several, or if no window can
    be opened. ``commands`` are the names of the commands, which the message lists. ``asked_language`` is the language
    of the window; None for that of its settings.
    """
    if arguments and not os.path.exists(arguments[0]):  # noqa: PTH110 - False for a path that cannot be
        name = Term(escape_to_one_line(arguments[0]))
        sys.stderr.write(format_refusal(_("{name} is neither a command nor an existing file.", name=name), PROGRAM))
        return 2
    if len(arguments) > 1:
        unknown = Term(escape_to_one_line(" ".join(arguments[1:])))
        sys.stderr.write(format_refusal(_("Not known here: {arguments}.", arguments=unknown), PROGRAM))
        return 2
    why = explain_missing_window()
    if why is not None:
        # Only here: --help and --version need none of what draws samples.
        from ppdm_desktop.engine.samples import find_bundled_sample

        begin = Term(f"{PROGRAM} sample {find_bundled_sample().id} --out people.csv")
        lines = (
            why,
            _("Without a window, use one of these commands: {commands}.", commands=Term(", ".join(commands))),
            _("To begin: {command}", command=begin),
        )
        sys.stderr.write("".join(f"{line}\n" for line in lines))
        return 2
    # Only now: commands work on machines without Qt.
    from ppdm_desktop.ui.app import run_window

    return run_window(arguments, asked_language)


def _describe_leftovers(console: Console) -> str:
    """Return a sentence on what a failed run left on the disk: a complete release, or nothing."""
    if console.released is not None:
        folder = Term(escape_to_one_line(str(console.released)))
        return _("The release in {folder} was complete before that. The source is unchanged.", folder=folder)
    return _("No release was written, and the source is unchanged.")


def _print_unexpected_error(error: Exception, console: Console) -> None:
    """Print the class and place of an unexpected error; its message may contain cell values and is left out.

    The places in the traceback are added to the log.
    """
    places = traceback.extract_tb(error.__traceback__)
    where = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else "?"
    kind = type(error).__name__
    what = _("A fault in the program stopped this command ({kind}, {where}).", kind=Term(kind), where=Term(where))
    report = _("Report this line. With --log FILE the program records the places it went through.")
    sys.stderr.write(error_line(f"{what} {_describe_leftovers(console)} {report}"))
    for frame in places:
        console.log(f"{kind} {Path(frame.filename).name}:{frame.lineno} {frame.name}")
