"""Invented tables with known answers, each by its own seed, for releases that leak and releases that do not."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

Columns = Mapping[str, Any]


def ward(seed: int = 3, n: int = 3_000) -> Columns:
    """People of wards; everybody in a few small groups of equal details has one illness."""
    rng = np.random.default_rng(seed)
    age, sex, ward = rng.integers(0, 12, n), rng.integers(0, 2, n), rng.integers(0, 20, n)
    ill = rng.integers(0, 5, n)
    return {"age": 20 + 5 * age, "sex": sex, "ward": ward, "cost": 100 * ill + 500}


def yes_no(seed: int = 1, n: int = 2_000, share: float = 0.02) -> Columns:
    """A rare yes or no beside age and place."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 90, n),
        "zip": rng.integers(1_000, 1_030, n),
        "sex": rng.integers(0, 2, n),
        "hiv": (rng.random(n) < share).astype(int),
    }


def patients(seed: int = 5, n: int = 1_500) -> Columns:
    """Columns that work like a name: a number, a place on the map, a birth date, a hash."""
    rng = np.random.default_rng(seed)
    days = np.datetime64("1930-01-01") + rng.integers(0, 30_000, n)
    return {
        "region": rng.integers(0, 4, n),
        "sex": rng.integers(0, 2, n),
        "patient_no": rng.permutation(np.arange(200_000, 200_000 + n)),
        "lat": np.round(rng.uniform(48, 52, n), 4),
        "dob": [str(day) for day in days],
        "hash": [f"{value:016x}" for value in rng.integers(2**60, 2**63, n)],
        "diagnosis": rng.integers(0, 5, n),
    }


def pay(seed: int = 6, n: int = 3_000) -> Columns:
    """Pay that is hours times rate."""
    rng = np.random.default_rng(seed)
    hours, rate = rng.integers(20, 45, n), rng.integers(12, 60, n)
    return {"age": 5 * rng.integers(4, 13, n), "hours": hours, "rate": rate, "pay": hours * rate}


def measured(law: str, seed: int = 4, n: int = 4_000) -> Columns:
    """One confidential number beside age and sex, normal or lognormal."""
    rng = np.random.default_rng(seed)
    values = rng.normal(100, 15, n) if law == "normal" else 1_000 * rng.lognormal(0, 0.5, n)
    return {"age": rng.integers(0, 10, n), "sex": rng.integers(0, 2, n), "value": np.round(values).astype(int)}


def diagnoses(seed: int = 2, n: int = 4_000) -> Columns:
    """Five even diagnoses beside three details."""
    rng = np.random.default_rng(seed)
    return {
        "age": rng.integers(18, 80, n),
        "zip": rng.integers(100, 180, n),
        "sex": rng.integers(0, 2, n),
        "diagnosis": [f"d{value}" for value in rng.integers(0, 5, n)],
    }


def classes_of_one_secret(seed: int = 8, k: int = 11, groups: int = 60) -> Columns:
    """Groups of eleven equal people who share one diagnosis."""
    rng = np.random.default_rng(seed)
    group = np.repeat(np.arange(groups), k)
    secret = rng.integers(0, 5, groups)[group]
    return {"place": group, "sex": group % 2, "diagnosis": [f"d{value}" for value in secret]}
