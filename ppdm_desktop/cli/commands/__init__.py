"""The commands, in the order help lists them."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass

from ppdm_desktop.cli.commands import assess, inspect, methods, release, sample, self_test, verify
from ppdm_desktop.cli.console import Console


@dataclass(frozen=True)
class Command:
    """One command: its name, help, arguments and what it does."""

    name: str
    help: str
    description: str
    arguments: Callable[[argparse.ArgumentParser], None]
    run: Callable[[argparse.Namespace, Console], int]


COMMANDS: tuple[Command, ...] = tuple(
    Command(module.NAME, module.HELP, module.DESCRIPTION, module.arguments, module.run)
    for module in (inspect, assess, methods, release, verify, sample, self_test)
)
