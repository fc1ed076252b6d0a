# SPDX-License-Identifier: Apache-2.0
"""`steelyard check-schedule`: a plug-in as its documentation has it, one that is wrong, and files that are none."""
import os
import re

from command import main
from plug_ins import RULE, PlugIns

WRONG = """
#include <steelyard/own_schedule.hpp>
struct twice {
  static constexpr const char* name = "twice";
  static constexpr const char* summary = "hands out all to everybody";
  static std::size_t bytes(const steelyard::loop_shape& loop) noexcept { return sizeof(twice) + loop.members; }
  explicit twice(const steelyard::loop_shape& loop) noexcept : n(loop.iterations) {
    for (unsigned m = 0; m < loop.members; ++m) done()[m] = 0;
  }
  steelyard::loop_step next(std::uint32_t m) noexcept { return {0, done()[m]++ == 0 ? n : 0, 1}; }
  std::uint64_t remaining(std::uint32_t) const noexcept { return 0; }
  unsigned char* done() noexcept { return reinterpret_cast<unsigned char*>(this + 1); }
  std::uint64_t n;
};
STEELYARD_PLUG_IN(twice)
"""


class CheckSchedule(PlugIns):
    def test_what_is_right(self):
        done = self.steelyard("check-schedule", self.plug_in("mine", RULE))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertTrue(done.stdout.startswith("thirds: a third"))
        self.assertNotIn("WRONG", done.stdout)
        self.assertGreaterEqual(done.stdout.count(" ok "), 9)
        self.assertRegex(done.stdout, r"(?m)^ +costs +members +thirds +static +dynamic +guided +steal$")
        rows = re.findall(r"(?m)^  dear end +(8|64) +([0-9.]+) +([0-9.]+)", done.stdout)
        self.assertEqual([row[0] for row in rows], ["8", "64"])
        for _, thirds, static in rows:
            self.assertLess(float(thirds), 1.3, "it hands out ever smaller chunks")
            self.assertGreater(float(static), 3, "the members of the last fifth have most of the work")

    def test_what_has_the_name_of_another_one(self):
        taken = RULE.replace('"thirds"', '"guided"')
        self.refused(2, "the schedule 'guided' has the name of another one; choose another", "check-schedule",
                     self.plug_in("taken", taken))

    def test_what_is_wrong_is_named(self):
        done = self.steelyard("check-schedule", self.plug_in("wrong", WRONG))
        self.assertEqual((done.returncode, done.stderr), (6, ""), done)
        self.assertRegex(done.stdout, r"(?m)^  cover +WRONG +N 1, 2 members, chunk 0: iteration 0 is handed out twice$")
        self.assertRegex(done.stdout, r"(?m)^\d+ of \d+ are wrong$")

    def test_loading_is_shielded_too(self):
        for name, code, what in (("crashes", "__builtin_trap()", "crashes"), ("ends", "_exit(0)", "ends the process")):
            file = self.plug_in(name, f"#include <unistd.h>\n__attribute__((constructor)) static void first() {{ {code}; }}\n")
            done = self.steelyard("check-schedule", file)
            self.assertEqual(done.returncode, 6, done)
            self.assertRegex(done.stderr, rf"\Asteelyard: '{name}.so' cannot be loaded: it {what}[^\n]*\n\Z")

    def test_what_ends_the_process(self):
        """Whatever status it ends with, and in the simulator only."""
        ends = RULE.replace("return rest", "if (parts == 192) _exit(0); return rest").replace("#include", "#include <unistd.h>\n#include", 1)
        self.assertIn("_exit", ends)
        done = self.steelyard("check-schedule", self.plug_in("last", ends))
        self.assertEqual(done.returncode, 6, done)
        self.assertRegex(done.stdout, r"(?m)^  teams +WRONG +it ends the process$")

    def test_what_cannot_be_loaded(self):
        whole = self.plug_in("mine", RULE)
        (self.folder / "cut.so").write_bytes((self.folder / whole).read_bytes()[:3000])
        self.refused(2, "'cut.so' is cut short; build it again", "check-schedule", "cut.so")
        os.mkfifo(self.folder / "pipe.so")
        self.refused(2, "'pipe.so' is not a regular file; name the shared object of a plug-in", "check-schedule", "pipe.so")
        self.refused(2, "no file given; write steelyard check-schedule ./FILE.so", "check-schedule", "")

    def test_files_that_are_none(self):
        done = self.steelyard("check-schedule", "nothing.so")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Asteelyard: 'nothing.so' cannot be loaded: [^\n]*\n\Z")
        self.refused(2, f"'empty.so' is no plug-in of a schedule; end its source with STEELYARD_PLUG_IN(name)",
                     "check-schedule", self.plug_in("empty", "int nothing;\n"))
        old = RULE + "struct old_table : thirds { using thirds::thirds; };\n"
        old = old.replace("STEELYARD_PLUG_IN(thirds)", "").replace('"thirds"', '"of us"')
        self.refused(2, "'name.so' holds a schedule that has a name that is none; write up to 31 letters, digits, `_` and `-`",
                     "check-schedule", self.plug_in("name", old + "STEELYARD_PLUG_IN(old_table)\n"))


if __name__ == "__main__":
    main()
