# SPDX-License-Identifier: Apache-2.0
"""What STEELYARD_VERBOSE says at the end: what became of each loop."""
import os
import re
import shutil

from drop_in import KINDS, PROGRAMS, STATUS, Case, app, compilers, main, run

STATIC = {"gcc": [], "clang": ["passed: static"]}  # GCC's static loops call nothing


class Verdict(Case):
    def said(self, command, environment=(), status=STATUS):
        """The first line, and what the others say of each loop; their places are those of the report."""
        asked = {**dict(environment), "STEELYARD_VERBOSE": "1", "STEELYARD_REPORT": self.folder / "report-%p"}
        result = run(command, asked)
        self.assertEqual(result.returncode, status)
        first, *others = result.stderr.splitlines()
        found = [re.fullmatch(r"steelyard:   (\S+\+0x[0-9a-f]+) (.*)", line) for line in others]
        self.assertNotIn(None, found, result.stderr)
        (report,) = self.reports()
        places = [f"{os.path.basename(report['modules'][s['module']]['path'])}+{s['offset']}" for s in report["sites"]]
        self.assertEqual([match[1] for match in found], places)
        return first, sorted(match[2] for match in found)

    def test_each_loop(self):
        for compiler in compilers():
            first, loops = self.said([app(compiler), "kinds", "kinds"], {"STEELYARD_SCHEDULE": "dynamic,7"})
            taken = {"gcc": 8, "clang": 7}[compiler]
            passed = ["passed: doacross", "passed: ordered", *STATIC[compiler]]
            self.assertRegex(first, rf"\Asteelyard: app \(\d+\): {taken} loop sites taken \({2 * taken} instances\), "
                                    rf"{len(passed)} left as written\Z")
            free = {"gcc": 3, "clang": 3}[compiler] * ["taken by dynamic,7, 2 instances"]
            rounded = [f"taken by dynamic,{up} (7 rounded up) in whole chunks of {chunk}, 2 instances"
                       for up, chunk in ((10, 5), (8, 2), (8, 2), (9, 3), *[(8, 2)] * (taken == 8))]
            self.assertEqual(loops, sorted(passed + free + rounded))

    def test_chunks(self):
        for compiler in compilers():
            for environment, said in (({}, "steal in whole chunks of 16"), ({"STEELYARD_SPLIT_CHUNKS": "1"}, "steal")):
                first, loops = self.said([app(compiler), "chunks"], {"STEELYARD_SCHEDULE": "steal", **environment})
                self.assertEqual(loops, [f"taken by {said}, 1 instance"])
            first, loops = self.said([app(compiler), "chunks"], {"STEELYARD_SCHEDULE": "steal,32"})
            self.assertEqual(loops, ["taken by steal,32 in whole chunks of 16, 1 instance"])

    def test_costs(self):
        for compiler in compilers():
            first, loops = self.said([PROGRAMS / compiler / "limit", *4 * ["uniform"]], {"STEELYARD_SCHEDULE": "wsrw"})
            self.assertEqual(loops, ["taken by wsrw, 4 instances, by costs that were learnt"])

    def test_reasons(self):
        for compiler in compilers():
            first, loops = self.said([app(compiler), "kinds"], {"OMP_SCHEDULE": "steal"})
            left = {"gcc": 7, "clang": 6}[compiler]
            self.assertEqual(loops, sorted(left * ["left as written"] + ["taken by steal, 1 instance"] + STATIC[compiler] +
                                           ["passed: doacross", "passed: ordered"]))
            first, loops = self.said([app(compiler), "kinds"], {"STEELYARD_SCHEDULE": "steal"})
            self.assertEqual(loops.count("passed: monotonic"), 1)
            self.assertEqual(loops.count("left as written"), 0)

    def test_no_more_lines_than_can_be_read(self):
        for compiler in compilers():
            result = run([app(compiler), "many"], {"STEELYARD_VERBOSE": "1", "STEELYARD_SCHEDULE": "steal"})
            first, *loops, last = result.stderr.splitlines()
            self.assertRegex(first, r"25 loop sites taken \(25 instances\), 0 left as written")
            self.assertEqual(len(loops), 20)
            self.assertEqual(last, "steelyard:   and 5 more; STEELYARD_REPORT holds them all")

    def test_regions_without_loops(self):
        result = run([app("gcc"), "static"], {"STEELYARD_VERBOSE": "1"})
        self.assertRegex(result.stderr, r"\Asteelyard: app \(\d+\): 0 loop sites taken \(0 instances\), 0 left as written\n"
                                        r"steelyard:   no parallel region of it has a loop that can be taken: [^\n]*\n\Z")

    def test_the_programs_output_is_its_own(self):
        for compiler in compilers():
            result = run([app(compiler), "kinds"], {"STEELYARD_VERBOSE": "1", "STEELYARD_SCHEDULE": "steal"})
            self.assertEqual((result.returncode, result.stdout), (STATUS, KINDS))

    def test_a_program_that_used_nothing(self):
        result = run([app("gcc")], {"STEELYARD_VERBOSE": "1"})
        self.assertRegex(result.stderr, r"\Asteelyard: inactive in app \(\d+\): it called no OpenMP runtime [^\n]*\n\Z")

    def test_names_of_several_lines(self):
        program = self.folder / "a\nb"
        shutil.copy(app("gcc"), program)
        result = run([program, "dynamic"], {"STEELYARD_VERBOSE": "1", "STEELYARD_SCHEDULE": "steal"})
        self.assertRegex(result.stderr, r"\Asteelyard: a\?b \(\d+\): [^\n]*\nsteelyard:   a\?b\+0x[0-9a-f]+ taken by steal "
                                        r"in whole chunks of 3, 1 instance\n\Z")


if __name__ == "__main__":
    main()
