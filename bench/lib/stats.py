# SPDX-License-Identifier: Apache-2.0
"""The statistics every comparison here is decided with: paired ratios, bootstrap intervals, verdicts."""
import random
from statistics import median
from typing import NamedTuple

RESAMPLES = 4000
FEWEST = 10  # pairs that a verdict needs
CLOSE = 1.15  # of the least median: nearer than that, more rounds may change which is the best
MARGIN = 0.02  # a bound is held when the interval lies below it plus two points


class Estimate(NamedTuple):
    """A median with its 95 % interval."""

    value: float
    low: float
    high: float
    count: int  # of values

    def text(self, digits=2):
        return f"{self.value:.{digits}f} [{self.low:.{digits}f}, {self.high:.{digits}f}]"


def bootstrap_median(values):
    """The median and its 95 % percentile bootstrap interval; the same values give the same interval."""
    if len(values) < 2:
        return Estimate(values[0], values[0], values[0], 1)
    draw = random.Random(len(values))
    medians = sorted(median(draw.choices(values, k=len(values))) for _ in range(RESAMPLES))
    return Estimate(median(values), medians[RESAMPLES * 25 // 1000], medians[RESAMPLES * 975 // 1000 - 1],
                    len(values))


def paired_ratio(values, baseline):
    """What `values` are of `baseline`, round by round: pairing removes what a round has in common."""
    return bootstrap_median([value / base for value, base in zip(values, baseline)])


def verdict(ratio, bound):
    """pass: the interval lies below the bound plus two points; fail: wholly above that; else undecided."""
    if ratio.count < FEWEST:
        return "too few rounds"
    limit = bound + MARGIN
    if ratio.high <= limit:
        return "pass"
    return "fail" if ratio.low > limit else "undecided"


def above(ratio, bound):
    """pass: the interval lies above the bound less two points; fail: wholly below that; else undecided."""
    return verdict(Estimate(-ratio.value, -ratio.high, -ratio.low, ratio.count), -bound)


def no_slower(ratio, bound=1.01):
    """pass: the interval contains the bound or lies below it."""
    if ratio.count < FEWEST:
        return "too few rounds"
    return "pass" if ratio.low <= bound else "fail"


def odd(values):
    """Rounds 1, 3, 5 …"""
    return values[0::2]


def even(values):
    """Rounds 2, 4, 6 …"""
    return values[1::2]


def best_of(samples):
    """The label with the least median."""
    return min(samples, key=lambda label: median(samples[label]))


def close_to_best(samples):
    """The labels that more rounds could still make the best."""
    least = median(samples[best_of(samples)])
    return [label for label, of in samples.items() if median(of) <= CLOSE * least]
