"""Invented employees in the shape that Vijayarani & Tamilarasi (2011) describe: 5 numeric and 10 nominal columns.

The paper prints no distributions. Here salaries are lognormal about a median by education
and job, the income tax follows from the salary by brackets and an allowance, and weeks
worked are uniform from 0 to 52. Names are syllables put together.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

from ppdm_desktop.engine.samples.base import Options, register
from ppdm_desktop.engine.samples.drawn import SEED, DrawnSample, SampleColumn, rows_option
from ppdm_desktop.engine.wording.catalogue import lazy

if TYPE_CHECKING:
    from ppdm_desktop.engine.arrays import Ints
    from ppdm_desktop.engine.samples.draws import Draws

_BEGIN = ("Ba", "Ce", "Do", "Fa", "Gi", "Ho", "Ju", "Ka", "Le", "Mo", "Nu", "Pe", "Ri", "Sa", "Te", "Vo")
_END = ("bel", "cas", "dun", "fir", "gor", "hem", "kin", "lor", "mar", "nis", "pol", "ran", "sten", "tam", "vik", "zor")
_FAMILY = (
    *("Adra", "Brevi", "Corno", "Delva", "Estu", "Frano", "Gradi", "Holva"),
    *("Istra", "Jorve", "Kelmo", "Lundra", "Merto", "Norvi", "Ostra", "Pelvu"),
)
_FAMILY_END = (
    *("ban", "cott", "dorf", "feld", "gard", "holt", "kamp", "land"),
    *("mont", "nell", "quist", "rand", "son", "thal", "vard", "wick"),
)

SEXES = ("female", "male")
MARITAL = ("single", "married", "divorced", "widowed")
EDUCATION = ("school", "vocational", "bachelor", "master", "doctorate")
JOBS = ("assistant", "clerk", "technician", "specialist", "engineer", "manager")
DEPARTMENTS = ("accounts", "development", "logistics", "office", "production", "purchase", "sales", "service")
REGIONS = ("centre", "east", "north", "south", "west")
CONTRACTS = ("permanent", "fixed term", "part time")
SHIFTS = ("day", "evening", "night")
HEALTH_PLANS = ("basic", "standard", "family")

# Shares of the marital states up to 29, 30 to 44, 45 to 59 and from 60 years on.
_MARITAL_BY_AGE = ((0.78, 0.20, 0.02, 0.001), (0.34, 0.55, 0.10, 0.01), (0.18, 0.62, 0.17, 0.03), (0.1, 0.6, 0.2, 0.1))
_JOBS_BY_EDUCATION = (
    (0.40, 0.35, 0.20, 0.03, 0.01, 0.01),
    (0.15, 0.30, 0.40, 0.10, 0.02, 0.03),
    (0.05, 0.20, 0.15, 0.30, 0.20, 0.10),
    (0.02, 0.05, 0.08, 0.30, 0.35, 0.20),
    (0.01, 0.02, 0.02, 0.35, 0.35, 0.25),
)
_MEDIAN_PAY = 26_000
_EDUCATION_PAY = (0.0, 0.08, 0.20, 0.32, 0.42)
_JOB_PAY = (0.0, 0.06, 0.15, 0.32, 0.45, 0.62)
_LEAST_PAY = 7_500
_BRACKETS = ((0, 0.10), (15_000, 0.20), (45_000, 0.30), (90_000, 0.40))
"""From how much taxable pay on, and the rate above it."""
_ALLOWANCE = {"single": 6_000, "married": 9_000}


@cache
def list_employee_names() -> tuple[str, ...]:
    """Return the 65,536 names that employees may have, given name and family name, always in the same order."""
    return tuple(f"{a}{b} {c}{d}" for a in _BEGIN for b in _END for c in _FAMILY for d in _FAMILY_END)


def income_tax(salary: Ints, marital: Ints, deduction: Ints) -> Ints:
    """Return the yearly tax in whole dollars, int64, shape (rows,): rates by bracket on the taxable part of the pay.

    Taxable is the salary less the deduction and an allowance, 9,000 if married, else 6,000; at least 0. Each rate
    applies only to the part of it within its bracket, and the sum is rounded: 36,000 without a deduction gives a single
    person 0.1 x 15,000 + 0.2 x 15,000 = 4,500. ``salary`` and ``deduction`` are in dollars, ``marital`` is an index
    into ``MARITAL``, shape (rows,) each.
    """
    import numpy as np

    married = marital == MARITAL.index("married")
    allowance = np.where(married, _ALLOWANCE["married"], _ALLOWANCE["single"])
    taxable = np.maximum(salary - allowance - deduction, 0)
    tax = np.zeros(len(salary))
    below = 0.0
    for start, rate in _BRACKETS:
        tax += (rate - below) * np.maximum(taxable - start, 0)
        below = rate
    return np.rint(tax).astype(np.int64)


@register
class Employees(DrawnSample):
    """Employees with numeric and nominal columns, in which income tax follows from salary."""

    id = "employees"
    title = lazy("{n} fictional employees: salary, income tax, weeks worked")
    order = 20
    default_rows = 3_000
    options = (rows_option(default_rows, least=100), SEED)

    def draw(self, draws: Draws, options: Options) -> Sequence[SampleColumn]:
        """Return the fifteen columns of a block of employees, ``Name`` to ``Weeks worked``; no option is used.

        Values depend on one another: marital status and years of service on age, job on education, salary on education,
        job and service, health plan on marital status, and income tax on salary, marital status and a random deduction,
        which is no column. The others are independent.
        """
        import numpy as np

        age = 18 + np.floor(49 * draws.uniform("age") ** 1.1).astype(np.int64)
        marital = draws.choice("marital", np.array(_MARITAL_BY_AGE)[np.digitize(age, (30, 45, 60))])
        education = draws.choice("education", (0.22, 0.30, 0.27, 0.17, 0.04))
        job = draws.choice("job", np.array(_JOBS_BY_EDUCATION)[education])
        service = np.floor((age - 17) * draws.uniform("service") ** 2).astype(np.int64)
        at = np.array(_EDUCATION_PAY)[education] + np.array(_JOB_PAY)[job] + 0.008 * service
        pay = np.rint(_MEDIAN_PAY * np.exp(at + 0.3 * draws.normal("salary"))).astype(np.int64)
        salary = np.maximum(pay, _LEAST_PAY)
        family_plan = np.where(marital == MARITAL.index("married"), 0.6, 0.1)
        plan = draws.choice("plan", np.column_stack([0.5 * (1 - family_plan), 0.5 * (1 - family_plan), family_plan]))
        return (
            SampleColumn("Name", draws.whole("name", 0, len(list_employee_names()) - 1), list_employee_names()),
            SampleColumn("Sex", draws.whole("sex", 0, 1), SEXES),
            SampleColumn("Age", age),
            SampleColumn("Marital status", marital, MARITAL),
            SampleColumn("Education", education, EDUCATION),
            SampleColumn("Region", draws.choice("region", (0.3, 0.15, 0.2, 0.15, 0.2)), REGIONS),
            SampleColumn("Department", draws.whole("department", 0, len(DEPARTMENTS) - 1), DEPARTMENTS),
            SampleColumn("Job", job, JOBS),
            SampleColumn("Contract", draws.choice("contract", (0.7, 0.12, 0.18)), CONTRACTS),
            SampleColumn("Shift", draws.choice("shift", (0.75, 0.15, 0.10)), SHIFTS),
            SampleColumn("Health plan", plan, HEALTH_PLANS),
            SampleColumn("Years of service", service),
            SampleColumn("Salary", salary),
            SampleColumn("Income tax", income_tax(salary, marital, draws.whole("deduction", 0, 3_000))),
            SampleColumn("Weeks worked", draws.whole("weeks", 0, 52)),
        )
