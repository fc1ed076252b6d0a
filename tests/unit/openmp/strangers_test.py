# SPDX-License-Identifier: Apache-2.0
"""Other libraries that know OpenMP's names, and other names of its functions."""
from drop_in import PROGRAMS, SHIM, Case, compilers, main, run

WAYS = ({}, {"STEELYARD_SCHEDULE": "steal"}, {"STEELYARD_SCHEDULE": "nustatic"}, {"STEELYARD_SCHEDULE": "automatic"})


class Strangers(Case):
    def prints(self, out, program, *words, **changes):
        done = run([PROGRAMS / program, *words], changes)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, out, ""), (program, words, changes))

    def test_a_library_that_answers_who_is_who(self):
        for way in WAYS:
            self.prints("6 16\n", "stranger", **way)

    def test_a_library_between_program_and_runtime(self):
        """Before the drop-in or behind it, and whatever it leaves out."""
        for way in WAYS:
            for preload in ((PROGRAMS / "tracer.so", SHIM), (SHIM, PROGRAMS / "tracer.so")):
                done = run([PROGRAMS / "gcc/own-parts"], {"OMP_NUM_THREADS": "2", "STEELYARD_KNOWLEDGE": "off", **way}, preload)
                self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "0\n", "regions 40\n"), (way, preload))

    def test_the_names_of_fortran(self):
        for compiler in compilers():
            for way in WAYS:
                self.prints("0\n", f"{compiler}/own-parts", OMP_NUM_THREADS="2", STEELYARD_KNOWLEDGE="off", **way)

    def test_loops_that_are_not_taken_within_one_that_is(self):
        for how, set_by in (("monotonic", "STEELYARD_SCHEDULE"), ("dynamic", "OMP_SCHEDULE")):
            for schedule in ("steal", "automatic", "dynamic"):
                for threads in (1, 2):
                    self.prints("0 0 0\n", "within", how, threads, STEELYARD_KNOWLEDGE="off", **{set_by: schedule})


if __name__ == "__main__":
    main()
