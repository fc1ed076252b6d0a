#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run jit makes of samples and of the simulator's figures, without measuring."""
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import jit, jit_programs, jit_replay  # noqa: E402
from lib.runs import Failure, Run, chosen_kernels  # noqa: E402

STATIC_LOOPS = "nustatic, static loops"


def samples(**seconds):
    return {label.replace("_", " "): [value] * 20 for label, value in seconds.items()}


class Judging(unittest.TestCase):
    def test_nustatic_is_held_against_the_best_schedule(self):
        found = jit.bounds_of("adjoint", samples(serial=0.1, nustatic=1.0, guided=1.5, steal=1.25, libgomp_static=2.0))
        self.assertEqual([(bound["schedule"], bound["of"], bound["verdict"]) for bound in found], [("nustatic", "steal", "pass")])
        self.assertAlmostEqual(found[0]["ratio"].value, 0.8)

    def test_also_where_it_takes_static_loops(self):
        taken = {**samples(nustatic=1.0, steal=1.0), STATIC_LOOPS: [1.2] * 20}
        verdicts = {bound["schedule"]: bound["verdict"] for bound in jit.bounds_of("gauss-jordan", taken)}
        self.assertEqual(verdicts, {"nustatic": "pass", STATIC_LOOPS: "fail"})

    def test_neither_the_serial_program_nor_those_that_learn_are_rivals(self):
        taken = {**samples(serial=0.1, nustatic=1.0, jit=0.5, steal=1.0), STATIC_LOOPS: [0.5] * 20, "nustatic:paper": [0.4] * 20}
        found = jit.bounds_of("adjoint", taken)
        self.assertEqual({bound["of"] for bound in found}, {"steal"})

    def test_the_better_learner_is_held_against_the_best_chunk(self):
        taken = {**samples(nustatic=1.2, jit=1.0, steal=0.5, dynamic=4.0), "dynamic,40": [0.9] * 20, "libgomp dynamic,64": [1.0] * 20}
        (found,) = jit.bounds_of("lattice-boltzmann", taken)
        self.assertEqual((found["schedule"], found["of"], found["verdict"]), ("jit", "dynamic,40", "fail"))

    def test_chosen_on_odd_rounds_and_compared_on_even_ones(self):
        lucky = [1.0, 3.0] * 10
        (found,) = jit.bounds_of("adjoint", {"nustatic": [1.5] * 20, "steal": lucky, "guided": [2.0] * 20})
        self.assertEqual(found["of"], "steal")
        self.assertAlmostEqual(found["ratio"].value, 0.5)

    def test_who_has_dropped_out_is_no_rival(self):
        (found,) = jit.bounds_of("adjoint", {**samples(nustatic=1.0, steal=1.0), "guided": [0.5, 2.0] * 4})
        self.assertEqual((found["of"], found["verdict"]), ("steal", "pass"))

    def test_other_kernels_have_no_bound(self):
        self.assertEqual(jit.bounds_of("multigrid", samples(nustatic=3.0, steal=1.0)), [])


class MoreRounds(unittest.TestCase):
    def test_what_is_decided_ends(self):
        self.assertEqual(jit.contenders("adjoint", samples(nustatic=1.0, steal=1.0)), set())
        self.assertEqual(jit.contenders("multigrid", samples(nustatic=1.0, steal=1.0)), set())

    def test_what_is_undecided_goes_on_without_those_far_behind(self):
        shaky = [1.0, 1.0, 1.2, 1.2] * 5
        taken = {**samples(serial=0.1, steal=1.0, guided=2.0), "nustatic": shaky}
        self.assertEqual(jit.contenders("adjoint", taken), {"nustatic", "steal"})

    def test_so_does_what_has_too_few_rounds(self):
        taken = {label: of[:8] for label, of in samples(nustatic=1.0, steal=1.0, guided=2.0).items()}
        self.assertEqual(jit.contenders("adjoint", taken), {"nustatic", "steal"})

    def test_where_chunks_are_the_rivals_the_best_of_them_go_on(self):
        taken = {**{label: of[:8] for label, of in samples(nustatic=1.0, steal=0.5).items()}, "dynamic,40": [1.0] * 8,
                 "dynamic,1": [9.0] * 8}
        self.assertEqual(jit.contenders("lattice-boltzmann", taken), {"nustatic", "dynamic,40"})

    def test_a_quick_run_decides_nothing(self):
        options = SimpleNamespace(rounds=None, most_rounds=None, quick=True)
        self.assertEqual(jit.rounds_of(options), (2, 0))
        options.quick = False
        self.assertEqual(jit.rounds_of(options), (jit.ROUNDS, jit.MOST_ROUNDS))
        options.rounds = 1
        with self.assertRaises(Failure):
            jit.rounds_of(options)


def programs(compiler="gcc", known=("static", "nustatic", "dynamic", "steal"), **scale):
    made = object.__new__(jit_programs.Programs)
    made.directory, made.compiler, made.known = Path("there"), compiler, list(known)
    made.scale, made.instances = scale.get("scale", "usual"), scale.get("instances")
    made.drop_in, made.environment = {"LD_PRELOAD": "shim"}, {"OMP_NUM_THREADS": "2"}
    return made


class Rows(unittest.TestCase):
    def test_every_schedule_and_the_programs_own_runtime(self):
        labels = [choice.label for choice in programs().choices("matmul")]
        self.assertEqual(labels, ["libgomp static", "libgomp dynamic", "libgomp dynamic,64", "libgomp guided", "libgomp auto", "static", "nustatic",
                                  "dynamic", "dynamic,4", "dynamic,16", "steal"])

    def test_static_loops_are_those_of_clang_and_of_schedules_that_take_them(self):
        found = {choice.label: choice for choice in programs("clang", ("static", "nustatic", "nustatic:paper", "jit")).choices("matmul")}
        self.assertEqual([label for label in found if "static loops" in label],
                         [STATIC_LOOPS, "nustatic:paper, static loops", "jit, static loops"])
        self.assertEqual((found[STATIC_LOOPS].program, found[STATIC_LOOPS].environment),
                         ("static", {"LD_PRELOAD": "shim", "STEELYARD_SCHEDULE": "nustatic"}))

    def test_a_variant_has_the_sizes_of_its_scale(self):
        made = programs(scale="paper").variant("adjoint-increasing", jit_programs.Choice("serial", "serial"), verify=True)
        self.assertEqual([str(word) for word in made.command],
                         ["there/adjoint-serial", "--increasing", "--size", "102400", "--instances", "50", "--verify"])
        made = programs(instances=3).variant("matmul", jit_programs.Choice("steal", "runtime", {"OMP_SCHEDULE": "steal"}))
        self.assertEqual(made.command[-2:], ["--instances", 3])
        self.assertEqual(made.environment, {"OMP_NUM_THREADS": "2", "OMP_SCHEDULE": "steal"})

    def test_a_result_other_than_the_serial_one_is_refused(self):
        made = programs()
        before = jit_programs.execute
        self.addCleanup(setattr, jit_programs, "execute", before)
        jit_programs.execute = lambda variant, timeout: Run("checksum: 0123456789abcdef\n", 1.0, variant.label)
        sample = made.sampler("matmul")
        said = "kernel: total 0.25 s, median 0.1 s, first 0.1 s\nchecksum: {}\n"
        self.assertEqual(sample(Run(said.format("0123456789abcdef"), 1.0, "steal")), 0.25)
        with self.assertRaisesRegex(Failure, "the result is fedcba9876543210"):
            sample(Run(said.format("fedcba9876543210"), 1.0, "steal"))

    def test_unknown_kernels_are_refused(self):
        with self.assertRaisesRegex(Failure, "there are matmul, gauss-jordan"):
            chosen_kernels("sor", jit_programs.KERNELS)


class Text(unittest.TestCase):
    def test_times_are_over_the_fastest_and_rivals_come_last(self):
        row = {"kernel": "matmul", "compiler": "gcc", "medians": {"serial": 0.02, "libgomp static": 0.011, "steal": 0.01}, "bounds": []}
        lines = jit.relative_table([row]).split("\n")
        self.assertEqual(lines[2:], ["| fastest, ms | 10 |", "| `serial` | 2.00 |", "| `steal` | 1.00 |", "| `libgomp static` | 1.10 |"])


def replayed(kernel, members, shares=(), **times):
    return {"kernel": kernel, "members": members, "shares": list(shares) or [[0.0]], "learnt_shares": [0.0],
            "times": {name: {"makespan_us": time, "limit_us": 1.0} for name, time in times.items()}}


class Replay(unittest.TestCase):
    figures = {"nustatic": 1.0, "trapezoid": 1.01, "dynamic": 1.09, "guided": 1.5, "factoring": 1.3, jit_replay.LEARNT: 1.02}

    def holds(self, *row, **times):
        return [claim.holds for claim in jit_replay.claims_of(replayed(*row, **{**self.figures, **times}))][:3]

    def test_the_programs_lines_are_read(self):
        found = jit_replay.parse("shares 29.3 70.7\ndynamic,64 makespan 12.5 limit 10.0 chunks 7\n")
        self.assertEqual(found, {"dynamic,64": {"makespan_us": 12.5, "limit_us": 10.0, "chunks": 7}})

    def test_fixed_chunks_are_to_equal_nustatic_at_two_threads_and_to_lose_at_four(self):
        self.assertEqual(self.holds("adjoint", 2), [True, True, True])
        self.assertEqual(self.holds("adjoint", 4), [True, True, False])
        self.assertEqual(self.holds("adjoint", 4, dynamic=1.7), [True, True, True])

    def test_a_rival_ahead_of_trapezoid_is_said(self):
        self.assertEqual(self.holds("adjoint", 2, factoring=1.0)[1], False)

    def test_shares_are_held_against_the_papers_and_learnt_ones_against_these(self):
        def verdicts(first, learnt):
            row = replayed("adjoint", 2, [[first, 100 - first]], **self.figures)
            claims = list(jit_replay.claims_of({**row, "learnt_shares": [learnt, 100 - learnt]}))[-2:]
            self.assertTrue(all(claim.must for claim in claims))
            return [claim.holds for claim in claims]
        self.assertEqual(verdicts(29.3, 29.3), [True, True])
        self.assertEqual(verdicts(31.2, 33.0), [False, False])

    def test_learning_is_to_stay_near_the_limit(self):
        def found(learnt):
            row = replayed("adjoint-increasing", 2, [[70.7, 29.3]], **{**self.figures, jit_replay.LEARNT: learnt})
            return [claim.holds for claim in jit_replay.claims_of({**row, "learnt_shares": [70.7, 29.3]}) if claim.must]
        self.assertEqual([found(1.02), found(1.1)], [[True, True], [False, True]])

    def test_calls_cost_what_the_paper_measured(self):
        self.assertEqual([jit_replay.charge_of(name, 8) for name in ("nustatic", "dynamic,64", "trapezoid")], [3000, 17000, 4500])


if __name__ == "__main__":
    unittest.main()
