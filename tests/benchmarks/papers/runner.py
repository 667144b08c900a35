"""Running declarations: the program's own sweep and measured functions, row by row; and the table at the end."""

from __future__ import annotations

import itertools
import os
import re
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ppdm_desktop.engine.randomness import Key
from ppdm_desktop.engine.release.sweep.curves import curves_of
from ppdm_desktop.engine.release.sweep.rows_file import RowsFile
from ppdm_desktop.engine.release.sweep.run import MEASURES, Sweep, SweepRow, Value, read_grid
from ppdm_desktop.engine.table.reading import read_source
from tests.benchmarks.papers.cells import Asked, Cell, CellsFile, Head, NotAtHand, fingerprint, program
from tests.benchmarks.papers.declared import Declared, Item, Shown
from tests.benchmarks.papers.plots import line_chart
from tests.benchmarks.papers.registry import MEASURED
from tests.benchmarks.papers.sources import source_of

_MOST_LISTED = 6
_TITLES = {each.id: each.title for each in MEASURES}


@dataclass(frozen=True)
class Found:
    """What a declaration came to.

    Attributes
    ----------
    cells, rows
        Of the measured function, and of the sweep.
    absent
        Why nothing could be run; empty otherwise.
    head
        Of the file of cells.
    is_outdated
        Whether the measuring program has changed since the cells were measured.
    """

    cells: tuple[Cell, ...] = ()
    rows: tuple[SweepRow, ...] = ()
    absent: str = ""
    head: Head | None = None
    is_outdated: bool = False

    @property
    def seconds(self) -> float | None:
        """Processor time of all of it, whenever it was run; None where an earlier program kept none with its cells."""
        if self.cells and not any(each.seconds for each in self.cells):
            return None
        return sum(cell.seconds for cell in self.cells) + sum(row.seconds for row in self.rows)

    def value(self, shown: str, item: Item) -> float | None:
        """Return ours for an item: as measured by the paper's protocol, else as the sweep has it."""
        for cell in self.cells:
            if (cell.shown, cell.what) == (shown, item.what):
                return cell.value
        if item.measure is None or item.at is None:
            return None
        means = {point.value: point.mean for curve in curves_of(self.rows) if curve.measure == item.measure
                 for point in curve.points}  # fmt: skip
        wanted: list[Value] = [item.at] if item.less_at is None else [item.at, item.less_at]
        if any(each not in means for each in wanted):
            return None
        ours = means[wanted[0]] - (means[wanted[1]] if len(wanted) > 1 else 0.0)
        return 100 * (1 - ours) if item.error else ours


class Run:
    """Runs declarations into a folder.

    Parameters
    ----------
    asked
        Data, seed and size.
    out
        Where rows and cells are kept.
    rows
        So many rows of each source; one key and
    values
        so many values of each range, from both ends, with it.
    drawings
        Where figures with curves are drawn; beside the rows when left out.
    """

    def __init__(
        self, asked: Asked, out: Path, rows: int | None = None, values: int = 2, drawings: Path | None = None
    ) -> None:
        self._asked, self._out, self._rows, self._values = asked, out, rows, values
        self._drawings = drawings or out
        self._absent: dict[str, str] = {}

    def lines(self, declared: Declared, *, sweeps: bool = True, measured: bool = True) -> Iterator[str]:
        """Run a declaration and yield a line for each row as soon as it is there."""
        yield ""
        yield f"{declared.name} ({declared.paper.source}: {', '.join(each.id for each in declared.paper.shown)})"
        started = time.process_time()
        try:
            if measured and declared.paper.measured is not None:
                yield from self._measured(declared)
            if sweeps and declared.recipe is not None:
                yield from self._swept(declared)
        except NotAtHand as why:
            self._absent[declared.name] = str(why)
            yield f"  not run: {why}"
        yield from self._drawn(declared)
        yield f"  processor time {time.process_time() - started:.0f} s"

    def _measured(self, declared: Declared) -> Iterator[str]:
        measure, path = MEASURED[str(declared.paper.measured)], self._path(declared, "cells")
        measured_by = fingerprint(measure)
        if path.exists():
            head, kept, whole = CellsFile.kept(path)
            if whole or not head.is_run_of(self._asked, measured_by):
                changed = "" if head.measured_by == measured_by else "; what measures it has changed since"
                yield f"  {len(kept)} values kept of {head.begun or 'an earlier run'}{changed}; --again measures anew"
                return
        file = CellsFile(path, self._asked, measured_by)
        printed = {(shown.id, item.what): item for shown in declared.paper.shown for item in shown.items}
        before = time.process_time()
        for cell in measure(replace(self._asked, known=dict(file.known))):
            now = time.process_time()
            if file.known.get((cell.shown, cell.what)) != cell:
                file.add(replace(cell, seconds=round(now - before, 4)))
            before = now
            item = printed.get((cell.shown, cell.what))
            beside = "" if item is None or item.printed is None else f", printed {item.printed:g}"
            words = f", {cell.words}" if cell.words else ""
            yield f"  {cell.shown}: {cell.what}: {cell.value:.6g}{words}{beside}"
        file.end()

    def forget(self, declared: Declared) -> None:
        """Remove what is kept of a declaration, so that it is measured anew."""
        for kind in ("cells", "sweep"):
            self._path(declared, kind).unlink(missing_ok=True)

    def sweep(self, declared: Declared, place: Path) -> Sweep:
        """Return a declaration's sweep, its source written into a folder.

        Raises
        ------
        NotAtHand
            When its data are not there.
        """
        assert declared.recipe is not None
        assert declared.sweep is not None
        source = source_of(declared, self._asked, place, self._rows)
        grid = read_grid(declared.recipe, declared.sweep.over)
        if self._rows is not None:
            grid = replace(grid, values=tuple(dict.fromkeys((grid.values[0], grid.values[-1])))[: self._values])
        repeats = 1 if self._rows is not None else declared.sweep.repeats
        reading = read_source(source, declared.recipe.input)
        key = Key.from_seed(self._asked.seed + 1)
        said = declared.sweep
        return Sweep(source, reading, declared.recipe, grid, repeats, key, said.attacks, analysed=said.analyses)

    def _swept(self, declared: Declared) -> Iterator[str]:
        with tempfile.TemporaryDirectory(prefix="ppdm-papers-") as place:
            sweep = self.sweep(declared, Path(place))
            path = self._path(declared, "sweep")
            file = RowsFile(path, sweep, resume=path.exists())
            named = (
                replace(row, why=row.why.replace(f"{place}{os.sep}", ""), program=program())
                for row in sweep.rows(file.stored_rows)
            )
            for row in itertools.chain(file.stored_rows, _kept(file, named)):
                figures = ", ".join(f"{_TITLES[id]} {value:.4g}" for id, value in row.figures.items())
                yield f"  {sweep.grid.parameter} = {row.value}, key {row.repeat}: {figures or row.why}"

    def found(self, declared: Declared) -> Found:
        """Return what of a declaration is there, from this run or an earlier one."""
        cells, rows = self._path(declared, "cells"), self._path(declared, "sweep")
        swept = RowsFile.rows_in(rows) if rows.exists() else ()
        absent = self._absent.get(declared.name, "")
        if not cells.exists():
            return Found(rows=swept, absent=absent or ("" if swept else self._missing(declared)))
        head, kept, _ = CellsFile.kept(cells)
        is_outdated = head.measured_by != fingerprint(MEASURED[str(declared.paper.measured)])
        return Found(kept, swept, absent, head, is_outdated)

    def _missing(self, declared: Declared) -> str:
        """Say what of the data is not there, as far as that can be told without measuring."""
        if declared.recipe is None:
            return ""
        with tempfile.TemporaryDirectory(prefix="ppdm-papers-") as place:
            try:
                source_of(declared, self._asked, Path(place), 1)
            except NotAtHand as why:
                return str(why)
        return ""

    def _drawn(self, declared: Declared) -> Iterator[str]:
        for path in drawn(declared, self.found(declared), self._drawings):
            yield f"  drawn: {path.name}"

    def _path(self, declared: Declared, kind: str) -> Path:
        return self._out / f"{declared.name}.{kind}.jsonl"


def file_name(declared: Declared, shown: Shown) -> str:
    """Return what a table or figure is called in names of files and places of a page."""
    return f"{declared.name}-{re.sub(r'[^a-z0-9]+', '-', shown.id.lower()).strip('-')}"


def drawn(declared: Declared, found: Found, folder: Path) -> list[Path]:
    """Draw each figure that has curves into a folder, and return the files."""
    made = []
    for shown in declared.paper.shown:
        lines: dict[str, list[tuple[float, float]]] = {}
        for cell in found.cells:
            wanted = cell.line in shown.lines if shown.lines else bool(cell.line)
            if cell.shown == shown.id and wanted and cell.x is not None:
                lines.setdefault(cell.line, []).append((cell.x, cell.value))
        if any(len(points) > 1 for points in lines.values()):
            folder.mkdir(parents=True, exist_ok=True)
            made.append(folder / f"{file_name(declared, shown)}.svg")
            line_chart(f"{shown.id}: {shown.shows}", shown.across, shown.up, lines, made[-1])
    if title := sweep_title(declared, found):
        folder.mkdir(parents=True, exist_ok=True)
        made.append(folder / f"{declared.name}-sweep.svg")
        _draw_sweep(declared, found, title, made[-1])
    return made


def sweep_title(declared: Declared, found: Found) -> str:
    """Return what is written above the drawing of a sweep; nothing where no figure was measured at two values."""
    curves = [each for each in curves_of(found.rows) if each.measure in declared.paper.curves]
    if declared.sweep is None or not any(len(curve.points) > 1 for curve in curves):
        return ""
    keys = max(point.keys for curve in curves for point in curve.points)
    shown = ", ".join(shown.id for shown in declared.paper.shown if shown.items)
    over = f"mean, lowest and highest of {keys} keys"
    if keys == 1:
        over = "one key" if any(row.drawn for row in found.rows) else "nothing is left to chance, so one key is all"
    return f"{shown}, the sweep of {declared.name}.toml: {over}"


def _draw_sweep(declared: Declared, found: Found, title: str, path: Path) -> None:
    curves = {str(_TITLES[each.measure]): each.points for each in curves_of(found.rows)
              if each.measure in declared.paper.curves}  # fmt: skip
    values = list(dict.fromkeys(row.value for row in found.rows))
    is_scale = all(isinstance(value, int | float) and not isinstance(value, bool) for value in values)
    at: dict[Value, float] = {value: float(value) if is_scale else n for n, value in enumerate(values)}
    line_chart(
        title,
        str(declared.sweep.over).partition("=")[0] if declared.sweep is not None else "",
        "figure of the sweep",
        {name: [(at[each.value], each.mean) for each in points] for name, points in curves.items()},
        path,
        bands={name: [(at[each.value], each.low, each.high) for each in points if each.keys > 1]
               for name, points in curves.items()},
        places=None if is_scale else {at[value]: str(value) for value in values},
    )  # fmt: skip


def _kept(file: RowsFile, rows: Iterator[SweepRow]) -> Iterator[SweepRow]:
    for row in rows:
        file.add(row)
        yield row


# --- the table at the end -----------------------------------------------------------------


@dataclass(frozen=True)
class Judgement:
    """What a table or figure came to.

    Attributes
    ----------
    word
        ``yes``, ``partly``, ``no``, ``not run`` or ``nothing to measure``.
    words
        The same with its counts, or with the reason.
    known, holds
        Values and sentences that were measured, and those of them that are reproduced.
    off
        What is furthest from the paper, in parts of its tolerance, and by how much; empty where nothing is missed.
    """

    word: str
    words: str
    known: int = 0
    holds: int = 0
    off: str = ""


def judged(shown: Shown, found: Found) -> Judgement:
    """Judge a table or figure by what was measured of it."""
    wanted = [item for item in shown.items if item.is_judged]
    if not wanted:
        return Judgement("nothing to measure", "nothing to measure")
    known = [(item, value) for item in wanted if (value := found.value(shown.id, item)) is not None]
    if not known:
        return Judgement("not run", f"not run: {found.absent or 'not reached'}")
    missed = [(item, value) for item, value in known if not item.holds(value)]
    holds = len(known) - len(missed)
    word = "yes" if not missed else "no" if not holds else "partly"
    reached = "" if len(known) == len(wanted) else f" (of what was reached, {len(known)} of {len(wanted)})"
    off = ""
    if missed:
        item, value = max(missed, key=lambda pair: pair[0].missed_by(pair[1]) / (pair[0].within or 1.0))
        by = item.missed_by(value)
        off = f"{by:,.0f} ({item.what})" if by >= 1_000 else f"{by:.3g} ({item.what})"
    return Judgement(word, f"{word}{reached}: {holds} of {len(known)}", len(known), holds, off)


def run_time(shown: Shown, judgement: Judgement, found: Found, first: str) -> tuple[str, str]:
    """Return the run time of a table or figure, and the first that was measured with it.

    It is processor time and that of a whole file: it stands at the first of its tables that has values.
    """
    if not judgement.known:
        return "", first
    if first:
        return f"with {first}", first
    return "not kept" if found.seconds is None else f"{found.seconds:.0f} s", shown.id


def closing(found: Sequence[tuple[Declared, Found]]) -> list[str]:
    """Return one Markdown table: every table and figure, printed, ours, whether it is reproduced, by how much, why."""
    lines = [
        "| paper | table or figure | printed → ours | reproduced | off by | why | run time |",
        "|---|---|---|---|---|---|---|",
    ]
    for declared, each in found:
        first = ""
        for shown in declared.paper.shown:
            judgement = judged(shown, each)
            took, first = run_time(shown, judgement, each, first)
            words = judgement.words + (", measured before its program changed" if each.is_outdated else "")
            name = f"{shown.id}: {shown.shows}"
            why = "" if judgement.word == "not run" else shown.why
            cells = [declared.paper.source, name, _side_by_side(shown, each), words, judgement.off, why, took]
            lines.append("| " + " | ".join(cells) + " |")
    return lines


def _side_by_side(shown: Shown, found: Found) -> str:
    valued = [(item, value) for item in shown.items if (value := found.value(shown.id, item)) is not None]
    known = [pair for pair in valued if pair[0].is_judged]
    if not known:
        return ""
    listed = sorted(known, key=lambda pair: pair[0].holds(pair[1]))[:_MOST_LISTED]
    words = "; ".join(_beside(item, value) for item, value in listed)
    if len(known) > len(listed):
        words += f"; and {len(known) - len(listed)} more"
    ours = [f"{item.what}: {value:.5g}" for item, value in valued if not item.is_judged]
    return words + ("; beside them, not printed: " + "; ".join(ours[:_MOST_LISTED]) if ours else "")


def _beside(item: Item, value: float) -> str:
    if item.printed is not None:
        return f"{item.what}: {item.printed:g} → {value:.5g}"
    limits = [f"{sign} {limit:g}" for sign, limit in (("≥", item.at_least), ("≤", item.at_most)) if limit is not None]
    return f"{item.what}: said {' and '.join(limits)} → {value:.4g}"
