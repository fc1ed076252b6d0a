#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests what bench/run pragmas finds in sources and makes of reports."""
import json
import sys
import tempfile
import unittest
from argparse import Namespace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
from lib import pragmas  # noqa: E402
from lib.runs import Failure  # noqa: E402

SOURCE = r'''// #pragma omp for
/* #pragma omp parallel for
   #pragma omp for */
const char* text = "/* no comment";
#pragma omp parallel for schedule(static) \
    reduction(+ : sum)
  #  pragma  omp  for nowait
#pragma omp parallel
#pragma omp sections
#pragma omp target teams distribute parallel for
#pragma omp for simd
#pragma omp parallel for simd
#pragma omp taskloop
#pragma omp simd
'''


def site(line, decision="taken", reason=None, shares=None, file="a.c"):
    return {"ident": f";{file};work;{line};9;;", "decision": decision, "reason": reason, "shares": shares}


class Sources(unittest.TestCase):
    def test_worksharing_loops_are_found_comments_and_other_directives_are_not(self):
        found = [(one.line, one.text) for one in pragmas.pragmas_in(SOURCE, "a.c")]
        self.assertEqual(found, [(5, "parallel for schedule(static) reduction(+ : sum)"), (7, "for nowait"), (11, "for simd"),
                                 (12, "parallel for simd")])

    def test_a_place_is_known_where_the_compiler_told_it(self):
        self.assertEqual(pragmas.place_of(";../a.c;work;5;9;;"), ("../a.c", 5))
        self.assertIsNone(pragmas.place_of(";unknown;unknown;0;0;;"))
        self.assertIsNone(pragmas.place_of(None))

    def test_of_files_with_one_name_that_of_the_program_counts(self):
        both = [pragmas.Pragma("/x/one/a.c", 5, "for"), pragmas.Pragma("/x/two/a.c", 5, "for")]
        self.assertEqual(pragmas.pragma_at(both, ("./a.c", 5), "/x/two/program"), both[1])
        self.assertEqual(pragmas.pragma_at(both, ("one/a.c", 5), "/x/two/program"), both[0])
        self.assertIsNone(pragmas.pragma_at(both, ("a.c", 6), "/x/two/program"))


class Reports(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        (self.folder / "a.c").write_text(SOURCE, encoding="utf-8")

    def report(self, name, *sites):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps({"steelyard_report": 1, "program": f"{self.folder}/{name}", "sites": sites}), encoding="utf-8")
        return path

    def run_on(self, *reports, loops=None):
        return pragmas.run(Namespace(sources=[self.folder], reports=reports, loops=loops), None)

    def fates(self, *reports):
        return {one["line"]: one["fate"] for one in self.run_on(*reports)["results"]}

    def test_a_pragma_is_taken_where_all_its_loops_were_taken_in_one_process(self):
        some = self.report("some", site(5), site(5, "passed", "a reduction"), site(7, "observed"))
        all_of_one = self.report("all", site(7), site(7))
        self.assertEqual(self.fates(some), {5: "a reduction", 7: "observed", 11: "not met", 12: "not met"})
        self.assertEqual(self.fates(some, all_of_one), {5: "a reduction", 7: "taken", 11: "not met", 12: "not met"})
        result = self.run_on(some, all_of_one)
        self.assertEqual(result["title"], "1 of 4 worksharing pragmas taken (25 %)")
        self.assertIn("| some | 2 | 0 | 1 × a reduction; 1 × observed |", result["text"])
        self.assertIn("| all | 1 | 1 | – |", result["text"])

    def test_a_loops_file_holds_the_shares_that_were_learnt(self):
        loops = self.folder / "loops"
        self.run_on(self.report("one", site(5), site(7)), self.report("two", site(7, shares="30.5,69.5")), loops=loops)
        self.assertEqual(loops.read_text(encoding="utf-8"),
                         f"{self.folder}/a.c:5 nustatic\n{self.folder}/a.c:7 nustatic:30.5,69.5\n")

    def test_a_loop_that_kept_its_blocks_for_a_reduction_is_not_forced(self):
        loops = self.folder / "loops"
        self.run_on(self.report("one", site(5, "observed", pragmas.GROUPED), site(7, "observed", "another reason")),
                    self.report("two", site(5, shares="30.5,69.5")), loops=loops)
        self.assertEqual(loops.read_text(encoding="utf-8"), f"{self.folder}/a.c:7 nustatic\n")

    def test_the_reason_is_told_in_the_words_of_the_drop_in(self):
        source = Path(__file__).resolve().parents[2] / "src/openmp/shares/static_loop.hpp"
        self.assertIn(f'"{pragmas.GROUPED}"', source.read_text(encoding="utf-8"))

    def test_what_is_no_report_is_refused(self):
        path = self.folder / "none.json"
        for text in ["", "[]", '{"steelyard_report":2}', "{}"]:
            path.write_text(text, encoding="utf-8")
            with self.assertRaises(Failure):
                self.run_on(path)
        with self.assertRaises(Failure):
            self.run_on(self.folder / "absent.json")


if __name__ == "__main__":
    unittest.main()
