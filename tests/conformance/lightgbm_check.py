# SPDX-License-Identifier: Apache-2.0
"""Trains small LightGBM models whose results are the same bits in every run, and prints
a digest of each one's predictions, then one of all.

The models are chosen by the library's dynamic and guided loops that they reach: finding
bins and filling them (guided, every model), linear leaves (dynamic), ranking gradients
and ranking metrics (guided)."""
import hashlib

import lightgbm
import numpy
import scipy.sparse

ROWS = 3000
QUERY = 30
COMMON = {
    "num_threads": 2,
    "deterministic": True,
    "force_row_wise": True,
    "seed": 3,
    "verbose": -1,
    "num_leaves": 15,
    "min_data_in_leaf": 5,
}


def synthetic():
    """A table with dense, sparse and categorical columns, and three targets."""
    generator = numpy.random.default_rng(7)
    table = generator.normal(size=(ROWS, 40))
    table[:, 20:] *= generator.random((ROWS, 20)) < 0.1
    table[:, 5] = generator.integers(0, 12, ROWS)
    value = table[:, 0] * 2 + numpy.sin(table[:, 1]) + table[:, 21]
    value += generator.normal(size=ROWS) * 0.1
    return table, value, (value > 0).astype(int), numpy.clip(numpy.round(value + 2), 0, 4)


def models():
    """Name, parameters, data, target, grouping by query."""
    table, value, sign, grade = synthetic()
    sparse = scipy.sparse.csr_matrix(table)
    return [
        ("regression", {"objective": "regression", "metric": "l2"}, table, value, None),
        ("linear", {"objective": "regression", "linear_tree": True}, table, value, None),
        ("sparse", {"objective": "regression_l1"}, sparse, value, None),
        ("bagging", {"objective": "regression", "bagging_fraction": 0.6, "bagging_freq": 1}, table, value, None),
        ("binary", {"objective": "binary", "metric": ["auc", "average_precision"]}, table, sign, None),
        ("multiclass", {"objective": "multiclass", "num_class": 5}, table, grade, None),
        ("lambdarank", {"objective": "lambdarank", "metric": ["ndcg", "map"]}, table, grade, QUERY),
        ("xendcg", {"objective": "rank_xendcg", "metric": "ndcg"}, table, grade, QUERY),
    ]


def digest(parameters, data, target, query):
    parameters = dict(COMMON, **parameters)
    group = [query] * (ROWS // query) if query else None
    training = lightgbm.Dataset(data, target, group=group, params=parameters)
    check = lightgbm.Dataset(data, target, group=group, reference=training)
    scores = {}
    booster = lightgbm.train(
        parameters, training, 12, valid_sets=[check], callbacks=[lightgbm.record_evaluation(scores)]
    )
    prediction = numpy.ascontiguousarray(booster.predict(data, num_threads=2))
    return hashlib.sha256(prediction.tobytes() + repr(scores).encode()).hexdigest()


def main():
    total = hashlib.sha256()
    for name, parameters, data, target, query in models():
        value = digest(parameters, data, target, query)
        total.update(value.encode())
        print(f"{name} {value[:16]}")
    print(f"sha256 {total.hexdigest()}")


main()
