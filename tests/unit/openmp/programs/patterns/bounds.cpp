// SPDX-License-Identifier: Apache-2.0
// Counters of every type, at the ends of what they can hold, and loops over other things than numbers.
#include <climits>
#include <cstdint>
#include <type_traits>

#include "pattern.hpp"

namespace patterns {
namespace {

/// How many steps lie between two numbers, also where their difference is too large for their type.
template <class T>
long steps(T from, T to, T step) {
  const auto difference = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
  return static_cast<long>(difference / static_cast<std::uint64_t>(step));
}

/// `lower … lower + (n-1) * step`, each iteration once.
template <class T>
void counts(outcome& of, T lower, T end, T step, long n) {
  numbers times(n);
  for (int round = 0; round < size.rounds; ++round) {
    T last = 0;
    if constexpr (std::is_signed_v<T>) {
      if (step < 0) {
#pragma omp parallel for lastprivate(last)
        for (T i = lower; i > end; i += step) {
          const long at = steps<T>(i, lower, static_cast<T>(-step));
          times[at] += cost(at);
          last = i;
        }
        of.add(static_cast<std::uint64_t>(last));
        continue;
      }
    }
#pragma omp parallel for lastprivate(last)
    for (T i = lower; i < end; i += step) {
      const long at = steps<T>(lower, i, step);
      times[at] += cost(at);
      last = i;
    }
    of.add(static_cast<std::uint64_t>(last));
  }
  of.add_all(times);
}

void at_the_ends(outcome& of) {
  counts<int>(of, INT_MIN, INT_MIN + 500, 1, 500);
  counts<int>(of, INT_MAX - 500, INT_MAX, 1, 500);
  counts<int>(of, INT_MIN + 1, INT_MAX - 10, 10'000'000, 430);
  counts<int>(of, INT_MAX, INT_MIN + 10, -10'000'000, 430);
  counts<unsigned>(of, UINT_MAX - 500, UINT_MAX, 1, 500);
  counts<unsigned>(of, 0, UINT_MAX, 10'000'000, 430);
  counts<std::int64_t>(of, INT64_MIN, INT64_MIN + 500, 1, 500);
  counts<std::int64_t>(of, INT64_MAX - 500, INT64_MAX, 1, 500);
  counts<std::int64_t>(of, INT64_MAX, INT64_MAX - 1000, -2, 500);
  counts<std::uint64_t>(of, UINT64_MAX - 500, UINT64_MAX, 1, 500);
  counts<std::uint64_t>(of, 0, UINT64_MAX, UINT64_MAX / 400, 401);
}

void small_types(outcome& of) {
  counts<std::uint8_t>(of, 0, 255, 1, 255);
  counts<signed char>(of, -128, 127, 1, 255);
  counts<short>(of, SHRT_MIN, SHRT_MIN + 600, 1, 600);
  counts<std::uint16_t>(of, 65535 - 300, 65535, 1, 300);
}

void down(outcome& of) {
  const long n = size.n;
  numbers a(n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for
      for (unsigned i = static_cast<unsigned>(n); i > 0; --i) {
        of.note(n - static_cast<long>(i));
        a[i - 1] += cost(static_cast<long>(i));
      }
#pragma omp for
      for (long i = n - 1; i >= 0; i -= 3) a[i] ^= 5;
    }
  }
  of.add_all(a);
}

/// From no iteration to some more than there are threads.
void short_loops(outcome& of) {
  numbers a(40);
  for (int round = 0; round < size.rounds; ++round) {
    for (int n = 0; n < 12; ++n) {
      int last = -1;
#pragma omp parallel
      {
#pragma omp for lastprivate(last)
        for (int i = 0; i < n; ++i) {
          a[i] += cost(50 * i);
          last = i;
        }
#pragma omp for
        for (int i = 39; i > 39 - n; --i) a[i] += cost(i);
#pragma omp for
        for (int i = n; i < 3; ++i) a[20 + i] += 1;
      }
      of.add(static_cast<std::uint64_t>(last));
    }
  }
  of.add_all(a);
}

void nests(outcome& of) {
  const long n = size.n / 10;
  numbers a(size.n), b(n * n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel
    {
#pragma omp for collapse(2)
      for (int i = 0; i < static_cast<int>(n); ++i) {
        for (int j = 0; j < 10; ++j) a[i * 10 + j] += of.noted(i * 10 + j);
      }
#pragma omp for collapse(3)
      for (unsigned i = 0; i < static_cast<unsigned>(n); i += 3) {
        for (long j = 4; j >= 0; j -= 2) {
          for (short k = -1; k <= 1; ++k)
            a[i * 9 + static_cast<unsigned>(j / 2 * 3 + k + 1)] += cost(static_cast<long>(i));
        }
      }
#pragma omp for collapse(2)
      for (long i = 0; i < n; ++i) {
        for (long j = i; j < n; ++j) b[i * n + j] += cost(j);
      }
    }
  }
  of.add_all(a);
  of.add_all(b);
}

void iterators(outcome& of) {
  numbers a(size.n);
  for (int round = 0; round < size.rounds; ++round) {
#pragma omp parallel for
    for (auto at = a.begin(); at != a.end(); ++at) *at += cost(at - a.begin());
#pragma omp parallel for
    for (auto at = a.rbegin(); at < a.rend(); at += 2) *at ^= cost(at - a.rbegin());
#pragma omp parallel for
    for (std::uint64_t* at = a.data(); at < a.data() + a.size(); at += 5) *at += cost(at - a.data());
#pragma omp parallel for
    for (std::uint64_t& each : a) each += 3;
  }
  of.add_all(a);
}

}  // namespace

const std::vector<pattern> bounds = {
    {"at_the_ends", at_the_ends},
    {"small_types", small_types},
    {"down", down},
    {"short_loops", short_loops},
    {"nests", nests},
    {"iterators", iterators},
};

}  // namespace patterns
