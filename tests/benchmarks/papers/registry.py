"""The measured functions by the names that declarations use."""

from __future__ import annotations

from collections.abc import Mapping

from tests.benchmarks.papers import aggarwal_yu, li_sarkar, liu, liu_curves, vijayarani_tamilarasi, zhu
from tests.benchmarks.papers.cells import Measured

MEASURED: Mapping[str, Measured] = {
    "li-sarkar-example": li_sarkar.example,
    "li-sarkar-offers": li_sarkar.offers,
    "li-sarkar-census": li_sarkar.census,
    **aggarwal_yu.MEASURED,
    "liu-figures-1-and-2": liu_curves.figures_1_and_2,
    "liu-figure-4": liu_curves.figure_4,
    "liu-figure-6": liu.figure_6,
    "liu-figure-7": liu.figure_7,
    "liu-table-2": liu_curves.table_2,
    "liu-table-3": liu.table_3,
    "liu-table-4": liu.table_4,
    "liu-tables-5-and-6": liu.tables_5_and_6,
    "liu-tables-7-to-9": liu.tables_7_to_9,
    "vijayarani-table-2": vijayarani_tamilarasi.table_2,
    "vijayarani-employees": vijayarani_tamilarasi.employees,
    **zhu.MEASURED,
}
