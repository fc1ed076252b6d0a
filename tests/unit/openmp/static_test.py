# SPDX-License-Identifier: Apache-2.0
"""Static loops under nustatic, in programs of Clang. Shares are given, so what each pattern has to show does not depend on times."""
import re

from drop_in import CLANG_FOLDERS, PROGRAMS, Case, main, run

GIVEN = {"STEELYARD_SCHEDULE": "nustatic:10,90", "OMP_NUM_THREADS": "2"}
JIT = {"STEELYARD_SCHEDULE": "jit", "OMP_NUM_THREADS": "2", "STEELYARD_VERBOSE": "1"}
FASTER = "faster than one block for each member"
AUTOMATIC = {"STEELYARD_SCHEDULE": "automatic", "OMP_NUM_THREADS": "2"}
SEVERAL = "the region has several static loops"
INSTANCES = {"tiny": 5000, "triangle": 10, "triangle_in_chunks": 10}
WAYS = {"learnt shares": None, "one member": "too short to share", "dynamic": FASTER, "guided": FASTER,
        "half of the members": "more of them did not help", "equal blocks": "learnt shares were no faster"}
TAKEN = ("plain", "down", "stride", "collapsed", "last_private", "chain", "orphan", "sections")
WRONG = ("50,40", "50,60", "-10,110", "nan,50", "inf,0", "-inf,100", "100", "50,,50", "", ",", "1e2,0")
KEPT = {"reduction": "a reduction, whose grouping would change", "region_reduction": "a reduction, whose grouping would change",
        "asks": "the region asks for its thread number", "ordered": "another loop of its region keeps equal blocks"}


class Static(Case):
    compiler = "clang"

    def setUp(self):
        super().setUp()
        self.program = PROGRAMS / self.compiler / "static"
        if not self.program.exists():
            self.skipTest("no program of that Clang here")

    def pattern(self, name, environment=(), preload=True):
        """Lengths of the first and the last block, the result, and what was said."""
        words = {"OMP_NUM_THREADS": "2", **dict(environment)}
        result = run([self.program, name], words) if preload else run([self.program, name], words, preload=())
        self.assertEqual(result.returncode, 0, result.stderr)
        found = re.fullmatch(rf"{name} (\d+) (\d+) (\S+)\n", result.stdout)
        self.assertIsNotNone(found, result.stdout)
        return int(found[1]), int(found[2]), found[3], result.stderr

    def test_patterns_that_cannot_notice_get_the_shares(self):
        for name in TAKEN:
            native = self.pattern(name, preload=False)
            first, last, result, _ = self.pattern(name, GIVEN)
            self.assertEqual((first, last), (100, 900), name)
            self.assertEqual(result, native[2], name)

    def test_all_to_one(self):
        for shares in ("0,100", "100,0"):
            for name in TAKEN:
                first, last, result, _ = self.pattern(name, {**GIVEN, "STEELYARD_SCHEDULE": f"nustatic:{shares}"})
                self.assertEqual((first, last), (1000, 1000), (name, shares))
                self.assertEqual(result, self.pattern(name, preload=False)[2], (name, shares))

    def test_patterns_that_would_notice_keep_their_blocks(self):
        for name, reason in KEPT.items():
            native = self.pattern(name, preload=False)
            first, last, result, said = self.pattern(name, {**GIVEN, "STEELYARD_VERBOSE": "1"})
            self.assertEqual((first, last, result), native[:3], name)
            self.assertIn(f"passed: {reason}", said, name)

    def fates(self, name, how=(("STEELYARD_SCHEDULE", "nustatic"),)):
        """What the report and the lines at the end say of its loops; they agree."""
        asked = {**dict(how), "OMP_NUM_THREADS": "2", "STEELYARD_VERBOSE": "1"}
        result = run([self.program, name], {**asked, "STEELYARD_REPORT": self.folder / "report-%p"})
        (report,) = self.reports()
        for site in report["sites"]:
            self.assertEqual(site["schedule"], "nustatic" if site["decision"] == "taken" else None)
            self.assertIn(f"passed: {site['reason']}" if site["reason"] else "taken by nustatic", result.stderr)
        return [site["reason"] or site["decision"] for site in report["sites"]]

    def test_what_is_said_of_a_loop_is_what_was_known_in_the_end(self):
        asks, reduction = KEPT["asks"], KEPT["reduction"]
        for name, fate in {"orphan_alone": "taken", "short_in_the_end": "taken", "asks_alone": asks, "asks_once": asks,
                           "reduces_once": reduction}.items():
            self.assertEqual(self.fates(name), [fate], name)

    def decisions(self, name, words):
        """Of its loops: taken, or why not. Their results are those of the plain program."""
        *_, result, _ = self.pattern(name, {**words, "STEELYARD_REPORT": self.folder / "report-%p"})
        self.assertEqual(result, self.pattern(name, preload=False)[2], name)
        (report,) = self.reports()
        return {site["reason"] or site["decision"] for site in report["sites"] if site["clause"] == "static"}

    def test_automatic_takes_loops_that_are_alone_in_their_region(self):
        for name in ("plain", "triangle", "tiny", "orphan"):
            self.assertEqual(self.decisions(name, AUTOMATIC), {"taken"}, name)
        self.assertEqual(self.decisions("chain", AUTOMATIC), {SEVERAL})
        self.assertEqual(self.decisions("reduction", AUTOMATIC), {KEPT["reduction"]})
        self.assertEqual(self.decisions("asks", AUTOMATIC), {KEPT["asks"]})

    def test_automatic_takes_others_where_it_is_asked_to(self):
        self.assertEqual(self.decisions("chain", {**AUTOMATIC, "STEELYARD_STATIC": "1"}), {"taken"})
        self.assertEqual(self.decisions("plain", {**AUTOMATIC, "STEELYARD_STATIC": "0"}), {"static"})
        run([self.program, "chain"], {**GIVEN, "STEELYARD_REPORT": self.folder / "report-%p"})
        (report,) = self.reports()
        named = self.loops(*(f"static+{site['offset']} automatic" for site in report["sites"]))
        self.assertEqual(self.decisions("chain", {**AUTOMATIC, **named}), {"taken"})

    def test_automatic_takes_no_static_loop_by_a_chunk_or_by_omp_schedule(self):
        for words in ({"STEELYARD_SCHEDULE": "automatic,4"}, {"OMP_SCHEDULE": "automatic"}):
            self.assertEqual(self.decisions("plain", {"OMP_NUM_THREADS": "2", **words}), {"static"}, words)

    def test_automatic_takes_none_where_shares_may_not_be_chosen(self):
        self.assertEqual(self.decisions("plain", {**AUTOMATIC, "STEELYARD_SCHEDULE": "expert:steal+guided"}), {"static"})
        self.assertEqual(self.decisions("plain", {**AUTOMATIC, "STEELYARD_SCHEDULE": "expert:steal+nustatic"}), {"taken"})

    def test_automatic_changes_no_result(self):
        for words in (AUTOMATIC, {**AUTOMATIC, "STEELYARD_STATIC": "1"}):
            for name in (*TAKEN, *KEPT, "chunked", "at_the_top", "dynamic", "region_once"):
                self.assertEqual(self.pattern(name, words)[2], self.pattern(name, preload=False)[2], name)

    def test_all_loops_of_a_chain_have_its_shares(self):
        run([self.program, "chain"], {"STEELYARD_SCHEDULE": "nustatic", "OMP_NUM_THREADS": "2", "STEELYARD_REPORT": self.folder / "report-%p"})
        (report,) = self.reports()
        self.assertGreater(len(report["sites"]), 1)
        self.assertEqual(len({site["shares"] for site in report["sites"]}), 1)

    def test_reductions_may_be_freed(self):
        free = {**GIVEN, "STEELYARD_FREE_REDUCTIONS": "1"}
        first, last, result, _ = self.pattern("reduction", free)
        self.assertEqual((first, last), (100, 900))
        self.assertAlmostEqual(float(result), float(self.pattern("reduction", preload=False)[2]), places=12)

    def test_what_is_no_static_loop_of_one_block_stays(self):
        self.assertEqual(self.pattern("chunked", GIVEN)[:2], self.pattern("chunked", preload=False)[:2])

    def test_a_loop_that_ends_at_the_largest_number(self):
        # Clang counts it from 0, so it has room; its iterations are those of the program.
        self.assertEqual(self.pattern("at_the_top", GIVEN)[:2], (100, 900))

    def test_chunked_loops_get_whole_chunks(self):
        self.assertEqual(self.pattern("dynamic", GIVEN)[:2], (96, 904))

    def test_it_can_be_forbidden(self):
        for words in ({"STEELYARD_STATIC": "0"}, {"STEELYARD_SCHEDULE": "steal"}):
            self.assertEqual(self.pattern("plain", {**GIVEN, **words})[:2], (500, 500), words)

    def place(self, name):
        """As a loops file names the loop."""
        run([self.program, name], {**GIVEN, "STEELYARD_REPORT": self.folder / "report-%p"})
        (report,) = self.reports()
        (site, *_) = [s for s in report["sites"] if s["clause"] == "static"]
        return f"static+{site['offset']}"

    def loops(self, *lines):
        file = self.folder / "loops"
        file.write_text("\n".join(lines) + "\n")
        return {"STEELYARD_LOOPS": file}

    def test_a_loops_file_forces_and_forbids(self):
        place = self.place("asks")
        self.assertEqual(self.pattern("asks", self.loops(f"{place} nustatic:10,90"))[:2], (100, 900))
        self.assertEqual(self.fates("reduction", self.loops(f"{self.place('reduction')} nustatic")), ["taken"])
        plain = {**self.loops(f"{self.place('plain')} static"), **GIVEN}
        self.assertEqual(self.pattern("plain", plain)[:2], (500, 500))

    def test_shares_of_a_report_give_the_same_blocks(self):
        place = self.place("plain")
        first, last, *_ = self.pattern("plain", self.loops(f"{place} nustatic:12.345678901,87.654321099"))
        self.assertEqual((first, last), (123, 877))

    def test_results_stay_when_shares_are_learnt_anew_or_change_at_barriers(self):
        for form in ("every:2", "at:2,3", "barriers"):
            for name in (*TAKEN, *KEPT, "chunked", "dynamic"):
                *_, result, said = self.pattern(name, {**GIVEN, "STEELYARD_SCHEDULE": f"nustatic:{form}"})
                self.assertEqual(result, self.pattern(name, preload=False)[2], (form, name))
                self.assertEqual(said, "", (form, name))

    def test_wrong_instances_are_told_in_one_line(self):
        for form in ("every:0", "every:-1", "at:", "at:1,,2"):
            *_, said = self.pattern("plain", {**GIVEN, "STEELYARD_SCHEDULE": f"nustatic:{form}"})
            self.assertRegex(said, r"\Asteelyard: STEELYARD_SCHEDULE=nustatic:.* has an instance that .*; it is ignored\n\Z")

    def test_blocks_may_be_measured_by_instructions(self):
        words = {"STEELYARD_SCHEDULE": "nustatic", "STEELYARD_LEARN_BY": "instructions"}
        for name in TAKEN:
            *_, result, said = self.pattern(name, words)
            self.assertEqual(result, self.pattern(name, preload=False)[2], name)
            # Many machines have no counters to give.
            self.assertRegex(said, r"\A(steelyard: the kernel lets no instructions be counted here \(.*\); blocks are measured by time\n)?\Z")

    def chosen(self, name):
        """What the report and the verdict say of a loop under jit agrees. Which way is the fastest is decided by the clock, and so is
        tested with made-up times: choosing_test.cpp and region_shares_test.cpp."""
        _, _, result, said = self.pattern(name, {**JIT, "STEELYARD_REPORT": self.folder / "report-%p"})
        self.assertEqual(result, self.pattern(name, preload=False)[2], name)
        (report,) = self.reports()
        (site, *_) = report["sites"]
        instances = INSTANCES[name]
        self.assertEqual((site["decision"], site["schedule"], site["instances"]), ("taken", "jit", instances))
        self.assertIn(f"taken by jit, {instances} instances, ", said)
        way = site["way"]
        self.assertEqual(site["way_reason"], WAYS[way])
        self.assertRegex(said, r", (learnt shares [\d. ]+ %|equal blocks)" if way == "learnt shares" else rf", {way}(,\d+)?: {WAYS[way]}")
        self.assertLessEqual(site["settled_after"], instances)
        return way

    def test_jit_says_what_it_chose(self):
        for name in ("tiny", "triangle"):
            self.assertNotIn(self.chosen(name), ("dynamic", "guided"), "a static loop")
        self.chosen("triangle_in_chunks")
        self.assertEqual(self.pattern("tiny", preload=False)[:2], (4, 4))

    def test_jit_hands_out_what_comes_again_before_anything_is_known(self):
        *_, result, _ = self.pattern("region_once", {**JIT, "STEELYARD_REPORT": self.folder / "report-%p"})
        self.assertEqual(result, self.pattern("region_once", preload=False)[2])
        (report,) = self.reports()
        (site,) = report["sites"]
        self.assertEqual(site["chunks"], 2 + 9 * 143)  # two blocks; then chunks of 1000 / 2 / 64 iterations

    def test_jit_changes_no_result(self):
        for name in (*TAKEN, *KEPT, "chunked", "at_the_top"):
            self.assertEqual(self.pattern(name, JIT)[2], self.pattern(name, preload=False)[2], name)

    def test_jit_keeps_chunks_whole(self):
        first, last, *_ = self.pattern("dynamic", JIT)
        self.assertEqual((first % 8, last % 8), (0, 0))

    def test_wrong_shares_are_told_in_one_line(self):
        for shares in WRONG:
            for variable in ("STEELYARD_SCHEDULE", "OMP_SCHEDULE"):
                first, last, _, said = self.pattern("plain", {variable: f"nustatic:{shares}"})
                self.assertEqual((first, last), (500, 500))
                self.assertRegex(said, rf"\Asteelyard: {variable}=nustatic:.* write .*; it is ignored\n\Z")

    def test_wrong_shares_of_a_loops_file_are_told_in_one_line(self):
        for shares in WRONG:
            first, last, _, said = self.pattern("plain", self.loops(f"static+0x1 nustatic:{shares}"))
            self.assertEqual((first, last), (500, 500))
            self.assertRegex(said, r"\Asteelyard: .*/loops:1: this line .* write .*; the file is ignored\n\Z")

    def test_more_shares_than_any_team_has(self):
        many = ",".join(["50", "50"] + ["0"] * 70_000)  # more than fits a variable
        first, last, _, said = self.pattern("plain", self.loops(f"static+0x1 nustatic:{many}"))
        self.assertEqual((first, last), (500, 500))
        self.assertRegex(said, r"\Asteelyard: .*/loops:1: this line has more than 65,536 shares or weights; .*; the file is ignored\n\Z")

    def test_shares_for_another_team_are_told_once(self):
        for members in (2, 4):
            shares = ",".join([str(100 // members)] * members)
            for given in ({"STEELYARD_SCHEDULE": f"nustatic:{shares}"}, self.loops(f"{self.place('last_private')} nustatic:{shares}")):
                _, _, result, said = self.pattern("last_private", {**given, "OMP_NUM_THREADS": "3"})
                self.assertEqual(result, "999")
                self.assertEqual(said, f"steelyard: shares are given for {members} members and a team has 3; its loops get learnt ones\n")


for folder in CLANG_FOLDERS[1:]:
    globals()[f"Static of {folder}"] = type(f"Static of {folder}", (Static,), {"compiler": folder})


if __name__ == "__main__":
    main()
