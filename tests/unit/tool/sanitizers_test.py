# SPDX-License-Identifier: Apache-2.0
"""Programs built with a sanitizer, started by the command: directly, by a script, by another program. Each behaves as it
does without the command, and its loop is taken."""
import subprocess
from pathlib import Path

from command import Case, main

CLANG = "clang-19"
BUILDS = {  # name → compiler and options
    "asan": ("gcc", "-fsanitize=address"),
    "asan-static": ("gcc", "-fsanitize=address", "-static-libasan"),
    "asan-clang": (CLANG, "-fsanitize=address"),
    "asan-clang-shared": (CLANG, "-fsanitize=address", "-shared-libasan"),
    "lsan": ("gcc", "-fsanitize=leak"),
    "lsan-clang": (CLANG, "-fsanitize=leak"),
    "msan-clang": (CLANG, "-fsanitize=memory"),
    "tsan": ("gcc", "-fsanitize=thread"),
    "tsan-clang": (CLANG, "-fsanitize=thread"),
    "tsan-clang-shared": (CLANG, "-fsanitize=thread", "-shared-libsan"),
    "ubsan": ("gcc", "-fsanitize=undefined"),
}
OVERFLOW = r"""
#include <stdlib.h>
int main(int count, char** words) {
  char* bytes = malloc(8);
  bytes[0] = (char)(words != 0);
  return bytes[7 + count];
}
"""
# The barriers of OpenMP runtimes are not compiled with -fsanitize=thread: races are reported of right programs.
TSAN = {"TSAN_OPTIONS": "exitcode=0"}


def library_path():
    """Where Clang's shared sanitizers are; they are not in the loader's path."""
    try:
        found = subprocess.run([CLANG, "-print-resource-dir"], capture_output=True, text=True, check=True).stdout
    except FileNotFoundError:
        return {}
    return {"LD_LIBRARY_PATH": str(Path(found.strip()) / "lib/linux")}


class Sanitized(Case):
    def setUp(self):
        super().setUp()
        self.variables = {**library_path(), **TSAN}

    def programs(self):
        """Those that can be built and run here."""
        for name, (compiler, *options) in BUILDS.items():
            program = self.compiled(name, "-fopenmp", *options, compiler=compiler)
            if program is not None and self.run_plain(program, **self.variables).returncode == 0:
                yield name, program

    def test_the_loop_is_taken_however_the_program_is_started(self):
        reached = []
        for name, program in self.programs():
            script = self.script("script", f'#!/bin/sh\n"{program}"\nexit $?\n')
            for command in ([program], [script], ["/usr/bin/env", program]):
                with self.subTest(build=name, command=command):
                    result = self.steelyard("run", "--verbose", "--schedule", "steal", "--", *command, **self.variables)
                    self.assertEqual((result.returncode, result.stdout), (0, "499500\n"), result)
                    self.assertIn("1 loop site taken (1 instance)", result.stderr)
            reached.append(name)
        print("sanitizers:", *reached)

    def test_what_is_read_at_the_start(self):
        """Files, warnings, the clock: calls that a sanitizer replaces and that come before its start."""
        (self.folder / "loops").write_text("# none\nother+0x10 steal\n")
        for name, program in self.programs():
            for asked in ({"STEELYARD_LOOPS": "loops"}, {"STEELYARD_LOOPS": "missing"}, {"OMP_SCHEDULE": "wsri"},
                          {"STEELYARD_SCHEDULE": "none-such"}, {"STEELYARD_REPORT": "report.%p"}):
                with self.subTest(build=name, asked=asked):
                    result = self.steelyard("run", "--", program, **self.variables, **asked)
                    self.assertEqual((result.returncode, result.stdout), (0, "499500\n"), result)

    def test_compare(self):
        for name, program in self.programs():
            with self.subTest(build=name):
                result = self.steelyard("compare", "--rounds", "1", "--schedules", "steal", "--", program, **self.variables)
                self.assertEqual((result.returncode, result.stderr), (0, ""), result)

    def test_address_sanitizer_still_watches(self):
        for name, (compiler, *options) in BUILDS.items():
            program = self.compiled("overflow", *options, compiler=compiler, source=OVERFLOW) if "asan" in name else None
            if program is None:
                continue
            with self.subTest(build=name):
                native = self.run_plain(program, **self.variables)
                result = self.steelyard("run", "--", program, **self.variables)
                self.assertIn("heap-buffer-overflow", native.stderr)
                self.assertEqual(native.returncode, result.returncode)
                self.assertIn("heap-buffer-overflow", result.stderr)

    def test_options_of_the_user_count(self):
        program = self.compiled("overflow", "-fsanitize=address", source=OVERFLOW)
        if program is None:
            self.skipTest("no AddressSanitizer here")
        self.assertEqual(self.steelyard("run", "--", program, ASAN_OPTIONS="exitcode=77").returncode, 77)


if __name__ == "__main__":
    main()
