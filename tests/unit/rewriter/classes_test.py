# SPDX-License-Identifier: Apache-2.0
"""Each class of loop, in C and in C++, with the reason; what makes a slice unsafe; what the author says."""
import unittest

from costs import loops_of

C = """
#include <math.h>
#include <string.h>
void unseen(double*);
extern int shared;
static _Thread_local int own;
static double volatile flag;
static void fill(double* to, int count) { int i; for (i = 0; i < count; i++) to[i] = i; }
static void twice(double* to, int i) { fill(to, i); fill(to, 2 * i); }
static int counted(int* at) { return (*at)++; }
static int degree(const int* row, int i) { return row[i + 1] - row[i]; }
void code(int n, int m, const int* row, const int* col, int* mark, double* x, double* y, struct node* list) {
  int i, j, k, from, to;
"""

CPP = """
#include <atomic>
#include <map>
#include <vector>
template <typename Id> class graph {
  Id** index_;
  int count_;
 public:
  class neighbors {
    Id at_; Id** index_; int skip_;
   public:
    neighbors(Id at, Id** index, int skip) : at_(at), index_(index), skip_(0) { int most = int(end() - begin()); skip_ = skip < most ? skip : most; }
    Id* begin() { return index_[at_] + skip_; }
    Id* end() { return index_[at_ + 1]; }
  };
  int count() const { return count_; }
  int degree(Id of) const { return int(index_[of + 1] - index_[of]); }
  neighbors around(Id of, int skip = 0) const { return neighbors(of, index_, skip); }
};
struct fewer { int limit; void run(int n, double* x); };
template <typename Id> void code(const graph<Id>& g, int n, std::vector<double>& x, std::vector<std::vector<int>>& lists,
                                 std::map<int, int>& tree, const std::vector<int>& row, std::atomic<int>* hits) {
"""


class Classes(unittest.TestCase):
    def loop_in(self, head, text, tail, language, directive="#pragma omp parallel for"):
        (loop,) = loops_of(f"{head}{directive}\n{text}\n{tail}", language)
        return loop

    def c(self, text, directive="#pragma omp parallel for"):
        return self.loop_in(C, text, "}\n", "c", directive)

    def cpp(self, text, directive="#pragma omp parallel for"):
        return self.loop_in(CPP, text, "}\ntemplate void code<int>(const graph<int>&, int, std::vector<double>&, "
                            "std::vector<std::vector<int>>&, std::map<int, int>&, const std::vector<int>&, std::atomic<int>*);\n",
                            "c++", directive)

    def is_a(self, loop, kind, reason=""):
        self.assertEqual(loop["class"], kind, loop)
        self.assertIn(reason, loop["reason"])
        self.assertEqual(loop["slice"] != "", kind in ("exact", "nested", "companion", "partial", "author"), loop)

    def test_equal(self):
        self.is_a(self.c("for (i = 0; i < n; i++) y[i] = 2 * x[i];"), "equal")
        self.is_a(self.c("for (i = 0; i < n; i++) for (int k = 0; k < m; k++) y[i] += x[k];"), "equal")
        self.is_a(self.c("for (i = 0; i < n; i++) { if (i > 2) y[i] = x[i] + 1; else y[i] = 0; y[i] += sin(x[i]) * exp(x[i]) / x[i]; }"),
                  "equal", "only branches")
        self.is_a(self.c("for (i = 0; i < n; i++) unseen(x + i);"), "equal", "taken to cost the same each time: unseen")
        self.is_a(self.c("for (i = 0; i < n; i++) do { y[i] = 1; } while (0);"), "equal")
        self.is_a(self.cpp("for (int i = 0; i < n; i++) x[i] = g.count();"), "equal")
        self.assertTrue(self.c("for (i = 0; i < n; i++) fill(y + i * m, m);")["opt2"])

    def test_exact(self):
        self.is_a(self.c("for (i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) y[i] += x[col[k]];"), "exact")
        self.is_a(self.c("for (i = 0; i < n; i++) { for (j = i; j < n; j += 2) y[i] += x[j]; }",
                         "#pragma omp parallel for private(j)"), "exact")
        self.is_a(self.c("for (i = 0; i < n; i++) { from = row[i]; to = row[i + 1]; for (j = to; j > from; --j) y[i] += x[j]; }",
                         "#pragma omp parallel for private(j, from, to)"), "exact")
        self.is_a(self.c("for (i = 0; i < n; i++) if (mark[i]) fill(y + i * m, m); else y[i] = 0;"), "companion")
        self.is_a(self.c("for (i = 0; i < n; i++) for (j = 0; j < degree(row, i); j++) y[i] += x[j];",
                         "#pragma omp parallel for private(j)"), "exact")
        self.is_a(self.c("for (i = 0; i < n; i++) memset(mark + row[i], 0, (row[i + 1] - row[i]) * sizeof(int));"), "exact")
        self.is_a(self.cpp("for (Id i = 0; i < g.count(); i++) for (Id to : g.around(i)) x[i] += to;"), "exact")
        self.is_a(self.cpp("for (int i = 0; i < n; i++) for (auto at = lists[i].begin(); at != lists[i].end(); ++at) x[i] += *at;"),
                  "exact")
        self.is_a(self.cpp("for (int i = 0; i < n; i++) { auto work = [&](int k) { for (int j = 0; j < k; j++) x[i] += j; }; "
                           "for (int j = 0; j < row[i]; j++) x[i] += j; }"), "exact")

    def test_collapsed(self):
        loop = self.c("for (i = 0; i < n; i++) for (j = 0; j < m; j++) for (int k = 0; k < i + j; k++) y[i] += x[k];",
                      "#pragma omp parallel for collapse(2)")
        self.is_a(loop, "exact")
        self.assertIn("i + j", loop["slice"])

    def test_nested(self):
        self.is_a(self.c("for (i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) "
                         "for (int l = row[col[k]]; l < row[col[k] + 1]; l++) y[i] += x[l];"), "nested")
        self.is_a(self.cpp("for (int i = 0; i < n; i++) for (int to : g.around(i)) for (int k = 0; k < g.degree(to); k++) x[i] += k;"),
                  "nested")

    def test_companion(self):
        loop = self.c("for (i = 0; i < n; i++) twice(y, row[i]);")
        self.is_a(loop, "companion")
        self.assertIn("steelyard_argument", loop["slice"])
        self.is_a(self.c("for (i = 0; i < n; i++) { int fill = row[i]; twice(y, fill); }"), "companion")

    def test_names_of_a_callee_mean_what_they_mean_there(self):
        text = C + "int limit = row[0];\n#pragma omp parallel for\nfor (i = 0; i < n; i++) reads(y, i, limit);\n}\n"
        text = text.replace("void code", "static int limit; static void reads(double* at, int i, int k) "
                            "{ for (int j = k; j < limit + i; j++) at[i] += j; }\nvoid code")
        (loop,) = loops_of(text)
        self.is_a(loop, "count", "limit is not in sight of the loop")

    def test_partial(self):
        self.is_a(self.c("for (i = 0; i < n; i++) { for (int k = 0; k < row[i]; k++) y[i] += x[k]; while (y[i] > 1) y[i] /= 2; }"),
                  "partial", "while")
        self.is_a(self.c("for (i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) if (x[col[k]] < 0) { y[i] = k; break; }"),
                  "partial", "may end early")

    def test_guarded(self):
        for text in ("if (mark[i] == m) for (int k = row[i]; k < row[i + 1]; k++) mark[col[k]] = m + 1;",
                     "if (mark[i] != m) continue; for (int k = row[i]; k < row[i + 1]; k++) mark[col[k]] = m + 1;"):
            loop = self.c(f"for (i = 0; i < n; i++) {{ {text} }}")
            self.is_a(loop, "guarded", "may write mark")
            self.assertTrue(loop["opt3"])

    def test_count(self):
        self.is_a(self.c("for (i = 0; i < n; i++) { k = mark[i]; while (k > 0) k = mark[k]; y[i] = k; }",
                         "#pragma omp parallel for private(k)"), "count", "while")
        self.is_a(self.cpp("for (int i = 0; i < n; i++) for (auto& each : tree) x[i] += each.second;"), "count", "has to be counted")
        for jump in ("break", "goto out"):
            self.is_a(self.c(f"for (i = 0; i < n; i++) {{ for (int k = 0; k < 1000; k++) {{ if (k > i) {jump}; y[i] += k; }} out: x[i] = 1; }}"), "count",
                      "a loop that may end early")
        for same in ("for (int k = 0; k < 1000; k++) { if (k > m) break; y[i] += k; }",
                     "for (int k = 0; k < 9; k++) { if (k > i) break; y[i] += k; } for (int k = 0; k < 1000; k++) y[i] += k;"):
            self.is_a(self.c(f"for (i = 0; i < n; i++) {{ {same} }}"), "equal")

    def test_a_retried_exchange_is_no_loop(self):
        self.is_a(self.cpp("for (int i = 0; i < n; i++) { int old = hits[0]; while (!hits[0].compare_exchange_weak(old, old + 1)) {} }"),
                  "equal")

    def test_not_seen(self):
        text = CPP + "#pragma omp parallel for\nfor (int i = 0; i < n; i++) for (int k = 0; k < row[i]; k++) x[i] += k;\n}\n"
        (loop,) = loops_of(text, "c++")
        self.is_a(loop, "not seen")

    def test_what_the_loop_writes_is_not_read(self):
        for body in ("mark[i] = m; for (int k = 0; k < mark[i]; k++) y[i] += k;",
                     "int* at = mark + i; *at = m; for (int k = 0; k < mark[col[i]]; k++) y[i] += k;",
                     "int k = 0; counted(&k); for (; k < row[i]; k++) y[i] += k;",
                     "shared++; for (int k = 0; k < shared; k++) y[i] += k;",
                     "unseen(y); for (int k = 0; k < mark[i]; k++) y[i] += k;"):
            with self.subTest(body=body):
                self.is_a(self.c(f"for (i = 0; i < n; i++) {{ {body} }}"), "count")

    def test_what_others_point_to_may_be_what_is_read(self):
        """An iterator, a view, a pointer that was set before the loop; each reaches what the cost is read from."""
        head = (CPP.replace("template <typename Id> class graph", "struct view { int* at; int size; int& operator[](int i) const { return at[i]; } };\n"
                            "static void set(view all, int i) { all[i] = i; }\nvoid unseen(const int*);\ntemplate <typename Id> class graph")
                + "std::vector<int> deg(n); auto first = deg.begin(); view all{deg.data(), n}; view many(all); int* old = &deg[0];\n")
        head = head.replace("#include <vector>", "#include <vector>\n#include <algorithm>")
        tail = "}\ntemplate void code<int>(const graph<int>&, int, std::vector<double>&, std::vector<std::vector<int>>&, std::map<int, int>&, const std::vector<int>&, std::atomic<int>*);\n"
        for body in ("first[i] = i;", "auto at = deg.begin(); *at = i;", "auto at = deg.begin() + i; at[0] = i;", "many[i] = i;", "set(many, i);",
                     "old[i] = i;", "view mine{&deg[0], n}; mine[i] = i;", "view mine = many; set(mine, i);", "std::fill(first, first + i, 1);",
                     "unseen(deg.data());", "unseen(nullptr);"):
            with self.subTest(body=body):
                found = self.loop_in(head, f"for (int i = 0; i < n; i++) {{ {body} for (int k = 0; k < deg[i]; k++) x[i] += k; }}", tail, "c++")
                self.assertEqual(found["slice"], "", found)
        for body in ("x[i] = i;", "std::vector<int> own(3); auto at = own.begin(); *at = i;", "lists[i][0] = i;"):
            with self.subTest(body=body):
                found = self.loop_in(head, f"for (int i = 0; i < n; i++) {{ {body} for (int k = 0; k < deg[i]; k++) x[i] += k; }}", tail, "c++")
                self.is_a(found, "exact")

    def test_a_temporary_is_no_memory_of_what_it_was_made_of(self):
        """Its members have the type of what is written, over pointers that come from the same variable."""
        loop = self.cpp("for (int i = 0; i < n; i++) { Id* from = g.around(i).begin(); Id* to = g.around(i).end(); *from = 0; "
                        "for (Id* at = from; at != to; ++at) x[i] += 1; }")
        self.is_a(loop, "exact")
        self.assertIn("around", loop["slice"])

    def test_a_variable_of_the_file_that_is_private(self):
        head = C.replace("void code(", "static int first, behind; static int seen(void) { return behind; } void code(")
        for bound, kind in (("behind", "exact"), ("seen()", "count")):
            text = f"for (i = 0; i < n; i++) {{ first = row[i]; behind = row[i + 1]; for (int k = first; k < {bound}; k++) y[i] += k; }}"
            self.is_a(self.loop_in(head, text, "}\n", "c", "#pragma omp parallel for private(first, behind)"), kind)

    def test_a_pointer_to_const_promises_nothing(self):
        text = "for (i = 0; i < n; i++) { unseen(x); for (int k = 0; k < row[i]; k++) y[i] += k; }"
        self.is_a(self.c(text), "count", "unseen may write")
        fixed = C.replace("extern int shared;", "static const int fixed[8] = {1};")
        found = self.loop_in(fixed.replace("shared", "fixed[0]"), text.replace("row[i]", "fixed[i & 7]"), "}\n", "c")
        self.is_a(found, "exact")

    def test_a_virtual_function_may_be_another_one(self):
        head = CPP.replace("struct fewer", "struct base { virtual void work(double*) const {} };\nstruct fewer")
        tail = "}\ntemplate void code<int>(const graph<int>&, int, std::vector<double>&, std::vector<std::vector<int>>&, std::map<int, int>&, const std::vector<int>&, std::atomic<int>*);\n"
        found = self.loop_in(head.replace("const std::vector<int>& row", "const std::vector<int>& row, const base* those = nullptr"),
                             "for (int i = 0; i < n; i++) { those->work(&x[0]); for (int k = 0; k < row[i]; k++) x[i] += k; }", tail, "c++")
        self.assertEqual(found["slice"], "", found)

    def test_side_effects_and_volatiles_are_not_repeated(self):
        for bound in ("counted(mark + 1)", "i + (int)flag", "*(volatile int*)(mark + i)"):
            with self.subTest(bound=bound):
                self.is_a(self.c(f"for (i = 0; i < n; i++) for (int k = 0; k < {bound}; k++) y[i] += k;"), "count")

    def test_a_function_that_checks_its_arguments_is_pure(self):
        head = C.replace("static int degree(const int* row, int i) {", "static int degree(const int* row, int i) { assert(i >= 0);")
        loop = self.loop_in("#include <assert.h>\n" + head, "for (i = 0; i < n; i++) for (int j = 0; j < degree(row, i); j++) y[i] += x[j];",
                            "}", "c")
        self.is_a(loop, "exact")

    def test_what_belongs_to_a_thread_is_not_read(self):
        self.is_a(self.c("for (i = 0; i < n; i++) for (int k = 0; k < own + i; k++) y[i] += k;"), "count", "belongs to a thread")
        self.is_a(self.c("for (i = 0; i < n; i++) for (int k = 0; k < from + i; k++) y[i] += k;",
                         "#pragma omp parallel for private(from)"), "count", "belongs to a thread")

    def test_a_branch_that_cannot_be_told(self):
        """It is taken for the dearer one where that reads nothing, and is unknown where it does."""
        loop = self.c("for (i = 0; i < n; i++) { if (y[i] > 0) for (int k = 0; k < i; k++) y[i] += k; "
                      "for (int k = 0; k < 9 * i; k++) y[i] += k; }")
        self.is_a(loop, "partial", "dearer")
        loop = self.c("for (i = 0; i < n; i++) { if (y[i] > 0) for (int k = 0; k < row[i]; k++) y[i] += k; "
                      "for (int k = 0; k < 99; k++) y[i] += k; for (int k = 0; k < i; k++) y[i] += k; }")
        self.is_a(loop, "partial", "cannot be told")
        self.assertNotIn("row", loop["slice"])

    def test_author(self):
        loop = self.c("for (i = 0; i < n; i++) while (y[i] > i) y[i] /= 2;",
                      "#pragma steelyard cost((row[i + 1] - row[i]) * 3)\n\n#pragma omp parallel for")
        self.is_a(loop, "author")
        self.assertEqual(loop["slice"], "steelyard_w += (double)((row[i + 1] - row[i]) * 3); ")
        loop = self.c("for (i = 0; i < n; i++) for (int k = 0; k < row[i]; k++) y[i] += k;",
                      "#pragma steelyard leave\n#pragma omp parallel for")
        self.assertEqual((loop["class"], loop["slice"], loop["reason"]), ("author", "", "the author leaves it alone"))
        loop = self.c("for (i = 0; i < n; i++) for (int k = 0; k < row[i]; k++) y[i] += k;",
                      "#pragma steelyard cost(1) + (2)\n#pragma omp parallel for")
        self.is_a(loop, "exact")

    def test_five_percent(self):
        """A slice that costs as much as its loop is not run for all iterations."""
        loop = self.c("for (i = 0; i < n; i++) for (int k = row[i]; k < row[i + 1]; k++) for (int l = 0; l < col[k]; l++) mark[i] += 1;")
        self.is_a(loop, "nested")
        self.assertEqual(loop["fill"], "sampled")
        self.assertGreater(loop["share"], 0.05)


if __name__ == "__main__":
    unittest.main()
