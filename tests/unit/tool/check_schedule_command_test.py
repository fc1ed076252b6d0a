# SPDX-License-Identifier: Apache-2.0
"""`steelyard check-schedule`: a plug-in as its documentation has it, one that is wrong, and files that are none."""
import subprocess
from pathlib import Path

from command import TOOL, Case, main

INCLUDES = [Path(__file__).resolve().parents[3] / "include", TOOL.parent.parent / "include"]
RULE = """
#include <steelyard/own_schedule.hpp>
struct thirds {
  static constexpr const char* name = "thirds";
  static constexpr const char* summary = "a third of a P-th of the rest at a time";
  explicit thirds(const steelyard::loop_shape& loop) noexcept : parts(3 * std::uint64_t{loop.members}) {}
  std::uint64_t size(std::uint64_t rest) const noexcept { return rest / parts; }
  std::uint64_t parts;
};
STEELYARD_PLUG_IN(thirds)
"""
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


class CheckSchedule(Case):
    def plug_in(self, name, source):
        (self.folder / f"{name}.cpp").write_text(source)
        words = ["g++", "-std=c++20", "-O2", "-fPIC", "-shared", self.folder / f"{name}.cpp", "-o", self.folder / f"{name}.so"]
        for each in INCLUDES:
            words += ["-I", each]
        subprocess.run(list(map(str, words)), check=True)
        return f"{name}.so"

    def test_what_is_right(self):
        done = self.steelyard("check-schedule", self.plug_in("mine", RULE))
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        self.assertTrue(done.stdout.startswith("thirds: a third"))
        self.assertNotIn("WRONG", done.stdout)
        self.assertGreaterEqual(done.stdout.count(" ok "), 9)

    def test_what_is_wrong_is_named(self):
        done = self.steelyard("check-schedule", self.plug_in("wrong", WRONG))
        self.assertEqual((done.returncode, done.stderr), (6, ""), done)
        self.assertRegex(done.stdout, r"(?m)^  cover +WRONG +N 1, 2 members, chunk 0: iteration 0 is handed out twice$")
        self.assertRegex(done.stdout, r"(?m)^\d of \d are wrong$")

    def test_files_that_are_none(self):
        done = self.steelyard("check-schedule", "nothing.so")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stderr, r"\Asteelyard: cannot load 'nothing.so': [^\n]*\n\Z")
        self.refused(2, f"'empty.so' is no plug-in of a schedule; end its source with STEELYARD_PLUG_IN(name)",
                     "check-schedule", self.plug_in("empty", "int nothing;\n"))
        old = RULE + "struct old_table : thirds { using thirds::thirds; };\n"
        old = old.replace("STEELYARD_PLUG_IN(thirds)", "").replace('"thirds"', '"of us"')
        self.refused(2, "the schedule of 'name.so' has a name that is none; write up to 31 letters, digits, `_` and `-`",
                     "check-schedule", self.plug_in("name", old + "STEELYARD_PLUG_IN(old_table)\n"))


if __name__ == "__main__":
    main()
