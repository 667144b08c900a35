"""What the import graph and the texts of checkouts tell of their structure, side by side.

    .venv/bin/python -m tests.benchmarks.structure CHECKOUT [CHECKOUT ...]

Printed for each checkout: modules and lines of product code; for the whole, ``ui/pages`` and ``engine/release``
the rooms (folders with modules), the largest, imports between rooms, the longest way down (floors), and the
rooms that stand in a circle; imports between pages; and in how many files the id of one method, attack, check,
file format, sample or release type stands in quotes, which is where a new one would have to be named too.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from statistics import median

import grimp

from tests.benchmarks.same_release import package_of

PLACES = (
    "ppdm_desktop",
    "ppdm_desktop.engine",
    "ppdm_desktop.ui",
    "ppdm_desktop.ui.pages",
    "ppdm_desktop.engine.release",
)
IDS: Mapping[str, tuple[str, ...]] = {
    "method": (
        "additive-noise", "bayes-swap", "bit-minus-minus", "bit-plus-plus", "condensation", "data-reconstruction",
        "generalize", "microaggregation", "mondrian", "random-swap", "suppress", "two-phase-noise",
    ),
    "attack": (
        "singling-out", "nearest-record", "noise-filter", "seed-search", "averaging", "digit-inverse",
        "two-constant-search",
    ),
    "check": (
        "roles-decided", "rows-read", "source-unchanged", "written-back", "identifiers-gone", "free-text",
        "class-size", "certain-disclosure", "levels-met", "rare-values", "small-groups", "guessable-key",
        "earlier-release", "audit-complete", "formula-cells", "release-text",
    ),
    "format in": ("xls", "xlsb", "ods"),
    "format out": ("xlsx",),
    "sample": ("life-insurance", "employees", "agrawal", "salary-offers"),
    "release type": ("public-high-harm",),
}  # fmt: skip


def rooms_below(modules: Iterable[str], place: str, files: Mapping[str, Path]) -> Counter[str]:
    """Return how many modules each folder below a place holds."""
    found: Counter[str] = Counter()
    for module in modules:
        if (module == place or module.startswith(f"{place}.")) and files[module].name != "__init__.py":
            found[module.rpartition(".")[0]] += 1
    return found


def circles(edges: Mapping[str, set[str]]) -> list[list[str]]:
    """Return the groups of rooms that reach one another (Tarjan's strongly connected components of two and more)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    names = sorted(edges.keys() | {other for others in edges.values() for other in others})
    at = {name: place for place, name in enumerate(names)}
    pairs = [(at[one], at[other]) for one, others in edges.items() for other in others]
    if not pairs:
        return []
    rows, columns = zip(*pairs, strict=True)
    graph = coo_array(([1] * len(pairs), (rows, columns)), shape=(len(names), len(names)))
    _, labels = connected_components(graph, directed=True, connection="strong")
    groups: dict[int, list[str]] = defaultdict(list)
    for name, label in zip(names, labels.tolist(), strict=True):
        groups[label].append(name)
    return [group for group in groups.values() if len(group) > 1]


def siblings(edges: Mapping[str, set[str]], place: str) -> dict[str, set[str]]:
    """Return the imports between the direct children of a place."""
    depth = place.count(".") + 1
    found: dict[str, set[str]] = defaultdict(set)
    for one, others in edges.items():
        for other in others:
            if one.startswith(f"{place}.") and other.startswith(f"{place}."):
                here, there = one.split(".")[depth], other.split(".")[depth]
                if here != there:
                    found[here].add(there)
    return found


def floors(edges: Mapping[str, set[str]]) -> int:
    """Return how many rooms the longest way down passes; circles count as one room."""
    inside = {name: min(group) for group in circles(edges) for name in group}
    down: dict[str, set[str]] = defaultdict(set)
    for one, others in edges.items():
        for other in others:
            here, there = inside.get(one, one), inside.get(other, other)
            if here != there:
                down[here].add(there)
    depth: dict[str, int] = {}

    def of(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max((of(other) for other in down.get(name, ())), default=0)
        return depth[name]

    return max((of(name) for name in list(down)), default=0)


def naming(files: Iterable[Path], ids: Iterable[str]) -> list[int]:
    """Return for each id in how many files it stands in quotes."""
    texts = [path.read_text("utf-8") for path in files]
    return [sum(re.search(rf"""["']{re.escape(each)}["']""", text) is not None for text in texts) for each in ids]


def describe(checkout: Path) -> None:
    """Print what one checkout is like."""
    with tempfile.TemporaryDirectory() as name:
        place = package_of(checkout, Path(name))
        sys.path.insert(0, str(place))
        try:
            graph = grimp.build_graph("ppdm_desktop", cache_dir=None)
        finally:
            sys.path.remove(str(place))
        files = {}
        for path in (place / "ppdm_desktop").rglob("*.py"):
            dotted = path.relative_to(place).with_suffix("").as_posix().replace("/", ".").removesuffix(".__init__")
            files[dotted] = path
        code = [path for dotted, path in files.items() if ".resources" not in dotted]
        lines = sum(path.read_text("utf-8").count("\n") for path in code)
        print(f"\n{checkout.name}: {len(code)} modules, {lines:,} lines of product code")
        imports = {module: graph.find_modules_directly_imported_by(module) for module in graph.modules}
        for where in PLACES:
            rooms = rooms_below(graph.modules, where, files)
            edges: dict[str, set[str]] = defaultdict(set)
            for module, others in imports.items():
                here = module.rpartition(".")[0]
                for other in others:
                    there = other if files[other].name == "__init__.py" else other.rpartition(".")[0]
                    if here != there and here.startswith(where) and there.startswith(where):
                        edges[here].add(there)
            between = siblings(edges, where)
            (largest, most) = rooms.most_common(1)[0]
            print(
                f"  {where}: {len(rooms)} rooms, {sum(rooms.values())} modules, at most {most} in one ({largest}); "
                f"{sum(map(len, edges.values()))} imports between rooms, {floors(between)} floors, "
                f"children in a circle: {sum(map(len, circles(between)))}"
            )
        pages = siblings({one: set(others) for one, others in imports.items()}, "ppdm_desktop.ui.pages")
        steps = {each.name for each in (place / "ppdm_desktop" / "ui" / "pages").iterdir() if each.is_dir()}
        crossing = sorted(
            f"{one} -> {other}" for one, others in pages.items() for other in others & steps if one in steps
        )
        if steps - {"__pycache__"}:
            print(f"  imports from page to page: {', '.join(crossing) or 'none'}")
        else:
            shelf = (place / "ppdm_desktop" / "ui" / "pages").glob("*.py")
            print(f"  pages lie on one shelf: {len(list(shelf))} files")
        for kind, ids in IDS.items():
            counts = naming(code, ids)
            print(f"  files that name one {kind}: median {median(counts):g}, most {max(counts)}")


def main() -> int:
    """Describe each checkout."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkouts", type=Path, nargs="+", metavar="CHECKOUT")
    for checkout in parser.parse_args().checkouts:
        describe(checkout.resolve())
    return 0


if __name__ == "__main__":
    sys.exit(main())
