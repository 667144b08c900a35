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
