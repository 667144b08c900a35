"""The figures that a reconstruction reports of itself, as lines of a label and a value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ppdm_desktop.engine.methods.base.figure_lines import FigureLine, labelled_lines
from ppdm_desktop.engine.wording.catalogue import lazy
from ppdm_desktop.engine.wording.values import Name, Number


def reconstruction_lines(detail: Mapping[str, Any]) -> list[FigureLine]:
    """Return what the search reached, what the released combinations hold, and how far values were joined."""
    fitness = detail["fitness"]
    score = lazy(
        "{start} at the start, {best} after {n} {n:round|rounds}, {released} for the released records",
        start=Number(fitness["start"]),
        best=Number(fitness["best"]),
        n=int(fitness["generations"]),
        released=Number(fitness["released"]),
    )
    column = Name(str(detail["class"]))
    cell_labels = {
        "cells": lazy("Released combinations"),
        "least_rows": lazy("Rows of the rarest combination"),
        "least_people": lazy("People in the original with a combination, at least"),
        "least_records": lazy("Different selected records in a combination, at least"),
        "least_classes": lazy("Different values of {column} in a combination, at least", column=column),
    }
    ranges = {name: lazy("{column}: ranges or values left", column=Name(name)) for name in detail["ranges"]}
    selected = lazy("Selected records, each released at least {k} {k:time|times}", k=int(detail["k"]))
    exchanged = lazy("Records exchanged so that no combination has only one value")
    left_out = lazy("People whose combination is not in the release")
    return [
        *labelled_lines(detail, {"chosen": selected}),
        FigureLine(lazy("Training score (not accuracy)"), score),
        *labelled_lines(detail["cells"], cell_labels),
        *labelled_lines(detail["ranges"], ranges),
        *labelled_lines(detail, {"mended": exchanged, "people_left_out": left_out}),
    ]
