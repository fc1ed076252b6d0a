# SPDX-License-Identifier: Apache-2.0
"""Programs as the compile launcher makes them (src/openmp/compiled/compiled.md), beside the same without it."""
from build_compiled import FOLDER, VARIANTS
from drop_in import Case, main, run

STATUS = 5
TEAM = {"OMP_NUM_THREADS": "4", "OMP_DYNAMIC": "false"}


class Compiled(Case):
    def forms(self):
        """Variants that could be built here, of which one always can."""
        found = [name for name in VARIANTS if (FOLDER / f"forms-{name}-plain").exists()]
        self.assertIn("gcc", found)
        return found

    def output(self, program, environment=(), **options):
        result = run([FOLDER / program], {**TEAM, **dict(environment)}, **options)
        self.assertEqual((result.returncode, result.stderr), (STATUS, ""), (program, environment))
        return result.stdout

    def test_unloaded_a_program_does_what_it_does_without(self):
        for name in self.forms():
            for words in ({}, {"OMP_SCHEDULE": "guided,3"}, {"OMP_NUM_THREADS": "1"}, {"OMP_NUM_THREADS": "7"}):
                self.assertEqual(self.output(f"forms-{name}", words, preload=()),
                                 self.output(f"forms-{name}-plain", words, preload=()), (name, words))


if __name__ == "__main__":
    main()
