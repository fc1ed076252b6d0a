# SPDX-License-Identifier: Apache-2.0
"""Loops at random whose iterations call tick() as often as their bounds say."""
import random

DATA = """
enum {{ N = 30, MORE = 400 }};
struct item {{ int from, to; short width; double value; }};
static int row[N + 8], col[MORE], deg[N + 8];
static unsigned char small[N + 8];
static long wide[N + 8];
static struct item items[N + 8];
static int n = N, m = 5;
static unsigned u = 4;
static void tick(double* at) {{ *at += 1; }}
static int next_degree(const int* of, int at) {{ return of[at + 1]; }}
static int lesser(int a, int b) {{ return a < b ? a : b; }}
static void each(double* out, int n) {{ int i; for (i = 0; i < n; i++) tick(out); }}
static void pairs(double* out, const int* of, int m) {{
  int i, j;
  if (m > 20) return;
  for (i = 0; i < m; i++) for (j = i; j < of[i]; j++) tick(out);
}}
static void deeper(double* out, int u) {{ each(out, u + 1); if (u % 2) each(out, u); else tick(out); }}
{more}
"""

IN_CPP = """
#include <vector>
static std::vector<int> list;
static std::vector<std::vector<int>> lists;
class graph {
 public:
  int degree(int at) const { return row[at + 1] - row[at]; }
  const int* begin(int at) const { return col + row[at]; }
  const int* end(int at) const { return col + row[at + 1]; }
};
static graph whole;
"""


class Body:
    """A loop's body; every statement in one line."""

    def __init__(self, rng, cpp):
        self.rng = rng
        self.cpp = cpp
        self.names = 0
        self.private = []  # declared before the loop
        self.lines = []
        self.statements(["i"], 0)
        if not any("tick" in line or "out + i" in line for line in self.lines):
            self.lines.append("tick(out + i);")

    def name(self, stem):
        self.names += 1
        return f"{stem}{self.names}"

    def index(self, known):
        """Within the arrays: 0 to N."""
        one = self.rng.choice(known)
        return "i" if one == "i" else self.rng.choice([f"({one} + i) % N", f"lesser({one}, N - 1)"])

    def natural(self, known):
        """From 0 to 60."""
        at = self.index(known)
        some = [f"{self.rng.randint(0, 9)}", "m", f"deg[{at}]", "i", f"items[{at}].width", f"row[{at} + 1] - row[{at}]",
                f"small[{at}]", f"deg[col[row[{at}]]]", f"(i < m ? i : m)", f"next_degree(deg, {at})", f"lesser(i, deg[{at}])",
                "(int)u", f"(int)wide[{at}]", f"items[{at}].to - items[{at}].from", f"i / {self.rng.randint(1, 4)} + 1",
                f"(deg[{at}] & 3) * 2"]
        some += [f"lesser({each}, 9)" for each in known if each != "i"]
        if self.cpp:
            some += ["(int)list.size()", f"list[{at}]", f"(int)lists[{at}].size()", f"whole.degree({at})",
                     f"static_cast<int>(wide[{at}])"]
        return self.rng.choice(some)

    def predicate(self, known):
        at = self.index(known)
        return self.rng.choice([f"i % {self.rng.randint(2, 4)} == 1", f"deg[{at}] > {self.rng.randint(0, 6)}",
                                f"(items[{at}].to & 1) == 0", f"i > 0 && deg[i - 1] < 4", f"i + 3 < N && col[row[i + 3]] % 2",
                                f"!small[{at}]", f"wide[{at}] < i || m > 7"])

    def statements(self, known, depth):
        for _ in range(self.rng.randint(1, 3)):
            self.statement(known, depth)

    def statement(self, known, depth):
        kinds = ["tick", "local", "loop", "loop", "loop", "branch", "call", "set", "either", "block", "divided"]
        if depth < 2:
            kinds += ["guard", "hidden"]
        if self.cpp:
            kinds += ["range", "iterators"]
        kind = self.rng.choice(kinds if depth < 3 else ["tick", "local"])
        getattr(self, kind)(known, depth)

    def inside(self, known, depth):
        self.statements(known, depth + 1)
        self.lines.append("}")

    def tick(self, known, depth):
        self.lines.append("tick(out + i);")

    def local(self, known, depth):
        name = self.name("a")
        kind = self.rng.choice(["int", "long", "const int", "short"])
        self.lines.append(f"{kind} {name} = {self.natural(known)};")
        self.lines.append(f"for (int x = 0; x < {name}; x += {self.rng.randint(1, 3)}) tick(out + i);")

    def set(self, known, depth):
        """As in C89."""
        cur, last = self.name("cur"), self.name("last")
        self.private += [("struct item*", cur), ("int", last)]
        self.lines.append(f"{cur} = items + {self.index(known)}; {last} = {cur}->to;")
        self.lines.append(f"for (int x = {cur}->from; x != {last}; ++x) tick(out + i);")

    def either(self, known, depth):
        """One value in both branches; another beside it that may hang on it, or behind a guard."""
        last, first = self.name("last"), self.name("first")
        self.private += [("int", last), ("int", first)]
        guard = f"if ({self.predicate(known)}) continue; " if depth == 0 and self.rng.random() < 0.2 else ""
        beside = self.rng.choice([f"{first} = {last};", f"{first} = deg[{last} % N];", f"{first} = {self.natural(known)};"])
        self.lines.append(f"if ({self.predicate(known)}) {{ {guard}{last} = {self.natural(known)}; {beside} }} "
                          f"else {{ {last} = {self.natural(known)}; {first} = 0; }}")
        self.lines.append(f"for (int x = 0; x < {last}; ++x) tick(out + i);")
        self.lines.append(f"for (int x = 0; x < {first}; ++x) tick(out + i);")

    def branch(self, known, depth):
        self.lines.append(f"if ({self.predicate(known)}) {{")
        self.inside(known, depth)
        if self.rng.random() < 0.5:
            self.lines.append("else {")
            self.inside(known, depth)

    def guard(self, known, depth):
        self.lines.append(f"if ({self.predicate(known)}) continue;")

    def hidden(self, known, depth):
        """A predicate over what the loop writes."""
        if self.rng.random() < 0.7:
            return
        self.lines.append(f"if (out[i] > {self.rng.randint(0, 5)}) {{")
        self.inside(known, depth)

    def call(self, known, depth):
        name = self.rng.choice(["each", "deeper"])
        calls = [f"{name}(out + i, {self.natural(known)});", f"pairs(out + i, deg, {self.natural(known)});"]
        self.lines.append(self.rng.choice(calls))

    def block(self, known, depth):
        name = self.name("b")
        self.lines.append(f"{{ int {name} = {self.natural(known)}; {{ int i2 = {name} / 2; each(out + i, i2); }}")
        self.inside(known, depth)

    def divided(self, known, depth):
        at = self.index(known)
        self.lines.append(f"if (deg[{at}]) for (int x = 40 / deg[{at}]; x > 0; --x) tick(out + i);")

    def range(self, known, depth):
        name = self.name("v")
        kind = self.rng.choice(["int", "auto", "const auto&"])
        over = self.rng.choice([f"lists[{self.index(known)}]", "list"])
        self.lines.append(f"for ({kind} {name} : {over}) {{")
        self.inside(known, depth)

    def iterators(self, known, depth):
        name, at = self.name("p"), self.index(known)
        self.lines.append(self.rng.choice([
            f"for (auto {name} = lists[{at}].begin(); {name} != lists[{at}].end(); ++{name}) {{",
            f"for (const int* {name} = whole.begin({at}); {name} < whole.end({at}); {name} += 2) {{"]))
        self.inside(known, depth)

    def loop(self, known, depth):
        name, bound = self.name("j"), self.natural(known)
        low = self.rng.choice(["0", "1", f"{self.rng.randint(0, 4)}", "i / 2", f"deg[{self.index(known)}] / 3"])
        step = self.rng.choice([1, 1, 1, 2, 3])
        kind = self.rng.choice(["int", "int", "long", "short", "unsigned", "unsigned char", "unsigned long"])
        more = {1: self.rng.choice([f"{name}++", f"++{name}", f"{name} += 1"])}.get(
            step, self.rng.choice([f"{name} += {step}", f"{name} = {name} + {step}"]))
        less = {1: f"{name}--"}.get(step, f"{name} -= {step}")
        signed = "unsigned" not in kind
        headers = [f"{name} = {low}; {name} < {bound}; {more}", f"{name} = {low}; {name} <= {bound}; {more}",
                   f"{name} = {low}; {bound} > {name}; {more}", f"{name} = 0; {name} < {bound}; {name} += m"]
        if step == 1:
            headers += [f"{name} = 0; {name} != {bound}; {more}"]
        if signed:
            headers += [f"{name} = {bound}; {name} > {low}; {less}", f"{name} = {bound}; {name} >= {low}; {less}",
                        f"{name} = -3; {name} < {bound} - 6; {more}"]
        header = self.rng.choice(headers)
        if signed and self.rng.random() < 0.3:
            self.private.append((kind, name))
            self.lines.append(f"for ({header}) {{")
        else:
            self.lines.append(f"for ({kind} {header}) {{")
        self.inside(known if "-3" in header else known + [name], depth)


class Loop:
    """A function with one parallel loop. `i` of its iterations is unique, from 0 to N - 1."""

    HEADERS = ("for (int i = 0; i < N; i++)", "for (int i = N - 1; i >= 0; i--)", "for (long i = 0; i < n; i += 2)",
               "for (short i = 0; i != N; ++i)", "for (int i = 1; i <= n - 1; i = i + 3)")

    def __init__(self, number, rng, cpp):
        self.number = number
        body = Body(rng, cpp)
        self.header = rng.choice(self.HEADERS)
        self.lines = body.lines
        names = [name for _, name in body.private]
        self.declarations = " ".join(f"{kind} {name};" for kind, name in body.private)
        self.template = cpp and rng.random() < 0.4
        if self.template:
            self.header = self.header.replace("(int i", "(Index i").replace("(long i", "(Index i")
        self.pragma = "#pragma omp parallel for" + (f" private({', '.join(names)})" if names else "")

    def text(self, slice_=None):
        """With a slice: the estimator, when it is asked."""
        estimator = ""
        if slice_ is not None:
            seeds = ", ".join(str(seed) for seed in slice_["seeds"]) or "0"
            estimator = (f"  if (estimate) {{ {self.header} {{ double steelyard_w = 0; static const double steelyard_c[] = {{ {seeds} }};"
                         f" (void)steelyard_c; {slice_['slice']} estimate[i] = steelyard_w; }} return; }}\n")
        body = "\n    ".join(self.lines)
        head = f"void loop{self.number}(double* out, double* estimate)"
        start, end = f"static {head}", ""
        if self.template:
            start = f"template <typename Real, typename Index> {head.replace('double', 'Real')}"
            end = f"template {head.replace('(', '<double, int>(')};\n"
        return f"{start} {{\n  {self.declarations}\n{estimator}{self.pragma}\n  {self.header} {{\n    {body}\n  }}\n}}\n{end}"

    def name(self):
        return f"loop{self.number}" + ("<double, int>" if self.template else "")


def loops(count, seed, cpp):
    rng = random.Random(seed)
    return [Loop(number, rng, cpp) for number in range(count)]


def data(cpp):
    return DATA.format(more=IN_CPP if cpp else "")
