"""Correct results for the random noise in released numbers. Needs Python 3.9 or newer and NumPy.

    python noise_kit.py                                    means, standard deviations, covariances
    python noise_kit.py --regression PAY AGE YEARS         linear regression of PAY on AGE and YEARS
    python noise_kit.py --naive-bayes CLASS AGE PAY        naive Bayes: one normal distribution for each class
    python noise_kit.py --histogram PAY --bars 20          shares of equal bars of the true values

It reads noise-law.json beside itself, and the data file in the folder above. "Low" and "high" are the ends of a
95 % confidence interval. Rows with a missing value in a column that is used are left out.
Numbers with noise are corrected; other columns are used as they are.

The noise of some columns may be turned back at zero or at both ends of a public range ("reflected_at" and
"reflected_above" in the law). It moves values near the ends, so that it cannot be subtracted: for these columns only
the histogram is corrected.
noise_kit.R does the same in R.
"""

from __future__ import annotations

import argparse
import csv
import json
import math
from pathlib import Path

import numpy as np

Z = 1.959963984540054
STOP, MOST = 0.0025, 500  # when the reconstruction ends: by the sum of changes, and after so many rounds at the latest
FLOOR = 0.001  # least share of the variance seen that is left of a corrected one in naive Bayes
CELLS = 40  # narrow cells that a distribution is reconstructed on, at least
DRAWS = 200  # releases drawn again for the interval of a bar
HERE = Path(__file__).resolve().parent


# --- the noise ---------------------------------------------------------------------------------


def read_law(path=HERE / "noise-law.json"):
    """Return the noise law: which columns carry noise, how much, and how their noise goes together."""
    return json.loads(Path(path).read_text(encoding="utf-8"))


def group_of(law, name):
    """Return the group of noisy columns that a column belongs to, None where it carries no noise."""
    return next((group for group in law["noise"] if name in group["columns"]), None)


def reflected_at(law, name):
    """Return where the noise of a column is turned back, None where it is simply added."""
    group = group_of(law, name)
    return None if group is None else group["reflected_at"][group["columns"].index(name)]


def refuse_reflected(law, names):
    """End where the noise of a column cannot be subtracted."""
    for name in names:
        if reflected_at(law, name) is not None:
            raise SystemExit(
                f"The noise of {name} is turned back and moves values near the ends, so it cannot be subtracted. "
                f"Only its histogram is corrected: --histogram {name}"
            )


def band_variance(band, step):
    """Return the variance that drawing a value again inside its band added (Sheppard; on a grid of this step)."""
    return (2 * band**2 - step**2) / 12


def noise_covariance(law, names):
    """Return the covariance of the noise of these columns, shape (columns, columns)."""
    found = np.zeros((len(names), len(names)))
    for one, first in enumerate(names):
        group = group_of(law, first)
        if group is None:
            continue
        shares = np.array(group["shares"])
        place = group["columns"].index(first)
        for other, second in enumerate(names):
            if second in group["columns"]:
                beside = group["columns"].index(second)
                sd = np.array(group["sd"][place]), np.array(group["sd"][beside])
                found[one, other] = group["correlation"][place][beside] * float((shares * sd[0] * sd[1]).sum())
        bands = np.array(group["band"][place])
        found[one, one] += float((shares * band_variance(bands, group["step"][place])).sum())
    return found


# --- the data ----------------------------------------------------------------------------------


def read_data(law, path=None):
    """Return the released columns as texts, by name."""
    path = HERE.parent / law["data_file"] if path is None else Path(path)
    with path.open(encoding="utf-8", newline="") as file:
        rows = csv.reader(file, delimiter=law["delimiter"])
        names = next(rows)
        return dict(zip(names, map(list, zip(*rows))))


def numbers(law, texts):
    """Return texts as numbers, NaN where a text is none."""
    found = np.full(len(texts), np.nan)
    for place, text in enumerate(texts):
        try:
            found[place] = float(text.lstrip("'").replace(law["decimal"], "."))
        except ValueError:
            continue
    return found


def complete(columns):
    """Return numeric columns as one matrix, shape (rows, columns), without the rows that lack a value."""
    matrix = np.column_stack(columns)
    return matrix[~np.isnan(matrix).any(axis=1)]


# --- results -----------------------------------------------------------------------------------


def means(w):
    """Return mean, low and high of each column. Noise has mean 0: means need no correction, only a wider interval."""
    middle, error = w.mean(axis=0), w.std(axis=0, ddof=1) / math.sqrt(len(w))
    return middle, middle - Z * error, middle + Z * error


def covariance(w, noise):
    """Return the corrected covariance matrix, and its low and high."""
    centred = w - w.mean(axis=0)
    products = centred[:, :, None] * centred[:, None, :]
    found = products.sum(axis=0) / (len(w) - 1)
    error = products.std(axis=0, ddof=1) / math.sqrt(len(w))
    return found - noise, found - noise - Z * error, found - noise + Z * error


def regression(w, noise):
    """Return intercept and slopes of the first column on the others, with low and high, corrected for the noise.

    The moments estimator of Fuller (Measurement Error Models, 1987, section 2.2): (S_xx - N_xx)^-1 (S_xy - N_xy), N
    the covariance of the noise. The interval is that of the estimating equations ("sandwich").
    """
    rows, slopes = len(w), w.shape[1] - 1
    middle = w.mean(axis=0)
    y, x = w[:, 0] - middle[0], w[:, 1:] - middle[1:]
    m = x.T @ x / rows - noise[1:, 1:]
    if np.linalg.eigvalsh(m).min() <= 0:
        raise SystemExit("The noise is too strong for a regression on these columns: try fewer of them.")
    b = np.linalg.solve(m, x.T @ y / rows - noise[1:, 0])
    score = x * y[:, None] - noise[1:, 0] - (x * (x @ b)[:, None] - noise[1:, 1:] @ b)
    inverse = np.linalg.inv(m)
    spread = inverse @ (score.T @ score) @ inverse / rows / max(rows - slopes - 1, 1)
    # The intercept depends on the means and, through them, on the slopes.
    influence = (y - x @ b)[:, None] - (score @ inverse) @ middle[1:, None]
    first = float((influence**2).sum()) / rows / max(rows - slopes - 1, 1)
    found = np.concatenate([[middle[0] - middle[1:] @ b], b])
    error = np.sqrt(np.concatenate([[first], np.diag(spread)]))
    return found, found - Z * error, found + Z * error


def naive_bayes(w, classes, noise):
    """Return by class: share, means with low and high, and corrected standard deviations.

    A corrected variance is never below a thousandth of the one seen.
    """
    found = {}
    for name in sorted(set(classes)):
        own = w[np.array(classes) == name]
        if len(own) < 2:
            continue
        seen = own.var(axis=0, ddof=1)
        spread = np.sqrt(np.maximum(seen - np.diag(noise), FLOOR * seen))
        found[name] = (len(own) / len(w), *means(own), spread)
    return found


def classify(model, values):
    """Return the likeliest class of records WITHOUT noise, shape (rows, columns), by a model of naive_bayes."""
    names = list(model)
    logs = [
        math.log(share) - (np.log(sd) + 0.5 * ((values - mean) / sd) ** 2).sum(axis=1)
        for share, mean, _, _, sd in (model[name] for name in names)
    ]
    return [names[place] for place in np.argmax(logs, axis=0)]


# --- histograms --------------------------------------------------------------------------------


def _phi(z):
    return np.exp(-0.5 * z**2) / math.sqrt(2 * math.pi)


def _below(z):
    return 0.5 * (1 + np.vectorize(math.erf)(z / math.sqrt(2)))


def _integral(law, sd, u):
    """Return the integral of the noise's distribution function up to u."""
    if law == "uniform":
        half = math.sqrt(3) * sd
        inside = np.clip(u, -half, half)
        return (inside + half) ** 2 / (4 * half) + np.maximum(u - half, 0)
    return u * _below(u / sd) + sd * _phi(u / sd)


def _noisy_below(law, sd, w, bars):
    """Return P(true value and noise <= w | true value in bar), shape (len(w), bars)."""
    steps = _integral(law, sd, w[:, None] - bars[None, :])
    return (steps[:, :-1] - steps[:, 1:]) / np.diff(bars)


def _turned_below(law, sd, w, bars, mirror, top):
    """Return the same for noise that is turned back at the mirror, and at the top where there is one."""
    period = 0 if top is None else 2 * (top - mirror)
    most = math.ceil(8 * sd / period) + 1 if period else 0
    below = 0
    for shift in period * np.arange(-most, most + 1):
        below = below + _noisy_below(law, sd, w + shift, bars) - _noisy_below(law, sd, 2 * mirror - w + shift, bars)
    return np.where((w > mirror)[:, None], below, 0.0)


def kernel(law, group, place, bars, cells):
    """Return P(released value in cell | true value in bar), shape (cells, bars); the outer cells take the tails."""
    found = np.zeros((len(cells) - 1, len(bars) - 1))
    mirror, top = group["reflected_at"][place], group["reflected_above"][place]
    for share, sd, band in zip(group["shares"], group["sd"][place], group["band"][place]):
        if mirror is None:
            total = math.sqrt(sd**2 + band_variance(band, group["step"][place]))
            below = _noisy_below(group["law"], total, cells[1:-1], bars)
        elif band > 0:
            # Inside a band the released value is spread evenly, and the bands start where noise is turned back.
            start = mirror + np.floor((cells[1:-1] - mirror) / band) * band
            part = ((cells[1:-1] - start) / band)[:, None]
            low = _turned_below(group["law"], sd, start, bars, mirror, top)
            below = low + part * (_turned_below(group["law"], sd, start + band, bars, mirror, top) - low)
        else:
            below = _turned_below(group["law"], sd, cells[1:-1], bars, mirror, top)
        ends = np.zeros((1, below.shape[1])), np.ones((1, below.shape[1]))
        found += share * np.diff(np.vstack([ends[0], np.clip(below, 0, 1), ends[1]]), axis=0)
    return found


def reconstruct(counts, a, stop=STOP, most=MOST):
    """Return the share of each bar by expectation maximisation (Agrawal and Srikant 2000; Agrawal and Aggarwal 2001).

    It stops early on purpose: run on, the estimate follows the noise.
    """
    shares, weights = np.full(a.shape[1], 1 / a.shape[1]), counts / counts.sum()
    for _ in range(most):
        updated = shares * (a.T @ (weights / np.maximum(a @ shares, 1e-300)))
        updated /= updated.sum()
        change = np.abs(updated - shares).sum()
        shares = updated
        if change < stop:
            break
    return shares


def histogram(law, name, w, bars=20, low=None, high=None, draws=DRAWS):
    """Return the edges of the bars, and share, low and high of each.

    The interval is from drawing the released values again (percentile bootstrap, fixed seed). It holds the noise and
    the sample; it does not hold what stopping early smooths away.
    """
    group = group_of(law, name)
    if group is None:
        raise SystemExit(f"{name} carries no noise: count it directly.")
    place = group["columns"].index(name)
    sd = math.sqrt(noise_covariance(law, [name])[0, 0])
    bounds = group["bounds"][place]
    spread = math.sqrt(max(w.var() - sd**2, 0.01 * w.var()))
    mirror, top = group["reflected_at"][place], group["reflected_above"][place]
    if top is not None:
        bounds = mirror, top
    low = low if low is not None else bounds[0] if bounds else max(w.min(), w.mean() - 3 * spread)
    high = high if high is not None else bounds[1] if bounds else min(w.max(), w.mean() + 3 * spread)
    if mirror is not None and top is None and low <= 0:
        low = mirror
    # Estimated on narrow cells and put together in bars: inside a wide one values are not spread evenly.
    each = max(1, math.ceil(CELLS / bars))
    edges = np.linspace(low, high, bars * each + 1)
    width = edges[1] - edges[0]
    beyond = math.ceil(2 * sd / width)
    cells = low + width * np.arange(-beyond, bars * each + beyond + 1)
    if mirror is not None:
        cells = cells[cells > mirror - width / 2]
    if top is not None:
        cells = cells[cells < top + width / 2]
    a = kernel(law=group["law"], group=group, place=place, bars=edges, cells=cells)
    counts = np.bincount(np.searchsorted(cells[1:-1], w, side="right"), minlength=len(cells) - 1).astype(float)

    def in_bars(seen):
        return reconstruct(seen, a).reshape(bars, each).sum(axis=1)

    rng = np.random.default_rng(0)
    again = [in_bars(rng.multinomial(len(w), counts / len(w)).astype(float)) for _ in range(draws)]
    return edges[::each], in_bars(counts), *np.quantile(again, [0.025, 0.975], axis=0)


# --- printing ----------------------------------------------------------------------------------


def table(head, rows):
    """Print rows below their headings, numbers with four significant digits."""
    cells = [[each if isinstance(each, str) else f"{each:.4g}" for each in row] for row in [head, *rows]]
    wide = [max(map(len, column)) for column in zip(*cells)]
    for row in cells:
        print(
            "  ".join(
                cell.ljust(size) if place == 0 else cell.rjust(size)
                for place, (cell, size) in enumerate(zip(row, wide))
            )
        )
    print()


def main(arguments=None):
    """Read the folder and print what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--regression", nargs="+", metavar="COLUMN", help="first the column to explain, then the others"
    )
    parser.add_argument("--naive-bayes", nargs="+", metavar="COLUMN", help="the class, then columns of numbers")
    parser.add_argument("--histogram", metavar="COLUMN")
    parser.add_argument("--bars", type=int, default=20)
    parser.add_argument("--low", type=float)
    parser.add_argument("--high", type=float)
    given = parser.parse_args(arguments)
    law = read_law()
    data = read_data(law)

    def known(names, *, subtracted=True):
        for name in names:
            if name not in data:
                parser.error(f"there is no column {name!r}; there are {', '.join(data)}")
        if subtracted:
            refuse_reflected(law, names)
        return names

    def values(names, **more):
        return [numbers(law, data[name]) for name in known(names, **more)]

    if not law["rows_are_people"]:
        print("Some people have several rows: the intervals are too narrow, because they take rows for people.\n")
    if given.regression:
        names = given.regression
        if len(names) < 2:
            parser.error("a regression needs a column to explain and at least one other")
        found = regression(complete(values(names)), noise_covariance(law, names))
        table([f"{names[0]} on", "estimate", "low", "high"], list(zip(["(intercept)", *names[1:]], *map(list, found))))
    if given.naive_bayes:
        names = known(given.naive_bayes)[1:]
        if not names:
            parser.error("naive Bayes needs a class and at least one column of numbers")
        matrix = np.column_stack(values(names))
        there = ~np.isnan(matrix).any(axis=1)
        classes = np.array(data[given.naive_bayes[0]])[there].tolist()
        for name, (share, *rest) in naive_bayes(matrix[there], classes, noise_covariance(law, names)).items():
            print(f"{given.naive_bayes[0]} = {name}: share {share:.4g}")
            table(["", "mean", "low", "high", "sd"], list(zip(names, *map(list, rest))))
    if given.histogram:
        w = complete(values([given.histogram], subtracted=False))[:, 0]
        edges, *found = histogram(law, given.histogram, w, given.bars, given.low, given.high)
        bars = [f"{low:.6g} to {high:.6g}" for low, high in zip(edges[:-1], edges[1:])]
        table([given.histogram, "share", "low", "high"], list(zip(bars, *map(list, found))))
    if not (given.regression or given.naive_bayes or given.histogram):
        every = [name for group in law["noise"] for name in group["columns"]]
        names = [name for name in every if reflected_at(law, name) is None]
        for name in every:
            if name not in names:
                print(f"{name}: its noise is turned back at zero.", end=" ")
                print(f"Only its histogram is corrected: --histogram {name}\n")
        if not names:
            return
        matrix, noise = complete(values(names)), noise_covariance(law, names)
        found, low, high = covariance(matrix, noise)
        table(["mean of", "estimate", "low", "high"], list(zip(names, *map(list, means(matrix)))))
        ends = (np.sqrt(np.maximum(np.diag(each), 0)) for each in (found, low, high))
        table(["standard deviation of", "estimate", "low", "high"], list(zip(names, *map(list, ends))))
        pairs = [(one, other) for one in range(len(names)) for other in range(one)]
        if pairs:
            rows = [(f"{names[b]}, {names[a]}", found[a, b], low[a, b], high[a, b]) for a, b in pairs]
            table(["covariance of", "estimate", "low", "high"], rows)


if __name__ == "__main__":
    main()
