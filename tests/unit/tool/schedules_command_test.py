# SPDX-License-Identifier: Apache-2.0
"""`steelyard schedules`: its families, the list, and what it says of one."""
from command import Case, main


class Schedules(Case):
    def said(self, *words):
        done = self.steelyard("schedules", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_families_fit_a_screen(self):
        lines = self.said().splitlines()
        self.assertLess(len(lines), 24)
        listed = " ".join(lines)
        for name in self.said("--names").split():
            self.assertIn(name, listed)

    def test_all_of_them_by_themselves(self):
        first = [line.split()[0] for line in self.said("--all").splitlines()[1:]]
        self.assertEqual(sorted(first), sorted(self.said("--names").split()))

    def test_every_one_is_explained(self):
        for name in self.said("--names").split():
            text = self.said("--explain", name)
            self.assertTrue(text.startswith(f"{name}: "), text)
            for word in ("formula", "source", "use it", "chunk", "family"):
                self.assertRegex(text, rf"(?m)^  {word} +\S")

    def test_names_are_written_in_any_case(self):
        self.assertEqual(self.said("--explain", " GuideD "), self.said("--explain", "guided"))

    def test_what_is_none(self):
        self.refused(2, "'stael' is not a schedule; `steelyard schedules --names` lists them", "schedules", "--explain", "stael")
        self.refused(2, "'' is not a schedule; `steelyard schedules --names` lists them", "schedules", "--explain", "")


if __name__ == "__main__":
    main()
