# SPDX-License-Identifier: Apache-2.0
"""The slice of a loop at random tells what its iterations cost, changes nothing, and reads nothing that is not there."""
import collections
import pathlib
import subprocess
import tempfile
import unittest

import generated
from costs import CC, CXX, LANGUAGE, loops_of

EXACT = ("exact", "nested", "companion")

MAIN = r"""
#include <stdio.h>
static unsigned long long sum_of(const void* at, unsigned long size) {
  const unsigned char* byte = (const unsigned char*)at;
  unsigned long long sum = 1469598103934665603ull;
  for (unsigned long i = 0; i < size; ++i) sum = (sum ^ byte[i]) * 1099511628211ull;
  return sum;
}
static unsigned long long sum_of_data(void) {
  return sum_of(row, sizeof row) ^ sum_of(col, sizeof col) ^ sum_of(deg, sizeof deg) ^ sum_of(small, sizeof small) ^
         sum_of(wide, sizeof wide) ^ sum_of(items, sizeof items) ^ (unsigned)n * 31u ^ (unsigned)m * 17u ^ u;
}
static void fill(void) {
  unsigned state = 12345;
  for (int i = 0; i < N + 8; ++i) {
    state = state * 1103515245u + 12345u;
    deg[i] = (state >> 16) % 9;
    row[i] = i == 0 ? 0 : row[i - 1] + deg[i - 1];
    small[i] = (unsigned char)(deg[i] / 2);
    wide[i] = deg[i] + 2;
    items[i].from = i % 5;
    items[i].to = i % 5 + deg[i];
    items[i].width = (short)(8 - deg[i]);
  }
  for (int i = 0; i < MORE; ++i) col[i] = (i * 7) % N;
}
/* which is 0: as many as out; 1: the same each time; 2: at least as many; 3: anything */
static void check(int number, int which, void (*loop)(double*, double*)) {
  double out[N], estimate[N], first = -1;
  for (int i = 0; i < N; ++i) out[i] = 0, estimate[i] = -1;
  const unsigned long long before = sum_of_data();
  loop(out, estimate);
  if (sum_of_data() != before) printf("%d: the slice changes data\n", number);
  for (int i = 0; i < N; ++i) if (out[i] != 0) printf("%d: the slice changes out\n", number);
  loop(out, 0);
  for (int i = 0; i < N; ++i) {
    if (estimate[i] < 0) continue;
    if (first < 0) first = out[i];
    if (which == 0 && estimate[i] != out[i]) { printf("%d: iteration %d: %g, not %g\n", number, i, estimate[i], out[i]); return; }
    if (which == 1 && first != out[i]) { printf("%d: iteration %d is not equal\n", number, i); return; }
    if (which == 2 && estimate[i] < out[i]) { printf("%d: iteration %d: %g below %g\n", number, i, estimate[i], out[i]); return; }
  }
}
"""


def promise_of(found):
    upper = "dearer" in found["reason"] or "early" in found["reason"]
    if found["class"] in EXACT:
        return 2 if upper else 0
    if found["class"] == "equal":
        return 1
    return 2 if found["class"] == "partial" and upper else 3


class Slices(unittest.TestCase):
    def checked(self, language, count, seed):
        cpp = language == "c++"
        made = generated.loops(count, seed, cpp)
        head = generated.data(cpp)
        found = loops_of(head + "".join(loop.text() for loop in made), language, only_calls_of="tick")
        self.assertEqual(len(found), count)
        text = head + MAIN + "".join(loop.text(each) for loop, each in zip(made, found))
        vectors = "for (int i = 0; i < N; ++i) list.push_back(deg[i]), lists.emplace_back(deg[i] + 1, i);" if cpp else ""
        checks = "\n".join(f"  check({loop.number}, {promise_of(each)}, loop{loop.number});" for loop, each in zip(made, found))
        text += f"int main(void) {{\n  fill(); {vectors}\n{checks}\n  return 0;\n}}\n"
        self.assertEqual(self.run_sanitized(text, language), "")
        return collections.Counter(each["class"] for each in found)

    def run_sanitized(self, text, language):
        with tempfile.TemporaryDirectory() as where:
            source = pathlib.Path(where, "loops.c" if language == "c" else "loops.cpp")
            program = pathlib.Path(where, "loops")
            source.write_text(text)
            compiler = CC if language == "c" else CXX
            subprocess.run([compiler, *LANGUAGE[language], "-O0", "-w", "-fsanitize=address,undefined",
                            "-fno-sanitize-recover=all", source, "-o", program], check=True)
            done = subprocess.run([program], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_c(self):
        classes = self.checked("c", 350, seed=18)
        self.assertGreater(sum(classes[each] for each in EXACT), 200, classes)

    def test_cpp(self):
        classes = self.checked("c++", 150, seed=3)
        self.assertGreater(sum(classes[each] for each in EXACT), 80, classes)


if __name__ == "__main__":
    unittest.main()
