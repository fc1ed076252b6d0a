// SPDX-License-Identifier: Apache-2.0
// cows-launched: the kernels as plain OpenMP. The build has `steelyard cc` compile this, and OMP_SCHEDULE says by what it runs. With
// --told, what the loops tell of their costs.
#include "plain.hpp"

#include <omp.h>

#include "plain_sets.hpp"
#include "program.hpp"
#include "told.hpp"

namespace cows {

struct plain_loops {
  std::uint64_t count = 0;
};

template <>
inline constexpr kernel<plain_loops> kernels<plain_loops>[] = {
    {"kc", 6, [](const csr& graph, plain_loops& loops) { return plain::committees(graph).run(loops.count); }},
    {"le", 3, [](const csr& graph, plain_loops& loops) { return plain::leader_election(graph, loops.count); }},
    {"bfs", 2, [](const csr& graph, plain_loops& loops) { return plain::bfs(graph, loops.count); }},
    {"bf", 3, [](const csr& graph, plain_loops& loops) { return plain::bellman_ford(graph, loops.count); }},
    {"ds", 12, [](const csr& graph, plain_loops& loops) { return plain::dominating_set(graph).run(loops.count); }},
    {"pr", 2, [](const csr& graph, plain_loops& loops) { return plain::pagerank(graph, loops.count); }},
    {"cc", 2, [](const csr& graph, plain_loops& loops) { return plain::components(graph, loops.count); }},
};

}  // namespace cows

namespace {

int tell(const cows::request& wanted, const cows::named_graph& given, const char* file) {
  cows::plain_loops loops;
  const cows::listener listener(loops.count);
  cows::find_kernel<cows::plain_loops>(wanted.kernel).run(given.graph, loops);
  cows::write_told(file, listener.heard());
  std::printf("told of %zu of %llu loops\n", listener.heard().size(), static_cast<unsigned long long>(loops.count));
  return EXIT_SUCCESS;
}

int run(int argc, char** argv) {
  cows::request wanted;
  const char* told = nullptr;
  wanted.parse(argc, argv, "A COWS kernel as plain OpenMP with schedule(runtime)",
               {argument_text("--told", "FILE",
                              "one run by one thread, which writes what its loops tell of their costs", &told)});
  const auto given = cows::read_graph(wanted.graph);
  omp_set_dynamic(0);
  omp_set_num_threads(told != nullptr ? 1 : static_cast<int>(wanted.threads));
  if (told != nullptr) return tell(wanted, given, told);
  return cows::measure(wanted, given, [] { return cows::plain_loops{}; });
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
