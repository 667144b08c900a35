"""Arguments in, exit code out: 0 done, 2 bad use or input, 3 blocked or different, 1 unexpected."""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ppdm_desktop import __version__
from ppdm_desktop.cli.commands import COMMANDS
from ppdm_desktop.cli.console import Console
from ppdm_desktop.cli.display_check import why_no_window
from ppdm_desktop.cli.streams import one_line, prepare_streams
from ppdm_desktop.engine.errors import Cancelled, PpdmError

_NO_WINDOW = (
    "{why}\n"
    "Without a window, use one of the commands: {commands}.\n"
    "To begin: ppdm-desktop sample {sample} --out people.csv"
)
_NOT_A_COMMAND = "error: {name} is neither a command nor a file that exists.\nSee: ppdm-desktop --help\n"
_NOT_AN_OPTION = "{name} is not an option here; those of a command come after its name, as in COMMAND --json"
_ONE_FILE = "error: The window opens one file: ppdm-desktop FILE\nSee: ppdm-desktop --help\n"


class _Parser(argparse.ArgumentParser):
    """Says what is wrong in one line, with the way to help."""

    def error(self, message: str) -> NoReturn:
        self.exit(2, f"error: {one_line(message)}\nSee: {self.prog} --help\n")


def build_parser(chosen: str | None = None) -> argparse.ArgumentParser:
    """Return the parser: it lists every command and knows the arguments of the chosen one."""
    parser = _Parser(
        prog="ppdm-desktop",
        usage="%(prog)s [FILE] | %(prog)s COMMAND ...",
        description="Release a dataset without exposing anyone in it. Works offline; never changes the source. "
        "Without a COMMAND the window opens, on FILE if one is named.",
        epilog="Exit codes: 0 done, 2 bad use or bad input, 3 the gate blocks or verify finds a difference, "
        "1 anything unexpected.",
    )
    parser.add_argument("--version", action="version", version=f"PPDM Desktop {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", parser_class=_Parser, prog=parser.prog)
    for command in COMMANDS:
        if command.name != chosen:
            commands.add_parser(command.name, help=command.help)
            continue
        module = command.load()
        sub = commands.add_parser(command.name, help=command.help, description=module.DESCRIPTION)
        module.arguments(sub)
        sub.add_argument("--log", type=Path, metavar="FILE", help="add ids, counts and positions to FILE (no values)")
        sub.set_defaults(run=module.run)
    return parser


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit code."""
    prepare_streams()
    names = [command.name for command in COMMANDS]
    first, literal = arguments[0] if arguments else "", False
    if first == "--":  # what follows is a command or a file, however it begins
        arguments, literal = arguments[1:], True
        first = arguments[0] if arguments else ""
    try:
        if not literal and first.startswith("-") and first != "-":
            _without_command(first)
        if first not in names:
            return _open_window(arguments, names)
        parsed = build_parser(first).parse_args(arguments)
    except SystemExit as leaving:
        return int(leaving.code or 0)
    console = Console(as_json=getattr(parsed, "json", False), log=parsed.log)
    try:
        console.open_log([value for name, value in vars(parsed).items() if name != "log" and isinstance(value, Path)])
        code = int(parsed.run(parsed, console))
        sys.stdout.flush()
    except PpdmError as error:
        console.error(error)
        if console.released is not None:
            sys.stderr.write(f"{_left(console)}\n")
        return error.exit_code
    except KeyboardInterrupt:
        if console.released is None:
            console.error(Cancelled())
        else:
            sys.stderr.write(f"error: Stopped. {_left(console)}\n")
        return 1
    except BrokenPipeError:
        # The reader of our output went away; keep Python from complaining once more at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - the last line of defence: no traceback, no values
        _unexpected(error, console)
        return 1
    finally:
        console.close()
    return code


def _without_command(option: str) -> NoReturn:
    """Answer an option that stands first: help, the version, or that it is none."""
    parser = build_parser()
    parser.parse_known_args([option])
    parser.error(_NOT_AN_OPTION.format(name=option))


def _open_window(arguments: Sequence[str], commands: Sequence[str]) -> int:
    """Open the window, on a file when one is named; say in words when that cannot be."""
    if arguments and not os.path.exists(arguments[0]):  # noqa: PTH110 - False for a path that cannot be
        sys.stderr.write(_NOT_A_COMMAND.format(name=one_line(arguments[0])))
        return 2
    if len(arguments) > 1:
        sys.stderr.write(_ONE_FILE)
        return 2
    why = why_no_window()
    if why is not None:
        # Only here: --help and --version need none of what draws samples.
        from ppdm_desktop.engine.samples import ready_sample

        sys.stderr.write(_NO_WINDOW.format(why=why, commands=", ".join(commands), sample=ready_sample().id) + "\n")
        return 2
    # Only now: commands work on machines without Qt.
    from ppdm_desktop.ui.app import run_window

    return run_window(arguments)


def _left(console: Console) -> str:
    """Say what lies on the disk after a failure."""
    if console.released is not None:
        return f"The release in {one_line(str(console.released))} was complete before that; the source is unchanged."
    return "No release was written and the source is unchanged."


def _unexpected(error: Exception, console: Console) -> None:
    """Name the kind and place of a fault; its message could hold cell values."""
    places = traceback.extract_tb(error.__traceback__)
    where = f"{Path(places[-1].filename).name}:{places[-1].lineno}" if places else "?"
    kind = type(error).__name__
    sys.stderr.write(
        f"error: Something unexpected happened ({kind} at {where}). {_left(console)} "
        "Please report this line; --log FILE keeps the places the program went through.\n"
    )
    for place in places:
        console.log(f"{kind} {Path(place.filename).name}:{place.lineno} {place.name}")
