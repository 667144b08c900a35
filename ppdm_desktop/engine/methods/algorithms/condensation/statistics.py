"""The file ``internal/condensation.json``: statistics of groups kept from a condensation, to add records later.

It contains statistics of groups and no record. But the statistics of two records are those two records, so groups too
small to be shown to anybody else are marked. Numbers are written so that exactly the same floats are read back.
Statistics are computed in standard units and corrected for missing values.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ppdm_desktop.engine.arrays import Bools, Floats, Ints
from ppdm_desktop.engine.methods.algorithms.condensation.coverage import (
    Coverage,
    DateGrid,
    JointColumn,
    fill_missing_values,
)
from ppdm_desktop.engine.methods.algorithms.condensation.membership import Membership
from ppdm_desktop.engine.methods.algorithms.condensation.moments import GroupMoments, group_moments
from ppdm_desktop.engine.recipe.models import ValueRuleSection
from ppdm_desktop.engine.table.column import Column

# --- condensed ----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Condensed:
    """The statistics of all groups in standard units.

    Attributes
    ----------
    moments
        Statistics of the jointly regenerated columns, in standard deviations of the whole table. Means and variances
        are those of the known values.
    known
        int64, shape (groups, d): number of known values of each of these columns.
    flat
        bool, shape (groups,): whether the group is flat: some regenerated column that is not pooled has known values,
        but no more than there are regenerated columns, so that new records would lie in the plane of the members. A
        pooled column takes its variance from the whole table.
    """

    moments: GroupMoments
    known: Ints
    flat: Bools


def condense(coverage: Coverage, group: Ints, needs: Ints) -> Condensed:
    """Return the statistics of every group in standard units, with variances of the known values.

    Parameters
    ----------
    coverage
        The columns, divided by how they are treated.
    group
        Each record's group, 0 and up without gaps.
    needs
        The group size that each record asks for.
    """
    filled = fill_missing_values(*coverage.standard(len(group)), group)
    return add_known_variances(group_moments(filled.points, group, needs), filled.known, coverage)


def add_known_variances(moments: GroupMoments, known_counts: Ints, coverage: Coverage) -> Condensed:
    """Return the groups' statistics with variances corrected to those of the known values.

    In a pooled column, with spikes (frequent values treated as categories) or gaps, a group may have fewer ordinary
    values than the largest group size that a member asks for. Its mean and variance are then mixed with those of the
    whole table, as if this many people had a value.

    Groups are flagged as flat that have, in some regenerated column that is not pooled, one or more values but no more
    than there are regenerated columns (those of numbers and dates).

    Parameters
    ----------
    moments
        Statistics in which missing values count as their group's mean.
    known_counts
        Number of known values, shape (groups, d).
    coverage
        The columns, divided by how they are treated; those of numbers and dates come first.
    """
    made = coverage.regenerated
    scale = np.where(known_counts > 0, np.sqrt(moments.n[:, None] / np.maximum(known_counts, 1)), 1.0)
    wider = scale[:, :, None] * scale[:, None, :]
    pooled = np.array([column.is_pooled for column in coverage.joint], dtype=np.bool_)
    values = known_counts[:, :made][:, ~pooled[:made]]
    flat = np.asarray(((values > 0) & (values <= made)).any(axis=1))
    draw = _compute_group_shares(moments, known_counts, coverage.joint)
    covariance = moments.covariance * wider * draw[:, :, None] * draw[:, None, :]
    diagonal = np.einsum("gii->gi", covariance)
    variance = np.divide(diagonal, draw, out=np.zeros_like(diagonal), where=draw > 0)
    diagonal += np.where(draw < 1, variance - diagonal + (1 - draw) + draw * (1 - draw) * moments.mean**2, 0.0)
    return Condensed(replace(moments, mean=moments.mean * draw, covariance=covariance), known_counts, flat)


def remove_table_share(moments: GroupMoments, known_counts: Ints, joint: Sequence[JointColumn]) -> GroupMoments:
    """Return the groups' statistics without those of the whole table that `add_known_variances` mixed in.

    ``moments`` are in standard units, and missing values count as their group's mean. ``known_counts`` has the number
    of known values, shape (groups, d). A column without known values in a group gets the variance 0.
    """
    draw = _compute_group_shares(moments, known_counts, joint)
    divisor = np.where(draw > 0, draw, 1.0)
    mean = moments.mean / divisor
    covariance = moments.covariance / (divisor[:, :, None] * divisor[:, None, :])
    diagonal = np.einsum("gii->gi", covariance)
    of_table = known_counts / moments.n[:, None] * (1 - draw) * (1 / divisor + mean**2)
    diagonal[draw < 1] = np.maximum(diagonal * draw - of_table, 0.0)[draw < 1]
    return replace(moments, mean=mean, covariance=covariance)


def _compute_group_shares(moments: GroupMoments, known_counts: Ints, joint: Sequence[JointColumn]) -> Floats:
    """Return with what share each group's own values count beside those of the whole table, shape (groups, d).

    In pooled columns it is the number of known values divided by the largest group size that a member asks for, at
    most 1; in others it is 1.
    """
    pooled = np.array([column.is_pooled for column in joint], dtype=np.bool_)
    return np.where(pooled, np.minimum(known_counts / np.maximum(moments.pmax, 1)[:, None], 1.0), 1.0)


# --- statistics ---------------------------------------------------------------------------

FILE_NAME, FORMAT = "condensation.json", 1


@dataclass(frozen=True, eq=False)
class ValueCounts:
    """How often each value of a set of columns occurs in each group.

    Attributes
    ----------
    columns
        Names of the columns; several where values are permuted together.
    values
        Each value as one text for each column. In the counts of patterns of missing values, None stands for a cell
        that is not missing.
    group, value, count
        int64, equally long: index of the group, index of the value, and how many records of the group have the value.
    """

    columns: tuple[str, ...]
    values: tuple[tuple[str | None, ...], ...]
    group: Ints
    value: Ints
    count: Ints


@dataclass(frozen=True, eq=False)
class Layout:
    """The stratum of each group, and the group of each released row.

    Attributes
    ----------
    strata
        Names of the classes in each stratum, whose records were grouped separately; one empty entry where the table
        was not divided.
    stratum
        int64, shape (groups,): the stratum that each group belongs to.
    released
        int64, shape (released rows,): the group each row of the released file was made from; empty where nothing was
        released.
    """

    strata: tuple[tuple[str, ...], ...]
    stratum: Ints
    released: Ints


@dataclass(frozen=True, eq=False)
class Statistics:
    """The statistics kept from a condensation so that the release can be changed later.

    Attributes
    ----------
    columns
        Plain data of each joint column: name, sort (number, date, rank), how it is written, centre and scale (mean and
        standard deviation over the table), and the base where its values are differences from another column.
    moments
        Statistics of these columns in their units.
    known
        int64, shape (groups, d): number of known values.
    too_small
        bool, shape (groups,): groups whose statistics would reveal their members.
    counts
        How often each value of nominal columns, ordinal columns and the class occurs in each group.
    gaps
        How often each pattern of missing values occurs in each group.
    parameters
        The step's parameters.
    layout
        The stratum of each group, and the group of each released row.
    members
        Keyed hashes of the records that the groups were made from.
    replaced
        For each column with rare categories, the text that replaces each category.
    rules
        The rules that artificial values keep.
    """

    columns: tuple[Mapping[str, Any], ...]
    moments: GroupMoments
    known: Ints
    too_small: Bools
    counts: tuple[ValueCounts, ...]
    gaps: ValueCounts
    parameters: Mapping[str, Any]
    layout: Layout
    members: Membership
    replaced: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    rules: tuple[ValueRuleSection, ...] = ()

    def to_json(self) -> bytes:
        """Return the statistics as UTF-8 bytes of the JSON file that a later change of the release needs.

        Only the upper triangle of each covariance is written.
        """
        width = self.moments.mean.shape[1]
        upper = np.triu_indices(width)
        document = {
            "format": FORMAT,
            "method": "condensation",
            "records": int(self.moments.n.sum()),
            "parameters": dict(self.parameters),
            "columns": [dict(column) for column in self.columns],
            "groups": {
                "n": self.moments.n.tolist(),
                "pmax": self.moments.pmax.tolist(),
                "psum": self.moments.psum.tolist(),
                "too_small": self.too_small.tolist(),
                "known": self.known.tolist(),
                "mean": self.moments.mean.tolist(),
                "covariance": self.moments.covariance[:, upper[0], upper[1]].tolist(),
                "stratum": self.layout.stratum.tolist(),
            },
            "strata": [list(labels) for labels in self.layout.strata],
            "released_rows": self.layout.released.tolist(),
            "counts": [_to_counts_document(count) for count in self.counts],
            "gaps": _to_counts_document(self.gaps),
            "members": self.members.document(),
            "replaced": {name: dict(texts) for name, texts in self.replaced.items()},
            "rules": [rule.model_dump(mode="json", exclude_none=True) for rule in self.rules],
        }
        return json.dumps(document, ensure_ascii=False, allow_nan=False).encode("utf-8") + b"\n"

    @classmethod
    def from_json(cls, data: bytes) -> Statistics:
        """Return the statistics read from the file's bytes.

        Raises
        ------
        ValueError
            When the bytes are not such a file, or have a different format version.
        """
        try:
            document = json.loads(data.decode("utf-8"))
            if document["format"] != FORMAT or document["method"] != "condensation":
                raise ValueError("unknown format")
            groups = document["groups"]
            columns = tuple(document["columns"])
            count, width = len(groups["n"]), len(columns)
            covariance = np.zeros((count, width, width))
            rows, across = np.triu_indices(width)
            covariance[:, rows, across] = np.array(groups["covariance"], dtype=np.float64).reshape(count, len(rows))
            covariance[:, across, rows] = covariance[:, rows, across]
            moments = GroupMoments(
                np.array(groups["n"], dtype=np.int64),
                np.array(groups["mean"], dtype=np.float64).reshape(count, width),
                covariance,
                np.array(groups["pmax"], dtype=np.int64),
                np.array(groups["psum"], dtype=np.float64),
            )
            return cls(
                columns,
                moments,
                np.array(groups["known"], dtype=np.int64).reshape(count, width),
                np.array(groups["too_small"], dtype=np.bool_),
                tuple(_from_counts_document(counts) for counts in document["counts"]),
                _from_counts_document(document["gaps"]),
                document["parameters"],
                Layout(
                    tuple(tuple(labels) for labels in document["strata"]),
                    np.array(groups["stratum"], dtype=np.int64),
                    np.array(document["released_rows"], dtype=np.int64),
                ),
                Membership.of_document(document["members"]),
                {name: dict(texts) for name, texts in document["replaced"].items()},
                tuple(map(ValueRuleSection.model_validate, document["rules"])),
            )
        except (KeyError, TypeError, AttributeError, OverflowError, RecursionError, UnicodeDecodeError) as error:
            raise ValueError("not a file of group statistics") from error


def statistics_of(
    coverage: Coverage,
    class_column: Column | None,
    group: Ints,
    condensed: Condensed,
    parameters: Mapping[str, Any],
    layout: Layout,
    members: Membership,
    replaced: Mapping[str, Mapping[str, str]],
    rules: Sequence[ValueRuleSection] = (),
) -> Statistics:
    """Return the statistics to be kept from a run of condensation.

    Means and covariances are in the columns' own units. Flat groups are marked as too small to be shown.

    Parameters
    ----------
    coverage, class_column
        The columns before the run, and the class column if one divides the table.
    group
        Each record's group.
    condensed
        The groups' statistics in standard units.
    parameters
        The step's parameters.
    layout
        The stratum (part of the table grouped by itself) of each group, and the group of each released row.
    members
        Keyed hashes of the records.
    replaced
        For each column with rare categories, the text that replaces each category.
    rules
        The rules that artificial values keep.
    """
    scale = np.array([joint.scale for joint in coverage.joint])
    centre = np.array([joint.centre for joint in coverage.joint])
    moments = condensed.moments
    ordinal = [(joint.column,) for joint in coverage.joint if joint.sort == "rank"]
    sets: list[tuple[Column, ...]] = [*ordinal, *coverage.permuted]
    if class_column is not None:
        sets.append((class_column,))
    return Statistics(
        tuple(_describe_joint_column(joint) for joint in coverage.joint),
        GroupMoments(
            moments.n,
            centre + scale * moments.mean,
            moments.covariance * np.outer(scale, scale),
            moments.pmax,
            moments.psum,
        ),
        condensed.known,
        condensed.flat,
        tuple(count_values(columns, group) for columns in sets),
        count_values(tuple(joint.column for joint in coverage.joint), group, [joint.known for joint in coverage.joint]),
        parameters,
        layout,
        members,
        replaced,
        tuple(rules),
    )


def _describe_joint_column(joint: JointColumn) -> dict[str, Any]:
    """Return how a column is written and scaled, as plain data.

    Every column has ``name``, ``sort``, ``centre`` and ``scale``; ``spikes`` (frequent values treated as categories),
    ``pooled`` and ``base`` (the column from which values are differences) only if they apply. Numbers have ``step``,
    ``decimals``, ``decimal`` (the sign) and ``bounds`` (None for none), dates ``format`` and ``padded`` (with leading
    zeros), and ordinal columns ``order`` (the categories).
    """
    column = joint.column
    plain: dict[str, Any] = {"name": column.name, "sort": joint.sort, "centre": joint.centre, "scale": joint.scale}
    if joint.spikes:
        plain["spikes"] = list(joint.spikes)
    if joint.is_pooled:
        plain["pooled"] = True
    if joint.base:
        plain["base"] = joint.base
    if joint.sort == "number" and column.style is not None:
        style = column.style
        plain |= {"step": str(style.step), "decimals": style.decimals, "decimal": style.decimal}
        plain["bounds"] = None if column.bounds is None else list(column.bounds)
    elif joint.sort == "date":
        grid = DateGrid.of(column)
        plain |= {"format": grid.pattern, "padded": grid.padded}
    else:
        plain["order"] = list(column.categories)
    return plain


def texts_of_keys(keys: Ints, columns: Sequence[Column]) -> list[tuple[str | None, ...]]:
    """Return the texts of rows of codes, one code for each column; None for a code below 0."""
    return [
        tuple(None if code < 0 else column.texts[code] for code, column in zip(row, columns, strict=True))
        for row in keys.tolist()
    ]


def count_values(columns: Sequence[Column], group: Ints, regenerated: Sequence[Bools] | None = None) -> ValueCounts:
    """Return how often each combination of texts of some columns occurs in each group.

    ``group`` is the group of each row. ``regenerated`` has for each column flags of shape (rows,); flagged cells count
    as None instead of their text. Only combinations that occur are listed, and for each group only those in it; entries
    are sorted by group.
    """
    rows = len(group)
    keys = np.zeros((rows, len(columns)), dtype=np.int64)
    for j, column in enumerate(columns):
        keys[:, j] = column.codes if regenerated is None else np.where(regenerated[j], -1, column.codes)
    distinct, value = np.unique(keys, axis=0, return_inverse=True)
    value = value.reshape(-1)
    cells, count = np.unique(group * max(len(distinct), 1) + value, return_counts=True)
    texts = texts_of_keys(distinct, columns)
    names = tuple(column.name for column in columns)
    width = max(len(distinct), 1)
    return ValueCounts(names, tuple(texts), cells // width, cells % width, count.astype(np.int64))


def _to_counts_document(counts: ValueCounts) -> dict[str, Any]:
    """Return value counts as plain data: columns, values, group, value and count, with lists for arrays."""
    return {
        "columns": list(counts.columns),
        "values": [list(value) for value in counts.values],
        "group": counts.group.tolist(),
        "value": counts.value.tolist(),
        "count": counts.count.tolist(),
    }


def _from_counts_document(document: Mapping[str, Any]) -> ValueCounts:
    """Return the value counts from the plain data that ``_to_counts_document`` made; KeyError if a part is missing."""
    return ValueCounts(
        tuple(document["columns"]),
        tuple(tuple(value) for value in document["values"]),
        np.array(document["group"], dtype=np.int64),
        np.array(document["value"], dtype=np.int64),
        np.array(document["count"], dtype=np.int64),
    )
