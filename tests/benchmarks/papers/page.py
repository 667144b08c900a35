"""The committed pages of docs/ on the five papers, made of what was measured and of nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.papers.declared import PAPERS, Declared, Item, Shown
from tests.benchmarks.papers.runner import Found, drawn, file_name, judged, run_time, sweep_title

PAGE, VALUES, DRAWINGS = "papers.md", "papers-values.md", "papers"
COMMAND = "python -m tests.benchmarks.papers"
_HEADS = ("| table or figure | reproduced | off by most | why not | run time |", "|---|---|---|---|---|")
Measured = Sequence[tuple[Declared, Found]]


def write_pages(found: Measured, docs: Path) -> list[Path]:
    """Write both pages and their drawings into a folder, and return the files."""
    made = [docs / PAGE, docs / VALUES]
    for path, lines in zip(made, (page(found), values_page(found)), strict=True):
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for declared, each in found:
        made += drawn(declared, each, docs / DRAWINGS)
    return made


def page(found: Measured) -> Iterator[str]:
    """Yield the lines of the page that says of each table and figure whether it comes out."""
    yield "# The five papers, table by table"
    yield ""
    yield (
        "Every table and figure of the five papers that this program implements, set beside what comes out here. "
        f"This page is made by `{COMMAND}` from kept measurements; do not edit it."
    )
    yield ""
    yield (
        "A printed value is reproduced if ours is within its tolerance. Where a figure has no numbers, the paper's "
        "sentences about it are judged. Tolerances and sentences are declared in `resources/papers`, and "
        f"[all values]({VALUES}) stand on a page of their own. “4 of 13” means: 4 of the 13 values or sentences are "
        "reproduced. Run times are processor time on one thread, of everything in one file of `resources/papers`."
    )
    yield ""
    yield from _dates(found)
    yield "| paper | reproduced | in part | not | not run | nothing to measure | values and sentences | run time |"
    yield "|---|---|---|---|---|---|---|---|"
    for paper in PAPERS:
        yield _sum_of(paper, [(declared, each) for declared, each in found if declared.paper.source == paper])
    for paper in PAPERS:
        yield ""
        yield f"## {paper}"
        yield ""
        yield from _HEADS
        own = [(declared, each) for declared, each in found if declared.paper.source == paper]
        yield from (row for _, row in sorted(pair for declared, each in own for pair in _rows(declared, each)))
        for _, drawing in sorted(pair for declared, each in own for pair in _drawings(declared, each)):
            yield ""
            yield drawing
        for declared, each in own:
            if title := sweep_title(declared, each):
                yield ""
                yield f"![{title}]({DRAWINGS}/{declared.name}-sweep.svg)"
    yield ""
    yield "[What a swap keeps, and what retracing finds](swaps.md) stands on a page of its own."


Order = tuple[str, int, str]


def _order(shown: Shown) -> Order:
    """Return its place in the paper: figures, tables, sections, each by number."""
    kind, _, rest = shown.id.partition(" ")
    number = re.match(r"\d+", rest)
    return kind, int(number[0]) if number else 0, rest


def _dates(found: Measured) -> Iterator[str]:
    heads = [each.head for _, each in found if each.head is not None]
    if heads:
        days, programs = sorted({each.begun for each in heads}), sorted({each.program for each in heads})
        period = days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
        yield f"Measured {period} with version {', '.join(programs)}, first seed {heads[0].seed}."
        yield ""
    if any(each.is_outdated for _, each in found):
        yield "† What measures it has changed since; the values are those of before."
        yield ""


def _sum_of(paper: str, found: Measured) -> str:
    counts: Counter[str] = Counter()
    hits = total = 0
    for declared, each in found:
        for shown in declared.paper.shown:
            judgement = judged(shown, each)
            counts[judgement.word] += 1
            hits, total = hits + judgement.holds, total + judgement.known
    times = [each.seconds for _, each in found if each.seconds]
    words = [str(counts[word]) for word in ("yes", "partly", "no", "not run", "nothing to measure")]
    return f"| {' | '.join([paper, *words, f'{hits} of {total}', _time(sum(times))])} |"


def _rows(declared: Declared, found: Found) -> Iterator[tuple[Order, str]]:
    first = ""
    for shown in declared.paper.shown:
        judgement = judged(shown, found)
        mark = " †" if found.is_outdated and judgement.known else ""
        took, first = run_time(shown, judgement, found, first)
        name = f"[{shown.id}]({VALUES}#{file_name(declared, shown)})" if judgement.known else shown.id
        # Why it was not run depends on whose data are at hand, and the page does not.
        words, why = ("not run", "") if judgement.word == "not run" else (judgement.words + mark, shown.why)
        cells = [f"{name}: {shown.shows}", words, judgement.off, why, took]
        yield _order(shown), f"| {' | '.join(cells)} |"


def _drawings(declared: Declared, found: Found) -> Iterator[tuple[Order, str]]:
    for shown in declared.paper.shown:
        if len({cell.x for cell in found.cells if cell.shown == shown.id and cell.line}) > 1:
            yield _order(shown), f"![{shown.id}: {shown.shows}]({DRAWINGS}/{file_name(declared, shown)}.svg)"


def values_page(found: Measured) -> Iterator[str]:
    """Yield the lines of the page with every value."""
    yield "# The five papers, value by value"
    yield ""
    yield f"What stands behind [the tables and figures]({PAGE}); made by `{COMMAND}` as well."
    for paper in PAPERS:
        yield ""
        yield f"## {paper}"
        for declared, each in found:
            if declared.paper.source == paper:
                for shown in declared.paper.shown:
                    if judged(shown, each).known:
                        yield from _values(declared, shown, each)


def _values(declared: Declared, shown: Shown, found: Found) -> Iterator[str]:
    yield ""
    yield f'### <a id="{file_name(declared, shown)}"></a>{shown.id}: {shown.shows}'
    yield ""
    if words := " ".join(each for each in (shown.why, shown.more) if each):
        yield words
        yield ""
    yield f"`resources/papers/{declared.path.name}`"
    yield ""
    yield "| value | printed or said | ours | reproduced |"
    yield "|---|---|---|---|"
    for item in shown.items:
        ours = found.value(shown.id, item)
        if ours is not None:
            holds = ("yes" if item.holds(ours) else "no") if item.is_judged else ""
            yield f"| {item.what} | {said(item)} | {ours:.5g} | {holds} |"
    named = {item.what for item in shown.items}
    more = [cell for cell in found.cells if cell.shown == shown.id and cell.words and cell.what not in named]
    if more:
        yield ""
        yield "| measured beside them | ours | |"
        yield "|---|---|---|"
        for cell in more:
            yield f"| {cell.what} | {cell.value:.4g} | {cell.words} |"


def said(item: Item) -> str:
    """Return what the paper has, with what still counts as the same."""
    if item.printed is not None:
        return f"{item.printed:g} ± {item.within:g}"
    return " and ".join(
        f"{sign} {limit:g}" for sign, limit in (("≥", item.at_least), ("≤", item.at_most)) if limit is not None
    )


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds else ""
