"""People whose wage goes with an illness, their roles, and noise on the wage."""

from __future__ import annotations

from typing import Any

import numpy as np

NOISE: dict[str, Any] = {"method": "two-phase-noise", "columns": ["Wage"]}
CONFIRMED: dict[str, Any] = {"input": {"one_row_per_person": True}}


def people(rows: int = 200, seed: int = 4) -> dict[str, list[str]]:
    rng = np.random.default_rng(seed)
    ill = rng.integers(2, size=rows)
    wage = np.clip(np.rint(40 + 20 * ill + 8 * rng.normal(size=rows)), 1, 99).astype(int)
    return {
        "Sex": [f"s{v}" for v in rng.integers(2, size=rows)],
        "Age": [str(v) for v in rng.integers(20, 80, size=rows)],
        "Wage": [str(v) for v in wage],
        "Illness": [f"i{v}" for v in ill],
    }


ROLES: dict[str, Any] = {
    "Sex": "q",
    "Age": {"role": "q", "kind": "numeric"},
    "Wage": {"role": "c", "kind": "numeric", "bounds": [0, 100]},
    "Illness": "o",
}
PAID_ROLES: dict[str, Any] = {
    "Age": {"role": "q", "kind": "numeric"},
    "City": "q",
    "Bonus": {"role": "o", "kind": "numeric"},
    "Pay": {"role": "c", "kind": "numeric"},
    "Ill": "c",
}


def paid_people(rows: int) -> dict[str, list[str]]:
    """Return people whose pay goes with their age, and their illness half with their age and half with nothing."""
    rng = np.random.default_rng(7)
    age = rng.integers(18, 90, rows)
    city = rng.choice(["Delft", "Bonn", "Ghent", "Lille"], rows)
    pay = (2_000 + 60 * age + rng.normal(0, 900, rows)).round().astype(int)
    ill = np.where(rng.random(rows) < 0.6, np.where(age > 50, "gout", "flu"), rng.choice(["gout", "flu"], rows))
    columns = {"Age": age, "City": city, "Bonus": rng.integers(100, 900, rows), "Pay": pay, "Ill": ill}
    return {name: [str(value) for value in values] for name, values in columns.items()}
