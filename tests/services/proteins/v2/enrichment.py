"""Fills in the columns of enrichment.tsv after the first six, with scipy 1.17.1.

Usage: python3 enrichment.py < enrichment.tsv > new.tsv
"""
import csv
import itertools
import sys

import numpy
from scipy.stats import chi2_contingency, false_discovery_control, fisher_exact
from scipy.stats.contingency import relative_risk

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
        else:
            p = fisher_exact(table)[1]
        risk, interval = None, []
        if table[:, 0].all():
            risk = relative_risk(count, selection, background_count, background)
            ends = risk.confidence_interval(0.95)
            risk, interval = numpy.log2(risk.relative_risk), numpy.log2([ends.low, ends.high])
        numbers.append((row[:6], expected[0][0], p, risk, interval))
    rates = false_discovery_control([p for _, _, p, _, _ in numbers])
    for (row, expected, p, risk, interval), rate in zip(numbers, rates):
        is_marked = expected >= 10 and rate < 0.05
        ratio = [repr(float(number)) for number in (risk, *interval)] if risk is not None else ["", "", ""]
        more = risk > 0 if risk is not None else int(row[2]) > expected
        mark = ("over" if more else "under") if is_marked else ""
        print(*row, repr(float(expected)), repr(float(p)), repr(float(rate)), *ratio, mark, sep="\t")
