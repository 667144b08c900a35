"""The commands, in the order help lists them."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass
from typing import Protocol, cast

from ppdm_desktop.cli.console import Console


class CommandModule(Protocol):
    """What a command's file has."""

    DESCRIPTION: str

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, given: argparse.Namespace, console: Console) -> int:
        """Do it and return the exit code."""


@dataclass(frozen=True)
class Command:
    """One command: its name and its line in the list of commands."""

    name: str
    help: str

    def load(self) -> CommandModule:
        """Return the command's file.

        Only the command that was asked for is loaded: with the engine behind all of them, even
        ``--version`` would take a second.
        """
        return cast(CommandModule, importlib.import_module(f"{__name__}.{self.name.replace('-', '_')}"))


COMMANDS = (
    Command("inspect", "what was read, and what each column seems to be"),
    Command("assess", "how identifiable is this file?"),
    Command("methods", "list the methods, what they promise and their parameters"),
    Command("release", "protect a file and write the release folder"),
    Command("top-up", "add new records to a condensed release made earlier"),
    Command("compare", "measure and attack a file that any tool made"),
    Command("verify", "check a release folder against its input"),
    Command("recipient-secret", "draw the secret that codes for one recipient are made with"),
    Command("sample", "write a sample spreadsheet and its recipe"),
    Command("self-test", "run the sample end to end in this installation"),
)
