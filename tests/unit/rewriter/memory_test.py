# SPDX-License-Identifier: Apache-2.0
"""What functions, methods, lambdas and copies write and read: a slice reads nothing that the loop may write, and writes nothing."""
import os
import unittest

from costs import loops_of

CLANG = int(os.environ["STEELYARD_TEST_CLANG"])


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

    def test_what_destructors_do(self):
        head = """
#include <memory>
struct timer { int* t; timer(int* q) : t(q) {} ~timer() { ++*t; } int get() const { return 3; } };
struct sum { int* out; double s = 0; sum(int* o) : out(o) {} ~sum() { *out = 1; } };
struct holds { sum of; holds(int* o) : of(o) {} };
static int w(int i, int* t) { timer z(t); return i; }
static int made(int i, int* t) { return timer(t).get() + i; }
void f(int n, double* x, int* row, sum** all, int* other) {
"""
        self.refuses(head, (("x[i] = 0", "w(i, row)"), ("x[i] = 0", "made(i, row)"), ("sum a(row + i)", "row[0]"), ("holds a(row + i)", "row[0]"),
                            ("delete all[i]", "row[0]"), ("sum(row + i)", "row[0]"), ("sum a[2] = {row, row}", "row[0]")))

    def test_functions_of_the_program_that_are_named_like_others(self):
        head = """
#include <algorithm>
#include <cmath>
struct pair { int one, two; };
static double seen; static double log(int l) { seen = l; return l; } static int min(pair& a) { a.one = 3; return 1; }
struct stat { int n, top; int max() { ++n; return top; } void round(int i) { n = i; } int floor() const { return n; } };
void f(int n, double* x, stat& s, pair& p) {
"""
        self.refuses(head, (("x[i] = 0", "s.max()"), ("s.round(i)", "s.n"), ("s.n = i", "s.floor()"), ("log(i)", "int(seen)"), ("x[i] = 0", "min(p)")))
        self.tells(head, (("x[i] = std::max(1, i)", "std::min(i, s.n)"), ("x[i] = std::log(2.0 + i)", "s.floor()")))

    def test_what_lambdas_have_of_their_own(self):
        head = """
#include <algorithm>
#include <functional>
void f(int n, double* x, int* v) { auto next = [c = 0]() mutable { return ++c; }; int lim = n, a = n, b = n; auto set = [&l = lim](int i) { l = i; };
  auto add = [&](int q) { a += q; b -= q; }; std::function<void(int)> any = add; int* p = n > 3 ? &a : &b;
"""
        self.refuses(head, (("x[i] = 0", "next()"), ("set(i)", "lim"), ("std::for_each(v, v + 3, add)", "a"), ("any(i)", "a"), ("any(i)", "v[0]"),
                            ("*p = i", "a"), ("(i ? a : b) = i", "a")))

    def test_references_to_numbers(self):
        head = """
struct acc { int& r; acc(int& q) : r(q) {} void add(int i) { r += i; } int len() const { return r; } }; struct ref { int& r; };
struct at { int* p; void lead(int& q) { p = &q; } void put(int i) { *p = i; } };
void f(int n, double* x, int* row, int* other) { acc before(row[0]); at q{other};
"""
        self.refuses(head, (("acc a(row[0]); a.add(i)", "row[0]"), ("ref a{row[0]}; a.r = i", "row[0]"), ("before.add(i)", "row[0]"),
                            ("row[0] = i", "before.len()"), ("at a{other}; a.lead(row[0]); a.put(i)", "row[0]")))
        self.tells(head, (("at a{other}; a.put(i)", "row[0]"),))

    def test_structured_bindings(self):
        head = """
#include <vector>
struct pair { int one, two; };
static int w(pair* q) { auto& [a, b] = *q; return a; }
void f(int n, double* x, pair* ps, std::vector<pair>& vp, int* row) { auto& [first, second] = ps[0];
"""
        self.refuses(head, (("auto& [a, b] = ps[i]; a = i", "ps[0].one"), ("ps[i].one = i", "w(ps)"), ("for (auto& [o, t] : vp) o = i", "vp[0].one")))
        if CLANG != 16:  # which dies of one that is used in a region
            self.refuses(head, (("first = i", "ps[0].one"), ("ps[i].one = i", "first")))
        self.tells(head, (("auto [a, b] = ps[i]; x[i] = a + b", "row[0]"), ("auto& [a, b] = ps[i]; x[i] = a + b", "ps[0].one")))

    def test_functions_that_set_pointers(self):
        head = """
struct h { int* p; };
static void lead(h& a, int* q) { a.p = q; } static void to(h* a, int* q) { a->p = q; } static void point(int** a, int* q) { *a = q; }
void f(int n, double* x, int* row, int* other) {
"""
        self.refuses(head, (("h a{other}; lead(a, row); *a.p = i", "row[0]"), ("h a{other}; to(&a, row); *a.p = i", "row[0]"),
                            ("int* a = other; point(&a, row); *a = i", "row[0]")))
        self.tells(head, (("h a{other}; *a.p = i", "row[0]"),))

    def test_what_functions_read_that_belongs_to_a_thread(self):
        head = """
static int mine;
#pragma omp threadprivate(mine)
static thread_local int own; static volatile int flag; static int all;
static int a() { return mine; } static int b() { return own; } static int c() { return flag; } static int d() { return all; }
void f(int n, double* x) {
"""
        self.refuses(head, (("x[i] = 0", "a()"), ("x[i] = 0", "b()"), ("x[i] = 0", "c()")))
        self.tells(head, (("x[i] = 0", "d()"),))

    def test_what_is_made_elsewhere(self):
        head = """
#include <new>
#include <utility>
#include <vector>
static int g; struct T { T() { ++g; } int v; }; struct U { T a[2]; }; struct node { int v; node(int i) : v(i) {} };
struct bag { std::vector<int> all; }; union either { int i; float f; };
static int w(int i) { U u{}; return i; } static int many(int i) { T t[4] = {}; return i; }
void f(int n, double* x, node* pool, int* row, std::vector<std::vector<int>>& b, bag* bags, either* us) {
"""
        self.refuses(head, (("x[i] = 0", "w(i)"), ("x[i] = 0", "many(i)"), ("new (pool + i) node(i)", "pool[0].v"), ("new (row) int(i)", "row[0]"),
                            ("std::vector<int> t = std::move(b[i])", "b[0].size()"), ("bag t = std::move(bags[i])", "bags[0].all.size()"),
                            ("us[i].f = 1", "us[0].i")))
        self.tells(head, (("x[i] = 0", "us[0].i"), ("std::vector<int> t = b[i]", "b[0].size()")))

    def test_what_global_pointers_are_set_from(self):
        head = """
static int store[100], *slots = store, *later, *made, other[100]; static struct { int* at; } held = {store}; struct row { int n; };
static row *rows[100], **lines = rows, spare; static void put(int i) { rows[i] = &spare; } static void set() { later = store; }
static void* allocate(); static void make() { made = (int*)allocate(); }
void f(int n, double* x, row* pool) {
"""
        self.refuses(head, (("slots[i] = i", "store[0]"), ("later[i] = i", "store[0]"), ("held.at[i] = i", "store[0]"), ("store[i] = i", "slots[0]"),
                            ("lines[i] = pool + i", "rows[i]->n"), ("rows[i] = pool + i", "lines[i]->n")))
        self.tells(head, (("slots[i] = i", "other[0]"), ("made[i] = i", "store[0]"), ("made[i] = i", "slots[0]")))

    def test_what_is_given_back(self):
        head = """
#include <tuple>
#include <utility>
#include <vector>
static int& first(std::vector<int>& v) { return v[0]; } static const int& one(const std::vector<int>& v) { return v[0]; }
struct row { int n; }; struct to { row** at; void operator=(row* r) const { *at = r; } };
struct view { row** base; to operator[](int k) const { return {base + k}; } };
void f(int n, double* x, row* pool) { std::vector<std::pair<int, int>> t(n); std::vector<int> v(n), w(n); std::vector<row*> rows(n); view all{rows.data()};
"""
        self.refuses(head, (("std::get<1>(t[i]) = i", "t[0].second"), ("std::forward<int&>(v[i]) = i", "v[0]"), ("first(v) = i", "v[0]"), ("all[i] = pool + i", "rows[0]->n")))
        self.tells(head, (("std::get<1>(t[i]) = i", "v[0]"), ("x[i] = one(v)", "v[0]"), ("first(v) = i", "int(w.size())")))

    def test_subscripts_that_make_what_is_missing(self):
        head = "#include <map>\n#include <vector>\nvoid f(int n, double* x, std::map<int, int>& m, std::vector<int>& v) {\n"
        self.refuses(head, (("x[i] = i", "m[i]"),))
        self.tells(head, (("x[i] = i", "v[i]"), ("x[i] = i", "m.size()")))

    def test_what_is_filled_is_as_long_as_its_range(self):
        head = "#include <algorithm>\n#include <cstring>\nvoid f(int n, double* x, int* v) {\n"
        for body, trips in (("std::fill(v, v + n - i, i)", "(v + n - i) - (v)"), ("memset(v, 0, i)", "(i) / 8")):
            for _, _, loop in self.slices(head, ((body, "3"),)):
                self.assertIn(trips, loop["slice"], loop)


if __name__ == "__main__":
    unittest.main()
