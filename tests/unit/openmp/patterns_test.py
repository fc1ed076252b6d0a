# SPDX-License-Identifier: Apache-2.0
"""Programs whose static loops get other blocks compute what they compute without. Each program prints, pattern by pattern, a digest of its
results, a sum of floating-point numbers, and how long the blocks of the threads with the first and the last iteration were."""
import random

from drop_in import Case, clang_folders, main, run

N = 600
GIVEN = {2: ("10,90", "30,70", "0,100", "100,0"), 4: ("5,15,30,50", "0,50,0,50")}
EQUAL = {2: (300, 300), 4: (150, 150)}
TAKEN = {"chain", "chain_two_lengths", "chain_every_counter", "chain_time_inside", "chain_sometimes", "first_touch", "last_private",
         "first_and_last_private", "own_sums", "down", "nests", "orphaned", "sections", "thrown"}
KEPT = {"chain_ends_in_sum", "sum_of_loop", "sum_without_barrier", "sum_of_region", "by_number", "by_hand", "by_ancestor", "one_for_all", "of_the_first"}
UNEVEN = ("last_private", "first_and_last_private", "last_private_conditional", "last_private_of_nests", "short_loops")


def blocks(shares):
    """Lengths of the first and the last block that is not empty."""
    lengths = [N * int(share) // 100 for share in shares.split(",") if int(share) != 0]
    return lengths[0], lengths[-1]


class Patterns(Case):
    def setUp(self):
        super().setUp()
        self.folders = clang_folders("patterns")
        if not self.folders:
            self.skipTest("no program of Clang here")

    def results(self, program, members, environment=(), names=(), preload=True):
        """Pattern → (digest and sum, blocks)."""
        # libomp adds up what its threads have in the order in which they come, unless it is told otherwise.
        words = {"OMP_NUM_THREADS": members, "OMP_MAX_ACTIVE_LEVELS": 4, "OMP_CANCELLATION": "true",
                 "KMP_DETERMINISTIC_REDUCTION": "true", **dict(environment)}
        words = {name: str(value) for name, value in words.items()}
        result = run([program, *names], words, **({} if preload else {"preload": ()}))
        self.assertEqual(result.returncode, 0, result.stderr)
        found = {}
        for line in result.stdout.splitlines():
            name, digest, total, first, last = line.split()
            found[name] = ((digest, total), (int(first), int(last)))
        return found

    def native(self, program, members, names=()):
        return self.results(program, members, names=names, preload=False)

    def same(self, found, native, label):
        for name, (values, _) in native.items():
            self.assertEqual(found[name][0], values, (name, label))

    def test_given_shares(self):
        for folder in self.folders:
            for members, all_shares in GIVEN.items():
                native = self.native(folder / "patterns", members)
                self.assertLess(TAKEN | KEPT, set(native))
                for shares in all_shares:
                    label = (folder.name, shares)
                    found = self.results(folder / "patterns", members, {"STEELYARD_SCHEDULE": f"nustatic:{shares}"})
                    self.same(found, native, label)
                    for name in TAKEN:
                        self.assertEqual(found[name][1], blocks(shares), (name, label))
                    for name in KEPT:
                        self.assertEqual(found[name][1], EQUAL[members], (name, label))

    def test_learnt_shares(self):
        for folder in self.folders:
            for members in GIVEN:
                native = self.native(folder / "patterns", members)
                for more in ({}, {"STEELYARD_REPORT": self.folder / "report-%p"}):
                    found = self.results(folder / "patterns", members, {"STEELYARD_SCHEDULE": "nustatic", **more})
                    self.same(found, native, (folder.name, more))
                    for name in KEPT:
                        self.assertEqual(found[name][1], EQUAL[members], (name, folder.name))

    def test_a_loops_file_that_forces(self):
        for folder in self.folders:
            program, names = folder / "patterns", sorted(TAKEN)
            self.results(program, 2, {"STEELYARD_SCHEDULE": "nustatic", "STEELYARD_REPORT": self.folder / "report-%p"}, names)
            (report,) = self.reports()
            offsets = [site["offset"] for site in report["sites"] if site["clause"] == "static"]
            self.assertGreater(len(offsets), len(names))
            loops = self.folder / "loops"
            loops.write_text("".join(f"patterns+{offset} nustatic:20,80\n" for offset in offsets))
            found = self.results(program, 2, {"STEELYARD_LOOPS": loops}, names)
            self.same(found, self.native(program, 2, names), folder.name)
            self.assertEqual({blocks for _, blocks in found.values()}, {(120, 480)})

    def test_reductions_that_are_freed(self):
        names = ("chain_ends_in_sum", "sums_of_all_lengths", "sum_of_loop", "sum_without_barrier", "sum_of_region", "extremes")
        free = {"STEELYARD_SCHEDULE": "nustatic:10,90", "STEELYARD_FREE_REDUCTIONS": 1}
        for folder in self.folders:
            native = self.native(folder / "patterns", 2, names)
            found = self.results(folder / "patterns", 2, free, names)
            for name, ((digest, total), _) in native.items():
                self.assertEqual(found[name][0][0], digest, name)
                self.assertAlmostEqual(float(found[name][0][1]) / float(total), 1, places=12, msg=name)
            self.assertEqual(found["sum_of_loop"][1], (60, 540))

    def test_data_of_each_thread(self):
        for folder in self.folders:
            for program in ("state", "state-of-runtime", "state-elsewhere"):
                native = self.native(folder / program, 2)
                for schedule in ("nustatic", "nustatic:10,90"):
                    found = self.results(folder / program, 2, {"STEELYARD_SCHEDULE": schedule})
                    self.assertEqual(found, native, (folder.name, program, schedule))

    def test_last_private_in_200_uneven_runs(self):
        dice = random.Random(17)
        program = self.folders[0] / "patterns"
        native = self.native(program, 2, UNEVEN)
        for time in range(200):
            members = dice.randint(2, 5)
            ends = sorted(dice.randint(0, 100) for _ in range(members - 1))
            shares = ",".join(str(end - begin) for begin, end in zip([0, *ends], [*ends, 100]))
            found = self.results(program, members, {"STEELYARD_SCHEDULE": f"nustatic:{shares}"}, UNEVEN)
            self.same(found, native, (time, shares))
            self.assertEqual(found["last_private"][1], blocks(shares), (time, shares))


if __name__ == "__main__":
    main()
