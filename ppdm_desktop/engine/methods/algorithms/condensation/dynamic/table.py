"""Dynamic condensation of a table: strata, order of joining, and the coverage for the new columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ppdm_desktop.engine import progress
from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.believable import Condensable
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import Coverage
from ppdm_desktop.engine.methods.algorithms.condensation.dynamic.run import Arrivals, Streamed, condense_stream
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments
from ppdm_desktop.engine.methods.algorithms.condensation.run import Found, coverage_of, sizes_of, strata_of
from ppdm_desktop.engine.methods.algorithms.condensation.statistics import Condensed, widened
from ppdm_desktop.engine.methods.algorithms.condensation.values import ValueBlocks, counted_values, stand_in
from ppdm_desktop.engine.methods.base.step import Settings
from ppdm_desktop.engine.randomness import StepStream

FIRST_PER_DEMAND, FIRST_SHARE = 10, 10
"""Records grouped first by default: the larger of ten times the strictest demand and a tenth of the table."""


@dataclass(frozen=True, eq=False)
class Dynamic:
    """The result of condensing a table record by record.

    Attributes
    ----------
    found
        Groups, with columns in which every group shows exactly the values it counts.
    condensed
        The groups' statistics.
    family
        Each record's family of groups that came out of one another.
    detail
        Figures for the report.
    """

    found: Found
    condensed: Condensed
    family: Ints
    detail: Mapping[str, Any]


def ranks_of(coverage: Coverage) -> dict[str, dict[str, int]]:
    """Return the rank of each value of every ordinal column, by column name."""
    return {
        joint_column.column.name: {text: rank for rank, text in enumerate(joint_column.column.categories)}
        for joint_column in coverage.joint
        if joint_column.sort == "rank"
    }


def whole_points(coverage: Coverage, blocks: ValueBlocks, places: Ints) -> tuple[Floats, Bools, Floats]:
    """Return coordinates of all records, flags of known values, and what each counted value adds to the coordinates."""
    rows = len(places)
    standard, present = coverage.standard()
    if not coverage.joint:
        standard, present = np.zeros((rows, 0)), np.zeros((rows, 0), dtype=np.bool_)
    totals = blocks.counts(places, np.zeros(rows, dtype=np.int64), 1)[0]
    embedding = blocks.embedding(totals)
    return np.hstack([standard, placed(embedding, places)]), present, embedding


def placed(embedding: Floats, places: Ints) -> Floats:
    """Return the further coordinates of records: the sum of the embedding over their values."""
    embedded = np.zeros((len(places), embedding.shape[1]))
    for block in range(places.shape[1]):
        there = places[:, block] >= 0
        embedded[there] += embedding[places[there, block]]
    return embedded


def find_dynamic(ready: Condensable, settings: Settings, needs: Ints, streams: StepStream) -> Dynamic:
    """Return groups made from the first records of every stratum, joined by the others in an order drawn by the key."""
    values, table = settings.values, ready.table
    coverage = coverage_of(ready, settings, needs)
    blocks, places = counted_values(coverage)
    points, present, embedding = whole_points(coverage, blocks, places)
    order = streams.stream("joining order").permutation(table.rows)
    records = Arrivals(points[order], present[order], places[order], needs[order])
    wanted = int(values["first_records"]) or max(
        FIRST_PER_DEMAND * int(needs.max(initial=0)), -(-table.rows // FIRST_SHARE)
    )
    strata = strata_of(table, settings, needs)
    group, family = np.full(table.rows, -1, dtype=np.int64), np.full(table.rows, -1, dtype=np.int64)
    parts: list[Streamed] = []
    groups = families = done = 0
    for stratum in strata:
        inside = np.zeros(table.rows, dtype=np.bool_)
        inside[stratum.rows] = True
        coming = np.flatnonzero(inside[order])
        part = progress.part(done / table.rows, (done + len(coming)) / table.rows).run(
            condense_stream,
            records.take(coming),
            blocks,
            embedding,
            first=int(np.count_nonzero(coming < wanted)),
            algorithm=str(values["algorithm"]),
            rule=values["split_rule"],
        )
        group[order[coming]] = groups + part.group
        family[order[coming]] = families + part.family
        groups, families, done = groups + part.stream.count, int(family.max()) + 1, done + len(coming)
        parts.append(part)
    condensed, counts = _together(parts, coverage)
    released_coverage = stand_in(coverage, blocks, counts, group, ranks_of(coverage))
    grouped = Found(released_coverage, strata, (), group, _ssq_share(parts, points, coverage))
    return Dynamic(grouped, condensed, family, _detail(parts, grouped, condensed, settings))


def _together(parts: list[Streamed], coverage: Coverage) -> tuple[Condensed, Ints]:
    """Return the statistics and value counts of the groups of all strata."""
    moments_of_parts = [part.stream.moments() for part in parts]
    moments = GroupMoments(
        *(
            np.concatenate([getattr(part_moments, name) for part_moments in moments_of_parts])
            for name in ("n", "mean", "covariance", "pmax", "psum")
        )
    )
    known_counts = np.concatenate([part.stream.known[: part.stream.count] for part in parts])
    counts = np.concatenate([part.stream.counts[: part.stream.count] for part in parts])
    return widened(moments, known_counts, coverage), counts


def _ssq_share(parts: list[Streamed], points: Floats, coverage: Coverage) -> float:
    """Return the share of the sum of squares within groups, by their statistics; after splits an estimate."""
    width = len(coverage.joint)
    total = float(((points[:, :width] - points[:, :width].mean(axis=0)) ** 2).sum())
    inside = 0.0
    for part in parts:
        moments = part.stream.moments()
        inside += float((moments.n * np.einsum("gii->g", moments.covariance)).sum())
    return inside / total if total > 0 else 0.0


def _detail(parts: list[Streamed], grouped: Found, condensed: Condensed, settings: Settings) -> dict[str, Any]:
    """Return the figures of the report as plain data."""
    short = condensed.moments.n < condensed.moments.pmax
    return {
        **sizes_of(grouped.group),
        "ssq_share": grouped.ssq_share,
        "tried": {},
        "algorithms": [str(settings.values["algorithm"])],
        "repairs": sum(part.merges for part in parts),
        "strata": [
            {
                "classes": len(stratum.labels),
                "records": len(stratum.rows),
                "groups": part.stream.count,
            }
            for stratum, part in zip(grouped.strata, parts, strict=True)
        ],
        "dynamic": {
            "first_records": sum(part.first for part in parts),
            "split_rule": str(settings.values["split_rule"]),
            "splits": sum(part.stream.splits for part in parts),
            "waited": sum(part.waited for part in parts),
            "founded": sum(part.founded for part in parts),
            "merges": sum(part.merges for part in parts),
            "groups_below_demand": int(short.sum()),
            "records_below_demand": 0,
        },
    }


def with_short(detail: Mapping[str, Any], records: int) -> dict[str, Any]:
    """Return the figures with the number of records in groups smaller than they demand."""
    return {**detail, "dynamic": {**detail["dynamic"], "records_below_demand": records}}
