# SPDX-License-Identifier: Apache-2.0
"""What functions, methods, lambdas and copies write and read: a slice reads nothing that the loop may write, and writes nothing."""
import unittest

from costs import loops_of


class Memory(unittest.TestCase):
    def slices(self, declared, cases, behind=""):
        """Loops of C++: a body, and a bound."""
        for body, bound in cases:
            text = f"for (int i = 0; i < n; i++) {{ {body}; for (int k = 0; k < {bound} + i; k++) x[i] += k; }}"
            (loop,) = loops_of(f"{declared}#pragma omp parallel for\n{text}\n}}\n{behind}", "c++")
            yield body, bound, loop

    def refuses(self, declared, cases, behind=""):
        for body, bound, loop in self.slices(declared, cases, behind):
            with self.subTest(body=body, bound=bound):
                self.assertEqual(loop["slice"], "", loop)

    def tells(self, declared, cases, behind=""):
        for body, bound, loop in self.slices(declared, cases, behind):
            with self.subTest(body=body, bound=bound):
                self.assertNotEqual(loop["slice"], "", loop)

    def test_what_methods_write_and_read_in_memory(self):
        head = """
struct record { int size; double w; static int limit;
  int length() const { return size; } int twice() const { return 2 * length(); } int most() const { return limit; } void set(int v) { size = v; } };
struct over { record* p; over(record* q) : p(q) {} int len() const { return p->length(); } void put(int i) { p->set(i); } };
struct given { int lim; int* p; int len() const { return lim; } void set(int i) { lim = i; } };
struct collects { int* out; int sum; collects(int* o) : out(o), sum(0) {} ~collects() { *out = sum; } void add(int i) { sum += i; } };
struct lasting { int size = record::limit; lasting(int) {} int length() const { return size; } };
struct limited { int v; limited() : v(record::limit) {} int len() const { return v; } };
struct reads { int* p; int v; reads(int* q) : p(q) { v = p[0]; } int len() const { return v; } };
struct looks { int* p; int v; looks(int* q) : p(q), v(*p) {} int len() const { return v; } };
struct writes { int* p; int v; writes(int* q) : p(q) { *p = 5; v = 3; } int len() const { return v; } void set(int i) { v = i; } };
struct from { int v; from(int* p) : v(*p) {} int len() const { return v; } void set(int i) { v = i; } };
struct inherits : from { using from::from; };
struct aggregate { int* p; int v = p[0]; int len() const { return v; } };
struct within { double w; int first(int* r) const { return aggregate{r}.len(); } };
static record get(record* all, int i) { return all[i]; }
static record max(record* all, int i) { return all[i]; }
static void put(record* p, int i) { p->set(i); }
static int bump(record* p) { p->set(p->length() + 1); return p->length(); }
static int later(int n = record::limit) { return n; }
void f(int n, double* x, record* all, int* row, given* ss, const within& m) { record* p = all; record& one = all[1]; given* q = ss; over s{all};
"""
        self.refuses(head, (("all[i].size = i", "p->length()"), ("all[i].size = i", "all[i].twice()"), ("all[i].size = i", "one.length()"),
                            ("p->set(i)", "all[0].size"), ("put(all, i)", "all[0].size"), ("x[i] = i", "bump(all)"), ("all[i].size = i", "s.len()"),
                            ("over(all).put(i)", "all->size"), ("all[i].size = i", "over(all).len()"), ("all[i].size = i", "record(all[0]).length()"),
                            ("all[i].size = i", "get(all, i).length()"), ("all[i].size = i", "max(all, i).length()"),
                            ("q[i].lim = i", "ss[i].len()"), ("ss[i].set(i)", "q[i].lim"), ("collects(row + i).add(i)", "row[0]"),
                            ("row[i] = i", "reads(row).len()"), ("row[i] = i", "looks(row).len()"), ("row[i] = i", "from(row).len()"),
                            ("row[i] = i", "writes(row).len()"), ("writes(row + i).set(i)", "row[0]"), ("x[i] = i", "writes(row).len()"),
                            ("row[i] = i", "inherits(row).len()"), ("row[i] = i", "m.first(row)"),
                            ("record::limit = i", "all[i].most()"), ("record::limit = i", "later()"), ("record::limit = i", "lasting(1).length()"),
                            ("record::limit = i", "record().most()"), ("record::limit = i", "limited().len()")))

    def test_what_lambdas_write_and_read(self):
        head = """
struct S { int lim; auto setter() { return [this](int i) { lim = i; }; } auto getter() { return [this](int i) { return lim + i; }; } };
template <class F> void apply(F f, int i) { f(i); }
template <class F> int applied(F f, int i) { f(i); return i; }
void f(int n, double* x, S& s) { auto set = s.setter(); auto get = s.getter();
"""
        self.refuses(head, (("set(i)", "s.lim"), ("s.lim = i", "get(i)"), ("apply(set, i)", "s.lim"), ("x[i] = i", "applied(set, i)")))

    def test_what_is_copied_is_read_as_far_as_it_is_used(self):
        head = """
struct view { double* p; int n; };
struct cell { double z; int w; cell(int a) : z(0), w(a) {} };
static int weight(int i) { cell c(i); return c.w; }
void f(int n, double* x, view* vs, int* row) {
"""
        self.tells(head, (("view v = vs[i]; v.p[0] += 1", "v.n"), ("cell c = cell(row[i])", "row[i]"), ("x[i] = 0", "weight(i)")))

    def test_a_function_that_is_declared_before_it_is_defined(self):
        head = """
static void put(int* to, int i); static int count(int* of);
void f(int n, double* x, int* row, int* other) {
"""
        tail = "static void put(int* to, int i) { to[i] = i; }\nstatic int count(int* of) { return ++of[0]; }\n"
        self.refuses(head, (("put(row, i)", "row[0]"), ("x[i] = i", "count(row)")), tail)
        self.tells(head, (("put(other, i)", "row[0]"),), tail)

    def test_functions_that_call_each_other(self):
        head = """
static int seen;
static int even(int i); static int odd(int i) { return i == 0 ? 0 : even(i - 1); }
static int even(int i) { seen = i; return i == 0 ? 1 : odd(i - 1); }
static int down(int i) { seen = i; return i == 0 ? 0 : down(i - 1); }
void f(int n, double* x, int* row) { x[0] = odd(n) + even(n);
"""
        self.refuses(head, (("odd(i)", "seen"), ("even(i)", "seen"), ("down(i)", "seen"), ("x[i] = i", "odd(3)"), ("x[i] = i", "down(3)")))

    def test_what_is_copied_as_a_whole(self):
        head = """
struct pair { int one, two; };
struct base { int size; };
struct record : base { double w; pair both[2]; };
struct kept { record of; kept(const record& r) : of(r) {} int len() const { return of.size; } };
void f(int n, double* x, record* all, pair* pairs, record& one) {
"""
        self.refuses(head, (("all[i].size = i; record c = all[0]", "c.size"), ("all[i].both[1].two = i; record c = all[0]", "c.both[0].one"),
                            ("all[i].size = i; kept c = kept(all[0])", "c.len()"), ("one.size = i; record c = one", "c.size"),
                            ("pairs[i].two = i; pair c = pairs[0]", "c.one"), ("pairs[i].two = i", "pair(pairs[0]).one")))
        self.tells(head, (("x[i] = i; record c = all[0]", "c.size"), ("all[i].w = i; pair c = pairs[0]", "c.one"), ("one.w = 1", "one.size")))

    def test_what_is_captured(self):
        head = """
struct S { int lim; int* data;
  void run(int n, double* x);
};
void S::run(int n, double* x) {
  int limit = n; int* at = data; auto grow = [&] { limit++; }; auto widen = [this](int i) { lim = i; }; auto set = [at](int i) { at[i] = i; };
"""
        self.refuses(head, (("grow()", "limit"), ("x[i] = i", "(grow(), 3)"), ("widen(i)", "lim"), ("set(i)", "data[0]"), ("at[i] = i", "data[0]")))

    def test_a_handle_that_is_set_by_a_method(self):
        head = """
struct at { int* p; at(int* q) : p(q) {} at& operator=(const at& o) { p = o.p; return *this; } void lead(int* q) { p = q; } int& operator*() { return *p; } };
void f(int n, double* x, int* row, int* other) {
"""
        self.refuses(head, (("at a(other); a = at(row); *a = i", "row[0]"), ("at a(other); a.lead(row); *a = i", "row[0]"), ("at a(row); *a = i", "row[0]")))
        self.tells(head, (("at a(other); *a = i", "row[0]"),))

    def test_values_that_are_written_at_the_declaration(self):
        head = """
static int calls; static int next() { return ++calls; } static int limit;
static int later(int n = next()) { return n; } static int most(int n = limit) { return n; }
struct made { int v = next(); int w = limit; made() {} int len() const { return v + w; } };
struct part { part() { limit = 3; } }; struct whole { part p; int v = 1; };
void f(int n, double* x) {
"""
        self.refuses(head, (("x[i] = i", "later()"), ("x[i] = i", "made().len()"), ("limit = i", "most()"), ("made()", "calls"), ("later()", "calls"),
                            ("whole()", "limit"), ("whole w", "limit")))
        self.tells(head, (("x[i] = i", "most()"),))


if __name__ == "__main__":
    unittest.main()
