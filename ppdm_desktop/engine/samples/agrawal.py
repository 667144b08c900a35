"""The synthetic people of Agrawal & Srikant (SIGMOD 2000), as Liu et al. (2008) print them in Table C.1.

Nine attributes and a class by one of five functions. Repaired: function 2's middle term is
75K <= salary <= 125K (printed ">="); a zipcode's house value is 0.5 k to 1.5 k times 100K
with k = 1 .. 9 the zipcode (the printed k in 0 .. 9 is ten values for nine zipcodes). Money
is in whole dollars and age in completed years, so that every value can be written exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ppdm_desktop.engine.methods.base.parameters import NumberParameter
from ppdm_desktop.engine.samples.base import Options, register
from ppdm_desktop.engine.samples.drawn import SEED, DrawnSample, SampleColumn, rows_option
from ppdm_desktop.engine.wording.catalogue import lazy

if TYPE_CHECKING:
    from ppdm_desktop.engine.arrays import Bools, Floats, Ints
    from ppdm_desktop.engine.samples.draws import Draws

FUNCTIONS = (1, 2, 3, 4, 5)
GROUPS = ("A", "B")
ATTRIBUTES = ("Salary", "Commission", "Age", "Elevel", "Car", "Zipcode", "Hvalue", "Hyears", "Loan")
CLASS = "Group"


def draw_attributes(draws: Draws) -> dict[str, Ints]:
    """Return the nine random attributes of a block of people, by column name, each int64 of shape (rows,).

    The commission is 0 for salaries of 75,000 and more, else 10,000 to 75,000. The house's value is 50,000 to 150,000
    times the zipcode, 1 to 9; all others are independent and uniform. Money is in whole dollars, age and ``Hyears`` in
    years.
    """
    import numpy as np

    salary = _scale_uniform(draws.uniform("salary"), 20_000, 150_000)
    commission = np.where(salary >= 75_000, 0, _scale_uniform(draws.uniform("commission"), 10_000, 75_000))
    zipcode = draws.whole("zipcode", 1, 9)
    return {
        "Salary": salary,
        "Commission": commission,
        "Age": draws.whole("age", 20, 79),
        "Elevel": draws.whole("elevel", 0, 4),
        "Car": draws.whole("car", 1, 20),
        "Zipcode": zipcode,
        "Hvalue": _scale_uniform(draws.uniform("hvalue"), 50_000 * zipcode, 150_000 * zipcode),
        "Hyears": draws.whole("hyears", 1, 30),
        "Loan": _scale_uniform(draws.uniform("loan"), 0, 500_000),
    }


def in_group_a(people: dict[str, Ints], function: int) -> Bools:
    """Return which people are in Group A by one of the functions 1 to 5, bool, shape (rows,).

    Function 1 takes those below 40 and those from 60 on; 2 adds a range of salaries for each age group, 3 education as
    well; 4 takes those whose disposable income (a share of the pay, less a share of the loan and a fixed sum) is above
    0, and 5 adds a share of the house's equity to it. ``people`` holds the columns that ``draw_attributes`` returns;
    any other number than 1, 2, 3 or 5 counts as 4.
    """
    import numpy as np

    salary, age, level = people["Salary"], people["Age"], people["Elevel"]
    young, middle, old = age < 40, (age >= 40) & (age < 60), age >= 60
    if function == 1:
        return np.asarray(young | old)
    low, mid, high = (
        (salary >= least) & (salary <= most) for least, most in ((25_000, 75_000), (50_000, 100_000), (75_000, 125_000))
    )
    if function == 2:
        return np.asarray((young & mid) | (middle & high) | (old & low))
    if function == 3:
        return np.asarray(
            (young & (((level <= 1) & low) | ((level >= 2) & (level <= 3) & mid)))
            | (middle & (((level >= 1) & (level <= 3) & mid) | ((level == 4) & high)))
            | (old & (((level >= 2) & mid) | ((level == 1) & low)))
        )
    disposable = 0.67 * (salary + people["Commission"]) - 0.2 * people["Loan"] - 10_000
    if function == 5:
        disposable = disposable + 0.2 * 0.1 * people["Hvalue"] * np.maximum(people["Hyears"] - 20, 0)
    return np.asarray(disposable > 0)


def _scale_uniform(uniform: Floats, low: int | Ints, high: int | Ints) -> Ints:
    """Return whole dollars from ``low`` to ``high``, int64, shape (rows,), from uniform numbers between 0 and 1.

    0 gives ``low`` and 1 gives ``high``; others are scaled in proportion and rounded to the nearest dollar.
    """
    import numpy as np

    return np.asarray(np.rint(low + uniform * (np.asarray(high) - low)), dtype=np.int64)


@register
class Agrawal(DrawnSample):
    """People in two groups, assigned by a function of their attributes."""

    id = "agrawal"
    title = lazy("{n} fictional people in two groups: salary, age, house, loan")
    order = 30
    default_rows = 2_000
    options = (
        rows_option(default_rows, least=100),
        NumberParameter(
            name="function",
            help=lazy("which function makes the groups"),
            effect=lazy("Functions 1 to 3 divide single columns into ranges; 4 and 5 combine several columns."),
            default=FUNCTIONS[0],
            low=FUNCTIONS[0],
            high=FUNCTIONS[-1],
            whole=True,
        ),
        SEED,
    )

    def draw(self, draws: Draws, options: Options) -> Sequence[SampleColumn]:
        """Return the nine columns of a block of people, and a last column with their group, "A" or "B".

        ``options["function"]``, 1 to 5, is the function that assigns the groups.
        """
        import numpy as np

        people = draw_attributes(draws)
        group = np.where(in_group_a(people, options["function"]), 0, 1).astype(np.int64)
        return (*(SampleColumn(name, people[name]) for name in ATTRIBUTES), SampleColumn(CLASS, group, GROUPS))
