#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that the reference is not made where a public name is not explained.

usage: reference_test.py DOXYGEN DOXYFILE
"""
import os
import subprocess
import sys
import tempfile
import unittest

RIGHT = """/// @file
/// A header.
namespace steelyard {
inline namespace v1 {
namespace detail {
void hidden(int);
}
/// Twice as much.
/// @param a a number.
/// @return the number twice; see steelyard::twice().
int twice(int a);
}  // namespace v1
}  // namespace steelyard
"""
WRONG = {
    "is not documented": ("/// Twice as much.\n/// @param a a number.\n/// @return the number twice; see steelyard::twice().\n", ""),
    "parameters of member steelyard::twice are not documented": ("/// @param a a number.\n", ""),
    "argument 'b' of command @param is not found": ("@param a", "@param b"),
    "return type of member steelyard::twice is not documented": ("@return", "It is"),
    "unable to resolve reference to 'thrice'": ("see steelyard::twice()", "see @ref thrice"),
}


class Reference(unittest.TestCase):
    def made_of(self, text):
        with tempfile.TemporaryDirectory() as top:
            with open(os.path.join(top, "a.hpp"), "w", encoding="utf-8") as header:
                header.write(text)
            with open(DOXYFILE, encoding="utf-8") as file:
                settings = file.read() + f"\nINPUT = {top}\nOUTPUT_DIRECTORY = {top}\n"
            return subprocess.run([DOXYGEN, "-"], input=settings, capture_output=True, text=True, cwd=top)

    def test_what_is_explained_is_made(self):
        made = self.made_of(RIGHT)
        self.assertEqual((made.returncode, made.stderr), (0, ""))

    def test_what_is_not_explained_is_refused(self):
        for said, (old, new) in WRONG.items():
            with self.subTest(said):
                made = self.made_of(RIGHT.replace(old, new))
                self.assertNotEqual(made.returncode, 0)
                self.assertIn(said, made.stderr)


if __name__ == "__main__":
    DOXYGEN, DOXYFILE = sys.argv[1:]
    unittest.main(argv=sys.argv[:1])
