"""The commands, in the order help lists them."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass
from typing import Protocol, cast

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.wording.catalogue import Sentence, later


class CommandModule(Protocol):
    """What a command's file has."""

    DESCRIPTION: Sentence

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Declare the command's arguments."""

    def run(self, given: argparse.Namespace, console: Console) -> int:
        """Do it and return the exit code."""


@dataclass(frozen=True)
class Command:
    """One command: its name and its line in the list of commands."""

    name: str
    help: Sentence

    def load(self) -> CommandModule:
        """Return the command's file.

        Only the command that was asked for is loaded: with the engine behind all of them, even
        ``--version`` would take a second.
        """
        return cast(CommandModule, importlib.import_module(f"{__name__}.{self.name.replace('-', '_')}"))


COMMANDS = (
    Command("inspect", later("cli", "show what was read and what each column seems to be")),
    Command("assess", later("cli", "measure how identifiable the people in a file are")),
    Command("methods", later("cli", "list the methods, what they promise and their parameters")),
    Command("suggest", later("cli", "look for versions of a file that may be released")),
    Command("release", later("cli", "protect a file and write the release folder")),
    Command("sweep", later("cli", "try a range of one setting and compare the outcomes")),
    Command("top-up", later("cli", "add new records to an earlier release made by condensation")),
    Command("compare", later("cli", "measure and attack a file that any tool made")),
    Command("verify", later("cli", "check a release folder against the original")),
    Command("recipient-secret", later("cli", "create the secret used to make one recipient’s code names")),
    Command("sample", later("cli", "write a sample file and its recipe")),
    Command("self-test", later("cli", "run a sample from start to end in this installation")),
)
