"""The commands, in the order in which the help lists them."""

from __future__ import annotations

import argparse
import importlib
from dataclasses import dataclass
from typing import Protocol, cast

from ppdm_desktop.cli.console import Console
from ppdm_desktop.engine.wording.catalogue import Sentence, lazy


class CommandModule(Protocol):
    """The functions and the description that the module of a command has."""

    DESCRIPTION: Sentence

    def arguments(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments to the parser."""

    def run(self, args: argparse.Namespace, console: Console) -> int:
        """Run the command and return the exit code."""


@dataclass(frozen=True)
class Command:
    """A command: its name and its line in the list of commands."""

    name: str
    help: Sentence

    def load(self) -> CommandModule:
        """Import the command's module and return it.

        The modules import the engine; if all were imported at the start, even ``--version`` would take a second.
        """
        return cast(CommandModule, importlib.import_module(f"{__name__}.{self.name.replace('-', '_')}"))


COMMANDS = (
    Command("inspect", lazy("show what was read and what each column seems to be")),
    Command("assess", lazy("measure how identifiable the people in a file are")),
    Command("methods", lazy("list the methods, what they promise and their parameters")),
    Command("suggest", lazy("look for versions of a file that may be released")),
    Command("release", lazy("protect a file and write the release folder")),
    Command("sweep", lazy("try a range of one setting and compare the outcomes")),
    Command("top-up", lazy("add new records to an earlier release made by condensation")),
    Command("compare", lazy("measure and attack a file that any tool made")),
    Command("verify", lazy("check a release folder against the original")),
    Command("approve", lazy("approve or refuse a release that waits for a second person")),
    Command("compare-releases", lazy("compare two releases, column by column and figure by figure")),
    Command("dossier", lazy("write the papers that officers, boards and auditors ask for")),
    Command("recipient-secret", lazy("create the secret used to make one recipient’s code names")),
    Command("sample", lazy("write a sample file and its recipe")),
    Command("self-test", lazy("run a sample from start to end in this installation")),
)
