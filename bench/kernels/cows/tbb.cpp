// SPDX-License-Identifier: Apache-2.0
// cows-tbb: oneTBB with its own choice of pieces, auto_partitioner.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>

#include "program.hpp"

namespace {

using cows::vertex;

struct tbb_loops {
  vertex n;
  std::uint64_t count = 0;

  template <class Cost, class Body>
  void for_each(unsigned, const Cost&, Body&& body) {
    ++count;
    const auto run = [&body](const tbb::blocked_range<vertex>& range) {
      for (vertex v = range.begin(); v != range.end(); ++v) body(v);
    };
    tbb::parallel_for(tbb::blocked_range<vertex>(0, n), run, tbb::auto_partitioner());
  }
};

int run(int argc, char** argv) {
  cows::request wanted;
  wanted.parse(argc, argv, "A COWS kernel on oneTBB, auto_partitioner");
  const auto given = cows::read_graph(wanted.graph);
  const tbb::global_control limit(tbb::global_control::max_allowed_parallelism,
                                  static_cast<std::size_t>(wanted.threads));
  return cows::measure(wanted, given, [&] { return tbb_loops{given.graph.vertex_count()}; });
}

}  // namespace

int main(int argc, char** argv) { return graph::guarded(run, argc, argv); }
