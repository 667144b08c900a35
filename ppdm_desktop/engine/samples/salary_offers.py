"""Invented salary offers in the shape of the survey Li & Sarkar (2004) used, which is private.

The paper states 509 records, 13 attributes (it names salary, position, course load, years
teaching, campus type, public or private, region and year), salary in three groups, and that
502 records are identifiable, 478 of them unique; by default 502 and 491 are here. The other
attributes and all shares are made up; the salary group leans on position, campus and year.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_desktop.engine.samples.base import Options, register
from ppdm_desktop.engine.samples.drawn import SEED, DrawnSample, SampleColumn, rows_option
from ppdm_desktop.engine.wording.catalogue import lazy

if TYPE_CHECKING:
    from ppdm_desktop.engine.samples.draws import Draws

YEARS = ("1999", "2000", "2001", "2002")
POSITIONS = ("Instructor", "Assistant", "Associate", "Full")
LOADS = ("2", "3", "4", "5", "6", "7", "8")
TEACHING = ("0", "1-2", "3-5", "6-10", "over 10")
CAMPUSES = ("Research", "Comprehensive", "Teaching")
CONTROLS = ("Public", "Private")
REGIONS = ("Northeast", "Southeast", "Midwest", "Southwest", "West", "Abroad")
YES_NO = ("No", "Yes")
DEGREES = ("Doctorate", "Nearly done", "Other")
SALARIES = ("Low", "Med", "High")

_TEACHING_BY_POSITION = (
    (0.30, 0.25, 0.20, 0.15, 0.10),
    (0.45, 0.28, 0.17, 0.07, 0.03),
    (0.00, 0.04, 0.26, 0.45, 0.25),
    (0.00, 0.01, 0.06, 0.28, 0.65),
)
_LOAD_BY_CAMPUS = (
    (0.18, 0.38, 0.36, 0.05, 0.02, 0.005, 0.005),
    (0.02, 0.06, 0.26, 0.24, 0.34, 0.05, 0.03),
    (0.01, 0.02, 0.08, 0.12, 0.40, 0.17, 0.20),
)
_POSITION_PAY = (-1.6, 0.0, 0.7, 1.5)
_CAMPUS_PAY = (0.8, -0.3, -1.0)
_LOW_END, _HIGH_START = -0.35, 0.75


@register
class SalaryOffers(DrawnSample):
    """Salary offers, with categories only, in which nearly everybody is unique."""

    id = "salary-offers"
    title = lazy("{n} fictional salary offers: nearly every person is unique")
    order = 40
    default_rows = 509
    options = (rows_option(default_rows, least=50), SEED)

    def draw(self, draws: Draws, options: Options) -> Sequence[SampleColumn]:
        """Return the thirteen columns of a block of offers, all with categories; ``options`` is not used.

        The salary, "Low", "Med" or "High", depends on position, campus, year and others, and some columns on these: a
        degree on the position, for example.
        """
        import numpy as np

        year = draws.choice("year", (0.22, 0.26, 0.27, 0.25))
        position = draws.choice("position", (0.09, 0.70, 0.14, 0.07))
        campus = draws.choice("campus", (0.46, 0.36, 0.18))
        degree = draws.choice("degree", np.where(position[:, None] == 0, (0.3, 0.2, 0.5), (0.66, 0.31, 0.03)))
        accredited = draws.choice("accredited", np.where(campus[:, None] == 2, (0.6, 0.4), (0.12, 0.88)))
        summer = draws.choice("summer", np.where(campus[:, None] == 0, (0.25, 0.75), (0.7, 0.3)))
        private = draws.choice("control", (0.8, 0.2))
        teaching = draws.choice("teaching", np.array(_TEACHING_BY_POSITION)[position])
        pay = (
            np.array(_POSITION_PAY)[position]
            + np.array(_CAMPUS_PAY)[campus]
            + 0.25 * (year - 1.5)
            + 0.3 * (accredited + summer - 1)
            + 0.15 * private
            - 0.4 * (degree == 2)
            + 0.55 * draws.normal("salary")
        )
        return (
            SampleColumn("Year", year, YEARS),
            SampleColumn("Position", position, POSITIONS),
            SampleColumn("Course load", draws.choice("load", np.array(_LOAD_BY_CAMPUS)[campus]), LOADS),
            SampleColumn("Years teaching", teaching, TEACHING),
            SampleColumn("Campus type", campus, CAMPUSES),
            SampleColumn("Control", private, CONTROLS),
            SampleColumn("Region", draws.choice("region", (0.26, 0.24, 0.28, 0.10, 0.09, 0.03)), REGIONS),
            SampleColumn("Accredited", accredited, YES_NO),
            SampleColumn("Degree", degree, DEGREES),
            SampleColumn("Summer pay", summer, YES_NO),
            SampleColumn("Moving costs", draws.choice("moving", (0.12, 0.88)), YES_NO),
            SampleColumn("Teaching help", draws.choice("help", (0.2, 0.8)), YES_NO),
            SampleColumn("Salary", np.digitize(pay, (_LOW_END, _HIGH_START)).astype(np.int64), SALARIES),
        )
