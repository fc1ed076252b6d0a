// SPDX-License-Identifier: Apache-2.0
// Data that each thread has for itself from one loop to the next, also to one of another region: a program of its own, for where a
// module has such data all its loops keep their blocks. With ELSEWHERE the data is a library's.
#include "pattern.hpp"

namespace patterns {

#ifdef ELSEWHERE
extern std::uint64_t kept[1000];
extern std::uint64_t counted;
#else
std::uint64_t kept[1000];
std::uint64_t counted;
#endif
#pragma omp threadprivate(kept, counted)

#ifndef DATA_ONLY
namespace {

/// What a thread found in one region it takes up in the next.
void between_regions(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for
      for (long i = 0; i < n; ++i) kept[i] = of.noted(i) + static_cast<std::uint64_t>(round);
    }
#pragma omp parallel for
    for (long i = 0; i < n; ++i) a[i] += kept[i];
  }
  of.add_all(a);
}

/// The same between loops of different lengths.
void between_loops(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for
      for (long i = 0; i < n; ++i) kept[i] = cost(i);
#pragma omp for
      for (long i = 0; i < n; i += 2) a[i] += cost(i);
#pragma omp for
      for (long i = 0; i < n; ++i) a[i] ^= kept[i];
    }
  }
  of.add_all(a);
}

void copied_in(outcome& of) {
  for (int round = 0; round < size.rounds; ++round) {
    std::uint64_t all = 0;
    counted = static_cast<std::uint64_t>(round);
#pragma omp parallel copyin(counted)
    {
      const std::uint64_t before = counted;
#pragma omp for nowait
      for (long i = 0; i < size.n; ++i) counted += cost(i);
#pragma omp atomic
      all += counted - before;
    }
    of.add(all);
  }
}

}  // namespace
#endif

}  // namespace patterns

#ifndef DATA_ONLY
int main(int argc, char** argv) {
  using namespace patterns;
  return run_named({{"between_regions", between_regions}, {"between_loops", between_loops}, {"copied_in", copied_in}},
                   argc, argv);
}
#endif
