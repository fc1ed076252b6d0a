// SPDX-License-Identifier: Apache-2.0
// cows-openmp: one policy for each clause, which stands in the source: libgomp runs schedule(runtime) more slowly.
#include <string>

#include <omp.h>

#include "program.hpp"

namespace {

using cows::csr;
using cows::vertex;

struct openmp_loops {
  vertex n;
  std::uint64_t count = 0;
};

struct static_loops : openmp_loops {
  template <class Cost, class Body>
  void for_each(unsigned, const Cost&, Body&& body) {
    ++count;
#pragma omp parallel for schedule(static)
    for (vertex v = 0; v < n; ++v) body(v);
  }
};

struct cyclic_loops : openmp_loops {
  template <class Cost, class Body>
  void for_each(unsigned, const Cost&, Body&& body) {
    ++count;
#pragma omp parallel for schedule(static, 1)
    for (vertex v = 0; v < n; ++v) body(v);
  }
};

struct dynamic_loops : openmp_loops {
  template <class Cost, class Body>
  void for_each(unsigned, const Cost&, Body&& body) {
    ++count;
#pragma omp parallel for schedule(dynamic)
    for (vertex v = 0; v < n; ++v) body(v);
  }
};

struct guided_loops : openmp_loops {
  template <class Cost, class Body>
  void for_each(unsigned, const Cost&, Body&& body) {
    ++count;
#pragma omp parallel for schedule(guided)
    for (vertex v = 0; v < n; ++v) body(v);
  }
};

// For what OMP_SCHEDULE names, a schedule of the drop-in above all.
struct runtime_loops : openmp_loops {
  template <class Cost, class Body>
  void for_each(unsigned, const Cost&, Body&& body) {
    ++count;
#pragma omp parallel for schedule(runtime)
    for (vertex v = 0; v < n; ++v) body(v);
  }
};

template <class Loops>
int measure(const cows::request& wanted, const cows::named_graph& given) {
  return cows::measure(wanted, given, [&] { return Loops{{given.graph.vertex_count()}}; });
}

int run(int argc, char** argv) {
  cows::request wanted;
  const char* schedule = "static,1";
  wanted.parse(
      argc, argv, "A COWS kernel on OpenMP",
      {argument_text("--schedule", "CLAUSE", "static, static,1 (default), dynamic, guided or runtime", &schedule)});
  const std::string clause = schedule;
  const auto given = cows::read_graph(wanted.graph);
  omp_set_dynamic(0);
  omp_set_num_threads(static_cast<int>(wanted.threads));
  if (clause == "static") return measure<static_loops>(wanted, given);
  if (clause == "static,1") return measure<cyclic_loops>(wanted, given);
  if (clause == "dynamic") return measure<dynamic_loops>(wanted, given);
  if (clause == "guided") return measure<guided_loops>(wanted, given);
  if (clause == "runtime") return measure<runtime_loops>(wanted, given);
  throw graph::input_error("--schedule " + clause +
                           ": no such clause; there are static, static,1, dynamic, guided, runtime");
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
