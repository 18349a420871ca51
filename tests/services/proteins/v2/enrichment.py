"""Fills in the columns of enrichment.tsv after the first six, with scipy 1.17.1.

Usage: python3 enrichment.py < enrichment.tsv > new.tsv
"""
import csv
import itertools
import sys

import numpy
from scipy.optimize import brentq, minimize_scalar
from scipy.special import xlog1py, xlogy
from scipy.stats import chi2, chi2_contingency, false_discovery_control, fisher_exact


def log2_interval(x, m, y, n):
    """Returns the ends of the profile-likelihood interval of the ratio of x/m and y/n; an unbounded one is None."""

    def loss(p, q):
        return -(xlogy(x, p) + xlog1py(m - x, -p) + xlogy(y, q) + xlog1py(n - y, -q))

    def excess(log_ratio):
        bounds = (0, min(1, numpy.exp(-log_ratio)))
        best = minimize_scalar(lambda q: loss(numpy.exp(log_ratio) * q, q), bounds=bounds, options={"xatol": 1e-14})
        return 2 * (best.fun - loss(x / m, y / n)) - chi2.ppf(0.95, 1)

    middle = numpy.log((x or 0.5) / m / ((y or 0.5) / n))
    low = brentq(excess, middle - 9, middle) / numpy.log(2) if x else None
    return low, brentq(excess, middle, middle + 9) / numpy.log(2) if y else None


rows = list(csv.reader(sys.stdin, delimiter="\t", quoting=csv.QUOTE_NONE))
print(*rows[0], sep="\t")
for path, group in itertools.groupby(rows[1:], key=lambda row: row[0]):
    numbers = []
    for row in group:
        count, selection, background_count, background = map(int, row[2:6])
        table = numpy.array([[count, selection - count], [background_count, background - background_count]])
        expected = numpy.outer(table.sum(1), table.sum(0)) / table.sum()
        if (expected >= 10).all():
            p = chi2_contingency(table, correction=False, lambda_="log-likelihood")[1]
            interval = log2_interval(count, selection, background_count, background)
        else:
            p, interval = fisher_exact(table)[1], (None, None)
        ratio, half = None, 0 if table[:, 0].all() else 0.5
        if selection and background:
            frequencies = (count + half) / (selection + 2 * half), (background_count + half) / (background + 2 * half)
            ratio = numpy.log2(frequencies[0] / frequencies[1])
        numbers.append((row[:6], expected[0][0], p, ratio, interval))
    rates = false_discovery_control([p for _, _, p, _, _ in numbers])
    for (row, expected, p, ratio, interval), rate in zip(numbers, rates):
        is_marked = max(int(row[2]), expected) >= 10 and rate < 0.05
        ratios = ["" if number is None else repr(float(number)) for number in (ratio, *interval)]
        mark = ("over" if int(row[2]) > expected else "under") if is_marked else ""
        print(*row, repr(float(expected)), repr(float(p)), repr(float(rate)), *ratios, mark, sep="\t")
