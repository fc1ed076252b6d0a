# SPDX-License-Identifier: Apache-2.0
"""time/limit: how far the loops of a program are from the least time any schedule could take."""
from statistics import median

from .programs import sites_of

RUNS = 3


def _per_instance(runs, key):
    """Site → median over the runs of `key` for one instance of the loop."""
    places = set.intersection(*(set(run) for run in runs))
    return {place: median(run[place][key] / max(1, run[place]["instances"]) for run in runs) for place in places}


class Limits:
    """The limits of a case's loops, from runs that time the iterations (STEELYARD_LIMIT=1)."""

    def __init__(self, bench, case):
        runs = [sites_of(bench.loaded(case, "limit", STEELYARD_LIMIT="1")) for _ in range(RUNS)]
        self.low = _per_instance(runs, "limit_low_ns")
        self.high = _per_instance(runs, "limit_high_ns")

    def times_limit(self, variant):
        """(least, most) of time/limit, summed over the loops; None when no loop could be measured."""
        runs = [sites_of(variant) for _ in range(RUNS)]
        wall = _per_instance(runs, "wall_ns")
        times = {place: runs[0][place]["instances"] for place in wall}
        shared = [place for place in wall if self.low.get(place, 0) > 0]
        if not shared:
            return None
        spent, low, high = (sum(of[place] * times[place] for place in shared) for of in (wall, self.low, self.high))
        return spent / high, spent / low


def text(bounds):
    if bounds is None:
        return "–"
    low, high = bounds
    shown = f"{low:.2f}" if round(low, 2) == round(high, 2) else f"{low:.2f}–{high:.2f}"
    return shown + (" (limit overestimated)" if high < 0.98 else "")
