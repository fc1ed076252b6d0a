# SPDX-License-Identifier: Apache-2.0
"""What the body reads only where no jump leads past it, the slice reads behind a guard, or not at all."""
import pathlib
import subprocess
import tempfile
import unittest

from costs import CC, CXX, LANGUAGE, loops_of

HEAD = """
#include <stdlib.h>
enum { N = 30 };
struct row { int n; };
static struct row pool[N], *p[N];
static int none[N];
static void tick(double* at) { *at += 1; }
static void leaves(const struct row* r, double* at) { if (!r) goto end; for (int j = 0; j < r->n; ++j) tick(at); end:; }
static void ends(const struct row* r, double* at) { for (int k = 0; k < 2; ++k) { if (!r) return; for (int j = 0; j < r->n; ++j) tick(at); } }
static int work(const struct row* r, double* at) { for (int j = 0; j < r->n; ++j) tick(at); return 1; }
static void twice(const struct row* r, double* at) { do { if (!r) return; } while (0); for (int j = 0; j < r->n; ++j) tick(at); }
"""
CPP = """
#include <stdexcept>
#include <variant>
#include <vector>
static std::vector<int> few(N / 2, 2);
static std::variant<int, char> either[N];
static void throws(const row* r, double* at) { if (!r) throw 1; for (int j = 0; j < r->n; ++j) tick(at); }
static void needs(const row* r) { if (!r) throw 1; }
static int length(int i) { return few.at(i); }
"""
MAIN = "int main(void) { for (int i = 0; i < N; ++i) { pool[i].n = i % 5; if (i % 3) p[i] = pool + i, none[i] = 1 + i % 4; }\n"
READ = "for (int j = 0; j < p[i]->n; ++j) tick(out + i);"


class Guards(unittest.TestCase):
    def checked(self, bodies, language="c"):
        """The loops' classes. The slices run, and where a class is exact, they tell what the bodies do."""
        head = HEAD + (CPP if language == "c++" else "")
        loops = [f"for (int i = 0; i < N; ++i) {{ {body} }}" for body in bodies]
        text = head + "".join(f"void f{k}(double* out) {{\n#pragma omp parallel for\n{loop}\n}}\n" for k, loop in enumerate(loops))
        found = loops_of(text, language, only_calls_of="tick")
        self.assertEqual(len(found), len(bodies))
        main = MAIN
        for k, (loop, each) in enumerate(zip(loops, found)):
            seeds = ", ".join(str(seed) for seed in each["seeds"]) or "0"
            text += (f"void e{k}(double* out) {{ for (int i = 0; i < N; ++i) {{ double steelyard_w = 0; "
                     f"static const double steelyard_c[] = {{ {seeds} }}; (void)steelyard_c; {each['slice']} out[i] = steelyard_w; }} }}\n")
            compared = f" && (e[i] != b[i])" if each["class"] in ("exact", "companion", "nested") else " && 0"
            main += (f"{{ double e[N] = {{ 0 }}, b[N] = {{ 0 }}; e{k}(e); f{k}(b); "
                     f"for (int i = 0; i < N; ++i) if (1{compared}) return {k + 1}; }}\n")
        self.run_sanitized(text + main + "return 0; }\n", language)
        return [each["class"] for each in found]

    def run_sanitized(self, text, language):
        with tempfile.TemporaryDirectory() as where:
            source = pathlib.Path(where, "loops.c" if language == "c" else "loops.cpp")
            source.write_text(text)
            subprocess.run([CC if language == "c" else CXX, *LANGUAGE[language], "-O0", "-w", "-fsanitize=address,undefined",
                            "-fno-sanitize-recover=all", source, "-o", source.with_suffix("")], check=True)
            done = subprocess.run([source.with_suffix("")], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_jumps_that_are_guards(self):
        classes = self.checked((f"if (!p[i]) continue; {READ}", f"if (p[i]) tick(out + i); else continue; {READ}",
                                f"if (p[i]) {{ tick(out + i); }} else {{ tick(out + i); continue; }} {READ}",
                                f"if (!p[i]) goto next; {READ} next:;", f"if (!p[i]) goto next; {READ} next: tick(out + i);",
                                f"do {{ if (!p[i]) break; {READ} }} while (0); tick(out + i);", "leaves(p[i], out + i);"))
        self.assertEqual(set(classes), {"exact", "companion"})

    def test_jumps_that_are_none(self):
        inner = "if (!p[i]) goto out; " + READ
        classes = self.checked((f"{{ if (!p[i]) continue; }} {READ}", f"{{ if (i % 2) {{ if (!p[i]) continue; }} else if (!p[i]) continue; }} {READ}",
                                f"for (int k = 0; k < 2; ++k) {{ if (!p[i]) break; {READ} }}",
                                f"for (int k = 0; k < 2; ++k) if (!p[i]) goto next; {READ} next:;",
                                f"switch (none[i]) {{ case 0: continue; default: break; }} {READ}",
                                f"do {{ if (!p[i]) goto next; }} while (0); {READ} next:;",
                                "{ if (!none[i]) continue; } for (int j = 0; j < 12 / none[i]; ++j) tick(out + i);",
                                "{ if (!none[i]) continue; } for (int j = 0; j < i; j += none[i]) tick(out + i);",
                                f"for (int k = i; k < N; ++k) {{ for (int j = 0; j < p[k]->n; ++j) tick(out + i); if (k + 1 == N || !p[k + 1]) break; }}"
                                .replace("{ for", "{ if (!p[i]) break; for", 1), "twice(p[i], out + i);"))
        self.assertFalse({"exact", "companion", "nested"} & set(classes), classes)
        self.assertNotIn("exact", self.checked((f"for (int k = 0; k < 3; ++k) {{ {inner} }} out:;", "ends(p[i], out + i);")))

    def test_what_cannot_fault_is_told_all_the_same(self):
        (loop,) = self.checked(("{ if (!p[i]) continue; } for (int j = 0; j < i; ++j) tick(out + i);",))
        self.assertEqual(loop, "partial")
        (loop,) = self.checked(("int m = none[i]; { if (!p[i]) continue; } for (int j = 0; j < m; ++j) tick(out + i);",))
        self.assertEqual(loop, "partial")

    def test_operands_that_are_not_always_evaluated(self):
        classes = self.checked(("int s = p[i] ? work(p[i], out + i) : 0;", "int s = p[i] && work(p[i], out + i);",
                                "int s = !p[i] || work(p[i], out + i);", "if (p[i] && work(p[i], out + i)) tick(out + i);"))
        self.assertFalse({"exact", "companion", "nested"} & set(classes), classes)
        (loop,) = self.checked(("int m = p[i] ? p[i]->n : 0; for (int j = 0; j < m; ++j) tick(out + i);",))
        self.assertEqual(loop, "exact")

    def test_what_is_skipped_may_be_the_same_each_time(self):
        (loop,) = self.checked(("for (int k = 0; k < 4; ++k) { tick(out + i); if (k == none[1]) break; for (int j = 0; j < 12 / none[1]; ++j) tick(out + i); }",))
        self.assertEqual(loop, "equal")

    def test_exceptions(self):
        classes = self.checked((f"try {{ if (!p[i]) throw 1; {READ} }} catch (int) {{ tick(out + i); }}",
                                f"try {{ needs(p[i]); {READ} }} catch (...) {{}}", "try { throws(p[i], out + i); } catch (int) {}",
                                "try { int m = few.at(i); for (int j = 0; j < m; ++j) tick(out + i); } catch (std::out_of_range&) {}",
                                "if (i < 5) for (int j = 0; j < few.at(i); ++j) tick(out + i);",
                                "if (i < 5) for (int j = 0; j < length(i); ++j) tick(out + i);",
                                "for (int j = 0; j < std::get<int>(either[i]); ++j) tick(out + i);",
                                f"bool good = true; try {{ needs(p[i]); }} catch (...) {{ continue; }} {READ}"), "c++")
        self.assertFalse({"exact", "companion", "nested"} & set(classes), classes)


if __name__ == "__main__":
    unittest.main()
