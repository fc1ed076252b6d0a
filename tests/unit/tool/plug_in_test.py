# SPDX-License-Identifier: Apache-2.0
"""A schedule of the user's own in programs that do not know of it: OpenMP programs, and those of the library."""
import json
import os
import subprocess

from command import LOOP, SHIM, main
from plug_ins import INCLUDES, RULE, PlugIns

LIBRARY_LOOP = """
#include <atomic>
#include <cstdio>
#include <steelyard/loop.hpp>
#include <unistd.h>
int main(int count, char** words) {
  if (count > 1 && chdir(words[1]) != 0) return 3;
  std::atomic<long> sum{0};
  steelyard::parallel_for(0, 1000, [&](int i) { sum += i; }, {.always_parallel = true});
  std::printf("%ld\\n", sum.load());
}
"""
COUNTED = RULE.replace("rest / parts", "(std::fputs(\"asked\\n\", stderr), rest / parts)").replace("#include", "#include <cstdio>\n#include", 1)


class PlugIn(PlugIns):
    def setUp(self):
        super().setUp()
        self.program = self.compiled("loop", "-fopenmp")
        if self.program is None:
            self.skipTest("no OpenMP here")
        self.file = "./" + self.plug_in("mine", RULE)

    def by_hand(self, schedule, program=None, **changes):
        """Preloaded, as without the command."""
        done = self.run_plain(program or self.program, LD_PRELOAD=str(SHIM), STEELYARD_SCHEDULE=schedule, STEELYARD_VERBOSE="1",
                              **changes)
        self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
        return done.stderr

    def test_takes_the_loops_of_a_program(self):
        self.assertIn(" taken by thirds, 1 instance\n", self.by_hand(self.file))
        self.assertIn(" taken by thirds,50, 1 instance\n", self.by_hand(self.file + ",50"))
        for schedule, name in ((self.file, "thirds"), (self.file + ",50", "thirds,50"), (self.folder / "mine.so", "thirds")):
            done = self.steelyard("run", "-v", "-s", schedule, "--", self.program)
            self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
            self.assertIn(f" taken by {name}, 1 instance\n", done.stderr)

    def test_is_found_from_another_folder(self):
        done = self.steelyard("run", "-v", "-s", self.file, "--", "sh", "-c", f"cd / && {self.program}")
        self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
        self.assertIn(" taken by thirds, 1 instance\n", done.stderr)

    def test_is_compared_with_others(self):
        done = self.steelyard("compare", "--rounds", "1", "--schedules", f"{self.file},50,steal", "--json", "-", "--", self.program)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done)
        names = [row["schedule"] for row in json.loads(done.stdout)["rows"]]
        self.assertEqual(names, ["as written", f"{self.file},50", "steal"])

    def test_stands_in_a_loops_file(self):
        said = self.by_hand("as-written")
        site = next(word for word in said.split() if word.startswith("loop+0x"))
        (self.folder / "loops").write_text(f"{site} {self.file},50\n")
        done = self.steelyard("run", "-v", "-l", "loops", "--", self.program)
        self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
        self.assertIn(" taken by thirds,50, 1 instance\n", done.stderr)
        (self.folder / "loops").write_text(f"{site} ./nothing.so\n")
        done = self.steelyard("run", "-l", "loops", "--", self.program)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertRegex(done.stderr, r"\Asteelyard: loops:1: './nothing.so' cannot be loaded: [^\n]*\n\Z")
        done = self.run_plain(self.program, LD_PRELOAD=str(SHIM), STEELYARD_LOOPS=str(self.folder / "loops"))
        self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
        self.assertRegex(done.stderr, r"\Asteelyard: loops file: \S+/nothing.so cannot be loaded: [^\n]*; it is ignored\n\Z")

    def test_that_needs_libc_leaves_the_environment_alone(self):
        """The drop-in reads its variables before libc has begun. Programs without loops never load it."""
        counted = "./" + self.plug_in("counted", COUNTED)
        script = f'echo "$MARK"; {self.program}; env | grep -c MARK'
        for words in (("run", "-s", counted, "--", "sh", "-c", script),):
            done = self.steelyard(*words, MARK="here")
            self.assertEqual((done.returncode, done.stdout), (0, "here\n499500\n1\n"), done)
            self.assertGreater(done.stderr.count("asked\n"), 5)
        source = LOOP.replace("int main(void) {", 'int main(void) { puts(getenv("MARK"));').replace("#include", "#include <stdlib.h>\n#include", 1)
        program = self.compiled("asks", "-fopenmp", source=source)
        done = self.steelyard("run", "-s", counted, "--", program, MARK="here")
        self.assertEqual((done.returncode, done.stdout), (0, "here\n499500\n"), done)

    def test_takes_the_loops_of_the_library(self):
        """What is wrong with a file is said, and the program runs."""
        (self.folder / "plain.cpp").write_text(LIBRARY_LOOP)
        words = ["g++", "-std=c++20", "-O1", self.folder / "plain.cpp", "-o", self.folder / "plain", f"-L{SHIM.parent}", "-lsteelyard",
                 f"-Wl,-rpath,{SHIM.parent}"]
        subprocess.run([str(word) for word in (*words, *(f"-I{each}" for each in INCLUDES))], check=True)
        counted = "./" + self.plug_in("counted", COUNTED)
        for folder in ((), ("/",)):
            done = self.run_plain(self.folder / "plain", *folder, STEELYARD_SCHEDULE=counted, STEELYARD_NUM_THREADS="2")
            self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
            self.assertGreater(done.stderr.count("asked\n"), 5)
        done = self.run_plain(self.folder / "plain", STEELYARD_SCHEDULE="./nothing.so", STEELYARD_NUM_THREADS="2")
        self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
        self.assertRegex(done.stderr, r"\Asteelyard: STEELYARD_SCHEDULE='\S+/nothing.so' cannot be loaded: [^\n]*; it is ignored\n\Z")

    def test_that_is_none_is_told_and_ignored(self):
        wrong = {"./nothing.so": "cannot be loaded: ", "./": "is not a regular file", self.file + ",0": "has a chunk out of range",
                 "./" + self.plug_in("empty", "int nothing;\n"): "is no plug-in of a schedule; end its source with STEELYARD_PLUG_IN",
                 "./" + self.plug_in("taken", RULE.replace('"thirds"', '"guided"')): "holds a schedule that has the name of another one"}
        for file, why in wrong.items():
            with self.subTest(file):
                done = self.run_plain(self.program, LD_PRELOAD=str(SHIM), STEELYARD_SCHEDULE=file)
                self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
                self.assertTrue(done.stderr.startswith(f"steelyard: STEELYARD_SCHEDULE={self.folder}/{file[2:]} {why}"), done.stderr)
                self.assertTrue(done.stderr.endswith("; it is ignored\n"), done.stderr)
                self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        done = self.steelyard("run", "-s", "./nothing.so", "--", self.program)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done)
        self.assertRegex(done.stderr, r"\Asteelyard: --schedule: './nothing.so' cannot be loaded: [^\n]*\n\Z")

    def test_is_not_loaded_into_a_program_with_more_rights(self):
        if os.geteuid() != 0:
            self.skipTest("only root can make such a program")
        program = self.folder / "plain"
        (self.folder / "plain.cpp").write_text(LIBRARY_LOOP)
        # Static, so that the loader need not search for a library, which it does not for such a program.
        words = ["g++", "-std=c++20", "-O1", self.folder / "plain.cpp", "-o", program, SHIM.parents[1] / "src/library/libsteelyard.a"]
        words += [f"-I{each}" for each in INCLUDES]
        if subprocess.run([str(word) for word in words], capture_output=True, check=False).returncode != 0:
            self.skipTest("there is no static library here")
        self.folder.chmod(0o755)
        program.chmod(0o4755)
        done = self.run_plain("setpriv", "--reuid", "65534", "--clear-groups", program,
                              STEELYARD_SCHEDULE=str(self.folder / "mine.so"), STEELYARD_NUM_THREADS="2")
        self.assertEqual((done.returncode, done.stdout), (0, "499500\n"), done)
        self.assertIn("is not loaded into a program that has more rights than its user; it is ignored\n", done.stderr)


if __name__ == "__main__":
    main()
