// SPDX-License-Identifier: Apache-2.0
// A library with loops of its own, of which there are two kinds: what is known of one must not be held for the other's, which may be
// loaded to the same place.
#include <omp.h>

#include <cstdint>

using number = std::uint64_t;

namespace {

#if KIND == 1
number find(long i) { return static_cast<number>(i) * 3; }
#else
number find(long i) {
  number value = 1;
  for (long step = 0; step < (i < 50 ? 4000 : 2); ++step) value = value * 17 + static_cast<number>(i);
  return value;
}
#endif

}  // namespace

/// In the caller's region.
extern "C" void add_orphaned(number* to, long n) {
#pragma omp for nowait
  for (long i = 0; i < n; ++i) to[i] += find(i);
}

/// In a region of its own.
extern "C" void add_own(number* to, number* by_thread, long n) {
#pragma omp parallel
  {
#if KIND == 1
    static_cast<void>(by_thread);
#pragma omp for nowait
    for (long i = 0; i < n; ++i) to[i] += find(i);
#pragma omp for nowait
    for (long i = 0; i < n; ++i) to[i] *= 3;
#else
    number* const own = by_thread + static_cast<long>(omp_get_thread_num()) * n;
#pragma omp for
    for (long i = 0; i < n; ++i) own[i] = find(i);
#pragma omp for
    for (long i = 0; i < n; ++i) to[i] ^= own[i];
#endif
  }
}
