#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shows that each rule can fail: a right tree has no finding, and one wrong file has the one it should."""
import contextlib
import io
import os
import tempfile
import unittest
from unittest import mock

import rules

SPDX = "// SPDX-License-Identifier: Apache-2.0\n"
RIGHT = {
    "CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nsteelyard_layer(sync)\nsteelyard_layer(schedules AFTER sync)\n",
    "ARCHITECTURE.md": "# Title\n```mermaid\nflowchart TD\n  schedules --> sync\n```\n",
    "README.md": "# Title\n## A part of it\n[rules](docs/rules.md), [here](#a-part-of-it), [web](https://example.org)\n",
    "docs/rules.md": "# Twice\n# Twice\n[back](../README.md#a-part-of-it), [second](#twice-1)\n```\n# no heading\n```\n",
    "src/sync/list.hpp": SPDX + 'int f() { return head.load(relaxed, site{"F1"}); }  // head.load(relaxed)\n',
    "src/sync/list.md": "| site | access |\n|---|---|\n| F1 | load |\n",
    "src/schedules/even.hpp": SPDX + '#include "sync/list.hpp"\nstatic constexpr traits about{"even"};\n',
    "tests/unit/schedules/even_test.cpp": SPDX,
    "tests/stress/CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\nforeach(schedule even other none)\n",
    "include/steelyard/says_little.hpp": SPDX + "".join(f"int f{i}();  ///< says little\n" for i in range(40)),
    "include/steelyard/a.h": SPDX + "#include <stddef.h>\n/* Why: docs/rules.md#twice. */\n",
    "include/steelyard/steelyard.hpp": SPDX + "#include <steelyard/detail/all.hpp>\n",
    "include/steelyard/detail/all.hpp": SPDX + "#include <steelyard/f.hpp>\n#include <steelyard/says_little.hpp>\n#include <steelyard/says.hpp>\n",
    "src/sync/reasoned.hpp": SPDX + "// long: a table\n" + "\n" * 300,
    "include/steelyard/f.hpp": SPDX + 'int f() { return x.load(std::memory_order_relaxed, site{"F1"}); }\n',
}
WRONG = {
    "licence_named": ("src/sync/bare.hpp", "int x;\n"),
    "scripts_executable": ("ci/step", "#!/bin/sh\n# SPDX-License-Identifier: Apache-2.0\n"),
    "atomics_tagged": ("src/sync/plain.hpp", SPDX + "int f() {\n  return head.load(\n      relaxed); }\n"),
    "tags_documented": ("src/sync/new.hpp", SPDX + 'int f() { return head.load(relaxed, site{"F2"}); }\n'),
    "tags_unique": ("src/sync/more.md", "| site | access |\n|---|---|\n| F1 | load |\n"),
    "headers_tagged": ("include/steelyard/detail/c.hpp", SPDX + "int f() { return x.load(std::memory_order_relaxed); }\n"),
    "files_short": ("src/sync/long.cpp", SPDX + "\n" * 400),
    "headers_short": ("src/sync/long.hpp", SPDX + "\n" * 300),
    "functions_short": ("src/sync/long.cpp", SPDX + "int f() {\n" + "  g();\n" * 40 + "  return 0;\n}\n"),
    "includes_point_down": ("src/sync/up.hpp", SPDX + '#include "schedules/even.hpp"\n'),
    "layers_drawn": ("ARCHITECTURE.md", "```mermaid\nflowchart TD\n```\n"),
    "schedules_tested": ("src/schedules/other.hpp", SPDX + 'static constexpr traits about{.name = "other"};\n'),
    "schedules_stressed": ("tests/stress/CMakeLists.txt", "# SPDX-License-Identifier: Apache-2.0\nforeach(schedule none)\n"),
    "no_machine_paths": ("src/sync/path.hpp", SPDX + 'auto p = "/home/me/x";\n'),
    "links_lead_somewhere": ("docs/broken.md", "[nothing](nothing.md)\n"),
    "citations_lead_somewhere": ("tools/page.cpp", SPDX + 'auto p = "docs/drop\\\\-in.md";\n'),
    "english_plain": ("docs/long.md", "# Title\n\n" + "word " * 36 + "end.\n"),
    "mistakes_told": ("include/steelyard/f.hpp", SPDX + 'static_assert(is_body<F>, "f: takes "\n  "a body");\n'),
    "front_door_short": ("README.md", RIGHT["README.md"] + "A line that says something.\n" * 400),
    "one_header_for_all": ("include/steelyard/forgotten.hpp", SPDX),
    "variables_listed": ("src/sync/reads.cpp", SPDX + 'const char* const name = "STEELYARD_NOTHING";\n'),
}
MORE_WRONG = [
    ("atomics_tagged", "src/sync/raw.hpp", SPDX + "std::atomic<int> x;\n"),
    ("atomics_tagged", "src/sync/fence.hpp", SPDX + "void f() { Sync::fence(acquire); }\n"),
    ("headers_tagged", "include/steelyard/d.h", SPDX + "int f() { return __atomic_load_n(&x, 0); }  // F2\n"),
    ("headers_tagged", "include/steelyard/e.md", "| site | access |\n|---|---|\n| H9 | gone |\n"),
    ("tags_documented", "src/sync/stale.md", "| site | access |\n|---|---|\n| F9 | gone |\n"),
    ("tags_unique", "src/sync/list.md", "- **[F1]** *Ends.*\n\n| site | access |\n|---|---|\n| F1 | load |\n"),
    ("mistakes_told", "include/steelyard/f.hpp", SPDX + '#error \\\n  "compile with that"\n'),
    ("mistakes_told", "include/steelyard/f.hpp", SPDX + 'void f() { throw std::logic_error("wait first"); }\n'),
    ("mistakes_told", "tests/compile_fail/f.cpp", SPDX + "#if CASE == 1  // -std=c++17: - | a sentence\n#endif\n"),
    ("includes_point_down", "include/steelyard/b.h", SPDX + '#include "sync/list.hpp"\n'),
    ("includes_point_down", "src/stray/c.hpp", SPDX),
    ("headers_short", "include/steelyard/long.h", SPDX + "/* long: */\n" + "\n" * 300),
    ("layers_drawn", "ARCHITECTURE.md", "# No picture\n"),
    ("layers_drawn", "ARCHITECTURE.md", RIGHT["ARCHITECTURE.md"].replace("sync\n", "sync\n  sync --> cost\n")),
    ("layers_drawn", "ARCHITECTURE.md", RIGHT["ARCHITECTURE.md"].replace("sync\n", "sync\n  schedules ==> sync\n")),
    ("links_lead_somewhere", "docs/broken.md", "[nothing](../README.md#no-such-part)\n"),
    ("links_lead_somewhere", "docs/broken.md", "[nothing](rules.md#twice-2)\n"),
    ("links_lead_somewhere", "docs/broken.md", "[nothing](rules.md#no-heading)\n"),
    ("citations_lead_somewhere", "docs/pages.dox", "/// See `docs/begin.md`.\n"),
    ("citations_lead_somewhere", "src/sync/cites.hpp", SPDX + "// See docs/rules.md#once.\n"),
    ("english_plain", "docs/median.md", "\n\n".join(["word " * 21 + "end."] * 30) + "\n"),
    ("english_plain", "include/steelyard/says.h", SPDX + "int f();\n/**\n * " + "word " * 36 + "end.\n */\nint g();\n"),
    ("english_plain", "include/steelyard/says.hpp", SPDX + "int f();  ///< " + "word " * 36 + "end.\n"),
    ("english_plain", "docs/banned.md", "It should be noted that this is long.\n"),
]


class Rules(unittest.TestCase):
    def found_in(self, files):
        with tempfile.TemporaryDirectory() as top:
            for path, text in files.items():
                os.makedirs(os.path.dirname(os.path.join(top, path)), exist_ok=True)
                with open(os.path.join(top, path), "w", encoding="utf-8") as file:
                    file.write(text)
            return rules.findings(top)

    def test_right_tree_has_no_finding(self):
        self.assertEqual(self.found_in(RIGHT), [])

    def test_every_rule_has_a_wrong_file(self):
        self.assertEqual(set(WRONG), {rule.__name__ for rule in rules.RULES})

    def test_wrong_files_are_found(self):
        for rule, path, text in [(rule, *wrong) for rule, wrong in WRONG.items()] + MORE_WRONG:
            if rule in [left_out.__name__ for left_out in rules.not_checked()]:
                continue
            with self.subTest(rule=rule, path=path):
                self.assertEqual([(f[0], f[2]) for f in self.found_in({**RIGHT, path: text})], [(path, rule)])

    def test_a_layer_links_what_its_lower_layers_link(self):
        build = "steelyard_layer(cost)\nsteelyard_layer(sync AFTER cost)\nsteelyard_layer(schedules AFTER sync)\n"
        picture = RIGHT["ARCHITECTURE.md"].replace("sync\n", "sync\n  sync --> cost\n")
        files = {**RIGHT, "CMakeLists.txt": "# SPDX-License-Identifier: Apache-2.0\n" + build, "ARCHITECTURE.md": picture}
        said = "layer schedules stands AFTER one that stands AFTER cost, and does not say so"
        self.assertEqual(self.found_in(files), [("CMakeLists.txt", 1, "layers_drawn", said)])
        files["CMakeLists.txt"] = files["CMakeLists.txt"].replace("AFTER sync", "AFTER sync cost")
        self.assertEqual(self.found_in(files), [])

    def test_says_how_many_rules_were_checked(self):
        def last_line(found):
            with mock.patch.object(rules.shutil, "which", return_value=found), tempfile.TemporaryDirectory() as top:
                with contextlib.redirect_stdout(io.StringIO()) as said:
                    self.assertEqual(rules.main([top]), 0)
                return said.getvalue().splitlines()[-1]

        count = len(rules.RULES)
        self.assertEqual(last_line("ctags"), f"{count} of {count} rules checked, 0 findings")
        self.assertEqual(
            last_line(None),
            f"{count - 1} of {count} rules checked, 0 findings, functions_short not checked: no ctags",
        )


if __name__ == "__main__":
    unittest.main()
